"""The table of records on screen: reads what comes into view, keeps widths honest, knows the keys of the table."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from inspector.gui.cell_delegate import ROW_HEIGHT, CellDelegate
from inspector.gui.cells import Cell, State
from inspector.gui.record_columns import Column
from inspector.gui.record_header import RecordHeader
from inspector.gui.record_model import Index, Marks, RecordTableModel
from inspector.gui.record_rows import RowCache
from inspector.gui.theme import theme

__all__ = ["Marks", "RecordTableModel", "RecordTableView"]

WIDTH_ROWS = 200
"""Rows that default widths are measured on."""
FIRST_ROWS = 30
"""Rows of them that are measured before the first paint, about those on screen; the rest follows in slices."""
SLICE = 0.008
"""Seconds that one slice of measuring may take from the window."""
WIDEST = 240
"""Default width in design pixels that only an integer or an id may exceed."""
WIDEST_ID = 480
"""The same for ids that are texts."""

Name = tuple[str, str]
"""Kind and name of a column."""

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
    order_wanted = Signal(int, Qt.SortOrder)
    """A section's menu asked for this order."""
    hide_wanted = Signal(int)
    """A section's menu asked to hide its column."""
    left = Signal()
    """Up was pressed in the first row: the focus may go to the filter."""

    def __init__(self, cache: RowCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cache = cache
        self._sized: set[Name] = set()
        # Widths that the user chose: those are not changed again.
        self._chosen: set[Name] = set()
        self._sizing = False
        self._unmeasured: Iterator[tuple[int, int]] = iter(())
        self._seen = range(0)
        self._scale = theme().text_scale
        self._measuring = QTimer(self)
        self._measuring.setSingleShot(True)
        self._measuring.timeout.connect(self._measure_on)
        self._cells = CellDelegate(self)
        self.setItemDelegate(self._cells)
        header = RecordHeader(self)
        self.setHorizontalHeader(header)
        self._header = header
        header.sectionClicked.connect(self.sort_wanted)
        header.sectionResized.connect(self._resized)
        header.order_wanted.connect(self.order_wanted)
        header.hide_wanted.connect(self.hide_wanted)
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

    @property
    def measuring(self) -> bool:
        """True while more rows are to be measured for the widths of columns."""
        return self._measuring.isActive()

    def set_model(self, model: RecordTableModel) -> None:
        """Show *model*."""
        self.setModel(model)
        self._records = model
        self.selectionModel().currentChanged.connect(lambda *_: self.current_row_changed.emit())
        model.dataChanged.connect(self._widen_changed)
        model.modelReset.connect(self._forget_seen)
        model.columnsInserted.connect(self._forget_seen)

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
        """Give each column that was not sized yet the width that its header and its first rows want.

        Columns known already only grow, for headers that have more to say.
        """
        rows = range(min(self._records.rowCount(), WIDTH_ROWS))
        first = rows[:FIRST_ROWS]
        self._cache.read_now(self._records.number(row) for row in first)
        new: list[int] = []
        for section, column in enumerate(self._records.columns):
            name = (column.kind, column.name)
            wanted = self._header.width_of(section)
            if name not in self._sized:
                self._sized.add(name)
                new.append(section)
                self._set_width(section, max([wanted, *self._widths(section, first)]))
            elif name not in self._chosen and wanted > self.columnWidth(section):
                self._set_width(section, wanted)
        if new:
            self._unmeasured = ((section, row) for row in rows[FIRST_ROWS:] for section in new)
            self._measuring.start(0)

    def _measure_on(self) -> None:
        """Measure more of the first rows for a slice of time."""
        due = time.perf_counter() + SLICE
        for section, row in self._unmeasured:
            if row >= self._records.rowCount() or section >= len(self._records.columns):
                return
            if not section:
                self._cache.read_now([self._records.number(row)])
            column = self._records.columns[section]
            if (column.kind, column.name) not in self._chosen:
                widest = max(self._widths(section, (row,)), default=0)
                if widest > self.columnWidth(section) and not self._header.isSectionHidden(section):
                    self._set_width(section, widest)
            if time.perf_counter() > due:
                self._measuring.start(0)
                return

    def _widths(self, section: int, rows: Iterable[int]) -> Iterator[int]:
        """Yield the width that each of *rows* wants: texts may be shortened, numbers and ids must not."""
        is_key = self._records.columns[section].kind == "key"
        widest = theme().px(WIDEST_ID if is_key else WIDEST)
        for row in rows:
            cell = self._records.cell(row, section)
            if cell is not None:
                width = self._cells.width_of(cell)
                yield width if cell.state == State.NUMBER or _is_number(cell, is_key) else min(width, widest)

    def _set_width(self, section: int, width: int) -> None:
        self._sizing = True
        self.setColumnWidth(section, width)
        self._sizing = False

    def _resized(self, section: int, old: int, new: int) -> None:
        # Hiding a column resizes it to nothing, showing it resizes it back.
        if not self._sizing and old and new and section < len(self._records.columns):
            column = self._records.columns[section]
            self._chosen.add((column.kind, column.name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        # A bar that comes above the table must not push the current row out of sight.
        place = self.visualRect(self.currentIndex())
        seen = place.isValid() and place.bottom() >= 0 and place.top() < event.oldSize().height()
        super().resizeEvent(event)
        if seen and place.bottom() >= self.viewport().height() > 0:
            self.scrollTo(self.currentIndex())

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
        rows = self.rows_in_view()
        self._cache.read_now([self._records.number(row) for row in rows])
        if rows != self._seen:
            self._seen = rows
            self._widen(rows)
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

    def _widen_changed(self, first: Index, last: Index) -> None:
        self._seen = range(0)
        if last.row() - first.row() < WIDTH_ROWS:
            self._widen(range(first.row(), last.row() + 1))

    def _forget_seen(self) -> None:
        self._seen = range(0)

    def _widen(self, rows: Iterable[int]) -> None:
        """Widen columns of integers and ids for what *rows* show; also those whose width the user chose."""
        for section, column in enumerate(self._records.columns):
            if (column.whole or column.kind == "key") and not self._header.isSectionHidden(section):
                is_key = column.kind == "key"
                cells = (self._records.cell(row, section) for row in rows)
                numbers = (cell for cell in cells if cell and (cell.state == State.NUMBER or _is_number(cell, is_key)))
                needed = max(map(self._cells.width_of, numbers), default=0)
                if needed > self.columnWidth(section):
                    self._set_width(section, needed)

    def _restyle(self) -> None:
        self._rescale()
        self.verticalHeader().setMinimumSectionSize(theme().px(ROW_HEIGHT))
        self.verticalHeader().setDefaultSectionSize(theme().px(ROW_HEIGHT))
        self.viewport().update()

    def _rescale(self) -> None:
        """Give the columns widths for another text size: measured anew, those that the user chose in proportion."""
        factor = theme().text_scale / self._scale
        self._scale = theme().text_scale
        if factor == 1 or not self._sized:
            return
        for section, column in enumerate(self._records.columns):
            if (column.kind, column.name) in self._chosen:
                self._set_width(section, round(self.columnWidth(section) * factor))
        self._sized &= self._chosen
        self._seen = range(0)
        self.fit_columns()


def _is_number(cell: Cell, is_key: bool) -> bool:
    """Say whether *cell* is an id that is a number: ids are texts, those stand at the right."""
    return is_key and cell.right


def _is_copy_as(event: QKeyEvent) -> bool:
    return QKeySequence(event.keyCombination()) == COPY_AS
