"""The value inspector: the tree of one record, one value in full, and exact copying of everything."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from records_shell import TRAPS, SmallShell

from inspector import values
from inspector.gui import copying
from inspector.gui.cells import CELL_ROLE, State
from inspector.gui.controls import Button, IconButton
from inspector.gui.copying import Piece
from inspector.gui.exact_text import MOST_BYTES, exact_text, span
from inspector.gui.record_rows import Row
from inspector.gui.settings import Settings
from inspector.gui.tasks import TaskRunner
from inspector.gui.text_pane import TextPane
from inspector.gui.theme import theme
from inspector.gui.value_detail import MOST_SHOWN
from inspector.gui.value_model import PAGE, ValueTreeModel
from inspector.gui.value_tree import ValuePanel


@pytest.fixture
def shell(runner: TaskRunner, settings: Settings) -> SmallShell:
    return SmallShell(runner, settings)


@pytest.fixture
def panel(qtbot: QtBot, shell: SmallShell) -> ValuePanel:
    made = ValuePanel(shell)
    qtbot.addWidget(made)
    made.resize(304, 760)
    with qtbot.waitExposed(made):
        made.show()
    return made


def trap_row() -> Row:
    raw = TRAPS.encode()
    return Row("1", raw, values.parse(raw))


def show(panel: ValuePanel, row: Row, *steps: str | int) -> None:
    panel.show_row(row, "people", list(steps))


def test_the_model_keeps_qts_rules(qtbot: QtBot) -> None:
    model = ValueTreeModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_value(values.parse(TRAPS))
    assert model.rowCount() == 14
    model.set_value(list(range(PAGE * 3 + 1)))
    assert model.rowCount() == 4
    assert model.rowCount(model.index(3, 0)) == 1
    model.set_value(None)
    assert model.rowCount() == 0


def test_long_arrays_come_in_pages_and_pages_of_pages() -> None:
    model = ValueTreeModel()
    model.set_value(list(range(2_500_000)))
    assert model.rowCount() == 3
    first = model.index(0, 0)
    assert model.rowCount(first) == PAGE
    assert model.rowCount(model.index(7, 0, first)) == PAGE
    found = model.find([1_234_567])
    assert model.node(found).value == 1_234_567
    assert model.node(found).steps() == [1_234_567]
    assert found.siblingAtColumn(1).data() == "1234567"


def test_nothing_is_made_before_a_branch_is_opened() -> None:
    class Counted(list[int]):
        def __getitem__(self, at):  # type: ignore[no-untyped-def]
            raise AssertionError("looked into")

    model = ValueTreeModel()
    model.set_value({"inside": Counted(range(5))})
    index = model.index(0, 0)
    assert index.data() == "inside"
    assert index.siblingAtColumn(1).data() == "[5]"
    assert model.hasChildren(index)


def test_repeated_keys_are_all_there() -> None:
    model = ValueTreeModel()
    model.set_value(values.parse('{"a": 1, "b": 2, "a": 3}'))
    assert [model.index(row, 0).data() for row in range(3)] == ["a", "b", "a"]
    assert model.node(model.find(["a"])).value == 3


def test_states_are_told_apart_for_eyes_and_ears() -> None:
    model = ValueTreeModel()
    model.set_value({"n": None, "e": "", "t": "text", "d": "2021-04-18T09:12:00Z"})
    cells = [model.index(row, 1).data(CELL_ROLE) for row in range(4)]
    assert [cell.state for cell in cells] == [State.NULL, State.EMPTY, State.TEXT, State.TEXT]
    assert [model.index(row, 1).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)] == ["null", "empty text"]
    assert cells[2].text == '"text"'
    assert [model.index(row, 2).data() for row in range(4)] == ["null", "str", "str", "datetime"]


@pytest.mark.parametrize(
    ("steps", "large", "chip", "exact"),
    [
        (["spelled"], "1.50", "float64", "1.50 (4 bytes)"),
        (["zero"], "−0.0", "float64", "-0.0 (4 bytes)"),
        (["nan"], "NaN", "float64", "NaN (3 bytes)"),
        (["huge"], "1e400", "number beyond float64", "1e400 (5 bytes)"),
        (["bigint"], "123456789012345678901234567890", "int", "123456789012345678901234567890 (30 bytes)"),
        (["two"], "2", "int", "2 (1 bytes)"),
        (["null"], "null", "null", "null (4 bytes)"),
        (["empty"], '""', "str · 0 characters", '"" (2 bytes)'),
        (["object"], "{1}", "object · 1 keys", '{"a": {"b": [10, 20]}} (22 bytes)'),
        (["object", "a", "b", 1], "20", "int", "20 (2 bytes)"),
    ],
)
def test_a_value_in_full(panel: ValuePanel, steps: Sequence[str | int], large: str, chip: str, exact: str) -> None:
    show(panel, trap_row(), *steps)
    assert panel.detail.text == large
    assert panel.detail.type_text == chip
    assert panel.detail.exact_text == f"Exact text in file: {exact}"


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
        ("list", '[1, 2.0, "x"]'),
    ],
)
def test_copying_is_exact(panel: ValuePanel, shell: SmallShell, qapp: object, name: str, text: str) -> None:
    show(panel, trap_row(), name)
    panel.tree.setFocus()
    QTest.keyClick(panel.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert shell.copied[-1][0] == text
    assert QGuiApplication.clipboard().text() == text


def test_bytes_are_copied_as_the_json_we_write(panel: ValuePanel, shell: SmallShell) -> None:
    show(panel, Row("blob", None, {"data": b"\x00\xff"}), "data")
    panel.detail.copy_value()
    assert shell.copied[-1][0] == '{"$bytes": "AP8="}'
    assert panel.detail.exact_text.startswith("As JSON: ")


def test_the_python_path_really_leads_there(panel: ValuePanel, shell: SmallShell) -> None:
    document = {'qu"ote\\ and é': [{"a\nb": 7}]}
    row = Row("1", json.dumps(document).encode(), document)
    show(panel, row, 'qu"ote\\ and é', 0, "a\nb")
    panel.detail.copy_path()
    assert eval(shell.copied[-1][0], {"doc": document}) == 7
    assert copying.python_path(["address", "geo", "lat"]) == 'doc["address"]["geo"]["lat"]'


def test_the_breadcrumb_goes_up(qtbot: QtBot, panel: ValuePanel) -> None:
    show(panel, trap_row(), "object", "a", "b", 1)
    assert list(panel.crumbs.parts()) == ["people", "1", "object", "a", "b", "1"]
    buttons = panel.crumbs.buttons()
    QTest.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    assert panel.steps() == ["object"]
    QTest.keyClick(panel.tree, Qt.Key.Key_Backspace)
    assert panel.steps() == []
    assert panel.detail.type_text == "object · 14 keys"


def test_a_page_is_no_value_of_its_own(panel: ValuePanel) -> None:
    show(panel, Row("1", None, {"l": list(range(5000))}), "l", 1234)
    assert panel.steps() == ["l", 1234]
    assert panel.detail.path_text == 'doc["l"][1234]'
    page = panel.tree.currentIndex().parent()
    assert page.data() == "1,000 – 1,999"
    panel.tree.setCurrentIndex(page)
    assert panel.detail.path_text == 'doc["l"][1234]'


def test_a_long_text_is_capped_until_all_of_it_is_wanted(qtbot: QtBot, panel: ValuePanel) -> None:
    text = "line of text\n" * (MOST_SHOWN // 13 + 1000)
    show(panel, Row("1", None, {"t": text}), "t")
    pane = panel.detail.findChild(TextPane)
    assert isinstance(pane, TextPane)
    qtbot.waitUntil(lambda: pane.complete, timeout=10_000)
    assert len(pane.toPlainText()) == MOST_SHOWN
    button = next(b for b in panel.detail.findChildren(Button) if b.text() == "Load all (2.0 MB)")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.complete and len(pane.toPlainText()) == len(text), timeout=10_000)


def test_lines_broken_for_showing_are_whole_when_copied(qtbot: QtBot) -> None:
    pane = TextPane("text")
    qtbot.addWidget(pane)
    text = "x" * 5000 + "\nsecond\n" + "y" * 1500
    pane.show_text(text)
    qtbot.waitUntil(lambda: pane.complete)
    assert pane.blockCount() == 5 + 1 + 2
    pane.selectAll()
    assert pane.createMimeDataFromSelection().text() == text


def test_a_record_that_cannot_be_read_says_so(panel: ValuePanel) -> None:
    show(panel, Row("7", b"{", None, "record 7: Expecting property name"))
    assert panel.title == "Record 7"
    assert not panel.tree.isVisible()


def test_facts_name_id_and_size(panel: ValuePanel) -> None:
    show(panel, Row("1071", b'{"a": 1}', {"a": 1}))
    assert panel.facts() == (("Document id", "1071"), ("Encoded size", "8 bytes"))
    assert panel.detail.type_text == "object · 1 keys"
    assert panel.model.index(0, 0) != QModelIndex()


def test_the_place_of_a_value_in_its_text() -> None:
    text = ' {"a" : [1, {"b\\"": "}]"}, 1.0e2 ], "c":{}, "a": null} '
    assert text[slice(*span(text, [0, 1, 0]) or (0, 0))] == '"}]"'
    assert text[slice(*span(text, [0, 2]) or (0, 0))] == "1.0e2"
    assert text[slice(*span(text, [1]) or (0, 0))] == "{}"
    assert text[slice(*span(text, [2]) or (0, 0))] == "null"
    assert span(text, [3]) is None
    assert span(text, [1, 0]) is None
    assert span('{"a": [1', [0]) is None
    long = b'{"a": "' + b"x" * MOST_BYTES + b'", "b": 1.0}'
    assert exact_text(long, [1], 1.0) == ("1.0", False)


def test_notations_keep_null_missing_and_empty_apart() -> None:
    row = [Piece(None, "null"), None, Piece("", '""'), Piece("null", '"null"'), Piece("a\tb", '"a\\tb"'), Piece(5, "5")]
    assert copying.tsv([row]) == 'null\t\t""\t"null"\t"a\tb"\t5'
    names = ["n", "m", "e", "w", "t", "i"]
    assert json.loads(copying.json_rows(names, [row])) == [{"n": None, "e": "", "w": "null", "t": "a\tb", "i": 5}]
    assert eval(copying.python_rows(names, [row])) == [{"n": None, "e": "", "w": "null", "t": "a\tb", "i": 5}]
    assert copying.csv(["a,b"], [[Piece('say "x"', '"say \\"x\\""')]]) == '"a,b"\n"say ""x"""\n'
    assert copying.markdown(["a|b"], [[Piece("x|y\nz", '""')], [None]]) == "| a\\|b |\n| --- |\n| x\\|y<br>z |\n|  |\n"
    assert copying.spreadsheet_safe(Piece("=1+1", '"=1+1"')) == "'=1+1"
    assert copying.spreadsheet_safe(Piece(-1, "-1")) == "-1"


