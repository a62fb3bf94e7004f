"""Writes ystores of the newest generation, as pycrdt-store 0.1.5 creates them, from any source."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.backends._crdt.crossing import sound
from inspector.backends._crdt.writing import EXACT, Crossing, stored_updates
from inspector.model import Codec, CollectionInfo, InspectorError, Store, Stored
from inspector.progress import REPORT_EVERY, Progress, part, track

if TYPE_CHECKING:
    import sqlite3

CREATION = (
    "PRAGMA auto_vacuum = FULL",
    "VACUUM",
    "CREATE TABLE yupdates (path TEXT NOT NULL, yupdate BLOB, metadata BLOB, timestamp REAL NOT NULL)",
    "CREATE INDEX idx_yupdates_path_timestamp ON yupdates (path, timestamp)",
    "CREATE TABLE ycheckpoints (path TEXT NOT NULL, checkpoint BLOB NOT NULL, timestamp REAL NOT NULL, "
    "PRIMARY KEY(path))",
    "PRAGMA user_version = 2",
)
"""The statements of pycrdt-store 0.1.5 (``pycrdt/store/sqlite.py``, ``_init_db``), in its order."""

_UNGUARDED = ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE")
"""The target is a temporary file that is thrown away on any error and synced by the caller. None of these is kept."""

# a path that is not UTF-8 can only be given as bytes
_INSERT = "INSERT INTO yupdates VALUES (CAST(? AS TEXT), ?, ?, ?)"

_CHUNK_BYTES, _CHUNK_ROWS = 256 << 10, 500
"""Rows that are encoded in one go: a task for each would cost more than its encoding."""

Row = tuple[Stored, bytes | None]
"""An update and what is written for it."""


def write_ystore(path: Path, source: Store, codec: Codec, progress: Progress, way: Crossing = EXACT) -> None:
    """Write all of *source* to the empty or new file *path*, documents in order and updates in theirs.

    Updates are copied as bytes and encoded with *codec*; where that makes a row no smaller it stays plain. What
    cannot be decoded is carried as it is. Checkpoints are left out: they are only a cache.
    Raises `InspectorError`, and OSError where the disk is full.
    """
    import sqlite3

    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in (*CREATION, *_UNGUARDED, "BEGIN"):
                connection.execute(statement)
            collections = source.collections
            for number, info in enumerate(collections):
                share = 1 / len(collections)
                step = part(progress, number * share, share)
                updates = stored_updates(source, info, part(step, 0.0, 0.5), way)
                _write_document(connection, info, updates, codec=codec, progress=part(step, 0.5, 0.5))
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path)) from error
        raise InspectorError(f"{source.path.name} cannot be written as a ystore: SQLite says {error}.") from error


def _write_document(
    connection: sqlite3.Connection,
    info: CollectionInfo,
    updates: Iterable[Stored],
    *,
    codec: Codec,
    progress: Progress,
) -> None:
    name = path_value(info.name)
    rows = encoded(updates, codec, progress=progress, total=info.versions)
    for row, value in track(rows, progress, info.versions):
        connection.execute(_INSERT, (name, value, row.metadata, row.time))


def path_value(name: str) -> str | bytes:
    """Return a document's name as SQLite takes it: bytes where it is a stored path that is not UTF-8.

    Readers show such bytes as lone surrogates (``surrogateescape``). Other lone surrogates, which only the name of
    a table can hold, become U+FFFD.
    """
    with suppress(UnicodeEncodeError):
        name.encode()
        return name
    with suppress(UnicodeEncodeError):
        return name.encode("utf-8", "surrogateescape")
    return sound(name)


def encoded(updates: Iterable[Stored], codec: Codec, *, progress: Progress, total: int | None = None) -> Iterator[Row]:
    """Yield each update with what is written for it, encoded by one thread a processor, in order.

    At most two chunks a thread are in memory. *progress* is called while one long row keeps everyone waiting.
    """
    if codec.id == "none":
        yield from ((row, row.blob if row.data is None else row.data) for row in updates)
        return
    threads = os.cpu_count() or 1
    pool = ThreadPoolExecutor(threads)
    running: deque[Future[list[Row]]] = deque()
    chunks = _chunks(updates)
    done = 0
    try:
        while True:
            while len(running) < 2 * threads and (chunk := next(chunks, None)):
                running.append(pool.submit(_encode, chunk, codec))
            if not running:
                return
            while not wait((running[0],), REPORT_EVERY).done:
                progress(done, total)
            rows = running.popleft().result()
            done += len(rows)
            yield from rows
    finally:
        pool.shutdown(cancel_futures=True)


def _chunks(updates: Iterable[Stored]) -> Iterator[list[Stored]]:
    chunk: list[Stored] = []
    size = 0
    for row in updates:
        chunk.append(row)
        size += len(row.data or b"")
        if size >= _CHUNK_BYTES or len(chunk) >= _CHUNK_ROWS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _encode(chunk: list[Stored], codec: Codec) -> list[Row]:
    return [(row, row.blob if row.data is None else _smaller(row.data, codec)) for row in chunk]


def _smaller(data: bytes, codec: Codec) -> bytes:
    coded = codec.encode(data)
    return coded if len(coded) < len(data) else data
