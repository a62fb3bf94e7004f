"""Exact JSON values: parse, write, compare, name their types.

Nothing is rounded, merged or dropped on the way: integers keep every digit, numbers that neither ``int`` nor
``float`` holds keep their text, objects with repeated keys keep them all, lone surrogates stay what they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

MAX_DIGITS = 4300
"""Integers with more digits keep their text: Python refuses to convert them (it takes quadratic time)."""

MAX_DEPTH = 100_000
"""Deepest nesting that is read; a level costs some 300 bytes."""


@dataclass(frozen=True, slots=True)
class NumberText:
    """A JSON number that no ``int`` or ``float`` holds exactly, as its text: ``1e400``, ``1e-400``, ``-0``."""

    text: str

    @property
    def whole(self) -> bool:
        """True for an integer."""
        return not any(c in self.text for c in ".eE")


@dataclass(frozen=True, slots=True)
class RepeatedKeys:
    """A JSON object in which a key occurs more than once: its members in stored order."""

    pairs: tuple[tuple[str, Any], ...]


class Undefined:
    """Yjs's ``undefined``, which JSON does not have."""

    def __repr__(self) -> str:
        return "UNDEFINED"


class Unparsed:
    """Stands where a value has not been parsed yet."""


_PLAIN = (str, int, bytes)
"""Types whose values are the same exactly when they are equal and of one type."""

UNDEFINED = Undefined()
UNPARSED = Unparsed()

Value: TypeAlias = (
    bool | int | float | str | bytes | NumberText | RepeatedKeys | Undefined | list[Any] | dict[str, Any] | None
)

LONG = 1 << 20
"""Characters from which on a text is parsed a part at a time, so that other threads get their turn."""
PART = 1 << 16
"""Most characters that one call of the standard parser is given of such a text."""

_COMMAS_TRIED = 4
_LONGEST_PAUSE = 1 << 12

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_SCAN_STRING: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]
_SPACE = re.compile(r"[ \t\n\r]*")
_NON_ZERO_MANTISSA = re.compile(r"-?[0.]*[1-9]")
_WORDS = {
    "null": None,
    "true": True,
    "false": False,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


def _integer(text: str) -> int | NumberText:
    if text == "-0" or len(text) > MAX_DIGITS:
        return NumberText(text)
    return int(text)


def _real(text: str) -> float | NumberText:
    number = float(text)
    overflowed = number in (float("inf"), float("-inf"))
    vanished = number == 0 and _NON_ZERO_MANTISSA.match(text) is not None
    return NumberText(text) if overflowed or vanished else number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | RepeatedKeys:
    members = dict(pairs)
    return members if len(members) == len(pairs) else RepeatedKeys(tuple(pairs))


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_float=_real)


