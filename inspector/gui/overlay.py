"""The inspector in a narrow window: it slides over the centre at the right, and the page below stays usable."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QEvent, QObject, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsOpacityEffect, QHBoxLayout, QWidget

from inspector.gui.panes import first_stop
from inspector.gui.theme import theme

SLIDE = 160
"""Milliseconds that it takes to come or go."""
SHIFT = 8
"""Design pixels that it moves while it fades."""
SPARE = 48
"""Design pixels of the centre that are never covered."""


class Overlay(QFrame):
    """A panel over the right of *centre*; not modal. It takes the focus when it is opened, and gives it back."""

    closed = Signal()
    """The user closed it with Esc."""

    def __init__(self, window: QWidget, centre: QWidget) -> None:
        super().__init__(window)
        self._centre = centre
        self._width = 0
        self._shown = 0.0
        self._open = False
        self._opener: QWidget | None = None
        self.setAccessibleName(self.tr("Inspector"))
        self._layout = QHBoxLayout(self)
        # One pixel for the line at its left.
        self._layout.setContentsMargins(1, 0, 0, 0)
        self._slide = QVariantAnimation(self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.valueChanged.connect(self._step)
        self._slide.finished.connect(self._settle)
        self.hide()
        centre.installEventFilter(self)
        theme().changed.connect(self._place)

    @property
    def is_open(self) -> bool:
        """True from being opened until being closed, whatever still moves."""
        return self._open

    def take(self, content: QWidget) -> None:
        """Show *content* in it from now on."""
        self._layout.addWidget(content)
        content.show()

    def set_width(self, design_pixels: int) -> None:
        """Be so wide, as far as the centre has room."""
        self._width = design_pixels
        self._place()

    def open(self) -> None:
        """Slide in and take the focus."""
        if self._open:
            return
        self._open = True
        self._opener = QApplication.focusWidget()
        self._place()
        self.show()
        self.raise_()
        if (target := first_stop(self)) is not None:
            target.setFocus(Qt.FocusReason.OtherFocusReason)
        self._run(QAbstractAnimation.Direction.Forward)

    def close_panel(self, *, at_once: bool = False) -> None:
        """Slide out, or be gone *at_once*; the focus returns to where it was if it is in here."""
        if not self._open:
            return
        self._open = False
        focused, opener = QApplication.focusWidget(), self._opener
        inside = focused is not None and self.isAncestorOf(focused)
        if inside and opener is not None and shiboken6.isValid(opener) and opener.isVisible():
            opener.setFocus(Qt.FocusReason.OtherFocusReason)
        self._opener = None
        if at_once:
            self._slide.stop()
            self._shown = 0.0
            self._settle()
        else:
            self._run(QAbstractAnimation.Direction.Backward)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface"))
        painter.fillRect(0, 0, 1, self.height(), theme().color("borderStrong"))

    def _run(self, direction: QAbstractAnimation.Direction) -> None:
        end = 1.0 if direction == QAbstractAnimation.Direction.Forward else 0.0
        duration = theme().duration(SLIDE)
        self._slide.stop()
        if duration == 0:
            self._step(end)
            self._settle()
            return
        self.setGraphicsEffect(QGraphicsOpacityEffect(self))
        self._slide.setDuration(duration)
        self._slide.setStartValue(self._shown)
        self._slide.setEndValue(end)
        self._slide.start()

    def _step(self, shown: float) -> None:
        self._shown = shown
        effect = self.graphicsEffect()
        if isinstance(effect, QGraphicsOpacityEffect):
            effect.setOpacity(shown)
        self._place()

    def _settle(self) -> None:
        # An effect on a parent of scrolling views draws them slowly: it stays only while the panel moves.
        self.setGraphicsEffect(None)  # type: ignore[arg-type]
        if not self._open:
            self.hide()

    def _place(self) -> None:
        px, room = theme().px, self._centre.geometry()
        width = min(px(self._width) + 1, max(room.width() - px(SPARE), 1))
        shift = round(px(SHIFT) * (1 - self._shown))
        self.setGeometry(room.right() + 1 - width + shift, room.y(), width, room.height())
