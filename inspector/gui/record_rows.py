"""Parsed records for the window: read a few at a time, kept within bounds, large ones parsed beside the window.

Models only look; what is not there yet they wish for, and `RowCache.arrived` says when it has come.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.gui.cells import MISSING, Missing
from inspector.gui.tasks import Job, TaskRunner
from inspector.model import InspectorError, Record
from inspector.progress import Progress
from inspector.values import RepeatedKeys, Value

LARGE = 64 * 1024
"""Bytes of a record's text from which it is parsed on a thread; below, parsing takes about a millisecond."""

MOST_ROWS = 4000
MOST_BYTES = 16_000_000
KEPT_ROWS = 200
"""Rows that stay whatever they weigh: more than a screen shows, or the rows of one screen would push each other out."""

MOST_WISHES = 400
SLICE = 0.008
"""Seconds that one slice of parsing may take from the window."""

UNREADABLE = (InspectorError, ValueError, OSError, RecursionError, MemoryError)
"""What a damaged record, a changed file or a hostile one may raise."""


@dataclass(frozen=True, slots=True)
class Row:
    """A record that was looked at: its key, its text if the format holds one, its value, or why it has none."""

    key: str
    raw: bytes | None
    value: Value
    error: str = ""

    def member(self, name: str) -> Value | Missing:
        """Return a top-level member, the last one of a repeated key as other JSON readers do, or `MISSING`."""
        if isinstance(self.value, dict):
            found: Value | Missing = self.value.get(name, MISSING)
            return found
        if isinstance(self.value, RepeatedKeys):
            return next((member for key, member in reversed(self.value.pairs) if key == name), MISSING)
        return MISSING

    def ordinal(self, name: str) -> int:
        """Return at which position member *name* stands. Raises ValueError if there is none."""
        if isinstance(self.value, RepeatedKeys):
            return max((n for n, (key, _) in enumerate(self.value.pairs) if key == name), default=-1)
        return list(self.value).index(name) if isinstance(self.value, dict) else -1


def read(record: Record) -> Row:
    """Return *record* parsed; one that cannot be read says so."""
    try:
        return Row(record.key, record.raw, record.value)
    except UNREADABLE as error:
        return Row(record.key, record.raw, None, str(error) or type(error).__name__)


def _read_beside(progress: Progress, record: Record) -> Row:
    progress(0, None)
    return read(record)


class RowCache(QObject):
    """The parsed records of one collection, by their number in it."""

    arrived = Signal(object)
    """Numbers of records that were wished for and are here now."""

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._records: Sequence[Record] = ()
        self._rows: OrderedDict[int, Row] = OrderedDict()
        self._bytes = 0
        self._wishes: OrderedDict[int, None] = OrderedDict()
        self._large: OrderedDict[int, Record] = OrderedDict()
        self._job: Job | None = None
        self._parsing = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._work)

    @property
    def records(self) -> Sequence[Record]:
        """What is shown."""
        return self._records

    def set_records(self, records: Sequence[Record]) -> None:
        """Show other records; nothing of the former ones stays."""
        if self._job is not None:
            self._job.drop()
            self._job = None
        self._records = records
        self._rows.clear()
        self._wishes.clear()
        self._large.clear()
        self._bytes = 0

    def peek(self, number: int) -> Row | None:
        """Return a record that is here; nothing is read for it."""
        row = self._rows.get(number)
        if row is not None:
            self._rows.move_to_end(number)
        return row

    def want(self, number: int) -> None:
        """Wish for a record; the newest wishes come true first, old ones beyond some hundred lapse."""
        if number in self._large:
            return
        self._wishes[number] = None
        self._wishes.move_to_end(number)
        while len(self._wishes) > MOST_WISHES:
            self._wishes.popitem(last=False)
        if not self._timer.isActive():
            self._timer.start(0)

    def read_now(self, numbers: Iterable[int]) -> None:
        """Read what is missing of *numbers* within one slice of time; the rest is wished for."""
        due = time.perf_counter() + SLICE
        for number in numbers:
            if number in self._rows:
                continue
            if time.perf_counter() < due:
                self._read(number)
            else:
                self.want(number)

    def _work(self) -> None:
        due = time.perf_counter() + SLICE
        came = []
        while self._wishes and time.perf_counter() < due:
            number, _ = self._wishes.popitem()
            if number < len(self._records) and (number in self._rows or self._read(number)):
                came.append(number)
        if came:
            self.arrived.emit(came)
        if self._wishes:
            self._timer.start(0)

    def _read(self, number: int) -> bool:
        """Read one record; False if it is large and comes later."""
        if number in self._large:
            return False
        try:
            record = self._records[number]
        except UNREADABLE as error:
            self._keep(number, Row(str(number + 1), None, None, str(error)))
            return True
        if record.raw is not None and len(record.raw) > LARGE:
            self._large[number] = record
            self._start()
            return False
        self._keep(number, read(record))
        return True

    def _start(self) -> None:
        if self._job is not None or not self._large:
            return
        number, record = next(reversed(self._large.items()))
        while len(self._large) > KEPT_ROWS:
            self._large.popitem(last=False)
        # A thread of no store: the record's bytes are in hand, so the file is not used at the same time.
        self._parsing = number
        self._job = self._runner.run(_read_beside, record)
        self._job.succeeded.connect(self._came)

    def _came(self, row: Row) -> None:
        number, self._job = self._parsing, None
        self._large.pop(number, None)
        self._keep(number, row)
        self.arrived.emit([number])
        self._start()

    def _keep(self, number: int, row: Row) -> None:
        former = self._rows.pop(number, None)
        self._bytes += _weight(row) - (_weight(former) if former else 0)
        self._rows[number] = row
        while len(self._rows) > KEPT_ROWS and (len(self._rows) > MOST_ROWS or self._bytes > MOST_BYTES):
            _, oldest = self._rows.popitem(last=False)
            self._bytes -= _weight(oldest)


def _weight(row: Row) -> int:
    return len(row.raw) if row.raw is not None else 1000
