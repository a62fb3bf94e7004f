"""Compares what was written, read back from disk through the ordinary reader, with what was to be written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inspector import values
from inspector.model import CollectionInfo, Record, Store, Stored, stored_rows
from inspector.operations.outcome import Check, VerificationFailed
from inspector.progress import Progress, part, track

Carry = Callable[[Sequence[Record]], Sequence[Record]]
"""What a target promises to hold of a collection's records; the records themselves where nothing is lost."""


@dataclass(slots=True)
class Counts:
    """How much was compared."""

    collections: int = 0
    records: int = 0
    updates: int = 0
    bytes: int = 0

    def add(self, other: Counts) -> None:
        """Count what *other* counted, too."""
        self.collections += other.collections
        self.records += other.records
        self.updates += other.updates
        self.bytes += other.bytes

    def checks(self, *, lossy: bool = False) -> tuple[Check, ...]:
        """Return what was compared, in the user's words; *lossy*: with what the accepted losses leave."""
        found = [Check("Collections", "same names, same order", self.collections)]
        if self.records:
            kept = "every key and value compared, value and type, in order"
            left = "every key and value compared with what the accepted losses leave, in order"
            found.append(Check("Records", left if lossy else kept, self.records))
        if self.updates:
            found.append(Check("Updates", "every update compared byte for byte, with time and metadata", self.updates))
        if self.bytes:
            found.append(Check("Bytes", "of updates read back and found the same", self.bytes))
        return tuple(found)


def verify(source: Store, target: Store, *, history: bool, carry: Carry, progress: Progress) -> Counts:
    """Compare all of *source* with *target*; *history*: the updates, byte for byte, instead of records.

    Raises `VerificationFailed` naming the first difference.
    """
    counts = Counts()
    wanted, found = list(source.collections), list(target.collections)
    if len(wanted) != len(found):
        raise VerificationFailed(f"{len(wanted)} collections were to be written, {len(found)} are there.")
    for number, (before, after) in enumerate(zip(wanted, found, strict=True)):
        share = part(progress, number / len(wanted), 1 / len(wanted))
        counts.collections += 1
        updates = stored_rows(source, before.name, share) if history else None
        if updates is None:
            _records(source, before, target, after, carry, counts, share)
        else:
            written = stored_rows(target, after.name, share) or ()
            _updates(before, updates, written, counts, share)
    return counts


def expected(source: Store, entry: CollectionInfo, *, table: bool, progress: Progress) -> Sequence[Record]:
    """Return the records that a target shows for *entry*: a document in a *table* gets ids and key/value documents."""
    records = source.load(entry.name, progress)
    if entry.kind == "table" or not table:
        return records
    return [Record(str(number), {"key": record.key, "value": record.value}) for number, record in enumerate(records, 1)]


def _records(
    source: Store,
    before: CollectionInfo,
    target: Store,
    after: CollectionInfo,
    carry: Carry,
    counts: Counts,
    progress: Progress,
) -> None:
    wanted = carry(expected(source, before, table=after.kind == "table", progress=progress))
    found = target.load(after.name, progress)
    if len(wanted) != len(found):
        raise VerificationFailed(f"{before.label}: {len(wanted)} records were to be written, {len(found)} are there.")
    for number, record in enumerate(track(wanted, progress, len(wanted))):
        if not _same(record, found[number]):
            raise VerificationFailed(f"{before.label}: record {record.key} is not what was to be written.")
        counts.records += 1


def _same(wanted: Record, found: Record) -> bool:
    if wanted.key != found.key:
        return False
    if wanted.raw is not None and wanted.raw == found.raw:
        return True
    return values.write(wanted.value) == values.write(found.value)


def _updates(
    before: CollectionInfo, wanted: Sequence[Stored], found: Sequence[Stored], counts: Counts, progress: Progress
) -> None:
    if len(wanted) != len(found):
        raise VerificationFailed(f"{before.label}: {len(wanted)} updates were to be written, {len(found)} are there.")
    for number, (old, new) in enumerate(track(zip(wanted, found, strict=True), progress, len(wanted)), 1):
        same = (old.data, old.metadata or b"") == (new.data, new.metadata or b"")
        if not same or (old.time is not None and old.time != new.time):
            raise VerificationFailed(f"{before.label}: update {number} is not what was to be written.")
        if old.data is None and (old.blob or b"") != (new.blob or b""):
            raise VerificationFailed(f"{before.label}: the damaged update {number} is not carried over as it was.")
        counts.updates += 1
        counts.bytes += len(old.data or b"")
