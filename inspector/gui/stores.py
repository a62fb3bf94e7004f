"""The stores that are open: opening files and folders in tasks, reloading, closing, remembering them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector.gui.settings import Recent, Settings
from inspector.gui.shell import OpenStore
from inspector.gui.tasks import Job, TaskRunner
from inspector.gui.watch import Mark, StoreWatch, mark
from inspector.model import InspectorError, Store
from inspector.progress import Progress

MOST_IN_FOLDER = 100
"""Most stores that one folder opens at once."""

AT_ONCE = 2
"""Stores of a folder that are opened at the same time."""


def _open(progress: Progress, path: Path, format: str | None) -> tuple[Mark, Store]:
    """Open *path* and say what its state on disk was before."""
    from inspector.operations.open import open_store

    before = mark(path)
    return before, open_store(path, format=format, progress=progress)


def stores_in(progress: Progress, folder: Path) -> list[Path]:
    """Return the files below *folder* that a backend takes for its own, in order, hidden folders left out.

    Stops after one more than `MOST_IN_FOLDER`. Raises `InspectorError` if the folder cannot be listed.
    """
    found: list[Path] = []
    looked = 0

    def refuse(error: OSError) -> None:
        if Path(error.filename or "") == folder:
            raise InspectorError(f"{folder} cannot be listed: {error.strerror}; ask its owner for read access.")

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            looked += 1
            progress(looked, None)
            if _is_store(path := Path(place, name)):
                found.append(path)
                if len(found) > MOST_IN_FOLDER:
                    return found
    return found


def _is_store(path: Path) -> bool:
    from inspector.operations.open import recognise

    try:
        recognise(path)
    except InspectorError:
        return False
    return True


class Stores(QObject):
    """Owns every open store and the recent list; all slow work runs in tasks.

    A store opens under its absolute path; opening it again only emits `found`.
    """

    opened = Signal(object)
    """A new `OpenStore`."""
    found = Signal(object)
    """An `OpenStore` that was asked for and is open already."""
    failed = Signal(object, str)
    """Path, and the sentence that says why it does not open."""
    closed = Signal(object)
    """An `OpenStore` that is no longer open; its file handles are gone when the slots return."""
    reloaded = Signal(object)
    """An `OpenStore` whose ``store`` shows the file as it is now."""
    cut = Signal(object, int)
    """A folder with more stores than were opened, and how many were."""

    def __init__(self, runner: TaskRunner, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._settings = settings
        self._open: dict[str, OpenStore] = {}
        self._opening: set[str] = set()
        # Pages read from the store they were filled from until they have filled themselves anew.
        self._retired: dict[str, Store] = {}
        self._waiting: list[Path] = []
        self._watch = StoreWatch(self)

    def all(self) -> list[OpenStore]:
        """Return the open stores in the order of their opening."""
        return list(self._open.values())

    @property
    def busy(self) -> bool:
        """True while a store or folder is on its way."""
        return bool(self._opening or self._waiting)

    def find(self, path: Path) -> OpenStore | None:
        """Return the open store of this file."""
        return self._open.get(os.path.abspath(path))

    def open(self, paths: Sequence[Path], *, format: str | None = None) -> None:
        """Open files, and the stores in folders; *format* overrides recognition. Every path ends in one signal."""
        whole = [Path(os.path.abspath(path)) for path in paths]
        # Those that are open already come last: a new store is what the user wants to see.
        for path in sorted(whole, key=lambda path: str(path) in self._open):
            self._begin(path, format)

    def close(self, store: OpenStore) -> None:
        """Let go of *store*: its tasks are stopped, then its files are closed."""
        if self._open.pop(store.key, None) is None:
            return
        self._watch.remove(store)
        self._runner.release(store.key)
        self.closed.emit(store)
        self._let_go(store)

    def close_all(self) -> None:
        """Let go of everything; the tasks must have ended."""
        for store in self._open.values():
            self._watch.remove(store)
            self._let_go(store)
        self._open.clear()

    def reload(self, store: OpenStore) -> None:
        """Open the file of *store* anew and put it in the place of the old; `reloaded` or `failed` follows."""
        if store.key in self._opening:
            return
        title = self.tr("Reloading {name}").replace("{name}", store.path.name)
        self._opening.add(store.key)
        task = self._runner.run(_open, store.path, store.store.info.format, key=store.key, title=title)
        task.succeeded.connect(partial(self._replace, store))
        task.failed.connect(partial(self._fail, store.path))
        task.finished.connect(partial(self._opening.discard, store.key))

    def _begin(self, path: Path, format: str | None) -> Job | None:
        key = str(path)
        if key in self._opening:
            return None
        if (known := self._open.get(key)) is not None:
            self.found.emit(known)
            return None
        self._opening.add(key)
        title = self.tr("Opening {name}").replace("{name}", path.name or key)
        if path.is_dir():
            task = self._runner.run(stores_in, path, title=title)
            task.succeeded.connect(partial(self._take_folder, path))
        else:
            task = self._runner.run(_open, path, format, key=key, title=title)
            task.succeeded.connect(partial(self._take, path))
        task.failed.connect(partial(self._fail, path))
        task.finished.connect(partial(self._opening.discard, key))
        return task

    def _take(self, path: Path, result: tuple[Mark, Store]) -> None:
        before, store = result
        opened = OpenStore(path, store, self)
        self._open[opened.key] = opened
        self._watch.add(opened, before)
        info = store.info
        self._settings.add_recent(Recent(opened.key, info.format, info.size, time.time()))
        self.opened.emit(opened)

    def _take_folder(self, folder: Path, found: list[Path]) -> None:
        if not found:
            text = self.tr("{folder} holds no store that Inspector reads.").replace("{folder}", str(folder))
            self.failed.emit(folder, text)
            return
        if len(found) > MOST_IN_FOLDER:
            found = found[:MOST_IN_FOLDER]
            self.cut.emit(folder, MOST_IN_FOLDER)
        self._waiting += [path for path in found if path not in self._waiting]
        for _ in range(AT_ONCE):
            self._next()

    def _next(self) -> None:
        """Open the next store of a folder: a few at once, so that the window takes each in a turn of its own."""
        while self._waiting:
            task = self._begin(self._waiting.pop(0), None)
            if task is not None:
                task.finished.connect(self._next)
                return

    def _replace(self, store: OpenStore, result: tuple[Mark, Store]) -> None:
        before, new = result
        if self._open.get(store.key) is not store:
            new.close()
            return
        if (older := self._retired.pop(store.key, None)) is not None:
            older.close()
        self._retired[store.key] = store.store
        store.store = new
        self._watch.remove(store)
        self._watch.add(store, before)
        self.reloaded.emit(store)

    def _fail(self, path: Path, error: BaseException) -> None:
        if not isinstance(error, InspectorError):
            sys.excepthook(type(error), error, error.__traceback__)
            reason = self.tr("{path} cannot be opened because of a fault in Inspector: {error}.")
            self.failed.emit(path, reason.replace("{path}", str(path)).replace("{error}", repr(error)))
            return
        self.failed.emit(path, str(error))

    def _let_go(self, store: OpenStore) -> None:
        if (older := self._retired.pop(store.key, None)) is not None:
            older.close()
        store.store.close()
        store.deleteLater()
