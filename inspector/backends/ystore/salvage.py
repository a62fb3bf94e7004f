"""Recovers rows of a damaged ystore from the pages of the SQLite file, where SQLite itself gives up.

Follows https://sqlite.org/fileformat2.html: every leaf page of a table (type 13) is read on its own, whether or not
a tree still leads to it; long rows are put together from their overflow pages. Rows are told by the tree they hang
in, where that can be walked, else by their shape: a text and a blob, perhaps metadata, perhaps a time.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import files
from inspector.model import DecodeError
from inspector.progress import Progress, silent, track

if TYPE_CHECKING:
    import sqlite3

_HEADER = 100
_LEAF, _INTERIOR = 13, 5
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_USUAL_PAGE_SIZE = 4096
_ENCODINGS = {2: "utf-16-le", 3: "utf-16-be"}
_COLUMNS = ("path", "yupdate", "metadata", "timestamp")
_SHORT_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Row = tuple[int, list[Any]]
"""The rowid and values of a record; text as its bytes in `_Text`, so that what is not UTF-8 survives."""


class _Text(bytes):
    """A text value's bytes."""


@dataclass(slots=True)
class Recovered:
    """What `recover` found: numbers of update rows, of checkpoints, and of rows with pieces missing."""

    updates: int = 0
    checkpoints: int = 0
    broken: int = 0
    size: int = 0
    expected_size: int = 0


