"""Values that a JSON library reads otherwise than they are written, and how to write them so that it can.

What orjson does (and so BetterJSONStorage, tested with orjson 3.13): integers outside 64 bits become floats; NaN,
infinities, numbers beyond a double and lone surrogates make the whole file unreadable, and so does nesting beyond
1,024 levels; of a repeated key the last value stays, in the place of the first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from inspector import values
from inspector.backends._needs import needs
from inspector.backends._tables import Rows
from inspector.model import Record
from inspector.progress import Progress, track
from inspector.values import NumberText, RepeatedKeys, Value

ORJSON_DEPTH = 1024
"""Levels that orjson reads."""

ORJSON_SAVES = 254
"""Levels that orjson writes."""

_DIGITS = re.compile(rb"[0-9]{19,}")
_EXPONENT = re.compile(rb"[0-9][eE][+-]?[0-9]{3,}[\],} \t\n\r]")  # a hash in a string goes on otherwise
_SPACED_COLON = re.compile(rb"[ \t\n\r]:")
_ESCAPED_QUOTE = b"\\u0022"
_MEMBER = b'":'
"""Ends a name. A quote before a colon inside a string is escaped: read and written again it counts the same, unless
it is spelt as a number, or space stands before a colon."""

_WORTH_NUMPY = 1 << 16
"""Bytes from which numpy is faster than a regular expression."""


def traps_in(value: Value, depth: int = 0) -> set[str]:
    """Return the kinds of loss that orjson would bring to *value*, which lies *depth* levels deep in its file."""
    found: set[str] = set()
    for level, part in values.walk(value):
        if isinstance(part, str):
            if not is_unicode(part):
                found.add("lone-surrogate")
        elif isinstance(part, dict | RepeatedKeys | list):
            if depth + level + 1 > ORJSON_DEPTH:
                found.add("depth")
            if isinstance(part, RepeatedKeys):
                found.add("repeated-keys")
            if not isinstance(part, list) and not all(is_unicode(str(key)) for key, _ in values.members(part)):
                found.add("lone-surrogate")
        elif not isinstance(part, bool) and isinstance(part, int | float | NumberText):
            found |= _number_trap(part)
    return found


def _number_trap(number: float | NumberText) -> set[str]:
    if isinstance(number, NumberText):
        if number.text == "-0":
            return set()
        return {"integer-beyond-64-bit" if number.whole else "number-beyond-double"}
    if isinstance(number, int):
        return set() if -(1 << 63) <= number < 1 << 64 else {"integer-beyond-64-bit"}
    return set() if math.isfinite(number) else {"not-a-number"}


def _fits_double(number: int) -> bool:
    try:
        float(number)
    except OverflowError:
        return False
    return True


def is_unicode(text: str) -> bool:
    """Say whether *text* can be written as UTF-8: it holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def carried(record: Record, depth: int = 2) -> Record:
    """Return *record* as `orjson` can read it: itself where it can already, else with a changed value.

    NaN, infinities and numbers beyond a double become null, lone surrogates U+FFFD, of repeated keys the last value
    stays in the place of the first, and what lies too deep becomes its JSON text. Integers keep their digits.
    *depth* counts the levels around the record's value. Raises `DecodeError` if the record is no JSON.
    """
    key = _clean_text(record.key)
    if _doubtful(record) and traps_in(record.value, depth):
        clean = _clean(record.value, depth)
        if not values.same(clean, record.value):
            return Record(key, clean)
    return record if key == record.key else Record(key, values.UNPARSED if record.raw else record.value, record.raw)


def _clean_text(text: str) -> str:
    return text if is_unicode(text) else re.sub("[\ud800-\udfff]", "\ufffd", text)


def _clean(root: Value, depth: int) -> Value:
    """Rebuild *root* without recursion; *depth* counts the containers around it."""
    holder: list[Any] = [root]
    places: list[tuple[Any, Any, int]] = [(holder, 0, depth)]
    while places:
        parent, place, level = places.pop()
        part = parent[place]
        if isinstance(part, list | dict | RepeatedKeys):
            if level >= ORJSON_DEPTH:
                parent[place] = _clean_text(values.write(part))
                continue
            copy = list(part) if isinstance(part, list) else _merged(part)
            parent[place] = copy
            places += [(copy, key, level + 1) for key in (range(len(copy)) if isinstance(copy, list) else copy)]
        else:
            parent[place] = _clean_scalar(part)
    return holder[0]  # type: ignore[no-any-return]


