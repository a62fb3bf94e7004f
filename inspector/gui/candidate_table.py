"""The table of candidates: one row for each way to write a store, with a radio button, its size and its speed."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTableView, QWidget

from inspector.gui.candidate_delegate import PADDING, ROW, ROW_ROLE, SIZE_LEAST, CandidateDelegate, method_width
from inspector.gui.candidate_text import Row, rows_of
from inspector.gui.paint import keyboard_focus, panel, ring
from inspector.gui.theme import theme
from inspector.operations.advise import Advice, Candidate

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

HEADER = 36
_METHOD = 0.5
"""Share of the method in what the numbers leave; the rest is the size with its bar."""

FEWEST = 3
"""Rows that stay visible where the window is low."""


class Column(IntEnum):
    """The columns of the table."""

    METHOD = 0
    SIZE = 1
    CHANGE = 2
    WRITE = 3
    READ = 4


class CandidateModel(QAbstractTableModel):
    """The candidates of one advice in words and numbers; empty until there is one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._sampled = False

    def set_advice(self, advice: Advice, needs: frozenset[str]) -> None:
        """Show *advice*; *needs* holds the codecs whose result is read only after a configuration."""
        self.beginResetModel()
        self._rows = rows_of(advice, needs)
        self._sampled = any(row.candidate.low != row.candidate.high for row in self._rows)
        self.endResetModel()

    def row(self, number: int) -> Row:
        """Return what is shown in row *number*."""
        return self._rows[number]

    def candidate(self, number: int) -> Candidate:
        """Return the candidate of row *number*."""
        return self._rows[number].candidate

    def recommended(self) -> int:
        """Return the number of the recommended row, 0 if there is none."""
        return next((number for number, row in enumerate(self._rows) if row.candidate.recommended), 0)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.texts[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken if index.column() == Column.METHOD else row.texts[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() > Column.SIZE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == Column.METHOD:
            return "\n".join((row.texts[0], row.detail, *row.candidate.opens_in))[:200]
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | Qt.AlignmentFlag | None:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section > Column.SIZE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        size = self.tr("Estimated size, 95 % interval") if self._sampled else self.tr("Size")
        return (self.tr("Method"), size, self.tr("Change"), self.tr("Write MB/s"), self.tr("Read MB/s"))[section]


class _Header(QHeaderView):
    """Small names over the columns, without a fill."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(theme().px(24))
        self.setAccessibleName(self.tr("Columns"))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme().px(HEADER))

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        painter.save()
        painter.fillRect(rect, theme().color("surface"))
        painter.fillRect(QRect(rect.x(), rect.bottom(), rect.width(), 1), theme().color("grid"))
        font = theme().font(12, 600)
        painter.setFont(font)
        painter.setPen(theme().color("muted"))
        left = theme().px(PADDING + 28) if logicalIndex == Column.METHOD else theme().px(PADDING)
        room = rect.adjusted(left, 0, -theme().px(PADDING), 0)
        text = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        right = logicalIndex > Column.SIZE
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.restore()


class CandidateView(QTableView):
    """Candidates as radio buttons: exactly one row is selected, arrows move the choice, Enter confirms it."""

    chosen = Signal(int)
    """Number of the row that is selected now."""
    confirmed = Signal()
    """Enter was pressed and let go: a key that is held must not reach what gets the focus next."""

    def __init__(self, model: CandidateModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._candidates = model
        self._ring = True
        self._enter = False
        self._most = model.rowCount()
        self.setModel(model)
        self.setItemDelegate(CandidateDelegate(self))
        self.setHorizontalHeader(_Header(self))
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Methods"))
        model.modelReset.connect(self._share_width)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def current(self) -> int:
        """Number of the selected row, -1 while there is none."""
        return self.currentIndex().row()

    def choose(self, row: int) -> None:
        """Select *row* and bring it into view."""
        self.setCurrentIndex(self._candidates.index(row, Column.METHOD))
        self.scrollTo(self.currentIndex())

    def fit(self, height: int) -> None:
        """Ask for as many rows as *height* has room for, and for three at least; the others are scrolled to."""
        rows = (height - self._height(0)) // theme().px(ROW)
        self._most = min(max(rows, FEWEST), self._candidates.rowCount())
        self.setFixedHeight(self._height(self._most))
        if self.current >= 0:
            self.scrollTo(self.currentIndex())

    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), self._height(self._most))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(320), self._height(self._most))

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if self.selectionModel().hasSelection():
            self.chosen.emit(self.current)
        elif self.current >= 0:
            # A click with Ctrl takes the selection away; one of the radio buttons is always set.
            self.selectRow(self.current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER:
            self._enter = True
            return
        super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and self._enter and not event.isAutoRepeat():
            self._enter = False
            self.confirmed.emit()
            return
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._enter = False
        self._ring = keyboard_focus(event)
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.current < 0:
            return
        top = self.rowViewportPosition(self.current)
        area = QRectF(0, top, self.viewport().width(), self.rowHeight(self.current)).adjusted(0.5, 0.5, -0.5, -0.5)
        painter = QPainter(self.viewport())
        if self.hasFocus() and self._ring:
            ring(painter, area, 6)
        else:
            panel(painter, area, 6, fill=None, line=theme().color("accent"))

    def _height(self, rows: int) -> int:
        return theme().px(HEADER) + rows * theme().px(ROW) + 2

    def _share_width(self) -> None:
        widths = {column: self._number_width(column) for column in (Column.CHANGE, Column.WRITE, Column.READ)}
        rows = range(self._candidates.rowCount())
        needed = max((method_width(self._candidates.row(row), badge=True) for row in rows), default=0)
        least = theme().px(SIZE_LEAST)
        left = self.viewport().width() - sum(widths.values())
        for column in (Column.READ, Column.WRITE):
            # Where there is no room for all, a name that can be read is worth more than a speed.
            hidden = left < needed + least
            self.setColumnHidden(column, hidden)
            left += widths[column] if hidden else 0
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        method = min(max(round(left * _METHOD), needed), max(left - least, 0))
        self.setColumnWidth(Column.METHOD, method)
        self.setColumnWidth(Column.SIZE, left - method)

    def _number_width(self, column: Column) -> int:
        text = str(self._candidates.headerData(column, Qt.Orientation.Horizontal))
        width = QFontMetrics(theme().font(12, 600)).horizontalAdvance(text) + 2 * theme().px(PADDING)
        return max(width, theme().px(70)) + 2

    def _restyle(self) -> None:
        self.verticalHeader().setMinimumSectionSize(theme().px(ROW))
        self.verticalHeader().setDefaultSectionSize(theme().px(ROW))
        self._share_width()
        self.viewport().update()
