"""A report as tables for people: comparisons with published figures, codecs, storages, versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inspector.operations.benchmark_model import HistoryResult, Report, Result, Spread, StorageResult
from inspector.operations.charts_axis import digits3, size_text, time_text
from inspector.operations.charts_model import (
    cases,
    frontier,
    history_data,
    label_of,
    results_of,
    storage_data,
    without_copies,
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table for people: columns whose number is in *left* are text; rows of *bold* are those on the frontier."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bold: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset({0})


def tables(report: Report) -> Iterator[Table]:
    """Yield the comparison with published figures, then a table for each data set of every kind of result."""
    if report.comparisons:
        yield _comparisons(report)
    for data, unit in cases(report):
        results = sorted(results_of(report, (data, unit)), key=lambda r: (r.size, r.codec))
        rows = tuple(
            (
                label_of(r.codec),
                size_text(r.size),
                f"{r.ratio:.2f}",
                f"{digits3(r.encode_mb_s)} {_plus_minus(r.encode)}".rstrip(),
                f"{digits3(r.decode_mb_s)} {_plus_minus(r.decode)}".rstrip(),
                _samples(r),
                str(r.grew),
            )
            for r in results
        )
        header = ("Codec", "Size", "Ratio", "Write MB/s", "Read MB/s", "n", "Grew")
        drawn = without_copies(results)
        best = [drawn[n] for n in frontier([(r.encode_mb_s, r.ratio) for r in drawn])]
        bold = frozenset(n for n, r in enumerate(results) if r in best)
        yield Table(f"{data}, unit {unit}", header, rows, bold)
    for data in storage_data(report):
        header = ("Storage", "Step", "Count", "Median", "Spread", "n", "Size")
        steps = tuple(_storage_row(r) for r in report.storages if r.data == data)
        yield Table(f"{data}, storages", header, steps, left=frozenset({0, 1}))
    for data in history_data(report):
        header = ("Way", "Size", "Of whole JSON", "All saves", "One save", "Load", "Verified")
        yield Table(f"{data}, versions", header, tuple(_history_row(r) for r in report.history if r.data == data))


def _history_row(r: HistoryResult) -> tuple[str, ...]:
    return (
        r.way,
        size_text(r.size),
        f"{r.share * 100:.3g} %",
        f"{time_text(r.total)} of {r.saves}",
        f"{time_text(r.save.median)} {_plus_minus(r.save)}".rstrip(),
        f"{time_text(r.load.median)} {_plus_minus(r.load)}".rstrip(),
        "yes" if r.verified else "NO",
    )


def _comparisons(report: Report) -> Table:
    header = ("Data", "Subject", "Figure", "Published", "Measured", "Ratio", "Source")
    rows = tuple(
        (
            r.data,
            r.subject,
            r.figure,
            "–" if r.published is None else figure_text(r.published, r.unit),
            figure_text(r.measured, r.unit),
            "–" if r.ratio is None else f"{digits3(r.ratio)}×",
            r.source,
        )
        for r in report.comparisons
    )
    return Table(f"{report.preset}, published and measured", header, rows, left=frozenset({0, 1, 2, 6}))


def figure_text(value: float, unit: str) -> str:
    """Return a figure of a comparison with its unit, as short as a reader needs it."""
    if unit == "bytes":
        return size_text(value)
    return time_text(value) if unit == "s" else f"{digits3(value)}{'' if unit == '×' else ' '}{unit}"


def _samples(r: Result) -> str:
    """Return the number of samples, of both ways where it differs."""
    writes, reads = len(r.encode_s), len(r.decode_s)
    return str(writes) if writes == reads else f"{writes}, {reads}"


def _storage_row(r: StorageResult) -> tuple[str, ...]:
    time = r.time
    return (
        r.storage,
        r.step,
        str(r.count),
        time_text(time.median),
        _plus_minus(time),
        str(time.count),
        size_text(r.size),
    )


def _plus_minus(samples: Spread) -> str:
    """Return the spread in per cent, nothing where one sample tells nothing of it."""
    return f"±{samples.relative * 100:.0f} %" if samples.count > 1 else ""
