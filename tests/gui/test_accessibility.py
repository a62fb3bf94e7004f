"""Every control that is seen has a name, and Tab reaches all parts of the window in their order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from windows import TABLES, open_one, open_window

from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Recent, Settings
from inspector.gui.theme import Theme

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
)


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    settings.add_recent(Recent(str(TABLES), "tinydb", 1, 0.0))
    yield from open_window(qtbot, settings)


def nameless(window: QWidget) -> list[str]:
    """Return the visible controls that a screen reader would call nothing; headers and scroll bars speak for views."""
    found = []
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, CONTROLS) or isinstance(widget, QHeaderView | QScrollBar) or not widget.isVisible():
            continue
        if type(widget) is QAbstractButton or widget.objectName() in ("ScrollLeftButton", "ScrollRightButton"):
            continue  # the corner of a table and the arrows of a tab bar are Qt's own
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name).strip():
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def test_everything_on_the_start_page_has_a_name(window: MainWindow) -> None:
    assert len(window.findChildren(QAbstractButton)) > 5
    assert nameless(window) == []


def test_everything_around_and_in_a_table_has_a_name(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    window._panel.filter_button.click()
    assert nameless(window) == []


def test_everything_on_a_store_and_a_refusal_has_a_name(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.show_store(open_one(qtbot, window, TABLES))
    assert nameless(window) == []
    with qtbot.waitSignal(window.store_failed, timeout=10000):
        window.open_paths([tmp_path / "none.json"])
    assert nameless(window) == []
    window.go_to()
    assert nameless(window) == []
    window.show_shortcuts()
    assert nameless(window) == []


def test_a_nameless_control_is_found(window: MainWindow) -> None:
    line = QLineEdit(window)
    line.show()
    assert nameless(window) == ["QLineEdit in MainWindow"]


def test_tab_goes_through_the_parts_in_their_order(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    parts = [window._top, window._panel, window._workspace.tabs, window.current_page(), window._docks.inspector]
    window._top.field.setFocus()
    order: list[QWidget] = []
    for _ in range(80):
        focused = QApplication.focusWidget()
        part = next((part for part in parts if part is focused or part.isAncestorOf(focused)), None)
        if part is not None and (not order or order[-1] is not part):
            order.append(part)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        if len(order) > len(parts):
            break
    assert order[: len(parts)] == parts


def test_at_twice_the_text_size_nothing_of_the_top_row_overlaps(window: MainWindow, look: Theme) -> None:
    look.set_text_scale(2)
    window.resize(1440, 900)
    QApplication.processEvents()
    top = window._top
    shown = [widget for widget in (top.menus, top.field, top.open, top.inspector, top.look) if widget.isVisible()]
    edges = [
        (widget.mapTo(window, widget.rect().topLeft()).x(), widget.mapTo(window, widget.rect().topRight()).x())
        for widget in shown
    ]
    assert all(left[1] < right[0] for left, right in itertools.pairwise(edges))
    assert edges[-1][1] <= window.width()
