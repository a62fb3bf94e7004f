"""What one records page works with: the loaded records, filter and order, and the tasks that make them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.gui.record_columns import LATER_SAMPLE, Column, Survey, survey
from inspector.gui.record_rows import RowCache
from inspector.gui.records_work import Export, FileForm, Loaded, Order, Written, arrange, find_key, load, write_rows
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.tasks import Job
from inspector.gui.texts import count_text
from inspector.model import CollectionInfo, InspectorError
from inspector.operations.query import Query
from inspector.operations.search import Hits

REST = 250
"""Milliseconds between showing rows and looking at more records for their columns."""


class RecordsSession(QObject):
    """Loads, filters and sorts one collection in tasks of its store; a newer task takes the place of the older."""

    loaded = Signal(object)
    """`Loaded`: the records are in the cache; `found` follows."""
    load_failed = Signal(str)
    load_stopped = Signal()
    found = Signal(object)
    """`Hits`."""
    refused = Signal(object)
    """`Hits` of a filter on fields that no record has: nothing; what was found last stays."""
    search_failed = Signal(str)
    """The filter cannot be run, or was stopped; what was found last stays."""
    surveyed = Signal(object)
    """`Survey`: more is known of the columns."""
    key_found = Signal(object)
    """Number of the record that was looked for, or None."""

    def __init__(self, shell: Shell, store: OpenStore, entry: CollectionInfo, parent: QObject) -> None:
        super().__init__(parent)
        self._shell = shell
        self._store = store
        self._entry = entry
        self._jobs: dict[str, Job] = {}
        self._surveyed = False
        # The first rows are painted before a thread competes with them for the interpreter.
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._look_further)
        self.cache = RowCache(shell.runner, self)
        self.query: Query | None = None
        self._answered: Query | None = None
        self.order: Order | None = None

    @property
    def busy(self) -> bool:
        """True while the records are being loaded, filtered or sorted."""
        return "load" in self._jobs or "search" in self._jobs

    @property
    def loading(self) -> bool:
        """True while the records are being loaded."""
        return "load" in self._jobs

    def load(self, keep: tuple[int, str] | None = None) -> None:
        """Load the collection from the store as it is open now; *keep* is the number and key of a record to find."""
        self._rest.stop()
        for name in ("search", "survey"):
            self._drop(name)
        title = self.tr("Reading {name}").replace("{name}", self._entry.label)
        job = self._run("load", load, self._store.store, self._entry.name, keep, title=title)
        job.succeeded.connect(self._loaded)
        job.failed.connect(self._load_failed)
        job.cancelled.connect(self._load_stopped)

    def filter_by(self, query: Query | None) -> None:
        """Find the records that *query* wants."""
        self.query = query
        self.search()

    def sort_by(self, column: Column) -> None:
        """Sort by a column: up, then down, then in the file's own order again."""
        now = self.order
        if now is None or (now.column.kind, now.column.name) != (column.kind, column.name):
            self.order = Order(column)
        else:
            self.order = None if now.descending else Order(column, descending=True)
        self.search()

    def sort_to(self, column: Column, *, descending: bool) -> None:
        """Sort by a column in this order."""
        self.order = Order(column, descending)
        self.search()

    def search(self) -> None:
        """Filter and sort again; while the records are being loaded, that follows by itself."""
        if self.loading:
            return
        self._rest.stop()
        self._drop("survey")
        title = self.tr("Filtering {name}") if self.order is None else self.tr("Sorting {name}")
        title = title.replace("{name}", self._entry.label)
        job = self._run("search", arrange, self.cache.records, self.query, self.order, title=title)
        job.succeeded.connect(self._searched)
        job.failed.connect(self._search_failed)
        job.cancelled.connect(self._search_stopped)

    def look_for(self, key: str) -> None:
        """Find the record with this key; `key_found` follows."""
        title = self.tr("Looking for {key}").replace("{key}", key[:40])
        job = self._run("key", find_key, self.cache.records, key, title=title)
        job.succeeded.connect(self._key_found)
        job.failed.connect(self._refused)

    def export(self, rows: object, path: Path, form: FileForm, columns: tuple[tuple[str, Column], ...]) -> None:
        """Write *rows* to a file; a toast says how that went."""
        job = Export(self._entry.name, path, form, columns)
        title = self.tr("Exporting {name}").replace("{name}", self._entry.label)
        # Not one of the tasks that replace each other: every file that was asked for is written.
        task = self._shell.runner.run(write_rows, self.cache.records, rows, job, key=self._store.key, title=title)
        task.succeeded.connect(self._exported)
        task.failed.connect(self._refused)

    def _run(self, name: str, function: Callable[..., object], *args: object, title: str = "") -> Job:
        self._drop(name)
        job = self._shell.runner.run(function, *args, key=self._store.key, title=title)
        self._jobs[name] = job
        return job

    def _drop(self, name: str) -> None:
        job = self._jobs.pop(name, None)
        if job is not None:
            job.drop()

    def _loaded(self, loaded: Loaded) -> None:
        self._jobs.pop("load", None)
        self._surveyed = loaded.survey.sampled >= loaded.survey.total
        self.cache.set_records(loaded.records)
        # Nothing of these records is shown yet that an unknown field could leave in place.
        self._answered = self.query
        self.loaded.emit(loaded)
        if self.query is not None or self.order is not None:
            self.search()
        else:
            self.found.emit(Hits(range(len(loaded.records)), len(loaded.records), 0.0))
            self._rest.start()

    def _load_failed(self, error: BaseException) -> None:
        self._jobs.pop("load", None)
        self.load_failed.emit(_sentence(error))

    def _load_stopped(self) -> None:
        self._jobs.pop("load", None)
        self.load_stopped.emit()

    def _look_further(self) -> None:
        """Look at more records for columns and shares, when nothing else wants the store."""
        if not self._surveyed:
            job = self._run("survey", survey, self.cache.records, LATER_SAMPLE)
            job.succeeded.connect(self._surveyed_more)
            job.failed.connect(self._refused)

    def _surveyed_more(self, survey: Survey) -> None:
        self._jobs.pop("survey", None)
        self._surveyed = True
        self.surveyed.emit(survey)

    def _searched(self, hits: Hits) -> None:
        self._jobs.pop("search", None)
        if self.query is not self._answered and not hits.rows and _names_unknown(hits):
            self.query = self._answered
            self.refused.emit(hits)
        else:
            self._answered = self.query
            self.found.emit(hits)
        self._rest.start()

    def _search_failed(self, error: BaseException) -> None:
        self._jobs.pop("search", None)
        self.search_failed.emit(_sentence(error))

    def _search_stopped(self) -> None:
        self._jobs.pop("search", None)
        self.search_failed.emit(self.tr("Stopped; the rows found before are shown."))

    def _key_found(self, number: int | None) -> None:
        self._jobs.pop("key", None)
        self.key_found.emit(number)

    def _exported(self, written: Written) -> None:
        rows = self.tr("%Ln rows written to {file}.", "", written.rows)
        text = rows.replace(str(written.rows), count_text(written.rows), 1).replace("{file}", written.path.name)
        if written.unreadable:
            text += " " + self.tr("%Ln that cannot be read were left out.", "", written.unreadable)
        self._shell.toast(text)

    def _refused(self, error: BaseException) -> None:
        self._shell.toast(_sentence(error))


def _names_unknown(hits: Hits) -> bool:
    return any(finding.code == "unknown-field" for finding in hits.findings)


def _sentence(error: BaseException) -> str:
    """Return what a failed task says; a fault of ours goes to the hook for the unexpected as well."""
    if not isinstance(error, InspectorError):
        sys.excepthook(type(error), error, error.__traceback__)
        return repr(error)
    return str(error)
