"""Two stores compared in the window: what is asked, counted, listed, shown whole, opened, copied and written."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot
from sheets import menu, nameless, result
from windows import open_one, open_window, settle

from inspector.cli.main import main
from inspector.gui import compare_rows
from inspector.gui.compare_model import AFTER, BEFORE, FIELD, KEY
from inspector.gui.compare_picker import ComparePicker
from inspector.gui.compare_view import ComparePage
from inspector.gui.controls import Button, ErrorCard
from inspector.gui.main_window import MainWindow
from inspector.gui.records_view import RecordsPage
from inspector.gui.settings import Settings
from inspector.operations.convert import Job, convert

FIRST = {
    "people": {
        "1": {"name": "Ada", "age": 36, "tags": ["a", "b"]},
        "2": {"name": "Bob", "age": 7, "note": None},
        "3": {"name": "Cy", "zero": 0.0},
        "10": {"name": "Di"},
    },
    "old": {"1": {"x": 1}},
}
SECOND = {
    "people": {
        "1": {"name": "Ada", "age": 36.0, "tags": ["a", "c", "d"]},
        "2": {"name": "Bob", "age": 7, "note": None},
        "3": {"name": "Cy", "zero": -0.0},
        "11": {"name": "Eve"},
    },
}
FOUND = [
    ("changed", "1", ".age"),
    ("changed", "1", ".tags[1]"),
    ("changed", "1", ".tags[2]"),
    ("changed", "3", ".zero"),
    ("added", "11", ""),
    ("removed", "10", ""),
    ("removed", "1", ""),
]


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "a.json", tmp_path / "b.json"
    for path, tables in zip(paths, (FIRST, SECOND), strict=True):
        path.write_text(json.dumps(tables))
    return paths


def compared(qtbot: QtBot, window: MainWindow, first: Path, second: Path) -> ComparePage:
    """Show the comparison and return its page when everything is shown."""
    window.compare_files(first, second)
    page = window.current_page()
    assert isinstance(page, ComparePage)
    settle(qtbot, window)
    return page


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow, pair: tuple[Path, Path]) -> ComparePage:
    return compared(qtbot, window, *pair)


def shown(page: ComparePage) -> list[tuple[str, str, str]]:
    rows = (page.model.row(place) for place in range(page.model.rowCount()))
    return [(row.kind, row.key, row.path) for row in rows if row is not None]


def text(page: ComparePage, row: int, column: int) -> str:
    return str(page.model.index(row, column).data())


def counts(page: ComparePage) -> list[list[str]]:
    model = page.counts.counts
    return [[str(model.index(row, column).data()) for column in range(5)] for row in range(model.rowCount())]


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_it_counts_and_lists_every_difference(page: ComparePage) -> None:
    assert page.title == "a.json ⇄ b.json"
    assert counts(page) == [
        ["All collections", "1", "2", "2", "1"],
        ["people", "1", "2", "1", "1"],
        ["old (collection only in A)", "0", "0", "1", "0"],
    ]
    assert shown(page) == FOUND
    assert page.proof.isHidden()
    assert "1 equal, 2 changed, 2 only in A, 1 only in B" in page.status()[0][1]
    for model in (page.model, page.counts.counts):
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_cells_are_exact_and_say_what_is_missing(page: ComparePage) -> None:
    assert [text(page, 0, column) for column in (KEY, FIELD, BEFORE, AFTER)] == ["1", "age", "36", "36.0"]
    assert [text(page, 2, column) for column in (FIELD, BEFORE, AFTER)] == ["tags[2]", "—", '"d"']
    assert [text(page, 3, column) for column in (BEFORE, AFTER)] == ["0.0", "−0.0"]
    assert [text(page, 4, column) for column in (FIELD, BEFORE, AFTER)] == ["whole record", "—", '{"name": "Eve"}']
    assert text(page, 4, 0) == "+  Only in B"
    spoken = page.model.index(4, BEFORE).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "missing"


def test_the_window_counts_what_the_command_line_counts(
    page: ComparePage, pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    QTest.mouseClick(page.head.command, Qt.MouseButton.LeftButton)
    words = clipboard().split()
    assert words == ["inspector", "diff", str(pair[0]), str(pair[1]), "--json"]
    assert main(words[1:]) == 0
    document = json.loads(capsys.readouterr().out)
    assert page.result is not None
    assert document["counts"] == page.result.tally.counts
    listed = [("changed", one["key"], one["path"]) for one in document["changed"]]
    listed += [("added", one["key"], "") for one in document["added"]]
    listed += [("removed", one["key"], "") for one in document["removed"]]
    assert sorted(listed) == sorted(shown(page))


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


def test_kinds_collections_and_words_filter_the_list(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    for number, kind in enumerate((None, "changed", "removed", "added")):
        window.show_view(number)
        settle(qtbot, window)
        assert shown(page) == [row for row in FOUND if kind in (None, row[0])]
    window.show_view(0)
    page.counts.selectRow(2)
    settle(qtbot, window)
    assert shown(page) == FOUND[-1:]
    page.counts.selectRow(0)
    window.filter_page()
    QTest.keyClicks(QApplication.focusWidget(), "TAGS")
    qtbot.waitUntil(lambda: len(shown(page)) == 2)
    assert page.tools.count.text() == "2 of 7"
    page.tools.search.setText("nowhere")
    qtbot.waitUntil(page._nothing.isVisible)
    QTest.mouseClick(page._clear, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown(page) == FOUND)
    assert page.tools.search.text() == ""


def test_columns_sort_up_down_and_back(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    header = page.table.horizontalHeader()

    def click(column: int) -> list[tuple[str, str, str]]:
        place = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        settle(qtbot, window)
        return shown(page)

    assert [key for _, key, _ in click(KEY)] == ["1", "1", "1", "1", "3", "10", "11"]
    assert [key for _, key, _ in click(KEY)] == ["11", "10", "3", "1", "1", "1", "1"]
    assert click(KEY) == FOUND


def test_a_side_sorts_by_value_with_nothing_last(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    page.table.horizontalHeader().setSortIndicator(BEFORE, Qt.SortOrder.AscendingOrder)
    settle(qtbot, window)
    assert [text(page, row, BEFORE) for row in range(7)][:3] == ["0.0", "36", '"b"']
    assert [text(page, row, BEFORE) for row in range(7)][-2:] == ["—", "—"]


def test_the_current_difference_is_shown_whole_on_both_sides(
    qtbot: QtBot, window: MainWindow, page: ComparePage
) -> None:
    page.table.go_to(1)
    settle(qtbot, window)
    detail = page.detail
    assert detail.title.text() == "people · 1"
    assert [pane.model.node(pane.tree.currentIndex()).steps() for pane in (detail.before, detail.after)] == [
        ["tags", 1],
        ["tags", 1],
    ]
    assert detail.after._marking.marked == {("age",), ("tags", 1), ("tags", 2)}
    page.table.go_to(4)
    settle(qtbot, window)
    assert detail.before._stack.currentWidget() is detail.before._none
    assert detail.after._stack.currentWidget() is detail.after.tree
    detail.switch.set_current(1)
    assert detail.lines.isVisible()
    page.table.go_to(0)
    settle(qtbot, window)
    assert "-age: 36" in "".join(
        f"{row.line.sign}{row.line.text}\n" for row in detail.lines.cards.rows if row.line is not None
    )


def test_moving_in_one_record_moves_in_the_other(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    page.table.go_to(0)
    settle(qtbot, window)
    before, after = page.detail.before, page.detail.after
    before.tree.setFocus()
    QTest.keyClick(before.tree, Qt.Key.Key_Up)
    assert after.model.node(after.tree.currentIndex()).steps() == ["name"]
    QTest.keyClick(before.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == "Ada"


def test_keys_step_through_differences_and_records(qtbot: QtBot, page: ComparePage) -> None:
    page.table.setFocus()
    alt, shift = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier

    def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> int:
        QTest.keyClick(QApplication.focusWidget(), key, modifier)
        return page.table.currentIndex().row()

    assert [press(Qt.Key.Key_F3), press(Qt.Key.Key_F3), press(Qt.Key.Key_F3, shift)] == [1, 2, 1]
    assert [press(Qt.Key.Key_Down, alt), press(Qt.Key.Key_Down, alt)] == [3, 4]
    assert [press(Qt.Key.Key_Up, alt), press(Qt.Key.Key_Up, alt), press(Qt.Key.Key_Up, alt)] == [3, 0, 0]
    page.detail.before.tree.setFocus()
    assert press(Qt.Key.Key_F3) == 1


def test_enter_opens_the_record_in_the_store_that_has_it(
    qtbot: QtBot, window: MainWindow, page: ComparePage, pair: tuple[Path, Path]
) -> None:
    page.table.setFocus()
    for row, path, key in ((3, pair[1], "3"), (5, pair[0], "10")):
        page.table.go_to(row)
        QTest.keyClick(page.table, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: isinstance(window.current_page(), RecordsPage), timeout=10000)
        settle(qtbot, window)
        records = window.current_page()
        assert isinstance(records, RecordsPage)
        assert records.source().path == path
        current = records.model.row(records.table.currentIndex().row())
        assert current is not None
        assert current.key == key
        window._workspace.show_page(page)
    assert len(window.stores) == 2
    page.table.go_to(3)
    page.open_record(in_b=False)
    settle(qtbot, window)
    back = window.current_page()
    assert isinstance(back, RecordsPage)
    assert back.source().path == pair[0]
    assert back.model.row(back.table.currentIndex().row()).key == "3"


def test_values_and_rows_are_copied_exactly(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    page.table.setFocus()
    for row, column, wanted in ((3, AFTER, "-0.0"), (4, AFTER, '{"name": "Eve"}'), (2, AFTER, "d")):
        page.table.go_to(row, column)
        QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert clipboard() == wanted
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    page.table.selectionModel().select(page.model.index(0, 0), flags)
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert clipboard().splitlines() == ['people\tchanged\t"1"\t.age\t36\t36.0', 'people\tchanged\t"1"\t.tags[2]\t\td']


def test_the_menu_copies_rows_and_sorts(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    page.table.go_to(4)
    popup = page.show_menu(QPoint(50, 50))
    labels = [action.text() for action in popup.actions()]
    assert "Open record in B" in labels
    assert "Open record in A" not in labels
    next(action for action in popup.actions() if action.text() == "Copy rows as JSON").trigger()
    settle(qtbot, window)
    assert json.loads(clipboard()) == [
        {"collection": "people", "kind": "added", "key": "11", "path": "", "after": {"name": "Eve"}}
    ]
    popup.close()


@pytest.mark.parametrize("form", ["json", "csv", "md"])
def test_exports_hold_every_difference(
    qtbot: QtBot,
    window: MainWindow,
    page: ComparePage,
    pair: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    form: str,
) -> None:
    target = tmp_path / f"out.{form}"
    page.export_to(target, form)  # type: ignore[arg-type]
    settle(qtbot, window)
    if form == "json":
        main(["diff", str(pair[0]), str(pair[1]), "--json"])
        assert target.read_text() == capsys.readouterr().out
    elif form == "csv":
        with target.open(newline="") as file:
            assert [tuple(row[1:4]) for row in csv.reader(file)][1:] == FOUND
    else:
        assert "**5 records differ, 1 are equal, in 2 collections**" in target.read_text()


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


def test_documents_are_compared_and_opened_as_a_whole(
    qtbot: QtBot, window: MainWindow, samples: Path, tmp_path: Path
) -> None:
    notebook = samples / "notebook" / "notebook.ystore.db"
    page = compared(qtbot, window, notebook, notebook)
    assert page.title == "notebook/notebook.ystore.db ⇄ notebook/notebook.ystore.db"
    assert page.proof.title.text().startswith("Identical: ")
    assert "document" in page.proof.title.text()


def test_a_value_that_is_no_object_is_shown_as_text(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    paths = []
    for name, source in (("a", "one\ntwo"), ("b", "one\nthree")):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps({"t": {"1": {"source": source}}}))
    page = compared(qtbot, window, *paths)
    page.detail.switch.set_current(1)
    lines = [row.line for row in page.detail.lines.cards.rows if row.line is not None]
    assert [(line.sign, line.text.strip()) for line in lines if line.sign != " "] == [("-", "two"), ("+", "three")]


def test_swapping_compares_the_other_way_round(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    QTest.mouseClick(page.head.swap, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    other = window.current_page()
    assert isinstance(other, ComparePage)
    assert other.title == "b.json ⇄ a.json"
    assert counts(other)[0] == ["All collections", "1", "2", "1", "2"]


def test_every_control_has_a_name_and_tab_reaches_the_list(window: MainWindow, page: ComparePage) -> None:
    assert nameless(page) == []
    page.head.swap.setFocus()
    visited = []
    for _ in range(12):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        visited.append(QApplication.focusWidget())
    for wanted in (page.counts, page.tools.search, page.table, page.detail.before.tree, page.detail.after.tree):
        assert wanted in visited


def test_it_fits_the_smallest_window(qtbot: QtBot, window: MainWindow, page: ComparePage) -> None:
    window.resize(960, 600)
    QApplication.processEvents()
    assert page.minimumSizeHint().width() <= window.width() - 48
    assert page.table.viewport().height() >= 2 * page.table.rowHeight(0)
    assert page.detail.height() > 60


def test_it_follows_theme_and_text_size(window: MainWindow, page: ComparePage, look) -> None:
    look.set_mode("dark")
    look.set_text_scale(1.5)
    QApplication.processEvents()
    assert page.table.rowHeight(0) == look.px(28)
    assert not page.grab().isNull()
