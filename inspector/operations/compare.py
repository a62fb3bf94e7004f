"""Comparing two stores, whatever their formats: collections by name, records by key, fields by path."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from inspector.model import CollectionInfo, Record, Store
from inspector.operations.record_diff import Change, Difference, RecordDifference, Tally, differences, shown
from inspector.operations.verify import expected
from inspector.progress import Progress, part, silent

Side = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Match:
    """One collection of two stores: *before* or *after* is None where only the other store has it."""

    name: str
    label: str
    before: CollectionInfo | None
    after: CollectionInfo | None

    @property
    def is_table(self) -> bool:
        """True if a store holds it as a table: a document on the other side is read as the table it becomes."""
        return any(entry is not None and entry.kind == "table" for entry in (self.before, self.after))

    @property
    def weight(self) -> int:
        """About how much work it is, for progress."""
        return sum(max(entry.records or 0, 1) for entry in (self.before, self.after) if entry is not None)


@dataclass(frozen=True, slots=True)
class Compared:
    """One collection after it was compared."""

    match: Match
    tally: Tally


Found = Callable[[Match, RecordDifference], None]
"""Is handed every record that differs, as soon as it is met."""


def matches(first: Store, second: Store, names: Sequence[str] | None = None) -> list[Match]:
    """Return the collections of both stores, those of *first* in its order, then what only *second* has.

    *names* picks some of them.
    """
    old = {entry.name: entry for entry in first.collections}
    new = {entry.name: entry for entry in second.collections}
    wanted = dict.fromkeys((*old, *new)) if names is None else names
    found = []
    for name in wanted:
        before, after = old.get(name), new.get(name)
        known = before or after
        found.append(Match(name, known.label if known is not None else name, before, after))
    return found


def records_of(store: Store, match: Match, side: Side, progress: Progress = silent) -> Sequence[Record]:
    """Return the records of one side of *match* as they are compared, none if that side lacks it. Slow."""
    entry = match.before if side == "before" else match.after
    return () if entry is None else expected(store, entry, table=match.is_table, progress=progress)


def compare_collection(
    first: Store, second: Store, match: Match, tally: Tally, progress: Progress = silent
) -> Iterator[RecordDifference]:
    """Yield the records of one collection that differ, and count all of them into *tally*. Slow."""
    before = records_of(first, match, "before", part(progress, 0, 0.2))
    after = records_of(second, match, "after", part(progress, 0.2, 0.2))
    yield from differences(before, after, tally, items=not match.is_table, progress=part(progress, 0.4, 0.6))


def compare_stores(
    first: Store, second: Store, found: Found, *, names: Sequence[str] | None = None, progress: Progress = silent
) -> tuple[Compared, ...]:
    """Compare all collections, or those in *names*, and hand each record that differs to *found*. Slow.

    Nothing is kept but counts and, while a collection is compared, the keys of its records.
    """
    wanted = matches(first, second, names)
    total = sum(match.weight for match in wanted) or 1
    passed = 0
    compared = []
    for match in wanted:
        tally = Tally()
        share = part(progress, passed / total, match.weight / total)
        for difference in compare_collection(first, second, match, tally, share):
            found(match, difference)
        passed += match.weight
        compared.append(Compared(match, tally))
    progress(1000, 1000)
    return tuple(compared)


def whole_differences(
    first: Store, second: Store, *, names: Sequence[str] | None = None, progress: Progress = silent
) -> dict[str, Difference]:
    """Return all differences by collection, in memory. Slow."""
    found = {}
    for match in matches(first, second, names):
        tally = Tally()
        found[match.name] = Difference.gather(compare_collection(first, second, match, tally, progress), tally)
    return found


def record_entry(collection: str, record: Record) -> dict[str, Any]:
    """Return a record added or removed as the command line's JSON has it."""
    return {"collection": collection, "key": record.key, "value": shown(record)}


def change_entry(collection: str, change: Change) -> dict[str, Any]:
    """Return a changed value as the command line's JSON has it."""
    return {
        "collection": collection,
        "key": change.key,
        "path": change.path,
        "before": change.before,
        "after": change.after,
    }


def document(found: dict[str, Difference]) -> dict[str, Any]:
    """Return the JSON document of ``inspector diff``."""
    result: dict[str, Any] = {"added": [], "removed": [], "changed": []}
    total = Tally()
    for name, difference in found.items():
        result["added"] += [record_entry(name, record) for record in difference.added]
        result["removed"] += [record_entry(name, record) for record in difference.removed]
        result["changed"] += [change_entry(name, change) for change in difference.changed]
        total += difference.tally
    return {**result, "counts": total.counts if found else {}}


def command(first: Path, second: Path) -> str:
    """Return the command line that compares the same files."""
    return shlex.join(["inspector", "diff", str(first), str(second), "--json"])
