"""Axes: ranges with room at the ends, ticks at round numbers, numbers as text (C locale)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_STEPS_OF_A_DECADE = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: *low* and *high* are its ends in data units, *unit* follows each tick's number."""

    title: str
    low: float
    high: float
    log: bool
    unit: str = ""

    def place(self, value: float) -> float:
        """Return where *value* lies between the ends, 0 to 1."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> tuple[float, ...]:
        """Return at most *most* round values inside the axis, as many as fit."""
        return (log_ticks if self.log else linear_ticks)(self.low, self.high, most)

    def text(self, value: float) -> str:
        """Return the label of the tick at *value*."""
        return plain(value) + self.unit


def log_axis(title: str, values: Sequence[float], *, unit: str = "", room: float = 0.08) -> Axis:
    """Return a log axis over positive *values*, with *room* (share of its length) free at both ends."""
    low, high = min(values), max(values)
    pad = max(math.log(high / low) * room, math.log(1.25))
    return Axis(title, low / math.exp(pad), high * math.exp(pad), True, unit)


def linear_axis(title: str, values: Sequence[float], *, unit: str = "", room: float = 0.1) -> Axis:
    """Return a linear axis over *values*, with *room* free at both ends."""
    low, high = min(values), max(values)
    pad = max((high - low) * room, abs(high) * 0.02, 1e-12)
    return Axis(title, low - pad, high + pad, False, unit)


def log_ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return round values of a log axis: the finest of 1, 1-3, 1-2-5, … of each decade that gives at most *most*."""
    best: tuple[float, ...] = ()
    for steps in _STEPS_OF_A_DECADE:
        ticks = tuple(_decades(low, high, steps))
        if len(ticks) <= most and len(ticks) > len(best):
            best = ticks
    if len(best) < 2 <= most:
        return linear_ticks(low, high, most) if high / low < 10 else _thinned(low, high, most)
    return best


def _decades(low: float, high: float, steps: Sequence[float]) -> Iterator[float]:
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        for step in steps:
            value = float(f"{step}e{power}")
            if low <= value <= high:
                yield value


def _thinned(low: float, high: float, most: int) -> tuple[float, ...]:
    ticks = tuple(_decades(low, high, (1.0,)))
    every = -(-len(ticks) // most)
    return ticks[::every]


def linear_ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return at most *most* round values (steps of 1, 2 or 5 times a power of ten) from *low* to *high*."""
    rough = (high - low) / max(most, 1)
    power = math.floor(math.log10(rough))
    for factor in (1, 2, 5, 10, 20):
        step = float(f"{factor}e{power}")
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first + 1 <= most:
            digits = max(0, -math.floor(math.log10(step)))
            return tuple(round(n * step, digits) for n in range(first, last + 1))
    return ()


def plain(value: float) -> str:
    """Return *value* as short text without an exponent: ``0.03``, ``7``, ``1000``."""
    text = f"{value:.10f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def digits3(value: float) -> str:
    """Return *value* with three significant digits and no exponent: ``0.914``, ``41.2``, ``1150``."""
    if value <= 0:
        return plain(value)
    rounded = float(f"{value:.3g}")  # 0.9996 is 1.00, not 1.000
    places = max(0, 2 - math.floor(math.log10(rounded)))
    return f"{value:.{min(places, 9)}f}"


def size_text(size: float) -> str:
    """Return bytes for a chart: ``9.63 MB`` (powers of 1000)."""
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= factor * 0.9995:
            return f"{digits3(size / factor)} {unit}"
    return f"{size:.0f} B"


def time_text(seconds: float) -> str:
    """Return a time for a chart: ``275 ms``."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= factor * 0.9995:
            return f"{digits3(seconds / factor)} {unit}"
    return f"{digits3(seconds * 1e9)} ns"
