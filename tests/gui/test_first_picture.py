"""What the window leaves for after its first picture."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.gui import application
from inspector.gui.application import FirstPicture

LATER = {"blosc2", "numpy", "pycrdt", "pyqtgraph", "sqlite3", "importlib.metadata"}
PAINTED = """
import gc, sys
from PySide6.QtWidgets import QApplication
from inspector.gui import app, application
class Window(application.MainWindow):
    def open_paths(self, paths):
        print((sorted(sys.modules), self.isVisible(), gc.isenabled()), file=sys.stderr)
        QApplication.quit()
application.MainWindow = Window
sys.exit(app.run([]))
"""


def test_the_first_picture_needs_nothing_heavy(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", PAINTED], capture_output=True, text=True, env=environment, timeout=60, check=True
    )
    modules, visible, collects = ast.literal_eval(result.stderr.splitlines()[-1])
    assert visible
    assert collects
    assert not set(modules) & LATER
    ours = {name for name in modules if name.startswith("inspector.")}
    assert not {name for name in ours if name.startswith(("inspector.backends.", "inspector.operations."))}


def test_it_is_told_once(qtbot: QtBot) -> None:
    calls: list[bool] = []
    window = QWidget()
    qtbot.addWidget(window)
    FirstPicture(window, lambda: calls.append(window.isVisible()))
    window.show()
    qtbot.waitUntil(lambda: bool(calls))
    window.repaint()
    qtbot.wait(50)
    assert calls == [True]


def test_a_window_that_is_not_painted_is_taken_for_painted(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "_LATEST", 10)
    calls: list[bool] = []
    window = QWidget()
    qtbot.addWidget(window)
    FirstPicture(window, lambda: calls.append(True))
    qtbot.waitUntil(lambda: bool(calls))
