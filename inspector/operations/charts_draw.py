"""Lays charts out in pixels: scatter, bars, and figures of both."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from inspector.operations.charts_bars import bars_height, draw_bars
from inspector.operations.charts_labels import Wish, place
from inspector.operations.charts_model import Bars, Chart, Figure, Point, Scatter
from inspector.operations.charts_scene import Box, Item, Line, Mark, Rect, Scene, Text, shortened, text_width, wrapped

WIDTH = 960.0
SCATTER_HEIGHT = 480.0
_PAD = 16.0
_FOOTER_LINE = 17.0
_FRONTIER = "Pareto frontier"


def scene(chart: Chart, *, width: float | None = None, height: float | None = None) -> Scene:
    """Lay *chart* out; without *width* and *height* in its natural size."""
    width = width or WIDTH
    height = height or natural_height(chart, width)
    area = Rect(0, 0, width, height)
    items: list[Item] = [Box(area, "surface")]
    if isinstance(chart, Figure):
        items += _figure(chart, area)
    else:
        items += _chart(chart, area)
    return Scene(width, height, tuple(items), chart.summary)


def natural_height(chart: Chart, width: float = WIDTH) -> float:
    """Return the height in pixels at which *chart* reads well if it is *width* wide."""
    if isinstance(chart, Scatter):
        return SCATTER_HEIGHT
    if isinstance(chart, Bars):
        return bars_height(chart)
    rows = sum(max(map(natural_height, row)) for row in chart.rows)
    return _PAD + 28 + rows + _FOOTER_LINE * len(_footer(chart, width)) + _PAD


def _footer(figure: Figure, width: float) -> list[str]:
    return [part for line in figure.footer for part in wrapped(line, 11, width - 2 * _PAD)]


def _chart(chart: Scatter | Bars, area: Rect) -> Iterator[Item]:
    return draw_bars(chart, area) if isinstance(chart, Bars) else draw_scatter(chart, area)


def _figure(figure: Figure, area: Rect) -> Iterator[Item]:
    title = shortened(figure.title, 18, area.right - 2 * _PAD, bold=True)
    yield Text(_PAD, _PAD + 18, title, 18, True)
    top = _PAD + 28
    footer = _footer(figure, area.right - area.left)
    footer_top = area.bottom - _PAD - _FOOTER_LINE * len(footer)
    heights = [max(map(natural_height, row)) for row in figure.rows]
    stretch = (footer_top - top) / sum(heights) if heights else 1.0
    for row, natural in zip(figure.rows, heights, strict=True):
        bottom = top + natural * stretch
        width = (area.right - area.left) / len(row)
        for column, chart in enumerate(row):
            yield from _chart(chart, Rect(area.left + column * width, top, area.left + (column + 1) * width, bottom))
        top = bottom
    for number, line in enumerate(footer):
        yield Text(_PAD, footer_top + _FOOTER_LINE * number + 13, line, 11, color="muted")


def draw_scatter(chart: Scatter, area: Rect) -> Iterator[Item]:
    """Yield the items of a scatter inside *area*."""
    yield Text(area.left + _PAD, area.top + 25, chart.title, 14, True)
    yield Text(area.right - _PAD, area.top + 25, chart.note, 11, color="muted", anchor="end")
    plot = Rect(area.left + _PAD + 44, area.top + 40, area.right - _PAD, area.bottom - 52)
    yield from _axes(chart, plot, area)
    lines = _lines(chart, plot)
    yield from lines
    yield from _error_bars(chart, plot)
    yield from _marks(chart, plot)
    yield from _labels(chart, plot, lines)


def _at(chart: Scatter, plot: Rect, x: float, y: float) -> tuple[float, float]:
    across, up = chart.x.place(x), chart.y.place(y)
    return plot.left + across * (plot.right - plot.left), plot.bottom - up * (plot.bottom - plot.top)


def _axes(chart: Scatter, plot: Rect, area: Rect) -> Iterator[Item]:
    for value in chart.x.ticks(int((plot.right - plot.left) / 56)):
        x, _ = _at(chart, plot, value, chart.y.low)
        yield Line(((x, plot.top), (x, plot.bottom)), "grid")
        yield Text(x, plot.bottom + 17, chart.x.text(value), 11, color="muted", anchor="middle")
    for value in chart.y.ticks(int((plot.bottom - plot.top) / 36)):
        _, y = _at(chart, plot, chart.x.low, value)
        yield Line(((plot.left, y), (plot.right, y)), "grid")
        yield Text(plot.left - 8, y + 4, chart.y.text(value), 11, color="muted", anchor="end")
    yield Line(((plot.left, plot.bottom), (plot.right, plot.bottom)), "border")
    title = Text(plot.right, area.bottom - 12, chart.x.title, 11, color="muted", anchor="end")
    yield title
    room = title.bounds.left - plot.left - 16
    yield Text(plot.left, area.bottom - 12, shortened(chart.aside, 11, room), 11, color="muted")


def _lines(chart: Scatter, plot: Rect) -> list[Line]:
    lines = []
    for members in chart.families:
        points = [chart.points[n] for n in members]
        path = tuple(_at(chart, plot, point.x, point.y) for point in points)
        lines.append(Line(path, points[0].look.color, 1.0, "2 2"))
    best = tuple(_at(chart, plot, chart.points[n].x, chart.points[n].y) for n in chart.frontier)
    if len(best) > 1:
        lines.append(Line(best, "text", 1.5))
    if chart.baseline:
        _, y = _at(chart, plot, chart.x.low, chart.baseline[1])
        lines.append(Line(((plot.left, y), (plot.right, y)), "text", 1.0, "4 3"))
    return lines


def _error_bars(chart: Scatter, plot: Rect) -> Iterator[Item]:
    for point in chart.points:
        low, y = _at(chart, plot, point.x_low, point.y)
        high, _ = _at(chart, plot, point.x_high, point.y)
        if high - low > 1:
            yield Line(((low, y), (high, y)), point.look.color, 1.5)
            for x in (low, high):
                yield Line(((x, y - 3), (x, y + 3)), point.look.color, 1.5)


def _marks(chart: Scatter, plot: Rect) -> Iterator[Item]:
    for point in chart.points:
        x, y = _at(chart, plot, point.x, point.y)
        yield Mark(x, y, point.look, 4.5 if not point.on_frontier else 5.0)


def _labels(chart: Scatter, plot: Rect, lines: list[Line]) -> Iterator[Item]:
    wishes = [_wish(chart, plot, chart.points[n]) for n in _first_the_frontier(chart)]
    room = Rect(plot.left + 2, plot.top - 8, plot.right, plot.bottom - 2)
    barred = [Rect(x - 6, y - 6, x + 6, y + 6) for x, y in (_at(chart, plot, p.x, p.y) for p in chart.points)]
    barred += [Rect(low - 3, y - 4, high + 3, y + 4) for low, high, y in _whiskers(chart, plot)]
    if chart.baseline:
        _, y = _at(chart, plot, chart.x.low, chart.baseline[1])
        wishes.insert(0, Wish(plot.left + 4, y, Text(0, 0, chart.baseline[0], 11, color="muted", halo=True)))
    name = _frontier_name(chart, plot)
    if name:
        wishes.append(name)
    for placed in place(wishes, area=room, barred=barred, lines=lines):
        if placed:
            text, leader = placed
            yield text
            if leader and text.text != _FRONTIER:
                yield leader


def _first_the_frontier(chart: Scatter) -> list[int]:
    return sorted(range(len(chart.points)), key=lambda n: (not chart.points[n].on_frontier, -chart.points[n].y, n))


def _wish(chart: Scatter, plot: Rect, point: Point) -> Wish:
    x, y = _at(chart, plot, point.x, point.y)
    color = "text" if point.on_frontier else "muted"
    return Wish(x, y, Text(0, 0, point.label, 11, point.on_frontier, color, halo=True))


def _whiskers(chart: Scatter, plot: Rect) -> Iterator[tuple[float, float, float]]:
    for point in chart.points:
        low, y = _at(chart, plot, point.x_low, point.y)
        high, _ = _at(chart, plot, point.x_high, point.y)
        yield low, high, y


def _frontier_name(chart: Scatter, plot: Rect) -> Wish | None:
    """Return the wish to name the frontier at the middle of its longest level stretch."""
    spots = [_at(chart, plot, chart.points[n].x, chart.points[n].y) for n in chart.frontier]
    stretches = sorted(pairwise(spots), key=lambda pair: pair[0][0] - pair[1][0])
    if not stretches:
        return None
    (x1, y1), (x2, y2) = stretches[0]
    text = Text(0, 0, _FRONTIER, 11, True, halo=True)
    if x2 - x1 < text_width(text.text, text.size, bold=True) * 0.6:
        return None
    return Wish((x1 + x2) / 2, (y1 + y2) / 2, text)
