"""What runs beside the window: the newest job in the status bar, and all of them in a list above it."""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inspector.gui.controls import Bar, Button, ElidedLabel, IconButton, Label
from inspector.gui.paint import contents, panel
from inspector.gui.tasks import Job, TaskRunner
from inspector.gui.texts import count_text
from inspector.gui.theme import theme

WAIT = 150
"""Milliseconds until a job is shown: most are over by then."""

_TICK = 250


def share_text(job: Job) -> str:
    """Return how far *job* is: a percentage, a count while the total is unknown, or nothing."""
    if job.share is not None:
        return f"{int(job.share * 100)} %"
    return count_text(job.done) if job.done else ""


def left_text(job: Job) -> str:
    """Return how long *job* will take at its present speed, or that it is stopping or waiting."""
    if job.cancelling:
        return QCoreApplication.translate("Jobs", "Stopping…")
    share, spent = job.share, time.monotonic() - job.started
    if not share or spent < 1:
        return ""
    seconds = spent * (1 - share) / share
    count = max(round(seconds), 1) if seconds < 60 else round(seconds / 60)
    if seconds < 60:
        return QCoreApplication.translate("Jobs", "%Ln second(s) left", "", count)
    return QCoreApplication.translate("Jobs", "%Ln minute(s) left", "", count)


class JobRow(QWidget):
    """One job: its name, a bar, how far it is, and a button that stops it."""

    def __init__(self, job: Job, *, long: bool = False) -> None:
        super().__init__()
        self.job = job
        self._long = long
        self._name = ElidedLabel(job.title, "body", middle=True) if long else Label("", "secondary", token="text")
        self._bar = Bar(job.title)
        self._share = Label("", "section", token="text")
        self._left = Label("", "secondary")
        stop = self.tr("Stop: {job}").replace("{job}", job.title)
        self._stop = IconButton("x", stop, size=14, extent=24)
        self._stop.clicked.connect(self._cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._name, 1 if long else 0)
        for widget in (self._bar, self._share, self._left, self._stop):
            layout.addWidget(widget)
        self._left.setVisible(long)
        self._bar.setFixedWidth(theme().px(112))
        self._share.setFixedSize(theme().px(34), self._share.sizeHint().height())
        self._share.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if not long:
            self._name.setText(self._name.fontMetrics().elidedText(job.title, Qt.TextElideMode.ElideMiddle, 240))
        job.progressed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how far the job is now."""
        self._bar.set_share(self.job.share)
        self._say_share(share_text(self.job))
        self._stop.setEnabled(not self.job.cancelling)
        if self._long:
            self._left.setText(left_text(self.job))

    def _say_share(self, text: str) -> None:
        """Show *text* in a place that only grows: a label of another size has the whole window laid out anew."""
        if text != self._share.text():
            wanted = self._share.fontMetrics().horizontalAdvance(text) + 2
            self._share.setFixedWidth(max(self._share.width(), wanted))
            self._share.setText(text)

    def _cancel(self) -> None:
        self.job.cancel()
        self.refresh()


class JobsPopover(QFrame):
    """All jobs that run, over the bottom right corner of the window; Esc or a click elsewhere closes it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(16, 10, 8, 10)
        self._rows.setSpacing(4)
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK)
        self._tick.timeout.connect(self._refresh)
        self.setAccessibleName(self.tr("Running jobs"))
        self.hide()
        theme().changed.connect(self.update)

    def rows(self) -> list[JobRow]:
        """Return the rows, the newest job first."""
        items = [self._rows.itemAt(index) for index in range(self._rows.count())]
        return [row for item in items if item is not None and isinstance(row := item.widget(), JobRow)]

    def set_jobs(self, jobs: list[Job]) -> None:
        """Show *jobs*; rows of jobs that are shown already stay, so that the focus does."""
        for row in self.rows():
            if row.job not in jobs:
                self._rows.removeWidget(row)
                row.hide()
                row.deleteLater()
        shown = {row.job: row for row in self.rows()}
        for job in jobs:
            if job not in shown:
                self._rows.insertWidget(0, JobRow(job, long=True))
        if not jobs:
            self.hide()
        elif self.isVisible():
            self._place()

    def toggle(self, anchor: QWidget) -> None:
        """Open above *anchor*, or close."""
        if self.isVisible():
            self.hide()
            return
        self._anchor = anchor
        self._place()
        self.show()
        self.raise_()
        self._tick.start()
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        self.focusNextChild()

    def hideEvent(self, event: QEvent) -> None:
        self._tick.stop()
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget):
            inside = watched is self or self.isAncestorOf(watched) or watched is self._anchor
            if not inside and watched.window() is self.window():
                self.hide()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._anchor.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme().color
        panel(QPainter(self), contents(self), 8, fill=colours("raised"), line=colours("borderStrong"))

    def _refresh(self) -> None:
        for row in self.rows():
            row.refresh()

    def _place(self) -> None:
        window = self.window()
        width = min(theme().px(520), window.width() - 32)
        height = self._rows.sizeHint().height()
        foot = self._anchor.mapTo(window, QPoint(0, 0)).y()
        self.setGeometry(window.width() - width - 12, foot - height - 8, width, height)


class JobsIndicator(QWidget):
    """The newest job of *runner*, and a button with the number of all when there are more."""

    changed = Signal()

    def __init__(self, runner: TaskRunner, window: QWidget) -> None:
        super().__init__()
        self._runner = runner
        self._row: JobRow | None = None
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._more = Button("", "ghost", height=24)
        self._popover = JobsPopover(window)
        self._more.clicked.connect(partial(self._popover.toggle, self._more))
        self._layout.addWidget(self._more)
        self._more.hide()
        runner.job_started.connect(self._started)
        runner.job_finished.connect(self.refresh)

    @property
    def popover(self) -> JobsPopover:
        """The list of all jobs."""
        return self._popover

    @property
    def row(self) -> JobRow | None:
        """The row of the newest job, None while nothing is shown."""
        return self._row

    @property
    def more(self) -> Button:
        """The button that opens the list."""
        return self._more

    def refresh(self) -> None:
        """Show the jobs that run now and have run for a moment."""
        now = time.monotonic()
        jobs = [job for job in self._runner.jobs if job.running and (now - job.started) * 1000 >= WAIT]
        newest = jobs[-1] if jobs else None
        if self._row is not None and self._row.job is not newest:
            self._layout.removeWidget(self._row)
            self._row.hide()
            self._row.deleteLater()
            self._row = None
        if newest is not None and self._row is None:
            self._row = JobRow(newest)
            self._layout.insertWidget(0, self._row)
        self._more.setText(self.tr("%Ln job(s)", "", len(jobs)))
        self._more.setVisible(len(jobs) > 1)
        self._popover.set_jobs(jobs)
        self.changed.emit()

    def _started(self, job: Job) -> None:
        # A little later than the limit, so that this job is counted.
        QTimer.singleShot(WAIT + 10, self, self.refresh)
