"""The tokens of a filter as it is typed: where they stand and how they are coloured, complete or not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from inspector.gui.record_model import Marks
from inspector.operations.query import Query, Words

Kind = Literal["field", "number", "string", "keyword", "operator", "function"]

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)
      | (?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))
      | (?P<keyword>\b(?:and|or|not|in|is|contains|matches|missing|null|None|true|True|false|False)\b)
      | (?P<function>\b(?:len|lower|upper|date)(?=\())
      | (?P<field>[^\W\d]\w*(?:-\w+)*)
      | (?P<operator>[=!<>]=?|[()\[\],.])""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a filter."""

    start: int
    length: int
    kind: Kind


def tokens(text: str) -> list[Token]:
    """Return the tokens of *text* in order; what is none is left out. Never raises."""
    return [
        Token(match.start(), match.end() - match.start(), match.lastgroup)  # type: ignore[arg-type]
        for match in _TOKEN.finditer(text)
    ]


def token_at(text: str, position: int) -> tuple[int, int]:
    """Return start and length of the token at *position*; at the end of the text, of the last one."""
    found = tokens(text)
    for token in found:
        if token.start <= position < token.start + token.length:
            return token.start, token.length
    if position >= len(text.rstrip()) and found:
        return found[-1].start, found[-1].length
    return min(position, max(len(text) - 1, 0)), 1


def place_of(text: str, name: str) -> tuple[int, int] | None:
    """Return where field *name* stands in a filter."""
    for token in tokens(text):
        if token.kind == "field" and text[token.start : token.start + token.length] == name:
            return token.start, token.length
    return None


def marks(query: Query | None) -> Marks:
    """Return what a table marks for *query*: its words anywhere, or its texts in the fields it names."""
    if query is None:
        return Marks()
    if isinstance(query.root, Words):
        return Marks(tuple(word.lower() for word in query.root.words))
    found = tokens(query.text)
    texts = [query.text[t.start + 1 : t.start + t.length - 1] for t in found if t.kind == "string" and t.length > 2]
    words = tuple(text.lower() for text in texts if "\\" not in text)
    return Marks(words, query.fields or None) if words else Marks()
