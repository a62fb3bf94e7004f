"""Names for people of the documents in a Jupyter store.

The ``path`` column holds ``{folder}/.{type}:{file name or file id}.y`` (jupyter-server-ydoc's rooms). A file id is
resolved by the ``Files`` table of ``file_id_manager.db`` where that lies beside the store; a document whose id is
not in it is an orphan: its file was deleted or made anew. Where there is no such table, ``state["path"]`` inside the
document still names the file as it was when first opened; that takes a replay, so it is only asked for on demand.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from inspector.backends._crdt import rooms
from inspector.backends._sqlite import Database
from inspector.model import InspectorError, Record
from inspector.progress import Progress

FILES_DATABASE = "file_id_manager.db"


def labels(names: Iterable[str], files: Mapping[str, str] | None) -> dict[str, str]:
    """Return a label per document name. *files*: the Files table as id to path, None where there is none.

    Paths are shortened by the folder that all of them lie in; orphans say that their file is gone.
    """
    folder = _common_folder(files.values()) if files else ""
    found = {}
    for name in names:
        label = rooms.clean(name)
        identity = rooms.file_id(name)
        if files is not None and identity:
            path = files.get(identity)
            label = path[len(folder) :] if path else f"{label}, no longer in {FILES_DATABASE}"
        found[name] = label
    return found


def is_orphan(name: str, files: Mapping[str, str]) -> bool:
    """Say whether *name* holds a file id that the Files table does not know."""
    identity = rooms.file_id(name)
    return identity is not None and identity not in files


def read_files(store: Path, progress: Progress) -> dict[str, str] | None:
    """Return the Files table beside *store* as id to path; None if there is none that can be read."""
    path = store.with_name(FILES_DATABASE)
    if not path.is_file():
        return None
    try:
        with Database(path, progress) as database, database.connect(progress) as connection:
            rows = connection.execute("SELECT id, path FROM main.Files").fetchall()
    except InspectorError:
        return None  # a label is no reason not to open the store
    return {str(identity): path for identity, path in rows if isinstance(path, str)}


def label_from_state(records: Sequence[Record]) -> str | None:
    """Return the path that a document's own ``state`` names, from its records; None if it names none."""
    for record in records:
        if record.key == "state.path":
            return record.value if isinstance(record.value, str) and record.value else None
    return None


def _common_folder(paths: Iterable[str]) -> str:
    folders = [posixpath.dirname(path) for path in paths]
    try:
        common = posixpath.commonpath(folders) if folders else ""
    except ValueError:  # absolute and relative paths together
        return ""
    return common.rstrip("/") + "/" if common else ""
