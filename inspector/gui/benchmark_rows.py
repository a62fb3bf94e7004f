"""The rows of the lab's table, made from a report: codecs with their marks, steps of storages."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from inspector.gui.benchmark_texts import figure_text, speed_text
from inspector.gui.texts import count_text
from inspector.operations.benchmark_model import Report, Unit
from inspector.operations.charts_axis import size_text, time_text
from inspector.operations.charts_model import Look, Scatter, family_of, label_of, looks, results_of


@dataclass(frozen=True, slots=True)
class ResultCell:
    """One value: what is shown, what it is sorted by, and its emphasis. *look* is the mark of the first column."""

    text: str
    sort: float | str
    bold: bool = False
    token: str = "text"
    look: Look | None = None
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The results of one codec, or of one step of a storage."""

    key: str
    cells: tuple[ResultCell, ...]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Headers with their tooltips, and rows; the first column is text, the others are numbers."""

    headers: tuple[tuple[str, str], ...] = ()
    rows: tuple[ResultRow, ...] = ()
    texts: int = 1
    """Columns of text at the left."""


def now_ratio(chart: Scatter) -> float:
    """Return the ratio that the data have on disk now, to which the last column compares; 1 for plain data."""
    return chart.baseline[1] if chart.baseline is not None else 1.0


def samples_text(report: Report) -> str:
    """Return how many samples were taken of each codec, or of each step of a storage: ``7``, ``3–200``."""
    counts = {len(times) for r in report.results for times in (r.encode_s, r.decode_s)}
    counts |= {len(r.seconds) for r in report.storages}
    ends = [count_text(count) for count in sorted({min(counts), max(counts)})]
    return "–".join(ends)


def codec_table(report: Report, case: tuple[str, Unit], chart: Scatter) -> ResultTable:
    """Return the results of one data set and unit; bold are those on the frontier of *chart*, its scatter."""
    tr = QCoreApplication.translate
    best = {chart.points[n].label for n in chart.frontier}
    now = now_ratio(chart)
    looked = looks(report)
    grown = case[1] != "whole"
    headers = [
        (tr("ResultTable", "Codec"), tr("ResultTable", "Bold: on the frontier of this chart")),
        (tr("ResultTable", "Ratio"), tr("ResultTable", "Decoded over encoded size")),
        (tr("ResultTable", "Size"), tr("ResultTable", "Encoded size, in powers of 1000")),
        (tr("ResultTable", "Write"), tr("ResultTable", "MB/s, median")),
        (tr("ResultTable", "Read"), tr("ResultTable", "MB/s, median")),
        (tr("ResultTable", "× current"), tr("ResultTable", "How many times smaller than on disk now")),
    ]
    if grown:
        headers.append((tr("ResultTable", "Grew"), tr("ResultTable", "Pieces that came out larger")))
    rows = []
    for r in results_of(report, case):
        label, times = label_of(r.codec), r.ratio / now
        on_frontier = label in best
        look = looked[family_of(r.codec)]
        words = tr("ResultTable", "{codec}, on the frontier") if on_frontier else "{codec}"
        token = "delText" if times < 0.995 else "text"
        cells = [
            ResultCell(label, label, on_frontier, look=look, spoken=words.replace("{codec}", label)),
            ResultCell(figure_text(f"{r.ratio:.2f}"), r.ratio),
            ResultCell(figure_text(size_text(r.size)), r.size),
            ResultCell(speed_text(r.encode_mb_s), r.encode_mb_s),
            ResultCell(speed_text(r.decode_mb_s), r.decode_mb_s),
            ResultCell(figure_text(f"{times:.2f}"), times, abs(times - 1) >= 0.005, token),
        ]
        if grown:
            cells.append(ResultCell(count_text(r.grew), r.grew))
        rows.append(ResultRow(label, tuple(cells)))
    return ResultTable(tuple(headers), tuple(rows))


def storage_table(report: Report, data: str) -> ResultTable:
    """Return the results of the storages with one data set, a row for each step."""
    tr = QCoreApplication.translate
    headers = (
        (tr("ResultTable", "Storage"), ""),
        (tr("ResultTable", "Step"), tr("ResultTable", "What was timed, and how many times in one run")),
        (tr("ResultTable", "Median"), tr("ResultTable", "Time of the whole step")),
        ("±", tr("ResultTable", "Spread: half of the interquartile range")),
        (tr("ResultTable", "Size"), tr("ResultTable", "Bytes of the closed file")),
    )
    looked = looks(report)
    found = [r for r in report.storages if r.data == data]
    steps = list(dict.fromkeys(r.step for r in found))
    names = list(dict.fromkeys(r.storage for r in found))
    rows: list[ResultRow] = []
    for r in found:
        time = r.time
        step = f"{r.step} × {count_text(r.count)}" if r.count > 1 else r.step
        spread = f"{time.relative * 100:.0f} %" if time.count > 1 else "–"
        cells = (
            ResultCell(r.storage, r.storage, look=looked[r.storage]),
            ResultCell(step, steps.index(r.step) * len(names) + names.index(r.storage)),
            ResultCell(figure_text(time_text(time.median)), time.median),
            ResultCell(spread, time.relative),
            ResultCell(figure_text(size_text(r.size)), r.size),
        )
        rows.append(ResultRow(r.storage, cells))
    return ResultTable(headers, tuple(rows), texts=2)
