"""The sheet: a form over the dimmed window, in place of a dialog window.

It keeps the focus and all shortcuts to itself while it is open, Esc cancels it, and the focus returns to the opener.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import (
    QAbstractAnimation,
    QEasingCurve,
    QEvent,
    QObject,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsOpacityEffect,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.controls import Button, Label, Separator
from inspector.gui.flow import Flow
from inspector.gui.paint import contents, panel
from inspector.gui.panes import is_stop
from inspector.gui.theme import theme

MARGIN = 24
"""Least distance to the window's edge, and the padding inside."""
RISE = 8
"""Pixels that the sheet moves while it fades."""
FADE = 160
"""Milliseconds of the fade."""

_SHADOW_STEPS = 16


class QDialog(QFrame):
    """The white part of a sheet. No dialog window of Qt's, but named like one.

    Qt chooses the role that screen readers are told by the name of a widget's class, and this is the name for
    Role.Dialog. An accessible interface made in Python would do it too, but Qt and Python both free it at exit.
    """

    def paintEvent(self, event: QPaintEvent) -> None:
        line = theme().color("border") if theme().tokens.dark or theme().high_contrast else None
        panel(QPainter(self), contents(self), 12, fill=theme().color("surface"), line=line)


class _Content(QWidget):
    """What a sheet's body scrolls. It is opaque, so that a change in it does not paint the window below anew."""

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), theme().color("surface"))


