"""Starting and ending the program: exit codes, Ctrl-C, no display, reports of faults."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import TABLES, open_window

from inspector.gui.app import NO_WINDOW
from inspector.gui.faults import Faults, keep
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.window_sheets import FaultSheet, ShortcutsSheet

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("QT_QPA_PLATFORM", None)
    return {**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), **more}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "inspector", *arguments]


def test_without_a_display_one_line_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(command(), env=environment(tmp_path), cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr == NO_WINDOW + "\n"
    assert "apt-get install" in done.stderr


def test_a_display_that_does_not_answer_says_the_same(tmp_path: Path) -> None:
    away = environment(tmp_path, DISPLAY=":987")
    done = subprocess.run(command(), env=away, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert NO_WINDOW in done.stderr


@pytest.mark.slow
def test_control_c_closes_the_window_and_keeps_the_settings(tmp_path: Path) -> None:
    headless = environment(tmp_path, QT_QPA_PLATFORM="offscreen")
    process = subprocess.Popen(command(str(TABLES)), env=headless, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    settings = tmp_path / "config" / "inspector" / "inspector.ini"
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert str(TABLES).encode() in settings.read_bytes()
    assert "Traceback" not in errors


def test_a_fault_is_kept_shown_once_and_copied(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    faults = Faults(window, tmp_path / "faults")
    for _ in range(2):
        try:
            raise LookupError("planted")
        except LookupError as error:
            faults.take(LookupError, error, error.__traceback__)
    qtbot.waitUntil(lambda: len(list((tmp_path / "faults").glob("*"))) == 2)
    sheets = window.findChildren(FaultSheet)
    assert len(sheets) == 1
    sheets[0].copy_button.click()
    report = QGuiApplication.clipboard().text()
    assert "LookupError: planted" in report
    assert report.startswith("Inspector ")
    assert next((tmp_path / "faults").iterdir()).read_text().endswith("LookupError: planted\n")
    sheets[0].cancel()


def test_a_fault_over_another_sheet_leaves_both_usable(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.show_shortcuts()
    below = window.findChild(ShortcutsSheet)
    assert below is not None
    Faults(window, tmp_path).take(LookupError, LookupError("planted"), None)
    qtbot.waitUntil(lambda: window.findChild(FaultSheet) is not None)
    above = window.findChild(FaultSheet)
    assert above is not None
    assert above.isAncestorOf(QApplication.focusWidget())
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert below.isVisible()
    assert below.isAncestorOf(QApplication.focusWidget())
    below.cancel()


def test_only_the_newest_reports_are_kept(tmp_path: Path) -> None:
    for number in range(30):
        assert keep(str(number), tmp_path) is not None
    assert len(list(tmp_path.iterdir())) == 20


def test_a_report_that_cannot_be_kept_is_no_second_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert keep("report", tmp_path / "file") is None
