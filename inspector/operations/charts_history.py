"""Bar charts of kept versions, and of measured figures beside published ones."""

from __future__ import annotations

from inspector.operations.benchmark_model import Comparison, Report
from inspector.operations.charts_axis import digits3, size_text, time_text
from inspector.operations.charts_build import runs_note
from inspector.operations.charts_model import Bar, Bars, Group, Look, looks
from inspector.operations.charts_tables import figure_text

PUBLISHED, MEASURED = Look("s5", "square"), Look("s1", "circle")
"""Looks of the two bars of a comparison."""

_UNITS = {"bytes": "Sizes", "s": "Times", "MB/s": "Speeds"}


def history_sizes(report: Report, data: str) -> Bars:
    """Return the bytes that all versions of *data* take, one bar a way."""
    looked = looks(report)
    bars = [
        Bar(r.way, r.size, r.size, r.size, size_text(r.size), looked[r.way], remark=f"{r.share * 100:.3g} % of JSON")
        for r in report.history
        if r.data == data
    ]
    return Bars("Size of all versions", tuple(Group(bar.label, (bar,)) for bar in bars))


def history_times(report: Report, data: str) -> Bars:
    """Return the median times to save and to load a version of *data*, ways side by side, on a log axis."""
    looked = looks(report)
    found = [r for r in report.history if r.data == data]
    groups = []
    for name, times in (("save one", [r.save for r in found]), ("load deepest", [r.load for r in found])):
        bars = tuple(
            Bar(r.way, time.median, time.low, time.high, time_text(time.median), looked[r.way])
            for r, time in zip(found, times, strict=True)
        )
        groups.append(Group(name, bars))
    counts = sorted({count for r in found for count in (len(r.save_s), len(r.load_s))})
    return Bars(
        "Time of one save, and of loading the deepest version",
        tuple(groups),
        log=True,
        note=f"{runs_note('median, bars show IQR', counts)}, log scale",
        legend=tuple((r.way, looked[r.way]) for r in found),
    )


def comparison_bars(report: Report) -> tuple[Bars, ...]:
    """Return a chart for each unit: every published figure beside the measured one, on a log axis."""
    compared = [each for each in report.comparisons if each.published and each.measured > 0]
    return tuple(
        Bars(
            _UNITS.get(unit, "Factors"),
            tuple(_pair(report, each) for each in compared if each.unit == unit),
            log=True,
            note="log scale; remark: measured over published",
            legend=(("published", PUBLISHED), ("measured here", MEASURED)),
        )
        for unit in dict.fromkeys(each.unit for each in compared)
    )


def _pair(report: Report, each: Comparison) -> Group:
    assert each.published is not None
    assert each.ratio is not None
    then, now = each.published, each.measured
    several = len({other.data for other in report.comparisons}) > 1
    label = f"{each.subject}, {each.figure}" + (f", {each.data}" if several else "")
    return Group(
        label,
        (
            Bar("published", then, then, then, figure_text(then, each.unit), PUBLISHED, remark=each.source),
            Bar("measured", now, now, now, figure_text(now, each.unit), MEASURED, remark=f"{digits3(each.ratio)}×"),
        ),
    )
