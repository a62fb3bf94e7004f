"""The way to a value: parts in a row, each of them a button that goes there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from inspector.gui.paint import contents, keyboard_focus, picture, ring
from inspector.gui.texts import as_tooltip, visible
from inspector.gui.theme import theme

MOST_PARTS = 6
"""Parts that are shown; of longer ways the middle is left out."""

_TARGET = 24
"""Smallest side of what can be clicked."""


class _Part(QAbstractButton):
    """One part of the way."""

    def __init__(self) -> None:
        super().__init__()
        self.level = 0
        self._last = False
        self._ring = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_part(self, text: str, level: int, *, last: bool) -> None:
        """Stand for the part *text* that is *level* steps below the record."""
        self.level, self._last = level, last
        self.setText(visible(text, 60))
        self.setAccessibleName(self.text())
        self.setToolTip(as_tooltip(text) if len(text) > 12 else "")
        self.setCursor(Qt.CursorShape.ArrowCursor if last else Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if last else Qt.FocusPolicy.ClickFocus)
        self.show()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(theme().font(12, 500)).horizontalAdvance(self.text()) + theme().px(5)
        return QSize(max(min(width, theme().px(120)), theme().px(_TARGET)), theme().px(_TARGET))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(_TARGET), theme().px(_TARGET))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = theme().font(12, 500 if self._last else 400)
        font.setUnderline(self.underMouse() and not self._last)
        painter.setFont(font)
        painter.setPen(theme().color("text" if self._last or self.underMouse() else "muted"))
        room = QRect(self.rect()).adjusted(2, 0, -1, 0)
        text = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text)
        if self._ring and self.hasFocus():
            ring(painter, contents(self), 4)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = keyboard_focus(event)
        super().focusInEvent(event)


class Breadcrumb(QWidget):
    """Shows a way such as ``people › 1071 › address › geo › lat``: one Tab stop, arrows move inside."""

    chosen = Signal(int)
    """How many steps below the record the chosen part is; the record is 0, the collection -1."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Path"))
        self._parts: list[str] = []
        # Made once: a widget that is made later comes last in the Tab order of its window.
        self._buttons = [_Part() for _ in range(MOST_PARTS)]
        self._arrows = [_Arrow() for _ in range(MOST_PARTS - 1)]
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 6, 16, 6)
        layout.setSpacing(0)
        for number, button in enumerate(self._buttons):
            if number:
                layout.addWidget(self._arrows[number - 1])
            layout.addWidget(button)
            button.clicked.connect(lambda _=False, button=button: self.chosen.emit(button.level))
        layout.addStretch(1)
        self._fill()
        theme().changed.connect(self._fill)

    def parts(self) -> Sequence[str]:
        """Return what is shown, the collection first."""
        return self._parts

    def set_parts(self, parts: Sequence[str]) -> None:
        """Show *parts*: collection, record, then the keys and positions on the way."""
        if list(parts) != self._parts:
            self._parts = list(parts)
            self._fill()

    def buttons(self) -> list[QAbstractButton]:
        """Return the parts as buttons in order."""
        return [button for button in self._buttons if not button.isHidden()]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        buttons = self.buttons()
        focused = next((n for n, button in enumerate(buttons) if button.hasFocus()), None)
        if focused is None or event.key() not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
            return
        wanted = focused + (1 if event.key() == Qt.Key.Key_Right else -1)
        buttons[min(max(wanted, 0), len(buttons) - 1)].setFocus(Qt.FocusReason.TabFocusReason)

    def _fill(self) -> None:
        places = list(range(len(self._parts)))
        if len(places) > MOST_PARTS:
            places = [*places[:2], -1, *places[3 - MOST_PARTS :]]
        for number, button in enumerate(self._buttons):
            shown = number < len(places)
            if number:
                self._arrows[number - 1].setVisible(shown)
            if not shown:
                button.hide()
                continue
            place = places[number]
            text = self._parts[place] if place >= 0 else "…"
            level = place - 1 if place >= 0 else places[number + 1] - 2
            button.show_part(text, level, last=number == len(places) - 1)


class _Arrow(QWidget):
    """The sign between two parts."""

    def __init__(self) -> None:
        super().__init__()
        self._restyle()
        theme().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.setFixedSize(theme().px(14), theme().px(_TARGET))

    def paintEvent(self, event: QPaintEvent) -> None:
        picture(QPainter(self), self.rect(), "chevron-right", token="muted", size=12)
