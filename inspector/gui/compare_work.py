"""The slow work of a comparison in the window: plain functions that take a progress and touch no widget."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from inspector import values
from inspector.gui import records_work
from inspector.gui.cells import MISSING, Missing
from inspector.gui.compare_rows import DiffRow, Preview, Rows, Shown
from inspector.gui.copying import Piece
from inspector.gui.diff_cards import Card
from inspector.gui.record_rows import Row, read
from inspector.gui.watch import Mark, mark
from inspector.model import InspectorError, Record, Store
from inspector.operations import diff
from inspector.operations.compare import Compared, compare_stores
from inspector.operations.compare_export import COLUMNS, Form, total, write_comparison
from inspector.operations.open import open_store
from inspector.operations.record_diff import PATIENT, Kind, Tally, shown, steps, value_changes
from inspector.operations.search import in_order, key_order, sort_key
from inspector.progress import Progress, part, track
from inspector.values import Value

_LONGEST_LINE = 4000


@dataclass(frozen=True, slots=True)
class Source:
    """A store to compare: *format* overrides recognition, as it did when the store was opened."""

    path: Path
    format: str | None = None


@dataclass(frozen=True, slots=True)
class SideInfo:
    """A store as it was when it was compared."""

    source: Source
    format: str
    codec: str
    size: int
    modified: float | None
    mark: Mark


@dataclass(frozen=True, slots=True)
class Result:
    """A comparison: counts of everything, and as many of its differences as the list holds."""

    sides: tuple[SideInfo, SideInfo]
    compared: tuple[Compared, ...]
    rows: Rows
    seconds: float

    @property
    def tally(self) -> Tally:
        """The counts of all collections together."""
        return total(self.compared)

    @property
    def identical(self) -> bool:
        """True if both stores hold the same collections with the same records."""
        tally = self.tally
        alone = any(one.match.before is None or one.match.after is None for one in self.compared)
        return not (alone or tally.added or tally.removed or tally.changed)

    @property
    def cut(self) -> bool:
        """True if the list does not hold every difference."""
        return self.rows.found > len(self.rows)


def compare(progress: Progress, first: Source, second: Source) -> Result:
    """Open two stores for this alone, compare all of them, and let go of them. Raises `InspectorError`."""
    started = time.perf_counter()
    marks = mark(first.path), mark(second.path)
    rows = Rows()
    with (
        open_store(first.path, format=first.format, progress=part(progress, 0, 0.15)) as a,
        open_store(second.path, format=second.format, progress=part(progress, 0.15, 0.15)) as b,
    ):
        compared = compare_stores(a, b, rows.take, progress=part(progress, 0.3, 0.7))
        sides = _side(a, first, marks[0]), _side(b, second, marks[1])
    return Result(sides, compared, rows, time.perf_counter() - started)


def _side(store: Store, source: Source, known: Mark) -> SideInfo:
    try:
        modified: float | None = store.path.stat().st_mtime
    except OSError:
        modified = None
    return SideInfo(source, store.info.format, store.info.codec, store.info.size, modified, known)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows are shown, and in what order: a *column* of the table, or as they were found."""

    kind: Kind | None = None
    collection: str | None = None
    text: str = ""
    column: int | None = None
    descending: bool = False

    def takes(self, rows: Rows, number: int) -> bool:
        """Say whether difference *number* is shown."""
        collection, key, path = rows.words(number)
        if self.kind not in (None, rows.kind(number)) or self.collection not in (None, collection):
            return False
        return not self.text or self.text in key.lower() or self.text in path.lower()


_ORDER: dict[Kind, int] = {"changed": 0, "removed": 1, "added": 2}


def arrange(progress: Progress, rows: Rows, wanted: Wanted) -> Sequence[int]:
    """Return the numbers of the rows that are wanted, in the order wanted."""
    found = array("l")
    for number in range(len(rows)):
        if number % 2000 == 0:
            progress(number, 2 * len(rows))
        if wanted.takes(rows, number):
            found.append(number)
    if wanted.column is None:
        return found
    key_of = partial(_key, rows, wanted.column)
    return in_order(found, key_of, descending=wanted.descending, progress=part(progress, 0.5, 0.5))


def _key(rows: Rows, column: int, number: int) -> tuple[int, object] | None:
    collection, key, path = rows.words(number)
    match column:
        case 0:
            return _ORDER[rows.kind(number)], 0
        case 1:
            return 0, collection
        case 2:
            return key_order(key)
        case 3:
            return 0, path
    side = rows.side(number, after=column == 5)
    if isinstance(side, Missing):
        return None
    return (6, side.text) if isinstance(side, Preview) else sort_key(side)


