"""The main screens look as they looked when somebody compared them with the design; see `pictures` for the measure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pictures import check, difference, kept, take
from PySide6.QtCore import QLocale
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from screens import SAMPLES, close_sheets, rest, show_collection
from windows import open_one, open_window

from inspector.gui.benchmark_view import BenchmarkPage
from inspector.gui.history_view import HistoryPage
from inspector.gui.main_window import MainWindow
from inspector.gui.records_view import RecordsPage
from inspector.gui.settings import Settings
from inspector.gui.theme import Theme

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM") != "offscreen",
    reason="other platforms draw the same fonts differently",
)


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield from open_window(qtbot, settings)
    QLocale.setDefault(before)


def changing(window: MainWindow) -> list[QWidget]:
    """Return what is not the same everywhere: paths, the time zone, the free space."""
    found: list[QWidget] = [window._status]
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and isinstance(widget, QLabel | QLineEdit):
            text = widget.text()
            if str(SAMPLES) in text or text.startswith("/") or " free" in text:
                found.append(widget)
    page = window.current_page()
    if isinstance(page, HistoryPage):
        found.append(page.stage.transport._times_box)
    if isinstance(page, BenchmarkPage):
        # How long it takes here, on how many cores.
        found.append(page.setup.note)
    return found


def look_at(window: MainWindow, name: str, folder: Path) -> None:
    check(name, take(window, changing(window)), folder)


def show_records(qtbot: QtBot, window: MainWindow) -> RecordsPage:
    shop = open_one(qtbot, window, SAMPLES / "shop.json")
    show_collection(qtbot, window, shop, "customers")
    page = window.current_page()
    assert isinstance(page, RecordsPage)
    return page


def test_start_page(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    rest(qtbot, window)
    look_at(window, "start-page", tmp_path)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_records(window: MainWindow, qtbot: QtBot, look: Theme, tmp_path: Path, mode: str) -> None:
    look.set_mode("dark" if mode == "dark" else "light")
    show_records(qtbot, window)
    look_at(window, f"records-{mode}", tmp_path)


def test_records_in_a_narrow_window_with_the_inspector_over_them(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.resize(1000, 700)
    show_records(qtbot, window)
    window.toggle_inspector()
    rest(qtbot, window)
    look_at(window, "records-narrow", tmp_path)


def test_records_in_high_contrast(window: MainWindow, qtbot: QtBot, look: Theme, tmp_path: Path) -> None:
    look.set_high_contrast(True)
    try:
        show_records(qtbot, window)
        look_at(window, "records-contrast", tmp_path)
    finally:
        look.set_high_contrast(False)


def test_records_at_twice_the_text_size_in_the_smallest_window(
    window: MainWindow, qtbot: QtBot, look: Theme, tmp_path: Path
) -> None:
    look.set_text_scale(2)
    window.resize(960, 600)
    show_records(qtbot, window)
    look_at(window, "records-large", tmp_path)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_history(window: MainWindow, qtbot: QtBot, look: Theme, tmp_path: Path, mode: str) -> None:
    look.set_mode("dark" if mode == "dark" else "light")
    notebook = open_one(qtbot, window, SAMPLES / "notebook" / "notebook.ystore.db")
    show_collection(qtbot, window, notebook, "analysis.ipynb")
    look_at(window, f"history-{mode}", tmp_path)


def test_shortcuts_and_benchmark(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    page = show_records(qtbot, window)
    window.show_shortcuts()
    rest(qtbot, window)
    look_at(window, "shortcuts", tmp_path)
    close_sheets(qtbot, window)
    window.benchmark(page.source())
    rest(qtbot, window)
    look_at(window, "benchmark", tmp_path)


def test_a_widget_that_moves_by_four_pixels_is_noticed(window: MainWindow, qtbot: QtBot) -> None:
    page = show_records(qtbot, window)
    before = take(window, changing(window))
    assert not difference(before, kept("records-light")).visible
    page.toolbar.views.move(page.toolbar.views.x() + 4, page.toolbar.views.y())
    assert difference(take(window, changing(window)), kept("records-light")).visible


def test_a_colour_that_changes_is_noticed(window: MainWindow, qtbot: QtBot) -> None:
    page = show_records(qtbot, window)
    palette = page.palette()
    palette.setColor(page.backgroundRole(), "#F0F0F0")
    page.setPalette(palette)
    assert QGuiApplication.instance() is not None
    assert difference(take(window, changing(window)), kept("records-light")).visible
