"""A second start hands its files to the window that is open."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from windows import TABLES, open_window

from inspector.gui.compress_sheet import CompressSheet
from inspector.gui.handover import Handover, Request
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


@pytest.fixture(autouse=True)
def runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.fixture
def first(qtbot: QtBot) -> Iterator[Handover]:
    handover = Handover()
    assert not handover.taken(Request(()))
    handover.listen()
    yield handover
    handover.stop()


def start(*arguments: str, folder: Path = ROOT) -> subprocess.Popen[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", ""), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "inspector", *arguments]
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)


def test_a_later_start_hands_over_its_files_and_ends(first: Handover, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(first.asked, timeout=20_000) as asked:
        later = start("--compress", "stores/a b.json", "c.db", folder=tmp_path)
    assert asked.args == [Request((str(tmp_path / "stores" / "a b.json"), str(tmp_path / "c.db")), compress=True)]
    _, errors = later.communicate(timeout=20)
    assert (later.returncode, errors) == (0, "")


def test_names_that_are_no_text_arrive(first: Handover, qtbot: QtBot) -> None:
    strange = Request((os.fsdecode(b"/tmp/\xff.json"), "/tmp/Gdańsk.json"))
    assert Request.from_line(strange.to_line()) == strange


@pytest.mark.parametrize("line", [b"", b"nonsense\n", b"[1, 2]\n", b'{"paths": []}\n', b'[3, false, ""]\n'])
def test_what_is_no_request_is_none(line: bytes) -> None:
    assert Request.from_line(line) is None


def test_what_a_killed_program_left_behind_counts_for_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    killed = start()
    deadline = time.monotonic() + 20
    while len(list(tmp_path.glob("inspector-*"))) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    killed.kill()
    killed.communicate()
    assert len(list(tmp_path.glob("inspector-*"))) == 2
    handover = Handover()
    assert not handover.taken(Request(()))
    handover.listen()
    with qtbot.waitSignal(handover.asked, timeout=20_000):
        later = start("x.json")
    assert later.wait(timeout=20) == 0
    handover.stop()
    later.communicate()
    assert list(tmp_path.glob("inspector-*")) == []


def test_a_file_to_compress_opens_with_its_sheet(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.store_opened, timeout=20_000):
        window.open_to_compress([TABLES])
    qtbot.waitUntil(lambda: len(window.findChildren(CompressSheet)) == 1, timeout=10_000)


def test_a_file_that_is_open_is_compressed_where_it_is(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.store_opened, timeout=20_000):
        window.open_paths([TABLES])
    assert not window.findChildren(CompressSheet)
    window.open_to_compress([TABLES])
    qtbot.waitUntil(lambda: len(window.findChildren(CompressSheet)) == 1, timeout=10_000)
    assert len(window.stores) == 1


def test_macos_names_double_clicked_files_in_an_event(tmp_path: Path) -> None:
    code = f"""
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from inspector.gui.application import make_application
app = make_application(["inspector"])
wanted = []
app.file_wanted.connect(wanted.append)
app.sendEvent(app, QFileOpenEvent(QUrl.fromLocalFile({str(tmp_path / "a.json")!r})))
print(wanted[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout.strip() == str(tmp_path / "a.json"), done.stderr
