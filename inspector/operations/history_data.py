"""The document whose versions the history benchmark keeps: ten long strings, or the records of the user's own store."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from inspector.files import readable_size
from inspector.model import InspectorError, Record
from inspector.operations.benchmark_model import DataSet
from inspector.operations.open import open_store
from inspector.progress import Progress, silent, track

Document: TypeAlias = Mapping[str, Any]
"""Keys and JSON values; what does not change from one version to the next is the same object."""

MOST_RECORDS = 50_000
"""Records of the user's own store that take part: every version is compared with every record of the last."""

_SIGNS = string.ascii_letters + string.digits + "-_"


class Source(Protocol):
    """Where versions come from: a picklable value."""

    def versions(self, count: int) -> Iterator[Document]:
        """Yield *count* versions, always the same ones; each changes one record of the one before."""

    def shortened(self, share: float) -> Source | None:
        """Return a source whose documents are *share* as long, None where that makes no sense."""


@dataclass(frozen=True, slots=True)
class Strings:
    """A document of *strings* texts of *length* random letters; each version changes one letter of the next text."""

    strings: int = 10
    length: int = 1_000_000
    seed: int = 1

    def versions(self, count: int) -> Iterator[Document]:
        """Yield *count* versions."""
        chance = random.Random(self.seed)
        document = {f"text{n}": _random_text(chance, self.length) for n in range(self.strings)}
        for number in range(count):
            key = f"text{number % self.strings}"
            document = document | {key: _other_letter(document[key], chance)}
            yield document

    def shortened(self, share: float) -> Source:
        """Return the same with texts of *share* their length."""
        return Strings(self.strings, max(1, round(self.length * share)), self.seed)


@dataclass(frozen=True, slots=True)
class Own:
    """The records of a store; each version changes one value of one record."""

    records: Document
    seed: int = 1

    def versions(self, count: int) -> Iterator[Document]:
        """Yield *count* versions, the first of them the store's own records with one change."""
        chance = random.Random(self.seed)
        document = dict(self.records)
        keys = list(document)
        for number in range(count):
            key = chance.choice(keys)
            document = document | {key: _edited(document[key], chance, number)}
            yield document

    def shortened(self, share: float) -> None:
        """Return None: records that were cut are no longer the user's data."""


def _random_text(chance: random.Random, length: int) -> str:
    return base64.urlsafe_b64encode(chance.randbytes(length)).decode()[:length]


def _other_letter(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    letter = chance.choice([sign for sign in _SIGNS if sign != text[place]])
    return text[:place] + letter + text[place + 1 :]


def _edited(value: Any, chance: random.Random, number: int) -> Any:
    """Return *value* with one change, as small as an edit by hand."""
    if isinstance(value, str) and value:
        return _other_letter(value, chance)
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return number
    if isinstance(value, int):
        return value + 1 if value < (1 << 53) else value - 1
    if isinstance(value, float):
        return round(value + 1, 6)
    if isinstance(value, list):
        return [_edited(value[0], chance, number), *value[1:]] if value else [number]
    if not value:
        return {"edit": number}
    key = next((key for key, each in value.items() if isinstance(each, str) and each), next(iter(value)))
    return value | {key: _edited(value[key], chance, number)}


def own(path: Path, progress: Progress = silent) -> tuple[Own, str]:
    """Return the records of all tables of the store *path* as one document, and what it is in words.

    Raises `InspectorError` if it cannot be read or has no record that every way can hold exactly.
    """
    with open_store(path, progress=progress) as store:
        names = [info.name for info in store.collections]
        found: dict[str, Any] = {}
        for name in names:
            records = track(store.load(name, progress), progress)
            for record in islice(records, MOST_RECORDS - len(found)):
                value = _plain(record)
                if value is not None:
                    found[record.key if len(names) == 1 else f"{name}/{record.key}"] = value
    if not found:
        raise InspectorError(f"{path} has no records to keep versions of; name a store with records.")
    first = "the first " if len(found) == MOST_RECORDS else ""
    return Own(found), f"{first}{len(found)} records of {len(names)} collection{'' if len(names) == 1 else 's'}"


def _plain(record: Record) -> Any:
    """Return a record's value if `orjson` gives it back exactly, else None."""
    import json

    import orjson

    value = record.value
    try:
        return value if json.loads(orjson.dumps(value)) == value else None
    except TypeError:  # an integer beyond 64 bit, a lone surrogate, repeated keys
        return None


def described(name: str, source: Source, saves: int, what: str) -> DataSet:
    """Return the data set of *source*: *bytes* of its first version as JSON, *items* its keys."""
    import orjson

    first = next(source.versions(1))
    size = len(orjson.dumps(first))
    text = f"{what}, {readable_size(size)} as JSON, one changed and saved in each of {saves} versions"
    return DataSet(name, size, len(first), text)
