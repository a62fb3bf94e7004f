"""Makes charts from a report: scatter, size bars, time bars, bars of storages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.operations.benchmark_model import MEGA, DataSet, Report, Result, StorageResult, Unit
from inspector.operations.charts_axis import digits3, linear_axis, log_axis, size_text, time_text
from inspector.operations.charts_model import (
    COPY,
    Bar,
    Bars,
    Group,
    Look,
    Point,
    Scatter,
    Way,
    family_of,
    frontier,
    label_of,
    looks,
    notable,
    results_of,
    speed,
    storage_data,
    without_copies,
)

WIDE = 6.0
"""Largest over smallest ratio from which the ratio's axis is logarithmic."""


def scatter(
    report: Report, way: Way = "write", *, case: tuple[str, Unit] | None = None, current: str | None = None
) -> Scatter:
    """Return ratio against write or read speed; *current* is the spec that the store has now, drawn as baseline.

    Raises ValueError if the report has no result for *case*.
    """
    results = results_of(report, case)
    if not results:
        raise ValueError("no results to draw")
    drawn = without_copies(results)
    copies = [r for r in results if r not in drawn]
    size, looked = report.bytes_of(results[0].data), looks(report)
    best = frontier([(speed(r, way), r.ratio) for r in drawn])
    points = tuple(
        replace(_point(r, way, size, looked), on_frontier=n in best, current=r.codec == current)
        for n, r in enumerate(drawn)
    )
    baseline = _baseline(report.data_of(results[0].data), points)
    ratios = [point.y for point in points] + ([baseline[1]] if baseline else [])
    speeds = [value for point in points for value in (point.x_low, point.x_high)]
    y_axis = log_axis if max(ratios) / min(ratios) > WIDE else linear_axis
    aside = ", ".join(f"{label_of(r.codec)} {digits3(speed(r, way))} MB/s" for r in copies)
    return Scatter(
        title=f"Compression ratio against {way} speed",
        x=log_axis(f"{way.capitalize()} speed, MB/s, log scale", speeds),
        y=y_axis("Ratio", ratios, unit="×"),
        points=points,
        frontier=best,
        families=_joined(points),
        baseline=baseline,
        note=_spread_note("error bars show IQR", results),
        aside=f"Copied only: {aside}" if aside else "",
    )


def _baseline(data: DataSet, points: Sequence[Point]) -> tuple[str, float] | None:
    """Return name and ratio of what the store has now: the current point, else its file's size."""
    now = next((point for point in points if point.current), None)
    if now is not None:
        return f"Current: {now.label}, {digits3(now.y)}×", now.y
    if not data.stored or data.bytes / data.stored < 1 + COPY:
        return None
    ratio = data.bytes / data.stored
    return f"Current file: {label_of(data.codec)}, {digits3(ratio)}×", ratio


def _point(result: Result, way: Way, size: int, looked: Mapping[str, Look]) -> Point:
    time = result.encode if way == "write" else result.decode
    return Point(
        label=label_of(result.codec),
        codec=result.codec,
        family=family_of(result.codec),
        x=speed(result, way),
        x_low=size / MEGA / time.high,
        x_high=size / MEGA / time.low,
        y=result.ratio,
        look=looked[family_of(result.codec)],
    )


def _joined(points: Sequence[Point]) -> tuple[tuple[int, ...], ...]:
    families: dict[str, list[int]] = {}
    for index, point in enumerate(points):
        families.setdefault(point.family, []).append(index)
    return tuple(tuple(sorted(members, key=lambda n: points[n].x)) for members in families.values() if len(members) > 1)


def _spread_note(text: str, results: Sequence[Result]) -> str:
    """Return *text* with the number of samples; of one sample there is no spread to show."""
    counts = sorted({len(times) for r in results for times in (r.encode_s, r.decode_s)})
    return runs_note(text, counts)


def runs_note(text: str, counts: Sequence[int]) -> str:
    """Return *text* with the least and greatest of *counts*, the numbers of samples in order."""
    if counts[-1] == 1:
        return "one run, spread unknown"
    return f"{text}, n = {counts[0]}" if len(counts) == 1 else f"{text}, n = {counts[0]} to {counts[-1]}"


def size_bars(
    report: Report, *, case: tuple[str, Unit] | None = None, current: str | None = None, most: int | None = None
) -> Bars:
    """Return encoded sizes, smallest first; at most *most* of them (see `notable`)."""
    shown = notable(results_of(report, case), current=current, most=most)
    looked = looks(report)
    bars = [
        Bar(
            label=label_of(r.codec),
            value=r.size,
            low=r.size,
            high=r.size,
            text=size_text(r.size),
            look=looked[family_of(r.codec)],
            bold=r.codec == current,
            remark="current" if r.codec == current else "",
        )
        for r in shown
    ]
    return Bars("Size on disk", tuple(Group(bar.label, (bar,)) for bar in bars))


def time_bars(
    report: Report,
    way: Way = "read",
    *,
    case: tuple[str, Unit] | None = None,
    current: str | None = None,
    most: int | None = None,
) -> Bars:
    """Return median times with quartiles, in the order of `size_bars`."""
    shown = notable(results_of(report, case), current=current, most=most)
    looked = looks(report)
    bars = []
    for r in shown:
        time = r.encode if way == "write" else r.decode
        now = r.codec == current
        look = looked[family_of(r.codec)]
        text = time_text(time.median)
        remark = "current" if now else ""
        bars.append(Bar(label_of(r.codec), time.median, time.low, time.high, text, look, now, remark))
    return Bars(
        "Time to compress" if way == "write" else "Time to decompress",
        tuple(Group(bar.label, (bar,)) for bar in bars),
        note=_spread_note("median, bars show IQR", shown),
    )


def _storages_of(report: Report, data: str | None) -> tuple[StorageResult, ...]:
    found = storage_data(report)
    if not found:
        raise ValueError("no storages to draw")
    wanted = found[0] if data is None else data
    return tuple(each for each in report.storages if each.data == wanted)


def storage_bars(report: Report, *, data: str | None = None) -> Bars:
    """Return the time of each step for every storage side by side, on a log axis.

    *data* picks one data set, the first if None. Raises ValueError if the report has no storages.
    """
    looked, storages = looks(report), _storages_of(report, data)
    groups = []
    for step in dict.fromkeys(each.step for each in storages):
        of_step = [each for each in storages if each.step == step]
        bars = tuple(_storage_bar(each, looked[each.storage]) for each in of_step)
        times = f" × {of_step[0].count}" if of_step[0].count > 1 else ""
        groups.append(Group(f"{step}{times}", bars))
    runs = sorted({len(each.seconds) for each in storages})
    return Bars(
        "Time of the same work",
        tuple(groups),
        log=True,
        note=f"{runs_note('median, bars show IQR', runs)}, log scale",
        legend=tuple((name, looked[name]) for name in dict.fromkeys(each.storage for each in storages)),
    )


def _storage_bar(result: StorageResult, look: Look) -> Bar:
    time = result.time
    return Bar(result.storage, time.median, time.low, time.high, time_text(time.median), look)


def storage_sizes(report: Report, *, data: str | None = None) -> Bars:
    """Return the size of each storage's closed file; *data* as in `storage_bars`."""
    looked = looks(report)
    last = {each.storage: each for each in _storages_of(report, data)}
    bars = [Bar(name, r.size, r.size, r.size, size_text(r.size), looked[name]) for name, r in last.items()]
    return Bars("Size on disk after close", tuple(Group(bar.label, (bar,)) for bar in bars))