def test_python_notation_is_python() -> None:
    import decimal

    names = {"decimal": decimal, "json": json, "float": float}
    for text in ("[1, 2.5, true, null]", '{"a": "é\\n"}', "123456789012345678901234567890", "-0.0", '"\\ud800"'):
        value = values.parse(text)
        assert eval(copying.python(value), names) == value
    assert math.isnan(eval(copying.python(math.nan), names))
    assert eval(copying.python(values.parse("1e400")), names) == decimal.Decimal("1e400")
    assert eval(copying.python(values.parse('{"a": 1, "a": 2}')), names) == [("a", 1), ("a", 2)]
    deep = values.parse("[" * 5000 + "]" * 5000)
    assert copying.python(deep).startswith("json.loads(")
    assert sys.getrecursionlimit() < 5000


def test_pages_take_the_whole_row(panel: ValuePanel) -> None:
    show(panel, Row("1", None, {"l": list(range(5000))}), "l", 1234)
    tree, branch = panel.tree, panel.model.find(["l"])
    assert all(tree.isFirstColumnSpanned(row, branch) for row in range(5))
    assert not tree.isFirstColumnSpanned(0, QModelIndex())
    show(panel, Row("2", None, list(range(3000))))
    assert all(tree.isFirstColumnSpanned(row, QModelIndex()) for row in range(3))


