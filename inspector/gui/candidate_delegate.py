"""Paints a candidate: radio button and two lines, a bar with its interval, numbers at the right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from inspector.gui.candidate_text import Row
from inspector.gui.paint import panel, picture
from inspector.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex

ROW = 48
PADDING = 14

_RADIO = 16
_BAR = 8
_LEAST_BAR = 48
_NUMBERS = 92
"""Room for the size at the right of its bar."""

SIZE_LEAST = _NUMBERS + 8 + _LEAST_BAR + 2 * PADDING
"""Design pixels in which a size and a short bar fit."""

ROW_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""The `Row` to paint."""

CHANGE = 2
"""Column of the change of size, red where the file would grow."""

_VCENTRE = Qt.AlignmentFlag.AlignVCenter


class CandidateDelegate(QStyledItemDelegate):
    """Paints the cells of a candidate table; the view draws the frame of the selected row over them."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self._hovered = -1
        view.setMouseTracking(True)
        view.viewport().setMouseTracking(True)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._hover(self._view.rowAt(round(event.position().y())))
        elif event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().eventFilter(watched, event)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(80), theme().px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        self._background(painter, option.rect, index.row(), selected=selected)
        room = option.rect.adjusted(theme().px(PADDING), 0, -theme().px(PADDING), 0)
        if index.column() == 0:
            self._method(painter, room, row, selected=selected)
        elif index.column() == 1:
            self._size(painter, room, row, selected=selected)
        else:
            painter.setFont(theme().font(13))
            grows = index.column() == CHANGE and row.grows
            painter.setPen(theme().color("delText" if grows else "text"))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | _VCENTRE), row.texts[index.column()])
        painter.restore()

    def _background(self, painter: QPainter, rect: QRect, row: int, *, selected: bool) -> None:
        if selected:
            painter.fillRect(rect.adjusted(0, 1, 0, -1), theme().color("accentSoft"))
        elif row == self._hovered:
            painter.fillRect(rect, theme().color("hover"))
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), theme().color("grid"))

    def _method(self, painter: QPainter, room: QRect, row: Row, *, selected: bool) -> None:
        px = theme().px
        _radio(painter, QRectF(room.x(), room.center().y() - px(_RADIO) / 2, px(_RADIO), px(_RADIO)), selected)
        words = room.adjusted(px(28), 0, 0, 0)
        bold = theme().font(13, 600)
        top, bottom = _two_lines(words)
        metrics = QFontMetrics(bold)
        badge = _badge_text(row)
        badge_width = _badge_width(badge)
        # Where the badge has no room beside the name, it stands in the line below.
        beside = metrics.horizontalAdvance(row.texts[0]) + px(8) + badge_width <= top.width()
        name = metrics.elidedText(row.texts[0], Qt.TextElideMode.ElideMiddle, top.width())
        painter.setFont(bold)
        painter.setPen(theme().color("text"))
        painter.drawText(top, int(_VCENTRE), name)
        if badge and beside:
            box = QRectF(top.x() + metrics.horizontalAdvance(name) + px(8), 0, badge_width, px(18))
            box.moveTop(top.center().y() - px(18) / 2 + 1)
            _badge(painter, box, badge)
        self._detail(painter, bottom, row, "" if beside else badge)

    def _detail(self, painter: QPainter, room: QRect, row: Row, badge: str) -> None:
        px = theme().px
        text, token = badge or row.detail, "muted"
        if row.warning:
            text, token = row.warning, "warnText"
            picture(painter, QRect(room.x(), room.y(), px(14), room.height()), "triangle-alert", token=token, size=14)
            room = room.adjusted(px(18), 0, 0, 0)
        font = theme().font(12)
        painter.setFont(font)
        painter.setPen(theme().color(token))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(_VCENTRE), shown)

    def _size(self, painter: QPainter, room: QRect, row: Row, *, selected: bool) -> None:
        px = theme().px
        numbers = QRect(room.right() + 1 - px(_NUMBERS), room.y(), px(_NUMBERS), room.height())
        bar = QRectF(room.x(), room.center().y() - px(_BAR) / 2, room.width() - px(_NUMBERS) - px(8), px(_BAR))
        self._bar(painter, bar, row, selected=selected)
        side = int(Qt.AlignmentFlag.AlignRight | _VCENTRE)
        bold, small = theme().font(13, 600), theme().font(12)
        top, bottom = _two_lines(numbers) if row.interval else (numbers, QRect())
        painter.setFont(bold)
        painter.setPen(theme().color("text"))
        painter.drawText(top, side, row.texts[1])
        if row.interval:
            painter.setFont(small)
            painter.setPen(theme().color("muted"))
            painter.drawText(bottom, side, row.interval)

    def _bar(self, painter: QPainter, bar: QRectF, row: Row, *, selected: bool) -> None:
        colours = theme().color
        line = colours("border") if theme().high_contrast else None
        panel(painter, bar, _BAR / 2, fill=colours("accentLine" if selected else "track"), line=line)
        filled = QRectF(bar.x(), bar.y(), max(bar.width() * row.share, bar.height()), bar.height())
        panel(painter, filled, _BAR / 2, fill=colours("accent" if selected else "s5"), line=None)
        if row.low == row.high:
            return
        low, high = bar.x() + bar.width() * row.low, bar.x() + bar.width() * row.high
        middle, cap = bar.center().y(), bar.height() * 0.75
        painter.setPen(QPen(colours("text"), 1.5))
        painter.drawLine(round(low), round(middle), round(high), round(middle))
        for end in (low, high):
            painter.drawLine(round(end), round(middle - cap), round(end), round(middle + cap))

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self._view.viewport().update()


def _badge_text(row: Row) -> str:
    return QCoreApplication.translate("CandidateDelegate", "Recommended") if row.candidate.recommended else ""


def _badge_width(badge: str) -> int:
    return QFontMetrics(theme().font(11, 600)).horizontalAdvance(badge) + 2 * theme().px(7) if badge else 0


def method_width(row: Row, *, badge: bool) -> int:
    """Return the pixels that the first column needs to show the name of *row*, with its *badge* or without."""
    px = theme().px
    name = QFontMetrics(theme().font(13, 600)).horizontalAdvance(row.texts[0])
    beside = _badge_width(_badge_text(row)) if badge else 0
    return name + (beside + px(8) if beside else 0) + px(28) + 2 * px(PADDING) + px(4)


def _two_lines(room: QRect) -> tuple[QRect, QRect]:
    """Return the places of two lines in the middle of *room*."""
    height = theme().px(18)
    top = room.y() + (room.height() - 2 * height) // 2
    return QRect(room.x(), top, room.width(), height), QRect(room.x(), top + height, room.width(), height)


def _radio(painter: QPainter, box: QRectF, chosen: bool) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if chosen:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("accent"))
        painter.drawEllipse(box)
        third = box.width() * 0.31
        painter.setBrush(theme().color("onAccent"))
        painter.drawEllipse(box.adjusted(third, third, -third, -third))
    else:
        painter.setPen(QPen(theme().color("control"), 1))
        painter.setBrush(theme().color("surface"))
        painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


def _badge(painter: QPainter, box: QRectF, text: str) -> None:
    panel(painter, box, 4, fill=theme().color("accent"), line=None)
    painter.setFont(theme().font(11, 600))
    painter.setPen(theme().color("onAccent"))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
