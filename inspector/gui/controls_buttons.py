"""Buttons: with text in five kinds, and with an icon only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QHelpEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QToolButton,
    QToolTip,
)

from inspector.gui.paint import contents, keyboard_focus, panel, picture, ring
from inspector.gui.theme import theme

Kind = Literal["primary", "secondary", "ghost", "link", "danger"]


@dataclass(frozen=True, slots=True)
class _Look:
    """Tokens and measures of one kind of button; None paints nothing."""

    fill: str | None
    hover: str | None
    pressed: str | None
    line: str | None
    text: str
    weight: int
    padding: int


_LOOKS: dict[str, _Look] = {
    "primary": _Look("accent", "accentHover", "accentHover", None, "onAccent", 600, 16),
    "secondary": _Look("raised", "hover", "track", "border", "text", 500, 13),
    "ghost": _Look(None, "hover", "track", None, "muted", 500, 10),
    "link": _Look(None, None, None, None, "accentText", 500, 2),
    "danger": _Look("raised", "delBg", "delStrong", "delText", "delText", 500, 13),
}
_DISABLED = _Look("sunken", None, None, "border", "faint", 500, 13)
_GAP = 8
_LEAST_PADDING = 4


class Button(QPushButton):
    """A push button with text and perhaps an icon.

    Kinds: one *primary* per view; *secondary*; *ghost* without an outline; *link*; *danger*, which Enter never
    presses. *height* is 32 by default: 36 page primary, 34 filter and panel, 30 toolbar, 28 in bars.
    """

    def __init__(self, text: str, kind: Kind = "secondary", *, icon: str | None = None, height: int = 32) -> None:
        super().__init__(text)
        self._kind: Kind = kind
        self._icon_name = icon
        self._height = height
        self._ring = False
        self.setCursor(Qt.CursorShape.PointingHandCursor if kind == "link" else Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def kind(self) -> Kind:
        """What the button looks like."""
        return self._kind

    def set_kind(self, kind: Kind) -> None:
        """Look like another kind."""
        self._kind = kind
        self._restyle()

    def set_icon_name(self, name: str | None) -> None:
        """Show icon *name* left of the text, or none."""
        self._icon_name = name
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        look, px = _LOOKS[self._kind], theme().px
        if not self.text():
            return QSize(px(self._height), px(self._height))
        width = self._content_width() + 2 * px(look.padding)
        return QSize(width, px(self._height))

    def minimumSizeHint(self) -> QSize:
        look, px = _LOOKS[self._kind], theme().px
        return QSize(min(self.sizeHint().width(), px(48) + 2 * px(look.padding)), px(self._height))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        look = self._look()
        area = contents(self)
        fill = look.fill
        if self.isEnabled() and (self.isDown() or self.isChecked()):
            fill = look.pressed or look.fill
        elif self.isEnabled() and self.underMouse():
            fill = look.hover or look.fill
        colours = theme().color
        panel(painter, area, 6, fill=colours(fill) if fill else None, line=colours(look.line) if look.line else None)
        self._paint_content(painter, look)
        if self._ring and self.hasFocus():
            # On the accent fill an accent ring would not show: there it is drawn in the text's colour, further in.
            if self._kind == "primary":
                ring(painter, area.adjusted(2, 2, -2, -2), 4, token="onAccent")
            else:
                ring(painter, area, 6)

    @property
    def is_cut(self) -> bool:
        """True where the button is too narrow for its text; the tooltip shows all of it."""
        least = min(_LOOKS[self._kind].padding, _LEAST_PADDING)
        return self._content_width() + 2 * theme().px(least) > self.width()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self.is_cut and not self.toolTip() and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.text().replace("&", ""), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = keyboard_focus(event)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._kind != "danger":
                self.click()
            return
        super().keyPressEvent(event)

    def _look(self) -> _Look:
        look = _LOOKS[self._kind]
        if self.isEnabled():
            return look
        if look.line is None and look.fill is None:
            return _Look(None, None, None, None, "faint", look.weight, look.padding)
        return _DISABLED

    def _content_width(self) -> int:
        px = theme().px
        width = QFontMetrics(self.font()).size(Qt.TextFlag.TextShowMnemonic, self.text()).width()
        if self._icon_name is not None:
            width += px(16) + (px(_GAP) if self.text() else 0)
        if self.menu() is not None:
            width += px(14) + px(4)
        return width

    def _paint_content(self, painter: QPainter, look: _Look) -> None:
        px = theme().px
        # In a narrow button the padding gives way before the text does.
        padding = min(px(look.padding), max((self.width() - self._content_width()) // 2, px(_LEAST_PADDING)))
        room = self.width() - 2 * padding
        spare = max(room - self._content_width(), 0)
        left = padding + spare // 2
        right = self.width() - padding - spare // 2
        if self._icon_name is not None:
            picture(painter, QRect(left, 0, px(16), self.height()), self._icon_name, token=look.text)
            left += px(16) + px(_GAP)
        if self.menu() is not None:
            picture(painter, QRect(right - px(14), 0, px(14), self.height()), "chevron-down", token=look.text, size=14)
            right -= px(18)
        font = self.font()
        font.setUnderline(self._kind == "link" and self.isEnabled() and self.underMouse())
        painter.setFont(font)
        painter.setPen(theme().color(look.text))
        text = QFontMetrics(font).elidedText(
            self.text(), Qt.TextElideMode.ElideRight, right - left + 1, Qt.TextFlag.TextShowMnemonic
        )
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(
            QRect(left, 0, right - left + 1, self.height()), int(flags | Qt.TextFlag.TextShowMnemonic), text
        )

    def _restyle(self) -> None:
        self.setFont(theme().font(13, _LOOKS[self._kind].weight))
        self.updateGeometry()
        self.update()


class IconButton(QToolButton):
    """A button with an icon only; its *name* is what a screen reader says and what the tooltip shows.

    *shortcut* is shown in the tooltip; the action that owns it handles the key. *extent* is the side in design
    pixels, at least 24.
    """

    def __init__(
        self, icon: str, name: str, shortcut: str | QKeySequence | None = None, *, size: int = 16, extent: int = 28
    ) -> None:
        super().__init__()
        self._icon_name = icon
        self._size = size
        self._extent = max(extent, 24)
        self._ring = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.set_name(name, shortcut)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_name(self, name: str, shortcut: str | QKeySequence | None = None) -> None:
        """Call the button *name*, in its tooltip with *shortcut*."""
        self.setAccessibleName(name)
        keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText) if shortcut else ""
        self.setToolTip(f"{name} ({keys})" if keys else name)

    def set_icon_name(self, icon: str) -> None:
        """Show another icon."""
        self._icon_name = icon
        self.update()

    def sizeHint(self) -> QSize:
        side = theme().px(self._extent)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = contents(self)
        if self.isEnabled() and (self.isDown() or self.isChecked()):
            line = theme().color("border") if theme().high_contrast else None
            panel(painter, area, 6, fill=theme().color("track"), line=line)
        elif self.isEnabled() and self.underMouse():
            panel(painter, area, 6, fill=theme().color("hover"), line=None)
        disabled = "faint" if theme().high_contrast else "borderStrong"
        token = "muted" if self.isEnabled() else disabled
        if self.isChecked():
            token = "text"
        picture(painter, self.rect(), self._icon_name, token=token, size=self._size)
        if self._ring and self.hasFocus():
            ring(painter, area, 6)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = keyboard_focus(event)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()
