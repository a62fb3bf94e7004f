"""Adds versions to a new ystore as a server would: one update and one synced transaction a save."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from inspector.backends._crdt.saving import SavedTable
from inspector.backends.ystore.writer import CREATION
from inspector.model import InspectorError, Record

_NAME = "table"
"""Path of the one document."""


class YStoreSaver:
    """A ystore of the newest generation with one document. Raises `InspectorError` if *path* cannot be made one."""

    def __init__(self, path: Path) -> None:
        import sqlite3

        self._table = SavedTable()
        self._path = path
        try:
            self._connection = sqlite3.connect(path, isolation_level=None)
            for statement in CREATION:
                self._connection.execute(statement)
        except sqlite3.Error as error:
            raise InspectorError(f"{path} cannot be made a ystore: SQLite says {error}.") from error

    def save(self, records: Sequence[Record]) -> None:
        """Add what changed as one row; nothing if nothing did. Raises `InspectorError`."""
        import sqlite3

        update = self._table.update(records)
        if update is None:
            return
        try:
            # one statement outside a transaction is synced before it returns
            self._connection.execute("INSERT INTO yupdates VALUES (?, ?, ?, ?)", (_NAME, update, b"", time.time()))
        except sqlite3.Error as error:
            raise InspectorError(f"{self._path} cannot take another version: SQLite says {error}.") from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
