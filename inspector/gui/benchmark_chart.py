"""The scatter of a benchmark on screen: ratio against speed, with frontier, families, error bars and baseline.

pyqtgraph draws points, lines and axes. Its log mode holds for some kinds of items only, so it is fed log10 values
and the ticks of the charts' model. Importing this module loads pyqtgraph.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainterPath, QPen, QResizeEvent, QTransform
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.gui.benchmark_labels import PointCard, ScatterOverlay
from inspector.gui.benchmark_marks import outline
from inspector.gui.benchmark_texts import figure_text
from inspector.gui.tasks import TaskRunner
from inspector.gui.theme import theme
from inspector.operations.charts_axis import Axis, plain
from inspector.operations.charts_model import Scatter

_qtgraph: Any = pyqtgraph  # it has no annotations

_LEFT = 44
_BOTTOM = 22
_TICK = (56, 36)
"""Design pixels between two ticks, across and up, at least."""


class BenchmarkChart(QWidget):
    """The plot and what lies over it. Points are known by their labels."""

    chosen = Signal(str)
    hovered = Signal(str)

    def __init__(self, runner: TaskRunner) -> None:
        super().__init__()
        self._chart: Scatter | None = None
        self._items: list[Any] = []
        self._plot: Any = _qtgraph.PlotWidget(self)
        self._dress()
        self.overlay = ScatterOverlay(self._plot, runner, at=self._pixel, area=self._area)
        self.overlay.chosen.connect(self.chosen)
        self.overlay.hovered.connect(self.hovered)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 0)
        layout.addWidget(self._plot)
        self._plot.getPlotItem().getViewBox().sigResized.connect(self._resized)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def chart(self) -> Scatter | None:
        """What is drawn."""
        return self._chart

    def view_range(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return both ends of what is shown across and up, as they were fed: log10 on log axes."""
        (left, right), (bottom, top) = self._plot.getPlotItem().getViewBox().viewRange()
        return (left, right), (bottom, top)

    def set_chart(self, chart: Scatter | None, cards: Mapping[str, PointCard]) -> None:
        """Draw *chart*; *cards* explain its points by their labels."""
        self._chart = chart
        for part in (self, self._plot, self._plot.viewport()):
            part.setAccessibleName(chart.title if chart is not None else "")
        self.setAccessibleDescription(chart.summary if chart is not None else "")
        self._draw()
        self.overlay.set_chart(chart, cards)

    def choose(self, key: str) -> None:
        """Put the ring around the point of *key*, or around none."""
        self.overlay.chosen_key = key
        self.overlay.update()

    def hover(self, key: str) -> None:
        """Explain the point of *key* as under the mouse."""
        self.overlay.hovered_key = key
        self.overlay.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized()

    def _resized(self) -> None:
        self.overlay.setGeometry(self._plot.rect())
        if self._chart is not None:
            self._draw()
            self.overlay.arrange()

    def _dress(self) -> None:
        item = self._plot.getPlotItem()
        item.hideButtons()
        item.setMenuEnabled(False)
        item.setMouseEnabled(False, False)
        item.setDefaultPadding(0)
        for side in ("left", "bottom"):
            item.getAxis(side).setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        # The table is the stop of the keyboard; the viewport takes the focus on its own account.
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        self._plot.setAntialiasing(True)

    def _draw(self) -> None:
        item = self._plot.getPlotItem()
        for each in self._items:
            item.removeItem(each)
        self._items = []
        if self._chart is None:
            return
        self._set_axes(self._chart)
        self._draw_lines(self._chart)
        self._draw_error_bars(self._chart)
        self._draw_points(self._chart)

    def _set_axes(self, chart: Scatter) -> None:
        px = theme().px
        item = self._plot.getPlotItem()
        room = (max(self._plot.width() - px(_LEFT), 80), max(self._plot.height() - px(_BOTTOM), 60))
        axes = (chart.x, chart.y)
        ranges = [(_fed(axis, axis.low), _fed(axis, axis.high)) for axis in axes]
        item.setRange(xRange=ranges[0], yRange=ranges[1], padding=0)
        for axis, side, length, apart in zip(axes, ("bottom", "left"), room, _TICK, strict=True):
            ticks = [
                (_fed(axis, value), figure_text(plain(value)) + axis.unit)
                for value in axis.ticks(max(length // px(apart), 2))
            ]
            item.getAxis(side).setTicks([ticks])
            for place, _ in ticks:
                angle = 90 if side == "bottom" else 0
                self._add(_qtgraph.InfiniteLine(place, angle=angle, pen=QPen(theme().color("grid"), 0)), depth=-10)

    def _draw_lines(self, chart: Scatter) -> None:
        colours = theme().color
        for members in chart.families:
            pen = QPen(colours(chart.points[members[0]].look.color), 1)
            pen.setDashPattern([2, 2])
            pen.setCosmetic(True)
            self._add(self._path(chart, members, pen), depth=1)
        if len(chart.frontier) > 1:
            pen = QPen(colours("text"), 1.5)
            pen.setCosmetic(True)
            self._add(self._path(chart, chart.frontier, pen), depth=2)
        if chart.baseline is not None:
            pen = QPen(colours("text"), 1)
            pen.setDashPattern([4, 3])
            pen.setCosmetic(True)
            self._add(_qtgraph.InfiniteLine(_fed(chart.y, chart.baseline[1]), angle=0, pen=pen), depth=0)

    def _path(self, chart: Scatter, members: tuple[int, ...], pen: QPen) -> Any:
        points = [chart.points[n] for n in members]
        xs, ys = [_fed(chart.x, p.x) for p in points], [_fed(chart.y, p.y) for p in points]
        return _qtgraph.PlotCurveItem(x=xs, y=ys, pen=pen, antialias=True)

    def _draw_error_bars(self, chart: Scatter) -> None:
        """Draw the quartiles of the speed; the left arm is shorter or longer than the right one on a log axis."""
        import numpy

        (_, _), (bottom, top) = self.view_range()
        beam = 6 * (top - bottom) / max(self._area().height(), 1)
        spread = [point for point in chart.points if point.x_high > point.x_low]
        for color in sorted({point.look.color for point in spread}):
            points = [point for point in spread if point.look.color == color]
            xs = numpy.array([_fed(chart.x, point.x) for point in points])
            pen = QPen(theme().color(color), 1.5)
            pen.setCosmetic(True)
            bars = _qtgraph.ErrorBarItem(
                x=xs,
                y=numpy.array([_fed(chart.y, point.y) for point in points]),
                left=xs - numpy.array([_fed(chart.x, point.x_low) for point in points]),
                right=numpy.array([_fed(chart.x, point.x_high) for point in points]) - xs,
                beam=beam,
                pen=pen,
            )
            self._add(bars, depth=3)

    def _draw_points(self, chart: Scatter) -> None:
        spots = [
            {
                "pos": (_fed(chart.x, point.x), _fed(chart.y, point.y)),
                "symbol": _symbol(point.look.shape),
                "size": theme().px(10 if point.on_frontier else 9),
                "brush": theme().color(point.look.color),
                "pen": None,
            }
            for point in chart.points
        ]
        self._add(_qtgraph.ScatterPlotItem(spots, pxMode=True, antialias=True), depth=4)

    def _add(self, item: Any, *, depth: int) -> None:
        item.setZValue(depth)
        self._plot.getPlotItem().addItem(item, ignoreBounds=True)
        self._items.append(item)

    def _pixel(self, x: float, y: float) -> QPointF:
        """Return where a speed and a ratio lie in the plot's pixels."""
        assert self._chart is not None
        axes, area = self._chart, self._area()
        across, up = axes.x.place(x), axes.y.place(y)
        return QPointF(area.left() + across * area.width(), area.bottom() - up * area.height())

    def _area(self) -> QRectF:
        """Return the pixels inside the axes."""
        box: QRectF = self._plot.getPlotItem().getViewBox().sceneBoundingRect()
        return box

    def _restyle(self) -> None:
        px, colours = theme().px, theme().color
        self._plot.setBackground(colours("surface"))
        item = self._plot.getPlotItem()
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setPen(colours("border"))
            axis.setTextPen(colours("muted"))
            axis.setStyle(tickFont=theme().font(11), tickTextOffset=px(5))
        item.getAxis("left").setWidth(px(_LEFT))
        item.getAxis("left").setPen(None)
        item.getAxis("bottom").setHeight(px(_BOTTOM))
        self._resized()


def _fed(axis: Axis, value: float) -> float:
    return math.log10(value) if axis.log else value


def _symbol(shape: Any) -> QPainterPath:
    """Return the outline as pyqtgraph wants it: its size 1 instead of 2."""
    return QTransform.fromScale(0.5, 0.5).map(outline(shape))
