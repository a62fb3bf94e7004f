"""The plot of a history: stacked bars of updates by author over time, the flags A and B, and the overview below.

Bars and axes are pyqtgraph's; flags, marks and the shaded span are painted by a transparent child over them, which is
also the slider that mouse, keyboard and screen readers move. Importing this module loads pyqtgraph.
"""

from __future__ import annotations

from typing import Any

import pyqtgraph
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.gui.history_texts import kind_text, short_utc_text
from inspector.gui.texts import count_text
from inspector.gui.theme import theme
from inspector.gui.timeline_data import SERIES, TimelineData
from inspector.gui.timeline_flags import TimelineFlags
from inspector.gui.timeline_overview import TimelineOverview

_qtgraph: Any = pyqtgraph  # it has no annotations

BARS_HEIGHT = 114
"""Pixels of the bars: flags and axis (48 design pixels) and the overview grow with the text, these do not."""

_LOWEST = 48
"""Pixels that the bars keep in a low window; below that the overview goes."""

_FLAG_ROOM = 26
_AXIS = 22
_GAP = 10
_FOOT = 8
_LEFT = 40
_BAR = 8.0
"""Design pixels of one bar with its gap: what the number of bins follows from."""

_TICK = 96


class TimelinePlot(QWidget):
    """The whole plot; `flags` is its slider over the versions 0…N, *zoomed* tells of every new extent."""

    zoomed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._data: TimelineData | None = None
        self._range = (0.0, 1.0)
        self._drawn: list[Any] = []
        self._plot: Any = _qtgraph.PlotWidget(self)
        self._dress_plot()
        self.flags = TimelineFlags(self._plot, self._x_pixel, self._version_at_pixel)
        self.flags.wheel_zoom.connect(self._zoom_at_pixel)
        self.flags.tip = self._tip
        self._settling = False
        self.overview = TimelineOverview()
        self.overview.window_moved.connect(self.show_range)
        layout = QVBoxLayout(self)
        # A low window takes the overview away instead of being held open by it.
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        layout.setContentsMargins(16, 0, 10, _FOOT)
        layout.setSpacing(_GAP)
        layout.addWidget(self._plot)
        layout.addWidget(self.overview)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_data(self, data: TimelineData) -> None:
        """Show another history, all of it."""
        self._data = data
        self.overview.set_data(data)
        self.flags.set_data(data)
        self.fit()

    @property
    def shown(self) -> tuple[float, float]:
        """Both ends of what is shown of the axis: seconds since 1970, or versions."""
        return self._range

    def fit(self) -> None:
        """Show the whole life of the document."""
        if self._data is not None:
            self.show_range(*self._data.extent)

    def zoom(self, factor: float, centre: float | None = None) -> None:
        """Show *factor* times as much of the axis, around *centre* (the place of flag B by default)."""
        if self._data is None:
            return
        low, high = self._range
        if centre is None:
            centre = self._data.x(self.flags.value())
            if not low <= centre <= high:
                centre = (low + high) / 2
        span = (high - low) * factor
        start = centre - (centre - low) * factor
        self.show_range(start, start + span)

    def show_span(self, span: float) -> None:
        """Show a piece of the axis of this length around flag B."""
        low, high = self._range
        self.zoom(span / (high - low))

    def show_range(self, low: float, high: float) -> None:
        """Show the axis from *low* to *high*, kept inside the document's life."""
        if self._data is None:
            return
        first, last = self._data.extent
        span = min(max(high - low, self._data.narrowest), last - first)
        low = min(max(low, first), last - span)
        self._range = (low, low + span)
        self._draw()
        self.overview.set_window(low, low + span)
        self.zoomed.emit()

    def reveal(self, version: int) -> None:
        """Move what is shown so that *version* is inside, without zooming."""
        if self._data is None:
            return
        low, high = self._range
        x = self._data.x(version)
        if not low <= x <= high:
            half = (high - low) / 2
            self.show_range(x - half, x + half)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(400), self._height(BARS_HEIGHT) + _GAP + self.overview.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(100), self._height(_LOWEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._settling:
            # Showing or hiding it lays everything around out at once, which may resize this plot again.
            self._settling = True
            self.overview.setVisible(self.height() >= self._height(_LOWEST) + _GAP + self.overview.sizeHint().height())
            self._settling = False
        if self._data is not None:
            self._draw()

    @staticmethod
    def _height(bars: int) -> int:
        """Return how high the plot is, without the overview, whose bars are so high."""
        return theme().px(_FLAG_ROOM + _AXIS) + bars + _FOOT

    def summary(self) -> str:
        """Return the plot in words."""
        if self._data is None:
            return ""
        updates = self.tr("%Ln update(s)", "", self._data.last)
        clients = self.tr("%Ln client(s)", "", sum(author.clients for author in self._data.authors))
        text = self.tr("{updates} by {clients}; A is version {base}, B is version {version}.")
        numbers = {"base": count_text(self.flags.base), "version": count_text(self.flags.value())}
        return text.format(updates=updates, clients=clients, **numbers)

    def _dress_plot(self) -> None:
        item = self._plot.getPlotItem()
        item.hideButtons()
        item.setMenuEnabled(False)
        item.setMouseEnabled(False, False)
        item.setContentsMargins(0, theme().px(_FLAG_ROOM), 0, 0)
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        # The slider over it is the stop of the keyboard; the viewport takes the focus on its own account.
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for part in (self._plot, self._plot.viewport()):
            part.setAccessibleName(self.tr("Updates over time"))
        self._plot.setFrameShape(self._plot.Shape.NoFrame)

    def _draw(self) -> None:
        assert self._data is not None
        low, high = self._range
        item = self._plot.getPlotItem()
        room = max(self._plot.width() - theme().px(_LEFT), 60)
        bins = self._data.bins(low, high, round(room / theme().px(_BAR)))
        for old in self._drawn:
            item.removeItem(old)
        self._drawn = []
        centres = [bins.start + (n + 0.5) * bins.width for n in range(len(bins.heights))]
        floor = bins.heights[:, 0] * 0.0
        for series in range(SERIES):
            heights = bins.heights[:, series]
            if heights.any():
                colour = theme().tokens.series[series]
                bar = _qtgraph.BarGraphItem(
                    x=centres, y0=floor, height=heights, width=bins.width * 0.84, pen=None, brush=colour
                )
                item.addItem(bar, ignoreBounds=True)
                self._drawn.append(bar)
            floor = floor + heights
        self._set_axes(low, high, bins.tallest)

    def _set_axes(self, low: float, high: float, tallest: float) -> None:
        assert self._data is not None
        item = self._plot.getPlotItem()
        top = max(tallest, 1.0) * 1.12
        item.setRange(xRange=(low, high), yRange=(0, top), padding=0)
        room = max(self._plot.width() - theme().px(_LEFT), 60)
        ticks, heights = self._data.ticks(low, high, max(room // theme().px(_TICK), 1)), _heights(top)
        # The first text would cover the name of the time zone at the left, the last would be cut off.
        spare = (high - low) / room * theme().px(_TICK) / 3
        item.getAxis("bottom").setTicks([[(x, text) for x, text in ticks if low + spare < x < high - spare]])
        item.getAxis("left").setTicks([heights])
        self._draw_grid([x for x, _ in ticks], [y for y, _ in heights if y])
        item.getViewBox().updateMatrix()
        self.flags.update()

    def _draw_grid(self, across: list[float], up: list[float]) -> None:
        for angle, places in ((90, across), (0, up)):
            for place in places:
                line = _qtgraph.InfiniteLine(place, angle=angle, pen=theme().color("grid"))
                line.setZValue(-10)
                self._plot.getPlotItem().addItem(line, ignoreBounds=True)
                self._drawn.append(line)

    def _x_pixel(self, x: float) -> float:
        scene = self._plot.getPlotItem().getViewBox().mapViewToScene(QPointF(x, 0))
        return float(self._plot.mapFromScene(scene).x())

    def _version_at_pixel(self, pixel: float) -> int:
        assert self._data is not None
        return self._data.version_at(self._axis_at(pixel) + self._slack())

    def _axis_at(self, pixel: float) -> float:
        scene = self._plot.mapToScene(round(pixel), 0)
        return float(self._plot.getPlotItem().getViewBox().mapSceneToView(scene).x())

    def _slack(self) -> float:
        """Return half a pixel of the axis: the update under the pointer is the one at its very place."""
        low, high = self._range
        width: int = self._plot.width()
        return (high - low) / max(width, 1) / 2

    def _zoom_at_pixel(self, factor: float, pixel: float) -> None:
        self.zoom(factor, self._axis_at(pixel))

    def _tip(self, pixel: float) -> str:
        """Return what stands under the pointer: the version there, its time and what its update did."""
        assert self._data is not None
        version = self._version_at_pixel(pixel)
        text = self.tr("Version {version} of {last}")
        parts = [text.format(version=count_text(version), last=count_text(self._data.last))]
        if version:
            update = self._data.updates[version - 1]
            deleted = self.tr("%Ln unit(s) deleted", "", update.deleted) if update.deleted else ""
            parts += [short_utc_text(update.time), kind_text(update), deleted]
        return " · ".join(part for part in parts if part)

    def _restyle(self) -> None:
        px, colours = theme().px, theme().color
        self._plot.setMinimumHeight(self._height(_LOWEST) - _FOOT)
        self._plot.setMaximumHeight(self._height(BARS_HEIGHT) - _FOOT)
        self._plot.setBackground(colours("surface"))
        item = self._plot.getPlotItem()
        item.setContentsMargins(0, px(_FLAG_ROOM), 0, 0)
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setPen(colours("grid"))
            axis.setTextPen(colours("muted"))
            axis.setStyle(tickFont=theme().font(11), tickTextOffset=px(5))
            axis.setGrid(False)
        item.getAxis("left").setWidth(px(_LEFT))
        item.getAxis("bottom").setHeight(px(_AXIS))
        self.updateGeometry()
        if self._data is not None:
            self._draw()


def _heights(top: float) -> list[tuple[float, str]]:
    """Return two or three round heights under *top* with their texts."""
    step = next(
        factor * 10**power
        for power in range(16)
        for factor in (1, 2, 5)
        if top / (factor * 10**power) <= 3
    )  # fmt: skip
    return [(float(n * step), count_text(n * step)) for n in range(int(top / step) + 1)]
