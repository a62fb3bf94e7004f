"""A benchmark that runs: our command line in a child process, its events gathered into reports as they come."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QTime, QTimer, Signal

from inspector.gui.tasks import Process, TaskRunner
from inspector.gui.texts import locale
from inspector.operations.benchmark import STORAGE_RUNS, BenchJob, Event, Measured, What, collect, read_event
from inspector.operations.benchmark_model import Problem, Report, StorageResult
from inspector.operations.storages_work import CONTENDERS, STEPS
from inspector.program import own_command

SHOW_EVERY = 400
"""Milliseconds between two signals that a report grew: drawing more often would show nothing more."""

_FEWEST = 3
"""Samples that a codec takes at least where a time is given instead of a number."""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a run ended: time of day, seconds it took, by whom or what, and how many results of all it brought."""

    clock: str
    seconds: float
    stopped: bool
    failed: bool
    done: int
    total: int


def arguments(job: BenchJob) -> list[str]:
    """Return the words of the command line that does *job*: ``bench FILE --codec zstd:level=3 …``."""
    words = ["bench", *map(str, job.paths)]
    if job.what != "codecs":
        words += ["--what", job.what]
    else:
        words += [word for spec in job.specs for word in ("--codec", spec)]
        words += ["--unit", job.unit]
    if job.runs is not None:
        words += ["--runs", str(job.runs)]
    elif job.what == "codecs":
        words += ["--min-time", f"{job.min_time:g}"]
    return words


def expected(job: BenchJob) -> int:
    """Return how many results *job* brings."""
    if job.what == "codecs":
        return len(job.specs) * len(job.paths)
    return (job.runs or STORAGE_RUNS) * len(CONTENDERS) * len(STEPS) * len(job.paths)


def estimate(job: BenchJob, report: Report | None) -> float | None:
    """Return about how many seconds *job* takes, judged by an earlier *report* on the same data; None if unknown."""
    if job.what != "codecs":
        known = [r for r in report.storages if r.data in map(str, job.paths)] if report is not None else []
        return sum(r.time.median for r in known) * (job.runs or STORAGE_RUNS) if known else None
    before = {(r.data, r.codec): r for r in report.results if r.unit == job.unit} if report is not None else {}
    total = 0.0
    for path in map(str, job.paths):
        for spec in job.specs:
            result = before.get((path, spec))
            # Beside the samples there are a warm-up pass and a check of what came back.
            once = 1.5 * (result.encode.median + result.decode.median) if result is not None else None
            if job.runs is None:
                total += max(2 * job.min_time, _FEWEST * (once or 0.0))
            elif once is None:
                return None
            else:
                total += (job.runs + 1) * once
    return total


def duration(seconds: float) -> str:
    """Return a time for people: ``0.8 s``, ``48 s``, ``2 min 5 s``."""
    if seconds < 59.5:
        return f"{locale().toString(seconds, 'f', 1 if seconds < 9.95 else 0)} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


class BenchmarkSession(QObject):
    """Runs one benchmark at a time and keeps the last report of each kind. A run that is stopped keeps its results."""

    changed = Signal()
    """A report has more to show, or a run began or ended."""
    failed = Signal(str)
    """Why a run ended without its results, in one sentence."""

    def __init__(self, runner: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._process: Process | None = None
        self._job: BenchJob | None = None
        self._reports: dict[What, Report] = {}
        self._finishes: dict[What, Finish] = {}
        self._events: deque[Event] = deque()
        self._growing: Iterator[Report] = iter(())
        self._done = 0
        self._fault = False
        self._began = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOW_EVERY)
        self._timer.timeout.connect(self.changed)

    @property
    def running(self) -> What | None:
        """What is being measured now."""
        return self._job.what if self._process is not None and self._job is not None else None

    def report(self, what: What) -> Report | None:
        """Return the last report of that kind, as far as it has come."""
        return self._reports.get(what)

    def finish(self, what: What) -> Finish | None:
        """Return how the last run of that kind ended, None before and while it runs."""
        return self._finishes.get(what)

    def run(self, job: BenchJob, title: str) -> None:
        """Start *job*; *title* names it in the status bar. The report of its kind is replaced by the new one."""
        self._job = job
        self._finishes.pop(job.what, None)
        self._events.clear()
        self._growing = collect(iter(self._events.popleft, None))
        self._done = 0
        self._fault = False
        self._began = time.monotonic()
        process = self._runner.run_process(own_command(*arguments(job), "--stream"), self._take, title=title)
        process.total = expected(job)
        self._process = process
        process.failed.connect(self._say)
        process.finished.connect(self._ended)
        # A page that is closed wants no more of it.
        self.destroyed.connect(process.drop)
        self.changed.emit()

    def stop(self) -> None:
        """Stop measuring; what was measured stays."""
        if self._process is not None:
            self._process.cancel()

    def _take(self, document: Any) -> None:
        assert self._job is not None
        event = read_event(json.dumps(document))
        self._events.append(event)
        report = next(self._growing)
        # A report without a result would take an earlier one from the screen.
        if report.results or report.storages or report.problems:
            self._reports[self._job.what] = report
            if not self._timer.isActive():
                self._timer.start()
        if isinstance(event, StorageResult | Problem) or (isinstance(event, Measured) and event.final):
            self._done += 1
            if self._process is not None:
                self._process.done = self._done
                self._process.progressed.emit(self._done, self._process.total)

    def _say(self, error: Exception) -> None:
        self._fault = True
        self.failed.emit(str(error).removeprefix("error: "))

    def _ended(self) -> None:
        process = self._process
        assert process is not None
        assert self._job is not None
        self._process = None
        self._timer.stop()
        self._finishes[self._job.what] = Finish(
            clock=QTime.currentTime().toString("HH:mm"),
            seconds=time.monotonic() - self._began,
            stopped=process.cancelling,
            failed=self._fault,
            done=self._done,
            total=expected(self._job),
        )
        self.changed.emit()
