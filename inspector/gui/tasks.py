"""Work beside the window: the only room that knows threads and processes.

A `Job` has one outcome: succeeded, failed or cancelled, then finished, all delivered on the window's thread.
A `Task` runs a function of ``operations`` on a thread; tasks of one key run one after another, which
is what keeps a store from being used twice at once. A `Process` runs our own command line and reads its JSON lines.
`TaskRunner` starts both, and the main window owns it.
"""

from __future__ import annotations

import itertools
import json
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QProcess, QRunnable, Qt, QThreadPool, QTimer, Signal

from inspector.model import InspectorError
from inspector.progress import Cancelled, Progress

REPORT_EVERY = 0.05
"""Seconds between two progress signals of one task."""

STOP_WITHIN = 1000
"""Milliseconds that a process is given to end by itself before it is killed."""

_ERRORS_KEPT = 4096
"""Bytes of a process's error output that are kept for its message: the end of it."""

_ENDED_KEPT = 32

_SHARED_THREADS = 2
"""Threads for tasks that belong to no store."""


class Job(QObject):
    """Work that has begun or waits: a title for people, its outcome as signals, and a way to stop it."""

    progressed = Signal(object, object)
    """done, total (None while unknown)."""
    succeeded = Signal(object)
    """What the function returned, or the exit code of a process."""
    failed = Signal(object)
    """The exception; an `InspectorError` is a sentence for the user, anything else is a fault of ours."""
    cancelled = Signal()
    finished = Signal()
    """Comes last, once, whatever happened."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self.done = 0
        self.total: int | None = None
        self.started = time.monotonic()
        self.running = True
        self.cancelling = False
        self.writes = False
        """Set by whoever starts a job that writes a file the user asked for: closing the window asks about it."""
        self._dropped = False

    @property
    def share(self) -> float | None:
        """How much is done, 0 to 1; None while unknown."""
        return min(self.done / self.total, 1.0) if self.total else None

    def cancel(self) -> None:
        """Ask the work to stop; `cancelled` follows, unless it ends by itself before it sees the wish."""
        self.cancelling = True

    def drop(self) -> None:
        """Stop the work and deliver nothing of it any more but `finished`."""
        self._dropped = True
        self.cancel()

    def _report(self, done: int, total: int | None) -> None:
        self.done, self.total = done, total
        if not self._dropped:
            self.progressed.emit(done, total)

    def _end(self, outcome: Callable[[], None]) -> None:
        self.running = False
        if not self._dropped:
            outcome()
        self.finished.emit()


class Task(Job):
    """A function on a thread. The thread never touches this object: it posts to the runner's mailbox."""

    def __init__(self, title: str, work: _Work, pool: QThreadPool) -> None:
        super().__init__(title)
        self._work = work
        self._pool = pool

    def cancel(self) -> None:
        if not self.running or self.cancelling:
            return
        super().cancel()
        self._work.stop = True
        if self._pool.tryTake(self._work):
            # It never began, so no thread will say how it ended.
            self._work.mailbox.posted.emit(self._work.number, "cancelled", None)

    def belongs_to(self, pool: QThreadPool) -> bool:
        """Say whether this task runs on *pool*."""
        return self._pool is pool

    def deliver(self, kind: str, content: Any) -> None:
        """Take what the thread posted; called on the window's thread by the runner."""
        if kind == "progress":
            self._report(*content)
        elif kind == "succeeded":
            self._end(lambda: self.succeeded.emit(content))
        elif kind == "failed":
            self._end(lambda: self.failed.emit(content))
        else:
            self._end(self.cancelled.emit)


class _Mailbox(QObject):
    """Carries posts from any thread to the window's: number of the task, kind, content."""

    posted = Signal(object, str, object)


class _Work(QRunnable):
    """What runs on the thread; it knows no QObject but the mailbox, which outlives every thread."""

    def __init__(self, number: int, function: Callable[[Progress], Any], mailbox: _Mailbox) -> None:
        super().__init__()
        self.setAutoDelete(False)
        self.number = number
        self.mailbox = mailbox
        self.stop = False
        self._function: Callable[[Progress], Any] | None = function
        self._due = 0.0

    def run(self) -> None:
        kind, content = "cancelled", None
        try:
            self._check()
            assert self._function is not None
            content = self._function(self._progress)
            kind = "succeeded"
        except Cancelled:
            pass
        except BaseException as error:  # a task that ends without saying so would be waited for for ever
            kind, content = "failed", error
        finally:
            # The function's arguments may be large; they must not live as long as the task's last reader.
            self._function = None
            self.mailbox.posted.emit(self.number, kind, content)

    def _check(self) -> None:
        if self.stop:
            raise Cancelled

    def _progress(self, done: int, total: int | None) -> None:
        self._check()
        now = time.monotonic()
        if now >= self._due:
            self._due = now + REPORT_EVERY
            self.mailbox.posted.emit(self.number, "progress", (done, total))


