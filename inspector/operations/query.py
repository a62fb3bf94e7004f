"""Queries over records: what an expression means. `parse` reads one; nothing is ever evaluated as Python.

Comparing with a missing field or another type is false, never an error; ``==`` is Python's, except that true and
false equal no number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from inspector import values
from inspector.model import UsageError
from inspector.values import NumberText, RepeatedKeys, Value

MATCH_SECONDS = 1.0
"""Longest time that one regular expression may work on one value."""

MAX_REPEATS = 100_000
"""Most repetitions that the counts of one regular expression may multiply to; each is compiled on its own."""


class Missing:
    """Stands for a field that a record does not have."""


MISSING = Missing()


class Node(Protocol):
    """A part of an expression."""

    def value(self, key: str, document: Value) -> Value | Missing:
        """Return the part's value for one record."""

    def fields(self) -> Iterable[str]:
        """Yield the top-level field names it looks at."""


@dataclass(frozen=True)
class Literal:
    """A written value."""

    constant: Value

    def value(self, key: str, document: Value) -> Value:
        return self.constant

    def fields(self) -> Iterable[str]:
        return ()


@dataclass(frozen=True)
class Items:
    """A written list, for ``in``."""

    parts: tuple[Node, ...]

    def value(self, key: str, document: Value) -> Value:
        return [part.value(key, document) for part in self.parts]

    def fields(self) -> Iterable[str]:
        return (name for part in self.parts for name in part.fields())


@dataclass(frozen=True)
class Field:
    """A field by path: ``address.city``, ``tags[0]``; ``key`` and ``value`` name the record's own parts."""

    path: tuple[str | int, ...]

    def value(self, key: str, document: Value) -> Value | Missing:
        found = _member(document, self.path[0])
        rest = self.path[1:]
        if isinstance(found, Missing):
            if self.path[0] == "key":
                found = key
            elif self.path[0] == "value":
                found = document
        for step in rest:
            found = _member(found, step)
        return found

    def fields(self) -> Iterable[str]:
        if self.path[0] not in ("key", "value"):
            yield str(self.path[0])


def _member(value: Value | Missing, step: str | int) -> Value | Missing:
    if isinstance(value, dict) and isinstance(step, str):
        member: Value | Missing = value.get(step, MISSING)
        return member
    if isinstance(value, RepeatedKeys) and isinstance(step, str):
        return next((member for name, member in reversed(value.pairs) if name == step), MISSING)
    if isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
        found: Value = value[step]
        return found
    return MISSING


@dataclass(frozen=True)
class Call:
    """A function of one argument: len, lower, upper, date."""

    name: str
    argument: Node

    def value(self, key: str, document: Value) -> Value | Missing:
        inner = self.argument.value(key, document)
        if self.name == "len":
            if isinstance(inner, RepeatedKeys):
                return len(inner.pairs)
            return len(inner) if isinstance(inner, str | list | dict | bytes) else MISSING
        if not isinstance(inner, str):
            return MISSING
        if self.name == "date":
            return _day(inner)
        return inner.lower() if self.name == "lower" else inner.upper()

    def fields(self) -> Iterable[str]:
        return self.argument.fields()


FUNCTIONS = ("len", "lower", "upper", "date")


def _day(text: str) -> str | Missing:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).date().isoformat()
    except ValueError:
        try:
            return date.fromisoformat(text[:10]).isoformat()
        except ValueError:
            return MISSING


@dataclass(frozen=True)
class Compare:
    """Two parts and an operator between them."""

    operator: str
    left: Node
    right: Node

    def value(self, key: str, document: Value) -> bool:
        left, right = self.left.value(key, document), self.right.value(key, document)
        if isinstance(left, Missing) or isinstance(right, Missing):
            return False
        return _OPERATORS[self.operator](left, right)

    def fields(self) -> Iterable[str]:
        yield from self.left.fields()
        yield from self.right.fields()


