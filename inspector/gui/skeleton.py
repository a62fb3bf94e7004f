"""What stands in place of rows that are on their way: grey bars that fade in and out, still with reduced motion."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.paint import panel
from inspector.gui.theme import theme

AFTER = 150
"""Milliseconds of waiting until a skeleton is shown: what comes sooner needs none."""

_PERIOD = 1.2
_FRAME = 50
_SHARES = ((0.30, 0.85, 0.20, 0.75), (0.28, 0.70, 0.30, 0.55), (0.24, 0.78, 0.22, 0.40))


class SkeletonRows(QWidget):
    """Rows of bars, as high as a table's. *still* where a bar above them tells the progress."""

    def __init__(self, name: str, *, still: bool = False) -> None:
        super().__init__()
        self._still = still
        self.setAccessibleName(name)
        # It covers what lies below it, which therefore is not painted with every frame.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME)
        self._timer.timeout.connect(self.update)
        theme().changed.connect(self.update)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if theme().duration(_FRAME) and not self._still:
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        px = theme().px
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface"))
        if self._timer.isActive():
            painter.setOpacity(0.65 + 0.35 * math.cos(time.monotonic() / _PERIOD * 2 * math.pi))
        column = self.width() / len(_SHARES[0])
        for row in range(self.height() // px(28)):
            for place, share in enumerate(_SHARES[row % len(_SHARES)]):
                bar = QRectF(place * column + px(12), row * px(28) + px(10), (column - px(24)) * share, px(8))
                panel(painter, bar, 4, fill=theme().color("track"), line=None)
