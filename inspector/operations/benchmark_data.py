"""What a benchmark measures on: the decoded text or rows of a store, or the bytes of any other file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.files import Slices, readable_size
from inspector.model import (
    HasText,
    InspectorError,
    MissingLibrary,
    Record,
    Store,
    StoreChanged,
    UsageError,
    stored_rows,
)
from inspector.operations.benchmark_model import UNITS, DataSet, Unit
from inspector.operations.open import open_store
from inspector.progress import Progress, silent, track

BLOCK = 1 << 20
"""Bytes of one block of the unit ``block``."""


@dataclass(frozen=True, slots=True)
class Workload:
    """The pieces that are encoded each on its own, and what they are."""

    data: DataSet
    unit: Unit
    pieces: tuple[bytes, ...]


def workload(path: Path, unit: Unit, progress: Progress = silent) -> Workload:
    """Read *path* and cut it into pieces. Raises `InspectorError` if it cannot be read or holds nothing."""
    if unit not in UNITS:
        raise UsageError(f"Unknown unit {unit!r}; units are {', '.join(UNITS)}.", unit, 0)
    try:
        store = open_store(path, progress=progress)
    except (MissingLibrary, StoreChanged):
        raise
    except InspectorError:
        return _of_file(path, unit, progress)
    with store:
        return _of_store(store, path, unit, progress)


def _of_file(path: Path, unit: Unit, progress: Progress) -> Workload:
    content = Slices(path).read_all(progress)
    pieces = _blocks(content) if unit == "block" else (content,)
    return _checked(path, unit, pieces, items=1, description=f"the bytes of the file, {readable_size(len(content))}")


def _of_store(store: Store, path: Path, unit: Unit, progress: Progress) -> Workload:
    text = store.whole_text() if isinstance(store, HasText) and unit != "row" else None
    names = [info.name for info in store.collections]
    if text is not None:
        items = sum(_count(store, name, progress) for name in names)
        pieces: Sequence[bytes] = (text,)
    else:
        pieces = [row for name in names for row in track(_rows(store, name, progress), progress)]
        items = len(pieces)
    if unit == "block":
        pieces = _blocks(b"".join(pieces))
    elif unit == "whole":
        pieces = (b"".join(pieces),)
    kind = "document" if any(info.kind == "document" for info in store.collections) else "table"
    plural = "" if len(names) == 1 else "s"
    size = readable_size(sum(map(len, pieces)))
    rows = "updates" if kind == "document" else "records"
    description = f"{size} decoded, {items} {rows} in {len(names)} {kind}{plural}"
    work = _checked(path, unit, tuple(pieces), items=items, description=description)
    return replace(work, data=replace(work.data, codec=store.info.codec, stored=store.info.size))


def _count(store: Store, name: str, progress: Progress) -> int:
    known = next(info.records for info in store.collections if info.name == name)
    return known if known is not None else len(store.load(name, progress))


def _rows(store: Store, name: str, progress: Progress) -> Iterator[bytes]:
    updates = stored_rows(store, name, progress)
    if updates is not None:
        yield from (stored.data for stored in updates if stored.data is not None)
        return
    for record in store.load(name, progress):
        yield _row(record)


def _row(record: Record) -> bytes:
    return record.raw if record.raw is not None else record.text().encode()


def _blocks(content: bytes) -> tuple[bytes, ...]:
    return tuple(content[start : start + BLOCK] for start in range(0, len(content), BLOCK))


def _checked(path: Path, unit: Unit, pieces: tuple[bytes, ...], *, items: int, description: str) -> Workload:
    size = sum(map(len, pieces))
    if not size:
        raise InspectorError(f"{path} holds no data to measure; name a store with records or a file with content.")
    return Workload(DataSet(str(path), size, items, description), unit, pieces)
