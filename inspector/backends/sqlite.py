"""A SQLite database for other programs: one table per collection, the JSON of every record kept exactly.

Each table has the columns ``key`` and ``value``, the record's key and its exact JSON text, in the records' order
(``rowid``), so that SQL sees ``json_extract(value, '$.name')``. A key with lone surrogates, which SQLite's texts do
not hold, is a BLOB of its UTF-8 form. The table ``inspector_collections`` lists the collections in order: ``name``
(a BLOB likewise), ``kind`` (``table`` or ``document``) and ``table_name``, which is the name itself except where SQLite
would not take it: names differ by more than case, do not begin with ``sqlite_``, and hold no NUL. The file is marked by
the ``application_id`` 0x496e7370 (``Insp``; https://sqlite.org/fileformat2.html, offset 68).

Any other SQLite database is read as an import where the user says that it is one: a collection for each ordinary
table, with the rowid (or the row's number) as key and an object of the stored columns as value. Nothing that the file
computes is run: views, virtual tables and generated columns are left out.
"""

from __future__ import annotations

import errno
import os
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

from inspector import values
from inspector.backends._exports import loaded
from inspector.backends._sqlite import MAGIC, Database, quoted, table_names
from inspector.backends._table_writer import history_losses, unreadable
from inspector.model import (
    Codec,
    CollectionInfo,
    DecodeError,
    Decoder,
    Evidence,
    InspectorError,
    Kind,
    Loss,
    Record,
    Store,
    StoreInfo,
)
from inspector.progress import Progress, part, track

if TYPE_CHECKING:
    import sqlite3

_ID = 0x496E7370
_ID_AT = slice(68, 72)
_LIST = "inspector_collections"
_RESERVED = {_LIST, "yupdates"}
"""Names of tables that are taken: our own, and the one by which a ystore is known."""

_UNGUARDED = ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE")
"""The target is a temporary file that is thrown away on any error and synced by the caller. None of these is kept."""

_PAGE = 256
"""Rows that are read in one query."""

_SURROGATE = re.compile("[\ud800-\udfff]")

Row = tuple[Any, ...]


def _text_value(text: str) -> str | bytes:
    """Return a name or key as it is stored: as a BLOB where SQLite's texts do not hold it."""
    return text.encode("utf-8", "surrogatepass") if _SURROGATE.search(text) else text


def _value_text(stored: Any) -> str:
    return stored.decode("utf-8", "surrogatepass") if isinstance(stored, bytes) else str(stored)


def _table_name(name: str, used: set[str]) -> str:
    """Return a name that SQLite takes for the table of a collection and that is not *used*, and mark it used."""
    stem = _SURROGATE.sub("\ufffd", name).replace("\0", "\ufffd")
    if stem.lower().startswith("sqlite_"):
        stem = "_" + stem
    found, number = stem, 1
    while _folded(found) in used:
        number += 1
        found = f"{stem}-{number}"
    used.add(_folded(found))
    return found


def _folded(name: str) -> str:
    """Return *name* as SQLite compares it: only ASCII letters without case."""
    return "".join(c.lower() if c.isascii() else c for c in name)


def _exact(record: Record) -> str:
    """Return a record's own text where SQLite's texts hold it, else what `values.write` makes of it."""
    if record.raw is not None and b"\0" not in record.raw:
        try:
            return record.raw.decode()
        except UnicodeDecodeError:
            pass
    return values.write(record.value)


