"""Finds the faults of one document by parsing all its updates: missing, damaged, repeated ones, steps of the clock.

What the libraries do wrong was measured with pycrdt-store 0.1.5; a document whose updates lack predecessors is shown
by pycrdt without a word, so gaps are found by comparing clocks here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from inspector.backends._crdt import updates
from inspector.model import Finding, Stored
from inspector.progress import Progress, track

_EMPTY = b"\0\0"
_NO_OP_SIZE = 6  # bytes of Jupyter's largest update that changes nothing
_SHOWN = 5

Ranges = list[tuple[int, int]]
"""Ranges ``(start, stop)`` of one client's clocks."""


@dataclass(slots=True)
class Coverage:
    """Clocks per client that updates hold, and the greatest clocks per client that their structs refer to."""

    held: dict[int, Ranges] = field(default_factory=dict)
    needed: dict[int, int] = field(default_factory=dict)

    def add(self, parsed: updates.Parsed) -> None:
        """Add the structs of an update."""
        for struct in parsed.structs:
            if struct.kind != "skip":
                extend(self.held.setdefault(struct.client, []), struct.clock, struct.clock + struct.length)
            for reference in (struct.origin, struct.right_origin, struct.parent):
                if isinstance(reference, tuple) and reference[1] > self.needed.get(reference[0], -1):
                    self.needed[reference[0]] = reference[1]

    def ends(self) -> dict[int, int]:
        """Return per client how far its clocks are held without a gap from 0 on."""
        merged = {client: merge(ranges) for client, ranges in self.held.items()}
        return {client: ranges[0][1] if ranges[0][0] == 0 else 0 for client, ranges in merged.items()}

    def gaps(self) -> dict[int, int]:
        """Return per client the first clock that is missing although something comes after it or refers to it."""
        ends = self.ends()
        found = {}
        for client in self.held.keys() | self.needed.keys():
            end = ends.get(client, 0)
            last = max((stop for _, stop in self.held.get(client, ())), default=0)
            if last > end or self.needed.get(client, -1) >= end:
                found[client] = end
        return found


def extend(ranges: Ranges, start: int, stop: int) -> None:
    """Add a range; one that continues the last, as typing does, makes it longer."""
    if ranges and ranges[-1][0] <= start <= ranges[-1][1]:
        ranges[-1] = (ranges[-1][0], max(ranges[-1][1], stop))
    else:
        ranges.append((start, stop))


def merge(ranges: Ranges) -> Ranges:
    """Return the ranges sorted, those that touch joined."""
    merged: Ranges = []
    for start, stop in sorted(ranges):
        extend(merged, start, stop)
    return merged


def overlap(first: Ranges, second: Ranges) -> int:
    """Return how many clocks lie in both."""
    first, second = merge(first), merge(second)
    total = one = two = 0
    while one < len(first) and two < len(second):
        start = max(first[one][0], second[two][0])
        stop = min(first[one][1], second[two][1])
        total += max(stop - start, 0)
        if first[one][1] < second[two][1]:
            one += 1
        else:
            two += 1
    return total