class Process(Job):
    """A command of ours in a child process that prints one JSON object a line."""

    line = Signal(object)
    """One decoded line, in order."""

    def __init__(self, title: str, argv: Sequence[str]) -> None:
        super().__init__(title)
        self._rest = b""
        self._errors = b""
        self._fault: InspectorError | None = None
        self._argv = list(argv)
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.readyReadStandardError.connect(self._read_errors)
        self._process.finished.connect(self._ended)
        self._process.errorOccurred.connect(self._broke)

    def start(self) -> None:
        """Start the program; `failed` follows if there is no such program."""
        self._process.start(self._argv[0], self._argv[1:])

    def cancel(self) -> None:
        if not self.running or self.cancelling:
            return
        super().cancel()
        self._process.terminate()
        QTimer.singleShot(STOP_WITHIN, self._process, self._process.kill)

    def wait(self) -> None:
        """Block until the program has ended; it is killed if it does not stop in time."""
        if self.running and not self._process.waitForFinished(STOP_WITHIN):
            self._process.kill()
            self._process.waitForFinished(STOP_WITHIN)

    def _read(self) -> None:
        *lines, self._rest = (self._rest + bytes(self._process.readAllStandardOutput().data())).split(b"\n")
        for text in lines:
            self._take(text)

    def _take(self, text: bytes) -> None:
        if self._dropped or self._fault is not None or not text.strip():
            return
        try:
            content = json.loads(text)
        except ValueError:
            shown = text[:80].decode(errors="replace")
            self._fault = InspectorError(
                self.tr("The command printed a line that is no JSON: {text}").replace("{text}", shown)
            )
            self._process.kill()
            return
        self.line.emit(content)

    def _read_errors(self) -> None:
        self._errors = (self._errors + bytes(self._process.readAllStandardError().data()))[-_ERRORS_KEPT:]

    def _broke(self, error: QProcess.ProcessError) -> None:
        # Every other error is followed by `finished`.
        if error == QProcess.ProcessError.FailedToStart and self.running:
            text = self.tr("The program {program} cannot be started: {reason}.")
            text = text.replace("{program}", self._argv[0]).replace("{reason}", self._process.errorString())
            self._end(lambda: self.failed.emit(InspectorError(text)))

    def _ended(self, code: int) -> None:
        self._read()
        self._take(self._rest)
        self._read_errors()
        if self.cancelling:
            self._end(self.cancelled.emit)
        elif self._fault is not None:
            fault = self._fault
            self._end(lambda: self.failed.emit(fault))
        elif code or self._process.exitStatus() != QProcess.ExitStatus.NormalExit:
            self._end(lambda: self.failed.emit(InspectorError(self._reason(code))))
        else:
            self._end(lambda: self.succeeded.emit(code))

    def _reason(self, code: int) -> str:
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else self.tr("The command ended with code {code}.").replace("{code}", str(code))


class TaskRunner(QObject):
    """Starts tasks and processes, knows which of them run, and ends them all at closing time."""

    job_started = Signal(object)
    job_finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._running: dict[int, Job] = {}
        # A thread may still be on its way out of a task whose end was delivered, and Qt on its way out of a
        # process's signal: the last ones are kept so that neither returns into freed memory.
        self._ended: deque[Job] = deque(maxlen=_ENDED_KEPT)
        self._closed = False
        self._pools: dict[str | None, QThreadPool] = {}
        self._mailbox = _Mailbox(self)
        self._mailbox.posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def jobs(self) -> list[Job]:
        """Jobs with a title that wait or run, the newest last: what the status bar shows."""
        return [job for job in self._running.values() if job.title]

    def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        key: str | None = None,
        title: str = "",
        replaces: Job | None = None,
    ) -> Task:
        """Run ``function(progress, *args)`` on a thread and return its task (keyword arguments: functools.partial).

        Tasks with one *key* (a store) run one after another; those without share two threads. A *title* makes it
        a job that people see. *replaces* is a task whose outcome nobody wants any more: it is dropped.
        *function* must not touch a widget. It is stopped by `Cancelled` from its progress, and only so.
        """
        if replaces is not None:
            replaces.drop()
        number = next(self._numbers)
        work = _Work(number, lambda progress: function(progress, *args), self._mailbox)
        task = Task(title, work, self._pool(key))
        self._begin(number, task)
        if self._closed:
            work.stop = True
            work.run()  # says that it was cancelled: a thread begun now would outlive the window
        else:
            self._pool(key).start(work)
        return task

    def run_process(self, argv: Sequence[str], on_line: Callable[[Any], None], *, title: str = "") -> Process:
        """Run *argv* (see `program.own_command`); *on_line* gets every JSON line of its output, decoded."""
        process = Process(title, argv)
        process.line.connect(on_line)
        self._begin(next(self._numbers), process)
        # Later, so that the caller can connect before a program that cannot start has said so.
        QTimer.singleShot(0, process, process.start)
        return process

    def release(self, key: str) -> None:
        """Forget the thread of a closed store; its tasks are dropped and waited for."""
        pool = self._pools.pop(key, None)
        if pool is not None:
            for job in list(self._running.values()):
                if isinstance(job, Task) and job.belongs_to(pool):
                    job.drop()
            pool.waitForDone()
            pool.deleteLater()

    def shutdown(self, *, wait: bool = True) -> None:
        """Cancel everything; with *wait*, return when every thread and process has ended and said so."""
        self._closed = True
        jobs = list(self._running.values())
        for job in jobs:
            job.cancel()
        if not wait:
            return
        for pool in self._pools.values():
            pool.waitForDone()
        for job in jobs:
            if isinstance(job, Process):
                job.wait()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall)

    def _pool(self, key: str | None) -> QThreadPool:
        pool = self._pools.get(key)
        if pool is None:
            pool = self._pools[key] = QThreadPool(self)
            pool.setMaxThreadCount(1 if key is not None else _SHARED_THREADS)
        return pool

    def _begin(self, number: int, job: Job) -> None:
        self._running[number] = job
        job.finished.connect(lambda: self._finish(number))
        if job.title:
            self.job_started.emit(job)

    def _finish(self, number: int) -> None:
        job = self._running.pop(number)
        self._ended.append(job)
        if job.title:
            self.job_finished.emit(job)

    def _deliver(self, number: int, kind: str, content: Any) -> None:
        job = self._running.get(number)
        if isinstance(job, Task):
            job.deliver(kind, content)
