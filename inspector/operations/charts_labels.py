"""Places for the labels of points: candidate offsets around each point, the best free one wins, none overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from inspector.operations.charts_scene import Line, Rect, Text

_GAPS = (9.0, 13.0, 20.0, 32.0, 48.0, 68.0)
"""Distances from the point's centre to the label's nearest edge."""

_LEADER_FROM = 20.0
"""Distance from which a thin line leads from the label to its point."""

_STRANGER = 24.0
"""Cost of a place that a reader would take for another point's."""

_STRUCK = 200.0
"""Cost of a leader line through a label: any other place is better, even none near the point."""

_DIRECTIONS = tuple((math.cos(math.radians(angle)), -math.sin(math.radians(angle))) for angle in
                    (35, 0, 90, 145, 180, 325, 270, 215, 60, 120, 300, 240))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wish:
    """A label that wants to stand near (*x*, *y*)."""

    x: float
    y: float
    text: Text


def place(
    wishes: Sequence[Wish], *, area: Rect, barred: Sequence[Rect], lines: Sequence[Line]
) -> tuple[tuple[Text, Line | None] | None, ...]:
    """Return for each wish its placed text and leader line, None where there is no free place.

    Earlier wishes choose first. Placed labels overlap neither each other nor *barred*, and stay inside *area*; to
    cover a line costs, and so does a place that is nearer to another wish's point than to its own.
    """
    taken = list(barred)
    points = [(wish.x, wish.y) for wish in wishes]
    leaders: list[Line] = []
    texts: list[Rect] = []
    placed: list[tuple[Text, Line | None] | None] = []
    for wish in wishes:
        best = min(
            (option for option in _options(wish, area, lines) if not any(map(option.text.bounds.overlaps, taken))),
            key=lambda option: (
                option.cost
                + _STRANGER * _nearer_to_others(wish, option, points)
                + _STRUCK * _struck(option, texts, leaders)
            ),
            default=None,
        )
        if best is None:
            placed.append(None)
            continue
        taken.append(best.text.bounds.grown(3))
        texts.append(best.text.bounds)
        if best.leader is not None:
            leaders.append(best.leader)
        placed.append((best.text, best.leader))
    return tuple(placed)


@dataclass(frozen=True, slots=True)
class _Option:
    cost: float
    text: Text
    leader: Line | None


def _struck(option: _Option, texts: Sequence[Rect], leaders: Sequence[Line]) -> int:
    """Return how many labels would have a leader line through them, this one or another's."""
    count = sum(crosses(line, option.text.bounds) for line in leaders)
    return count + (sum(crosses(option.leader, text) for text in texts) if option.leader is not None else 0)


def _nearer_to_others(wish: Wish, option: _Option, points: Sequence[tuple[float, float]]) -> int:
    if option.leader is not None:
        return 0
    own = _distance(option.text.bounds, wish.x, wish.y)
    here = (wish.x, wish.y)
    return sum(point != here and _distance(option.text.bounds, *point) < own + 1 for point in points)


def _distance(rect: Rect, x: float, y: float) -> float:
    return math.hypot(max(rect.left - x, 0.0, x - rect.right), max(rect.top - y, 0.0, y - rect.bottom))


def _options(wish: Wish, area: Rect, lines: Sequence[Line]) -> Iterator[_Option]:
    bounds = wish.text.bounds
    width, height = bounds.right - bounds.left, bounds.bottom - bounds.top
    for gap in _GAPS:
        for turn, (dx, dy) in enumerate(_DIRECTIONS):
            left = wish.x + dx * gap + (0 if dx > 0.3 else -width if dx < -0.3 else -width / 2)
            top = wish.y + dy * gap + (0 if dy > 0.3 else -height if dy < -0.3 else -height / 2)
            text = replace(wish.text, x=left, y=top + wish.text.size * 0.78, anchor="start")
            if not area.holds(text.bounds):
                continue
            crossed = sum(crosses(line, text.bounds) for line in lines)
            leader = _leader(wish, text.bounds) if gap >= _LEADER_FROM else None
            cost = gap + turn * 0.6 + 14 * crossed + (18 if leader else 0)
            yield _Option(cost, text, leader)


def _leader(wish: Wish, bounds: Rect) -> Line:
    x = min(max(wish.x, bounds.left), bounds.right)
    y = min(max(wish.y, bounds.top), bounds.bottom)
    length = math.hypot(x - wish.x, y - wish.y)
    start = (wish.x + (x - wish.x) * 6 / length, wish.y + (y - wish.y) * 6 / length)
    return Line((start, (x, y)), "faint", 0.75)


def crosses(line: Line, rect: Rect) -> int:
    """Return how many of the segments of *line* have a part inside *rect*."""
    return sum(_cuts(start, end, rect) for start, end in pairwise(line.points))


def _cuts(start: tuple[float, float], end: tuple[float, float], rect: Rect) -> bool:
    """Say whether a segment has a part inside *rect* (Liang and Barsky's clipping)."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    first, last = 0.0, 1.0
    for step, room in (
        (-dx, start[0] - rect.left),
        (dx, rect.right - start[0]),
        (-dy, start[1] - rect.top),
        (dy, rect.bottom - start[1]),
    ):
        if step == 0:
            if room < 0:
                return False
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    return first <= last
