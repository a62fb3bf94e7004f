"""A structural index over the text of a TinyDB database: where every table and every document lies.

The layout is ``{table: {id: document, …}, …}`` (TinyDB 2.0 and later) or ``{table: [document, …], …}`` (TinyDB 1.x).
Nothing is parsed and nothing is merged: repeated tables and ids are all kept, what is inside documents is not looked
at. Damage and a missing end are noted with their place, and the documents around them are still found.
Offsets are bytes of the text. Large texts are read in slices; numpy is imported only for them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol

from inspector.backends._needs import needs
from inspector.backends._tokens import Nesting, Positions, Signs, SliceSigns, plain_signs
from inspector.backends._work import watched
from inspector.progress import Progress, silent

SLICE = 1 << 18
"""Bytes that are scanned between two calls of the progress; fits a processor's second-level cache."""

READ = 4 << 20
"""Bytes that are read from the source at once."""

SMALL = 1 << 16
"""Texts up to this many bytes are scanned without numpy, whose import takes a tenth of a second."""

MAX_FAULTS = 1000
"""Faults whose place is kept; more are only counted."""

_DOCUMENTS = re.compile(rb'(?:"":\{\},)+')
_DOCUMENT = re.compile(rb'"":\{\}')
_ITEMS = re.compile(rb"(?:\{\},)+")
_ITEM = re.compile(rb"\{\}")
_TABLE = re.compile(rb'"":([\[{])')
_OTHER = rb'(""|\[\]|\{\}|[^"\[\]{}:,\\]+)'
_OTHER_MEMBER = re.compile(rb'"":' + _OTHER)
_OTHER_ITEM = re.compile(_OTHER)
_SKIP = re.compile(rb'""|\{\}|\[\]|.', re.DOTALL)
_UNFINISHED_MEMBER = re.compile(rb'(?:"(?:"(?::[\[{]?)?)?)?\Z')
_UNFINISHED_ITEM = re.compile(rb"\{?\Z")
_ENOUGH = 8
"""Signs that decide any of the patterns above, whose variable part may only grow."""


class Source(Protocol):
    """A text in UTF-8 that is read by offsets: bytes in memory, or a file."""

    @property
    def size(self) -> int:
        """Bytes of the text."""

    def read(self, start: int, stop: int) -> bytes:
        """Return bytes *start* to *stop*."""


