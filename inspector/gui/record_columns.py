"""Which columns a table of records has: the top-level keys of the records that were looked at, in order of meeting."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from inspector import values
from inspector.model import DecodeError, Record
from inspector.progress import Progress, track
from inspector.values import NumberText, RepeatedKeys

FIRST_SAMPLE = 200
"""Records that are looked at before the first rows are shown."""
LATER_SAMPLE = 20_000
LATER_SECONDS = 3.0
MOST_COLUMNS = 300
"""Columns beyond are left out: a table whose keys are data, not names, has as many as records."""

Kind = Literal["key", "value", "member"]


@dataclass(slots=True)
class Column:
    """A column: the record's key, its whole value where that is no object, or one top-level member.

    *types* counts the type names met, *present* the records that have it among *sampled*.
    """

    kind: Kind
    name: str
    types: Counter[str] = field(default_factory=Counter)
    present: int = 0
    sampled: int = 0

    @property
    def share(self) -> float:
        """Share of the records looked at that have it, 0 to 1."""
        return self.present / self.sampled if self.sampled else 1.0

    @property
    def type_text(self) -> str:
        """The types met, the most frequent first; null only where there is nothing else."""
        names = [name for name, _ in self.types.most_common() if name != "null"] or list(self.types)
        return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")

    @property
    def numeric(self) -> bool:
        """True if its values are numbers, so that it is aligned at the right."""
        names = {name for name in self.types if name != "null"}
        return bool(names) and names <= {"int", "float"}

    @property
    def whole(self) -> bool:
        """True if it holds integers, which are never shortened."""
        return "int" in self.types


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found: the columns, how many of *total* records were looked at, how many keys were left out."""

    columns: tuple[Column, ...]
    sampled: int
    total: int
    left_out: int = 0


def survey(progress: Progress, records: Sequence[Record], most: int, seconds: float = LATER_SECONDS) -> Survey:
    """Look at the first *most* records, no longer than *seconds*, and return the columns they ask for."""
    parse = values.quick_parser()
    due = time.monotonic() + seconds
    members: dict[str, Column] = {}
    key, value = Column("key", ""), Column("value", "")
    sampled = objects = 0
    left_out: set[str] = set()
    for record in track(islice(records, most), progress, min(most, len(records))):
        if sampled % 64 == 0 and time.monotonic() > due:
            break
        sampled += 1
        key.types["int" if record.key.isdigit() else "str"] += 1
        try:
            document = parse(record.raw) if record.raw is not None else record.value
        except (ValueError, DecodeError):
            continue
        if isinstance(document, dict | RepeatedKeys):
            objects += 1
            _count(document, members, left_out)
        else:
            _add(value, document)
    columns = [key]
    others = value.present
    if others or not objects:
        columns.append(value)
    if objects >= others:
        columns += members.values()
    for column in columns:
        column.sampled = sampled
    key.present = sampled
    return Survey(tuple(columns), sampled, len(records), len(left_out))


def _count(document: dict[str, object] | RepeatedKeys, members: dict[str, Column], left_out: set[str]) -> None:
    pairs = dict(document.pairs) if isinstance(document, RepeatedKeys) else document
    for name, member in pairs.items():
        column = members.get(name)
        if column is None:
            if len(members) >= MOST_COLUMNS:
                left_out.add(name)
                continue
            column = members[name] = Column("member", name)
        _add(column, member)


def _add(column: Column, value: object) -> None:
    column.present += 1
    if isinstance(value, NumberText):
        column.types["int" if value.whole else "float"] += 1
    else:
        column.types[values.type_name(value)] += 1  # type: ignore[arg-type]
