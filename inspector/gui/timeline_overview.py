"""The strip below the plot: a document's whole life in grey bars, and a window over the part that the plot shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.paint import contents, panel
from inspector.gui.theme import theme
from inspector.gui.timeline_data import TimelineData

if TYPE_CHECKING:
    from inspector.gui.timeline_data import Bins

_HEIGHT = 28
_INSET = 26
"""Design pixels at the left where the plot has its axis."""

_GRIP = 5
_BAR = 5


class TimelineOverview(QWidget):
    """The strip; its window is moved by its middle, resized by its edges, and jumps to a click outside."""

    window_moved = Signal(float, float)

    def __init__(self) -> None:
        super().__init__()
        self._data: TimelineData | None = None
        self._bins: Bins | None = None
        self._window = (0.0, 1.0)
        self._grip = ""
        self._hold = 0.0
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Whole life of the document"))
        self.setAccessibleDescription(self.tr("The same updates as in the plot; the zoom buttons move its window."))
        theme().changed.connect(self.updateGeometry)

    def set_data(self, data: TimelineData) -> None:
        """Show another history."""
        self._data = data
        self._count()

    def set_window(self, low: float, high: float) -> None:
        """Put the window over this part of the axis."""
        self._window = (low, high)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(400), theme().px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(100), theme().px(_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._count()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = self._area
        panel(painter, area, 4, fill=theme().color("sunken"), line=None)
        if self._data is None or self._bins is None:
            return
        tallest = max(self._bins.tallest, 1.0)
        for number, height in enumerate(self._bins.heights.sum(axis=1)):
            if height:
                left = self._pixel(self._bins.start + number * self._bins.width)
                right = self._pixel(self._bins.start + (number + 1) * self._bins.width)
                tall = max((area.height() - 4) * float(height) / tallest, 1.0)
                bar = QRectF(left, area.bottom() - tall, max(right - left - 1, 1), tall)
                painter.fillRect(bar.intersected(area), theme().color("control"))
        self._paint_window(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._data is None:
            return
        x = event.position().x()
        self._grip = self._grip_at(x)
        if self._grip == "":
            span = self._window[1] - self._window[0]
            self.window_moved.emit(self._axis(x) - span / 2, self._axis(x) + span / 2)
            self._grip = "middle"
        self._hold = self._axis(x) - self._window[0]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            grip = self._grip_at(x)
            edge = Qt.CursorShape.SizeHorCursor if grip in ("left", "right") else Qt.CursorShape.ArrowCursor
            self.setCursor(edge)
            return
        low, high = self._window
        if self._grip == "left":
            self.window_moved.emit(min(self._axis(x), high), high)
        elif self._grip == "right":
            self.window_moved.emit(low, max(self._axis(x), low))
        elif self._grip == "middle":
            start = self._axis(x) - self._hold
            self.window_moved.emit(start, start + high - low)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = ""

    @property
    def _area(self) -> QRectF:
        return contents(self).adjusted(theme().px(_INSET), 0, 0, 0)

    def _count(self) -> None:
        if self._data is not None:
            self._bins = self._data.bins(*self._data.extent, max(round(self._area.width() / theme().px(_BAR)), 10))
        self.update()

    def _pixel(self, x: float) -> float:
        assert self._data is not None
        low, high = self._data.extent
        return self._area.left() + (x - low) / (high - low) * self._area.width()

    def _axis(self, pixel: float) -> float:
        assert self._data is not None
        low, high = self._data.extent
        return low + (pixel - self._area.left()) / max(self._area.width(), 1) * (high - low)

    def _window_rect(self) -> QRectF:
        left, right = (self._pixel(x) for x in self._window)
        return QRectF(left, 0, max(right - left, theme().px(8)), self.height())

    def _grip_at(self, x: float) -> str:
        window, near = self._window_rect(), theme().px(_GRIP)
        if abs(x - window.left()) <= near:
            return "left"
        if abs(x - window.right()) <= near:
            return "right"
        return "middle" if window.left() < x < window.right() else ""

    def _paint_window(self, painter: QPainter) -> None:
        window, colours, px = self._window_rect(), theme().color, theme().px
        fill = colours("accent")
        fill.setAlphaF(0.12)
        panel(painter, window, 4, fill=fill, line=colours("accent"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colours("accent"), px(3), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        middle = window.center().y()
        for x in (window.left() + 1, window.right() - 1):
            painter.drawLine(QPointF(x, middle - px(4)), QPointF(x, middle + px(4)))
