"""What one comparison page works with: the stores, the result, and the tasks that make, arrange and write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector.gui.compare_rows import DiffRow
from inspector.gui.compare_work import (
    Result,
    Source,
    Wanted,
    arrange,
    compare,
    copy_rows,
    detail,
    export,
)
from inspector.gui.records_work import Form as RowForm
from inspector.gui.shell import Shell
from inspector.gui.tasks import Job
from inspector.gui.texts import count_text
from inspector.gui.writing import sentence
from inspector.operations.compare_export import Form


class CompareSession(QObject):
    """Compares two stores in tasks of its own; a newer task takes the place of the older."""

    compared = Signal(object)
    """A `Result`; `arranged` follows."""
    progressed = Signal(object)
    """Share of the comparison that is done, None while unknown."""
    failed = Signal(str)
    stopped = Signal()
    arranged = Signal(object)
    """Numbers of the rows that are wanted, in order."""
    detailed = Signal(object)
    """`Detail` of the difference that was asked for last."""

    def __init__(self, shell: Shell, first: Source, second: Source, parent: QObject) -> None:
        super().__init__(parent)
        self._shell = shell
        self.sources = (first, second)
        self.result: Result | None = None
        self.wanted = Wanted()
        self._jobs: dict[str, Job] = {}
        # A page that is closed wants nothing any more; by then only what is no part of Qt can be asked.
        self.destroyed.connect(partial(_drop_all, self._jobs))

    @property
    def comparing(self) -> bool:
        """True while the stores are being compared."""
        return "compare" in self._jobs

    @property
    def busy(self) -> bool:
        """True while a task of this page runs."""
        return bool(self._jobs)

    def compare(self) -> None:
        """Compare both files as they are on disk now."""
        for name in ("arrange", "detail"):
            self._drop(name)
        first, second = (source.path.name for source in self.sources)
        title = self.tr("Comparing {first} with {second}").replace("{first}", first).replace("{second}", second)
        job = self._run("compare", compare, *self.sources, title=title)
        job.progressed.connect(self._progressed)
        job.succeeded.connect(self._compared)
        job.failed.connect(self._failed)
        job.cancelled.connect(self._stopped)

    def cancel(self) -> None:
        """Stop comparing."""
        if (job := self._jobs.get("compare")) is not None:
            job.cancel()

    def arrange(self, wanted: Wanted) -> None:
        """Find the rows that are wanted; `arranged` follows."""
        self.wanted = wanted
        if self.result is not None and not self.comparing:
            job = self._run("arrange", arrange, self.result.rows, wanted)
            job.succeeded.connect(self.arranged)
            job.failed.connect(self._refused)

    def look_at(self, row: DiffRow) -> None:
        """Read both records of a difference whole; `detailed` follows."""
        job = self._run("detail", detail, row)
        job.succeeded.connect(self.detailed)
        job.failed.connect(self._refused)

    def copy(self, rows: Sequence[DiffRow], form: RowForm) -> None:
        """Put rows on the clipboard."""
        what = self.tr("%Ln differences", "", len(rows)).replace(str(len(rows)), count_text(len(rows)), 1)
        title = self.tr("Copying {rows}").replace("{rows}", what)
        job = self._run("copy", copy_rows, rows, form, title=title)
        job.succeeded.connect(lambda text: self._shell.copy(text, what))
        job.failed.connect(self._refused)

    def export(self, path: Path, form: Form) -> None:
        """Write all differences to a file, replacing it; a toast says how that went."""
        if self.result is None:
            return
        title = self.tr("Exporting {file}").replace("{file}", path.name)
        # Not one of the tasks that replace each other: every file that was asked for is written.
        task = self._shell.runner.run(export, self.result, path, form, title=title)
        task.writes = True
        task.succeeded.connect(self._exported)
        task.failed.connect(self._refused)
        task.cancelled.connect(lambda: self._shell.toast(self.tr("Stopped, nothing written"), tone="info"))

    def _run(self, name: str, function: Callable[..., object], *args: object, title: str = "") -> Job:
        self._drop(name)
        job = self._shell.runner.run(function, *args, title=title)
        self._jobs[name] = job
        job.finished.connect(lambda: self._ended(name, job))
        # Before anybody acts on the outcome, who may ask whether something runs.
        job.succeeded.connect(lambda _: self._ended(name, job))
        return job

    def _ended(self, name: str, job: Job) -> None:
        if self._jobs.get(name) is job:
            del self._jobs[name]

    def _drop(self, name: str) -> None:
        job = self._jobs.pop(name, None)
        if job is not None:
            job.drop()

    def _progressed(self, done: int, total: int | None) -> None:
        self.progressed.emit(done / total if total else None)

    def _compared(self, result: Result) -> None:
        self.result = result
        self.compared.emit(result)
        self.arrange(self.wanted)

    def _failed(self, error: BaseException) -> None:
        self._jobs.pop("compare", None)
        self.failed.emit(sentence(error))

    def _stopped(self) -> None:
        self._jobs.pop("compare", None)
        self.stopped.emit()

    def _refused(self, error: BaseException) -> None:
        self._shell.toast(sentence(error), tone="error")

    def _exported(self, path: Path) -> None:
        self._shell.toast(self.tr("Exported {file}").replace("{file}", path.name))


def _drop_all(jobs: dict[str, Job]) -> None:
    for job in tuple(jobs.values()):
        job.drop()
