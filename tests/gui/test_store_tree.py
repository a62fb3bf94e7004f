"""The tree of stores: its model, folding, filter, keys, the rail, the tools."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from windows import TABLES, UPDATES, open_one, open_window, settle

from inspector.gui.docks import MIDDLE
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore
from inspector.gui.store_model import ALERT_ROLE, FOLDED, ICON_ROLE, NOTE_ROLE, StoreModel
from inspector.gui.store_page import StorePage
from inspector.operations.open import open_store


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def many_tables(folder: Path, count: int) -> Path:
    path = folder / "many.json"
    path.write_text(json.dumps({f"table {n:02}": {"1": {"n": n}} for n in range(count)}))
    return path


def opened(path: Path) -> OpenStore:
    return OpenStore(path, open_store(path))


def names(model: StoreModel, parent: QModelIndex) -> list[str]:
    return [model.index(row, 0, parent).data() for row in range(model.rowCount(parent))]


def test_the_model_holds_stores_and_collections(qapp: object, tmp_path: Path) -> None:
    model = StoreModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    tables, updates = opened(TABLES), opened(UPDATES)
    model.add(tables)
    model.add(updates)
    first = model.index(0, 0)
    assert first.data() == TABLES.name
    assert first.data(ICON_ROLE) == "braces"
    assert names(model, first) == [entry.label for entry in tables.store.collections]
    assert model.entry(model.index(0, 0, first)) == tables.store.collections[0]
    assert model.store(model.index(0, 0, first)) is tables
    table = model.index(0, 0, first)
    assert table.data(NOTE_ROLE) == str(tables.store.collections[0].records)
    document = model.index(0, 0, model.index(1, 0))
    assert document.data(NOTE_ROLE) == str(updates.store.collections[0].versions)
    assert "version" in document.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "record" in table.data(Qt.ItemDataRole.AccessibleTextRole)
    model.remove(tables)
    assert names(model, QModelIndex()) == [UPDATES.name]
    model.remove(updates)
    for store in (tables, updates):
        store.store.close()


def test_many_collections_fold_until_they_are_wanted(qapp: object, tmp_path: Path) -> None:
    model = StoreModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    store = opened(many_tables(tmp_path, 30))
    model.add(store)
    parent = model.index(0, 0)
    assert model.rowCount(parent) == FOLDED
    last = model.index(FOLDED - 1, 0, parent)
    assert last.data().startswith(str(30 - FOLDED + 1))
    assert model.entry(last) is None
    assert model.index_of(store, "table 29").data() == "table 29"
    assert model.rowCount(parent) == 30
    store.store.close()


def test_refresh_shows_what_the_store_has_now(qapp: object, tmp_path: Path) -> None:
    model = StoreModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    path = many_tables(tmp_path, 3)
    store = opened(path)
    model.add(store)
    store.store.close()
    for count in (14, 0, 2):
        many_tables(tmp_path, count)
        store.store = open_store(path)
        model.refresh(store)
        assert model.rowCount(model.index(0, 0)) == min(count, FOLDED)
        store.store.close()


def test_names_are_shown_safely_and_short(qapp: object, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"two\nlines": {}, "x" * 5000: {}, "\u202egnp": {}}))
    model, store = StoreModel(), opened(path)
    model.add(store)
    shown = names(model, model.index(0, 0))
    assert shown[0] == "two⏎lines"
    assert len(shown[1]) <= 200
    assert "\u202e" not in shown[2]
    store.store.close()


def test_a_damaged_store_carries_a_sign(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    open_one(qtbot, window, TABLES.with_name("crash-trunc-last.json"))
    sound, damaged = (window._model.index(row, 0) for row in range(2))
    assert not sound.data(ALERT_ROLE)
    assert damaged.data(ALERT_ROLE)
    assert "warning" in damaged.data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_click_opens_a_table_and_enter_a_store(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    store = open_one(qtbot, window, many_tables(tmp_path, 3))
    tree = window._panel.tree
    parent = tree.model().index(0, 0)
    assert tree.isExpanded(parent)
    place = tree.visualRect(tree.model().index(2, 0, parent)).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, window)
    assert window.current_page().title == "table 02"
    tree.setCurrentIndex(parent)
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    page = window.current_page()
    assert isinstance(page, StorePage)
    assert page.source() is store


def test_the_chevron_folds_a_store(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_one(qtbot, window, many_tables(tmp_path, 3))
    tree = window._panel.tree
    parent = tree.model().index(0, 0)
    place = QPoint(18, tree.visualRect(parent).center().y())
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not tree.isExpanded(parent)
    tree.setCurrentIndex(parent)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.isExpanded(parent)


def test_the_filter_finds_folded_tables(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_one(qtbot, window, many_tables(tmp_path, 30))
    open_one(qtbot, window, TABLES)
    panel = window._panel
    panel.filter_button.click()
    assert panel.filter_field.hasFocus()
    qtbot.keyClicks(panel.filter_field, "TABLE 2")
    model = panel.tree.model()
    assert model.rowCount() == 1
    assert model.rowCount(model.index(0, 0)) == 10
    qtbot.keyClick(panel.filter_field, Qt.Key.Key_Escape)
    assert model.rowCount() == 2
    assert not panel.filter_field.isVisible()


def test_the_tree_follows_the_tab(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_one(qtbot, window, many_tables(tmp_path, 3))
    open_one(qtbot, window, TABLES)
    window._workspace.show_page(window._workspace.pages()[0])
    assert window._panel.tree.currentIndex().data() == "table 00"


def test_a_menu_offers_what_can_be_done_with_a_store(window: MainWindow, qtbot: QtBot) -> None:
    store = open_one(qtbot, window, TABLES)
    window._panel.tree.menu_wanted.emit(store, None, QPoint(10, 10))
    menu = next(menu for menu in window.findChildren(QMenu) if menu.isVisible())
    assert [action.text() for action in menu.actions() if action.text()] == [
        "Open",
        "Convert…",
        "Compress…",
        "Compare with…",
        "Benchmark",
        "Copy path",
        "Close store",
    ]
    next(action for action in menu.actions() if action.text() == "Close store").trigger()
    menu.close()
    assert not window.stores


def test_the_rail_opens_tables_from_a_menu(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_one(qtbot, window, many_tables(tmp_path, 3))
    window.resize(MIDDLE - 1, 700)
    rail = window._panel.front()
    index = window._model.index(0, 0)
    qtbot.mouseClick(rail.viewport(), Qt.MouseButton.LeftButton, pos=rail.visualRect(index).center())
    menu = next(menu for menu in window.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == "table 01").trigger()
    menu.close()
    settle(qtbot, window)
    assert window.current_page().title == "table 01"


def test_the_tools_are_the_actions_of_the_window(window: MainWindow, qtbot: QtBot) -> None:
    open_one(qtbot, window, TABLES)
    tools = window._panel.tools
    assert [tools.model().index(row, 0).data() for row in range(tools.model().rowCount())] == [
        "Benchmark lab",
        "Convert store",
    ]