class _Rows(Sequence[Record]):
    """The records of one table, read from the database in pages. *made* turns a row (rowid first) into a record."""

    def __init__(self, database: Database, query: str, rowids: array[int], made: Callable[[Row], Record]) -> None:
        self._database = database
        self._query = query
        self._rowids = rowids
        self._made = made
        self._page: tuple[int, list[Record]] = (-1, [])

    def __len__(self) -> int:
        return len(self._rowids)

    @overload
    def __getitem__(self, at: int) -> Record: ...

    @overload
    def __getitem__(self, at: slice) -> list[Record]: ...

    def __getitem__(self, at: int | slice) -> Record | list[Record]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        row = at + len(self) if at < 0 else at
        if not 0 <= row < len(self):
            raise IndexError(f"row {at} of {len(self)}")
        number, place = divmod(row, _PAGE)
        page = self._page  # one name for both: another thread may read another page meanwhile
        if page[0] != number:
            page = self._page = (number, self._read(number))
        return page[1][place]

    def _read(self, number: int) -> list[Record]:
        first = self._rowids[number * _PAGE]
        with self._database.connect() as connection:
            return [self._made(row) for row in connection.execute(self._query, (first, _PAGE))]


class SqliteStore:
    """An open database, one of ours or of another program. Raises `InspectorError` if it cannot be read."""

    def __init__(self, path: Path, progress: Progress) -> None:
        self.path = path
        self._size = path.stat().st_size
        self._database = Database(path, part(progress, 0, 0.3))
        try:
            with self._database.connect(part(progress, 0.3, 0.7)) as connection:
                self._ours = connection.execute("PRAGMA application_id").fetchone()[0] == _ID
                self._tables: dict[str, str] = {}
                self.collections: Sequence[CollectionInfo] = [
                    self._entry(connection, name, table, kind) for name, table, kind in self._listed(connection)
                ]
        except BaseException:
            self._database.close()
            raise
        about = f"a SQLite database with {len(self.collections)} tables"
        how = "the application id of Inspector" if self._ours else "no mark of Inspector"
        self.info = StoreInfo("sqlite", "none", self._size, (about, how), decoded_size=self._size)

    def _listed(self, connection: sqlite3.Connection) -> list[tuple[str, str, Kind]]:
        there = table_names(connection)
        if not self._ours:
            return [(name, name, "table") for name in there]
        query = f"SELECT name, table_name, kind FROM main.{_LIST} ORDER BY rowid"
        known = connection.execute(query).fetchall() if _LIST in there else []
        return [
            (_value_text(name), str(table), "document" if kind == "document" else "table")
            for name, table, kind in known
            if table in there
        ]

    def _entry(self, connection: sqlite3.Connection, name: str, table: str, kind: Kind) -> CollectionInfo:
        self._tables[name] = table
        size = "total(length(CAST(value AS BLOB)))" if self._ours else "0"
        count, stored = connection.execute(f"SELECT count(*), {size} FROM main.{quoted(table)}").fetchone()
        return CollectionInfo(name, name, kind, int(count), int(stored))

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Return the records of one table, read in pages when asked for. Slow. Raises `InspectorError`."""
        if name not in self._tables:
            known = ", ".join(self._tables) or "none"
            raise InspectorError(f"{self.path.name} has no table {name!r}; it has {known}.")
        table = quoted(self._tables[name])
        with self._database.connect(progress) as connection:
            columns = _columns(connection, self._tables[name])
            rowid = next((word for word in ("rowid", "_rowid_", "oid") if word not in map(str.lower, columns)), None)
            chosen = ["key", "value"] if self._ours else columns
            if self._ours and not {"key", "value"} <= set(columns):
                raise InspectorError(f"{self.path.name}: table {name!r} has no columns key and value; was it changed?")
            listed = ", ".join(map(quoted, chosen)) or "NULL"
            made = _our_record if self._ours else _Foreign(chosen)
            if rowid is None or not _has_rowids(connection, table, rowid):
                rows = connection.execute(f"SELECT NULL, {listed} FROM main.{table}")
                return [made((number, *row[1:])) for number, row in enumerate(track(rows, progress), 1)]
            found = connection.execute(f"SELECT {rowid} FROM main.{table} ORDER BY {rowid}")
            rowids = array("q", (row[0] for row in track(found, progress)))
        query = f"SELECT {rowid}, {listed} FROM main.{table} WHERE {rowid} >= ? ORDER BY {rowid} LIMIT ?"
        return _Rows(self._database, query, rowids, made)

    def history(self, name: str, progress: Progress) -> None:
        """Return None: this format keeps no history."""

    def close(self) -> None:
        """Remove the private copy."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the stored columns of a table; generated ones are left out, for no expression of the file is run."""
    rows = connection.execute(f"PRAGMA main.table_xinfo({quoted(table)})").fetchall()
    return [str(row[1]) for row in rows if row[6] == 0]


