"""What changed between two states: records and fields, lines of text with the words that differ, notebook cells."""

from __future__ import annotations

import difflib
import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from inspector import values
from inspector.model import DecodeError, Record
from inspector.progress import Progress, silent, track
from inspector.values import Value

LINE_LIMIT = 4000
"""Texts of more lines are compared by whole blocks: the exact comparison takes quadratic time."""

WORD_SECONDS = 2.0
"""Time after which lines are no longer compared word by word."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value that differs: the record's key, the path in it (``.address.city``, ``[0]``), both values."""

    key: str
    path: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Difference:
    """The records added, removed and changed between two states."""

    added: tuple[Record, ...]
    removed: tuple[Record, ...]
    changed: tuple[Change, ...]
    compared: int

    @property
    def counts(self) -> dict[str, int]:
        """Records added, removed, changed, and the same in both."""
        changed = len({change.key for change in self.changed})
        return {
            "added": len(self.added),
            "removed": len(self.removed),
            "changed": changed,
            "unchanged": self.compared - changed,
        }


def compare(before: Sequence[Record], after: Sequence[Record], progress: Progress = silent) -> Difference:
    """Return what changed from *before* to *after*, record by record, field by field.

    Records are matched by key, a key that occurs several times in order; items of an array (``cells[3]``) that all
    have an ``id`` of their own are matched by it, so that what follows a removed item has not changed.
    """
    by_id = _arrays_with_ids(before) & _arrays_with_ids(after)
    old = dict(_identified(before, by_id))
    added, changed, compared = [], [], 0
    for identity, record in track(list(_identified(after, by_id)), progress, len(after)):
        former = old.pop(identity, None)
        if former is None:
            added.append(record)
            continue
        compared += 1
        if former.raw is None or former.raw != record.raw:
            changed += _changes(former, record)
    return Difference(tuple(added), tuple(old.values()), tuple(changed), compared)


_ITEM = re.compile(r"(.*)\[\d+\]")


def _item_id(record: Record) -> tuple[str, str] | None:
    """Return the array and the id of a record that is an item with one, None for any other."""
    match = _ITEM.fullmatch(record.key)
    if match is None or not isinstance(record.value, dict):
        return None
    identity = record.value.get("id")
    return (match[1], identity) if isinstance(identity, str) else None


def _arrays_with_ids(records: Sequence[Record]) -> set[str]:
    """Return the names of arrays whose every item has an id of its own."""
    names: dict[str, set[str]] = {}
    without: set[str] = set()
    for record in records:
        match = _ITEM.fullmatch(record.key)
        if match is None:
            continue
        known = names.setdefault(match[1], set())
        found = _item_id(record)
        if found is None or found[1] in known:
            without.add(match[1])
        else:
            known.add(found[1])
    return names.keys() - without


def _identified(records: Sequence[Record], by_id: set[str]) -> Iterator[tuple[tuple[str, str | int], Record]]:
    seen: dict[str, int] = {}
    for record in records:
        found = _item_id(record) if by_id else None
        if found is not None and found[0] in by_id:
            yield found, record
            continue
        number = seen.get(record.key, 0)
        seen[record.key] = number + 1
        yield (record.key, number), record


def _changes(before: Record, after: Record) -> list[Change]:
    try:
        return [Change(after.key, *change) for change in value_changes(before.value, after.value)]
    except DecodeError:
        return [Change(after.key, "", _shown(before), _shown(after))]


def _shown(record: Record) -> Value:
    return record.raw.decode("utf-8", "backslashreplace") if record.raw is not None else record.value


def value_changes(before: Value, after: Value) -> Iterator[tuple[str, Value, Value]]:
    """Yield (path, before, after) for the smallest parts that differ; a missing side is `values.UNDEFINED`."""
    todo: list[tuple[str, Value, Value]] = [("", before, after)]
    while todo:
        path, old, new = todo.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            todo += reversed(list(_pairs(path, old, new)))
        elif isinstance(old, list) and isinstance(new, list):
            longest = range(max(len(old), len(new)))
            todo += [(f"{path}[{n}]", _item(old, n), _item(new, n)) for n in reversed(longest)]
        elif not values.same(old, new):
            yield path, old, new


