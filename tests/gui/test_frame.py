"""The frame under the keyboard and under load: where the focus goes, what is dressed how often, drops over a tab."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from test_opening import dragged, drop
from windows import BETTER, GOLDEN, TABLES, UPDATES, copied, open_one, open_window, settle

from inspector.gui.controls import Button, KeyCaps
from inspector.gui.failed_page import FailedPage
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.sheet import Sheet
from inspector.gui.theme import Theme
from inspector.gui.window_sheets import AboutSheet, ShortcutsSheet


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_tab_leaves_a_spin_box_in_a_sheet(window: MainWindow, qtbot: QtBot) -> None:
    sheet = Sheet(window, "Convert")
    level, go = QSpinBox(), Button("Convert")
    sheet.body.addWidget(level)
    sheet.footer.addWidget(go)
    sheet.open(level)
    for key, stop in ((Qt.Key.Key_Tab, go), (Qt.Key.Key_Tab, level), (Qt.Key.Key_Backtab, go)):
        qtbot.keyClick(focused(), key)
        assert focused() is stop
    sheet.cancel()


def test_tab_goes_on_from_what_is_no_stop_itself(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    page = window.current_page()
    table = page.findChild(QAbstractItemView)
    assert table is not None
    table.setFocus()
    before = window._panes.neighbour(forward=True)
    policy = table.focusPolicy()
    table.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    assert window._panes.neighbour(forward=True) is before
    table.setFocusPolicy(policy)


def test_a_store_that_opens_has_the_focus_in_its_table(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QAbstractItemView))
    assert window.current_page().isAncestorOf(focused())


@pytest.mark.parametrize("go", ["hide", "disable"])
def test_the_focus_stays_in_the_page_when_its_widget_goes(window: MainWindow, qtbot: QtBot, go: str) -> None:
    open_one(qtbot, window, TABLES)
    page = window.current_page()
    button = Button("Undo")
    page.layout().addWidget(button)
    button.show()
    button.setFocus()
    assert focused() is button
    if go == "hide":
        button.hide()
    else:
        button.setEnabled(False)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QAbstractItemView))
    assert page.isAncestorOf(focused())


def test_the_focus_leaves_a_closed_tab_for_the_start_page(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    window.current_page().focus_main()
    window.close_tab()
    qtbot.waitUntil(lambda: window._start.isAncestorOf(QApplication.focusWidget()))


def test_quick_changes_of_the_look_are_made_once(window: MainWindow, qtbot: QtBot, look: Theme) -> None:
    times: list[bool] = []
    look.changed.connect(lambda: times.append(look.tokens.dark))
    for _ in range(5):
        window._top.look.click()
    window.scale_text(1)
    window.scale_text(1)
    assert times == []
    qtbot.waitUntil(lambda: bool(times))
    QApplication.processEvents()
    assert times == [True]
    assert look.text_scale == pytest.approx(1.2)
    look.changed.disconnect()


def test_the_docks_keep_their_widths_beside_a_wide_page(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    widths = (window._panel.width(), window._docks.inspector.width())
    window.benchmark()
    QApplication.processEvents()
    window.step_tab(1)
    qtbot.waitUntil(lambda: (window._panel.width(), window._docks.inspector.width()) == widths)


def test_the_arrows_of_many_tabs_cover_none(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    window.show_store(store)
    for entry in store.store.collections:
        window.open_collection(store, entry)
    window.benchmark()
    tabs = window._workspace.tabs
    for number in range(8):
        window._show(("failed", str(number), ""), partial(FailedPage, Path(f"a-long-name-{number}.json"), "No store."))
    last = tabs.tabButton(tabs.count() - 1, tabs.ButtonPosition.RightSide)
    arrows = [arrow for arrow in tabs.findChildren(QToolButton) if arrow.objectName().startswith("Scroll")]
    assert all(arrow.isVisible() and arrow.width() >= 24 and arrow.accessibleName() for arrow in arrows)
    assert last.geometry().right() < min(arrow.x() for arrow in arrows)
    settle(qtbot, window)


def test_files_held_over_a_tab_are_counted_in_sight(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    mime = dragged(TABLES, BETTER)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(200, 200), copy, mime, left, none))
    assert window._veil.isVisible()
    assert "2" in window._veil.accessibleName()
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), copy, mime, left, none))
    assert not window._veil.isVisible()
    settle(qtbot, window)


def test_a_mixed_drop_shows_the_new_store_and_says_what_was_refused(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    known = copied(UPDATES, tmp_path / "folder")
    open_one(qtbot, window, known)
    drop(window, dragged(known.parent, GOLDEN / "tinydb" / "not-html.json", BETTER, known))
    qtbot.waitUntil(lambda: len(window.stores) == 2 and not window._stores.busy, timeout=10000)
    settle(qtbot, window)
    assert window.current_page().source() is window.stores[1]
    assert any(isinstance(page, FailedPage) for page in window._workspace.pages())
    assert window._toast.isVisible()
    assert "HTML" in window._toast._label.text()
    window._toast._action.click()
    assert isinstance(window.current_page(), FailedPage)


def test_a_folder_of_many_stores_opens_a_few_at_a_time(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for number in range(12):
        copied(TABLES, tmp_path / "data").rename(tmp_path / "data" / f"{number}.json")
    most: list[int] = []
    window.runner.job_started.connect(lambda job: most.append(len(window.runner.jobs)))
    window.open_paths([tmp_path / "data"])
    qtbot.waitUntil(lambda: len(window.stores) == 12, timeout=20000)
    assert max(most) <= 3
    settle(qtbot, window)
    assert not window._stores.busy


def test_shortcuts_hold_the_keys_of_the_views(window: MainWindow) -> None:
    window.show_shortcuts()
    sheet = window.findChild(ShortcutsSheet)
    names = {caps.accessibleName() for caps in sheet.findChildren(KeyCaps)}
    assert {"Left", "Right", "Shift+Right", "Home", "End", "A", "D", "Space", "Return", "Backspace"} <= names
    assert {"Alt+Up", "Alt+Down", "Ctrl+C", "Ctrl+Shift+C", "Esc"} <= names
    sheet.cancel()


def test_about_names_version_and_licence(window: MainWindow) -> None:
    window._actions["about"].trigger()
    sheet = window.findChild(AboutSheet)
    shown = " ".join(label.text() for label in sheet.findChildren(QWidget) if hasattr(label, "text"))
    assert "Inspector 0." in shown
    assert "MIT" in shown
    assert "tinydb" in shown
    sheet.cancel()


def test_no_result_of_go_to_keeps_off_the_border(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to()
    qtbot.keyClicks(window._top.field, "no such thing")
    assert window._goto._none.x() >= 12
    qtbot.keyClick(window._top.field, Qt.Key.Key_Escape)


def test_contrast_and_motion_are_switched_in_the_theme_menu(window: MainWindow, look: Theme) -> None:
    menu = next(menu for menu in window.findChildren(QMenu) if menu.title() == "Theme")
    by_name = {action.text(): action for action in menu.actions()}
    contrast, still = by_name["High contrast"], by_name["Reduced motion"]
    contrast.trigger()
    assert look.high_contrast
    assert window.settings.high_contrast
    still.trigger()
    assert window.settings.reduced_motion
    contrast.setChecked(False)
    menu.aboutToShow.emit()
    assert contrast.isChecked()
    contrast.trigger()
    assert not look.high_contrast