@dataclass(slots=True)
class Document:
    """What a pass over one document's updates collects."""

    name: str
    stored: Sequence[Stored]
    coverage: Coverage = field(default_factory=Coverage)
    before_checkpoint: Coverage = field(default_factory=Coverage)
    texts: dict[int, Ranges] = field(default_factory=dict)
    deletes: dict[int, Ranges] = field(default_factory=dict)

    def read(self, checkpoint: Checkpoint | None, progress: Progress) -> None:
        """Parse every row."""
        limit = checkpoint.time if checkpoint else None
        for one in track(self.stored, progress, len(self.stored)):
            if one.data is None:
                continue
            parsed = updates.parse(one.data)
            self.coverage.add(parsed)
            if limit is not None and one.time is not None and one.time < limit:
                self.before_checkpoint.add(parsed)
            for struct in parsed.structs:
                if struct.kind == "string":
                    extend(self.texts.setdefault(struct.client, []), struct.clock, struct.clock + struct.length)
            for client, ranges in parsed.deletes.items():
                for clock, length in ranges:
                    extend(self.deletes.setdefault(client, []), clock, clock + length)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The full state that pycrdt-store keeps beside the rows; *data* is None where it cannot be decoded."""

    data: bytes | None
    codec: str
    time: float | None


def find(
    name: str,
    stored: Sequence[Stored],
    progress: Progress,
    *,
    checkpoint: Checkpoint | None = None,
    ignored: Collection[int] = (),
) -> Iterator[Finding]:
    """Yield the faults of one document; rowids in *ignored* are known to hold no update. Slow."""
    document = Document(name, stored)
    document.read(checkpoint, progress)
    yield from _undecodable(document, ignored)
    yield from _pending(document, checkpoint)
    yield from _times(document)
    yield from _duplicates(document)
    yield from _deleted_text(document)
    if checkpoint:
        yield from _checkpoint(document, checkpoint)


def _undecodable(document: Document, ignored: Collection[int]) -> Iterator[Finding]:
    bad = [
        index
        for index, one in enumerate(document.stored, 1)
        if one.data is None and one.blob and one.rowid not in ignored
    ]
    if bad:
        yield Finding(
            "error",
            "undecodable-update",
            f"{_updates(bad)} cannot be decoded; the document is shown without {'it' if len(bad) == 1 else 'them'}.",
            document.name,
            False,
        )


def _pending(document: Document, checkpoint: Checkpoint | None) -> Iterator[Finding]:
    gaps = document.coverage.gaps()
    if not gaps:
        return
    curable = _checkpoint_fills(document, checkpoint, gaps)
    clients = ", ".join(f"client {client} from clock {clock} on" for client, clock in sorted(gaps.items())[:_SHOWN])
    if document.stored[0].data == _EMPTY:
        yield Finding(
            "error",
            "squash-damage",
            "The history was replaced by an empty update when the store was squashed, and what was written later waits "
            f"for it ({clients})." + (" The checkpoint still holds the document." if curable else ""),
            document.name,
            curable,
        )
    yield Finding(
        "warning",
        "pending-structs",
        f"Content waits for updates that are missing: {clients}.",
        document.name,
        curable,
    )


def _checkpoint_fills(document: Document, checkpoint: Checkpoint | None, gaps: Iterable[int]) -> bool:
    if checkpoint is None or checkpoint.data is None:
        return False
    both = Coverage()
    both.add(updates.parse(checkpoint.data))
    for client, ranges in document.coverage.held.items():
        for start, stop in ranges:
            extend(both.held.setdefault(client, []), start, stop)
    both.needed |= document.coverage.needed
    return not both.gaps().keys() & set(gaps)


def _times(document: Document) -> Iterator[Finding]:
    latest: float | None = None
    steps = []
    for one in sorted(document.stored, key=lambda stored: stored.rowid):
        if one.time is not None:
            if latest is not None and one.time < latest:
                steps.append(latest - one.time)
            latest = one.time
    if steps:
        yield Finding(
            "warning",
            "clock-step",
            f"The clock went back {len(steps):,} times, by up to {max(steps):,.1f} s: pycrdt-store 0.1.3–0.1.5 may "
            "skip updates that look older than its checkpoint, and the timeline is not in the order of writing.",
            document.name,
            False,
        )


def _duplicates(document: Document) -> Iterator[Finding]:
    seen: set[bytes] = set()
    again = []
    for index, one in enumerate(document.stored, 1):
        if one.data is not None and len(one.data) > _NO_OP_SIZE:
            if one.data in seen:
                again.append(index)
            seen.add(one.data)
    if again:
        verb = "repeats an earlier one" if len(again) == 1 else "repeat earlier ones"
        yield Finding("info", "duplicate-update", f"{_updates(again)} {verb}.", document.name, True)


def _deleted_text(document: Document) -> Iterator[Finding]:
    units = sum(overlap(ranges, document.deletes.get(client, [])) for client, ranges in document.texts.items())
    if units:
        yield Finding(
            "info",
            "deleted-text-stored",
            f"{units:,} characters of deleted text are still stored in clear.",
            document.name,
            True,
        )


def _checkpoint(document: Document, checkpoint: Checkpoint) -> Iterator[Finding]:
    """Compare what the checkpoint holds with the rows, by clocks."""
    if checkpoint.data is None:
        yield mismatch(document.name, "cannot be decoded")
        return
    held = Coverage()
    held.add(updates.parse(checkpoint.data))
    ends, all_ends = held.ends(), document.coverage.ends()
    if any(end > all_ends.get(client, 0) for client, end in ends.items()):
        yield mismatch(document.name, "holds more than the rows, whose beginning is missing")
    elif any(end > ends.get(client, 0) for client, end in document.before_checkpoint.ends().items()):
        yield mismatch(document.name, "lacks updates that are older than itself")


def _updates(indices: list[int]) -> str:
    shown = ", ".join(map(str, indices[:_SHOWN])) + (" …" if len(indices) > _SHOWN else "")
    return f"Update {shown}" if len(indices) == 1 else f"{len(indices):,} updates ({shown})"


def mismatch(name: str, reason: str) -> Finding:
    """Return the finding for a checkpoint that does not fit its rows."""
    return Finding(
        "warning",
        "checkpoint-mismatch",
        f"The checkpoint {reason}; a server would show another document. The rows alone are used here.",
        name,
        True,
    )