def _merged(part: dict[str, Any] | RepeatedKeys) -> dict[str, Any]:
    return {_clean_text(str(key)): member for key, member in values.members(part)}


def _clean_scalar(part: Any) -> Any:
    if isinstance(part, str):
        return _clean_text(part)
    if isinstance(part, NumberText):
        return part if _vanishes(part) else None
    if isinstance(part, float) and not math.isfinite(part):
        return None
    if isinstance(part, int) and not _fits_double(part):
        return None
    return part


def _vanishes(number: NumberText) -> bool:
    """Say whether this is a zero with a sign, or too small for a double, which every library reads as zero."""
    return number.text == "-0" or (not number.whole and float(number.text) == 0)


def suspects(rows: Sequence[Record], progress: Progress) -> Iterator[tuple[int, Record]]:
    """Yield (row, record) of all records that are not proven to be read by orjson exactly as written. Slow.

    Windows of neighbouring documents are proven at once, and one by one only where that does not succeed.
    """
    if not isinstance(rows, Rows):
        yield from ((row, record) for row, record in enumerate(track(rows, progress, len(rows))) if _doubtful(record))
        return
    row = 0
    for numbers, text, _ in rows.windows():
        if not proven(b"[{%b}]" % text if text[:1] == b'"' else b"[[%b]]" % text):
            inner = track(range(row, row + len(numbers)), lambda at, _, base=row: progress(base + at, len(rows)))  # type: ignore[misc]
            yield from ((number, rows[number]) for number in inner if _doubtful(rows[number]))
        row += len(numbers)
        progress(row, len(rows))


def _doubtful(record: Record) -> bool:
    return record.raw is None or not proven(b"[[%b]]" % record.raw)


def proven(text: bytes) -> bool:
    """Say whether orjson is sure to read *text* exactly; False is no proof of the contrary.

    The proof: orjson reads it, writes as many members again as there were, so no key was merged, and no number is
    long enough to leave 64 bits or the range of a double.
    """
    with needs("orjson", "Comparing with what BetterJSONStorage reads"):
        import orjson

    if _suspicious(text) if len(text) < _WORTH_NUMPY else _suspicious_block(text):
        return False
    try:
        again = orjson.dumps(orjson.loads(text))
    except (ValueError, TypeError, RecursionError):
        return False
    return again.count(_MEMBER) == text.count(_MEMBER)


def _suspicious(text: bytes) -> bool:
    """Say whether 19 digits stand in a row that is no fraction, three in an exponent, or members cannot be counted."""
    in_row = any(text[run.start() - 1 : run.start()] != b"." for run in _DIGITS.finditer(text))
    return in_row or bool(_EXPONENT.search(text) or _SPACED_COLON.search(text)) or _ESCAPED_QUOTE in text


def _suspicious_block(text: bytes) -> bool:
    """Do what `_suspicious` does, ten times faster for large texts."""
    with needs("numpy", "A text beyond 64 KiB"):
        import numpy as np

    block = np.frombuffer(text, np.uint8)
    digit = (block - np.uint8(0x30)) < 10
    run = digit
    for step in (1, 2, 4, 8, 3):  # a position stays true if the next 2, 4, 8, 16, 19 are digits
        run = run[:-step] & run[step:]
    starts = np.flatnonzero(run[1:] & ~digit[: run.size - 1])
    if run[0] or (block[starts] != 0x2E).any():
        return True
    before_colon = block[:-1][block[1:] == 0x3A]
    if np.isin(before_colon, (0x20, 0x09, 0x0A, 0x0D)).any() or (b"\\" in text and _ESCAPED_QUOTE in text):
        return True
    marks = np.flatnonzero(((block | 0x20) == 0x65)[1:-5] & digit[:-6]) + 1
    signed = (block[marks + 1] == 0x2B) | (block[marks + 1] == 0x2D)
    first = marks + 1 + signed
    long = first[digit[first] & digit[first + 1] & digit[first + 2]]
    return any(_EXPONENT.match(text, at - 2 - (not digit[at - 2])) for at in long.tolist())
