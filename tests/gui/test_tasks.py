from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.tasks import Job, TaskRunner
from inspector.model import InspectorError
from inspector.progress import Progress


def watch(job: Job) -> list[str]:
    """Return a list that fills with what the job says, in order."""
    said: list[str] = []
    job.succeeded.connect(lambda value: said.append(f"succeeded {value}"))
    job.failed.connect(lambda error: said.append(f"failed {error}"))
    job.cancelled.connect(lambda: said.append("cancelled"))
    job.finished.connect(lambda: said.append("finished"))
    return said


def until_told(progress: Progress, gate: threading.Event) -> str:
    while not gate.wait(0.005):
        progress(0, None)
    return "done"


def forever(progress: Progress) -> None:
    while True:
        progress(1, 10)
        time.sleep(0.002)


def test_a_result_arrives_once_on_the_window_thread(qtbot: QtBot, qapp: QApplication, runner: TaskRunner) -> None:
    threads: list[Any] = []

    def add(progress: Progress, first: int, second: int) -> int:
        threads.append(QThread.currentThread())
        return first + second

    task = runner.run(add, 40, 2)
    said = watch(task)
    task.succeeded.connect(lambda _: threads.append(QThread.currentThread()))
    with qtbot.waitSignal(task.finished):
        pass
    assert said == ["succeeded 42", "finished"]
    assert threads[0] is not threads[1]
    assert threads[1] is qapp.thread()
    assert not task.running


def test_an_exception_is_handed_over_as_it_is(qtbot: QtBot, runner: TaskRunner) -> None:
    def fail(progress: Progress) -> None:
        raise InspectorError("a.json ends in the middle of a record.")

    task = runner.run(fail)
    said = watch(task)
    errors: list[Exception] = []
    task.failed.connect(errors.append)
    with qtbot.waitSignal(task.finished):
        pass
    assert said == ["failed a.json ends in the middle of a record.", "finished"]
    assert isinstance(errors[0], InspectorError)


def test_even_an_exit_in_a_task_ends_it(qtbot: QtBot, runner: TaskRunner) -> None:
    def leave(progress: Progress) -> None:
        sys.exit(3)

    task = runner.run(leave)
    said = watch(task)
    with qtbot.waitSignal(task.finished):
        pass
    assert said == ["failed 3", "finished"]


def test_progress_comes_at_most_every_50_ms(qtbot: QtBot, runner: TaskRunner) -> None:
    def count(progress: Progress) -> None:
        end = time.monotonic() + 0.3
        done = 0
        while time.monotonic() < end:
            done += 1
            progress(done, 10)

    task = runner.run(count)
    seen: list[tuple[int, int]] = []
    task.progressed.connect(lambda done, total: seen.append((done, total)))
    with qtbot.waitSignal(task.finished):
        pass
    assert 2 <= len(seen) <= 7
    assert task.share == 1.0


def test_progress_counts_beyond_32_bits(qtbot: QtBot, runner: TaskRunner) -> None:
    task = runner.run(lambda progress: progress(5_000_000_000, 10_000_000_000))
    with qtbot.waitSignal(task.progressed) as signal:
        pass
    assert signal.args == [5_000_000_000, 10_000_000_000]
    assert task.share == 0.5


def test_cancel_stops_within_a_second(qtbot: QtBot, runner: TaskRunner) -> None:
    task = runner.run(forever)
    said = watch(task)
    with qtbot.waitSignal(task.progressed):
        pass
    with qtbot.waitSignal(task.finished, timeout=1000):
        task.cancel()
    assert said == ["cancelled", "finished"]


def test_a_task_that_ends_before_it_sees_the_cancel_has_succeeded(qtbot: QtBot, runner: TaskRunner) -> None:
    gate, begun = threading.Event(), threading.Event()

    def write(progress: Progress) -> str:
        begun.set()
        gate.wait()
        return "written"

    task = runner.run(write)
    said = watch(task)
    assert begun.wait(5)
    task.cancel()
    gate.set()
    with qtbot.waitSignal(task.finished):
        pass
    assert said == ["succeeded written", "finished"]


def test_a_waiting_task_is_cancelled_at_once(qtbot: QtBot, runner: TaskRunner) -> None:
    gate = threading.Event()
    first = runner.run(until_told, gate, key="a.json")
    second = runner.run(until_told, gate, key="a.json")
    said = watch(second)
    with qtbot.waitSignal(second.finished, timeout=1000):
        second.cancel()
    assert said == ["cancelled", "finished"]
    assert first.running
    with qtbot.waitSignal(first.finished):
        gate.set()


def test_a_replaced_task_says_nothing_but_finished(qtbot: QtBot, runner: TaskRunner) -> None:
    old = runner.run(forever, key="a.json")
    said = watch(old)
    with qtbot.waitSignal(old.progressed):
        pass
    new = runner.run(lambda progress: "new", key="a.json", replaces=old)
    news = watch(new)
    with qtbot.waitSignal(new.finished):
        pass
    assert said == ["finished"]
    assert news == ["succeeded new", "finished"]


