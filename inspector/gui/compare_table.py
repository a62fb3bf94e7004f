"""The tables of a comparison on screen: the differences with both values, and the counts by collection."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyleOptionViewItem, QTableView

from inspector.gui.cell_delegate import PADDING, ROW_HEIGHT, CellDelegate, Index
from inspector.gui.cells import CELL_ROLE, Cell, State
from inspector.gui.compare_model import (
    AFTER,
    BEFORE,
    CHANGE,
    COLLECTION,
    FIELD,
    KEY,
    KIND_ROLE,
    TOKENS,
    CompareModel,
    CountsModel,
)
from inspector.gui.theme import theme

MOST_COUNTS = 5
"""Rows of counts that are seen without scrolling."""

_SAMPLE = 60
"""Rows that the widths of columns follow from."""
_WIDEST = {COLLECTION: 160, KEY: 200, FIELD: 220}
_ONE_SIDE: dict[int, tuple[str, ...]] = {BEFORE: ("changed", "removed"), AFTER: ("changed", "added")}
"""In which rows a side has something to show in its colour."""


_LEAST, _NUMBER = 90, 110
"""Design pixels of the columns of counts: the names at least, the numbers always."""


class _Words(CellDelegate):
    """The columns left of the values; the first says what happened, in its colour and with its sign."""

    def _colour(self, cell: Cell, index: Index, staged: str | None) -> QColor:
        kind = index.data(KIND_ROLE) if index.column() == CHANGE else None
        return theme().color(TOKENS[kind][1]) if kind in TOKENS else super()._colour(cell, index, staged)


class _Values(CellDelegate):
    """The two columns of values: what A has on the colour of removed things, what B has on that of added ones."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = index.data(CELL_ROLE)
        if index.data(KIND_ROLE) in _ONE_SIDE[index.column()] and cell.state != State.MISSING:
            painter.fillRect(option.rect, theme().color("delBg" if index.column() == BEFORE else "addBg"))
        super().paint(painter, option, index)


