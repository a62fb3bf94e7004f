"""Paints cells as the design shows them: signs, chips, the selected row's bar, the focused cell's ring, search hits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPen, QPolygon
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from inspector.gui.cells import CELL_ROLE, HITS_ROLE, STAGED_ROLE, Cell, State
from inspector.gui.paint import panel, picture, ring
from inspector.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex

PADDING = 12
ROW_HEIGHT = 28

_STAGED = {"edit": "warnBg", "new": "addBg", "delete": "delBg"}
_TYPED = {
    State.NUMBER: "tNum",
    State.SPECIAL: "tNum",
    State.TRUE: "tBool",
    State.FALSE: "tBool",
}
_FAINT = (State.NULL, State.MISSING, State.UNDEFINED, State.EMPTY, State.BLANK)
_MONO = (State.EMPTY, State.BLANK, State.SPECIAL, State.BINARY)

_SIGNS = re.compile("[\u2400-\u2421]")
"""Control pictures: names in letters of three pixels, which nobody reads at the size of a cell."""
_ESCAPES = {"\u2400": "\\0", "\u2409": "\\t", "\u2421": "\\x7f"}


class CellDelegate(QStyledItemDelegate):
    """Paints the `Cell` that a model gives under `CELL_ROLE`, or its display text where it gives none.

    With *typed* (the value inspector) values are mono and coloured by type; a table's are not. The delegate follows
    the mouse over *view* itself, to paint the row under it.
    """

    def __init__(self, view: QAbstractItemView, *, typed: bool = False) -> None:
        super().__init__(view)
        self._view = view
        self._typed = typed
        self._hovered = -1
        self._fonts: dict[tuple[int, bool, bool, bool], QFont] = {}
        view.setMouseTracking(True)
        view.viewport().setMouseTracking(True)
        view.viewport().installEventFilter(self)
        theme().changed.connect(self._restyle)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._hover(self._view.indexAt(event.position().toPoint()))
        elif event.type() == QEvent.Type.Leave:
            self._hover(QModelIndex())
        return super().eventFilter(watched, event)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        cell, px = cell_of(index), theme().px
        return QSize(self.width_of(cell), px(ROW_HEIGHT))

    def width_of(self, cell: Cell) -> int:
        """Return the width at which nothing of *cell* is shortened."""
        px = theme().px
        width = self._advance(cell.display, self._font(cell)) + 2 * px(PADDING) + px(2)
        if cell.state in (State.ARRAY, State.OBJECT, State.TRUE, State.FALSE, State.BROKEN):
            width += px(24)
        return width

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell, staged = cell_of(index), index.data(STAGED_ROLE)
        painter.save()
        self._background(painter, option, index.row(), staged)
        px = theme().px
        room = option.rect.adjusted(px(PADDING), 0, -px(PADDING), 0)
        painter.setPen(self._colour(cell, index, staged))
        painter.setFont(self._font(cell, struck=staged == "delete"))
        self._content(painter, room, cell, index)
        self._frame(painter, option, index)
        painter.restore()

    def _background(self, painter: QPainter, option: QStyleOptionViewItem, row: int, staged: str | None) -> None:
        colours = theme().color
        if staged in _STAGED:
            painter.fillRect(option.rect, colours(_STAGED[staged]))
        if self._is_selected(option):
            painter.fillRect(option.rect, colours("accentSoft" if self._view.hasFocus() else "track"))
        elif row == self._hovered and staged not in _STAGED:
            painter.fillRect(option.rect, colours("hover"))
        if isinstance(self._view, QTableView):
            painter.fillRect(option.rect.adjusted(0, option.rect.height() - 1, 0, 0), colours("grid"))
        if staged == "edit":
            side = theme().px(7)
            corner = option.rect.topLeft()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours("warnText"))
            painter.drawPolygon(QPolygon([corner, corner + QPoint(side, 0), corner + QPoint(0, side)]))

    def _frame(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if not self._view.hasFocus():
            return
        if self._is_selected(option) and self._is_first(index):
            bar = QRect(option.rect.x(), option.rect.y(), theme().px(3), option.rect.height())
            painter.fillRect(bar, theme().color("accent"))
        if index == self._view.currentIndex() and isinstance(self._view, QTableView):
            width = 3.0 if theme().high_contrast else 1.5
            ring(painter, QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -1), 4, width=width)

    def _content(self, painter: QPainter, room: QRect, cell: Cell, index: Index) -> None:
        px = theme().px
        if cell.state == State.MISSING:
            y = room.center().y()
            painter.drawLine(room.x(), y, room.x() + px(10), y)
        elif cell.state in (State.ARRAY, State.OBJECT) and not self._typed:
            self._chip(painter, room, cell)
        elif cell.state in (State.TRUE, State.FALSE) and not self._typed:
            self._dot(painter, room, filled=cell.state == State.TRUE)
            self._words(painter, room.adjusted(px(14), 0, 0, 0), cell, [])
        elif cell.state == State.BROKEN:
            picture(painter, QRect(room.x(), room.y(), px(16), room.height()), "triangle-alert", token="delText")
            self._words(painter, room.adjusted(px(22), 0, 0, 0), cell, [])
        elif cell.state == State.LOADING:
            bar = QRectF(room.x(), room.center().y() - px(4), min(room.width(), px(96)), px(8))
            panel(painter, bar, 4, fill=theme().color("track"), line=None)
        else:
            self._words(painter, room, cell, index.data(HITS_ROLE) or [])

    def _words(self, painter: QPainter, room: QRect, cell: Cell, hits: list[tuple[int, int]]) -> None:
        font = painter.font()
        metrics = QFontMetrics(font)
        tail = f" {cell.suffix}" if cell.suffix else ""
        if _SIGNS.search(cell.text):
            self._signs(painter, room, cell.text + tail, hits)
            return
        width = room.width() - metrics.horizontalAdvance(tail)
        text = metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, max(width, 0)) + tail
        side = Qt.AlignmentFlag.AlignRight if cell.right and not self._typed else Qt.AlignmentFlag.AlignLeft
        if side == Qt.AlignmentFlag.AlignLeft:
            self._marks(painter, room, text, hits)
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text)

    def _signs(self, painter: QPainter, room: QRect, text: str, hits: list[tuple[int, int]]) -> None:
        """Paint a text with control characters piece by piece: those as escapes, faint, in another font."""
        font, pen = painter.font(), painter.pen()
        self._marks(painter, room, text, hits)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        left = room.x()
        for piece, is_sign in _pieces(text):
            used = self._escape_font(font) if is_sign else font
            metrics = QFontMetrics(used)
            space = room.right() + 1 - left
            width = metrics.horizontalAdvance(piece)
            shown = metrics.elidedText(piece, Qt.TextElideMode.ElideRight, max(space, 0))
            painter.setFont(used)
            painter.setPen(theme().color("faint") if is_sign else pen)
            painter.drawText(QRect(left, room.y(), max(space, 0), room.height()), flags, shown)
            left += width
            if width > space:
                break

    def _marks(self, painter: QPainter, room: QRect, text: str, hits: list[tuple[int, int]]) -> None:
        font = painter.font()
        height = QFontMetrics(font).height()
        for start, length in hits:
            if start < len(text):
                left = self._advance(text[:start], font)
                marked = self._advance(text[start : start + length], font)
                mark = QRectF(room.x() + left - 1, room.center().y() - height / 2, marked + 2, height + 1)
                panel(painter, mark, 3, fill=theme().color("accentLine"), line=None)

    def _advance(self, text: str, font: QFont) -> int:
        """Return the width of *text* as it is painted."""
        metrics = QFontMetrics(font)
        if not _SIGNS.search(text):
            return metrics.horizontalAdvance(text)
        signs = QFontMetrics(self._escape_font(font))
        return sum((signs if is_sign else metrics).horizontalAdvance(piece) for piece, is_sign in _pieces(text))

    def _escape_font(self, font: QFont) -> QFont:
        """Return the font for escapes beside texts in *font*."""
        return self._made(13 if font.pixelSize() > theme().px(12) else 12, mono=True)

    def _chip(self, painter: QPainter, room: QRect, cell: Cell) -> None:
        px, colours = theme().px, theme().color
        width = QFontMetrics(painter.font()).horizontalAdvance(cell.text) + 2 * px(7)
        height = min(px(20), room.height() - 4)
        box = QRect(room.x(), room.y() + (room.height() - height) // 2, min(width, room.width()), height)
        panel(painter, QRectF(box), 4, fill=colours("sunken"), line=colours("border"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, cell.text)

    def _dot(self, painter: QPainter, room: QRect, *, filled: bool) -> None:
        side = theme().px(8)
        box = QRectF(room.x(), room.y() + (room.height() - side) / 2, side, side)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("tBool"))
            painter.drawEllipse(box)
        else:
            painter.setPen(QPen(theme().color("muted"), 1.5))
            painter.drawEllipse(box.adjusted(0.75, 0.75, -0.75, -0.75))
        painter.restore()

    def _colour(self, cell: Cell, index: Index, staged: str | None) -> QColor:
        token = "text"
        if staged == "delete" or cell.state == State.BROKEN:
            token = "delText"
        elif staged == "new":
            token = "addText"
        elif cell.state in _FAINT or cell.faint or cell.state == State.SPECIAL:
            token = "faint"
        elif self._typed:
            token = _TYPED.get(cell.state, "text")
        elif cell.state in (State.ARRAY, State.OBJECT, State.BINARY, State.FALSE):
            token = "muted"
        return theme().color(token)

    def _font(self, cell: Cell, *, struck: bool = False) -> QFont:
        if cell.state in (State.ARRAY, State.OBJECT) and not self._typed:
            return self._made(11, mono=True, struck=struck)
        if cell.state in (State.NULL, State.UNDEFINED):
            return self._made(12 if self._typed else 13, italic=True, struck=struck)
        if self._typed or cell.state in _MONO:
            return self._made(12, mono=True, struck=struck)
        return self._made(13, struck=struck)

    def _made(self, size: int, *, mono: bool = False, italic: bool = False, struck: bool = False) -> QFont:
        """Return a font, made once: making and resolving one takes longer than painting a cell with it."""
        key = (size, mono, italic, struck)
        font = self._fonts.get(key)
        if font is None:
            font = theme().font(size, mono=mono, italic=italic)
            font.setStrikeOut(struck)
            self._fonts[key] = font
        return font

    def _is_selected(self, option: QStyleOptionViewItem) -> bool:
        return bool(option.state & QStyle.StateFlag.State_Selected)

    def _is_first(self, index: Index) -> bool:
        if isinstance(self._view, QTableView):
            return self._view.horizontalHeader().visualIndex(index.column()) == 0
        return index.column() == 0

    def _hover(self, index: QModelIndex) -> None:
        row = index.row() if index.isValid() else -1
        if row != self._hovered:
            self._hovered = row
            self._view.viewport().update()

    def _restyle(self) -> None:
        self._fonts.clear()
        self._view.viewport().update()


def cell_of(index: Index) -> Cell:
    """Return the model's cell, or one that holds its display text."""
    cell: Any = index.data(CELL_ROLE)
    return cell if isinstance(cell, Cell) else Cell(str(index.data() or ""))


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield (piece of *text* as it is painted, whether it stands for a control character)."""
    start = 0
    for found in _SIGNS.finditer(text):
        if found.start() > start:
            yield text[start : found.start()], False
        sign = found.group()
        yield _ESCAPES.get(sign, f"\\x{ord(sign) - 0x2400:02x}"), True
        start = found.end()
    if start < len(text):
        yield text[start:], False
