"""The status bar: what the page says, jobs with their list and their cancel button, the time zone."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.jobs import JobRow, share_text
from inspector.gui.settings import Settings
from inspector.gui.status_bar import StatusBar, zone_text
from inspector.gui.tasks import Job, TaskRunner
from inspector.progress import Progress


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(1000, 400)
    widget.show()
    return widget


@pytest.fixture
def bar(window: QWidget, runner: TaskRunner) -> Iterator[StatusBar]:
    bar = StatusBar(runner, window)
    bar.setParent(window)
    bar.setGeometry(0, 370, 1000, 30)
    bar.show()
    yield bar
    runner.shutdown()


def slow(progress: Progress) -> str:
    for step in range(2000):
        progress(step, 2000)
        time.sleep(0.002)
    return "done"


def quick(progress: Progress) -> str:
    progress(1, 1)
    return "done"


def shown(bar: StatusBar) -> JobRow:
    assert bar.jobs.row is not None
    return bar.jobs.row


def test_parts_are_shown_in_order(bar: StatusBar) -> None:
    bar.set_parts([("file-archive", "~/data/customers.bjson"), ("", "18.4 MB on disk")])
    assert bar.parts() == (("file-archive", "~/data/customers.bjson"), ("", "18.4 MB on disk"))
    names = [part.accessibleName() for part in bar.findChildren(QWidget) if part.accessibleName()]
    assert "18.4 MB on disk" in names
    bar.set_parts([])
    assert bar.parts() == ()


def test_the_zone_is_named() -> None:
    assert zone_text().startswith("UTC")


def test_a_slow_job_is_shown_and_stopped(bar: StatusBar, runner: TaskRunner, qtbot: QtBot) -> None:
    task = runner.run(slow, title="Verifying copy of orders")
    assert bar.jobs.row is None
    qtbot.waitUntil(lambda: bar.jobs.row is not None, timeout=3000)
    row = shown(bar)
    qtbot.waitUntil(lambda: row._share.text().endswith("%"), timeout=3000)
    assert "Verifying copy of orders" in row._stop.accessibleName()
    with qtbot.waitSignal(task.cancelled, timeout=1000):
        row._stop.click()
    qtbot.waitUntil(lambda: bar.jobs.row is None, timeout=1000)


def test_a_quick_job_is_never_shown(bar: StatusBar, runner: TaskRunner, qtbot: QtBot) -> None:
    with qtbot.waitSignal(runner.run(quick, title="Opening").finished, timeout=3000):
        pass
    qtbot.wait(220)
    assert bar.jobs.row is None


def test_work_without_a_title_is_no_job(bar: StatusBar, runner: TaskRunner, qtbot: QtBot) -> None:
    task = runner.run(slow)
    qtbot.wait(220)
    assert bar.jobs.row is None
    task.cancel()


def test_more_jobs_are_in_a_list_with_the_newest_first(bar: StatusBar, runner: TaskRunner, qtbot: QtBot) -> None:
    first = runner.run(slow, title="Converting people")
    second = runner.run(slow, title="Compressing hub")
    qtbot.waitUntil(bar.jobs.more.isVisible, timeout=3000)
    assert bar.jobs.more.text().startswith("2")
    assert shown(bar).job is second
    bar.jobs.more.click()
    rows = bar.jobs.popover.rows()
    assert bar.jobs.popover.isVisible()
    assert [row.job for row in rows] == [second, first]
    with qtbot.waitSignal(first.cancelled, timeout=1000):
        rows[1]._stop.click()
    qtbot.waitUntil(lambda: not bar.jobs.more.isVisible(), timeout=1000)
    assert [row.job for row in bar.jobs.popover.rows()] == [second]
    qtbot.keyClick(bar.jobs.popover, Qt.Key.Key_Escape)
    assert not bar.jobs.popover.isVisible()


def test_a_waiting_job_can_be_stopped_too(bar: StatusBar, runner: TaskRunner, qtbot: QtBot) -> None:
    runner.run(slow, key="store", title="Converting people")
    waiting = runner.run(slow, key="store", title="Compressing people")
    with qtbot.waitSignal(waiting.cancelled, timeout=1000):
        waiting.cancel()


def test_an_unknown_total_shows_a_count(runner: TaskRunner, qtbot: QtBot, settings: Settings) -> None:
    task = runner.run(slow, title="Counting")
    task.done, task.total = 148_220, None
    assert share_text(task) == "148,220"
    task.done, task.total = 1, 4
    assert share_text(task) == "25 %"
    task.cancel()


def test_progress_does_not_lay_the_window_out_anew(qtbot: QtBot) -> None:
    class Counting(QWidget):
        requests = 0

        def event(self, event: QEvent) -> bool:
            Counting.requests += event.type() == QEvent.Type.LayoutRequest
            return super().event(event)

    job = Job("Measuring")
    place = Counting()
    layout = QVBoxLayout(place)
    row = JobRow(job)
    layout.addWidget(row)
    qtbot.addWidget(place)
    place.show()
    qtbot.wait(50)
    before = Counting.requests
    for done in range(100):
        job.done, job.total = done, 100
        row.refresh()
        QApplication.processEvents()
    assert Counting.requests == before
