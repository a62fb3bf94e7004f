"""Lays bar charts out in pixels: one row a bar, labels left, values right of the bar and its whisker."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from inspector.operations.charts_model import Bar, Bars, Look
from inspector.operations.charts_scene import Box, Item, Line, Mark, Rect, Text, shortened, text_width

_PAD = 16.0
_HEAD = 38.0
_ROW = 25.0
_ROW_IN_GROUP = 17.0
_GROUP_GAP = 10.0
_LEGEND = 20.0
_MARK = 20.0
"""Room left of the bars for the marks of their families: colours repeat, a colour with a shape does not."""


def bars_height(chart: Bars) -> float:
    """Return the height in pixels at which *chart* reads well."""
    rows = sum(_ROW if len(group.bars) == 1 else _group_height(len(group.bars)) for group in chart.groups)
    return _HEAD + (_LEGEND if chart.legend else 0) + rows + _PAD


def _group_height(bars: int) -> float:
    return bars * _ROW_IN_GROUP + _GROUP_GAP


def draw_bars(chart: Bars, area: Rect) -> Iterator[Item]:
    """Yield the items of a bar chart inside *area*."""
    title = shortened(chart.title, 14, area.right - area.left - 2 * _PAD, bold=True)
    yield Text(area.left + _PAD, area.top + 22, title, 14, True)
    room = area.right - area.left - 3 * _PAD - text_width(title, 14, bold=True)
    if chart.note and room > 60:
        note = shortened(chart.note, 11, room)
        yield Text(area.right - _PAD, area.top + 22, note, 11, color="muted", anchor="end")
    top = area.top + _HEAD
    if chart.legend:
        yield from _legend(chart.legend, area.left + _PAD, top + 8)
        top += _LEGEND
    if not chart.groups:
        return
    plot = _plot(chart, area, top)
    bottom = plot.top
    for group, y, height in _rows(chart, plot):
        bottom = y + height
        bars = chart.groups[group].bars
        bold = any(bar.bold for bar in bars)
        label = shortened(chart.groups[group].label, 12, plot.left - area.left - _PAD - _MARK, bold=bold)
        yield Text(plot.left - _MARK - 1, y + height / 2 + 4, label, 12, bold, anchor="end")
        step = height / len(bars)
        for number, bar in enumerate(bars):
            yield from _bar(chart, bar, plot, y + number * step + step / 2)
    yield Line(((plot.left, plot.top - 4), (plot.left, bottom + 4)), "border")


def _legend(entries: tuple[tuple[str, Look], ...], x: float, y: float) -> Iterator[Item]:
    for name, look in entries:
        yield Mark(x + 5, y, look)
        yield Text(x + 16, y + 4, name, 12)
        x += 16 + text_width(name, 12) + 24


def _plot(chart: Bars, area: Rect, top: float) -> Rect:
    """Return where the bars stand: what the widest label and the widest value leave."""
    labels = max(text_width(g.label, 12, bold=any(bar.bold for bar in g.bars)) for g in chart.groups)
    values = max(text_width(_words(bar), 12) for group in chart.groups for bar in group.bars)
    width = area.right - area.left
    left = area.left + _PAD + _MARK + 1 + min(labels, width * 0.4)
    return Rect(left, top, max(left + 40, area.right - _PAD - values - 14), area.bottom - _PAD)


def _words(bar: Bar) -> str:
    return f"{bar.text}  {bar.remark}" if bar.remark else bar.text


def _rows(chart: Bars, plot: Rect) -> Iterator[tuple[int, float, float]]:
    natural = [_ROW if len(group.bars) == 1 else _group_height(len(group.bars)) for group in chart.groups]
    stretch = min((plot.bottom - plot.top) / sum(natural), 1.0)
    y = plot.top
    for number, height in enumerate(natural):
        gap = 0.0 if len(chart.groups[number].bars) == 1 else _GROUP_GAP * stretch
        yield number, y + gap / 2, height * stretch - gap
        y += height * stretch


def _bar(chart: Bars, bar: Bar, plot: Rect, middle: float) -> Iterator[Item]:
    scale = _scale(chart, plot)
    end = max(scale(bar.value), plot.left + 1)
    half = 6.0
    yield Mark(plot.left - 10, middle, bar.look, 4)
    yield Box(Rect(plot.left, middle - half, end, middle + half), bar.look.color, 2)
    low, high = scale(bar.low), scale(bar.high)
    if high - low > 1:
        yield Line(((low, middle), (high, middle)), "text", 1.25)
        for x in (low, high):
            yield Line(((x, middle - 4), (x, middle + 4)), "text", 1.25)
    x = max(end, high) + 8
    yield Text(x, middle + 4, bar.text, 12)
    if bar.remark:
        yield Text(x + text_width(bar.text, 12) + 8, middle + 4, bar.remark, 11, color="muted")


def _scale(chart: Bars, plot: Rect) -> Callable[[float], float]:
    bars = [bar for group in chart.groups for bar in group.bars]
    most = max(max(bar.value, bar.high) for bar in bars)
    width = plot.right - plot.left
    if not chart.log:
        return lambda value: plot.left + width * value / most
    least = min(min(bar.value, bar.low) for bar in bars)
    floor = 10 ** math.floor(math.log10(least) - 0.3)
    return lambda value: plot.left + width * math.log(value / floor) / math.log(most / floor)