@dataclass(frozen=True, slots=True)
class Detail:
    """Both whole records of a row, None where there is none, and what their texts differ in, line by line."""

    row: DiffRow
    before: Row | None
    after: Row | None
    cards: tuple[Card, ...]
    changed: frozenset[tuple[str | int, ...]]
    """The ways to every value that differs."""


def detail(progress: Progress, row: DiffRow) -> Detail:
    """Read both records of *row* whole."""
    progress(0, 3)
    before = _read(row.old)
    progress(1, 3)
    after = _read(row.new)
    progress(2, 3)
    found = tuple(diff.lines(*("\n".join(side) for side in _texts(before, after, progress))))
    added, removed = (sum(line.sign == sign for line in found) for sign in "+-")
    card = Card("record", row.key, row.kind, found, added=added, removed=removed)
    ways: list[tuple[str | int, ...]] = []
    if before is not None and after is not None and not before.error and not after.error:
        ways = [steps(path) for path, _, _ in value_changes(before.value, after.value)]
    return Detail(row, before, after, (card,), frozenset(ways))


def _read(record: Record | None) -> Row | None:
    if record is None:
        return None
    if record.raw is None or len(record.raw) < PATIENT:
        return read(record)
    try:
        return Row(record.key, record.raw, values.parse(record.raw))
    except ValueError as error:
        return Row(record.key, record.raw, None, str(error))


def _texts(before: Row | None, after: Row | None, progress: Progress) -> tuple[list[str], list[str]]:
    """Return both records as lines: a value each with the way to it, the keys of both sides in one order."""
    sides: tuple[list[str], list[str]] = ([], [])
    todo: list[tuple[str, tuple[Value | Missing, ...]]] = [("", (_content(before), _content(after)))]
    while todo:
        if len(sides[0]) % 1000 == 0:
            progress(2, 3)
        name, pair = todo.pop()
        members = [dict(values.members(value)) if isinstance(value, dict | list) else {} for value in pair]
        for value, inside, lines in zip(pair, members, sides, strict=True):
            if not inside and not isinstance(value, Missing):
                lines += _value_lines(name, value)
        for step in reversed(dict.fromkeys((*members[0], *members[1]))):
            todo.append((_below(name, step), tuple(inside.get(step, MISSING) for inside in members)))
    return sides


def _content(row: Row | None) -> Value | Missing:
    if row is None:
        return MISSING
    return row.raw.decode("utf-8", "backslashreplace") if row.error and row.raw is not None else row.value


def _value_lines(name: str, value: Value) -> list[str]:
    """Return the lines of a value: texts of several lines with their own, anything else as JSON on one."""
    head = f"{name}: " if name else ""
    if isinstance(value, str) and "\n" in value:
        return [head, *("    " + line[:_LONGEST_LINE] for line in value.split("\n"))]
    return [head + values.write(value)[:_LONGEST_LINE]]


def _below(name: str, step: str | int) -> str:
    if isinstance(step, int):
        return f"{name}[{step}]"
    plain = step.isidentifier()
    return f"{name}.{step}" if name and plain else step if plain else f"{name}[{values.write(step)}]"


def export(progress: Progress, result: Result, target: Path, form: Form) -> Path:
    """Compare again and write all differences to *target*, replacing it.

    Raises `InspectorError`, also if a store is no longer what was compared: the file would say something else.
    """
    for side in result.sides:
        if mark(side.source.path) != side.mark:
            name = side.source.path.name
            raise InspectorError(f"{name} was changed since it was compared. Nothing was written; compare again.")
    first, second = (side.source for side in result.sides)
    with (
        open_store(first.path, format=first.format, progress=part(progress, 0, 0.15)) as a,
        open_store(second.path, format=second.format, progress=part(progress, 0.15, 0.15)) as b,
    ):
        write_comparison(a, b, target, form, progress=part(progress, 0.3, 0.7))
    return target


def piece(value: Shown, record: Record | None, path: str) -> Piece | None:
    """Return a side of a row with its exact JSON text; of an object the whole. None where there is nothing."""
    if isinstance(value, Missing):
        return None
    whole: Value = value.text if isinstance(value, Preview) else value
    if isinstance(value, Preview) and record is not None:
        whole = shown(record)
        for step in steps(path):
            whole = dict(values.members(whole))[step]
    return Piece(whole, values.write(whole))


def copy_rows(progress: Progress, rows: Sequence[DiffRow], form: records_work.Form) -> str:
    """Return rows in a notation for the clipboard: collection, change, key, field and both exact values."""
    pieces = []
    for row in track(rows, progress, len(rows)):
        words = [Piece(word, values.write(word)) for word in (row.collection, row.kind, row.key, row.path)]
        sides = piece(row.before, row.old, row.path), piece(row.after, row.new, row.path)
        pieces.append([*words, *sides])
    return records_work.rows_as(form, COLUMNS, pieces)
