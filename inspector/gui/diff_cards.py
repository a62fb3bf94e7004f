"""What a comparison of two versions shows, as cards and rows: plain values, no widget.

A card is a notebook cell, a text or a record. Rows are what a list shows of the cards: heads, lines, notes, and folds
that stand for runs of unchanged cells or lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from inspector import values
from inspector.model import Record
from inspector.operations import diff, export, record_diff
from inspector.operations.diff import CellState, LineChange
from inspector.progress import Progress, part, silent

CONTEXT = 3
"""Unchanged lines that stay in sight before and after a changed one."""

_LONGEST = 20_000
"""Most characters of a value that a card shows; what is copied or exported is whole."""

Document = Literal["notebook", "text", "data"]


@dataclass(frozen=True, slots=True)
class Card:
    """One thing compared. *kind* is a cell type, ``text`` or ``record``; *name* the key of a record or text.

    *state* counts all differences; *added* and *removed* only lines of the source. *about* marks records that
    describe the document (``meta.nbformat``, ``state.path``): shown as metadata.
    """

    kind: str
    name: str
    state: CellState
    lines: tuple[LineChange, ...]
    count: int | None = None
    outputs: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()
    added: int = 0
    removed: int = 0
    about: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """What is shown beside changes of the source."""

    outputs: bool = False
    metadata: bool = False
    unchanged: bool = False


class RowKind(Enum):
    """Kinds of rows."""

    HEAD = "head"
    LINE = "line"
    NOTE = "note"
    OUTPUT = "output"
    IMAGE = "image"
    FOLD = "fold"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Fold:
    """A run of unchanged cells or lines: *key* names it, *hidden* cells of it differ in what is not shown."""

    key: tuple[int, int]
    count: int
    hidden: int = 0
    opened: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the list: *card* is its card's number, *last* closes the card, *image* is a decoded picture."""

    kind: RowKind
    card: int
    line: LineChange | None = None
    note: str = ""
    fold: Fold | None = None
    last: bool = False
    image: Any = None


def document_kind(records: Sequence[Record]) -> Document:
    """Return what a document is by its records."""
    if export.is_notebook(records):
        return "notebook"
    return "text" if any(_is_text(record) for record in records) else "data"


def compare(before: Sequence[Record], after: Sequence[Record], progress: Progress = silent) -> tuple[Card, ...]:
    """Return the cards of two versions: cells of a notebook, texts by lines, other records by path. Slow."""
    kind = document_kind(after) if after else document_kind(before)
    cards: list[Card] = []
    if kind == "notebook":
        found = diff.cells(before, after, part(progress, 0, 0.5))
        cards += [
            Card(
                cell.kind, "", cell.state, cell.lines, cell.count, cell.outputs, cell.metadata, cell.added, cell.removed
            )
            for cell in found
        ]
        before, after = _others(before, _is_cell), _others(after, _is_cell)
    elif kind == "text":
        cards += _texts(before, after)
        before, after = _others(before, _is_text), _others(after, _is_text)
    return (*cards, *_records(before, after, about=kind != "data", progress=part(progress, 0.5, 0.5)))


def _is_text(record: Record) -> bool:
    return "." not in record.key and "[" not in record.key and isinstance(record.value, str)


def _is_cell(record: Record) -> bool:
    return record.key.startswith("cells[")


def _others(records: Sequence[Record], test: Callable[[Record], bool]) -> list[Record]:
    return [record for record in records if not test(record)]


def _texts(before: Sequence[Record], after: Sequence[Record]) -> Iterator[Card]:
    old = {record.key: str(record.value) for record in before if _is_text(record)}
    new = {record.key: str(record.value) for record in after if _is_text(record)}
    for name in dict.fromkeys((*new, *old)):
        lines = tuple(diff.lines(old.get(name, ""), new.get(name, "")))
        added, removed = (sum(line.sign == sign for line in lines) for sign in "+-")
        state: CellState = "changed" if added or removed else "unchanged"
        if not old.get(name):
            state = "added" if new.get(name) else state
        elif name not in new:
            state = "removed"
        yield Card("text", name, state, lines, added=added, removed=removed)


