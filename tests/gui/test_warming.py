"""Rooms are imported while the window rests: on another thread, a step at a time, never beside a job."""

import importlib.util
import sys
import threading

from PySide6.QtCore import QObject

from inspector.gui import warming
from inspector.gui.warming import ROOMS, Warming, load
from inspector.progress import silent


def wait_on(event):
    def work(progress):
        assert event.wait(20)

    return work


def test_every_room_that_is_named_exists():
    for step in ROOMS:
        assert all(importlib.util.find_spec(name) is not None for name in step)


def test_what_is_missing_is_passed_over(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    load(silent, ("no_such_room", "colorsys"))
    assert "colorsys" in sys.modules


def test_rooms_wait_until_no_job_runs(qtbot, runner, monkeypatch):
    for name in ("colorsys", "sndhdr_of_nobody"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(warming, "ROOMS", (("colorsys",), ("sndhdr_of_nobody",)))
    end = threading.Event()
    job = runner.run(wait_on(end), title="a job that people see")
    owner = QObject()
    rooms = Warming(runner, owner)
    rooms.start()
    qtbot.wait(4 * warming.REST)
    assert "colorsys" not in sys.modules
    end.set()
    qtbot.waitUntil(lambda: not job.running)
    qtbot.waitUntil(lambda: rooms.done, timeout=10_000)
    assert "colorsys" in sys.modules
