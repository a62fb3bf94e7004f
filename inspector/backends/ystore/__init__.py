"""Stores of CRDT updates in SQLite: pycrdt-store, pycrdt-websocket, ypy-websocket, every generation."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from inspector.model import Backend, Codec, Decoder, Evidence, Finding, InspectorError, Loss, Record, Saver, Store
from inspector.progress import Progress

_MAGIC = b"SQLite format 3\0"
_CREATE = re.compile(rb"CREATE\s+TABLE\s+[\"'`\[]?yupdates\b", re.IGNORECASE)
_EVIDENCE = Evidence(("a SQLite database with a table yupdates",))
_SMALLEST = 512  # bytes of the smallest SQLite page


class YStoreBackend:
    """Reads every generation, writes the newest (that of pycrdt-store 0.1.5)."""

    id = "ystore"
    label = "pycrdt ystore"
    suffixes: tuple[str, ...] = (".ystore.db", ".db")
    reads = True
    writes = True
    keeps_history = True
    codecs: tuple[str, ...] = ("none", "zlib", "gzip", "bz2", "lzma", "lz4", "zstd", "brotli", "blosc2")
    default_codec = "none"
    compress_codec = "none"
    saving = "Save: one update with the changed records whole, in a transaction that waits for the disk."

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether *path* is a SQLite database with a table ``yupdates``, by its schema; views do not count."""
        if not head.startswith(_MAGIC):
            return None
        from inspector.backends.ystore import salvage

        schema = salvage.schema(head[: salvage.page_size(head)])
        if any(kind == "table" and name.lower() == "yupdates" for kind, name, _, _ in schema or ()):
            return _EVIDENCE
        if schema is not None and not _has_sides(path):
            return None
        return _EVIDENCE if _asks_sqlite(path, head) else None

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open *path*. Raises `InspectorError` if it is no ystore or nothing in it can be read."""
        from inspector.backends.ystore.store import YStore

        return YStore(path, codec, progress)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write the newest generation, every row with *codec*, updates byte for byte."""
        from inspector.backends.ystore import writer

        writer.write_ystore(path, source, codec, progress)

    def saver(self, path: Path) -> Saver:
        """Return what adds each save as one update to a new ystore. Raises `InspectorError`."""
        from inspector.backends.ystore.saver import YStoreSaver

        return YStoreSaver(path)

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return what a ystore cannot hold of *source*."""
        from inspector.backends._crdt import writing

        return writing.losses(source, progress)

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens a store written with *codec*."""
        if codec.id == "none":
            return ("unchanged Jupyter (jupyter-collaboration with pycrdt-store 0.1.3–0.1.5)",)
        return ("Jupyter with the configuration that `inspector jupyter-config` prints",)

    def check(self, store: Store, progress: Progress) -> Iterable[Finding]:
        """Look at every row for known faults. Slow."""
        from inspector.backends.ystore import check
        from inspector.backends.ystore.store import YStore

        return check.check(store, progress) if isinstance(store, YStore) else ()

    def compress_note(self, codec: Codec) -> str | None:
        """Say what compressed rows mean for Jupyter; nothing for plain ones."""
        if codec.id == "none":
            return None
        return (
            "Unchanged Jupyter ignores compressed rows; `inspector jupyter-config` prints the configuration with which "
            "a server opens them."
        )

    def configuration(self, store: Store) -> str:
        """Return a ``jupyter_server_config.py`` that opens *store*."""
        from inspector.backends.ystore import jupyter

        return jupyter.configuration(store)

    def native(self) -> Backend:
        """Return a backend that writes tables as CRDT values."""
        return _NativeYStore()

    def explain(self, path: Path, head: bytes) -> str | None:
        """Name a SQLite database that is no ystore by its tables."""
        if not head.startswith(_MAGIC):
            return "an empty file" if not head else None
        if len(head) < _SMALLEST:
            return f"a SQLite database that is cut off after {len(head)} bytes"
        from inspector.backends._sqlite import Database, table_names
        from inspector.backends.ystore.layouts import foreign

        try:
            with Database(path) as database, database.connect() as connection:
                return foreign(table_names(connection))
        except (InspectorError, OSError):
            return "a SQLite database that SQLite itself cannot read"


class _NativeYStore(YStoreBackend):
    """Writes tables as CRDT values, which other programs can work on."""

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write the newest generation, tables as CRDT values."""
        from inspector.backends._crdt import writing
        from inspector.backends.ystore import writer

        writer.write_ystore(path, source, codec, progress, writing.NATIVE)

    def carried(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return *records* as a reader of the result sees them."""
        from inspector.backends._crdt import native

        return native.native_carried(records)

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return what CRDT values cannot hold of *source*."""
        from inspector.backends._crdt import writing

        return writing.losses(source, progress, writing.NATIVE)


def _has_sides(path: Path) -> bool:
    from inspector.backends._sqlite import SIDES

    try:
        real = Path(os.path.realpath(path))
        return any(real.with_name(real.name + side).exists() for side in SIDES)
    except (OSError, ValueError):
        return False


def _asks_sqlite(path: Path, head: bytes) -> bool:
    """Say whether the schema has the table, where the first page alone does not tell."""
    from inspector.backends._sqlite import Database
    from inspector.backends.ystore.layouts import read_layout

    try:
        with Database(path) as database, database.connect() as connection:
            read_layout(connection, path)
    except (InspectorError, OSError):
        return _CREATE.search(head) is not None
    return True


BACKEND = YStoreBackend()
