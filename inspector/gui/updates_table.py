"""All updates of a document in a table: what each did, how large it is, who wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QTableView

from inspector.gui.cell_delegate import ROW_HEIGHT, CellDelegate
from inspector.gui.cells import MISSING, Cell, State, cell_data, cell_text
from inspector.gui.history_texts import kind_text, local_text, utc_text
from inspector.gui.theme import theme
from inspector.model import Update

Index = QModelIndex | QPersistentModelIndex

_COLUMNS = 9
_PADDING = 12
_SAMPLE = 200
"""About how many rows the width of the columns follows from."""

_NUMBERS = (0, 3, 4, 5, 6)


class UpdatesModel(QAbstractTableModel):
    """A row for each update, straight from the history."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._updates: Sequence[Update] = ()

    def set_updates(self, updates: Sequence[Update]) -> None:
        """Show the updates of another history."""
        self.beginResetModel()
        self._updates = updates
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._updates)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else _COLUMNS

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _headers()[section] if 0 <= section < _COLUMNS else None
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._updates):
            return None
        return cell_data(_cell(self._updates[index.row()], index.column()), role)


def _headers() -> list[str]:
    tr = QCoreApplication.translate
    return [
        tr("UpdatesModel", "Version"), tr("UpdatesModel", "Time"), tr("UpdatesModel", "Kind"),
        tr("UpdatesModel", "Inserted"), tr("UpdatesModel", "Deleted"), tr("UpdatesModel", "Bytes"),
        tr("UpdatesModel", "Stored"), tr("UpdatesModel", "Codec"), tr("UpdatesModel", "Clients"),
    ]  # fmt: skip


def _cell(update: Update, column: int) -> Cell:
    match column:
        case 0:
            return cell_text(update.index)
        case 1:
            text = utc_text(update.time)
            return Cell(text, tooltip=local_text(update.time)) if text else cell_text(MISSING)
        case 2:
            return Cell(kind_text(update), State.BROKEN if update.kind == "damaged" else State.TEXT)
        case 7:
            return Cell(update.codec)
        case 8:
            return cell_text(", ".join(map(str, update.clients))) if update.clients else cell_text(MISSING)
    number = (update.inserted, update.deleted, update.size, update.stored_bytes)[column - 3]
    return cell_text(MISSING if number is None else number)


class UpdatesTable(QTableView):
    """The table; Enter or a double click asks to show the version that an update made."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.updates = UpdatesModel(self)
        self.setModel(self.updates)
        self.setItemDelegate(CellDelegate(self))
        self.setAccessibleName(self.tr("Updates"))
        self.setTabKeyNavigation(False)
        self.horizontalHeader().setAccessibleName(self.tr("Columns"))
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setHighlightSections(False)
        self.doubleClicked.connect(lambda index: self.chosen.emit(index.row() + 1))
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_updates(self, updates: Sequence[Update]) -> None:
        """Show the updates of another history, in columns as wide as their texts."""
        self.updates.set_updates(updates)
        self._fit()

    def select_version(self, version: int) -> None:
        """Put the selection on the update that made *version*."""
        if version > 0:
            self.selectRow(version - 1)
            self.scrollTo(self.updates.index(version - 1, 0))
        else:
            self.clearSelection()
            self.scrollToTop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row() + 1)
        else:
            super().keyPressEvent(event)

    def _restyle(self) -> None:
        self.verticalHeader().setDefaultSectionSize(theme().px(ROW_HEIGHT))
        self._fit()

    def _fit(self) -> None:
        """Make each column as wide as its widest text in a sample of the rows; the last takes the rest."""
        rows = self.updates.rowCount()
        sample = {*range(0, rows, max(rows // _SAMPLE, 1)), *range(max(rows - 10, 0), rows)}
        metrics = QFontMetrics(theme().font(13))
        # The style keeps a margin of its own beside that of the sheet.
        margins = 2 * theme().px(_PADDING) + 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin)
        for column, name in enumerate(_headers()):
            texts = [str(self.updates.index(row, column).data() or "") for row in sample]
            widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
            self.setColumnWidth(column, max(widest, metrics.horizontalAdvance(name)) + margins + 2)