def _has_rowids(connection: sqlite3.Connection, table: str, rowid: str) -> bool:
    import sqlite3

    try:
        connection.execute(f"SELECT {rowid} FROM main.{table} LIMIT 0")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:  # SQLite's code for a column that is not there
            raise
        return False
    return True


def _our_record(row: Row) -> Record:
    _, key, value = row
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
    return Record(_value_text(key), raw=raw)


class _Foreign:
    """Makes a record of a row of another program's table with these *columns*."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def __call__(self, row: Row) -> Record:
        return Record(str(row[0]), dict(zip(self._columns, row[1:], strict=False)))


class Sqlite:
    """The backend of SQLite databases that other programs read."""

    id = "sqlite"
    label = "SQLite"
    suffixes = (".sqlite", ".sqlite3")
    reads = True
    writes = True
    keeps_history = False
    is_export = True
    codecs = ("none",)
    default_codec = "none"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether *path* is a SQLite database with our application id."""
        ours = head.startswith(MAGIC) and head[_ID_AT] == _ID.to_bytes(4, "big")
        return Evidence(("a SQLite database with the application id of Inspector",)) if ours else None

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open *path*. Raises `InspectorError` if it is no SQLite database or damaged."""
        return SqliteStore(path, progress)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write all of *source* to the empty or new file *path*. Slow. Raises `InspectorError`, OSError."""
        import sqlite3

        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                for statement in (f"PRAGMA application_id = {_ID}", *_UNGUARDED, "BEGIN"):
                    connection.execute(statement)
                _fill(connection, source, progress)
                connection.execute("COMMIT")
        except DecodeError as error:
            raise unreadable(source, error) from error
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path)) from error
            raise InspectorError(f"{source.path.name} cannot be written as SQLite: SQLite says {error}.") from error

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return histories that are dropped; everything else is kept."""
        return history_losses(source)

    def promised(self, source: Store, progress: Progress) -> Store:
        """Return *source*: names, kinds, keys and values come back as they are."""
        return source

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens a file that was written."""
        return ("the sqlite3 program, DB Browser for SQLite, Datasette and any reader of SQLite",)


def _fill(connection: sqlite3.Connection, source: Store, progress: Progress) -> None:
    connection.execute(f"CREATE TABLE {_LIST} (name TEXT NOT NULL, table_name TEXT NOT NULL, kind TEXT NOT NULL)")
    used = {_folded(name) for name in _RESERVED}
    entries = loaded(source, part(progress, 0, 0.3))
    for number, (entry, records) in enumerate(entries):
        table = _table_name(entry.name, used)
        row = (_text_value(entry.name), table, entry.kind)
        connection.execute(f"INSERT INTO {_LIST} VALUES (?, ?, ?)", row)
        connection.execute(f"CREATE TABLE {quoted(table)} (key TEXT NOT NULL, value TEXT NOT NULL)")
        share = part(progress, 0.3 + 0.7 * number / len(entries), 0.7 / len(entries))
        rows = _pairs(track(records, share, len(records)))
        connection.executemany(f"INSERT INTO {quoted(table)} VALUES (?, ?)", rows)


def _pairs(records: Iterator[Record]) -> Iterator[tuple[str | bytes, str]]:
    for record in records:
        yield _text_value(record.key), _exact(record)


BACKEND = Sqlite()
