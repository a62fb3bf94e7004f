"""Two stores compared in the window: what is counted, listed, shown whole, opened, copied and written."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from comparisons import FIRST, FOUND, SECOND, clipboard, compared, counts, shown, text
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from sheets import nameless
from windows import open_window, settle

from inspector.cli.main import main
from inspector.gui.compare_model import AFTER, BEFORE, FIELD, KEY
from inspector.gui.compare_view import ComparePage
from inspector.gui.main_window import MainWindow
from inspector.gui.records_view import RecordsPage
from inspector.gui.settings import Settings


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
    popup = page.menu.show(QPoint(50, 50))
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
        assert "**5 records differ, 1 is equal, in 2 collections**" in target.read_text()


def test_texts_of_several_lines_are_compared_line_by_line(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    paths = []
    for name, source in (("a", "one\ntwo"), ("b", "one\nthree")):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps({"t": {"1": {"source": source}}}))
    page = compared(qtbot, window, *paths)
    page.detail.switch.set_current(1)
    lines = [row.line for row in page.detail.lines.cards.rows if row.line is not None]
    assert [(line.sign, line.text.strip()) for line in lines if line.sign != " "] == [("-", "two"), ("+", "three")]


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
    page.table.go_to(6)
    window.resize(960, 600)
    QApplication.processEvents()
    assert page.table.viewport().rect().contains(page.table.visualRect(page.table.currentIndex()).center())
    assert page.minimumSizeHint().width() <= window.width() - 48
    assert page.table.viewport().height() >= 2 * page.table.rowHeight(0)
    assert page.detail.height() > 60


def test_it_follows_theme_and_text_size(window: MainWindow, page: ComparePage, look) -> None:
    look.set_mode("dark")
    look.set_text_scale(1.5)
    QApplication.processEvents()
    assert page.table.rowHeight(0) == look.px(28)
    assert not page.grab().isNull()
