"""Benchmarks: codecs by size and speed, storages by the time of the same work, ways to keep versions of a document.

They run on the user's own data; a preset repeats a published table, by default on data of the same shape.

`bench_stream` yields what happens as it happens; `measure` collects it. The window runs the command line as a
child process and reads the same events as JSON lines, because timed calls hold the interpreter's lock.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from inspector import registry
from inspector.model import Codec, InspectorError, MissingLibrary, UsageError
from inspector.operations.benchmark_data import workload
from inspector.operations.benchmark_machine import this_machine
from inspector.operations.benchmark_model import (
    Comparison,
    DataSet,
    HistoryResult,
    Machine,
    Problem,
    Report,
    Result,
    StorageResult,
    Unit,
    fields_json,
    from_fields,
    machine_json,
)
from inspector.operations.benchmark_timing import Case, WrongResult
from inspector.operations.storages_bench import StorageJob, storages_stream
from inspector.progress import Progress, part, silent

What: TypeAlias = Literal["codecs", "storages", "history"]
WHATS: tuple[What, ...] = get_args(What)

SHOW_EVERY = 0.5
"""Seconds between two reports on a codec that is not final: a chart needs no more."""

STORAGE_RUNS = 3
"""Runs of each storage where no number is given: one takes seconds, since each insert rewrites a file."""


@dataclass(frozen=True, slots=True)
class BenchJob:
    """What to measure.

    *paths*: none for made-up data, where *what* or the preset has some; *preset*: the published table to repeat,
    instead of *what*; *specs*: codecs, none for `default_specs`; *runs*: exactly so many samples, or else samples
    until *min_time* seconds of each way are timed (at least three).
    """

    paths: tuple[Path, ...]
    what: What = "codecs"
    specs: tuple[str, ...] = ()
    unit: Unit = "whole"
    runs: int | None = None
    min_time: float = 0.5
    preset: str | None = None

    def check(self) -> None:
        """Raise `UsageError` if a value is out of range, a spec does not parse or there is nothing to measure on."""
        if self.preset is not None:
            from inspector.operations.presets import check_preset

            check_preset(self.preset, self.paths)
        if self.what not in WHATS:
            raise UsageError(f"Unknown benchmark {self.what!r}; benchmarks are {', '.join(WHATS)}.", self.what, 0)
        if self.runs is not None and self.runs < 1:
            raise UsageError(f"The number of runs is 1 or more, not {self.runs}.", str(self.runs), 0)
        if not 0 <= self.min_time <= 3600:
            raise UsageError(f"The shortest time lies between 0 and 3600 s, not {self.min_time}.", "", 0)
        for spec in self.specs:
            registry.writing_codec(spec)
        if not self.paths and self.preset is None and self.what != "history":
            raise UsageError(f"The benchmark of {self.what} needs a FILE to measure on.")


@dataclass(frozen=True, slots=True)
class Started:
    """Event: the machine, before anything is measured; *preset* as in `Report`."""

    machine: Machine
    date: str
    preset: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """Event: the result of one codec so far; *final* when no more samples follow."""

    result: Result
    final: bool


Event: TypeAlias = Started | DataSet | Measured | StorageResult | HistoryResult | Comparison | Problem
_EVENTS: dict[str, type[Any]] = {
    "data": DataSet,
    "storage": StorageResult,
    "history": HistoryResult,
    "comparison": Comparison,
    "problem": Problem,
}


def default_specs() -> tuple[str, ...]:
    """Return the codecs that are measured where none is named: all that can write here, at low, usual and high effort.

    The first parameter that is a number is the effort; a word before it names a method, and each method is tried at
    the usual effort.
    """
    specs = [
        spec
        for kind in registry.codecs().values()
        if kind.writes and registry.unavailable(kind) is None
        for spec in _efforts(kind)
    ]
    return tuple(dict.fromkeys(specs))


def _efforts(kind: type[Codec]) -> Iterator[str]:
    parameters = kind.parameters()
    effort = next((name for name, value in parameters.items() if isinstance(value, int)), None)
    if effort is None:
        yield kind.id
        return
    least, most = kind.limits.get(effort, (1, 9))
    usual = parameters[effort]
    for level in sorted({max(least, min(1, usual)), usual, min(9, most)}):
        yield f"{kind.id}:{effort}={level}"
    methods = list(parameters)[: list(parameters).index(effort)]
    for name in methods:
        for word in kind.choices.get(name, ()):
            if word != parameters[name]:
                yield f"{kind.id}:{name}={word},{effort}={usual}"


def bench_stream(job: BenchJob, progress: Progress = silent) -> Iterator[Event]:
    """Measure and yield events: `Started`, a `DataSet` for each file, then results and problems as they come.

    Samples are interleaved over the codecs, so a result comes again with more samples until it is final.
    Raises `InspectorError` if a file cannot be read, `UsageError` if *job* cannot be understood.
    """
    job.check()
    if job.preset is not None:
        yield from _preset(job, job.preset, progress)
    elif job.what == "storages":
        yield from _storages(job, progress)
    elif job.what == "history":
        yield from _history(job, progress)
    else:
        yield from _all_codecs(job, progress)


def _all_codecs(job: BenchJob, progress: Progress) -> Iterator[Event]:
    codecs = [registry.codec(spec) for spec in job.specs or default_specs()]
    packages = [codec.package for codec in codecs if codec.package]
    yield Started(this_machine(packages), _now())
    works = [workload(path, job.unit, part(progress, 0.0, 0.05)) for path in job.paths]
    yield from (work.data for work in works)
    usable: list[Codec] = []
    for codec in codecs:
        reason = registry.unavailable(type(codec))
        if reason:
            yield Problem(codec.spec, reason)
        else:
            usable.append(codec)
    for number, work in enumerate(works):
        cases = [Case(work, codec, job.runs, job.min_time) for codec in usable]
        yield from interleaved(cases, part(progress, 0.05 + 0.95 * number / len(works), 0.95 / len(works)))


def interleaved(cases: Sequence[Case], progress: Progress) -> Iterator[Measured | Problem]:
    """Take the samples of *cases* in turn; yield each case's result now and then, and when it is final."""
    running = list(cases)
    shown: dict[int, float] = {}
    while running:
        for case in tuple(running):
            waiting = sum(1 - each.share for each in running)
            progress(round(1000 * (len(cases) - waiting)), 1000 * len(cases))
            event = _one(case)
            ended = isinstance(event, Problem) or event.final
            if ended:
                running.remove(case)
            if ended or time.monotonic() >= shown.get(id(case), 0.0) + SHOW_EVERY:
                shown[id(case)] = time.monotonic()
                yield event
    progress(1000 * len(cases), 1000 * len(cases))


