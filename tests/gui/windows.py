"""A real main window for tests, and the few waits that driving it needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copy2

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore

GOLDEN = Path(__file__).parent.parent / "golden"
TABLES = GOLDEN / "tinydb" / "tinydb-4.9.0.json"
BETTER = GOLDEN / "tinydb" / "bjs-1.3.2-basic.db"
UPDATES = GOLDEN / "ystore" / "codec_zlib.ystore.db"


def open_window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    """Yield a window of the pictures' size that is closed, with all its stores, after the test."""
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    window.stop_and_close()


def open_one(qtbot: QtBot, window: MainWindow, path: Path) -> OpenStore:
    """Open *path* and return its store when its tab is shown and all its tasks are done."""
    with qtbot.waitSignal(window.store_opened, timeout=10000) as opened:
        window.open_paths([path])
    settle(qtbot, window)
    store = opened.args[0]
    assert isinstance(store, OpenStore)
    return store


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing runs beside the window."""
    qtbot.waitUntil(lambda: not window.runner._running, timeout=20000)


def copied(path: Path, folder: Path) -> Path:
    """Copy *path* with the times of the original into *folder*."""
    folder.mkdir(exist_ok=True)
    return Path(copy2(path, folder / path.name))


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return name, bytes and mtime of everything in *folder*, and the folder's own mtime."""
    files = {entry.name: (Path(entry.path).read_bytes(), entry.stat().st_mtime_ns) for entry in os.scandir(folder)}
    return {**files, ".": (b"", folder.stat().st_mtime_ns)}


def name_of(thing: QObject) -> str:
    """Return what a failing test calls *thing*."""
    return f"{type(thing).__name__} {thing.objectName()!r}"
