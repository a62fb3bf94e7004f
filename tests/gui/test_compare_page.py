"""How a comparison begins and ends: what it is asked for from, proofs, files that change, lists that are cut, stops."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from comparisons import FIRST, FOUND, SECOND, compared, counts, shown
from history_samples import CHEN, MONDAY, text_session, write_store
from pycrdt import Text
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot
from sheets import menu, nameless, result
from windows import open_one, open_window, settle

from inspector.gui import compare_rows
from inspector.gui.compare_picker import ComparePicker
from inspector.gui.compare_view import ComparePage
from inspector.gui.controls import Button, ErrorCard
from inspector.gui.history_view import HistoryPage
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.operations.convert import Job, convert


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "a.json", tmp_path / "b.json"
    for path, tables in zip(paths, (FIRST, SECOND), strict=True):
        path.write_text(json.dumps(tables))
    return paths


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> ComparePage:
    return compared(qtbot, window, *pair)


@pytest.mark.parametrize("format", ["betterjson", "ystore"])
def test_a_conversion_is_proven_from_its_page(
    qtbot: QtBot, window: MainWindow, samples: Path, tmp_path: Path, format: str
) -> None:
    source = open_one(qtbot, window, samples / "shop.json")
    outcome = convert(Job(source.path, tmp_path / "out.db", format))
    window.show_outcome(outcome, source)
    QApplication.processEvents()
    QTest.mouseClick(result(qtbot, window).compare, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    page = window.current_page()
    assert isinstance(page, ComparePage)
    assert page.proof.title.text() == "Identical: 2,020 records in 3 tables"
    assert page.proof.isVisible()
    assert page.tools.isHidden()
    assert page.session.sources[1].path == tmp_path / "out.db"


def test_an_in_place_job_is_compared_with_its_backup(
    qtbot: QtBot, window: MainWindow, samples: Path, tmp_path: Path
) -> None:
    from inspector.operations.compress import CompressJob, compress

    shop = tmp_path / "shop.db"
    shop.write_bytes((samples / "shop.db").read_bytes())
    source = open_one(qtbot, window, shop)
    window.show_outcome(compress(CompressJob(shop, None)), source)
    QApplication.processEvents()
    QTest.mouseClick(result(qtbot, window).compare, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    page = window.current_page()
    assert isinstance(page, ComparePage)
    assert page.title == "shop.db.bak ⇄ shop.db"
    assert page.proof.isVisible()


def test_equal_records_with_an_empty_table_more_are_no_proof(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text('{"t": {"1": {}}}')
    second.write_text('{"t": {"1": {}}, "more": {}}')
    page = compared(qtbot, window, first, second)
    assert page.proof.title.text() == "All records are equal, but only one store has more, which is empty"
    assert page.result is not None
    assert not page.result.identical


def test_ctrl_d_asks_among_open_stores(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> None:
    open_one(qtbot, window, pair[1])
    open_one(qtbot, window, pair[0])
    QTest.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    picker = window.findChild(ComparePicker)
    assert isinstance(picker, ComparePicker)
    assert picker.model.rowCount() == 1
    assert picker.model.index(0, 0).data() == "b.json"
    assert nameless(picker) == []
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle(qtbot, window)
    page = window.current_page()
    assert isinstance(page, ComparePage)
    assert [source.path for source in page.session.sources] == [*pair]
    assert QApplication.focusWidget() is page.table


def test_the_picker_takes_any_file(
    qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_one(qtbot, window, pair[0])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(pair[1]), ""))
    menu(window, "Compare with…").trigger()
    picker = window.findChild(ComparePicker)
    assert isinstance(picker, ComparePicker)
    assert picker.model.rowCount() == 0
    assert not picker.go.isEnabled()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle(qtbot, window)
    page = window.current_page()
    assert isinstance(page, ComparePage)
    assert page.session.sources[1].path == pair[1]
    assert list(window.stores) == [store]


def test_recent_stores_are_offered_too(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> None:
    window.close_store(open_one(qtbot, window, pair[1]))
    window.compare(open_one(qtbot, window, pair[0]))
    picker = window.findChild(ComparePicker)
    assert isinstance(picker, ComparePicker)
    assert picker.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "b.json, TinyDB JSON, not open"
    picker.cancel()


def test_the_menu_of_the_tree_offers_it(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> None:
    store = open_one(qtbot, window, pair[0])
    window._panel.tree.menu_wanted.emit(store, None, QPoint(10, 10))
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    action = next(action for action in popup.actions() if action.text() == "Compare with…")
    popup.close()
    action.trigger()
    picker = window.findChild(ComparePicker)
    assert isinstance(picker, ComparePicker)
    picker.cancel()


def test_an_export_of_files_that_changed_is_refused(
    qtbot: QtBot, window: MainWindow, page: ComparePage, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    pair[1].write_text(json.dumps(FIRST))
    page.export_to(tmp_path / "out.json", "json")
    settle(qtbot, window)
    assert not (tmp_path / "out.json").exists()
    assert window._toast._label.text() == (
        "b.json was changed since it was compared. Nothing was written; compare again."
    )
    page.reload()
    settle(qtbot, window)
    assert page.proof.title.text() == "Identical: 5 records in 2 tables"
    assert shown(page) == []


def test_a_change_on_disk_is_said_and_compared_again(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> None:
    store = open_one(qtbot, window, pair[0])
    page = compared(qtbot, window, *pair)
    page.table.go_to(3)
    assert not page.changed.isVisible()
    pair[0].write_text(json.dumps({"people": FIRST["people"]}))
    with qtbot.waitSignal(store.changed_on_disk, timeout=10000):
        pass
    assert page.changed.text() == "a.json was changed since it was compared. This is what was found before."
    assert page.changed.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F5)
    settle(qtbot, window)
    assert not page.changed.isVisible()
    assert len(shown(page)) == 6
    assert page.table.currentIndex().row() == 3


def test_a_long_list_is_cut_and_says_so(
    qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_rows, "MOST_LISTED", 4)
    page = compared(qtbot, window, *pair)
    assert shown(page) == FOUND[:4]
    assert page.cut.isVisible()
    assert page.cut.text().startswith("The first 4 of 7 differences are listed.")
    assert counts(page)[0] == ["All collections", "1", "2", "2", "1"]


def test_records_that_weigh_too_much_cut_it_too(
    qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_rows, "MOST_BYTES", 10)
    page = compared(qtbot, window, *pair)
    assert shown(page) == FOUND[:3]
    assert page.cut.isVisible()


def test_what_does_not_open_is_said_in_place(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> None:
    pair[1].write_text("[1]")
    page = compared(qtbot, window, *pair)
    card = page.findChild(ErrorCard)
    assert isinstance(card, ErrorCard)
    assert card.isVisible()
    assert card.accessibleName() == "a.json and b.json are not compared"
    assert page.status()[0][1] == "Not compared"
    pair[1].write_text(json.dumps(SECOND))
    again = next(button for button in card.findChildren(Button) if button.text() == "Try again")
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert shown(page) == FOUND


def big(path: Path, extra: int) -> Path:
    documents = {str(n): {"name": f"user {n}", "n": n + extra, "list": [n, 1, 2]} for n in range(40_000)}
    path.write_text(json.dumps({"t": documents}))
    return path


def test_it_is_stopped_within_a_second_and_begun_again(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    first, second = big(tmp_path / "a.json", 0), big(tmp_path / "b.json", 1)
    window.compare_files(first, second)
    page = window.current_page()
    assert isinstance(page, ComparePage)
    qtbot.waitUntil(lambda: page.waiting.isVisible() and page.waiting.bar.share > 0, timeout=10000)
    QTest.mouseClick(page.waiting.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.runner._running, timeout=1000)
    assert page.result is None
    again = next(button for button in page._card.findChildren(Button) if button.isVisible())
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert counts(page)[0] == ["All collections", "0", "40,000", "0", "0"]
    assert page.model.rowCount() == 40_000
    page.table.go_to(30_000)
    assert page.table.step_record(1)


def test_closing_the_tab_stops_the_comparison(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    first, second = big(tmp_path / "a.json", 0), big(tmp_path / "b.json", 1)
    window.compare_files(first, second)
    qtbot.waitUntil(lambda: bool(window.runner.jobs))
    window.close_tab()
    qtbot.waitUntil(lambda: not window.runner._running, timeout=1000)


def test_the_same_documents_are_identical(qtbot: QtBot, window: MainWindow, samples: Path) -> None:
    notebook = samples / "notebook" / "notebook.ystore.db"
    page = compared(qtbot, window, notebook, notebook)
    assert page.title == "notebook/notebook.ystore.db ⇄ notebook/notebook.ystore.db"
    assert page.proof.title.text().startswith("Identical: ")
    assert "document" in page.proof.title.text()


def test_documents_are_compared_and_opened_as_a_whole(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    longer = text_session()
    longer.edit(CHEN, MONDAY + 9000, lambda doc: doc.get("source", type=Text).insert(0, "new\n"))
    first = write_store(tmp_path / "a.ystore.db", **{"text:notes": text_session()})
    second = write_store(tmp_path / "b.ystore.db", **{"text:notes": longer})
    page = compared(qtbot, window, first, second)
    assert [(kind, key, path) for kind, key, path in shown(page)] == [("changed", "source", "")]
    assert page.detail.after.text.toPlainText().startswith("new\nline 0 of the notes")
    assert page.detail.after.text.isVisible()
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: isinstance(window.current_page(), HistoryPage), timeout=10000)
    settle(qtbot, window)
    source = window.current_page().source()
    assert source is not None
    assert source.path == second


def test_swapping_compares_the_other_way_round(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    QTest.mouseClick(page.head.swap, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    other = window.current_page()
    assert isinstance(other, ComparePage)
    assert other.title == "b.json ⇄ a.json"
    assert counts(other)[0] == ["All collections", "1", "2", "1", "2"]
