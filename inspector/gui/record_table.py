"""The table of records on screen: reads what comes into view, keeps widths honest, knows the keys of the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QTableView, QWidget

from inspector.gui.cell_delegate import PADDING, ROW_HEIGHT, CellDelegate
from inspector.gui.cells import CELL_ROLE, Cell, State
from inspector.gui.record_columns import Column
from inspector.gui.record_header import RecordHeader
from inspector.gui.record_model import Index, Marks, RecordTableModel
from inspector.gui.record_rows import RowCache
from inspector.gui.theme import theme

__all__ = ["Marks", "RecordTableModel", "RecordTableView"]

WIDTH_ROWS = 200
"""Rows that default widths are measured on."""
WIDEST = 240
"""Default width in design pixels that only an integer may exceed."""

COPY_AS = QKeySequence("Ctrl+Shift+C")


class RecordTableView(QTableView):
    """A virtual table with whole rows selected and one cell current."""

    opened = Signal()
    """Enter or a double click: the current value is wanted in the inspector."""
    copy_wanted = Signal()
    copy_menu_wanted = Signal(QPoint)
    """Ctrl+Shift+C or a right click, with the place for a menu in global coordinates."""
    current_row_changed = Signal()
    """Another cell is current."""
    sort_wanted = Signal(int)
    """A header section was clicked."""
    left = Signal()
    """Up was pressed in the first row: the focus may go to the filter."""

    def __init__(self, cache: RowCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cache = cache
        self._sized: set[tuple[str, str]] = set()
        self.setItemDelegate(CellDelegate(self))
        header = RecordHeader(self)
        self.setHorizontalHeader(header)
        self._header = header
        header.sectionClicked.connect(self.sort_wanted)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.doubleClicked.connect(lambda _: self.opened.emit())
        self.setAccessibleName(self.tr("Records"))
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def header(self) -> RecordHeader:
        """The columns' header."""
        return self._header

    def set_model(self, model: RecordTableModel) -> None:
        """Show *model*."""
        self.setModel(model)
        self._records = model
        self.selectionModel().currentChanged.connect(lambda *_: self.current_row_changed.emit())
        model.dataChanged.connect(self._widen_changed)

    def current_number(self) -> int | None:
        """Return the number of the record that is current."""
        index = self.currentIndex()
        return self._records.number(index.row()) if index.isValid() else None

    def current_column(self) -> Column | None:
        """Return the column that is current."""
        index = self.currentIndex()
        return self._records.columns[index.column()] if index.isValid() else None

    def go_to(self, row: int, column: int | None = None) -> None:
        """Make a row current and bring it into view; the current column stays."""
        if not 0 <= row < self._records.rowCount() or not self._records.columns:
            return
        wanted = column if column is not None else max(self.currentIndex().column(), 0)
        index = self._records.index(row, wanted)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def step(self, rows: int) -> None:
        """Make the record some rows away current."""
        current = self.currentIndex().row()
        self.go_to(min(max(current + rows, 0), self._records.rowCount() - 1))

    def selected_rows(self) -> list[int]:
        """Return the selected rows in order, the current one if none is selected."""
        rows: set[int] = set()
        for part in self.selectionModel().selection().toList():
            rows.update(range(part.top(), part.bottom() + 1))
        if not rows and self.currentIndex().isValid():
            rows.add(self.currentIndex().row())
        return sorted(rows)

    def shown_columns(self) -> list[int]:
        """Return the model's columns that are visible, in the order on screen."""
        header = self._header
        places = (header.logicalIndex(place) for place in range(header.count()))
        return [section for section in places if not header.isSectionHidden(section)]

    def rows_in_view(self) -> range:
        """Return the rows that are at least partly on screen."""
        count = self._records.rowCount()
        if not count:
            return range(0)
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        return range(first, last + 1 if last >= 0 else count)

    def fit_columns(self) -> None:
        """Give each column that was not sized yet the width that its header and its first rows want."""
        if all((column.kind, column.name) in self._sized for column in self._records.columns):
            return
        rows = range(min(self._records.rowCount(), WIDTH_ROWS))
        self._cache.read_now(self._records.number(row) for row in rows)
        for section, column in enumerate(self._records.columns):
            name = (column.kind, column.name)
            if name in self._sized:
                continue
            self._sized.add(name)
            cells = self._here(rows)
            widest = max((self._width(section, row) for row in cells), default=0)
            width = max(min(widest, theme().px(WIDEST)), self._header.width_of(section))
            self.setColumnWidth(section, max(width, self._number_width(section, rows)))

    def event(self, event: QEvent) -> bool:
        # Shortcuts of the window must not take the keys that mean something in a table.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif _is_copy_as(event):
            self.copy_menu_wanted.emit(self._corner())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif alt and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_Up and not event.modifiers() and self.currentIndex().row() <= 0:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        # What is about to be painted is read here, in a bounded slice of time, so that no first frame is empty.
        self._cache.read_now([self._records.number(row) for row in self.rows_in_view()])
        self._widen(self.rows_in_view())
        super().paintEvent(event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return (
            event.matches(QKeySequence.StandardKey.Copy)
            or _is_copy_as(event)
            or (alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down))
        )

    def _corner(self) -> QPoint:
        place = self.visualRect(self.currentIndex()).bottomLeft() if self.currentIndex().isValid() else QPoint()
        return self.viewport().mapToGlobal(place)

    def _menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if index.isValid() and not self.selectionModel().isRowSelected(index.row(), QModelIndex()):
            self.setCurrentIndex(index)
        self.copy_menu_wanted.emit(self.viewport().mapToGlobal(place))

    def _here(self, rows: Iterable[int]) -> Iterator[int]:
        return (row for row in rows if self._records.row(row) is not None)

    def _width(self, section: int, row: int) -> int:
        index = self._records.index(row, section)
        return self.itemDelegate().sizeHint(QStyleOptionViewItem(), index).width()

    def _number_width(self, section: int, rows: Iterable[int]) -> int:
        """Return the width that the longest number of *rows* needs; texts may be shortened, numbers must not."""
        metrics = QFontMetrics(theme().font(13))
        widest = 0
        for row in self._here(rows):
            cell = self._records.data(self._records.index(row, section), CELL_ROLE)
            if isinstance(cell, Cell) and cell.state == State.NUMBER:
                widest = max(widest, metrics.horizontalAdvance(cell.display))
        return widest + 2 * theme().px(PADDING) + theme().px(2) if widest else 0

    def _widen_changed(self, first: Index, last: Index) -> None:
        if last.row() - first.row() < WIDTH_ROWS:
            self._widen(range(first.row(), last.row() + 1))

    def _widen(self, rows: Iterable[int]) -> None:
        for section, column in enumerate(self._records.columns):
            if column.whole and column.kind != "key" and not self._header.isSectionHidden(section):
                needed = self._number_width(section, rows)
                if needed > self.columnWidth(section):
                    self.setColumnWidth(section, needed)

    def _restyle(self) -> None:
        self.verticalHeader().setMinimumSectionSize(theme().px(ROW_HEIGHT))
        self.verticalHeader().setDefaultSectionSize(theme().px(ROW_HEIGHT))
        self.viewport().update()


def _is_copy_as(event: QKeyEvent) -> bool:
    return QKeySequence(event.keyCombination()) == COPY_AS
