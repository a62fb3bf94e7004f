"""What changed between two texts or notebooks: lines with the words that differ, cells; records have `record_diff`."""

from __future__ import annotations

import difflib
import hashlib
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inspector import values
from inspector.model import Record
from inspector.progress import Progress, silent
from inspector.values import Value

LINE_LIMIT = 4000
"""Texts of more lines are compared by whole blocks: the exact comparison takes quadratic time."""

WORD_SECONDS = 2.0
"""Time after which lines are no longer compared word by word."""


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