class _Body(QScrollArea):
    """The middle of a sheet: as high as its content, scrolling where the window is not."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = _Content()
        self.setWidget(self.content)
        # Only after setWidget, which switches it on.
        self.content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.content.installEventFilter(self)

    def sizeHint(self) -> QSize:
        return self.content.sizeHint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class Sheet(QWidget):
    """A form over a window; used once: make it, fill `body` and `footer`, `open` it.

    *width* in design pixels; the height follows the content up to the window's. `header` takes what stands right of
    the title. A sheet deletes itself after it has closed.
    """

    accepted = Signal()
    cancelled = Signal()
    closed = Signal()
    """After either."""

    def __init__(self, window: QWidget, title: str, *, width: int = 640) -> None:
        super().__init__(window)
        self._window = window
        self._width = width
        self._opener: QWidget | None = None
        self._default: QPushButton | None = None
        self._shown = 0.0
        self._open = False
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self._panel = QDialog(self)
        self._panel.setAccessibleName(title)
        self._build(title)
        self._fade = QVariantAnimation(self)
        self._fade.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._fade.valueChanged.connect(self._step)
        self._fade.finished.connect(self._settle)
        self.hide()
        window.installEventFilter(self)
        self._panel.installEventFilter(self)
        theme().changed.connect(self._place)

    def set_subtitle(self, text: str) -> None:
        """Say under the title what was measured or found."""
        self._subtitle.setText(text)
        self._subtitle.setVisible(bool(text))

    def set_default(self, button: QPushButton) -> None:
        """Have Enter press *button*; a danger button is never pressed by Enter."""
        self._default = button

    def open(self, focus: QWidget | None = None) -> None:
        """Show the sheet and put the focus on *focus*, or on the first control."""
        self._opener = QApplication.focusWidget()
        self._open = True
        self.setGeometry(self._window.rect())
        self._place()
        self.show()
        self.raise_()
        QApplication.instance().focusChanged.connect(self._keep_focus)  # type: ignore[union-attr]
        target = focus or self._neighbour(self, forward=True)
        (target or self).setFocus(Qt.FocusReason.OtherFocusReason)
        QAccessible.updateAccessibility(QAccessibleEvent(self._panel, QAccessible.Event.DialogStart))
        self._run(QAbstractAnimation.Direction.Forward)

    def accept(self) -> None:
        """Close the sheet because its work begins."""
        if self._close():
            self.accepted.emit()
            self.closed.emit()

    def cancel(self) -> None:
        """Close the sheet and do nothing."""
        if self._close():
            self.cancelled.emit()
            self.closed.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # The window's shortcuts rest while the sheet is open; leaving the program stays possible.
            if not event.matches(QKeySequence.StandardKey.Quit):
                event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        elif watched is self._panel and event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            button = self._default
            if (
                button is not None
                and button.isEnabled()
                and not (isinstance(button, Button) and button.kind == "danger")
            ):
                button.click()
        # Nothing goes on to the window below.
        event.accept()

    def focusNextPrevChild(self, next: bool) -> bool:
        current = QApplication.focusWidget()
        target = self._neighbour(current if current is not None else self, forward=next)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        scrim = theme().color("scrim")
        scrim.setAlphaF(scrim.alphaF() * self._shown)
        painter.fillRect(self.rect(), scrim)
        shadow = QColor(theme().color("shadow"))
        shadow.setAlphaF(shadow.alphaF() * self._shown)
        around = QRectF(self._panel.geometry()).translated(0, 6)
        for step in range(_SHADOW_STEPS):
            grow = 2 * step
            panel(painter, around.adjusted(-grow, -grow, grow, grow), 12 + grow, fill=shadow, line=None)

    def _press_default(self) -> None:
        button = self._default
        harmful = isinstance(button, Button) and button.kind == "danger"
        if button is not None and button.isEnabled() and not harmful:
            button.click()

    def _build(self, title: str) -> None:
        outer = self._layout = QVBoxLayout(self._panel)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        head = Flow(spacing=12)
        head.setContentsMargins(MARGIN - 1, 18, MARGIN - 1, 16)
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        words = QVBoxLayout(holder)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(4)
        self._title = Label(title, "sheet", wrap=True)
        self._subtitle = Label("", "secondary", wrap=True)
        self._subtitle.hide()
        words.addWidget(self._title)
        words.addWidget(self._subtitle)
        head.addWidget(holder)
        self.header = QHBoxLayout()
        self.header.setSpacing(8)
        head.addLayout(self.header)
        scroll = _Body()
        self.body = QVBoxLayout(scroll.content)
        self.body.setContentsMargins(MARGIN - 1, 16, MARGIN - 1, 16)
        self.body.setSpacing(12)
        self.footer = Flow()
        self.footer.setContentsMargins(MARGIN - 1, 14, MARGIN - 1, 14)
        outer.addLayout(head)
        outer.addWidget(Separator())
        outer.addWidget(scroll, 1)
        outer.addWidget(Separator())
        outer.addLayout(self.footer)

    def _place(self) -> None:
        room = self.rect()
        width = min(theme().px(self._width), room.width() - 2 * MARGIN)
        layout = self._layout
        wanted = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()
        height = min(wanted, room.height() - 2 * MARGIN)
        rise = round(RISE * (1 - self._shown))
        self._panel.setGeometry((room.width() - width) // 2, (room.height() - height) // 2 + rise, width, height)
        self.update()

    def _close(self) -> bool:
        if not self._open:
            return False
        self._open = False
        QApplication.instance().focusChanged.disconnect(self._keep_focus)  # type: ignore[union-attr]
        self._window.removeEventFilter(self)
        QAccessible.updateAccessibility(QAccessibleEvent(self._panel, QAccessible.Event.DialogEnd))
        if self._opener is not None and shiboken6.isValid(self._opener) and self._opener.isVisible():
            self._opener.setFocus(Qt.FocusReason.OtherFocusReason)
        self._run(QAbstractAnimation.Direction.Backward)
        return True

    def _run(self, direction: QAbstractAnimation.Direction) -> None:
        duration = theme().duration(FADE)
        forward = direction == QAbstractAnimation.Direction.Forward
        if duration == 0:
            self._step(1.0 if forward else 0.0)
            self._settle()
            return
        self._panel.setGraphicsEffect(QGraphicsOpacityEffect(self._panel))
        self._fade.setDuration(duration)
        self._fade.setStartValue(self._shown)
        self._fade.setEndValue(1.0 if forward else 0.0)
        self._fade.start()

    def _step(self, shown: float) -> None:
        self._shown = shown
        effect = self._panel.graphicsEffect()
        if isinstance(effect, QGraphicsOpacityEffect):
            effect.setOpacity(shown)
        self._place()

    def _settle(self) -> None:
        # An effect on a parent of scrolling views draws them slowly: it stays only while the sheet fades.
        self._panel.setGraphicsEffect(None)  # type: ignore[arg-type]
        if not self._open:
            self.hide()
            self.deleteLater()

    def _neighbour(self, widget: QWidget, *, forward: bool) -> QWidget | None:
        """Return the next Tab stop inside the sheet after *widget*, going round at the end."""
        candidate = widget
        while True:
            following = candidate.nextInFocusChain() if forward else candidate.previousInFocusChain()
            if following is None or following is widget:
                return None
            candidate = following
            if self._panel.isAncestorOf(candidate) and is_stop(candidate) and candidate.isVisibleTo(self):
                return candidate

    def _keep_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is None or new.window() is not self._window.window() or self.isAncestorOf(new) or new is self:
            return
        if _sheet_of(new) is not None:
            # A newer sheet is above this one; two that both insisted on the focus would never agree.
            return
        target = old if old is not None and self.isAncestorOf(old) else self._neighbour(self, forward=True)
        (target or self).setFocus(Qt.FocusReason.OtherFocusReason)


def _sheet_of(widget: QWidget | None) -> Sheet | None:
    while widget is not None and not isinstance(widget, Sheet):
        widget = widget.parentWidget()
    return widget