def test_keys_of_deep_levels_keep_their_room(qtbot: QtBot, panel: ValuePanel) -> None:
    value: object = {"bottom": 1}
    for _ in range(40):
        value = {"deep": value}
    steps = ["deep"] * 40 + ["bottom"]
    show(panel, Row("1", None, value), *steps)
    tree = panel.tree
    place = tree.visualRect(tree.currentIndex())
    assert place.width() >= QFontMetrics(theme().font(13)).horizontalAdvance("bottom")
    assert 0 <= place.left() < tree.viewport().width() - 60
    show(panel, Row("2", None, {"flat": 1}), "flat")
    assert tree.horizontalScrollBar().maximum() == 0


def test_the_menu_of_the_tree_copies_value_and_path(panel: ValuePanel, shell: SmallShell) -> None:
    show(panel, trap_row(), "bigint")
    place = panel.tree.visualRect(panel.model.find(["spelled"])).center()
    panel.tree.customContextMenuRequested.emit(place)
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    for action in menu.actions()[:2]:
        action.trigger()
    menu.close()
    assert shell.copied == [("1.50", "value"), ('doc["spelled"]', "path")]


def test_tab_reaches_the_path_before_the_tree_and_its_parts_are_large_enough(panel: ValuePanel) -> None:
    show(panel, trap_row(), "object", "a", "b", 1)
    panel.set_neighbours(before=True, after=True)
    panel.activateWindow()
    buttons = panel.crumbs.buttons()
    assert all(button.width() >= 24 <= button.height() for button in buttons)
    after = panel.findChildren(IconButton)[1]
    after.setFocus()
    QTest.keyClick(after, Qt.Key.Key_Tab)
    assert panel.focusWidget() is buttons[-1]
    QTest.keyClick(buttons[-1], Qt.Key.Key_Tab)
    assert panel.focusWidget() is panel.tree


def test_control_characters_are_large_enough_to_read(qtbot: QtBot) -> None:
    pane = TextPane("text")
    qtbot.addWidget(pane)
    pane.show_text("a\0b\x1bc")
    assert pane.toPlainText() == "a\u2400b\u241bc"
    cursor = pane.textCursor()
    sizes = []
    for place in range(1, 6):
        cursor.setPosition(place)
        sizes.append(cursor.charFormat().font().pixelSize() > theme().px(16))
    assert sizes == [False, True, False, True, False]
