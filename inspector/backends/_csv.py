"""The cells of our CSV, each way: what a value looks like as a field, and what a field stands for.

`inspector.backends.csv` tells the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector import values
from inspector.values import Value

KEY, ORDER, WHOLE = "$key", "$order", "$value"
"""Headers of the columns that are no field of a document."""

_GUARDED = re.compile(r"'+[=+\-@\t\r\n]")
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"-?\d[\d.eE+-]*")
_NEEDS_QUOTES = re.compile(r'[",\r\n]')
_MAYBE_SCALAR = re.compile(r'\s*(?:-?\d|-?Infinity|NaN|null|true|false|[\[{"])')
_SIMPLE = re.compile(r"[A-HJ-MO-Za-eg-mo-su-z][ !#-+\-./0-9:;<=>?@A-Z\[\\\]^_`a-z{|}~]*")
"""A text that stands as it is: it begins no number, word or formula, and holds nothing that needs quotes."""

_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}")
_CONTAINER = ("{", "[")
_CELL = re.compile(r'(?:"((?:[^"]++|"")*+)"|([^",\r\n]*+))(,|\r\n?|\n|\Z)')
ROW = re.compile(rb'[^"\r\n]*+(?:"[^"]*+"[^"\r\n]*+)*+(?:\r\n?|\n|\Z)')
"""One row of bytes with the end of its line; a quote that is never closed makes it fail."""


class BadRow(ValueError):
    """A row that is not CSV."""


def is_json(text: str) -> bool:
    """Say whether a bare field of this text would be read as a JSON value."""
    if not _MAYBE_SCALAR.match(text):
        return False
    try:
        values.parse(text)
    except ValueError:
        return False
    return True


def _sound(text: str) -> bool:
    """Say whether UTF-8 holds *text*: it has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _field(content: str, *, text: bool, safe: bool) -> str:
    """Return *content* as it stands in the file. *text*: it would mean something else without quotes."""
    if safe and _FORMULA.match(content) and (text or not _NUMBER.fullmatch(content)):
        content = "'" + content
    if text or _NEEDS_QUOTES.search(content):
        return '"' + content.replace('"', '""') + '"'
    return content


def name_field(name: str, *, safe: bool, header: bool = False) -> str:
    """Return the field of a record's key, or of a document's field in the header."""
    escaped = name.startswith('"') or not _sound(name) or (header and name.startswith("$"))
    if escaped or (not safe and _GUARDED.match(name)):
        return _field(values.write(name), text=True, safe=False)
    return _field(name, text=not name or (safe and bool(_FORMULA.match(name))), safe=safe)


def name_of(content: str) -> str:
    """Return the key or name that a field stands for."""
    content = _unguarded(content)
    if content.startswith('"'):
        try:
            return str(values.parse(content))
        except ValueError:
            return content
    return content


def value_field(value: Value, *, safe: bool) -> str:
    """Return the field of a value."""
    if not isinstance(value, str):
        plain = str(value) if type(value) is int else values.write(value)
        return _field(plain, text=False, safe=safe)
    if _SIMPLE.fullmatch(value):
        return value
    special = value.startswith((*_CONTAINER, '"')) and is_json(value)
    if special or not _sound(value) or (not safe and _GUARDED.match(value)):
        return _field(values.write(value), text=True, safe=False)
    guarded = safe and _FORMULA.match(value) is not None
    return _field(value, text=not value or guarded or is_json(value), safe=safe)


def value_of(content: str, *, quoted: bool, ours: bool) -> Value:
    """Return the value that a field stands for; *ours*: an apostrophe before a formula's sign is a guard."""
    if ours:
        content = _unguarded(content)
    if quoted and not content.startswith((*_CONTAINER, '"')):
        return content
    if _INTEGER.fullmatch(content):
        return int(content)
    if not _MAYBE_SCALAR.match(content):
        return content
    try:
        return values.parse(content)
    except ValueError:
        return content


def whole_field(value: Value, *, safe: bool) -> str:
    """Return the field of a record that is no object with each key once: its exact JSON, texts too."""
    if isinstance(value, str):
        return _field(values.write(value), text=True, safe=False)
    return value_field(value, safe=safe)


def _unguarded(content: str) -> str:
    return content[1:] if _GUARDED.match(content) else content


Field = tuple[str, bool]
"""What a field holds, and whether it stands in quotes."""


def fields(row: str) -> Iterator[Field]:
    """Yield the fields of one row. Raises `BadRow`."""
    at = 0
    while True:
        match = _CELL.match(row, at)
        if match is None:
            raise BadRow("a quote stands where none may be")
        quoted = match[1] is not None
        yield (match[1].replace('""', '"') if quoted else match[2]), quoted
        at = match.end()
        if match[3] != ",":
            if at != len(row):
                raise BadRow("a quote stands where none may be")
            return
