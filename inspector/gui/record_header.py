"""The header of a table of records: name, type and presence of each column, and the sign of the sort order."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QAbstractItemModel, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from inspector.gui.cell_delegate import PADDING
from inspector.gui.paint import picture
from inspector.gui.record_columns import Column
from inspector.gui.record_model import COLUMN_ROLE, RecordTableModel
from inspector.gui.texts import visible
from inspector.gui.theme import theme

HEIGHT = 44
_LINE = 2
_CHEVRON = 16


class RecordHeader(QHeaderView):
    """Sections of 44 px: name, below it type and share, at the bottom a line as long as that share."""

    order_wanted = Signal(int, Qt.SortOrder)
    """The menu of a section asked for this order of its column."""
    hide_wanted = Signal(int)
    """The menu of a section asked to hide its column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(theme().px(48))
        self.setAccessibleName(self.tr("Columns"))
        self._sorted: tuple[int, Qt.SortOrder] | None = None
        theme().changed.connect(self._restyle)

    def set_sorted(self, section: int | None, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Show by which section, and in which order, the rows are sorted."""
        self._sorted = None if section is None else (section, order)
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        section = self.logicalIndexAt(event.pos())
        if section >= 0:
            self.show_menu(section, event.globalPos())

    def show_menu(self, section: int, place: QPoint) -> QMenu:
        """Show what can be done with a column, at *place* in global coordinates."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        for label, order in ((self.tr("Sort ascending"), up), (self.tr("Sort descending"), down)):
            action = menu.addAction(label)
            action.setCheckable(True)
            action.setChecked(self._sorted == (section, order))
            action.triggered.connect(lambda _=False, order=order: self.order_wanted.emit(section, order))
        menu.addSeparator()
        hide = menu.addAction(self.tr("Hide column"))
        hide.setEnabled(section > 0)
        hide.triggered.connect(lambda _=False: self.hide_wanted.emit(section))
        menu.popup(place)
        return menu

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme().px(HEIGHT))

    def width_of(self, section: int) -> int:
        """Return the width at which the header of *section* is not shortened."""
        column = self._column(section)
        if column is None:
            return theme().px(48)
        px = theme().px
        name = QFontMetrics(theme().font(13, 600)).horizontalAdvance(self._name(section)) + px(_CHEVRON + 6)
        below = QFontMetrics(theme().font(11)).horizontalAdvance(self._below(column))
        # Two pixels for what rounding takes: a text as wide as its room would be shortened.
        return max(name, below) + 2 * px(PADDING) + px(2)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        column = self._column(logicalIndex)
        colours, px = theme().color, theme().px
        painter.save()
        painter.fillRect(rect, colours("sunken"))
        painter.fillRect(QRect(rect.x(), rect.bottom(), rect.width(), 1), colours("border"))
        painter.fillRect(QRect(rect.right(), rect.y() + px(14), 1, px(16)), colours("border"))
        if column is not None:
            self._paint_words(painter, rect, logicalIndex, column)
            self._paint_share(painter, rect, column)
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, section: int, column: Column) -> None:
        px, colours = theme().px, theme().color
        room = rect.adjusted(px(PADDING), px(5), -px(PADDING), 0)
        name_font, type_font = theme().font(13, 600), theme().font(11)
        top = QRect(room.x(), room.y(), room.width(), px(18))
        side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
        sign = self._sorted is not None and self._sorted[0] == section
        reserved = px(_CHEVRON + 6) if sign else 0
        metrics = QFontMetrics(name_font)
        name = metrics.elidedText(self._name(section), Qt.TextElideMode.ElideRight, max(top.width() - reserved, 0))
        if sign and self._sorted is not None:
            width = metrics.horizontalAdvance(name)
            left = top.right() + 1 - width - reserved if column.numeric else top.x()
            icon = "chevron-up" if self._sorted[1] == Qt.SortOrder.AscendingOrder else "chevron-down"
            picture(painter, QRect(left, top.y(), px(_CHEVRON), top.height()), icon, token="accent", size=14)
            if not column.numeric:
                top.setX(top.x() + reserved)
        painter.setFont(name_font)
        painter.setPen(colours("text"))
        painter.drawText(top, int(side | Qt.AlignmentFlag.AlignVCenter), name)
        painter.setFont(type_font)
        painter.setPen(colours("muted"))
        below = QRect(room.x(), room.y() + px(18), room.width(), px(15))
        shown = QFontMetrics(type_font).elidedText(self._below(column), Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, int(side | Qt.AlignmentFlag.AlignVCenter), shown)

    def _paint_share(self, painter: QPainter, rect: QRect, column: Column) -> None:
        thick = theme().px(_LINE)
        line = QRect(rect.x() + 1, rect.bottom() - thick, rect.width() - 2, thick)
        painter.fillRect(line, theme().color("track"))
        line.setWidth(round(line.width() * column.share))
        painter.fillRect(line, theme().color("borderStrong"))

    def _records(self) -> RecordTableModel | None:
        model = cast("QAbstractItemModel | None", self.model())
        return model if isinstance(model, RecordTableModel) else None

    def _column(self, section: int) -> Column | None:
        model = self.model()
        found = model.headerData(section, Qt.Orientation.Horizontal, COLUMN_ROLE) if model is not None else None
        return found if isinstance(found, Column) else None

    def _name(self, section: int) -> str:
        return visible(str(self.model().headerData(section, Qt.Orientation.Horizontal) or ""), 200)

    def _below(self, column: Column) -> str:
        model = self._records()
        share = model.presence(column) if model is not None else ""
        return f"{column.type_text} · {share}" if share else column.type_text

    def _restyle(self) -> None:
        self.setMinimumSectionSize(theme().px(48))
        self.updateGeometry()
        self.viewport().update()
