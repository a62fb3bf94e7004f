"""The right dock of a records page: one record as a tree, the selected value in full, and facts about the record."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from inspector import values
from inspector.gui import copying
from inspector.gui.breadcrumb import Breadcrumb
from inspector.gui.controls import ElidedLabel, EmptyState, IconButton, KeyValueList, Label, Separator
from inspector.gui.copying import Piece
from inspector.gui.exact_text import exact_text
from inspector.gui.record_rows import Row
from inspector.gui.shell import Shell
from inspector.gui.tall_area import TallArea
from inspector.gui.texts import count_text, size_text, visible
from inspector.gui.theme import theme
from inspector.gui.value_detail import ValueDetail
from inspector.gui.value_model import NODE_ROLE, ROW_HEIGHT, Index, TreeNode, ValueDelegate, ValueTreeModel

__all__ = ["ValuePanel", "ValueTreeModel", "ValueTreeView"]


_INDENT = 16
_EDGE = 8
"""Pixels that rows keep from both sides of the panel."""
_DEEP = 4
_DEEP_INDENT = 10
"""Design pixels that a level is indented by once more than `_DEEP` levels are open: just room for its arrow."""
_KEY = 64
"""Room in design pixels that the deepest key has."""
_VALUE = 96
"""The same for values once levels are open."""


class ValueTreeView(QTreeView):
    """A tree of key, value and type that fills its width."""

    copy_wanted = Signal()
    up_wanted = Signal()
    """Backspace: one level up."""
    menu_wanted = Signal(QPoint)
    """A menu for the current value, with its place in global coordinates."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setItemDelegate(ValueDelegate(self, typed=True))
        self.header().setStretchLastSection(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Levels below the first that are open, or were since the tree was filled.
        self._levels = 0
        self.expanded.connect(self._opened)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self._restyle()
        theme().changed.connect(self._restyle)

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        # The delegate paints the cells only; the branches left of them belong to the row as well.
        selected = self.selectionModel() is not None and self.selectionModel().isSelected(index)
        row = self.visualRect(index)
        if selected:
            token = "accentSoft" if self.hasFocus() else "track"
            painter.fillRect(QRect(0, row.y(), self.viewport().width(), row.height()), theme().color(token))
        super().drawRow(painter, options, index)
        if selected and self.hasFocus() and theme().high_contrast:
            # Without soft fills a bar shows what is selected.
            painter.fillRect(QRect(0, row.y(), theme().px(3), row.height()), theme().color("accent"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.key() == Qt.Key.Key_Backspace:
            self.up_wanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.setExpanded(self.currentIndex(), not self.isExpanded(self.currentIndex()))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_width()

    def share_width(self) -> None:
        """Give the type what it needs, the key about a third, the value the rest.

        Deep levels are indented less, and the key gets what their indentation takes: what then has no room is
        scrolled to.
        """
        if self.model() is None:
            return
        px, width = theme().px, self.viewport().width()
        step = _INDENT if self._levels <= _DEEP else _DEEP_INDENT
        self.setIndentation(px(step))
        types = px(58)
        keys = max(min(round((width - types) * 0.38), px(260)), px(80), px(step) * (self._levels + 1) + px(_KEY))
        least = px(_VALUE) if self._levels else px(40)
        for section, size in ((0, keys), (1, max(width - types - keys, least)), (2, types)):
            self.header().resizeSection(section, size)

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        super().scrollTo(index, hint)
        # Qt brings the column into view, which for a deep key may be all but its key.
        left = self.visualRect(self.model().index(index.row(), 0, index.parent())).left()
        if left < 0 or left > self.viewport().width() - theme().px(_KEY):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + left - theme().px(24))

    def _opened(self, index: Index) -> None:
        """Make room for the level below *index*."""
        level, above = 0, index
        while above.isValid():
            level, above = level + 1, above.parent()
        self._span_pages(index)
        if level > self._levels:
            self._levels = level
            self.share_width()

    def _filled(self) -> None:
        self._levels = 0
        self._span_pages(QModelIndex())
        self.share_width()

    def _span_pages(self, parent: Index) -> None:
        """Let the pages below *parent* take the whole row: their names are longer than keys, and they have no value."""
        model = self.model()
        first = model.index(0, 0, parent)
        if first.isValid() and first.data(NODE_ROLE).span is not None:
            for row in range(model.rowCount(parent)):
                self.setFirstColumnSpanned(row, parent, True)

    def _menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu_wanted.emit(self.viewport().mapToGlobal(place))

    def set_model(self, model: ValueTreeModel) -> None:
        """Show *model*."""
        self.setModel(model)
        model.modelReset.connect(self._filled)
        model.rowsInserted.connect(self._span_pages)
        for section in range(3):
            self.header().setSectionResizeMode(section, QHeaderView.ResizeMode.Fixed)
        self.share_width()

    def _restyle(self) -> None:
        self.share_width()
        self.viewport().update()


class ValuePanel(QWidget):
    """Shows one `Row`: title, way to it, tree, the selected value, facts."""

    step_wanted = Signal(int)
    """The previous (-1) or next (1) record is wanted."""
    path_changed = Signal(object)
    """Keys and positions that lead to the selected value."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._row: Row | None = None
        self._model = ValueTreeModel(self)
        self._title = ElidedLabel("", "title")
        self._previous = IconButton("chevron-up", self.tr("Previous record"), "Alt+Up")
        self._next = IconButton("chevron-down", self.tr("Next record"), "Alt+Down")
        self._crumbs = Breadcrumb()
        self._tree = ValueTreeView(self.tr("Record"))
        self._tree.set_model(self._model)
        self._detail = ValueDetail()
        self._facts = KeyValueList()
        self._stack = QStackedWidget()
        self._nothing = EmptyState("table-2", self.tr("No record selected"))
        self._previous.clicked.connect(lambda: self.step_wanted.emit(-1))
        self._next.clicked.connect(lambda: self.step_wanted.emit(1))
        self._crumbs.chosen.connect(self._go_up_to)
        self._tree.selectionModel().currentChanged.connect(self._selected)
        self._tree.copy_wanted.connect(self._detail.copy_value)
        self._tree.menu_wanted.connect(self._detail.show_menu)
        self._tree.up_wanted.connect(lambda: self._go_up_to(len(self.steps()) - 1))
        self._detail.copied.connect(shell.copy)
        self._lay_out()
        self.show_nothing()
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def tree(self) -> ValueTreeView:
        """The tree of the record."""
        return self._tree

    @property
    def model(self) -> ValueTreeModel:
        """The tree's model."""
        return self._model

    @property
    def detail(self) -> ValueDetail:
        """The selected value in full."""
        return self._detail

    @property
    def crumbs(self) -> Breadcrumb:
        """The way to the selected value."""
        return self._crumbs

    @property
    def title(self) -> str:
        """What the panel says it shows."""
        return self._title.text()

    def facts(self) -> Sequence[tuple[str, str]]:
        """Return what the panel says about the record."""
        row = self._row
        if row is None:
            return ()
        size = len(row.raw) if row.raw is not None else len(values.write(row.value))
        text = self.tr("%Ln bytes", "", size) if size < 1000 else f"{size_text(size)} ({count_text(size)} B)"
        return ((self.tr("Document id"), visible(row.key, 200)), (self.tr("Encoded size"), text))

    def show_nothing(self) -> None:
        """Say that no record is selected."""
        self._row = None
        self._title.setText(self.tr("Record"))
        self._nothing.set_text(self.tr("No record selected"))
        self._stack.setCurrentIndex(0)

    def show_waiting(self) -> None:
        """Say that the record is being read."""
        self._row = None
        self._nothing.set_text(self.tr("Reading the record…"))
        self._stack.setCurrentIndex(0)

    def show_row(self, row: Row, collection: str, steps: Sequence[str | int] = ()) -> None:
        """Show a record of *collection*; the value that *steps* lead to is selected."""
        if row is not self._row:
            self._row = row
            self._collection = collection
            self._title.setText(self.tr("Record {key}").replace("{key}", visible(row.key, 100)))
            self._model.set_value(row.value)
            self._facts.set_rows(self.facts())
        if row.error:
            self._nothing.set_text(self.tr("This record cannot be read"), row.error)
            self._stack.setCurrentIndex(0)
            return
        self._stack.setCurrentIndex(1)
        index = self._model.find(steps) if steps else QModelIndex()
        if index.isValid():
            self._tree.setCurrentIndex(index)
            self._tree.scrollTo(index)
        else:
            self._tree.setCurrentIndex(QModelIndex())
            self._show(self._model.root)

    def set_neighbours(self, *, before: bool, after: bool) -> None:
        """Say whether there is a previous and a next record."""
        self._previous.setEnabled(before)
        self._next.setEnabled(after)

    def steps(self) -> list[str | int]:
        """Return keys and positions that lead to the selected value."""
        return self._model.node(self._tree.currentIndex()).steps()

    def open_current(self) -> None:
        """Put the focus into the tree and open the selected branch."""
        self._tree.expand(self._tree.currentIndex())
        self._tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _selected(self, current: Index) -> None:
        if self._row is not None and current.isValid():
            node = self._model.node(current)
            if node.span is None:
                self._show(node)
                self.path_changed.emit(node.steps())

    def _show(self, node: TreeNode) -> None:
        if self._row is None:
            return
        steps = node.steps()
        ordinals = [member.ordinal for member in node.path()]
        text, stored = exact_text(self._row.raw, ordinals, self._value(node))
        self._detail.show_value(Piece(self._value(node), text), copying.python_path(steps), stored=stored)
        self._crumbs.set_parts([self._collection, self._row.key, *(str(step) for step in steps)])

    def _value(self, node: TreeNode) -> values.Value:
        return node.value  # type: ignore[return-value]

    def _go_up_to(self, level: int) -> None:
        """Select what the first *level* steps lead to: the record itself for 0 and below."""
        steps = self.steps()[: max(level, 0)]
        index = self._model.find(steps) if steps else QModelIndex()
        self._tree.setCurrentIndex(index)
        if not index.isValid():
            self._show(self._model.root)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 8, 8)
        head.addWidget(self._title, 1)
        head.addWidget(self._previous)
        head.addWidget(self._next)
        content = QWidget()
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self._crumbs)
        rows = QHBoxLayout()
        rows.setContentsMargins(_EDGE, 0, _EDGE, 0)
        rows.addWidget(self._tree)
        inner.addLayout(rows, 1)
        inner.addWidget(Separator())
        inner.addWidget(self._detail)
        inner.addWidget(Separator())
        about = QVBoxLayout()
        about.setContentsMargins(16, 12, 16, 12)
        about.setSpacing(8)
        about.addWidget(Label(self.tr("Record"), "section"))
        about.addWidget(self._facts)
        inner.addLayout(about)
        # Where the window is low, all of it scrolls and nothing of it is cut.
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(TallArea(content, self.tr("Record")))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(Separator())
        layout.addWidget(self._stack, 1)

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme().color("surface"))
        self.setPalette(palette)
        self.setAutoFillBackground(True)
        self._tree.setMinimumHeight(theme().px(ROW_HEIGHT * 3))
