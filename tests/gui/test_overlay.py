"""In a narrow window the inspector lies over the centre: it comes and goes by key, and gives the focus back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import TABLES, open_one, open_window, settle

from inspector.gui.main_window import MainWindow
from inspector.gui.overlay import SLIDE
from inspector.gui.records_view import RecordsPage
from inspector.gui.settings import Settings
from inspector.gui.theme import Theme


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    for narrow in open_window(qtbot, settings):
        narrow.resize(1200, 800)
        open_one(qtbot, narrow, TABLES)
        yield narrow


def focus_table(qtbot: QtBot, window: MainWindow) -> RecordsPage:
    page = window.current_page()
    assert isinstance(page, RecordsPage)
    settle(qtbot, window)
    qtbot.waitUntil(page.table.isVisible)
    page.table.setFocus()
    return page


def test_it_covers_the_right_of_the_centre_and_moves_nothing(window: MainWindow, qtbot: QtBot) -> None:
    centre = window.centralWidget().geometry()
    assert not window._docks.right_shown
    window.toggle_inspector()
    overlay = window._docks._overlay
    assert window._docks.right_shown
    assert overlay.isVisible()
    assert window._top.inspector.isChecked()
    assert window.centralWidget().geometry() == centre
    assert overlay.geometry().right() == centre.right()
    assert (overlay.y(), overlay.height()) == (centre.y(), centre.height())
    assert overlay.width() == 305
    window.resize(1150, 700)
    assert overlay.geometry().right() == window.centralWidget().geometry().right()


@pytest.mark.parametrize("how", ["Esc", "Ctrl+I"])
def test_the_focus_goes_in_and_returns(window: MainWindow, qtbot: QtBot, how: str) -> None:
    page = focus_table(qtbot, window)
    qtbot.keyClick(page.table, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert window._docks.inspector.isAncestorOf(focused)
    if how == "Esc":
        qtbot.keyClick(focused, Qt.Key.Key_Escape)
    else:
        qtbot.keyClick(focused, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert not window._docks.right_shown
    assert QApplication.focusWidget() is page.table


def test_the_page_below_stays_usable_and_esc_there_closes_it_too(window: MainWindow, qtbot: QtBot) -> None:
    page = focus_table(qtbot, window)
    window.toggle_inspector()
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    assert page.table.currentIndex().row() == 1
    assert window._docks.right_shown
    qtbot.keyClick(page.toolbar.views, Qt.Key.Key_Escape)
    assert not window._docks.right_shown


def test_enter_on_a_cell_opens_it(window: MainWindow, qtbot: QtBot) -> None:
    page = focus_table(qtbot, window)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert window._docks.overlaid
    assert page.panel.tree.hasFocus()


def test_a_wide_window_has_it_beside_the_centre_again(window: MainWindow, qtbot: QtBot) -> None:
    window.toggle_inspector()
    window.resize(1440, 900)
    assert not window._docks.overlaid
    assert window._docks.right_shown
    assert window._docks.inspector.isVisible()
    assert window.centralWidget().geometry().right() < window.width() - 300


def test_it_goes_with_the_page(window: MainWindow, qtbot: QtBot) -> None:
    window.toggle_inspector()
    window.benchmark()
    assert not window._docks.right_shown


def test_it_moves_only_where_motion_is_wanted(window: MainWindow, qtbot: QtBot, look: Theme) -> None:
    overlay = window._docks._overlay
    window.toggle_inspector()
    end = overlay.geometry()
    window.toggle_inspector()
    assert not overlay.isVisible()
    look.set_reduced_motion(False)
    if look.reduced_motion:
        pytest.skip(f"the platform {QGuiApplication.platformName()} wants no motion")
    window.toggle_inspector()
    assert overlay._slide.duration() == SLIDE
    assert overlay.geometry().x() > end.x()
    assert overlay.graphicsEffect() is not None
    qtbot.waitUntil(lambda: overlay.graphicsEffect() is None)
    assert overlay.geometry() == end
