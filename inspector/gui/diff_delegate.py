"""Paints the rows of cards: heads with a state, lines with numbers, sign and changed words, folds, outputs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPainterPath
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector.gui.diff_cards import Card, Options, Row, RowKind, shown_state
from inspector.gui.diff_model import CARD_ROLE, ROW_ROLE, fold_text, state_word, title
from inspector.gui.paint import panel, picture
from inspector.gui.texts import visible
from inspector.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex

MARGIN = 16
"""Design pixels left and right of a card."""

IMAGE_MOST = 420
"""Design pixels that a picture is at most high."""

_HEAD_GAP = 12
_HEIGHTS = {
    RowKind.HEAD: 34 + _HEAD_GAP,
    RowKind.LINE: 22,
    RowKind.NOTE: 26,
    RowKind.OUTPUT: 20,
    RowKind.FOLD: 40,
    RowKind.GAP: 26,
}
_LOOKS = {"+": ("addBg", "addText", "addStrong"), "-": ("delBg", "delText", "delStrong")}
_CHIPS = {
    "added": ("addBg", "addText"),
    "removed": ("delBg", "delText"),
    "changed": ("warnBg", "warnText"),
    "moved": ("accentSoft", "accentText"),
    "unchanged": ("track", "muted"),
}
_ICONS = {"code": "code", "markdown": "type", "text": "file-text", "record": "braces"}
_NUMBER = 36
_TEXT = 96
_MOST = 1000
_TAB = "    "


@dataclass(frozen=True, slots=True)
class _Ink:
    """How a short text is painted."""

    token: str
    size: int = 13
    weight: int = 400
    mono: bool = False

    @property
    def font(self) -> QFont:
        return theme().font(self.size, self.weight, mono=self.mono)

    def width(self, text: str) -> int:
        return QFontMetrics(self.font).horizontalAdvance(text)


_TITLE = _Ink("text", weight=600)
_EXECUTION = _Ink("muted", mono=True)
_AUTHOR = _Ink("muted", 12)
_GAP_TEXT = _Ink("accentText", 12)
_FOLD_TEXT = _Ink("accentText", 12, 600)


class CardDelegate(QStyledItemDelegate):
    """Paints what `CardModel` holds; *with_states* is off where a document is shown rather than compared."""

    def __init__(self, view: QListView, *, with_states: bool = True) -> None:
        super().__init__(view)
        self._view = view
        self._with_states = with_states
        self.options = Options()
        self.author: tuple[str, str] | None = None
        """Name and token of the one author of everything between two versions, if there is one."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(ROW_ROLE)
        if row.kind == RowKind.IMAGE:
            return QSize(0, self._image_size(row).height() + theme().px(16))
        height = _HEIGHTS[row.kind]
        if row.kind == RowKind.NOTE or row.kind == RowKind.OUTPUT:
            height += 4 if row.last else 0
        return QSize(0, theme().px(height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        card: Card = index.data(CARD_ROLE)
        side = theme().px(MARGIN)
        area = QRect(option.rect).adjusted(side, 0, -side, 0)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setClipRect(option.rect)
        if row.kind == RowKind.FOLD:
            self._fold(painter, area, row, selected=selected)
        else:
            if row.kind == RowKind.HEAD:
                area.adjust(0, theme().px(_HEAD_GAP), 0, 0)
            self._frame(painter, area, row)
            self._content(painter, area, row, card)
            if selected:
                self._selection(painter, area)
        painter.restore()

    def _content(self, painter: QPainter, area: QRect, row: Row, card: Card) -> None:
        if row.kind == RowKind.HEAD:
            self._head(painter, area, card)
        elif row.kind == RowKind.LINE:
            self._line(painter, area, row)
        elif row.kind == RowKind.GAP:
            self._gap(painter, area, row)
        elif row.kind == RowKind.IMAGE:
            self._image(painter, area, row)
        else:
            self._note(painter, area, row)

    def _frame(self, painter: QPainter, area: QRect, row: Row) -> None:
        """Paint this row's piece of the card's outline, and keep what follows inside its round corners."""
        over = theme().px(20)
        head = row.kind == RowKind.HEAD
        whole = QRectF(area).adjusted(0, 0 if head else -over, 0, 0 if row.last else over)
        fill = "sunken" if head or row.kind in (RowKind.NOTE, RowKind.GAP) else "surface"
        panel(painter, whole, 8, fill=theme().color(fill), line=theme().color("border"))
        inner = QPainterPath()
        corner = theme().px(8) - 1
        inner.addRoundedRect(whole.adjusted(1, 1, -1, -1), corner, corner)
        painter.setClipPath(inner, Qt.ClipOperation.IntersectClip)
        if head and not row.last:
            painter.fillRect(area.x(), area.bottom(), area.width(), 1, theme().color("border"))

    def _selection(self, painter: QPainter, area: QRect) -> None:
        tint = theme().color("accent" if self._view.hasFocus() else "muted")
        tint.setAlphaF(0.16)
        painter.fillRect(area, tint)
        if self._view.hasFocus():
            painter.fillRect(area.x(), area.y(), theme().px(3), area.height(), theme().color("accent"))

    def _head(self, painter: QPainter, area: QRect, card: Card) -> None:
        px = theme().px
        place = QRect(area.x() + px(12), area.y(), px(16), area.height())
        picture(painter, place, _ICONS.get(card.kind, "file-code"), token="muted")
        left = area.x() + px(36)
        right = self._counts(painter, area, card) if self._with_states else area.right() - px(12)
        left += _word(painter, QRect(left, area.y(), right - left, area.height()), title(card), _TITLE) + px(8)
        if card.kind == "code":
            count = "[ ]" if card.count is None else f"[{card.count}]"
            left += _word(painter, QRect(left, area.y(), right - left, area.height()), count, _EXECUTION) + px(8)
        if self._with_states:
            state = shown_state(card, self.options)
            fill, token = _CHIPS[state]
            ink, word = _Ink(token, 11, 600), state_word(card, state)
            box = QRect(left + px(4), area.y() + (area.height() - px(18)) // 2, ink.width(word) + 2 * px(7), px(18))
            panel(painter, QRectF(box), 4, fill=theme().color(fill), line=None)
            _word(painter, box.adjusted(px(7), 0, 0, 0), word, ink)

    def _counts(self, painter: QPainter, area: QRect, card: Card) -> int:
        """Paint author, added and removed lines from the right; return where they begin."""
        px = theme().px
        right = area.right() - px(12)
        for amount, sign, token in ((card.removed, "−", "delText"), (card.added, "+", "addText")):
            if amount:
                right = _word_left_of(painter, area, right, f"{sign}{amount}", _Ink(token, 12, 600)) - px(10)
        if self.author is not None:
            name, token = self.author
            right = _word_left_of(painter, area, right - px(8), name, _AUTHOR) - px(12)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color(token))
            painter.drawEllipse(QPointF(right + px(4), area.center().y() + 1), px(4), px(4))
            right -= px(10)
        return right

    def _line(self, painter: QPainter, area: QRect, row: Row) -> None:
        px, colours = theme().px, theme().color
        line = row.line
        assert line is not None
        look = _LOOKS.get(line.sign)
        if look is not None:
            painter.fillRect(area, colours(look[0]))
            painter.fillRect(area.x(), area.y(), px(3), area.height(), colours(look[1]))
        painter.setFont(theme().font(11, mono=True))
        painter.setPen(colours("faint"))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, number in enumerate((line.old, line.new)):
            if number is not None:
                box = QRect(area.x() + px(4) + place * px(_NUMBER - 4), area.y(), px(_NUMBER - 4), area.height())
                painter.drawText(box, flags, str(number))
        painter.setFont(theme().font(13, mono=True))
        if look is not None:
            painter.setPen(colours(look[1]))
            sign = "−" if line.sign == "-" else "+"
            box = QRect(area.x() + px(76), area.y(), px(16), area.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, sign)
        room = QRect(area.x() + px(_TEXT), area.y(), area.width() - px(_TEXT) - px(8), area.height())
        self._text(painter, room, line.text, line.words, mark=look[2] if look is not None else "")

    def _text(
        self, painter: QPainter, room: QRect, text: str, words: tuple[tuple[int, int], ...], *, mark: str
    ) -> None:
        """Paint a line of code with the words that differ; tabs are four spaces, controls show as signs."""
        metrics = painter.fontMetrics()
        text = text[:_MOST]
        for start, end in words if mark else ():
            left = metrics.horizontalAdvance(_shown(text[:start]))
            right = metrics.horizontalAdvance(_shown(text[:end]))
            box = QRectF(room.x() + left - 1, room.y() + 2, right - left + 2, room.height() - 4)
            panel(painter, box, 3, fill=theme().color(mark), line=None)
        painter.setPen(theme().color("text"))
        shown = metrics.elidedText(_shown(text), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)

    def _note(self, painter: QPainter, area: QRect, row: Row) -> None:
        output = row.kind == RowKind.OUTPUT
        left = theme().px(_TEXT if output else 36)
        room = area.adjusted(left, 0, -theme().px(8), 0)
        painter.setFont(theme().font(12, mono=True))
        painter.setPen(theme().color("muted"))
        shown = painter.fontMetrics().elidedText(_shown(row.note[:_MOST]), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)

    def _gap(self, painter: QPainter, area: QRect, row: Row) -> None:
        px = theme().px
        place = QRect(area.x() + px(12), area.y(), px(14), area.height())
        picture(painter, place, "unfold-vertical", token="accentText", size=14)
        _word(painter, area.adjusted(px(36), 0, -px(8), 0), fold_text(row), _GAP_TEXT)

    def _fold(self, painter: QPainter, area: QRect, row: Row, *, selected: bool) -> None:
        px = theme().px
        text = fold_text(row)
        width = _FOLD_TEXT.width(text) + px(22)
        left = area.center().x() - width // 2
        y = area.center().y() + 1
        painter.setPen(theme().color("border"))
        painter.drawLine(area.x(), y, left - px(16), y)
        painter.drawLine(left + width + px(16), y, area.right(), y)
        if selected and self._view.hasFocus():
            box = QRectF(left - px(8), y - px(13), width + px(16), px(26))
            panel(painter, box, 6, fill=theme().color("accentSoft"), line=theme().color("accent"))
        picture(painter, QRect(left, area.y(), px(16), area.height() + 2), "unfold-vertical", token="accentText")
        _word(painter, QRect(left + px(22), area.y(), width, area.height() + 2), text, _FOLD_TEXT)

    def _image(self, painter: QPainter, area: QRect, row: Row) -> None:
        size = self._image_size(row)
        box = QRect(area.x() + theme().px(_TEXT), area.y() + theme().px(8), size.width(), size.height())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box, row.image)

    def _image_size(self, row: Row) -> QSize:
        size: QSize = row.image.size()
        room = self._view.viewport().width() - theme().px(2 * MARGIN + _TEXT + 8)
        most = QSize(max(room, 40), theme().px(IMAGE_MOST))
        if size.width() > most.width() or size.height() > most.height():
            size = size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio)
        return size.expandedTo(QSize(1, 1))


def _word(painter: QPainter, room: QRect, text: str, ink: _Ink) -> int:
    """Paint a short text at the left of *room*; return its width."""
    painter.setFont(ink.font)
    painter.setPen(theme().color(ink.token))
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(room.width(), 0))
    painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
    return metrics.horizontalAdvance(shown)


def _word_left_of(painter: QPainter, area: QRect, right: int, text: str, ink: _Ink) -> int:
    """Paint a short text so that it ends at *right*; return where it begins."""
    width = ink.width(text)
    _word(painter, QRect(right - width, area.y(), width + 2, area.height()), text, ink)
    return right - width


def _shown(text: str) -> str:
    return visible(text.replace("\t", _TAB), 4 * _MOST)
