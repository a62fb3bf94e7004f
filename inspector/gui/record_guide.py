"""Leads to one record: opens its store if it is not open, shows its table, goes to the record."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.gui.shell import OpenStore

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow


class RecordGuide(QObject):
    """Goes to the record *key* of *collection* in the file *path*, once; a store that does not open ends it."""

    def __init__(self, window: MainWindow, path: Path, collection: str, key: str) -> None:
        super().__init__(window)
        self._window = window
        self._path = Path(os.path.abspath(path))
        self._collection = collection
        self._key = key

    def go(self) -> None:
        """Show the record now, or when its store is open."""
        for store in self._window.stores:
            if store.path == self._path:
                self._show(store)
                return
        self._window.store_opened.connect(self._opened)
        self._window.store_failed.connect(self._failed)
        self._window.open_paths([self._path])

    def _opened(self, store: OpenStore) -> None:
        if store.path == self._path:
            self._show(store)

    def _failed(self, path: Path, message: str) -> None:
        if path == self._path:
            self.deleteLater()

    def _show(self, store: OpenStore) -> None:
        from inspector.gui.records_view import RecordsPage

        for entry in store.store.collections:
            if entry.name == self._collection:
                self._window.open_collection(store, entry)
                page = self._window.current_page()
                if isinstance(page, RecordsPage):
                    page.go_to_key(self._key)
        self.deleteLater()
