"""Charts as data: what is drawn on screen and in exports alike, made from a report. Nothing here knows pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from inspector.operations.benchmark_model import Report, Result, Unit
from inspector.operations.charts_axis import Axis
from inspector.operations.charts_palette import SERIES

Way: TypeAlias = Literal["write", "read"]
WAYS: tuple[Way, ...] = ("write", "read")
Shape: TypeAlias = Literal[
    "circle", "square", "triangle", "diamond", "pentagon", "down", "cross", "star", "hexagon", "plus"
]
SHAPES: tuple[Shape, ...] = (
    "circle",
    "square",
    "triangle",
    "diamond",
    "pentagon",
    "down",
    "cross",
    "star",
    "hexagon",
    "plus",
)

COPY = 0.005
"""A ratio so near to 1 is that of a codec that stored the data as they are."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a family is drawn everywhere: a series colour (token) and a shape."""

    color: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Point:
    """One codec: *x* MB/s with its quartiles *x_low* and *x_high*, *y* the ratio."""

    label: str
    codec: str
    family: str
    x: float
    x_low: float
    x_high: float
    y: float
    look: Look
    on_frontier: bool = False
    current: bool = False


@dataclass(frozen=True, slots=True)
class Scatter:
    """Ratio against speed. *frontier* and *families* hold indexes of *points*, left to right; *baseline*: a ratio.

    *aside* names codecs that only copied the data: as points they would push all others into a corner.
    """

    title: str
    x: Axis
    y: Axis
    points: tuple[Point, ...]
    frontier: tuple[int, ...]
    families: tuple[tuple[int, ...], ...]
    baseline: tuple[str, float] | None = None
    note: str = ""
    aside: str = ""

    @property
    def summary(self) -> str:
        """The chart in one sentence, for those who do not see it."""
        named = ", ".join(self.points[n].label for n in self.frontier)
        return f"{self.title}: {len(self.points)} codecs; Pareto frontier: {named}"


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: *value* with quartiles *low* and *high* (equal where there is no spread), *text* its value in words."""

    label: str
    value: float
    low: float
    high: float
    text: str
    look: Look
    bold: bool = False
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Bars side by side under one *label*; a plain bar chart has groups of one."""

    label: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Horizontal bars from the left; *legend* names the looks where groups hold several bars."""

    title: str
    groups: tuple[Group, ...]
    log: bool = False
    note: str = ""
    legend: tuple[tuple[str, Look], ...] = ()

    @property
    def summary(self) -> str:
        """The chart in one sentence, for those who do not see it."""
        shown = ", ".join(f"{group.label} {' / '.join(bar.text for bar in group.bars)}" for group in self.groups)
        return f"{self.title}: {shown}"


@dataclass(frozen=True, slots=True)
class Figure:
    """Charts in rows under one title, with lines that say on what and where they were measured."""

    title: str
    rows: tuple[tuple[Scatter | Bars, ...], ...]
    footer: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The figure in one sentence, for those who do not see it."""
        return f"{self.title}. " + ". ".join(chart.summary for row in self.rows for chart in row)


Chart: TypeAlias = Scatter | Bars | Figure


def family_of(spec: str) -> str:
    """Return the family of a codec: its id and the words among its parameters (``blosc2 lz4``)."""
    name, values = _parts(spec)
    return " ".join([name, *(value for value in values if not value.isdigit())])


def label_of(spec: str) -> str:
    """Return the short label of a codec: ``zstd 3``, ``blosc2 lz4 5``, ``blosc2 1 1 MiB``."""
    name, values = _parts(spec)
    return " ".join([name, *(_binary(value) for value in values)])


def _parts(spec: str) -> tuple[str, list[str]]:
    name, _, rest = spec.partition(":")
    return name, [part.partition("=")[2] for part in rest.split(",")] if rest else []


def _binary(value: str) -> str:
    if value.isdigit() and int(value) >= 1024:
        for factor, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
            if int(value) % factor == 0:
                return f"{int(value) // factor} {unit}"
    return value


def looks(report: Report) -> dict[str, Look]:
    """Return the look of each family, storage and way to keep versions, by order of appearance in *report*."""
    names = [family_of(result.codec) for result in report.results] + [each.storage for each in report.storages]
    names += [each.way for each in report.history]
    found: dict[str, Look] = {}
    for name in dict.fromkeys(names):
        turn, place = divmod(len(found), len(SHAPES))
        found[name] = Look(SERIES[(place + turn) % len(SERIES)], SHAPES[place])
    return found


def cases(report: Report) -> tuple[tuple[str, Unit], ...]:
    """Return the pairs of data set and unit that were measured: each is a chart of its own."""
    return tuple(dict.fromkeys((result.data, result.unit) for result in report.results))


def results_of(report: Report, case: tuple[str, Unit] | None = None) -> tuple[Result, ...]:
    """Return the results of one data set and unit, of the first if *case* is None."""
    found = cases(report)
    wanted = case or (found[0] if found else None)
    return tuple(result for result in report.results if (result.data, result.unit) == wanted)


def frontier(points: Sequence[tuple[float, float]]) -> tuple[int, ...]:
    """Return the indexes of the points that no other beats in both coordinates, from left to right.

    Of equal points the first counts.
    """
    best: list[int] = []
    for index in sorted(range(len(points)), key=lambda n: (-points[n][0], -points[n][1], n)):
        if not best or points[index][1] > points[best[-1]][1]:
            best.append(index)
    return tuple(reversed(best))


def speed(result: Result, way: Way) -> float:
    """Return the MB/s of *result* that way."""
    return result.encode_mb_s if way == "write" else result.decode_mb_s


def without_copies(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return the results that are no mere copies of the data, all if there are no others."""
    return tuple(r for r in results if abs(r.ratio - 1) >= COPY) or tuple(results)


def notable(results: Sequence[Result], *, current: str | None, most: int | None) -> tuple[Result, ...]:
    """Return the results, smallest first; at most *most*: those on the frontiers and the current one before others.

    Where not all are shown, copies of the data come last: their bars would dwarf the rest.

    Raises ValueError if there are none.
    """
    if not results:
        raise ValueError("no results to draw")
    ordered = sorted(results, key=lambda r: (r.size, r.codec))
    if most is None or len(ordered) <= most:
        return tuple(ordered)
    drawn = without_copies(results)
    best = {drawn[n].codec for way in WAYS for n in frontier([(speed(r, way), r.ratio) for r in drawn])}
    families = {family_of(r.codec): r.codec for r in reversed(ordered)}
    order = [r for r in ordered if r.codec == current]
    order += [r for r in ordered if r.codec in best and r.codec != current]
    order += [r for r in ordered if r not in order and r in drawn and r.codec in families.values()]
    order += [r for r in ordered if r not in order and r in drawn]
    order += [r for r in ordered if r not in order]
    kept = order[:most]
    return tuple(r for r in ordered if r in kept)


def storage_data(report: Report) -> tuple[str, ...]:
    """Return the data sets that storages were measured with: each is a chart of its own."""
    return tuple(dict.fromkeys(each.data for each in report.storages))


def history_data(report: Report) -> tuple[str, ...]:
    """Return the documents whose versions were kept: each is a chart of its own."""
    return tuple(dict.fromkeys(each.data for each in report.history))
