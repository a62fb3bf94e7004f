"""Where a value stands in its record's own text: what was written there, digit for digit.

A parsed float no longer knows whether it was written ``1.50`` or ``15e-1``; its place in the text does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from inspector import values
from inspector.values import Value

MOST_BYTES = 2_000_000
"""Longest record whose text is searched; beyond, a value is written anew, exactly but in our own spelling."""

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}]+")
_PIECE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{\[]|[}\]]|[^"{}\[\]]+', re.DOTALL)


def exact_text(raw: bytes | None, ordinals: Iterable[int], value: Value) -> tuple[str, bool]:
    """Return the JSON text of *value* and whether it is the stored one.

    *ordinals* lead to it from the record's own value: the position of a member in each object or array on the way.
    Where there is no text to look at, the value is written anew.
    """
    if raw is not None and len(raw) <= MOST_BYTES:
        try:
            text = values.decode_utf8(raw)
        except UnicodeDecodeError:
            return values.write(value), False
        found = span(text, ordinals)
        if found is not None:
            return text[found[0] : found[1]], True
    return values.write(value), False


def span(text: str, ordinals: Iterable[int]) -> tuple[int, int] | None:
    """Return start and end of the member that *ordinals* lead to in a JSON *text*; None if there is none."""
    start = _skip(text, 0)
    for ordinal in ordinals:
        found = _member(text, start, ordinal)
        if found is None:
            return None
        start = found
    end = _end(text, start)
    return None if end is None else (start, end)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _member(text: str, start: int, ordinal: int) -> int | None:
    """Return where member *ordinal* of the object or array at *start* begins."""
    opener = text[start : start + 1]
    if opener not in ("{", "["):
        return None
    position: int | None = _skip(text, start + 1)
    for number in range(ordinal + 1):
        if position is None or text[position : position + 1] in ("", "}", "]"):
            return None
        if opener == "{":
            colon = _STRING.match(text, position)
            if colon is None:
                return None
            position = _skip(text, _skip(text, colon.end()) + 1)
        if number == ordinal:
            return position
        end = _end(text, position)
        position = None if end is None else _skip(text, _skip(text, end) + 1)
    return None


def _end(text: str, start: int) -> int | None:
    """Return where the value at *start* ends; None if the text ends before it does."""
    first = text[start : start + 1]
    if first == '"':
        match = _STRING.match(text, start)
        return match.end() if match else None
    if first not in ("{", "["):
        match = _SCALAR.match(text, start)
        return match.end() if match else None
    depth = 0
    for piece in _PIECE.finditer(text, start):
        sign = piece.group()
        if sign in ("{", "["):
            depth += 1
        elif sign in ("}", "]"):
            depth -= 1
            if depth == 0:
                return piece.end()
    return None