def decode_utf8(raw: bytes) -> str:
    """Return *raw* as text; UTF-8 encoded surrogates stay lone surrogates. Raises ValueError."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "surrogatepass")


def parse(raw: bytes | str) -> Value:
    """Return the exact value of one JSON text. Raises ValueError with line and column if it is none."""
    text = raw if isinstance(raw, str) else decode_utf8(raw)
    if len(text) > LONG:
        return _parse_in_parts(text)
    try:
        value: Value = _DECODER.decode(text)
    except RecursionError:
        value = _parse_in_parts(text)
    return value


def quick_parser() -> Callable[[bytes], Value]:
    """Return a `parse` for many texts: orjson where its result is proven exact for that text, else `parse`.

    The proof: writing the result again gives the text byte for byte, in TinyDB's or in compact style. Then no
    key was merged, no integer became a float, no number was rounded.
    """
    try:
        import orjson
    except ImportError:
        return parse

    loads, compact = orjson.loads, orjson.dumps
    spaced = json.JSONEncoder().encode

    def quick(raw: bytes) -> Value:
        if len(raw) > LONG:
            return parse(raw)
        try:
            value: Value = loads(raw)
            if compact(value) == raw or spaced(value).encode() == raw:
                return value
        except (ValueError, TypeError, RecursionError):
            pass  # orjson refuses what `parse` may read: NaN, surrogates, deep nesting
        return parse(raw)

    return quick


def write(value: Value) -> str:
    """Return exact JSON text: ASCII-escaped, ``", "`` and ``": "``, bytes as ``{"$bytes": …}``."""
    try:
        return _ENCODER.encode(value)
    except (_NeedsCare, RecursionError):
        return "".join(_pieces(value))


class _NeedsCare(Exception):
    """The standard encoder cannot write this value."""


def _marker(value: Value) -> dict[str, Any]:
    if isinstance(value, bytes | bytearray):
        import base64

        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, Undefined):
        return {"$undefined": True}
    raise _NeedsCare


_ENCODER = json.JSONEncoder(default=_marker)


def _pieces(root: Value) -> Iterator[str]:
    """Yield the text of *root* without recursion, for deep values and those with text numbers or repeated keys."""
    todo: list[Any] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, _Verbatim | NumberText):
            yield value.text
        elif isinstance(value, RepeatedKeys | dict):
            pairs = value.pairs if isinstance(value, RepeatedKeys) else tuple(value.items())
            parts: list[Any] = [_Verbatim("}")]
            for number, (key, member) in reversed(list(enumerate(pairs))):
                parts += [member, _Verbatim((", " if number else "") + _ENCODER.encode(key) + ": ")]
            yield "{"
            todo += parts
        elif isinstance(value, list):
            parts = [_Verbatim("]")]
            for number, item in reversed(list(enumerate(value))):
                parts += [item, _Verbatim(", ")] if number else [item]
            yield "["
            todo += parts
        else:
            yield _ENCODER.encode(value)


class _Verbatim(NamedTuple):
    text: str


def _parse_in_parts(text: str) -> Value:
    """Parse what is nested deeper than the standard parser goes, or so long that its one call would stop all threads.

    Arrays and objects that end within `PART` characters are left to the standard parser, the others are taken apart.
    """
    root: list[Any] = []
    stack: list[tuple[list[Any], str]] = [(root, "")]
    position = _skip(text, 0)
    parts, bites = _Pace(), _Pace()
    while True:
        items, closer = stack[-1]
        if closer and text[position : position + 1] == closer and not items:
            value: Any = _close(stack, items, closer)
            position += 1
        else:
            if closer == "}":
                position = _key(text, position, items)
            elif closer:
                position = _elements(text, position, items, bites)
            opener = text[position : position + 1]
            if opener in ("{", "[") and (part := _part(text, position, parts)) is not None:
                value, position = part
            elif opener in ("{", "["):
                if len(stack) > MAX_DEPTH:
                    raise ValueError(f"nested deeper than {MAX_DEPTH:,} levels")
                stack.append(([], "}" if opener == "{" else "]"))
                position = _skip(text, position + 1)
                continue
            else:
                value, position = _scalar(text, position)
        position = _skip(text, position)
        while True:
            items, closer = stack[-1]
            _add(items, closer, value)
            if not closer:
                if position != len(text):
                    raise json.JSONDecodeError("Extra data", text, position)
                return root[0]  # type: ignore[no-any-return]
            sign = text[position : position + 1]
            if sign == ",":
                position = _skip(text, position + 1)
                break
            if sign != closer:
                raise json.JSONDecodeError("Expecting ',' delimiter", text, position)
            value = _close(stack, items, closer)
            position = _skip(text, position + 1)


class _Pace:
    """Tries a shortcut, and after a failure leaves it for a while, twice as long each time."""

    def __init__(self) -> None:
        self._rest = 0
        self._pause = 1

    def ready(self) -> bool:
        """Say whether it is time to try."""
        if self._rest:
            self._rest -= 1
            return False
        return True

    def tried(self, *, worked: bool) -> None:
        """Note how it went."""
        self._pause = 1 if worked else min(self._pause * 2, _LONGEST_PAUSE)
        self._rest = 0 if worked else self._pause


def _part(text: str, position: int, pace: _Pace) -> tuple[Value, int] | None:
    """Return the array or object at *position* and its end; None if it is longer than `PART`, deep, or broken."""
    if not pace.ready():
        return None
    size = PART >> 7
    while size <= PART:
        try:
            value, length = _DECODER.raw_decode(text[position : position + size])
        except RecursionError:
            break
        except ValueError:
            size <<= 3  # cut off, most likely; what is broken is found when it is taken apart
        else:
            pace.tried(worked=True)
            return value, position + length
    pace.tried(worked=False)
    return None


def _elements(text: str, position: int, items: list[Any], pace: _Pace) -> int:
    """Add the elements of an array that can be had at once to *items* and return where the next one begins."""
    while pace.ready():
        found = _bite(text[position : position + PART])
        if found is not None:
            items += found[0]
            position = _skip(text, position + found[1])
        pace.tried(worked=found is not None)
    return position


def _bite(piece: str) -> tuple[list[Any], int] | None:
    """Return whole elements at the begin of *piece* and their length with the comma after them, None if none are found.

    A piece between two commas is parsed as an array: that succeeds only if neither lies in a string or deeper.
    """
    cuts = [piece.rfind("},") + 1, piece.rfind("],") + 1]
    comma = len(piece)
    for _ in range(_COMMAS_TRIED):
        comma = piece.rfind(",", 0, max(comma, 0))
        cuts.append(comma)
    for cut in cuts:
        if cut > 0:
            try:
                return _DECODER.decode(f"[{piece[:cut]}]"), cut + 1
            except (ValueError, RecursionError):
                continue
    return None


def _close(stack: list[tuple[list[Any], str]], items: list[Any], closer: str) -> Any:
    stack.pop()
    return _object(items) if closer == "}" else items


def _add(items: list[Any], closer: str, value: Any) -> None:
    if closer == "}":
        items[-1] = (items[-1], value)
    else:
        items.append(value)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _key(text: str, position: int, items: list[Any]) -> int:
    if text[position : position + 1] != '"':
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, position)
    key, position = _SCAN_STRING(text, position + 1, True)
    position = _skip(text, position)
    if text[position : position + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, position)
    items.append(key)
    return _skip(text, position + 1)


def _scalar(text: str, position: int) -> tuple[Any, int]:
    if text[position : position + 1] == '"':
        return _SCAN_STRING(text, position + 1, True)
    for word, value in _WORDS.items():
        if text.startswith(word, position):
            return value, position + len(word)
    match = _NUMBER.match(text, position)
    if not match:
        raise json.JSONDecodeError("Expecting value", text, position)
    number = match.group()
    return (_real(number) if match.group(1) or match.group(2) else _integer(number)), match.end()


def same(first: Value, second: Value) -> bool:
    """Say whether two values are the same exactly: type, sign of zero, digits, key order; NaN equals NaN."""
    return plainly_same(first, second) or write(first) == write(second)


def plainly_same(first: Value, second: Value) -> bool:
    """Say whether two values are one, or texts, integers, booleans or bytes that are the same: cheap, for most values.

    Others may be the same though this says no: ask `same`.
    """
    return first is second or (type(first) is type(second) and isinstance(first, _PLAIN) and first == second)


def type_name(value: Value) -> str:
    """Return the type's name: null bool int float str bytes array object undefined."""
    if value is None:
        return "null"
    if isinstance(value, NumberText):
        return "int" if value.whole else "float"
    names: tuple[tuple[Any, str], ...] = (
        (bool, "bool"),
        (int, "int"),
        (float, "float"),
        (str, "str"),
        (bytes, "bytes"),
        (list, "array"),
        (dict, "object"),
        (RepeatedKeys, "object"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), "undefined")


def members(value: Value) -> Iterator[tuple[str | int, Any]]:
    """Yield (key or index, member) of an object or array in stored order; nothing for a scalar."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, RepeatedKeys):
        yield from value.pairs
    elif isinstance(value, list):
        yield from enumerate(value)


def walk(root: Value) -> Iterator[tuple[int, Value]]:
    """Yield (depth, value) of *root* (depth 0) and everything in it, parents first, without recursion."""
    todo: list[tuple[int, Value]] = [(0, root)]
    while todo:
        depth, value = todo.pop()
        yield depth, value
        todo += reversed([(depth + 1, member) for _, member in members(value)])
