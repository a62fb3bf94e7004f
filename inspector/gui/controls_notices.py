"""Notices: the bar above content, and the toast that says what has been done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QEnterEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    Qt,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from inspector.gui.controls_buttons import Button, IconButton
from inspector.gui.controls_panels import IconLabel
from inspector.gui.controls_text import Label
from inspector.gui.flow import Flow
from inspector.gui.paint import contents, panel
from inspector.gui.theme import theme

NoticeTone = Literal["info", "ok", "warning", "error"]

_TONES: dict[str, tuple[str, str, str]] = {
    "info": ("accentSoft", "accentText", "info"),
    "ok": ("addBg", "addText", "circle-check"),
    "warning": ("warnBg", "warnText", "triangle-alert"),
    "error": ("delBg", "delText", "circle-alert"),
}
"""Fill, colour of the icon, icon."""

TOAST_STAYS = 6000
"""Milliseconds until a toast goes that is neither pointed at nor focused."""


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say *text* without moving the focus."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class InfoBar(QFrame):
    """One line above content about its state, with what can be done about it.

    Tones: info ok warning error. *icon* replaces the tone's own. Buttons are best 28 high.
    """

    def __init__(
        self, tone: NoticeTone, text: str, buttons: Sequence[QPushButton] = (), *, icon: str | None = None
    ) -> None:
        super().__init__()
        self._tone: NoticeTone = tone
        self._icon = IconLabel(icon or _TONES[tone][2], _TONES[tone][1])
        self._label = Label(text, "body", wrap=True)
        words = QWidget()
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(words)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self._label, 1)
        layout = Flow(self)
        layout.setContentsMargins(14, 7, 8, 7)
        layout.addWidget(words)
        layout.addStretch()
        for button in buttons:
            layout.addWidget(button)
        self.setAccessibleName(text)
        self._restyle()
        theme().changed.connect(self._restyle)

    def text(self) -> str:
        """Return what the bar says."""
        return self._label.text()

    def set_text(self, text: str, tone: NoticeTone | None = None) -> None:
        """Say something else, perhaps in another tone with that tone's icon."""
        if tone is not None:
            self._tone = tone
            self._icon.set_icon(_TONES[tone][2], _TONES[tone][1])
        self._label.setText(text)
        self.setAccessibleName(text)
        announce(self, text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        line = theme().color("border") if theme().high_contrast else None
        panel(QPainter(self), contents(self), 8, fill=theme().color(_TONES[self._tone][0]), line=line)

    def _restyle(self) -> None:
        self.setMinimumHeight(theme().px(42))
        self.update()


class Toast(QFrame):
    """A short notice over the bottom of a window with one thing to do about it; a newer one takes its place.

    It goes after six seconds, but stays while the mouse is over it or the focus in it. Esc closes it.
    """

    acted = Signal()
    """The user pressed the action's button."""
    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tone: NoticeTone = "ok"
        self._icon = IconLabel(_TONES["ok"][2], _TONES["ok"][1])
        self._label = Label("", "body")
        self._action = Button("", height=28)
        self._close = IconButton("x", QCoreApplication.translate("Toast", "Close"), size=14, extent=24)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 8, 7)
        layout.setSpacing(8)
        for widget in (self._icon, self._label, self._action, self._close):
            layout.addWidget(widget)
        self._action.clicked.connect(self._act)
        self._close.clicked.connect(self.dismiss)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self.hide()
        window.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._focus_moved)  # type: ignore[union-attr]
        theme().changed.connect(self.update)

    def say(self, text: str, tone: NoticeTone = "ok", *, action: str = "") -> None:
        """Show *text*, with a button if *action* names one; `acted` then tells that it was pressed."""
        self._tone = tone
        _, token, icon = _TONES[tone]
        self._icon.set_icon(icon, token)
        self._label.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self.setAccessibleName(text)
        self._place()
        self.show()
        self.raise_()
        # What the toast speaks of is often just coming into view; its buttons have their places a moment later.
        QTimer.singleShot(0, self, self._place)
        announce(self, text)
        self._timer.start(TOAST_STAYS)

    def dismiss(self) -> None:
        """Close the toast now."""
        self._timer.stop()
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._wait_again()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        line = theme().color("borderStrong")
        panel(QPainter(self), contents(self), 8, fill=theme().color(_TONES[self._tone][0]), line=line)

    def _act(self) -> None:
        self.dismiss()
        self.acted.emit()

    def _has_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _wait_again(self) -> None:
        if self.isVisible() and not self.underMouse() and not self._has_focus():
            self._timer.start(TOAST_STAYS)

    def _focus_moved(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and self.isAncestorOf(new):
            self._timer.stop()
        elif old is not None and self.isAncestorOf(old):
            self._wait_again()

    def _place(self) -> None:
        """Lie above the status bar, in the middle or at a side, wherever the fewest buttons are covered."""
        room = self._window.rect()
        self._label.setWordWrap(False)
        width = self.sizeHint().width()
        if width > room.width() - 32:
            self._label.setWordWrap(True)
            width = room.width() - 32
        height = self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()
        right, top = room.width() - width - 16, room.height() - height - theme().px(46)
        tops = (top, top - height - 8, top - 2 * height - 16)
        places = [QRect(left, y, width, height) for y in tops for left in (right // 2 + 8, right, 16)]
        buttons = self._buttons()
        self.setGeometry(min(places, key=lambda place: sum(map(place.intersects, buttons))))

    def _buttons(self) -> list[QRect]:
        """Return where the window's buttons are seen."""
        found = []
        for button in self._window.findChildren(QAbstractButton):
            if button.isVisible() and not self.isAncestorOf(button):
                # Of a button in a page that scrolls, only what is in view.
                seen = button.visibleRegion().boundingRect()
                found.append(seen.translated(button.mapTo(self._window, QPoint(0, 0))))
        return [area for area in found if not area.isEmpty()]