class CompareTable(QTableView):
    """The differences, one a row."""

    opened = Signal()
    """Enter or a double click: the record is wanted in its store."""
    copy_wanted = Signal()
    menu_wanted = Signal(QPoint)
    current_changed = Signal()
    sort_wanted = Signal(int, Qt.SortOrder)
    """A column and an order; -1 for the order in which the differences were found."""
    left = Signal()
    """Up was pressed in the first row."""

    def __init__(self, model: CompareModel) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self._words, self._values = _Words(self), _Values(self, typed=True)
        self.setItemDelegate(self._words)
        for column in (BEFORE, AFTER):
            self.setItemDelegateForColumn(column, self._values)
        self.setAccessibleName(self.tr("Differences"))
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setAccessibleName(self.tr("Columns"))
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sortIndicatorChanged.connect(self.sort_wanted)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda place: self.menu_wanted.emit(self.viewport().mapToGlobal(place)))
        self.doubleClicked.connect(lambda _: self.opened.emit())
        self.selectionModel().currentChanged.connect(lambda *_: self.current_changed.emit())
        self._restyle()
        theme().changed.connect(self._restyle)

    def go_to(self, row: int, column: int | None = None) -> None:
        """Make *row* current, alone selected, and bring it into view; the current column stays."""
        if 0 <= row < self._model.rowCount():
            wanted = column if column is not None else max(self.currentIndex().column(), 0)
            index = self._model.index(row, wanted)
            # Not the view's own call, which would extend the selection while Shift is held down.
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
            self.scrollTo(index)

    def step(self, direction: int) -> bool:
        """Make the next (1) or previous (-1) difference current; False if there is none."""
        row = self.currentIndex().row() + direction
        if not 0 <= row < self._model.rowCount():
            return False
        self.go_to(row)
        return True

    def step_record(self, direction: int) -> bool:
        """Make the first difference of the next or previous record current; False if there is none."""
        row = self._model.next_record(max(self.currentIndex().row(), 0), direction)
        if row is None:
            return False
        self.go_to(row)
        return True

    def selected_rows(self) -> list[int]:
        """Return the selected rows in order, the current one if none is selected."""
        rows: set[int] = set()
        for chosen in self.selectionModel().selection().toList():
            rows.update(range(chosen.top(), chosen.bottom() + 1))
        if not rows and self.currentIndex().isValid():
            rows.add(self.currentIndex().row())
        return sorted(rows)

    def fit(self) -> None:
        """Give the columns the widths that the first rows want; both values share what is left."""
        metrics = QFontMetrics(theme().font(12, 600))
        rows = range(min(self._model.rowCount(), _SAMPLE))
        for column in (CHANGE, COLLECTION, KEY, FIELD):
            title = str(self._model.headerData(column, Qt.Orientation.Horizontal))
            width = metrics.horizontalAdvance(title) + 2 * theme().px(PADDING) + theme().px(16)
            for row in rows:
                found = self._model.row(row)
                if found is not None:
                    width = max(width, self._words.width_of(self._model.cell(found, column)))
            self.setColumnWidth(column, min(width, theme().px(_WIDEST.get(column, 400))))
        taken = sum(self.columnWidth(column) for column in (CHANGE, COLLECTION, KEY, FIELD))
        self.setColumnWidth(BEFORE, max((self.viewport().width() - taken) // 2, theme().px(140)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        # The window or the bar between list and record moved: what is current stays in sight.
        place = self.visualRect(self.currentIndex())
        seen = place.isValid() and place.bottom() >= 0 and place.top() < event.oldSize().height()
        super().resizeEvent(event)
        if seen and place.bottom() >= self.viewport().height() > 0:
            self.scrollTo(self.currentIndex())

    def event(self, event: QEvent) -> bool:
        # Shortcuts of the window must not take the keys that mean something in a table.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            copies = event.matches(QKeySequence.StandardKey.Copy)
            if copies or _is_copy_as(event):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif _is_copy_as(event):
            place = self.visualRect(self.currentIndex()).bottomLeft() if self.currentIndex().isValid() else QPoint()
            self.menu_wanted.emit(self.viewport().mapToGlobal(place))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()
        elif event.key() == Qt.Key.Key_Up and not event.modifiers() and self.currentIndex().row() <= 0:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _restyle(self) -> None:
        self.verticalHeader().setMinimumSectionSize(theme().px(ROW_HEIGHT))
        self.verticalHeader().setDefaultSectionSize(theme().px(ROW_HEIGHT))
        self.fit()


def _is_copy_as(event: QKeyEvent) -> bool:
    return QKeySequence(event.keyCombination()) == QKeySequence("Ctrl+Shift+C")


class CountsTable(QTableView):
    """Counts by collection; the row that is chosen picks the collection whose differences are listed."""

    chosen = Signal(object)
    """Name of a collection, None for all."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = CountsModel(self)
        self.setModel(self.counts)
        self.setItemDelegate(CellDelegate(self))
        self.setAccessibleName(self.tr("Counts by collection"))
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setAccessibleName(self.tr("Columns"))
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        for section in range(self.counts.columnCount()):
            stretch = QHeaderView.ResizeMode.Stretch if section == 0 else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(section, stretch)
        self.selectionModel().currentRowChanged.connect(
            lambda now, _: self.chosen.emit(self.counts.collection(now.row()))
        )
        self.counts.modelReset.connect(self._restyle)
        self._restyle()
        theme().changed.connect(self._restyle)

    def select_all_collections(self) -> None:
        """Choose the row of all collections."""
        if self.counts.rowCount():
            self.setCurrentIndex(self.counts.index(0, 0))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._restyle()

    def _restyle(self) -> None:
        px = theme().px
        self.horizontalHeader().setMinimumSectionSize(px(_LEAST))
        self.verticalHeader().setMinimumSectionSize(px(ROW_HEIGHT))
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        numbers = self.counts.columnCount() - 1
        for section in range(1, numbers + 1):
            self.setColumnWidth(section, px(_NUMBER))
        rows = min(max(self.counts.rowCount(), 1), MOST_COUNTS)
        height = self.horizontalHeader().sizeHint().height() + rows * px(ROW_HEIGHT)
        if self.width() < px(_LEAST) + numbers * px(_NUMBER):
            height += self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(height)