def _records(before: Sequence[Record], after: Sequence[Record], *, about: bool, progress: Progress) -> Iterator[Card]:
    found = record_diff.compare(before, after, progress)
    changes: dict[str, list[LineChange]] = {}
    for change in found.changed:
        path = change.path or change.key
        pair = changes.setdefault(change.key, [])
        pair += _value_lines("-", path, change.before) + _value_lines("+", path, change.after)
    gone = {record.key: tuple(_value_lines("-", "", record.value)) for record in found.removed}
    new = {record.key: tuple(_value_lines("+", "", record.value)) for record in found.added}
    for key in dict.fromkeys((*(record.key for record in after), *gone)):
        lines = new.get(key) or gone.get(key) or tuple(changes.get(key, ()))
        state: CellState = "added" if key in new else "removed" if key in gone else "changed" if lines else "unchanged"
        if state == "unchanged" and about:
            continue
        added, removed = (sum(line.sign == sign for line in lines) for sign in "+-")
        yield Card("record", key, state, lines, added=added, removed=removed, about=about)


def _value_lines(sign: Literal["+", "-"], path: str, value: values.Value) -> list[LineChange]:
    if isinstance(value, values.Undefined):
        return []
    text = values.write(value)
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + "…"
    return [LineChange(None, None, sign, f"{path.removeprefix('.')}: {text}" if path else text)]


def shown_state(card: Card, options: Options) -> CellState:
    """Return a card's state as far as *options* show differences."""
    if card.about and not options.metadata:
        return "unchanged"
    if card.state != "changed" or card.added or card.removed:
        return card.state
    hidden = (card.outputs or card.metadata) and not (
        (card.outputs and options.outputs) or (card.metadata and options.metadata)
    )
    return "unchanged" if hidden else "changed"


def rows(cards: Sequence[Card], options: Options, opened: frozenset[tuple[int, int]] = frozenset()) -> list[Row]:
    """Return what the list shows; *opened* are the keys of folds that the user unfolded."""
    result: list[Row] = []
    run: list[int] = []
    for number, card in enumerate(cards):
        if card.about and not options.metadata:
            continue
        if shown_state(card, options) == "unchanged":
            run.append(number)
            continue
        result += _run_rows(cards, run, options, opened)
        run = []
        result += _card_rows(card, number, options, opened)
    return result + _run_rows(cards, run, options, opened)


def _run_rows(cards: Sequence[Card], run: list[int], options: Options, opened: frozenset[tuple[int, int]]) -> list[Row]:
    if not run:
        return []
    key = (run[0], -1)
    result = []
    if not options.unchanged:
        hidden = sum(cards[number].state != "unchanged" for number in run)
        result.append(Row(RowKind.FOLD, run[0], fold=Fold(key, len(run), hidden, key in opened)))
    if options.unchanged or key in opened:
        for number in run:
            result += _card_rows(cards[number], number, options, opened, whole=True)
    return result


def _card_rows(
    card: Card, number: int, options: Options, opened: frozenset[tuple[int, int]], *, whole: bool = False
) -> list[Row]:
    body = [Row(RowKind.LINE, number, line=line) for line in card.lines]
    if not whole and not options.unchanged:
        body = _folded(body, number, opened)
    notes = (card.outputs if options.outputs else ()) + (card.metadata if options.metadata else ())
    body += [Row(RowKind.NOTE, number, note=note) for note in notes]
    if body:
        end = body[-1]
        body[-1] = Row(end.kind, number, end.line, end.note, end.fold, last=True)
    return [Row(RowKind.HEAD, number, last=not body), *body]


def _folded(lines: list[Row], card: int, opened: frozenset[tuple[int, int]]) -> list[Row]:
    """Return *lines* with a gap in place of each long run of unchanged ones that the user did not unfold."""
    changed = [place for place, row in enumerate(lines) if row.line is not None and row.line.sign != " "]
    result: list[Row] = []
    start = 0
    for end in (*changed, len(lines)):
        head = CONTEXT if start else 0
        tail = CONTEXT if end < len(lines) else 0
        hidden = end - start - head - tail
        key = (card, start)
        if not changed or hidden < 2 or key in opened:
            result += lines[start : end + 1]
        else:
            result += lines[start : start + head]
            result.append(Row(RowKind.GAP, card, fold=Fold(key, hidden)))
            result += lines[end - tail : end + 1]
        start = end + 1
    return result
