"""A document as it was at one version: a notebook's cells with outputs, a text, or a table of records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QPlainTextEdit,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from inspector import values
from inspector.gui.cell_delegate import ROW_HEIGHT, CellDelegate
from inspector.gui.cells import MOST, Cell, cell_data, cell_text
from inspector.gui.content_cards import content_cards
from inspector.gui.controls import EmptyState, ErrorCard
from inspector.gui.diff_cards import Card, Document, Row, document_kind
from inspector.gui.diff_view import CardList
from inspector.gui.texts import as_tooltip, visible
from inspector.gui.theme import theme
from inspector.model import DecodeError, Record
from inspector.operations import export
from inspector.progress import Progress, silent, track

Index = QModelIndex | QPersistentModelIndex

MOST_TEXT = 500_000
"""Characters of a text that are shown; the whole can be exported."""


@dataclass(frozen=True, slots=True)
class Content:
    """One version, ready to be shown."""

    version: int
    kind: Document
    records: Sequence[Record]
    text: str = ""
    cards: tuple[Card, ...] = ()
    rows: tuple[Row, ...] = ()
    previews: tuple[Cell, ...] = ()
    """For each record of a document that is neither notebook nor text, its value in short."""


def content(version: int, records: Sequence[Record], progress: Progress = silent) -> Content:
    """Prepare the records of a version for the screen. Slow."""
    kind = document_kind(records)
    if kind == "notebook":
        cards, rows = content_cards(records, progress)
        return Content(version, kind, records, cards=cards, rows=tuple(rows))
    if kind == "text":
        return Content(version, kind, records, export.as_text(records))
    previews = tuple(_preview(record) for record in track(records, progress, len(records)))
    return Content(version, kind, records, previews=previews)


def _preview(record: Record) -> Cell:
    """Return a record's value as a cell; arrays and objects as the beginning of their JSON."""
    try:
        value = record.value
    except DecodeError as error:
        return cell_text(error)
    if isinstance(value, list | dict) and value:
        text = values.write(value)
        return Cell(visible(text, MOST - 1) + ("…" if len(text) >= MOST else ""), tooltip=as_tooltip(text))
    return cell_text(value)


class RecordsModel(QAbstractTableModel):
    """Records of one version: key, value, type."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: Sequence[Record] = ()
        self._previews: Sequence[Cell] = ()

    def set_records(self, records: Sequence[Record], previews: Sequence[Cell]) -> None:
        """Show other records; *previews* are the cells of their values."""
        self.beginResetModel()
        self._records, self._previews = records, previews
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._records)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < 3:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.DisplayRole:
            tr = QCoreApplication.translate
            return (tr("RecordsModel", "Key"), tr("RecordsModel", "Value"), tr("RecordsModel", "Type"))[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._records):
            return None
        if index.column() == 1:
            preview = self._previews[index.row()]
            return None if role == Qt.ItemDataRole.TextAlignmentRole else cell_data(preview, role)
        record = self._records[index.row()]
        return cell_data(cell_text(record.key) if index.column() == 0 else Cell(_type_name(record)), role)


def _type_name(record: Record) -> str:
    try:
        value = record.value
    except DecodeError:
        return ""
    names = {bool: "boolean", int: "integer", float: "number", str: "text", bytes: "binary", list: "array"}
    return "null" if value is None else names.get(type(value), "object")


class ContentView(QWidget):
    """Shows a `Content` in the form that fits it."""

    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.list = CardList(self.tr("Cells"), with_states=False)
        self.list.copied.connect(self.copied)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setObjectName("document")
        self.text.setAccessibleName(self.tr("Text of the document"))
        self.table = QTableView()
        self.records = RecordsModel(self)
        self._dress_table()
        self._empty = EmptyState("file-text", self.tr("Nothing at this version."))
        self._error = QWidget()
        self._error_layout = QVBoxLayout(self._error)
        self._stack = QStackedLayout(self)
        for page in (self.list, self.text, self.table, self._empty, self._error):
            self._stack.addWidget(page)
        self.setFocusProxy(self.list)
        self._restyle()
        theme().changed.connect(self._restyle)

    def show_content(self, shown: Content) -> None:
        """Show one version."""
        if not shown.records:
            fact = self.tr("Version 0 is the empty document.") if shown.version == 0 else self.tr("Nothing is here.")
            self._empty.set_text(fact, self.tr("Nothing was stored before the first update."))
            self._show(self._empty)
        elif shown.kind == "notebook":
            self.list.show_ready(shown.cards, shown.rows)
            self._show(self.list)
        elif shown.kind == "text":
            self._show_text(shown.text)
        else:
            self.records.set_records(shown.records, shown.previews)
            self._show(self.table)

    def _show(self, part: QWidget) -> None:
        """Show *part*; the focus stays in the content."""
        holder = QApplication.focusWidget()
        focused = holder is not None and self.isAncestorOf(holder)
        self._stack.setCurrentWidget(part)
        self.setFocusProxy(part)
        if focused:
            part.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, title: str, body: str) -> None:
        """Say why there is no content."""
        while (item := self._error_layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._error_layout.addWidget(ErrorCard(title, body))
        self._error_layout.addStretch(1)
        self._show(self._error)

    def _show_text(self, text: str) -> None:
        place = self.text.verticalScrollBar().value()
        shown = text[:MOST_TEXT]
        if len(text) > MOST_TEXT:
            shown += "\n\n" + self.tr("The rest is not shown. Export the version to have all of it.")
        self.text.setPlainText(shown)
        self.text.verticalScrollBar().setValue(place)
        self._show(self.text)

    def _dress_table(self) -> None:
        self.table.setModel(self.records)
        self.table.setItemDelegate(CellDelegate(self.table, typed=True))
        self.table.setAccessibleName(self.tr("Records"))
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setAccessibleName(self.tr("Columns"))
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setHighlightSections(False)

    def _restyle(self) -> None:
        px = theme().px
        self.text.setFont(theme().font(13, mono=True))
        self.text.setStyleSheet("QPlainTextEdit#document { border: none; border-radius: 0; padding: 8px 16px; }")
        self.table.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        self.table.setColumnWidth(0, px(220))
        self.table.setColumnWidth(2, px(90))