@dataclass(slots=True)
class _Pages:
    """The pages of a file by number, from 1."""

    slices: files.Slices
    size: int = _USUAL_PAGE_SIZE
    usable: int = _USUAL_PAGE_SIZE
    encoding: str = "utf-8"
    _block: tuple[int, bytes] = field(default=(-1, b""))

    @classmethod
    def of(cls, path: Path) -> _Pages:
        """Read the header of *path*; where it makes no sense the usual values are taken."""
        pages = cls(files.Slices(path))
        header = pages.slices.read(0, min(_HEADER, pages.slices.size))
        if len(header) == _HEADER:
            pages.size = page_size(header)
            pages.usable = pages.size - header[20]
            pages.encoding = _ENCODINGS.get(int.from_bytes(header[56:60]), "utf-8")
        return pages

    @property
    def count(self) -> int:
        """Pages that begin within the file."""
        return -(-self.slices.size // self.size)

    def read(self, number: int) -> bytes:
        """Return page *number*, shorter or empty where the file ends. Reads ahead, for scans go forward."""
        start = (number - 1) * self.size
        block, content = self._block
        if not (block <= start and start + self.size <= block + len(content)):
            stop = min(start + (files.SLICE if start == block + len(content) else self.size), self.slices.size)
            content = self.slices.read(start, stop) if start < stop else b""
            if stop - start > self.size:
                self._block = (start, content)
            block = start
        return content[start - block : start - block + self.size]


def page_size(header: bytes) -> int:
    """Return the page size that a file header names, the usual one if it names none."""
    size = int.from_bytes(header[16:18])
    size = 1 << 16 if size == 1 else size
    return size if size in _PAGE_SIZES else _USUAL_PAGE_SIZE


def schema(page: bytes) -> list[tuple[str, str, int, str]] | None:
    """Return type, name, root page and SQL of the schema rows on page 1; None if it is no whole leaf page."""
    if len(page) <= _HEADER or page[_HEADER] != _LEAF:
        return None
    usable = len(page) - page[20]
    found = []
    try:
        for cell in _cells(page, _HEADER):
            size, _, local, start = _cell(page, cell, usable)
            if local == size:
                values = [_plain(value, page) for value in record(page[start : start + size])]
                if len(values) == 5 and isinstance(values[0], str) and isinstance(values[3], int):
                    found.append((values[0], str(values[1]), values[3], str(values[4])))
    except (DecodeError, IndexError):
        return None
    return found


def _plain(value: Any, page: bytes) -> Any:
    encoding = _ENCODINGS.get(int.from_bytes(page[56:60]), "utf-8")
    return value.decode(encoding, "replace") if isinstance(value, _Text) else value


def recover(source: Path, target: Path, progress: Progress = silent) -> Recovered:
    """Write all rows that can be read from *source* to the new database *target*, with their rowids."""
    import sqlite3

    pages = _Pages.of(source)
    first = pages.read(1)
    found = Recovered(size=pages.slices.size, expected_size=int.from_bytes(first[28:32]) * pages.size)
    owners, dead = _owners(pages, first), _free_pages(pages, first)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        if int.from_bytes(first[52:56]):
            connection.execute("PRAGMA auto_vacuum = FULL")
        connection.execute("BEGIN")
        sink = _Sink(connection, pages.encoding, found)
        if any(name == "ycheckpoints" for _, name, _, _ in schema(first) or ()):
            sink.make_checkpoints()
        for number in track(range(1, pages.count + 1), progress, pages.count):
            owner = owners.get(number)
            if number in dead or owner not in (None, "yupdates", "ycheckpoints"):
                continue
            for rowid, values in _rows(pages, number, found):
                if _is_checkpoint(values, owner):
                    sink.add_checkpoint(values)
                elif _is_update(values, owner):
                    sink.add_update(rowid, values)
        sink.finish(int.from_bytes(first[60:64], signed=True))
    return found


def _is_checkpoint(values: list[Any], owner: str | None) -> bool:
    shape = len(values) == 3 and type(values[0]) is _Text and type(values[1]) is bytes
    return shape and owner in (None, "ycheckpoints") and isinstance(values[2], int | float)


def _is_update(values: list[Any], owner: str | None) -> bool:
    if owner == "yupdates":
        return len(values) >= 2
    shape = len(values) >= 2 and type(values[0]) is _Text and type(values[1]) is bytes
    metadata = len(values) < 3 or values[2] is None or type(values[2]) is bytes
    timed = len(values) < 4 or isinstance(values[3], int | float | _Text)
    return shape and owner is None and metadata and timed


class _Sink:
    """The database that recovered rows go to. The first update row says how many columns the store had."""

    def __init__(self, connection: sqlite3.Connection, encoding: str, found: Recovered) -> None:
        self._connection = connection
        self._encoding = encoding
        self._found = found
        self._width = 0

    def add_update(self, rowid: int, values: list[Any]) -> None:
        """Keep an update row, unless one with its rowid is there already."""
        if not self._width:
            self._make_updates(min(len(values), len(_COLUMNS)))
        columns = (values + [None] * self._width)[: self._width]
        names = ", ".join(_COLUMNS[: self._width])
        marks, arguments = self._bound(columns)
        cursor = self._connection.execute(
            f"INSERT OR IGNORE INTO yupdates (rowid, {names}) VALUES (?, {marks})", [rowid, *arguments]
        )
        self._found.updates += cursor.rowcount

    def make_checkpoints(self) -> None:
        """Make the table of checkpoints, which its absence would be a finding about."""
        self._connection.execute("CREATE TABLE IF NOT EXISTS ycheckpoints (path, checkpoint, timestamp)")

    def add_checkpoint(self, values: list[Any]) -> None:
        """Keep a checkpoint."""
        self.make_checkpoints()
        marks, arguments = self._bound(values)
        self._connection.execute(f"INSERT INTO ycheckpoints VALUES ({marks})", arguments)
        self._found.checkpoints += 1

    def finish(self, version: int) -> None:
        """Name the generation and make everything lasting."""
        if not self._width:
            self._make_updates(len(_COLUMNS))
        self._connection.execute(f"PRAGMA user_version = {version}")
        self._connection.execute("COMMIT")

    def _make_updates(self, width: int) -> None:
        self._width = width
        self._connection.execute(f"CREATE TABLE yupdates ({', '.join(_COLUMNS[:width])})")

    def _bound(self, values: list[Any]) -> tuple[str, list[Any]]:
        """Return SQL marks and arguments; texts go as bytes, so that what is not UTF-8 stays as it is."""
        marks = ", ".join("CAST(? AS TEXT)" if type(value) is _Text else "?" for value in values)
        if self._encoding != "utf-8":
            values = [v.decode(self._encoding, "replace").encode() if type(v) is _Text else v for v in values]
        return marks, [bytes(value) if isinstance(value, bytes) else value for value in values]


def _owners(pages: _Pages, first: bytes) -> dict[int, str]:
    """Return the table that each leaf page belongs to, as far as the trees can be walked."""
    owners: dict[int, str] = {1: "sqlite_schema"}
    for kind, name, root, _ in schema(first) or ():
        if kind != "table":
            continue
        todo = [root]
        while todo:
            number = todo.pop()
            if number in owners or not 1 < number <= pages.count:
                continue
            owners[number] = name.lower()
            page = pages.read(number)
            if page[:1] == bytes([_INTERIOR]):
                cells = [page[cell : cell + 4] for cell in _cells(page, 0, header=12)]
                todo += [int.from_bytes(pointer) for pointer in (page[8:12], *cells)]
    return owners


def _free_pages(pages: _Pages, first: bytes) -> set[int]:
    """Return the pages of the free list: they still hold rows that were deleted."""
    free: set[int] = set()
    trunk = int.from_bytes(first[32:36])
    while 1 < trunk <= pages.count and trunk not in free:
        free.add(trunk)
        page = pages.read(trunk)
        count = min(int.from_bytes(page[4:8]), len(page) // 4)
        free.update(int.from_bytes(page[8 + 4 * i : 12 + 4 * i]) for i in range(count))
        trunk = int.from_bytes(page[:4])
    return free


def _rows(pages: _Pages, number: int, found: Recovered) -> Iterator[Row]:
    page = pages.read(number)
    if page[:1] != bytes([_LEAF]):
        return
    for cell in _cells(page, 0):
        try:
            yield _row(pages, page, cell)
        except (DecodeError, IndexError):
            found.broken += 1


def _row(pages: _Pages, page: bytes, cell: int) -> Row:
    size, rowid, local, start = _cell(page, cell, pages.usable)
    if size > pages.slices.size:
        raise DecodeError("a row larger than the file")
    payload = bytearray(page[start : start + local])
    following = int.from_bytes(page[start + local : start + local + 4]) if local < size else 0
    while len(payload) < size:
        overflow = pages.read(following) if 0 < following <= pages.count else b""
        piece = overflow[4 : min(pages.usable, 4 + size - len(payload))]
        if not piece:
            raise DecodeError("an overflow page is missing")
        payload += piece
        following = int.from_bytes(overflow[:4])
    return rowid, record(bytes(payload))


def _cells(page: bytes, offset: int, header: int = 8) -> list[int]:
    """Return the offsets of a page's cells; *header*: 8 bytes in a leaf, 12 in an interior page."""
    count = int.from_bytes(page[offset + 3 : offset + 5])
    start = offset + header
    count = min(count, max(len(page) - start, 0) // 2)
    return [int.from_bytes(page[start + 2 * i : start + 2 * i + 2]) for i in range(count)]


def _cell(page: bytes, cell: int, usable: int) -> tuple[int, int, int, int]:
    """Return payload size, rowid, bytes of the payload on this page, and where they start."""
    size, position = _varint(page, cell)
    rowid, position = _varint(page, position)
    most = usable - 35
    local = size
    if size > most:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        local = local if local <= most else least
    if position + local > len(page):
        raise DecodeError("a row that leaves its page")
    return size, rowid - (1 << 64) if rowid >> 63 else rowid, local, position


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """Read SQLite's big-endian integer of one to nine bytes."""
    value = 0
    for _ in range(8):
        byte = data[position]
        position += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, position
    return value << 8 | data[position], position + 1


def record(payload: bytes) -> list[Any]:
    """Return the values of a record. Raises `DecodeError` or IndexError if it is none."""
    end, position = _varint(payload, 0)
    if end > len(payload):
        raise DecodeError("a record header longer than the record")
    values = []
    at = end
    while position < end:
        kind, position = _varint(payload, position)
        value, at = _value(payload, kind, at)
        values.append(value)
    if at > len(payload):
        raise DecodeError("a record shorter than its header says")
    return values


def _value(payload: bytes, kind: int, at: int) -> tuple[Any, int]:
    if kind >= 12:
        stop = at + (kind - 12 - kind % 2) // 2
        piece = payload[at:stop]
        return (_Text(piece) if kind % 2 else piece), stop
    if kind in _SHORT_INTEGERS:
        stop = at + _SHORT_INTEGERS[kind]
        return int.from_bytes(payload[at:stop], signed=True), stop
    if kind == 7:
        if at + 8 > len(payload):
            raise DecodeError("a number that is cut off")
        return struct.unpack(">d", payload[at : at + 8])[0], at + 8
    if kind in (0, 8, 9):
        return (None if kind == 0 else kind - 8), at
    raise DecodeError(f"a value of unknown kind {kind}")
