r"""Reads Yjs v1 updates exactly, without replaying them.

An update is a list of structs per client and a delete set, written with lib0's variable-length integers
(https://github.com/yjs/yjs, ``src/utils/encoding.js`` and ``src/structs``; yrs ``update.rs`` reads the same).
`parse` takes what pycrdt takes, with these differences, all on purpose:

- bytes after the delete set are refused here and ignored there, and so are clocks, lengths and counts beyond
  32 bits (pycrdt wraps them), integers longer than ten bytes, and a value nested deeper than `MAX_DEPTH`
  (pycrdt's stack overflows and takes the process with it);
- content 2 (JSON, written by Yjs before 2020) holds as many texts as its count says; pycrdt reads one more and
  therefore refuses or misreads it;
- an XML hook is followed by its name, as Yjs writes it; a weak link is read, which pycrdt's build refuses;
- JSON in embeds and formats may hold what JavaScript's parser takes and pycrdt's does not (``"\ud800"``, ``1e400``).
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from inspector.model import DecodeError

MAX_DEPTH = 1000
"""Deepest nesting of a plain value; pycrdt overflows the stack of a thread somewhere beyond 20 000."""

_LIMIT_32 = (1 << 32) - 1
_LIMIT_64 = (1 << 64) - 1

_HAS_ORIGIN = 0x80
_HAS_RIGHT_ORIGIN = 0x40
_HAS_PARENT_SUB = 0x20
_GC = 0
_SKIP = 10
_STRING = 4
_XML_NAMED = (3, 5)
_WEAK_LINK = 7
_TYPE_REFS = frozenset((0, 1, 2, 3, 4, 5, 6, 7, 9, 15))
_PLAIN_JSON = frozenset((b"null", b"true", b"false", b'""', b"{}"))


@dataclass(slots=True, frozen=True)
class Struct:
    """One struct of an update: *length* clock units of one client, from *clock* on.

    *length* counts UTF-16 units for a string. *kind* is gc, skip, deleted, json, binary, string, embed, format,
    type, any or doc. *parent* is a root's name, the id ``(client, clock)`` of the parent item, or None where it is
    inherited from *origin* or *right_origin*. *sub* is the key in a Map. *type_ref* is set for kind type: 0 Array,
    1 Map, 2 Text, 3 XmlElement, 4 XmlFragment, 5 XmlHook, 6 XmlText, 7 weak link, 9 document, 15 undefined.
    *text* is set for kind string.
    """

    client: int
    clock: int
    length: int
    kind: str
    parent: str | tuple[int, int] | None
    origin: tuple[int, int] | None
    right_origin: tuple[int, int] | None
    sub: str | None
    type_ref: int | None
    text: str | None


@dataclass(slots=True, frozen=True)
class Parsed:
    """A whole update: its structs in file order, and per client the ranges ``(clock, length)`` that it deletes."""

    structs: tuple[Struct, ...]
    deletes: dict[int, tuple[tuple[int, int], ...]]


def parse(data: bytes) -> Parsed:
    """Return what the update *data* holds. Raises `DecodeError` on anything that is not exactly one v1 update."""
    try:
        reader = _Reader(data)
        structs = reader.structs()
        deletes = reader.deletes()
    except IndexError:
        raise DecodeError("the update ends too early") from None
    if reader.position != len(data):
        raise DecodeError(f"{len(data) - reader.position} bytes follow the update at byte {reader.position}")
    return Parsed(structs, deletes)


def accepts(data: bytes) -> bool:
    """Say whether *data* is exactly one v1 update."""
    try:
        parse(data)
    except DecodeError:
        return False
    return True


def first_root(data: bytes) -> str | None:
    """Return the root that the first struct of an update lies in, None if there is none.

    *data* needs to be no more than the beginning of the update, some 40 bytes and the name.
    """
    try:
        reader = _Reader(data)
        if not reader.integer() or not reader.integer():
            return None
        reader.identifier()
        info = reader.data[reader.position]
        reader.position += 1
        if info in (_GC, _SKIP) or info & (_HAS_ORIGIN | _HAS_RIGHT_ORIGIN) or reader.integer() != 1:
            return None
        return reader.text()
    except (DecodeError, IndexError):
        return None


def sync_payload(data: bytes) -> bytes | None:
    """Return the update inside a y-protocol sync message ``00 {00|01|02} length update``, None if it is no such."""
    if len(data) < 5 or data[0] != 0 or data[1] > 2:
        return None
    length, position = 0, 2
    for shift in range(0, 35, 7):
        if position == len(data):
            return None
        byte = data[position]
        position += 1
        length |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    inner = data[position:]
    return inner if len(inner) == length and accepts(inner) else None


class _Reader:
    """A position in an update. Reading past the end raises IndexError, what no update holds raises DecodeError."""

    __slots__ = ("data", "position")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def integer(self, limit: int = _LIMIT_32) -> int:
        """Read a lib0 variable-length unsigned integer, at most *limit*."""
        data, position = self.data, self.position
        byte = data[position]
        position += 1
        if byte < 0x80:
            self.position = position
            return byte
        value = byte & 0x7F
        shift = 7
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise DecodeError(f"an integer longer than ten bytes at byte {self.position}")
        if value > limit:
            raise DecodeError(f"an integer that is too large at byte {self.position}")
        self.position = position
        return value

    def count(self, least: int) -> int:
        """Read a count of things that take at least *least* bytes each."""
        at = self.position
        count = self.integer()
        if count * least > len(self.data) - self.position:
            raise DecodeError(f"a count of {count} at byte {at} that the update has no room for")
        return count

    def identifier(self) -> tuple[int, int]:
        """Read the id of an item: client and clock."""
        return self.integer(_LIMIT_64), self.integer()

    def buffer(self) -> bytes:
        """Read a length and as many bytes."""
        length = self.integer()
        start = self.position
        self.position = start + length
        if self.position > len(self.data):
            raise IndexError
        return self.data[start : self.position]

    def text(self) -> str:
        """Read a string."""
        at = self.position
        try:
            return str(self.buffer(), "utf-8")
        except UnicodeDecodeError:
            raise DecodeError(f"a text that is not UTF-8 at byte {at}") from None

    def json(self) -> None:
        """Pass over a JSON text."""
        at = self.position
        raw = self.buffer()
        if raw not in _PLAIN_JSON:
            try:
                json.loads(raw.decode("utf-8"), parse_constant=_no_json, parse_int=len)
            except (ValueError, RecursionError):
                raise DecodeError(f"a value that is not JSON at byte {at}") from None

    def structs(self) -> tuple[Struct, ...]:
        """Read the structs of all clients."""
        found: list[Struct] = []
        for _ in range(self.count(3)):
            count = self.integer()
            client, clock = self.identifier()
            if count * 2 > len(self.data) - self.position:
                raise DecodeError(f"a count of {count} structs that the update has no room for")
            for _ in range(count):
                struct = self.struct(client, clock)
                clock += struct.length
                if clock > _LIMIT_32:
                    raise DecodeError(f"a clock that is too large before byte {self.position}")
                found.append(struct)
        return tuple(found)

    def struct(self, client: int, clock: int) -> Struct:
        """Read one struct."""
        info = self.data[self.position]
        self.position += 1
        if info in (_GC, _SKIP):
            kind = "skip" if info else "gc"
            return Struct(client, clock, self.integer(), kind, None, None, None, None, None, None)
        origin = self.identifier() if info & _HAS_ORIGIN else None
        right_origin = self.identifier() if info & _HAS_RIGHT_ORIGIN else None
        parent: str | tuple[int, int] | None = None
        sub = None
        if origin is None and right_origin is None:
            parent = self.text() if self.integer() == 1 else self.identifier()
            if info & _HAS_PARENT_SUB:
                sub = self.text()
        content = info & 0x0F
        if content == _STRING:
            text = self.text()
            return Struct(client, clock, _utf16_length(text), "string", parent, origin, right_origin, sub, None, text)
        length, kind, type_ref = self.content(content)
        return Struct(client, clock, length, kind, parent, origin, right_origin, sub, type_ref, None)

    def content(self, number: int) -> tuple[int, str, int | None]:
        """Pass over content that is no string; return its length, kind and type number."""
        match number:
            case 1:
                return self.integer(), "deleted", None
            case 2:
                count = self.count(1)
                for _ in range(count):
                    self.text()
                return count, "json", None
            case 3:
                self.buffer()
                return 1, "binary", None
            case 5:
                self.json()
                return 1, "embed", None
            case 6:
                self.text()
                self.json()
                return 1, "format", None
            case 7:
                return 1, "type", self.type_ref()
            case 8:
                count = self.count(1)
                self.values(count)
                return count, "any", None
            case 9:
                self.text()
                self.values(1)
                return 1, "doc", None
        raise DecodeError(f"content of unknown kind {number} before byte {self.position}")

    def type_ref(self) -> int:
        """Read the number of a shared type, and pass over what follows it."""
        number = self.data[self.position]
        self.position += 1
        if number not in _TYPE_REFS:
            raise DecodeError(f"a shared type of unknown kind {number} before byte {self.position}")
        if number in _XML_NAMED:
            self.text()
        elif number == _WEAK_LINK:
            flags = self.data[self.position]
            self.position += 1
            self.identifier()
            if flags & 1:  # a range: it ends at another item than it begins
                self.identifier()
        return number

    def values(self, count: int) -> None:
        """Pass over *count* lib0 Any values, however nested, without recursion."""
        open_values = [(count, False)]
        while open_values:
            left, keyed = open_values.pop()
            if not left:
                continue
            open_values.append((left - 1, keyed))
            if keyed:
                self.text()
            tag = self.data[self.position]
            self.position += 1
            if tag in (117, 118):
                if len(open_values) > MAX_DEPTH:
                    raise DecodeError(f"a value nested deeper than {MAX_DEPTH} levels")
                open_values.append((self.count(tag - 116), tag == 118))
            else:
                self.scalar(tag)

    def scalar(self, tag: int) -> None:
        """Pass over a lib0 Any value that is no array and no object."""
        if tag == 119:
            self.text()
        elif tag == 116:
            self.buffer()
        elif tag == 125:
            self.integer(_LIMIT_64 * 2)  # signed: six bits and a sign in the first byte
        elif tag in _FIXED_SIZE:
            self.position += _FIXED_SIZE[tag]
            if self.position > len(self.data):
                raise IndexError
        else:
            raise DecodeError(f"a value of unknown kind {tag} before byte {self.position}")

    def deletes(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """Read the delete set."""
        found: dict[int, tuple[tuple[int, int], ...]] = {}
        for _ in range(self.count(2)):
            client = self.integer(_LIMIT_64)
            ranges = tuple((self.integer(), self.integer()) for _ in range(self.count(2)))
            found[client] = found.get(client, ()) + ranges
        return found


_FIXED_SIZE = {120: 0, 121: 0, 122: 8, 123: 8, 124: 4, 126: 0, 127: 0}
"""Bytes after the tag of true, false, bigint, float64, float32, null, undefined."""


def _no_json(word: str) -> None:
    raise ValueError(word)


def _utf16_length(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le")) >> 1
