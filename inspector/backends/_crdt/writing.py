"""What both writers of CRDT updates share: the updates of a source, whatever it is, and what is lost; and `*.y` files.

A document with a history is carried over byte for byte. A table, or a document without a history, becomes the
document that `crossing` makes of its records.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.backends._crdt import crossing, native
from inspector.backends._crdt.crossing import integer
from inspector.model import Codec, CollectionInfo, InspectorError, Loss, Record, Store, Stored, stored_rows
from inspector.progress import Progress, part, track

HEADER = b"VERSION:2\n"
"""First bytes of a ``*.y`` file as ypy-websocket 0.8 to pycrdt-store 0.1.5 write it."""


@dataclass(frozen=True)
class Crossing:
    """A way to make a document of records: its updates, and what they cannot carry over."""

    updates: Callable[[Sequence[Record], Progress], Iterator[bytes]]
    losses: Callable[[str, Sequence[Record], Progress], list[Loss]]


EXACT = Crossing(crossing.table_updates, crossing.table_losses)
"""Every record as its id and exact JSON text."""

NATIVE = Crossing(native.native_updates, native.native_losses)
"""Every record as CRDT values, which other programs can work on."""


def stored_updates(source: Store, info: CollectionInfo, progress: Progress, way: Crossing = EXACT) -> Iterator[Stored]:
    """Yield the updates of one collection, each with a finite time. Slow; *progress* covers what comes before them.

    Where the source has no time an update takes that of the one before, so that the order stays; where there is no
    time at all, the source file's mtime.
    """
    rows = stored_rows(source, info.name, part(progress, 0.0, 0.5))
    modified = source.path.stat().st_mtime
    if rows is None:
        records = source.load(info.name, part(progress, 0.0, 0.5))
        for number, data in enumerate(way.updates(records, part(progress, 0.5, 0.5)), 1):
            yield Stored(info.name, data, data, "none", modified, b"", number)
        return
    times = (row.time for row in rows)
    last = next((time for time in times if time is not None and math.isfinite(time)), modified)
    for row in rows:
        if row.time is None or not math.isfinite(row.time):
            yield row._replace(time=last)
        else:
            last = row.time
            yield row


def losses(source: Store, progress: Progress, way: Crossing = EXACT, *, one_document: bool = False) -> Sequence[Loss]:
    """Return what a file of CRDT updates could not carry over: histories nothing, tables what *way* loses. Slow.

    Raises `InspectorError` if the target holds *one_document* and the source has several, or if a database would
    have to hold a document without updates.
    """
    collections = source.collections
    if one_document:
        refuse_several(source)
    else:
        _refuse_empty(source)
    found: dict[str, Loss] = {}
    for number, info in enumerate(collections):
        share = 1 / len(collections)
        step = part(progress, number * share, share)
        if info.versions is not None:
            continue
        records = source.load(info.name, part(step, 0.0, 0.5))
        for loss in way.losses(info.name, records, part(step, 0.5, 0.5)):
            before = found.get(loss.kind, Loss(loss.kind, 0))
            found[loss.kind] = Loss(loss.kind, before.count + loss.count, before.where + loss.where)
    return tuple(found.values())


def refuse_several(source: Store) -> None:
    """Raise `InspectorError` if *source* has more than the one document that a ``*.y`` file holds."""
    if len(source.collections) > 1:
        raise InspectorError(
            f"A .y file holds one document and {source.path.name} has {len(source.collections)}; "
            "choose one with -c NAME."
        )


def _refuse_empty(source: Store) -> None:
    # A ystore has no list of documents: one without a row is not there.
    empty = [info.label for info in source.collections if info.versions == 0]
    if empty:
        more = f" (and {len(empty) - 1:,} more)" if empty[1:] else ""
        raise InspectorError(
            f"A ystore holds a document only by its updates, and there is none here of {empty[0]}{more} in "
            f"{source.path.name}; choose a later version with --at, or other documents with -c NAME."
        )


def write_yfile(path: Path, source: Store, codec: Codec, progress: Progress, way: Crossing = EXACT) -> None:
    """Write the one document of *source* to *path*: each update, its metadata, its time, each after its length.

    The time is a little-endian double. What cannot be decoded is carried as it is; NULL metadata becomes empty, the
    format does not tell them apart. Raises `InspectorError` for several documents or a codec.
    """
    refuse_several(source)
    if codec.id != "none":
        raise InspectorError(f"A .y file holds its updates plain; {codec.spec} cannot be used, choose codec none.")
    with open(path, "wb") as target:
        target.write(HEADER)
        for info in source.collections:
            updates = stored_updates(source, info, part(progress, 0.0, 0.5), way)
            for row in track(updates, part(progress, 0.5, 0.5), info.versions):
                for value in (row.blob if row.data is None else row.data, row.metadata, struct.pack("<d", row.time)):
                    target.write(integer(len(value or b"")) + (value or b""))
