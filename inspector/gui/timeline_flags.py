"""The transparent slider over the plot: flags A and B, the span between them, marks of unusual updates.

Its value is the version of flag B, so that roles, focus and keys come from Qt's slider.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QToolTip, QWidget

from inspector.gui.paint import contents, keyboard_focus, panel, ring
from inspector.gui.texts import count_text
from inspector.gui.theme import theme
from inspector.gui.timeline_data import TimelineData

_GRAB = 6
"""Design pixels beside a flag's line that still take hold of it."""

MARKS = {"deletion": "delText", "damaged": "delText", "full-state": "muted"}
"""Kinds of marks with their colours; each has its own shape."""


class TimelineFlags(QAbstractSlider):
    """A slider over the versions 0…N, painted as flag B; flag A is its `base`."""

    base_moved = Signal(int)
    """The user dragged flag A to this version."""
    wheel_zoom = Signal(float, float)
    """Factor, pixel."""

    def __init__(
        self, plot: QWidget, x_pixel: Callable[[float], float], version_at_pixel: Callable[[float], int]
    ) -> None:
        super().__init__(plot)
        self._plot = plot
        self._x_pixel = x_pixel
        self._version_at_pixel = version_at_pixel
        self._data: TimelineData | None = None
        self._base = 0
        self._drags_base = False
        self._ring = False
        self.tip: Callable[[float], str] = lambda _: ""
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Version"))
        self.valueChanged.connect(self.update)
        plot.installEventFilter(self)

    @property
    def base(self) -> int:
        """The version of flag A."""
        return self._base

    def set_base(self, version: int) -> None:
        """Put flag A to *version*."""
        self._base = version
        self.update()

    def set_data(self, data: TimelineData) -> None:
        """Slide over the versions of another history."""
        self._data = data
        self.setRange(0, data.last)
        self.setPageStep(10)
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.resize(self._plot.size())
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()  # the page has the keys of the whole history, so that they work from the diff too

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._data is None:
            event.ignore()
            return
        x = event.position().x()
        near_base = abs(x - self._flag_x(self._base)) <= theme().px(_GRAB)
        near_version = abs(x - self._flag_x(self.value())) <= theme().px(_GRAB)
        in_base_label = self._label_rect("A", self._base).contains(event.position())
        self._drags_base = (near_base or in_base_label) and not near_version
        self.setSliderDown(True)
        if not self._drags_base and not near_version:
            self._drag(x)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._drag(event.position().x())
        elif self._data is not None:
            x = event.position().x()
            near = any(abs(x - self._flag_x(v)) <= theme().px(_GRAB) for v in (self._base, self.value()))
            self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)
        self._drags_base = False

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps:
            self.wheel_zoom.emit(0.8**steps, event.position().x())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._data is not None:
            QToolTip.showText(event.globalPos(), self.tip(event.pos().x()), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = keyboard_focus(event)
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._data is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._data.axis == "time":
            painter.setFont(theme().font(11))
            painter.setPen(theme().color("muted"))
            corner = QRectF(0, self.height() - theme().px(22), theme().px(34), theme().px(22))
            painter.drawText(corner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, "UTC")
        self._paint_span(painter)
        self._paint_marks(painter)
        self._paint_flag(painter, "A", self._base)
        self._paint_flag(painter, "B", self.value())
        if self._ring and self.hasFocus():
            ring(painter, contents(self), 6)

    def _drag(self, x: float) -> None:
        version = self._version_at_pixel(x)
        if self._drags_base:
            if version != self._base:
                self.set_base(version)
                self.base_moved.emit(version)
        else:
            self.setValue(version)

    def _flag_x(self, version: int) -> float:
        assert self._data is not None
        return self._x_pixel(self._data.x(version))

    @property
    def _area(self) -> QRectF:
        """The part of the plot that bars stand in."""
        px = theme().px
        return QRectF(px(40), px(22), self.width() - px(40), self.height() - px(22) - px(22))

    def _label_rect(self, letter: str, version: int) -> QRectF:
        """Return the box of a flag's text: over its line, A beside B where both would cover each other."""
        box = self._box(letter, version)
        if letter == "A":
            other, gap = self._box("B", self.value()), theme().px(4)
            if box.left() < other.right() + gap and box.right() > other.left() - gap:
                left_of = version <= self.value() and other.left() - gap - box.width() >= 0
                box.moveLeft(other.left() - gap - box.width() if left_of else other.right() + gap)
                if box.right() > self.width():
                    box.moveRight(other.left() - gap)
        return box

    def _box(self, letter: str, version: int) -> QRectF:
        px = theme().px
        width = QFontMetrics(theme().font(11, 600)).horizontalAdvance(f"{letter}  {count_text(version)}") + 2 * px(8)
        left = min(max(self._flag_x(version) - width / 2, 0), self.width() - width)
        return QRectF(left, 0, width, px(20))

    def _paint_span(self, painter: QPainter) -> None:
        first, second = sorted((self._flag_x(self._base), self._flag_x(self.value())))
        area = self._area
        colour = theme().color("accent")
        colour.setAlphaF(0.09)
        left, right = max(first, area.left()), min(second, area.right())
        if right > left:
            painter.fillRect(QRectF(left, area.top(), right - left, area.height()), colour)

    def _paint_flag(self, painter: QPainter, letter: str, version: int) -> None:
        x, area = self._flag_x(version), self._area
        if not area.left() - 1 <= x <= area.right() + 1:
            return
        solid = letter == "B"
        colours = theme().color
        pen = QPen(colours("accent" if solid else "text"), 2 if solid else 1)
        if not solid:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        box = self._label_rect(letter, version)
        panel(
            painter, box, 4,
            fill=colours("accent" if solid else "raised"), line=None if solid else colours("borderStrong"),
        )  # fmt: skip
        painter.setFont(theme().font(11, 600))
        painter.setPen(colours("onAccent" if solid else "text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{letter}  {count_text(version)}")

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint a triangle down for a large deletion, up for a damaged update, a square for a whole state."""
        assert self._data is not None
        area, half = self._area, theme().px(4)
        taken: set[tuple[int, str]] = set()
        for version, kind in self._data.marks:
            x = self._flag_x(version)
            place = (round(x / (2 * half)), kind)
            if place in taken or not area.left() <= x <= area.right():
                continue
            taken.add(place)
            painter.setPen(QPen(theme().color(MARKS[kind]), 1.5))
            painter.setBrush(theme().color("surface"))
            painter.drawPolygon(mark_shape(kind, QPointF(x, area.top() + half + 2), half))


def mark_shape(kind: str, centre: QPointF, half: float) -> QPolygonF:
    """Return the outline of a mark of this kind around *centre*; *half* is half its side."""
    x, y = centre.x(), centre.y()
    if kind == "full-state":
        return QPolygonF(QRectF(x - half, y - half, 2 * half, 2 * half))
    side = half if kind == "deletion" else -half
    return QPolygonF([QPointF(x - half, y - side), QPointF(x + half, y - side), QPointF(x, y + side)])
