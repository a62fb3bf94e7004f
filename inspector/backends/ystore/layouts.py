"""Tells the generations of ystore apart by their schema.

Makers and schemas were measured with files of the real packages: ypy-websocket 0.1.10 to 0.12.4, pycrdt-websocket
0.12.4 to 0.15.5, pycrdt-store 0.1.0 to 0.1.5. All of them keep a table ``yupdates`` with ``path`` and ``yupdate``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.backends._sqlite import number, stored_columns, table_names
from inspector.model import InspectorError

if TYPE_CHECKING:
    import sqlite3

CURRENT_VERSION = 2
"""``user_version`` that pycrdt-store expects; it moves a file with another one aside and starts anew."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One generation of ystore: what its table holds and who writes it so.

    *metadata*, *timestamp*: these columns exist. *pairs*: every update row is followed by a metadata row
    (ypy-websocket 0.2 to 0.4), which only the rows themselves tell. *maker* is None for schemas nobody wrote.
    """

    metadata: bool
    timestamp: bool
    checkpoints: bool
    user_version: int
    auto_vacuum: int
    pairs: bool = False

    @property
    def maker(self) -> str | None:
        """The packages that write this generation."""
        if self.user_version == CURRENT_VERSION and self.timestamp:
            if self.checkpoints:
                return "pycrdt-store 0.1.3–0.1.5"
            if self.auto_vacuum:
                return "pycrdt-store 0.1.1–0.1.2"
            return "ypy-websocket 0.8–0.12, pycrdt-websocket 0.12–0.15 or pycrdt-store 0.1.0"
        if self.user_version == 1 and self.timestamp:
            return "ypy-websocket 0.7"
        if self.user_version:
            return None
        if self.timestamp:
            return "ypy-websocket 0.6"
        if self.metadata:
            return "ypy-websocket 0.5"
        return "ypy-websocket 0.2–0.4" if self.pairs else "ypy-websocket 0.1.10–0.1.13"

    def with_pairs(self, pairs: bool) -> Layout:
        """Return this layout with *pairs* decided."""
        return replace(self, pairs=pairs)


def read_layout(connection: sqlite3.Connection, path: Path) -> Layout:
    """Return the generation of an open database. Raises `InspectorError` if it is no ystore."""
    tables = {name.lower() for name in table_names(connection)}
    columns = stored_columns(connection, "yupdates") if "yupdates" in tables else {}
    if not {"path", "yupdate"} <= columns.keys():
        raise InspectorError(
            f"{path} is {foreign(sorted(tables))}, not a ystore: no table yupdates with path and yupdate; "
            "name the store that the server wrote."
        )
    if not _has_rowids(connection):
        raise InspectorError(
            f"{path} keeps its updates in a table WITHOUT ROWID, as no server does, so their order is not known; "
            "copy the rows into a table that a server made."
        )
    checkpoints = stored_columns(connection, "ycheckpoints") if "ycheckpoints" in tables else {}
    return Layout(
        metadata="metadata" in columns,
        timestamp="timestamp" in columns,
        checkpoints={"path", "checkpoint", "timestamp"} <= checkpoints.keys(),
        user_version=number(connection, "user_version"),
        auto_vacuum=number(connection, "auto_vacuum"),
    )


def _has_rowids(connection: sqlite3.Connection) -> bool:
    import sqlite3

    try:
        connection.execute("SELECT _rowid_ FROM main.yupdates LIMIT 0")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:  # SQLite's code for a column that is not there
            raise
        return False
    return True


def foreign(tables: list[str]) -> str:
    """Return what a SQLite database without a ystore's table is, by its tables, as one clause."""
    known = {name.lower() for name in tables}
    if not known:
        return "a SQLite database without tables"
    if known == {"documents"}:
        return "a SQLite database of another program (table documents, as hocuspocus writes it)"
    if known == {"files"}:
        return "a SQLite database of another program (table Files, as Jupyter's file_id_manager.db has it)"
    shown = ", ".join(tables[:5]) + (" …" if len(tables) > 5 else "")
    return f"a SQLite database of another program ({'table' if len(tables) == 1 else 'tables'} {shown})"
