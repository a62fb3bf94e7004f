"""All results of a benchmark in a table: one model for codecs and for storages, sorted by any column."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from inspector.gui.benchmark_marks import paint_mark
from inspector.gui.benchmark_rows import ResultCell, ResultTable
from inspector.gui.cell_delegate import ROW_HEIGHT
from inspector.gui.paint import picture, ring
from inspector.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex

KEY_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""The label by which table, chart and bars know a codec or storage."""
SORT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
CELL_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3
"""The `ResultCell`."""

_NOWHERE = QModelIndex()
_MARK = 16
_PADDING = 7
_EDGE = 14
"""Design pixels at the left of the first column, where the mark stands."""


class ResultModel(QAbstractTableModel):
    """A `ResultTable`; a table that only grew keeps its rows, so that selection and scroll stay."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = ResultTable()

    @property
    def table(self) -> ResultTable:
        """What is shown."""
        return self._table

    def set_table(self, table: ResultTable) -> None:
        """Show *table*."""
        before = self._table
        kept = len(before.rows)
        same = before.headers == table.headers and [row.key for row in table.rows[:kept]] == [
            row.key for row in before.rows
        ]
        if not same or not kept:
            self.beginResetModel()
            self._table = table
            self.endResetModel()
            return
        if len(table.rows) > kept:
            self.beginInsertRows(_NOWHERE, kept, len(table.rows) - 1)
            self._table = table
            self.endInsertRows()
        self._table = table
        self.dataChanged.emit(self.index(0, 0), self.index(kept - 1, len(table.headers) - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._table.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._table.headers)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._table.headers):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._table.headers[section][0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._table.headers[section][1]
        return _side(section < self._table.texts) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._table.rows):
            return None
        row = self._table.rows[index.row()]
        cell = row.cells[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.text[:200]
            case Qt.ItemDataRole.AccessibleTextRole:
                return (cell.spoken or cell.text)[:200]
            case Qt.ItemDataRole.TextAlignmentRole:
                return _side(index.column() < self._table.texts)
            case _:
                return {KEY_ROLE: row.key, SORT_ROLE: cell.sort, CELL_ROLE: cell}.get(role)


def _side(left: bool) -> int:
    side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
    return int(side | Qt.AlignmentFlag.AlignVCenter)


class _ResultDelegate(QStyledItemDelegate):
    """Marks in the first column, bold where it says something, the row under the mouse anywhere in the lab."""

    def __init__(self, view: ResultView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        cell = index.data(CELL_ROLE)
        width = QFontMetrics(theme().font(13, 600)).horizontalAdvance(cell.text) + 2 * theme().px(_PADDING) + 2
        return QSize(width + (theme().px(_MARK + _EDGE) if cell.look is not None else 0), theme().px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell: ResultCell = index.data(CELL_ROLE)
        px, colours = theme().px, theme().color
        rect: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(rect, colours("accentSoft"))
        elif index.data(KEY_ROLE) == self._view.hovered_key:
            painter.fillRect(rect, colours("hover"))
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), colours("grid"))
        if chosen and index.column() == 0:
            painter.fillRect(QRect(rect.x(), rect.y(), px(3), rect.height()), colours("accent"))
        room = rect.adjusted(px(_EDGE if index.column() == 0 else _PADDING), 0, -px(_PADDING), 0)
        if cell.look is not None:
            paint_mark(painter, QPointF(room.x() + px(5), rect.center().y() + 0.5), cell.look, px(4.5))
            room.adjust(px(_MARK), 0, 0, 0)
        painter.setFont(theme().font(13, 600 if cell.bold else 400))
        painter.setPen(colours(cell.token))
        text = QFontMetrics(painter.font()).elidedText(cell.text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, index.data(Qt.ItemDataRole.TextAlignmentRole), text)
        if self._view.hasFocus() and index == self._view.currentIndex():
            width = 3.0 if theme().high_contrast else 1.5
            ring(painter, QRectF(rect).adjusted(0.5, 0.5, -0.5, -1), 4, width=width)
        painter.restore()


class _Header(QHeaderView):
    """Names in the alignment of their columns; the chevron of the sorted one stands left of its name."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(theme().px(36))

    def sectionSizeFromContents(self, section: int) -> QSize:
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        width = QFontMetrics(theme().font(12, 600)).horizontalAdvance(text)
        return QSize(width + 2 * theme().px(_PADDING) + 2, theme().px(32))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        px, colours = theme().px, theme().color
        painter.save()
        painter.fillRect(rect, colours("sunken"))
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), colours("border"))
        side = self.model().headerData(section, self.orientation(), Qt.ItemDataRole.TextAlignmentRole)
        text = str(self.model().headerData(section, self.orientation()) or "")
        is_sorted = section == self.sortIndicatorSection()
        room = rect.adjusted(px(_EDGE if section == 0 else _PADDING), 0, -px(_PADDING), 0)
        painter.setFont(theme().font(12, 600))
        painter.setPen(colours("text" if is_sorted else "muted"))
        painter.drawText(room, side, text)
        if is_sorted:
            width = QFontMetrics(painter.font()).horizontalAdvance(text)
            to_right = side & Qt.AlignmentFlag.AlignRight.value
            end = room.right() - width if to_right else room.left()
            up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            place = QRect(end - px(13), rect.y(), px(12), rect.height())
            picture(painter, place, "chevron-up" if up else "chevron-down", token="text", size=12)
        painter.restore()