def _one(case: Case) -> Measured | Problem:
    spec = case.codec.spec
    try:
        case.sample()
    except (MissingLibrary, WrongResult) as error:
        return Problem(spec, str(error))
    except InspectorError as error:
        return Problem(spec, f"{spec} cannot encode {case.work.data.path}: {error}")
    except MemoryError:
        return Problem(
            spec, f"{spec} needs more memory for {case.work.data.path} than there is; measure blocks or rows."
        )
    return Measured(case.result(), final=case.share >= 1)


def _storages(job: BenchJob, progress: Progress) -> Iterator[Event]:
    yield Started(this_machine(("tinydb", "BetterJSONStorage", "blosc2", "orjson")), _now())
    share = 1 / len(job.paths)
    for number, path in enumerate(job.paths):
        yield from storages_stream(StorageJob(path, job.runs or STORAGE_RUNS), part(progress, number * share, share))


def _history(job: BenchJob, progress: Progress) -> Iterator[Event]:
    from inspector.operations.history_bench import HistoryJob, history_stream

    yield Started(this_machine(("orjson", "pycrdt", "zstandard")), _now())
    paths: Sequence[Path | None] = job.paths or (None,)
    share = 1 / len(paths)
    for number, path in enumerate(paths):
        one = HistoryJob(path) if job.runs is None else HistoryJob(path, runs=job.runs, loads=1)
        yield from history_stream(one, part(progress, number * share, share))


def _preset(job: BenchJob, name: str, progress: Progress) -> Iterator[Event]:
    from inspector.operations.presets import PRESETS, PresetJob

    preset = PRESETS[name]
    yield Started(this_machine(preset.packages), _now(), name)
    yield from preset.run(PresetJob(job.paths, job.runs), progress)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def collect(events: Iterable[Event]) -> Iterator[Report]:
    """Yield the report so far after each event; the last one is the whole."""
    report: Report | None = None
    for event in events:
        if isinstance(event, Started):
            report = Report(event.machine, date=event.date, preset=event.preset)
        elif report is None:
            raise ValueError("a benchmark begins with its machine")
        else:
            report = _with(report, event)
        yield report


def _with(report: Report, event: Event) -> Report:
    if isinstance(event, Measured):
        new = event.result
        same = [(r.data, r.codec, r.unit) == (new.data, new.codec, new.unit) for r in report.results]
        if any(same):
            kept = tuple(new if found else old for found, old in zip(same, report.results, strict=True))
            return replace(report, results=kept)
        return replace(report, results=(*report.results, new))
    if isinstance(event, DataSet):
        return replace(report, data=(*report.data, event))
    if isinstance(event, StorageResult):
        key = (event.data, event.storage, event.step)
        kept_storages = [r for r in report.storages if (r.data, r.storage, r.step) != key]
        return replace(report, storages=(*kept_storages, event))
    if isinstance(event, HistoryResult):
        kept_history = [r for r in report.history if (r.data, r.way) != (event.data, event.way)]
        return replace(report, history=(*kept_history, event))
    if isinstance(event, Comparison):
        return replace(report, comparisons=(*report.comparisons, event))
    assert isinstance(event, Problem)
    return replace(report, problems=(*report.problems, event))


def measure(job: BenchJob, progress: Progress = silent) -> Report:
    """Measure all of *job* and return the report. Raises as `bench_stream`."""
    report = None
    for report in collect(bench_stream(job, progress)):  # noqa: B007 (the last one is the whole)
        pass
    assert report is not None
    return report


def event_line(event: Event) -> str:
    """Return *event* as one line of JSON for the process that started this one."""
    if isinstance(event, Started):
        document: dict[str, Any] = fields_json(event) | {"event": "started", "machine": machine_json(event.machine)}
    elif isinstance(event, Measured):
        document = {"event": "result", "final": event.final, "result": fields_json(event.result)}
    else:
        name = next(name for name, kind in _EVENTS.items() if isinstance(event, kind))
        document = {"event": name, name: fields_json(event)}
    return json.dumps(document)


def read_event(line: str) -> Event:
    """Return the event of `event_line`. Raises KeyError, TypeError or ValueError if *line* is none."""
    document = json.loads(line)
    name = document["event"]
    if name == "started":
        return Started(from_fields(Machine, document["machine"]), document["date"], document.get("preset", ""))
    if name == "result":
        return Measured(from_fields(Result, document["result"]), bool(document["final"]))
    event: Event = from_fields(_EVENTS[name], document[name])
    return event
