"""The left dock: the open stores with a quick filter, and the tools pinned at the bottom; or a rail of icons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHBoxLayout, QListView, QStackedWidget, QVBoxLayout, QWidget

from inspector.gui.controls import FieldFrame, IconButton, Label, Separator
from inspector.gui.store_model import StoreModel
from inspector.gui.store_tree import RAIL, RowDelegate, StoreTree, ToolList
from inspector.gui.theme import theme

HEADER = 36


class _Filter(FieldFrame):
    """The quick filter of the tree; Esc empties and closes it."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
            return
        super().keyPressEvent(event)


class _Full(QWidget):
    """The dock at its full width."""

    def __init__(self, model: StoreModel, open_action: QAction, tools: ToolList) -> None:
        super().__init__()
        self.tree = StoreTree(model)
        self.filter_button = IconButton("filter", self.tr("Filter stores"), size=14, extent=26)
        self.filter_button.setCheckable(True)
        self.add_button = IconButton("plus", self.tr("Open store"), "Ctrl+O", size=14, extent=26)
        self.field = _Filter(self.tr("Filter stores and tables"), icon="filter", height=30)
        self.tools = tools
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        self._field_row = QWidget()
        inner = QHBoxLayout(self._field_row)
        inner.setContentsMargins(12, 0, 12, 8)
        inner.addWidget(self.field)
        layout.addWidget(self._field_row)
        layout.addWidget(self.tree, 1)
        layout.addWidget(Separator())
        title = Label(self.tr("Tools"), "section")
        title.setContentsMargins(16, 8, 0, 6)
        layout.addWidget(title)
        layout.addWidget(tools)
        layout.addSpacing(6)
        self._field_row.hide()
        self.add_button.clicked.connect(open_action.trigger)
        self.filter_button.toggled.connect(self._toggle_filter)
        self.field.textChanged.connect(self.tree.set_filter)
        self.field.left.connect(lambda: self.filter_button.setChecked(False))

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(16, (HEADER - 26) // 2, 8, (HEADER - 26) // 2)
        row.setSpacing(2)
        row.addWidget(Label(self.tr("Stores"), "section"))
        row.addStretch(1)
        row.addWidget(self.filter_button)
        row.addWidget(self.add_button)
        return row

    def _toggle_filter(self, shown: bool) -> None:
        self._field_row.setVisible(shown)
        if shown:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.field.clear()
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)


class _Rail(QWidget):
    """The folded dock: an icon for each store and each tool."""

    wanted = Signal(object, QPoint)
    """A store, and where on screen its menu belongs."""

    def __init__(self, model: StoreModel, tools: ToolList) -> None:
        super().__init__()
        self._model = model
        self.tools = tools
        self.list = QListView()
        self.list.setModel(model)
        self.list.setItemDelegate(RowDelegate(self.list, rail=True))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Open stores"))
        self.list.clicked.connect(self._ask)
        self.list.activated.connect(self._ask)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 6)
        layout.setSpacing(0)
        layout.addWidget(self.list, 1)
        layout.addWidget(Separator())
        layout.addSpacing(6)
        layout.addWidget(tools)

    def _ask(self, index: QModelIndex) -> None:
        store = self._model.store(index)
        if store is not None:
            corner = self.list.visualRect(index).topRight()
            self.wanted.emit(store, self.list.viewport().mapToGlobal(corner))


class StorePanel(QFrame):
    """The left dock's content, in one of its two widths."""

    rail_wanted = Signal(object, QPoint)
    """In the rail, a store and where on screen the menu of its collections belongs."""

    def __init__(self, model: StoreModel, open_action: QAction, tools: Sequence[tuple[QAction, str]]) -> None:
        super().__init__()
        self._model = model
        self._tools = [tool[0] for tool in tools], [tool[1] for tool in tools]
        self._full = _Full(model, open_action, ToolList(*self._tools))
        self._rail: _Rail | None = None
        """Made when the dock is folded for the first time."""
        self._views: list[QAbstractItemView] = [self._full.tree, self._full.tools]
        self._stack = QStackedWidget()
        self._stack.addWidget(self._full)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def tree(self) -> StoreTree:
        """The tree of stores."""
        return self._full.tree

    @property
    def filter_button(self) -> IconButton:
        """Shows and hides the quick filter."""
        return self._full.filter_button

    @property
    def filter_field(self) -> FieldFrame:
        """The quick filter."""
        return self._full.field

    @property
    def tools(self) -> ToolList:
        """The list of tools of the full width."""
        return self._full.tools

    @property
    def folded(self) -> bool:
        """True while the rail is shown."""
        return self._stack.currentWidget() is not self._full

    def fold(self, folded: bool) -> None:
        """Show the rail, or the full width."""
        if folded and self._rail is None:
            self._rail = _Rail(self._model, ToolList(*self._tools, rail=True))
            self._rail.wanted.connect(self.rail_wanted)
            self._views += [self._rail.list, self._rail.tools]
            self._stack.addWidget(self._rail)
        self._stack.setCurrentWidget(self._rail if folded and self._rail is not None else self._full)
        self._restyle()

    def front(self) -> QWidget:
        """Return the list that takes the focus."""
        return self._rail.list if self._rail is not None and self.folded else self._full.tree

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("sidebar"))

    def _restyle(self) -> None:
        px = theme().px
        self.setMinimumWidth(px(RAIL) if self.folded else px(200))
        self.setMaximumWidth(px(RAIL) if self.folded else px(400))
        background = theme().color("sidebar").name()
        for view in self._views:
            view.setStyleSheet(f"QAbstractItemView {{ background: {background}; }}")
        self.update()
