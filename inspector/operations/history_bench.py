"""The history benchmark: one document changed and saved again and again, then its deepest version loaded.

Every way to keep the versions runs in a child process of its own, in a folder that is removed afterwards.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from inspector.files import readable_size
from inspector.model import InspectorError
from inspector.operations.benchmark_child import run_in_child, ticking
from inspector.operations.benchmark_model import DataSet, HistoryResult, Problem
from inspector.operations.history_data import Source, Strings, described, own
from inspector.operations.history_ways import KeepWork, Kept, Way, all_ways
from inspector.progress import Progress, part, silent

SAVES = 100
"""Versions that are saved, as in the demo."""

LOADS = 5
"""Times that the deepest version is loaded where no number of runs is given."""

LARGEST = 2_000_000_000
"""Most bytes that all versions of the user's own document come to as whole JSON: it is saved fewer times then."""

TIME_LIMIT = 3600.0
"""Seconds that one run of one way may take."""

_NAME = "ten strings"


@dataclass(frozen=True, slots=True)
class HistoryJob:
    """What to keep: the records of the store *path*, the demo's *strings* if None; *saves* versions of it.

    *runs*: how often all is done; *loads*: times that each run loads the deepest version.
    """

    path: Path | None = None
    runs: int = 1
    saves: int = SAVES
    loads: int = LOADS
    strings: Strings = field(default_factory=Strings)
    time_limit: float = TIME_LIMIT
    ways: tuple[Way, ...] | None = None


def history_stream(job: HistoryJob, progress: Progress = silent) -> Iterator[DataSet | HistoryResult | Problem]:
    """Measure every way, runs interleaved; yield the data, then each way's result after every run.

    Raises `InspectorError` if the store cannot be read or the disk has no room for the versions.
    """
    source, data, saves = _source(job, part(progress, 0.0, 0.05))
    yield data
    ways = []
    for way in all_ways() if job.ways is None else job.ways:
        if way.missing:
            yield Problem(way.name, way.missing)
        elif way.share == 1 or source.shortened(way.share) is not None:
            ways.append(way)
    _check_room(data.bytes * (saves + 2))
    taken: dict[str, list[Kept]] = {}
    done, rounds = 0, len(ways) * job.runs
    for _ in range(job.runs):
        for way in tuple(ways):
            theirs = source if way.share == 1 else source.shortened(way.share)
            assert theirs is not None
            work = KeepWork(way, theirs, saves, job.loads)
            tick = ticking(part(progress, 0.05 + 0.95 * done / rounds, 0.95 / rounds))
            outcome = run_in_child(way.name, work, time_limit=job.time_limit, tick=tick)
            done += 1
            if isinstance(outcome, Kept) and not outcome.verified:
                outcome = Problem(way.name, f"{way.name} does not give back what was saved; do not use it.")
            if isinstance(outcome, Problem):
                ways.remove(way)
                yield outcome
                continue
            taken.setdefault(way.name, []).append(outcome)
            yield _result(way, taken[way.name], data, saves)
    progress(1000, 1000)


def _source(job: HistoryJob, progress: Progress) -> tuple[Source, DataSet, int]:
    if job.path is None:
        each = readable_size(job.strings.length)
        what = f"{job.strings.strings} strings of {each}"
        return job.strings, described(_NAME, job.strings, job.saves, what), job.saves
    source, what = own(job.path, progress)
    data = described(str(job.path), source, job.saves, what)
    saves = max(2, min(job.saves, LARGEST // data.bytes))
    if saves != job.saves:
        data = replace(data, description=described(str(job.path), source, saves, what).description)
    return source, data, saves


def _check_room(needed: int) -> None:
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise InspectorError(
            f"Keeping all versions takes {readable_size(needed)} in {folder}, which has {readable_size(free)} free; "
            "make room there or let TMPDIR name another folder."
        )


def _result(way: Way, taken: list[Kept], data: DataSet, saves: int) -> HistoryResult:
    last = taken[-1]
    return HistoryResult(
        data=data.path,
        way=way.name,
        size=last.size,
        share=last.size / (data.bytes * saves),
        saves=saves,
        save_s=tuple(seconds for kept in taken for seconds in kept.save_s),
        load_s=tuple(seconds for kept in taken for seconds in kept.load_s),
        verified=all(kept.verified for kept in taken),
        notes=(way.note, *last.remarks),
        control=way.share != 1,
    )
