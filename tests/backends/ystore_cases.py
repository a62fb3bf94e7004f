"""Golden ystores, stores made on the spot, and what a replay by pycrdt alone says they hold."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pycrdt

from inspector import registry
from inspector.backends.ystore import BACKEND
from inspector.backends.ystore.store import YStore
from inspector.model import Finding, Stored
from inspector.progress import silent

GOLDEN = Path(__file__).parents[1] / "golden" / "ystore"
FILE = ".file:5f0c3e1a-7d4b-4a43-9d0b-3f1f5a2f6c11.y"
NOTEBOOK = ".notebook:0b1f7c1e-3d55-4c39-b0c1-7a1c6f8f0a01.y"
NEWEST = (
    "CREATE TABLE yupdates (path TEXT NOT NULL, yupdate BLOB, metadata BLOB, timestamp REAL NOT NULL)",
    "CREATE INDEX idx_yupdates_path_timestamp ON yupdates (path, timestamp)",
    "CREATE TABLE ycheckpoints (path TEXT NOT NULL, checkpoint BLOB NOT NULL, timestamp REAL NOT NULL, "
    "PRIMARY KEY(path))",
    "PRAGMA user_version = 2",
)

Row = tuple[Any, Any, Any, Any]


def golden(name: str) -> Path:
    return GOLDEN / f"{name}.ystore.db"


def copied(name: str, folder: Path) -> Path:
    """A copy of a golden store with its side files."""
    for source in GOLDEN.glob(f"{name}.ystore.db*"):
        shutil.copyfile(source, folder / source.name)
    return folder / f"{name}.ystore.db"


def jupyter_store(folder: Path) -> Path:
    """A copy of the store of a real Jupyter server, with its table of file names."""
    for source in (GOLDEN / "jupyter").iterdir():
        shutil.copyfile(source, folder / source.name)
    return folder / ".jupyter_ystore.db"


def opened(path: Path) -> YStore:
    store = BACKEND.open(path, registry.decoder(), silent)
    assert isinstance(store, YStore)
    return store


def recognised(path: Path) -> bool:
    return BACKEND.recognises(path, path.read_bytes()[:65536]) is not None


def updates_of(path: Path) -> dict[str, list[bytes | None]]:
    with opened(path) as store:
        return {info.name: [one.data for one in store.stored_updates(info.name)] for info in store.collections}


def checked(path: Path) -> list[Finding]:
    with opened(path) as store:
        return [*store.info.findings, *BACKEND.check(store, silent)]


def codes(findings: Iterable[Finding]) -> list[str]:
    return sorted({finding.code for finding in findings})


def replayed_text(stored: Sequence[Stored], root: str = "source") -> str:
    doc: pycrdt.Doc[Any] = pycrdt.Doc()
    for one in stored:
        if one.data is not None:
            doc.apply_update(one.data)
    return str(doc.get(root, type=pycrdt.Text))


def typed(*texts: str, client: int = 9) -> list[bytes]:
    """Updates that append *texts* to a document's source."""
    doc: pycrdt.Doc[Any] = pycrdt.Doc(client_id=client)
    source = doc.get("source", type=pycrdt.Text)
    made: list[bytes] = []
    doc.observe(lambda event: made.append(event.update))
    for text in texts:
        source += text
    return made


def make(path: Path, rows: Iterable[Row], schema: Sequence[str] = NEWEST, columns: int = 4) -> Path:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in schema:
            connection.execute(statement)
        marks = ", ".join("?" * columns)
        connection.executemany(f"INSERT INTO yupdates VALUES ({marks})", [row[:columns] for row in rows])
    return path


def snapshot(folder: Path) -> dict[str, tuple[bytes, int, int, int]]:
    """Names, bytes, size and times of all files, and the folder's own mtime, taken without touching access times."""
    found = {}
    for path in sorted(folder.iterdir()):
        status = os.stat(path)
        handle = os.open(path, os.O_RDONLY | os.O_NOATIME)
        with os.fdopen(handle, "rb") as file:
            found[path.name] = (file.read(), status.st_mtime_ns, status.st_atime_ns, status.st_ctime_ns)
    status = os.stat(folder)
    found["."] = (b"", status.st_mtime_ns, 0, status.st_ctime_ns)
    return found