class ResultView(QTableView):
    """The table. A row is chosen by mouse or arrows; the mouse over a row is told, so that the charts follow."""

    chosen = Signal(str)
    """Key of the row that the user chose."""
    hovered = Signal(str)
    """Key of the row under the mouse, empty for none."""

    def __init__(self) -> None:
        super().__init__()
        self.hovered_key = ""
        self._quiet = False
        self.results = ResultModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSortRole(SORT_ROLE)
        self._sorted.setSourceModel(self.results)
        self.setModel(self._sorted)
        self.setHorizontalHeader(_Header())
        self.horizontalHeader().setAccessibleName(self.tr("Columns"))
        self.setItemDelegate(_ResultDelegate(self))
        self.setAccessibleName(self.tr("All results"))
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setSortingEnabled(True)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.entered.connect(lambda index: self.hovered.emit(index.data(KEY_ROLE)))
        self.selectionModel().selectionChanged.connect(self._selected)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_table(self, table: ResultTable, *, order: tuple[int, Qt.SortOrder]) -> None:
        """Show *table*; another kind of table is sorted by *order* at first."""
        new = self.results.table.headers != table.headers
        self.horizontalHeader().show()
        self.results.set_table(table)
        if new:
            self.sortByColumn(*order)
            self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def whole_width(self) -> int:
        """Return how wide the table must be to show every text whole."""
        header = self.horizontalHeader()
        columns = range(self.model().columnCount())
        widths = sum(max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in columns)
        return widths + self.verticalScrollBar().sizeHint().width()

    def clear(self) -> None:
        """Show nothing."""
        self.results.set_table(ResultTable())
        self.horizontalHeader().hide()

    def choose(self, key: str) -> None:
        """Select the row of *key*, or none, without telling; a row of it that is selected already stays."""
        current = self.selectionModel().selectedRows()
        if current and current[0].data(KEY_ROLE) == key:
            return
        self._quiet = True
        self.clearSelection()
        for row in range(self._sorted.rowCount()):
            index = self._sorted.index(row, 0)
            if index.data(KEY_ROLE) == key:
                self.setCurrentIndex(index)
                self.scrollTo(index)
                break
        self._quiet = False

    def hover(self, key: str) -> None:
        """Show the row of *key* as the one under the mouse."""
        self.hovered_key = key
        self.viewport().update()

    def leaveEvent(self, event: Any) -> None:
        super().leaveEvent(event)
        self.hovered.emit("")

    def _selected(self, now: QItemSelection, before: QItemSelection) -> None:
        if not self._quiet and now.indexes():
            self.chosen.emit(now.indexes()[0].data(KEY_ROLE))

    def _restyle(self) -> None:
        self.verticalHeader().setDefaultSectionSize(theme().px(ROW_HEIGHT))
        self.horizontalHeader().setFixedHeight(theme().px(32))
        self.viewport().update()