def test_tasks_of_one_store_never_overlap_and_stores_do(qtbot: QtBot, runner: TaskRunner) -> None:
    spans: dict[str, list[tuple[float, float]]] = {"a": [], "b": []}

    def work(progress: Progress, key: str) -> None:
        begin = time.monotonic()
        time.sleep(0.05)
        spans[key].append((begin, time.monotonic()))

    tasks = [runner.run(work, key, key=key) for key in ("a", "a", "b")]
    qtbot.waitUntil(lambda: not any(task.running for task in tasks))
    first, second = spans["a"]
    assert first[1] <= second[0]
    assert spans["b"][0][0] < first[1]


def test_titled_tasks_are_jobs(qtbot: QtBot, runner: TaskRunner) -> None:
    begun: list[str] = []
    ended: list[str] = []
    runner.job_started.connect(lambda job: begun.append(job.title))
    runner.job_finished.connect(lambda job: ended.append(job.title))
    gate = threading.Event()
    quiet = runner.run(until_told, gate)
    loud = runner.run(until_told, gate, title="Decode orders")
    assert runner.jobs == [loud]
    with qtbot.waitSignals([quiet.finished, loud.finished]):
        gate.set()
    assert runner.jobs == []
    assert begun == ended == ["Decode orders"]


def test_shutdown_ends_running_and_waiting_tasks(qtbot: QtBot) -> None:
    runner = TaskRunner()
    tasks = [runner.run(forever, key="a.json", title="Decode") for _ in range(3)]
    said = [watch(task) for task in tasks]
    runner.shutdown(wait=True)
    assert said == [["cancelled", "finished"]] * 3
    assert runner.jobs == []


def test_release_waits_for_the_store(qtbot: QtBot, runner: TaskRunner) -> None:
    task = runner.run(forever, key="a.json")
    said = watch(task)
    with qtbot.waitSignal(task.progressed):
        pass
    with qtbot.waitSignal(task.finished):
        runner.release("a.json")
    assert said == ["finished"]


def test_many_short_tasks_leave_nothing_behind(qtbot: QtBot, runner: TaskRunner) -> None:
    done: list[int] = []
    for number in range(500):
        runner.run(lambda progress, n: n, number, key=str(number % 3)).succeeded.connect(done.append)
        if number % 50 == 0:
            gc.collect()
    qtbot.waitUntil(lambda: len(done) == 500)
    assert sorted(done) == list(range(500))
    assert runner._running == {}


PRINTS = "import json\nfor n in range(3): print(json.dumps({'n': n}), flush=True)"


@pytest.mark.parametrize(
    ("program", "lines", "outcome"),
    [
        (PRINTS, [{"n": 0}, {"n": 1}, {"n": 2}], "succeeded 0"),
        ("print('[1]', end='')", [[1]], "succeeded 0"),
        ("import sys; sys.exit('no such file: x.json')", [], "failed no such file: x.json"),
        ("import sys; sys.exit(4)", [], "failed The command ended with code 4."),
        ("print('hello')", [], "failed The command printed a line that is no JSON: hello"),
    ],
)
def test_a_process_hands_over_lines_and_its_end(
    qtbot: QtBot, runner: TaskRunner, program: str, lines: list[Any], outcome: str
) -> None:
    got: list[Any] = []
    process = runner.run_process([sys.executable, "-c", program], got.append)
    said = watch(process)
    with qtbot.waitSignal(process.finished, timeout=20_000):
        pass
    assert got == lines
    assert said == [outcome, "finished"]


def test_a_program_that_is_not_there_is_named(qtbot: QtBot, runner: TaskRunner) -> None:
    process = runner.run_process(["/nonexistent/program"], print)
    said = watch(process)
    with qtbot.waitSignal(process.finished):
        pass
    assert said[0].startswith("failed The program /nonexistent/program cannot be started")
    assert said[1:] == ["finished"]


@pytest.mark.parametrize("stop", [Job.cancel, Job.drop])
def test_a_process_can_be_stopped(qtbot: QtBot, runner: TaskRunner, stop: Callable[[Job], None]) -> None:
    process = runner.run_process([sys.executable, "-c", "print(1, flush=True)\nwhile True: pass"], print, title="Run")
    said = watch(process)
    with qtbot.waitSignal(process.line, timeout=20_000):
        pass
    with qtbot.waitSignal(process.finished, timeout=5000):
        process.cancel() if stop is Job.cancel else process.drop()
    assert said == (["cancelled", "finished"] if stop is Job.cancel else ["finished"])
    assert runner.jobs == []


EMITS = """
from PySide6.QtCore import QObject, Signal
class Source(QObject):
    told = Signal(int)
source, seen = Source(), []
source.told.connect(seen.append)
for number in range(3000):
    source.told.emit(number)
assert len(seen) == 3000
"""


def test_this_pyside_keeps_its_references_when_it_emits() -> None:
    """PySide6 6.12.0 on Python 3.11 gave one reference of True away with each emit, and aborted after some hundred."""
    assert subprocess.run([sys.executable, "-c", EMITS], check=False).returncode == 0


def test_a_runner_that_was_shut_down_starts_nothing(qtbot: QtBot) -> None:
    runner = TaskRunner()
    runner.shutdown()
    done: list[int] = []
    task = runner.run(lambda progress: done.append(1))
    with qtbot.waitSignal(task.cancelled, timeout=5000):
        pass
    assert done == []
