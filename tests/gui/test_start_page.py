"""The start page: recent stores and their keys, missing files, samples, the drop zone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot
from windows import TABLES, open_one, open_window, settle

from inspector.gui.main_window import MainWindow
from inspector.gui.recents import MOST_SHOWN, ROW_ROLE, RecentsModel, folder_text
from inspector.gui.settings import Recent, Settings
from inspector.gui.start_page import samples
from inspector.operations.open import open_store


def remember(settings: Settings, *paths: Path, ago: float = 0) -> None:
    for path in paths:
        settings.add_recent(Recent(str(path), "tinydb", 84_000, time.time() - ago))


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def test_recents_say_what_is_known_without_opening_anything(qapp: object, settings: Settings, tmp_path: Path) -> None:
    here = tmp_path / "here.json"
    here.write_bytes(TABLES.read_bytes())
    remember(settings, Path("/gone/away.json"), ago=3 * 86400)
    remember(settings, here)
    model = RecentsModel(settings)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    first, second = (model.index(row, 0).data(ROW_ROLE) for row in range(2))
    assert (first.name, first.missing, first.format, first.size) == ("here.json", False, "TinyDB JSON", "84 kB")
    assert first.opened.startswith("Today")
    assert second.missing
    assert "Today" not in second.opened
    assert "not found" in model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_the_newest_are_shown(qapp: object, settings: Settings, tmp_path: Path) -> None:
    remember(settings, *(tmp_path / f"{n}.json" for n in range(9)))
    model = RecentsModel(settings)
    assert model.rowCount() == MOST_SHOWN
    assert model.index(0, 0).data() == "8.json"


def test_folders_of_the_user_are_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert folder_text(tmp_path / "data" / "a.json") == "~/data"
    assert folder_text(tmp_path / "a.json") == "~"
    assert folder_text(Path("/srv/a.json")) == "/srv"


def test_a_click_opens_a_recent_store(settings: Settings, qtbot: QtBot) -> None:
    remember(settings, TABLES)
    for window in open_window(qtbot, settings):
        view = window._start.recent_list
        place = view.visualRect(view.model().index(0, 0)).center()
        with qtbot.waitSignal(window.store_opened, timeout=10000):
            qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        settle(qtbot, window)
        assert window.stores[0].path == TABLES


def test_enter_opens_and_delete_forgets(settings: Settings, qtbot: QtBot) -> None:
    remember(settings, Path("/gone/away.json"), TABLES)
    for window in open_window(qtbot, settings):
        view = window._start.recent_list
        view.setFocus()
        view.setCurrentIndex(view.model().index(1, 0))
        qtbot.keyClick(view, Qt.Key.Key_Delete)
        assert [recent.path for recent in settings.recents()] == [str(TABLES)]
        view.setCurrentIndex(view.model().index(0, 0))
        with qtbot.waitSignal(window.store_opened, timeout=10000):
            qtbot.keyClick(view, Qt.Key.Key_Return)
        settle(qtbot, window)


def test_a_missing_file_is_removed_with_its_button(settings: Settings, qtbot: QtBot) -> None:
    remember(settings, Path("/gone/away.json"))
    for window in open_window(qtbot, settings):
        view = window._start.recent_list
        row = view.visualRect(view.model().index(0, 0))
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
        assert settings.recents()
        area = view._delegate.remove_area(row)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
        assert not settings.recents()
        assert not view.isVisible()


def test_clear_list_empties_it(settings: Settings, qtbot: QtBot) -> None:
    remember(settings, TABLES)
    for window in open_window(qtbot, settings):
        assert window._start.clear_button.isVisible()
        window._start.clear_button.click()
        assert not settings.recents()
        assert not window._start.clear_button.isVisible()


def test_a_store_that_was_opened_comes_first(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    window.close_tab()
    row = window._start.recent_list.model().index(0, 0).data(ROW_ROLE)
    assert row.name == TABLES.name
    assert not row.missing


def test_samples_are_real_stores_and_open_with_one_click(window: MainWindow, qtbot: QtBot) -> None:
    assert samples()
    assert len(window._start.cards) == len(samples())
    for card in window._start.cards:
        with open_store(card.sample.path) as store:
            assert store.collections
    with qtbot.waitSignal(window.store_opened, timeout=10000):
        qtbot.mouseClick(window._start.cards[0], Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert window.stores[0].path == samples()[0].path


def test_the_page_says_that_nothing_is_changed(window: MainWindow) -> None:
    assert window._status.parts() == (("", "No store open"),)
    assert not window._status.badge.isVisible()
    assert window._start.zone.title() == "Drop a store here to look inside"
