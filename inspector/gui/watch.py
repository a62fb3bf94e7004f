"""Notices when another program changes an open store: folder and file are watched, signatures decide."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from inspector import files
from inspector.gui.settings import on_network
from inspector.gui.shell import OpenStore
from inspector.model import InspectorError

SETTLE = 300
"""Milliseconds without a further event before a file is looked at: writers make several."""

_SIDES = ("", "-wal", "-journal")
"""The file itself and what SQLite writes beside it before the file changes."""

Mark = tuple[files.Signature | None, ...]


def mark(path: Path) -> Mark:
    """Return what tells this state of *path* from the next; a part is None where there is no such file."""
    return tuple(_signature(path.with_name(path.name + side)) for side in _SIDES)


def _signature(path: Path) -> files.Signature | None:
    try:
        return files.signature(path)
    except InspectorError:
        return None


class StoreWatch(QObject):
    """Emits a store's ``changed_on_disk`` once for each change that came to rest.

    Files on other computers are not watched: asking for them could block the window.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._known: dict[str, tuple[OpenStore, Mark]] = {}
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE)
        self._settle.timeout.connect(self._look)
        self._watcher.fileChanged.connect(self._settle.start)
        self._watcher.directoryChanged.connect(self._settle.start)

    def add(self, store: OpenStore, opened: Mark) -> None:
        """Watch *store*, whose file had the mark *opened* before it was read."""
        if on_network(str(store.path)):
            return
        self._known[store.key] = (store, opened)
        self._follow(store.path)
        # A change between the reading and this line came too early for the watcher.
        self._settle.start()

    def remove(self, store: OpenStore) -> None:
        """Stop watching *store*."""
        if self._known.pop(store.key, None) is None:
            return
        keep = {name for other, _ in self._known.values() for name in _names(other.path)}
        gone = [name for name in _names(store.path) if name not in keep]
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if unused := [name for name in gone if name in watched]:
            self._watcher.removePaths(unused)

    def _look(self) -> None:
        for key, (store, before) in list(self._known.items()):
            now = mark(store.path)
            # A file that was replaced has lost its watch.
            self._follow(store.path)
            if now != before:
                self._known[key] = (store, now)
                store.changed_on_disk.emit()

    def _follow(self, path: Path) -> None:
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if new := [name for name in _names(path) if name not in watched and Path(name).exists()]:
            self._watcher.addPaths(new)


def _names(path: Path) -> list[str]:
    return [str(path.parent), *(str(path.with_name(path.name + side)) for side in _SIDES)]
