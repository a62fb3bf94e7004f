"""Go to: a list below the field of the top row with every store, table, recent store and command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHBoxLayout, QLineEdit, QListView, QVBoxLayout, QWidget

from inspector.gui.controls import Label
from inspector.gui.paint import contents, panel
from inspector.gui.store_model import ICON_ROLE, NOTE_ROLE
from inspector.gui.store_tree import ROW, RowDelegate
from inspector.gui.texts import visible
from inspector.gui.theme import theme

MOST_ROWS = 12
"""Rows that are seen at once."""
MOST = 200

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Destination(NamedTuple):
    """Something to go to: an icon, a name, what it belongs to or its key, and the call that goes there."""

    icon: str
    text: str
    note: str
    go: Callable[[], object]


def matching(destinations: Sequence[Destination], typed: str) -> list[Destination]:
    """Return those that hold every word of *typed* in name or note, names that begin with it first."""
    words = typed.casefold().split()
    if not words:
        return list(destinations)
    found = []
    for place, destination in enumerate(destinations):
        name = destination.text.casefold()
        whole = f"{name} {destination.note.casefold()}"
        if all(word in whole for word in words):
            rank = 0 if name.startswith(words[0]) else 1 if words[0] in name else 2
            found.append((rank, place, destination))
    found.sort(key=lambda hit: hit[:2])
    return [destination for _, _, destination in found]


class GotoModel(QAbstractListModel):
    """The destinations that match what was typed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Destination] = []

    def set_rows(self, rows: list[Destination]) -> None:
        """Show *rows*."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def row(self, index: Index) -> Destination | None:
        """Return the destination at *index*."""
        return self._rows[index.row()] if index.isValid() else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(row.text, MOST)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.text}, {row.note}"[:MOST] if row.note else visible(row.text, MOST)
        if role == ICON_ROLE:
            return row.icon
        return visible(row.note, 60) if role == NOTE_ROLE else None


class GotoPopup(QFrame):
    """The list below *field*, which keeps the focus: arrows choose, Enter goes, Esc closes."""

    closed = Signal()
    """The field is no longer needed."""

    def __init__(self, field: QLineEdit, window: QWidget, destinations: Callable[[], list[Destination]]) -> None:
        super().__init__(window)
        self._field = field
        self._destinations = destinations
        self._known: list[Destination] = []
        self._origin: QWidget | None = None
        self.model = GotoModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(RowDelegate(self.list))
        self.list.setProperty("current", True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Places and commands"))
        self.list.clicked.connect(self._go)
        self._none = Label(self.tr("Nothing here has such a name."), "body", token="muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 6, 1, 6)
        layout.addWidget(self.list)
        words = QHBoxLayout()
        # A margin of the label's own is taken by the style sheet.
        words.setContentsMargins(15, 6, 15, 6)
        words.addWidget(self._none)
        layout.addLayout(words)
        self.setAccessibleName(self.tr("Go to"))
        self.hide()
        field.installEventFilter(self)
        field.textEdited.connect(self._typed)
        theme().changed.connect(self.update)

    def open(self, origin: QWidget | None, *, only: str = "") -> None:
        """Put the focus into the field and list everything; the focus returns to *origin*.

        *only* is an icon: list only what carries it.
        """
        self._origin = origin
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.clear()
        self._known = [place for place in self._destinations() if not only or place.icon == only]
        self._list()

    def close_list(self) -> None:
        """Empty the field and give the focus back."""
        self.hide()
        self._field.clear()
        if self._origin is not None and self._origin.isVisible():
            self._origin.setFocus(Qt.FocusReason.OtherFocusReason)
        self._origin = None
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        elif event.type() == QEvent.Type.MouseButtonPress and not self.isVisible():
            self._known = self._destinations()
            self._list()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme().color
        panel(QPainter(self), contents(self), 8, fill=colours("surface"), line=colours("borderStrong"))

    def _key(self, event: QKeyEvent) -> bool:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}.get(
            Qt.Key(event.key())
        )
        if event.key() == Qt.Key.Key_Escape:
            self.close_list()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go(self.list.currentIndex())
            return True
        if step is None:
            return False
        if not self.isVisible():
            self._known = self._destinations()
            self._list()
            return True
        row = min(max(self.list.currentIndex().row() + step, 0), self.model.rowCount() - 1)
        self.list.setCurrentIndex(self.model.index(row, 0))
        return True

    def _typed(self) -> None:
        if not self.isVisible():
            self._known = self._destinations()
        self._list()

    def _list(self) -> None:
        rows = matching(self._known, self._field.text())
        self.model.set_rows(rows)
        self.list.setVisible(bool(rows))
        self._none.setVisible(not rows)
        if rows:
            self.list.setCurrentIndex(self.model.index(0, 0))
        self._place(len(rows))
        self.show()
        self.raise_()

    def _go(self, index: QModelIndex) -> None:
        row = self.model.row(index)
        if row is not None:
            self.close_list()
            row.go()

    def _place(self, rows: int) -> None:
        px = theme().px
        height = px(ROW) * min(rows, MOST_ROWS) + 14 if rows else px(ROW) + 20
        window = self.window()
        foot = self._field.mapTo(window, QPoint(0, self._field.height() + 4))
        width = max(self._field.width(), px(400))
        left = min(foot.x(), window.width() - width - 12)
        self.setGeometry(left, foot.y(), width, min(height, window.height() - foot.y() - 12))
