"""The records page through the real keyboard, on real stores."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from records_cases import Alt, Ctrl, Key, Make, Shift, focused, settle
from records_shell import TRAPS, SmallShell, opened, people

from inspector.gui.controls import Button, EmptyState, ErrorCard
from inspector.gui.records_view import RecordsPage
from inspector.gui.records_work import FileForm
from inspector.resources import resource


def test_a_table_shows_its_records_and_the_first_in_the_inspector(page: RecordsPage) -> None:
    assert page.model.rowCount() == 1000
    assert page.filter.field.accessibleDescription() == "1,000 records"
    assert page.panel.title == "Record 1"
    assert page.toolbar.columns.text() == "Columns 10"
    assert (page.title, page.subtitle) == ("people", "shop.json")


def test_the_status_names_path_format_and_size(page: RecordsPage) -> None:
    parts = page.status()
    assert parts[0][1].endswith("shop.json")
    assert parts[1][1].startswith("TinyDB")
    assert parts[2][1].endswith("on disk")


def test_a_compressed_store_says_what_it_decodes_to(make: Make) -> None:
    found = make(opened(resource("samples/shop.db")), "products")
    size = found.status()[2][1]
    assert "kB on disk → " in size
    assert size.endswith("×)")


def test_filtering_by_keyboard(qtbot: QtBot, page: RecordsPage) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Key.Key_F, Ctrl)
    assert focused(page) is page.filter.field
    QTest.keyClicks(page.filter.field, 'age > 30 and city == "Rome"')
    wanted = sum(1 for n in range(1, 1001) if 18 + n % 70 > 30 and n % 4 == 0)
    settle(qtbot, page, f"{wanted} of 1,000 ·")
    assert page.model.rowCount() == wanted
    rows = [page.model.number(row) + 1 for row in range(wanted)]
    assert all(n % 4 == 0 for n in rows)
    QTest.keyClick(page.filter.field, Key.Key_Down)
    assert focused(page) is page.table
    page.focus_filter()
    QTest.keyClick(page.filter.field, Key.Key_Escape)
    settle(qtbot, page, "1,000 records")
    assert page.model.rowCount() == 1000


def test_a_wrong_filter_keeps_the_last_result(qtbot: QtBot, page: RecordsPage) -> None:
    page.focus_filter()
    QTest.keyClicks(page.filter.field, "age > 80")
    settle(qtbot, page, "98 of 1,000")
    QTest.keyClicks(page.filter.field, " nd")
    qtbot.waitUntil(lambda: "'nd'" in page.filter.message)
    assert page.model.rowCount() == 98
    assert page.filter.field.underlined == (9, 2)


def test_an_unknown_field_keeps_the_last_result(qtbot: QtBot, page: RecordsPage) -> None:
    page.filter.field.setText("age > 80")
    settle(qtbot, page, "98 of 1,000")
    page.focus_filter()
    page.filter.field.clear()
    QTest.keyClicks(page.filter.field, 'ctiy == "x"')
    qtbot.waitUntil(lambda: 'Did you mean "city"?' in page.filter.message)
    assert page.filter.field.underlined == (0, 4)
    assert page.filter.field.accessibleDescription().startswith("98 of 1,000")
    assert page.model.rowCount() == 98
    assert page.table.isVisible()
    page.session.sort_by(page.model.columns[0])
    qtbot.waitUntil(lambda: not page.session.busy)
    assert page.model.rowCount() == 98
    assert page.filter.field.underlined == (0, 4)
    page.filter.field.setText("age > 85")
    qtbot.waitUntil(lambda: page.model.rowCount() not in (0, 98))
    assert page.filter.message == ""


def test_a_filter_without_a_match_can_be_cleared(qtbot: QtBot, page: RecordsPage) -> None:
    page.focus_filter()
    QTest.keyClicks(page.filter.field, 'city == "x"')
    settle(qtbot, page, "0 of 1,000")
    empty = page.findChild(EmptyState)
    assert isinstance(empty, EmptyState)
    assert empty.accessibleName() == "No record matches"
    clear = next(b for b in page.findChildren(Button) if b.text() == "Clear filter")
    QTest.mouseClick(clear, Qt.MouseButton.LeftButton)
    settle(qtbot, page, "1,000 records")
    assert page.table.isVisible()


def test_the_current_record_stays_while_filtering(qtbot: QtBot, page: RecordsPage) -> None:
    page.table.go_to(399, 3)
    page.filter.field.setText("Rome")
    settle(qtbot, page, "250 of 1,000")
    assert page.table.current_number() == 399
    assert page.table.currentIndex().column() == 3
    assert page.panel.title == "Record 400"


def test_sorting_by_header_goes_up_down_and_back(qtbot: QtBot, page: RecordsPage) -> None:
    def click(section: int) -> None:
        header = page.table.header
        place = QPoint(header.sectionViewportPosition(section) + 20, 20)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.waitUntil(lambda: not page.session.busy)

    def first(count: int) -> list[int]:
        return [page.model.number(row) for row in range(count)]

    age = next(n for n, column in enumerate(page.model.columns) if column.name == "age")
    click(age)
    ages = [18 + (n + 1) % 70 for n in first(1000)]
    assert ages == sorted(ages)
    assert first(2) == [69, 139]
    click(age)
    assert [18 + (n + 1) % 70 for n in first(1000)] == sorted(ages, reverse=True)
    click(age)
    assert first(3) == [0, 1, 2]
    click(0)
    click(0)
    assert first(3) == [999, 998, 997]


def test_missing_values_come_last_either_way(qtbot: QtBot, page: RecordsPage) -> None:
    column = next(column for column in page.model.columns if column.name == "email")
    for _ in range(2):
        page.session.sort_by(column)
        qtbot.waitUntil(lambda: not page.session.busy)
        tail = [page.model.number(row) + 1 for row in range(1000 - 333, 1000)]
        assert all(n % 3 == 0 for n in tail)


def test_going_to_an_id(qtbot: QtBot, page: RecordsPage) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Key.Key_G, Ctrl)
    assert focused(page) is page.go_to.field
    QTest.keyClicks(page.go_to.field, "777")
    QTest.keyClick(page.go_to.field, Key.Key_Return)
    qtbot.waitUntil(lambda: page.table.current_number() == 776)
    assert focused(page) is page.table
    QTest.keyClick(page.table, Key.Key_G, Ctrl)
    QTest.keyClicks(page.go_to.field, "1001")
    QTest.keyClick(page.go_to.field, Key.Key_Return)
    qtbot.waitUntil(lambda: page.go_to.field.accessibleDescription() == "No record has this id")
    QTest.keyClick(page.go_to.field, Key.Key_Escape)
    assert focused(page) is page.table


def test_moving_between_records_and_into_a_value(qtbot: QtBot, page: RecordsPage) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Key.Key_Down, Alt)
    assert page.panel.title == "Record 2"
    QTest.keyClick(page.table, Key.Key_Up, Alt)
    assert page.panel.title == "Record 1"
    address = next(n for n, column in enumerate(page.model.columns) if column.name == "address")
    page.table.go_to(4, address)
    QTest.keyClick(page.table, Key.Key_Return)
    assert focused(page) is page.panel.tree
    assert page.panel.steps() == ["address"]
    assert page.panel.tree.isExpanded(page.panel.tree.currentIndex())
    QTest.keyClick(page.panel.tree, Key.Key_Down)
    assert page.panel.steps() == ["address", "street"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bigint", "123456789012345678901234567890"),
        ("nan", "NaN"),
        ("zero", "-0.0"),
        ("huge", "1e400"),
        ("lone", '"\\ud800x"'),
        ("nul", "a\0b"),
        ("spelled", "1.50"),
        ("two", "2"),
        ("null", "null"),
        ("empty", ""),
        ("lines", "first\nsecond\tand"),
    ],
)
def test_copying_a_cell_is_exact(make: Make, tmp_path: Path, name: str, text: str) -> None:
    page = make(opened(tmp_path / "traps.json", '{"t": {"1": ' + TRAPS + "}}"), "t")
    page.table.setFocus()
    page.table.go_to(0, next(n for n, column in enumerate(page.model.columns) if column.name == name))
    QTest.keyClick(page.table, Key.Key_C, Ctrl)
    assert QGuiApplication.clipboard().text() == text


def test_a_toast_about_a_copied_value_is_a_sentence(page: RecordsPage, shell: SmallShell) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Key.Key_C, Ctrl)
    page.panel.detail.copy_value()
    page.panel.detail.copy_path()
    assert [what for _, what in shell.copied] == ["value", "value", "path"]


def test_copying_rows_and_their_notations(qtbot: QtBot, page: RecordsPage, shell: SmallShell) -> None:
    page.table.setFocus()
    for section, column in enumerate(page.model.columns):
        page.toolbar.column_toggled.emit(section, column.name in ("", "name", "email"))
    assert page.toolbar.columns.text() == "Columns 3 of 10"
    page.table.go_to(0, 1)
    for _ in range(4):
        QTest.keyClick(page.table, Key.Key_Down, Shift)
    QTest.keyClick(page.table, Key.Key_C, Ctrl)
    lines = shell.copied[-1][0].split("\n")
    assert lines[0] == "1\tPerson 1\tperson1@example.org"
    assert lines[2] == "3\tPerson 3\t"
    assert lines[4] == "5\tPerson 5\tnull"
    QTest.keyClick(page.table, Key.Key_C, Ctrl | Shift)
    menu = next(menu for menu in page.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == "Copy rows as JSON").trigger()
    menu.close()
    assert json.loads(shell.copied[-1][0])[4] == {"id": 5, "name": "Person 5", "email": None}


def test_copying_everything_is_a_task(qtbot: QtBot, page: RecordsPage, shell: SmallShell) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Key.Key_A, Ctrl)
    QTest.keyClick(page.table, Key.Key_C, Ctrl)
    qtbot.waitUntil(lambda: bool(shell.copied), timeout=20_000)
    text, what = shell.copied[-1]
    assert what == "1,000 rows"
    rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
    assert len(rows) == 1000
    assert rows[999][1] == "Person 1000"


def test_exporting_what_the_filter_shows(qtbot: QtBot, page: RecordsPage, shell: SmallShell, tmp_path: Path) -> None:
    page.filter.field.setText("age > 80")
    settle(qtbot, page, "98 of 1,000")
    forms: tuple[FileForm, ...] = ("jsonl", "csv")
    for form in forms:
        target = tmp_path / f"out.{form}"
        page.export_to(target, form)
        qtbot.waitUntil(target.exists, timeout=20_000)
    qtbot.waitUntil(lambda: len(shell.toasts) == 2)
    assert shell.toasts[0] == "98 rows written to out.jsonl."
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(lines) == 98
    assert lines[0]["collection"] == "people"
    assert lines[0]["value"]["account"] == 2**53 + int(lines[0]["key"])
    rows = list(csv.reader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert rows[0][:3] == ["id", "name", "age"]
    assert len(rows) == 99


def test_an_export_that_cannot_be_written_says_why(qtbot: QtBot, page: RecordsPage, shell: SmallShell) -> None:
    page.export_to(Path("/nowhere/at/all.jsonl"), "jsonl")
    qtbot.waitUntil(lambda: bool(shell.toasts))
    assert "does not exist" in shell.toasts[0]


def test_the_tree_and_the_raw_text_follow_the_table(qtbot: QtBot, page: RecordsPage) -> None:
    QAbstractItemModelTester(page.tree.records, QAbstractItemModelTester.FailureReportingMode.Warning)
    page.table.go_to(7, 1)
    page.show_view(1)
    assert page.tree.isVisible()
    assert page.tree.current_number() == 7
    page.tree.setFocus()
    QTest.keyClick(page.tree, Key.Key_Right)
    QTest.keyClick(page.tree, Key.Key_Down)
    assert page.panel.steps() == ["name"]
    assert page.panel.title == "Record 8"
    page.show_view(2)
    assert page.raw.pane.toPlainText() == page.session.cache.records[7].raw.decode()  # type: ignore[union-attr]
    page.panel.step_wanted.emit(1)
    assert '"Person 9"' in page.raw.pane.toPlainText()


def test_a_tree_of_many_records_has_pages(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    text = '{"t": {' + ", ".join(f'"{n}": {{"a": [{n}]}}' for n in range(1, 3001)) + "}}"
    page = make(opened(tmp_path / "many.json", text), "t")
    model = page.tree.records
    assert [model.index(row, 0).data() for row in range(3)] == ["1 – 1,000", "1,001 – 2,000", "2,001 – 3,000"]
    record = model.index(499, 0, model.index(2, 0))
    assert model.hasChildren(record)
    assert model.rowCount(record) == 0
    qtbot.waitUntil(lambda: model.rowCount(record) == 1)
    assert model.index(0, 1, record).data() == "[1]"


def test_a_damaged_record_does_not_hide_the_others(make: Make, tmp_path: Path) -> None:
    page = make(opened(tmp_path / "bad.json", '{"t": {"1": {"a": 1}, "2": {"a": nope}, "3": {"a": 3}}}'), "t")
    assert page.model.rowCount() == 3
    page.table.go_to(1, 1)
    assert "record 2" in page.model.index(1, 1).data()
    page.show_view(2)
    assert page.raw.pane.toPlainText() == '{"a": nope}'


def test_an_empty_table_says_that_it_exists(make: Make, tmp_path: Path) -> None:
    page = make(opened(tmp_path / "shop.json", people(3)), "empty")
    empty = page.findChild(EmptyState)
    assert isinstance(empty, EmptyState)
    assert empty.isVisible()
    assert empty.accessibleName() == "No documents."


def test_what_cannot_be_read_is_said_in_place_of_the_rows(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "shop.json"
    store = opened(path, people(10))
    page = make(store, "people")
    store.store = opened(path, '{"other": {}}').store
    page.reload()
    qtbot.waitUntil(lambda: page.findChild(ErrorCard) is not None)
    card = page.findChild(ErrorCard)
    assert isinstance(card, ErrorCard)
    assert card.accessibleName() == "people cannot be read"
    assert not page.table.isVisible()
    store.store = opened(path, people(12)).store
    again = next(button for button in card.findChildren(Button) if button.text() == "Try again")
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    settle(qtbot, page, "12 records")
    assert page.table.isVisible()