def _pairs(path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Value, Value]]:
    for name in dict.fromkeys((*old, *new)):
        yield (
            f"{path}.{name}" if name.isidentifier() else f"{path}[{values.write(name)}]",
            (old.get(name, values.UNDEFINED)),
            new.get(name, values.UNDEFINED),
        )


def _item(items: Sequence[Any], number: int) -> Value:
    return items[number] if number < len(items) else values.UNDEFINED


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line of a text comparison.

    *old* and *new* are line numbers from 1 (None where the line is not on that side), *sign* is `` ``, ``+`` or
    ``-``, *words* are (start, end) character ranges that differ from the line it replaces.
    """

    old: int | None
    new: int | None
    sign: Literal[" ", "+", "-"]
    text: str
    words: tuple[tuple[int, int], ...] = ()


def lines(before: str, after: str) -> list[LineChange]:
    """Return the lines of both texts in order, with what was removed, added and kept."""
    old, new = before.splitlines(), after.splitlines()
    due = time.monotonic() + WORD_SECONDS
    found: list[LineChange] = []
    for tag, a, b, c, d in _blocks(old, new):
        if tag == "equal":
            found += [LineChange(a + n + 1, c + n + 1, " ", old[a + n]) for n in range(b - a)]
            continue
        marks = _word_marks(old[a:b], new[c:d]) if b - a == d - c and time.monotonic() < due else {}
        found += [LineChange(n + 1, None, "-", old[n], marks.get(("-", n - a), ())) for n in range(a, b)]
        found += [LineChange(None, n + 1, "+", new[n], marks.get(("+", n - c), ())) for n in range(c, d)]
    return found


def _blocks(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle_old, middle_new = old[start : len(old) - end], new[start : len(new) - end]
    blocks: list[tuple[str, int, int, int, int]] = [("equal", 0, start, 0, start)] if start else []
    if len(middle_old) + len(middle_new) > LINE_LIMIT:
        blocks.append(("replace", start, start + len(middle_old), start, start + len(middle_new)))
    else:
        matcher = difflib.SequenceMatcher(None, middle_old, middle_new, autojunk=False)
        blocks += [(tag, a + start, b + start, c + start, d + start) for tag, a, b, c, d in matcher.get_opcodes()]
    if end:
        blocks.append(("equal", len(old) - end, len(old), len(new) - end, len(new)))
    return blocks


def _word_marks(old: list[str], new: list[str]) -> dict[tuple[str, int], tuple[tuple[int, int], ...]]:
    marks: dict[tuple[str, int], tuple[tuple[int, int], ...]] = {}
    for number, (first, second) in enumerate(zip(old, new, strict=True)):
        if len(first) + len(second) > 2000:
            continue
        left, right = re.findall(r"\w+|\s+|.", first), re.findall(r"\w+|\s+|.", second)
        matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
        if matcher.ratio() < 0.4:
            continue
        codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
        marks["-", number] = tuple(_span(left, a, b) for _, a, b, _, _ in codes if b > a)
        marks["+", number] = tuple(_span(right, c, d) for _, _, _, c, d in codes if d > c)
    return marks


def _span(words: list[str], start: int, end: int) -> tuple[int, int]:
    offset = sum(map(len, words[:start]))
    return offset, offset + sum(map(len, words[start:end]))


CellState = Literal["added", "removed", "changed", "moved", "unchanged"]


@dataclass(frozen=True, slots=True)
class CellChange:
    """One notebook cell in a comparison; *outputs* are sentences like ``image/png changed, 84 kB → 91 kB``."""

    state: CellState
    kind: str
    count: int | None
    identity: str
    lines: tuple[LineChange, ...]
    outputs: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()
    before: int | None = None
    after: int | None = None
    added: int = 0
    removed: int = 0


def cells(before: Sequence[Record], after: Sequence[Record], progress: Progress = silent) -> list[CellChange]:
    """Return the cells of two versions of a notebook in the order of *after*, removed ones where they stood."""
    from inspector.operations.cell_diff import match_cells

    return match_cells(before, after, progress)


def fingerprint(value: Value) -> str:
    """Return a short hash of a value, to compare outputs without comparing their text."""
    return hashlib.sha256(values.write(value).encode()).hexdigest()[:16]
