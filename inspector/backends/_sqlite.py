"""Opens SQLite files without changing them: in place where that leaves no trace, else a private copy."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from inspector import files
from inspector.model import InspectorError, StoreChanged
from inspector.progress import REPORT_EVERY, Progress, silent

if TYPE_CHECKING:
    import sqlite3

MAGIC = b"SQLite format 3\0"
SIDES = ("-wal", "-journal")

COPY_LIMIT = 256 << 20
"""Largest file that is copied only to spare its access time; larger ones are read in place."""

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
_ROLLBACK_MODE = b"\1\1"
_BUSY_SECONDS = 2.0
_BEAT_STEPS = 2000  # SQLite instructions between two looks at the clock: a millisecond where pages must be read
_ACCESS_TIME_AGE = 24 * 3600  # relatime moves an access time that is older than a day


class Damaged(InspectorError):
    """SQLite finds the file malformed; what is readable must be salvaged page by page."""


class Database:
    """A SQLite file, open for reading: the file itself, or a private copy of it with its side files.

    A copy is taken where SQLite would leave or need side files (a journal, WAL mode), and where reading in place
    would move the access time. No connection is kept: each `connect` opens one and closes it.
    Raises `InspectorError` if the file cannot be reached.
    """

    def __init__(self, path: Path, progress: Progress = silent, *, instead: Path | None = None) -> None:
        """Open *path*; with *instead* read that private file, but speak of *path* in messages."""
        self.path = path
        self._real = Path(os.path.realpath(path))  # side files lie beside the file, not beside a link to it
        self._signature = files.signature(self._real)
        copies = instead is None and _needs_copy(self._real)
        self._copy = files.PrivateCopy(self._real, SIDES, progress) if copies else None
        if self._copy:
            _forget_super_journal(self._copy.path)
        self._private = self._copy.path if self._copy else instead

    @property
    def readable(self) -> Path:
        """The file that is read: the original or a private one."""
        return self._private or self._real

    @contextmanager
    def connect(self, progress: Progress = silent) -> Iterator[sqlite3.Connection]:
        """Yield a connection for some queries, during which *progress* is called.

        SQLite's errors become `InspectorError`, `Damaged` where the file is malformed, `StoreChanged` where another
        program changed it meanwhile.
        """
        import sqlite3

        if self._private is None and files.signature(self._real) != self._signature:
            raise StoreChanged(f"{self.path} was changed by another program since it was opened; open it again.")
        heart = _Heart(progress)
        mode = "rw" if self._private else "ro"  # a hot journal is rolled back in the copy, which takes writing
        uri = f"{self.readable.absolute().as_uri()}?mode={mode}"
        connection = None
        try:
            connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
            connection.text_factory = _text
            connection.set_progress_handler(heart.beat, _BEAT_STEPS)
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA cell_size_check=ON")
            yield connection
        except (sqlite3.Error, MemoryError, UnicodeDecodeError) as error:
            if heart.stopped:
                raise heart.stopped from None
            raise _sentence(self.path, error) from error
        finally:
            if connection is not None:
                connection.close()

    def close(self) -> None:
        """Remove the private copy."""
        if self._copy:
            self._copy.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class _Heart:
    """Calls a progress while SQLite works, and keeps the wish to stop until SQLite has returned."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._due = time.monotonic() + REPORT_EVERY
        self.stopped: BaseException | None = None

    def beat(self) -> int:
        """Return 1 to stop the query."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + REPORT_EVERY
            try:
                self._progress(0, None)
            except BaseException as reason:  # `Cancelled`, or Ctrl-C; SQLite would make an error of its own of it
                self.stopped = reason
                return 1
        return 0


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _needs_copy(path: Path) -> bool:
    if any(path.with_name(path.name + side).exists() for side in SIDES):
        return True
    if files.read_head(path, 100)[18:20] != _ROLLBACK_MODE:
        return True
    return path.stat().st_size <= COPY_LIMIT and _would_move_access_time(path)


def _would_move_access_time(path: Path) -> bool:
    """Say whether a plain read moves the access time, by the mount's rule (``man 8 mount``, relatime)."""
    if not hasattr(os, "ST_NOATIME"):
        return True
    flags = os.statvfs(path).f_flag
    if flags & (os.ST_NOATIME | os.ST_RDONLY):
        return False
    status = path.stat()
    fresh = status.st_atime > max(status.st_mtime, status.st_ctime) and time.time() - status.st_atime < _ACCESS_TIME_AGE
    return not (flags & os.ST_RELATIME and fresh)


def _forget_super_journal(copy: Path) -> None:
    """Make SQLite treat a copied journal as one of its own.

    A journal of a transaction over several files ends with the name of a super-journal, which SQLite looks up and
    may delete after rolling back (https://sqlite.org/atomiccommit.html); that file is not ours.
    """
    journal = copy.with_name(copy.name + "-journal")
    if not journal.exists():
        return
    with open(journal, "r+b") as handle:
        size = handle.seek(0, os.SEEK_END)
        if size >= 2 * len(_JOURNAL_MAGIC):
            handle.seek(size - len(_JOURNAL_MAGIC))
            if handle.read() == _JOURNAL_MAGIC:
                handle.seek(size - len(_JOURNAL_MAGIC))
                handle.write(bytes(len(_JOURNAL_MAGIC)))


def _sentence(path: Path, error: Exception) -> InspectorError:
    import sqlite3

    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        holders = ", ".join(files.open_by(path)) or "another program"
        return InspectorError(f"{path} is locked by {holders}; close it there or try again when it pauses.")
    if code == sqlite3.SQLITE_READONLY:
        return StoreChanged(f"{path} is being written by another program; open it again when that program pauses.")
    garbled = isinstance(error, UnicodeDecodeError)  # SQLite's message quotes damaged text
    if garbled or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        reason = "the schema cannot be read" if garbled else f"SQLite says {str(error)!r}"
        return Damaged(f"{path} is damaged: {reason}; `inspector repair` recovers what is readable.")
    return InspectorError(f"{path} cannot be read as a SQLite database: {error}.")


def quoted(name: str) -> str:
    """Return *name* as SQL writes an identifier."""
    return '"' + name.replace('"', '""') + '"'


def table_names(connection: sqlite3.Connection) -> list[str]:
    """Return the names of ordinary tables, in order of creation; views and virtual tables are none."""
    rows = connection.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'table'")
    return [
        name
        for name, sql in rows
        if isinstance(name, str)
        and not name.startswith("sqlite_")
        and not str(sql).lstrip().upper().startswith("CREATE VIRTUAL")
    ]


def stored_columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    """Return the stored columns with their types; computed ones are left out, for no expression of the file is run."""
    rows = connection.execute(f"PRAGMA main.table_xinfo({quoted(table)})").fetchall()
    return {str(row[1]).lower(): str(row[2]) for row in rows if row[6] == 0}


def number(connection: sqlite3.Connection, pragma: str) -> int:
    """Return the value of a PRAGMA that is a whole number."""
    row: Any = connection.execute(f"PRAGMA main.{pragma}").fetchone()
    return int(row[0]) if row else 0
