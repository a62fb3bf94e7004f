"""What the timeline draws of a history: a place on the axis for every version, authors, bins and ticks.

Made once in a task; everything here is then fast, also for hundreds of thousands of updates. No widget is touched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QDateTime, QLocale, QTimeZone

from inspector.model import Update
from inspector.progress import Progress, silent, track

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Axis = Literal["time", "no-times", "unordered"]
"""What the axis counts: time in UTC, or versions because times are missing, or do not order the updates."""

SERIES = 5
"""Series of the stacked bars: four authors, and one for all others and for updates that name nobody."""

PAUSE = 1800.0
"""Seconds without an update after which a new session of work begins."""

MOST_MARKS = 3
"""Deletions that are marked on the plot: the largest ones."""

_LATEST: Final = 253402300800.0  # the year 10000; later times are damage, and Qt has no text for them
_DAY: Final = 86400.0
_FEWEST: Final = 1e-9
_TIME_STEPS: Final = (
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0,
    900.0, 1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, _DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY, 30 * _DAY,
    90 * _DAY, 365 * _DAY, 3650 * _DAY,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Author:
    """One client that wrote updates, all others together (*client* None), or updates that name nobody.

    *series* is the colour, *clients* how many clients stand behind this line, 0 where nobody is named.
    """

    client: int | None
    updates: int
    series: int
    clients: int = 1


@dataclass(frozen=True, slots=True)
class Bins:
    """Stacked bars: *start* of the first bin, its *width* on the axis, and a height for each bin and series."""

    start: float
    width: float
    heights: NDArray[numpy.float64]

    @property
    def tallest(self) -> float:
        """Height of the tallest bar, 0 if there is none."""
        return float(self.heights.sum(axis=1).max()) if len(self.heights) else 0.0


def usable(time: float | None) -> bool:
    """Say whether *time* is a moment that a calendar has."""
    return time is not None and 0 <= time < _LATEST


def moment(time: float, zone: QTimeZone | None = None) -> QDateTime:
    """Return seconds since 1970 as a date and time in *zone*, UTC by default."""
    return QDateTime.fromMSecsSinceEpoch(round(time * 1000), zone or QTimeZone.utc())


class TimelineData:
    """The updates of one document as the timeline shows them. Slow to make: some 500 000 updates a second."""

    def __init__(self, updates: Sequence[Update], progress: Progress = silent) -> None:
        import numpy

        self.updates = updates
        count = len(updates)
        times = numpy.empty(count)
        owners: list[int | None] = []
        weights = numpy.ones(count)
        deleted = numpy.zeros(count, dtype=numpy.int64)
        for place, update in enumerate(track(updates, progress, count)):
            times[place] = update.time if update.time is not None and usable(update.time) else math.nan
            owners.append(author_of(update))
            weights[place] = update.inserted + update.deleted
            deleted[place] = update.deleted
        self.axis: Axis = _axis(times)
        self.xs: NDArray[numpy.float64] = times if self.axis == "time" else numpy.arange(1.0, count + 1.0)
        self._weights = None if self.axis == "time" else weights
        self.authors = _authors(owners)
        self._series = _series(owners, self.authors)
        order = numpy.argsort(-deleted, kind="stable")
        self.deletions: tuple[int, ...] = tuple(int(n) + 1 for n in order[: int((deleted > 0).sum())])
        """Versions whose update deleted something, the largest deletion first."""
        self.marks: tuple[tuple[int, str], ...] = tuple(self._marks())

    @property
    def last(self) -> int:
        """The newest version."""
        return len(self.updates)

    def x(self, version: int) -> float:
        """Return the place of *version* on the axis; version 0 stands a little before the first update."""
        if version > 0:
            return float(self.xs[version - 1])
        return float(self.xs[0]) - self._lead() if self.last else 0.0

    def version_at(self, x: float) -> int:
        """Return the newest version that is not right of *x*."""
        return int(self.xs.searchsorted(x, side="right"))

    @property
    def extent(self) -> tuple[float, float]:
        """Both ends of the axis, with a little room."""
        if not self.last:
            return 0.0, 1.0
        return self.x(0) - self._lead(), float(self.xs[-1]) + self._lead()

    @property
    def narrowest(self) -> float:
        """The least extent that zooming in goes to."""
        return 0.01 if self.axis == "time" else 2.0

    def bins(self, low: float, high: float, most: int) -> Bins:
        """Return at most about *most* bins over the part of the axis from *low* to *high*."""
        import numpy

        timed = self.axis == "time"
        width = max(_step((high - low) / max(most, 1), timed=timed), 0.0 if timed else 1.0)
        first, last = self.xs.searchsorted((low - width, high + width))
        # A bar of versions stands around their numbers, a bar of times from its own time on.
        start = math.floor(low / width) * width - (0.0 if timed else 0.5)
        count = math.ceil((high - start) / width) + 1
        places = numpy.floor((self.xs[first:last] - start) / width + _FEWEST).astype(numpy.int64)
        inside = (places >= 0) & (places < count)
        flat = places[inside] * SERIES + self._series[first:last][inside]
        weights = None if self._weights is None else self._weights[first:last][inside]
        heights = numpy.bincount(flat, weights=weights, minlength=count * SERIES).astype(float)
        return Bins(start, width, heights.reshape(count, SERIES))

    def ticks(self, low: float, high: float, most: int) -> list[tuple[float, str]]:
        """Return at most about *most* places on the axis from *low* to *high* with their texts, times in UTC."""
        timed = self.axis == "time"
        step = max(_step((high - low) / max(most, 1), timed=timed), 0.0 if timed else 1.0)
        start = math.ceil(low / step) * step
        places = [start + n * step for n in range(int((high - start) / step + _FEWEST) + 1)]
        if not timed:
            return [(x, QLocale().toString(int(x))) for x in places]
        dated = any(_is_midnight(x) for x in places) or step >= _DAY
        return [(x, _tick_text(x, step, dated=dated or number > 0)) for number, x in enumerate(places)]

    def session_start(self) -> int:
        """Return the version before the last session of work; 0 where the times tell of none."""
        import numpy

        if self.axis != "time":
            return 0
        pauses = numpy.flatnonzero(numpy.diff(self.xs) > PAUSE)
        return int(pauses[-1]) + 1 if len(pauses) else 0

    def series_of(self, version: int) -> int:
        """Return the series of the update that made *version*."""
        return int(self._series[version - 1])

    def sole_author(self, first: int, second: int) -> int | None:
        """Return the one client that wrote all updates between two versions, or None."""
        low, high = sorted((first, second))
        owners = {author_of(update) for update in self.updates[low : min(high, low + 5000)]}
        return next(iter(owners)) if len(owners) == 1 and high - low <= 5000 else None

    def _lead(self) -> float:
        if self.axis != "time":
            return 1.0
        return max((float(self.xs[-1]) - float(self.xs[0])) * 0.02, 0.001)

    def _marks(self) -> list[tuple[int, str]]:
        largest = set(self.deletions[:MOST_MARKS])
        found = []
        for update in self.updates:
            if update.index in largest:
                found.append((update.index, "deletion"))
            if update.kind in ("damaged", "full-state"):
                found.append((update.index, update.kind))
        return found


def author_of(update: Update) -> int | None:
    """Return the client that wrote *update*; None if it names nobody. 0 stands for content loaded from a file."""
    return next((client for client in update.clients if client), 0 if update.clients else None)


def _axis(times: NDArray[numpy.float64]) -> Axis:
    import numpy

    if not len(times) or bool(numpy.isnan(times).any()):
        return "no-times"
    return "time" if times[-1] > times[0] and bool((numpy.diff(times) >= 0).all()) else "unordered"


def _authors(owners: list[int | None]) -> tuple[Author, ...]:
    counted = Counter(owners)
    nobody = counted.pop(None, 0)
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0] or 0))
    alone = SERIES if len(ranked) == SERIES and not nobody else SERIES - 1
    authors = [Author(client, number, series) for series, (client, number) in enumerate(ranked[:alone])]
    rest = ranked[alone:]
    if rest:
        authors.append(Author(None, sum(number for _, number in rest), SERIES - 1, len(rest)))
    if nobody:
        authors.append(Author(None, nobody, SERIES - 1, 0))
    return tuple(authors)


def _series(owners: list[int | None], authors: tuple[Author, ...]) -> NDArray[numpy.int64]:
    import numpy

    colours: dict[int | None, int] = {a.client: a.series for a in authors if a.client is not None}
    return numpy.array([colours.get(owner, SERIES - 1) for owner in owners], dtype=numpy.int64)


def _step(least: float, *, timed: bool) -> float:
    """Return the least round length that is not under *least*."""
    if timed and least <= _TIME_STEPS[-1]:
        return next(step for step in _TIME_STEPS if step >= least)
    power = 10.0 ** math.floor(math.log10(max(least, _FEWEST)))
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= least * (1 - _FEWEST))


def _is_midnight(x: float) -> bool:
    return abs(x / _DAY - round(x / _DAY)) * _DAY < 0.0005


def _tick_text(x: float, step: float, *, dated: bool) -> str:
    """Return the text of a tick: a day at midnight, else a time; the day goes before it where no tick is one."""
    locale, when = QLocale(), moment(x)
    if step >= 28 * _DAY:
        return locale.toString(when, "MMM yyyy")
    if step >= _DAY or _is_midnight(x):
        return locale.toString(when, "ddd d MMM")
    form = "HH:mm" if step >= 60 else "HH:mm:ss" if step >= 1 else "HH:mm:ss.zzz"
    return locale.toString(when, form if dated else f"d MMM {form}")