class Memory:
    """A text that lies in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @property
    def size(self) -> int:
        """Bytes of the text."""
        return len(self.data)

    def read(self, start: int, stop: int) -> bytes:
        """Return bytes *start* to *stop*."""
        return self.data[start:stop]


@dataclass(slots=True, eq=False)
class Table:
    """One table as it lies in the text: span of its quoted name, span of its value, numbers of its documents.

    *last* is one past its last document; *stop* is the end of the text where the table has no end.
    """

    name_start: int
    name_stop: int
    start: int
    stop: int
    first: int
    last: int
    is_array: bool
    closed: bool = False


class Fault(NamedTuple):
    """Where the text is not what it should be.

    ``table`` and ``document``: a value of another type stands there; ``damage``: this is no JSON.
    """

    kind: Literal["table", "document", "damage"]
    position: int


@dataclass(slots=True, eq=False)
class Index:
    """What `scan` found. *ids*, *starts*, *stops*: offsets of each document's quoted id (-1 in arrays) and value.

    *stop* is the offset behind the root's closing brace, None where the text ends before it.
    *root* is the first byte that is not space, as text; it is ``{`` for a database and empty for an empty text.
    """

    start: int
    end: int
    root: str = ""
    stop: int | None = None
    tables: list[Table] = field(default_factory=list)
    ids: array[int] = field(default_factory=lambda: array("q"))
    starts: array[int] = field(default_factory=lambda: array("q"))
    stops: array[int] = field(default_factory=lambda: array("q"))
    faults: list[Fault] = field(default_factory=list)
    fault_count: int = 0
    nesting: Nesting = field(default_factory=Nesting)

    @property
    def has_shape(self) -> bool:
        """True if nothing contradicts that this is a TinyDB database, and at least one table or the end was seen."""
        wrong = any(fault.kind != "damage" for fault in self.faults)
        return self.root == "{" and not wrong and (bool(self.tables) or self.stop is not None)

    @property
    def whole(self) -> bool:
        """True if the text is one value without structural damage."""
        return self.has_shape and self.stop is not None and not self.fault_count


State = Literal["start", "tables", "documents", "items", "done"]
Expect = Literal["first", "next", "after"]


class _Reader:
    """Reads signs in order and fills an `Index`; signs that do not decide anything yet wait for the next slice."""

    def __init__(self, index: Index, strict: bool) -> None:
        self.index = index
        self.state: State = "start"
        self.begin = 0
        """Where the value begins that was entered last."""
        self._strict = strict
        self._expect: Expect = "first"
        self._chars = b""
        self._positions: Positions = array("q")
        self._at = 0
        self._final = False
        self._damaged = False
        self._plain = True
        self._steps: dict[State, Callable[[], bool]] = {
            "start": self._start,
            "tables": self._tables,
            "documents": self._members,
            "items": self._members,
        }

    def enter(self, table: Table) -> None:
        """Begin inside *table*, before a document."""
        self.index.root = "{"
        self.index.nesting.depth = 2
        self.index.tables.append(replace(table, first=0, last=0, stop=self.index.end, closed=False))
        self.state = "documents"

    def feed(self, signs: Signs, *, final: bool) -> None:
        """Take the next signs; with *final* none follow."""
        self._plain = isinstance(signs.positions, array)
        self._join(signs)
        self._final = final
        self.go_on()

    def again(self) -> None:
        """Begin anew behind a whole value, with the signs that are left."""
        self.index = Index(self.index.end, self.index.end)
        self.state, self._expect = "start", "first"
        self.go_on()

    def go_on(self) -> None:
        """Read the signs that are left, to the end of the value or of the signs."""
        while self.state != "done" and self._at < len(self._chars) and self._steps[self.state]():
            pass

    def _join(self, signs: Signs) -> None:
        rest = self._chars[self._at :]
        if rest:
            joined = array("q")
            joined.frombytes(self._positions[self._at :].tobytes())
            joined.frombytes(signs.positions.tobytes())
            self._positions = joined
        else:
            self._positions = signs.positions
        self._chars = rest + signs.chars
        self._at = 0

    def _place(self, at: int) -> int:
        return int(self._positions[at])

    def _start(self) -> bool:
        self.index.root = chr(self._chars[self._at])
        self.begin = self._place(self._at)
        self._at += 1
        self.state = "tables" if self.index.root == "{" else "done"
        return True

    def _separator(self, closer: bytes) -> bool | None:
        """Read a comma or the closing bracket: True if one was read, None if a member stands here, False if waiting."""
        sign = self._chars[self._at : self._at + 1]
        if sign == closer and self._expect != "next":
            self._close(self._place(self._at) + 1)
            self._at += 1
            return True
        if sign == b"," and self._expect == "after":
            self._at += 1
            self._expect = "next"
            self._damaged = False
            return True
        if self._expect == "after" or sign in (closer, b","):
            return self._damage()
        return None

    def _undecided(self, unfinished: re.Pattern[bytes]) -> bool:
        """Say whether to wait for more signs, or, at the end of the text, whether a member is merely cut off."""
        if self._final:
            return unfinished.match(self._chars, self._at) is not None
        return len(self._chars) - self._at < _ENOUGH

    def _tables(self) -> bool:
        read = self._separator(b"}")
        if read is not None:
            return read
        match = _TABLE.match(self._chars, self._at)
        if match is None:
            return not self._undecided(_UNFINISHED_MEMBER) and self._strange(_OTHER_MEMBER, "table")
        at, count = self._at, len(self.index.starts)
        name, value = self._place(at), self._place(at + 3)
        is_array = match.group(1) == b"["
        self.index.tables.append(Table(name, self._place(at + 1) + 1, value, self.index.end, count, count, is_array))
        self._at += 4
        self._damaged = False
        self.state, self._expect = ("items" if is_array else "documents"), "first"
        return True

    def _members(self) -> bool:
        is_array = self.state == "items"
        read = self._separator(b"]" if is_array else b"}")
        if read is not None:
            return read
        many, one, width = (_ITEMS, _ITEM, 3) if is_array else (_DOCUMENTS, _DOCUMENT, 6)
        match = many.match(self._chars, self._at)
        if match is not None:
            self._take(match.end(), width)
            self._expect = "next"
            return True
        match = one.match(self._chars, self._at)
        if match is not None:
            self._take(match.end(), width)
            self._expect = "after"
            return True
        if self._undecided(_UNFINISHED_ITEM if is_array else _UNFINISHED_MEMBER):
            return False
        return self._strange(_OTHER_ITEM if is_array else _OTHER_MEMBER, "document")

    def _take(self, stop: int, width: int) -> None:
        """Add the documents whose signs end at *stop*: each takes *width* signs, the last perhaps without comma."""
        index, at, positions = self.index, self._at, self._positions
        opening = 0 if width == 3 else 3
        index.starts.frombytes(positions[at + opening : stop : width].tobytes())
        closings = array("q")
        closings.frombytes(positions[at + opening + 1 : stop : width].tobytes())
        index.stops.frombytes(_plus_one(closings, plain=self._plain))
        if width == 3:
            index.ids.extend([-1] * len(closings))
        else:
            index.ids.frombytes(positions[at:stop:width].tobytes())
        index.tables[-1].last = len(index.starts)
        self._at = stop
        self._damaged = False

    def _strange(self, other: re.Pattern[bytes], kind: Literal["table", "document"]) -> bool:
        """Note a member of another type, which ends the reading: this is not the layout; else damage."""
        match = other.match(self._chars, self._at)
        if match is None or self.index.fault_count:
            return self._damage()
        self._note(Fault(kind, self._place(match.start(1))))
        self.state = "done"
        return True

    def _damage(self) -> bool:
        """Note damage once per stretch, and step over what stands here."""
        if not self._final and len(self._chars) - self._at < _ENOUGH:
            return False
        if not self._damaged:
            self._note(Fault("damage", self._place(self._at)))
        sign = self._chars[self._at : self._at + 1]
        if self._strict:
            self.state = "done"
        elif sign in (b"}", b"]"):
            self._close(self._place(self._at) + 1)
            self._at += 1
        else:
            match = _SKIP.match(self._chars, self._at)
            assert match is not None
            self._at = match.end()
            self._expect = "next" if sign == b"," else "first"
        self._damaged = True
        return True

    def _note(self, fault: Fault) -> None:
        self.index.fault_count += 1
        if len(self.index.faults) < MAX_FAULTS:
            self.index.faults.append(fault)

    def _close(self, stop: int) -> None:
        if self.state == "tables":
            self.index.stop = stop
            self.state = "done"
            return
        table = self.index.tables[-1]
        table.stop, table.closed = stop, True
        self.state, self._expect = "tables", "after"


def _plus_one(offsets: array[int], *, plain: bool) -> bytes:
    if plain or len(offsets) < 64:
        return array("q", [offset + 1 for offset in offsets]).tobytes()
    import numpy

    moved: bytes = (numpy.frombuffer(offsets, numpy.int64) + 1).tobytes()
    return moved


def scan(
    source: Source,
    start: int = 0,
    *,
    progress: Progress = silent,
    strict: bool = False,
    slice_size: int | None = None,
) -> Index:
    """Index the first value of *source* from *start* on. Slow for large texts; never raises for bad content.

    With *strict* reading stops at the first damage. *slice_size* forces slices of that many bytes.
    """
    reader = _Reader(Index(start, source.size), strict)
    _read(reader, source, progress, slice_size)
    return reader.index


def scan_inside(source: Source, start: int, table: Table) -> Index:
    """Index what follows from *start* on, where a document of *table* stands; the table is entered as the first."""
    reader = _Reader(Index(start, source.size), strict=False)
    reader.enter(table)
    _read(reader, source, silent, None)
    return reader.index


@dataclass(slots=True, eq=False)
class Followers:
    """Whole values one after another: start and stop of each, and the index of what stands last and is none."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    rest: Index | None = None


def follow(source: Source, start: int, *, progress: Progress = silent, slice_size: int | None = None) -> Followers:
    """Find all whole values from *start* on, in one pass however many they are; what is inside is not kept. Slow."""
    found = Followers()
    reader = _Reader(Index(start, source.size), strict=True)
    for signs, final in _signs(source, reader.index, progress, slice_size):
        reader.feed(signs, final=final)
        while reader.index.whole:
            assert reader.index.stop is not None
            found.spans.append((reader.begin, reader.index.stop))
            reader.again()
        if reader.state == "done":
            break
    if reader.state != "start":
        found.rest = replace(reader.index, start=reader.begin)
    return found


def _read(reader: _Reader, source: Source, progress: Progress, slice_size: int | None) -> None:
    for signs, final in _signs(source, reader.index, progress, slice_size):
        reader.feed(signs, final=final)
        if reader.state == "done":
            break


def _signs(source: Source, index: Index, progress: Progress, slice_size: int | None) -> Iterator[tuple[Signs, bool]]:
    """Yield the signs from the start of *index* on, and whether none follow; its nesting goes with them.

    Raises `MissingLibrary` without numpy, which only a large text needs.
    """
    start, nesting = index.start, index.nesting
    if slice_size is None and source.size - start <= SMALL:
        yield plain_signs(source.read(start, source.size), start, nesting), True
        return
    watched(_load_numpy, progress)
    maker = SliceSigns()
    maker.nesting = nesting
    for offset, data in _slices(source, start, slice_size or SLICE):
        stop = offset + len(data)
        signs = maker.feed(data, offset)
        progress(stop, source.size)
        yield signs, stop == source.size


def _load_numpy() -> None:
    with needs("numpy", "A JSON text beyond 64 KiB"):
        import numpy

    numpy.uint8(0)


def _slices(source: Source, start: int, size: int) -> Iterator[tuple[int, bytes]]:
    for block_start in range(start, source.size, READ):
        block = source.read(block_start, min(block_start + READ, source.size))
        for offset in range(0, len(block), size):
            yield block_start + offset, block[offset : offset + size]