def _number(value: Value) -> int | float | Decimal | None:
    if isinstance(value, NumberText):
        return number_of(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def number_of(number: NumberText) -> float | Decimal:
    """Return a number to compare by; an exponent that not even `Decimal` holds gives zero or an infinity."""
    try:
        return Decimal(number.text)
    except InvalidOperation:
        return float(number.text)


def equal(left: Value, right: Value) -> bool:
    """Say whether two values are equal: numbers by value, true and false equal to no number. Takes any depth."""
    todo: list[tuple[Any, Any]] = [(left, right)]
    while todo:
        first, second = todo.pop()
        if isinstance(first, list) and isinstance(second, list):
            if len(first) != len(second):
                return False
            todo += zip(first, second, strict=True)
        elif isinstance(first, dict) and isinstance(second, dict):
            if first.keys() != second.keys():
                return False
            todo += [(first[name], second[name]) for name in first]
        elif isinstance(first, RepeatedKeys) and isinstance(second, RepeatedKeys):
            if [name for name, _ in first.pairs] != [name for name, _ in second.pairs]:
                return False
            todo += [(one, other) for (_, one), (_, other) in zip(first.pairs, second.pairs, strict=True)]
        elif not _equal_scalars(first, second):
            return False
    return True


def _equal_scalars(left: Value, right: Value) -> bool:
    first, second = _number(left), _number(right)
    if first is not None or second is not None:
        return first is not None and second is not None and first == second
    return type(left) is type(right) and left == right


def _ordered(check: Callable[[Any, Any], bool]) -> Callable[[Value, Value], bool]:
    def compare(left: Value, right: Value) -> bool:
        first, second = _number(left), _number(right)
        if first is not None and second is not None:
            return check(first, second)
        return isinstance(left, str) and isinstance(right, str) and check(left, right)

    return compare


def _within(left: Value, right: Value) -> bool:
    if isinstance(right, str):
        return isinstance(left, str) and left in right
    if isinstance(right, list):
        return any(equal(left, item) for item in right)
    return any(left == name for name, _ in values.members(right))


def _matches(left: Value, right: Value) -> bool:
    if not isinstance(left, str) or not isinstance(right, str):
        return False
    try:
        return expression_finds(right, left)
    except ValueError:  # no expression: a text of the record itself, for a written one is refused when it is parsed
        return False
    except (TimeoutError, MemoryError):
        raise UsageError(f"The expression {right!r} takes too long on one value; write it more simply.") from None


def expression_finds(expression: str, text: str) -> bool:
    """Say whether a regular expression finds something in *text*.

    Raises ValueError with the reason where it is none, TimeoutError where it takes longer than `MATCH_SECONDS`,
    MemoryError where it repeats itself without end.
    """
    import regex  # the standard module has no time limit

    counts = [int(count[:9]) for count in re.findall(r"\{[0-9]*,?0*([1-9][0-9]*)\}", expression)]
    if math.prod(counts) > MAX_REPEATS:
        raise ValueError(f"its repetitions multiply to more than {MAX_REPEATS:,}")
    try:
        return regex.search(expression, text, timeout=MATCH_SECONDS) is not None
    except regex.error as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


_OPERATORS: dict[str, Callable[[Value, Value], bool]] = {
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": _ordered(lambda a, b: bool(a < b)),
    "<=": _ordered(lambda a, b: bool(a <= b)),
    ">": _ordered(lambda a, b: bool(a > b)),
    ">=": _ordered(lambda a, b: bool(a >= b)),
    "in": _within,
    "not in": lambda left, right: not _within(left, right),
    "contains": lambda left, right: _within(right, left),
    "matches": _matches,
}


@dataclass(frozen=True)
class Is:
    """``is null``, ``is missing`` and their opposites."""

    part: Node
    what: str
    negated: bool = False

    def value(self, key: str, document: Value) -> bool:
        found = self.part.value(key, document)
        answer = isinstance(found, Missing) if self.what == "missing" else found is None
        return answer is not self.negated

    def fields(self) -> Iterable[str]:
        return () if self.what == "missing" else self.part.fields()


@dataclass(frozen=True)
class Logic:
    """``and``, ``or``, ``not``."""

    operator: str
    parts: tuple[Node, ...]

    def value(self, key: str, document: Value) -> bool:
        answers = (_true(part.value(key, document)) for part in self.parts)
        if self.operator == "not":
            return not next(answers)
        return all(answers) if self.operator == "and" else any(answers)

    def fields(self) -> Iterable[str]:
        return (name for part in self.parts for name in part.fields())


def _true(value: Value | Missing) -> bool:
    return not isinstance(value, Missing) and bool(value)


@dataclass(frozen=True)
class Words:
    """Words that must each occur in some key or value, ignoring case."""

    words: tuple[str, ...]

    def value(self, key: str, document: Value) -> bool:
        left = set(self.words)
        for text in _texts(key, document):
            folded = text.casefold()
            left = {word for word in left if word not in folded}
            if not left:
                return True
        return not left

    def fields(self) -> Iterable[str]:
        return ()


def _texts(key: str, document: Value) -> Iterable[str]:
    yield key
    for _, value in values.walk(document):
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from value
        elif isinstance(value, RepeatedKeys):
            yield from (name for name, _ in value.pairs)
        elif not isinstance(value, list | bytes):
            yield values.write(value)


@dataclass(frozen=True)
class Query:
    """A parsed query. *text* is what the user wrote."""

    text: str
    root: Node = field(compare=False)

    def matches(self, key: str, document: Value) -> bool:
        """Say whether the record (*key*, *document*) is wanted."""
        return _true(self.root.value(key, document))

    @property
    def fields(self) -> frozenset[str]:
        """Top-level fields whose absence from every record is worth a finding."""
        return frozenset(self.root.fields())


def parse(text: str) -> Query:
    """Return the query that *text* says. Raises `UsageError` with the place of the bad token."""
    from inspector.operations.query_parser import Parser

    if re.search(r"[()=<>!]|\b(and|or|not|in|is|contains|matches)\b", _without_quotes(text)):
        return Query(text, Parser(text).parse())
    words = tuple(
        word.casefold() for word in re.findall(r'"([^"]*)"|\'([^\']*)\'|(\S+)', text) for word in word if word
    )
    return Query(text, Words(words))


def _without_quotes(text: str) -> str:
    return re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', " ", text)
