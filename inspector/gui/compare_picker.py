"""The sheet that asks with which store another is to be compared: open ones, recent ones, or any file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QListView

from inspector.gui.controls import Button, Label
from inspector.gui.goto import Destination, GotoModel
from inspector.gui.kinds import icon_for, label_for
from inspector.gui.recents import folder_text
from inspector.gui.sheet import Sheet
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.store_tree import ROW, RowDelegate
from inspector.gui.theme import theme

MOST_ROWS = 8
"""Stores that are seen without scrolling."""
MOST_RECENT = 8


class StoreList(QListView):
    """Stores to choose from; Enter is left to the sheet."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.setProperty("keyboard", True)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
            return
        super().keyPressEvent(event)


class ComparePicker(Sheet):
    """Asks for the store that *store* is compared with."""

    chosen = Signal(object)
    """The path of the other store."""

    def __init__(self, shell: Shell, store: OpenStore) -> None:
        window = shell.window_widget()
        title = self.tr("Compare {name} with").replace("{name}", store.path.name)
        super().__init__(window, title, width=560)
        self._store = store
        self.model = GotoModel(self)
        self.list = StoreList()
        self.list.setModel(self.model)
        self.list.setItemDelegate(RowDelegate(self.list))
        self.list.setProperty("current", True)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Stores to compare with"))
        rows = [*self._open_ones(shell.stores), *self._recent_ones(shell)]
        self.model.set_rows(rows)
        self.body.addWidget(self.list)
        if not rows:
            self.body.addWidget(Label(self.tr("No other store is open."), "name"))
        note = self.tr("Tables and documents are matched by name, records by key. The formats may differ.")
        self.body.addWidget(Label(note, "secondary", wrap=True))
        self.file = Button(self.tr("Choose a file…"), icon="folder-open", height=36)
        cancel = Button(self.tr("Cancel"), "ghost", height=36)
        self.go = Button(self.tr("Compare"), "primary", height=36)
        self.go.setEnabled(bool(rows))
        self.file.clicked.connect(self._ask)
        cancel.clicked.connect(self.cancel)
        self.go.clicked.connect(self._choose_current)
        self.list.doubleClicked.connect(lambda _: self._choose_current())
        for button in (self.file, cancel, self.go):
            self.footer.addWidget(button)
            if button is self.file:
                self.footer.addStretch(1)
        self.set_default(self.go if rows else self.file)
        self._fit(len(rows))
        if rows:
            self.list.setCurrentIndex(self.model.index(0, 0))

    def _open_ones(self, stores: Sequence[OpenStore]) -> list[Destination]:
        return [
            Destination(
                icon_for(other.store), other.path.name, folder_text(other.path), partial(self._choose, other.path)
            )
            for other in stores
            if other is not self._store
        ]

    def _recent_ones(self, shell: Shell) -> list[Destination]:
        known = {store.key for store in shell.stores}
        recents = [recent for recent in shell.settings.recents() if recent.path not in known][:MOST_RECENT]
        return [
            Destination(
                icon_for(recent.format), Path(recent.path).name, self.tr("{format}, not open").replace(
                    "{format}", label_for(recent.format)
                ), partial(self._choose, Path(recent.path)),
            )
            for recent in recents
        ]  # fmt: skip

    def _choose_current(self) -> None:
        index: QModelIndex = self.list.currentIndex()
        row = self.model.row(index)
        if row is not None:
            row.go()

    def _choose(self, path: Path) -> None:
        self.accept()
        self.chosen.emit(path)

    def _ask(self) -> None:
        title = self.tr("Compare {name} with").replace("{name}", self._store.path.name)
        name, _ = QFileDialog.getOpenFileName(self, title, str(self._store.path.parent))
        if name:
            self._choose(Path(name))

    def _fit(self, rows: int) -> None:
        self.list.setVisible(bool(rows))
        self.list.setFixedHeight(theme().px(ROW) * min(max(rows, 1), MOST_ROWS) + 2)
