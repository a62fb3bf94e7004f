"""Opening: argument, drop and dialog are one path; what does not open says why; nothing on disk is touched."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from windows import BETTER, GOLDEN, TABLES, UPDATES, copied, open_one, open_window, settle, state

from inspector.gui.failed_page import FailedPage
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.store_page import StorePage
from inspector.gui.stores import stores_in
from inspector.model import InspectorError
from inspector.progress import silent


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def dragged(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def drop(window: MainWindow, mime: QMimeData) -> None:
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(200, 200), copy, mime, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), copy, mime, left, none))


def by_argument(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window.open_paths([path])


def by_drop(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop(window, dragged(path))


def by_dialog(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(path)], ""))
    window._start.open_button.click()


def refused(qtbot: QtBot, window: MainWindow, path: Path) -> FailedPage:
    with qtbot.waitSignal(window.store_failed, timeout=10000):
        window.open_paths([path])
    settle(qtbot, window)
    page = window.current_page()
    assert isinstance(page, FailedPage)
    return page


@pytest.mark.parametrize("way", [by_argument, by_drop, by_dialog])
def test_every_way_opens_the_same(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, way: Callable[..., None]
) -> None:
    with qtbot.waitSignal(window.store_opened, timeout=10000):
        way(window, TABLES, monkeypatch)
    settle(qtbot, window)
    assert [store.path for store in window.stores] == [TABLES]
    assert window.current_page().title == window.stores[0].store.collections[0].label
    assert window.settings.recents()[0].path == str(TABLES)
    assert window.settings.recents()[0].format == "tinydb"


def test_a_drag_over_the_window_is_counted_and_forgotten(window: MainWindow) -> None:
    mime = dragged(TABLES, BETTER)
    event = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window, event)
    assert event.isAccepted()
    assert "2" in window._start.zone.title()
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert "2" not in window._start.zone.title()


def test_what_is_no_file_of_this_computer_is_not_taken(window: MainWindow) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/store.json")])
    event = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(window, event)
    assert not event.isAccepted()


def test_several_at_once_open_and_the_first_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    drop(window, dragged(TABLES, BETTER))
    qtbot.waitUntil(lambda: len(window.stores) == 2, timeout=10000)
    settle(qtbot, window)
    assert window._workspace.tabs.count() == 1
    assert window.current_page().source() is window.stores[0]


def test_opening_again_shows_what_is_open(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    page = window.current_page()
    open_one(qtbot, window, BETTER)
    window.open_paths([TABLES.parent / ".." / "tinydb" / TABLES.name])
    settle(qtbot, window)
    assert window.current_page() is page
    assert [known.path for known in window.stores] == [store.path, BETTER]


def test_a_folder_opens_the_stores_in_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    copied(TABLES, folder)
    copied(GOLDEN / "tinydb" / "not-html.json", folder)
    copied(BETTER, folder / "deeper")
    copied(BETTER, folder / ".hidden")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: len(window.stores) == 2, timeout=10000)
    settle(qtbot, window)
    assert {store.path for store in window.stores} == {folder / TABLES.name, folder / "deeper" / BETTER.name}
    assert not any(isinstance(page, FailedPage) for page in window._workspace.pages())


def test_a_folder_without_stores_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    page = refused(qtbot, window, tmp_path / "none")
    assert page.message == f"{tmp_path / 'none'} holds no store that Inspector reads."


def test_a_folder_that_is_gone_while_it_is_listed_is_a_refusal(tmp_path: Path) -> None:
    with pytest.raises(InspectorError, match="cannot be listed"):
        stores_in(silent, tmp_path / "gone")


@pytest.mark.parametrize(
    ("name", "words"),
    [("not-html.json", "HTML"), ("empty-0byte.json", "empty"), ("bjs-inner-notjson.db", "bjs-inner-notjson.db")],
)
def test_a_wrong_file_gets_a_calm_page(window: MainWindow, qtbot: QtBot, name: str, words: str) -> None:
    kept = open_one(qtbot, window, TABLES)
    page = refused(qtbot, window, GOLDEN / "tinydb" / name)
    assert words in page.message
    assert name in page.title
    assert list(window.stores) == [kept]
    assert page.again.isVisible()


def test_a_missing_file_opens_when_it_is_there(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "later.json"
    page = refused(qtbot, window, path)
    assert "does not exist" in page.message
    path.write_bytes(TABLES.read_bytes())
    with qtbot.waitSignal(window.store_opened, timeout=10000):
        page.again.click()
    settle(qtbot, window)
    assert not any(isinstance(page, FailedPage) for page in window._workspace.pages())
    assert window.current_page().source() is window.stores[0]


def test_an_unreadable_file_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "not a regular file" in refused(qtbot, window, pipe).message


def test_an_empty_file_opens_as_the_format_that_is_chosen(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    path.touch()
    page = refused(qtbot, window, path)
    with qtbot.waitSignal(window.store_opened, timeout=10000):
        page.retry.emit(path, "tinydb")
    settle(qtbot, window)
    assert isinstance(window.current_page(), StorePage)
    assert path.stat().st_size == 0


def test_a_second_refusal_takes_the_place_of_the_first(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    refused(qtbot, window, tmp_path / "gone.json")
    refused(qtbot, window, tmp_path / "gone.json")
    assert window._workspace.tabs.count() == 1


@pytest.mark.parametrize("source", [TABLES, BETTER, UPDATES, GOLDEN / "tinydb" / "crash-trunc-last.json"])
def test_opening_and_closing_leaves_the_folder_as_it_was(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, source: Path
) -> None:
    folder = tmp_path / "data"
    path = copied(source, folder)
    before = state(folder)
    open_one(qtbot, window, path)
    assert state(folder) == before
    window.with_store(window.close_store)
    assert not window.stores
    assert state(folder) == before


def test_a_write_ahead_log_stays_as_it_was(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    path = copied(GOLDEN / "ystore" / "wal_uncheckpointed.ystore.db", folder)
    copied(GOLDEN / "ystore" / "wal_uncheckpointed.ystore.db-wal", folder)
    before = state(folder)
    open_one(qtbot, window, path)
    window.with_store(window.close_store)
    assert state(folder) == before


def changed(path: Path, count: int) -> None:
    """Replace *path* as an atomic writer does, with *count* records."""
    new = path.with_suffix(".tmp")
    new.write_text(json.dumps({"_default": {str(n): {"n": n} for n in range(1, count + 1)}}))
    os.replace(new, path)


def test_a_change_on_disk_shows_one_bar_and_reload_reads_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "live.json"
    changed(path, 2)
    store = open_one(qtbot, window, path)
    page = window.current_page()
    changed(path, 5)
    qtbot.waitUntil(window._workspace.change.isVisible, timeout=10000)
    assert "changed" in window._workspace.change.bar.text()
    assert store.store.collections[0].records == 2
    with qtbot.waitSignal(window._stores.reloaded, timeout=10000):
        window._workspace.change.button.click()
    settle(qtbot, window)
    assert window._workspace.change.isHidden()
    assert store.store.collections[0].records == 5
    assert window.current_page() is page
    tree = window._panel.tree
    assert tree.currentIndex().data() == "_default"


def test_a_write_in_place_is_noticed(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "live.json"
    changed(path, 2)
    store = open_one(qtbot, window, path)
    with qtbot.waitSignal(store.changed_on_disk, timeout=10000), path.open("a") as file:
        file.write("\n")


def test_a_file_that_goes_stays_shown(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "live.json"
    changed(path, 2)
    open_one(qtbot, window, path)
    path.unlink()
    qtbot.waitUntil(window._workspace.change.isVisible, timeout=10000)
    assert "gone" in window._workspace.change.bar.text()
    assert window._workspace.change.button.isHidden()
    assert len(window.stores) == 1


def test_reload_of_a_file_that_broke_keeps_what_was_read(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "live.json"
    changed(path, 2)
    store = open_one(qtbot, window, path)
    path.unlink()
    with qtbot.waitSignal(window.store_failed, timeout=10000):
        qtbot.keyClick(window, Qt.Key.Key_F5)
    settle(qtbot, window)
    assert list(window.stores) == [store]
    assert window.current_page().source() is store
    assert "does not exist" in window._toast._label.text()


@pytest.mark.parametrize("name", [b"caf\xe9 \xff.json", "два & <b>%1\n.json".encode(), b"x" * 240 + b".json"])
def test_any_file_name_can_be_opened_and_refused(window: MainWindow, qtbot: QtBot, tmp_path: Path, name: bytes) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    path.write_bytes(TABLES.read_bytes())
    store = open_one(qtbot, window, path)
    assert store.path == path
    window.with_store(window.close_store)
    window._start.recent_list.grab()
    path.write_text("no store")
    page = refused(qtbot, window, path)
    page.grab()
    assert "no store" in page.message
    window.go_to()
