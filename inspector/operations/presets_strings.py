"""The preset ``ten-strings``: the history benchmark's demo, beside what Docchi's author published of it."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.operations.benchmark_model import Comparison, DataSet, HistoryResult, Problem
from inspector.operations.history_bench import HistoryJob, history_stream
from inspector.operations.presets_published import STRINGS_JSON, STRINGS_SHARES, Published, beside
from inspector.progress import Progress, silent


def strings_stream(
    job: HistoryJob, progress: Progress = silent
) -> Iterator[DataSet | HistoryResult | Comparison | Problem]:
    """Yield what `history_stream` does, then JSON's figures and every other way's share of them beside the known."""
    found: dict[str, HistoryResult] = {}
    for event in history_stream(job, progress):
        if isinstance(event, HistoryResult):
            found[event.way] = event
        yield event
    base = found.get("JSON files")
    if base is None:
        return
    for figure, seconds in (("all saves", base.total), ("load", base.load.median)):
        yield from beside(Comparison(base.data, base.way, figure, "s", seconds), STRINGS_JSON)
    for result in found.values():
        if result is not base:
            yield from _shares(result, base)


def _shares(result: HistoryResult, base: HistoryResult) -> Iterator[Comparison]:
    shares = {
        "size over JSON": result.size / base.size,
        "saves over JSON": result.total / base.total,
        "load over JSON": result.load.median / base.load.median,
    }
    docchi = [Published(result.way, each.figure, each.value, each.source) for each in STRINGS_SHARES]
    for figure, share in shares.items():
        yield from beside(Comparison(result.data, result.way, figure, "×", share), docchi)
