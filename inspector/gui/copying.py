"""Values as text for the clipboard: exact, and in the notations of other programs.

A piece of a table is a `Piece` or None for a missing one; null, missing and the empty text stay three things in
every notation that has room for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector import values
from inspector.values import NumberText, RepeatedKeys, Undefined, Value

_BARE_WORDS = re.compile(r"(null|true|false|NaN|-?Infinity|-?\d.*)")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Piece:
    """One value and its exact JSON text."""

    value: Value
    text: str


def holds_surrogates(text: str) -> bool:
    """Say whether *text* holds half a surrogate pair, which no clipboard carries."""
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def exact(piece: Piece) -> str:
    """Return what Copy puts on the clipboard: a text as it is, anything else as its exact JSON text.

    A text that the clipboard would change is given as JSON, with escapes.
    """
    if isinstance(piece.value, str) and not holds_surrogates(piece.value):
        return piece.value
    return escaped(piece.text)


def escaped(text: str) -> str:
    """Return JSON text in which half surrogate pairs are written as escapes."""
    if not holds_surrogates(text):
        return text
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)


def delimited(piece: Piece | None, separator: str) -> str:
    """Return a field of CSV or TSV: missing is nothing at all, the empty text ``""``, null the bare word.

    A text is quoted where it would otherwise be taken for something else.
    """
    if piece is None:
        return ""
    text = exact(piece)
    if isinstance(piece.value, str):
        doubtful = not text or _BARE_WORDS.fullmatch(text) or text[0] in " \t" or text[-1] in " \t"
        needed = any(sign in text for sign in (separator, '"', "\n", "\r"))
        return f'"{text.replace(chr(34), chr(34) * 2)}"' if doubtful or needed else text
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if any(s in text for s in (separator, '"', "\n")) else text


def spreadsheet_safe(piece: Piece) -> str:
    """Return a CSV field that no spreadsheet takes for a formula: such texts begin with an apostrophe."""
    if isinstance(piece.value, str) and piece.value.startswith(_FORMULA):
        return delimited(Piece("'" + piece.value, values.write("'" + piece.value)), ",")
    return delimited(piece, ",")


def tsv(rows: Sequence[Sequence[Piece | None]]) -> str:
    """Return rows as tab-separated text, without a header."""
    return "\n".join("\t".join(delimited(piece, "\t") for piece in row) for row in rows)


def csv(names: Sequence[str], rows: Sequence[Sequence[Piece | None]]) -> str:
    """Return rows as comma-separated text with a header."""
    head = ",".join(delimited(Piece(name, values.write(name)), ",") for name in names)
    return "\n".join([head, *(",".join(delimited(piece, ",") for piece in row) for row in rows)]) + "\n"


def markdown(names: Sequence[str], rows: Sequence[Sequence[Piece | None]]) -> str:
    """Return rows as a Markdown table; line breaks become ``<br>``, which Markdown cells have for them."""
    lines = [[_markdown_text(name) for name in names], ["---"] * len(names)]
    lines += [[_markdown(piece) for piece in row] for row in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _markdown(piece: Piece | None) -> str:
    if piece is None:
        return ""
    if isinstance(piece.value, str):
        return _markdown_text(exact(piece)) if piece.value else '`""`'
    return "`" + escaped(piece.text).replace("|", "\\|").replace("\n", " ") + "`"


def _markdown_text(text: str) -> str:
    text = escaped(text)
    for sign in "\\`*_[]<>|":
        text = text.replace(sign, "\\" + sign)
    return text.replace("\r\n", "<br>").replace("\n", "<br>").replace("\r", "<br>")


def json_rows(names: Sequence[str], rows: Sequence[Sequence[Piece | None]]) -> str:
    """Return rows as a JSON array of objects; a missing value is a missing member."""
    lines = []
    for row in rows:
        members = [
            f"{values.write(name)}: {escaped(piece.text)}"
            for name, piece in zip(names, row, strict=True)
            if piece is not None
        ]
        lines.append("  {" + ", ".join(members) + "}")
    return "[\n" + ",\n".join(lines) + "\n]"


def python(value: Value) -> str:
    """Return a Python expression that makes *value*; imports it needs are ``json`` and ``decimal``, if any."""
    try:
        return _python(value)
    except RecursionError:
        return f"json.loads({values.write(value)!r})"


def _python(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_python(key)}: {_python(member)}" for key, member in value.items()) + "}"
    if isinstance(value, RepeatedKeys):
        return "[" + ", ".join(f"({_python(key)}, {_python(member)})" for key, member in value.pairs) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(_python, value)) + "]"
    if isinstance(value, NumberText):
        return value.text if value.whole and value.text != "-0" else f'decimal.Decimal("{value.text}")'
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'float("{value}")'
    if isinstance(value, int) and not isinstance(value, bool):
        return values.write(value)
    return "None" if isinstance(value, Undefined) else repr(value)


def python_path(steps: Sequence[str | int], name: str = "doc") -> str:
    """Return the Python expression that leads to a member: ``doc["address"]["geo"]``."""
    return name + "".join(
        f"[{step}]" if isinstance(step, int) else f"[{escaped(json.dumps(step, ensure_ascii=False))}]" for step in steps
    )


def python_rows(names: Sequence[str], rows: Sequence[Sequence[Piece | None]]) -> str:
    """Return rows as a Python list of dicts; a missing value is a missing key."""
    lines = []
    for row in rows:
        members = [
            f"{name!r}: {python(piece.value)}" for name, piece in zip(names, row, strict=True) if piece is not None
        ]
        lines.append("    {" + ", ".join(members) + "},\n")
    return "[\n" + "".join(lines) + "]"
