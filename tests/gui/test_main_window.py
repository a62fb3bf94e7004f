"""The frame: tabs, docks and their folding, commands and keys, what is remembered, closing while a job writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from windows import BETTER, TABLES, UPDATES, copied, open_one, open_window, settle

from inspector.gui.docks import MIDDLE, WIDE
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.sheet import Sheet
from inspector.gui.start_page import StartPage
from inspector.gui.theme import Theme, theme
from inspector.gui.window_sheets import CloseSheet, ShortcutsSheet
from inspector.progress import Progress


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def writing(progress: Progress, target: Path) -> str:
    """Write slowly until told to stop, and leave nothing then: what every job of ours promises."""
    for step in range(400):
        progress(step, 400)
        time.sleep(0.005)
    target.write_text("whole")
    return "written"


def test_it_starts_with_the_start_page(window: MainWindow) -> None:
    assert isinstance(window.current_page(), StartPage)
    assert window.minimumWidth() == 960
    assert window.minimumHeight() == 600
    assert window.current_store() is None


def test_a_store_gets_a_tree_a_tab_and_an_inspector(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    assert window.current_page().source() is store
    assert window._docks.left_shown
    assert window._docks.right_shown
    assert window._status.badge.isVisible()
    assert window.windowTitle().startswith(window.current_page().title)


def test_a_collection_has_one_tab(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    page = window.current_page()
    window.show_store(store)
    assert window.current_page() is not page
    window.open_collection(store, store.store.collections[0])
    assert window.current_page() is page
    assert window._workspace.tabs.count() == 2


def test_closing_the_last_tab_shows_the_start_page_and_keeps_the_store(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    qtbot.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert isinstance(window.current_page(), StartPage)
    assert list(window.stores) == [store]
    assert window._docks.left_shown


def test_closing_a_store_closes_its_tabs(window: MainWindow, qtbot: QtBot) -> None:
    first = open_one(qtbot, window, TABLES)
    second = open_one(qtbot, window, BETTER)
    window._workspace.show_page(window._workspace.pages()[0])
    window.with_store(window.close_store)
    assert list(window.stores) == [second]
    assert all(page.source() is not first for page in window._workspace.pages())


def test_tabs_move_with_their_pages(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    window.show_store(store)
    first, second = window._workspace.pages()
    window._workspace.tabs.moveTab(0, 1)
    assert window._workspace.pages() == [second, first]
    assert window.current_page() is second
    assert window._workspace.tabs.text_of(0).name == second.title
    window.step_tab(1)
    assert window.current_page() is first
    window.step_tab(1)
    assert window.current_page() is second


def test_control_tab_goes_to_the_next_tab(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    first = window.current_page()
    window.show_store(store)
    qtbot.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert window.current_page() is first


def test_control_o_asks_for_files(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(TABLES)], ""))
    with qtbot.waitSignal(window.store_opened, timeout=10000):
        qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)


def test_control_p_goes_to_a_table(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    store = open_one(qtbot, window, BETTER)
    name = store.store.collections[-1].label
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert window._goto.isVisible()
    assert window._top.field.hasFocus()
    qtbot.keyClicks(window._top.field, f"{name} {store.path.name}")
    qtbot.keyClick(window._top.field, Qt.Key.Key_Return)
    assert not window._goto.isVisible()
    assert window.current_page().title == name
    assert window.current_page().source() is store
    settle(qtbot, window)


def test_go_to_lists_commands_and_gives_the_focus_back(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    tree = window._panel.tree
    tree.setFocus()
    window.show_commands()
    shown = [window._goto.model.index(row, 0).data() for row in range(window._goto.model.rowCount())]
    assert "Open store" in shown
    assert "Close tab" in shown
    qtbot.keyClicks(window._top.field, "no such thing")
    assert window._goto.model.rowCount() == 0
    qtbot.keyClick(window._top.field, Qt.Key.Key_Escape)
    assert not window._goto.isVisible()
    assert tree.hasFocus()


def test_control_i_toggles_the_inspector(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    assert window._docks.right_shown
    qtbot.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert not window._docks.right_shown
    assert not window._top.inspector.isChecked()
    qtbot.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert window._docks.right_shown
    assert window._top.inspector.isChecked()


def test_f6_goes_round_the_parts(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    parts = [window._top, window._panel, window._workspace.tabs, window.current_page(), window._docks.inspector]
    window._top.field.setFocus()
    order = []
    for _ in parts:
        focused = QApplication.focusWidget()
        order.append(next(part for part in parts if part is focused or part.isAncestorOf(focused)))
        qtbot.keyClick(window, Qt.Key.Key_F6)
    assert order == parts
    assert window._top.field.hasFocus()
    qtbot.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert parts[-1].isAncestorOf(QApplication.focusWidget())


def test_the_views_of_a_page_have_keys(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    names = list(window.current_page().views())
    shown = [action for action in window._actions.all() if action.shortcut().toString().startswith("Ctrl+")]
    labels = [action.text() for action in shown if action.shortcut().toString()[-1] in "12345" and action.isEnabled()]
    assert labels == names
    window.close_tab()
    assert all(not action.isEnabled() for action in window._actions.all() if action.shortcut().toString() == "Ctrl+1")


def test_narrow_windows_fold_the_docks(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    window.resize(WIDE - 1, 800)
    assert not window._docks.right_shown
    assert window._docks.left_shown
    window.toggle_inspector()
    assert window._docks.right_shown
    window.resize(MIDDLE - 1, 800)
    assert window._panel.folded
    qtbot.waitUntil(lambda: window._panel.width() == theme().px(48))
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert not window._panel.folded
    window.resize(1440, 900)
    assert window._docks.left_shown
    assert window._docks.right_shown


def drag_separator(qtbot: QtBot, window: MainWindow, width: int) -> None:
    """Do what Qt does of a drag, and let go of the mouse: Qt's own tracking needs a real pointer."""
    window.resizeDocks([window._docks._left], [width], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: window._panel.width() == width)
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=QPoint(width, window.height() // 2))
    QApplication.processEvents()


def test_widths_and_choices_are_remembered(qtbot: QtBot, settings: Settings) -> None:
    for window in open_window(qtbot, settings):
        open_one(qtbot, window, TABLES)
        window.toggle_inspector()
        drag_separator(qtbot, window, 310)
    for window in open_window(qtbot, settings):
        open_one(qtbot, window, TABLES)
        assert not window._docks.right_shown
        qtbot.waitUntil(lambda window=window: window._panel.width() == 310)


def test_the_theme_and_the_text_size_are_remembered(window: MainWindow, settings: Settings, look: Theme) -> None:
    window._top.look.click()
    QApplication.processEvents()
    assert look.tokens.dark
    assert settings.mode == "dark"
    assert window._top.look.accessibleName() == "Light theme"
    window.scale_text(1)
    assert settings.text_scale == pytest.approx(1.1)
    window.scale_text(0)
    assert settings.text_scale == 1.0


def test_every_command_in_the_menus_can_be_run_without_a_store(window: MainWindow) -> None:
    usable = [action for action in window._actions.all() if action.isEnabled()]
    assert {"Open store", "Open folder", "Shortcuts"} <= {
        action.text().replace("&", "").rstrip("…") for action in usable
    }
    for name in ("close_tab", "close_store", "convert", "compress", "reload", "find"):
        assert not window._actions[name].isEnabled()


def test_shortcuts_are_listed_and_unique(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    qtbot.keyClick(window, Qt.Key.Key_F1)
    sheet = window.findChild(ShortcutsSheet)
    assert sheet is not None
    assert sheet.isVisible()
    keys = [keys for _, keys in window._actions.shortcuts()]
    assert len(keys) == len(set(keys))
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)


def test_version_details_and_paths_are_copied(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    window.with_store(window.copy_path)
    assert QGuiApplication.clipboard().text() == str(TABLES)
    window.copy_version()
    assert QGuiApplication.clipboard().text().startswith("Inspector ")
    assert window._toast.isVisible()


def test_a_toast_calls_back(window: MainWindow) -> None:
    pressed: list[str] = []
    window.toast("Written", "Undo", lambda: pressed.append("undo"))
    window._toast._action.click()
    assert pressed == ["undo"]
    assert not window._toast.isVisible()


def start_writing(window: MainWindow, target: Path) -> None:
    task = window.runner.run(writing, target, title="Converting people")
    task.writes = True


def answer(window: MainWindow, press: Callable[[CloseSheet], object]) -> None:
    sheet = window.findChild(CloseSheet)
    assert sheet is not None
    press(sheet)


def test_closing_while_a_job_writes_asks_once_and_can_go_on(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    start_writing(window, tmp_path / "target")
    window.close()
    window.close()
    assert window.isVisible()
    assert len(window.findChildren(CloseSheet)) == 1
    answer(window, Sheet.cancel)
    assert window.isVisible()
    assert window.runner.jobs


def test_stop_and_close_leaves_nothing_half_written(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    start_writing(window, tmp_path / "target")
    window.close()
    answer(window, lambda sheet: sheet.stop_button.click())
    assert not window.isVisible()
    assert not (tmp_path / "target").exists()
    assert not window.runner.jobs


def test_finish_then_close_writes_the_whole(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    start_writing(window, tmp_path / "target")
    window.close()
    answer(window, lambda sheet: sheet.finish_button.click())
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=10000)
    assert (tmp_path / "target").read_text() == "whole"


def test_reading_jobs_do_not_keep_the_window_open(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.runner.run(writing, tmp_path / "target", title="Counting")
    window.close()
    assert not window.isVisible()


def test_a_history_opens_in_a_page_with_versions(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    store = open_one(qtbot, window, copied(UPDATES, tmp_path / "folder"))
    assert window.current_page().source() is store
    qtbot.waitUntil(lambda: "History" in window.current_page().views())
