"""The filter field: colours as typed, results 150 ms later, errors underlined in place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.gui.query_field import WAITS, QueryBar
from inspector.gui.query_tokens import marks, token_at, tokens
from inspector.gui.theme import theme
from inspector.model import Finding
from inspector.operations.query import parse
from inspector.operations.search import Hits


@pytest.fixture
def bar(qtbot: QtBot) -> QueryBar:
    made = QueryBar()
    qtbot.addWidget(made)
    made.resize(600, 60)
    with qtbot.waitExposed(made):
        made.show()
    made.field.setFocus()
    return made


def paints(bar: QueryBar, token: str) -> bool:
    """Say whether a pixel of the field is nearly of this colour; thin strokes are never quite."""
    image = bar.field.grab().toImage()
    wanted = theme().color(token).getRgb()[:3]  # type: ignore[index]
    colours = {
        image.pixelColor(x, y).getRgb()[:3]  # type: ignore[index]
        for x in range(image.width())
        for y in range(image.height())
    }
    return any(max(abs(a - b) for a, b in zip(wanted, colour, strict=True)) < 36 for colour in colours)


def test_tokens_have_kinds_complete_or_not() -> None:
    text = 'age >= 30 and city == "Ro'
    found = [(text[t.start : t.start + t.length], t.kind) for t in tokens(text)]
    assert found == [
        ("age", "field"), (">=", "operator"), ("30", "number"), ("and", "keyword"),
        ("city", "field"), ("==", "operator"), ('"Ro', "string"),
    ]  # fmt: skip
    assert tokens("len(tags) > 3")[0].kind == "function"
    assert tokens("🙂 §§") == []


def test_the_token_at_a_place() -> None:
    assert token_at("age > 30 nd city", 9) == (9, 2)
    assert token_at("age > ", 6) == (4, 1)
    assert token_at("§", 0) == (0, 1)


def test_a_filter_runs_after_the_last_key_and_not_before(qtbot: QtBot, bar: QueryBar) -> None:
    wanted: list[object] = []
    bar.wanted.connect(wanted.append)
    for key in "age > 3":
        QTest.keyClicks(bar.field, key)
        QTest.qWait(WAITS // 10)
    assert wanted == []
    with qtbot.waitSignal(bar.wanted, timeout=2000) as blocker:
        pass
    assert blocker.args[0].text == "age > 3"
    assert len(wanted) == 1


def test_tokens_are_painted_in_their_colours(qtbot: QtBot, bar: QueryBar) -> None:
    QTest.keyClicks(bar.field, '30 and "Rome"')
    assert bar.field.text() == '30 and "Rome"'
    bar.field.clearFocus()
    for token in ("tNum", "tDate", "tBool"):
        assert paints(bar, token)
    assert not paints(bar, "delText")


def test_an_error_is_underlined_at_its_token_and_said_below(qtbot: QtBot, bar: QueryBar) -> None:
    plain = bar.height()
    QTest.keyClicks(bar.field, "age > 30 nd city")
    qtbot.waitUntil(lambda: bar.message != "")
    assert "'nd'" in bar.message
    assert bar.field.underlined == (9, 2)
    assert bar.field.text() == "age > 30 nd city"
    assert paints(bar, "delText")
    QTest.keyClick(bar.field, Qt.Key.Key_Backspace)
    assert bar.field.underlined is None
    bar.field.setText("age > 30")
    qtbot.waitUntil(lambda: bar.message == "")
    assert bar.height() <= max(plain, bar.sizeHint().height() + 60)


def test_the_cursor_and_the_undo_history_survive_the_colours(bar: QueryBar) -> None:
    QTest.keyClicks(bar.field, "age > 3")
    QTest.keyClick(bar.field, Qt.Key.Key_Home)
    QTest.keyClicks(bar.field, "not ")
    assert bar.field.text() == "not age > 3"
    assert bar.field.cursorPosition() == 4
    QTest.keyClick(bar.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bar.field.text() == "age > 3"


def test_an_unknown_field_is_named_and_underlined(bar: QueryBar) -> None:
    bar.field.setText("ctiy == 1")
    found = Finding("info", "unknown-field", 'Unknown field "ctiy": no record has it. Did you mean "city"?', "ctiy")
    bar.show_hits(Hits([], 12_034, 0.038, (found,)), filtered=True)
    assert "Did you mean" in bar.message
    assert bar.field.underlined == (0, 4)
    assert bar.field.accessibleDescription() == "0 of 12,034 · 38 ms"


def test_escape_clears_and_then_leaves(qtbot: QtBot, bar: QueryBar) -> None:
    QTest.keyClicks(bar.field, "Rome")
    with qtbot.waitSignal(bar.wanted, timeout=2000) as blocker:
        QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.field.text() == ""
    assert blocker.args == [None]
    with qtbot.waitSignal(bar.rows_wanted):
        QTest.keyClick(bar.field, Qt.Key.Key_Escape)


def test_return_runs_at_once(qtbot: QtBot, bar: QueryBar) -> None:
    bar.field.setText("Rome")
    with qtbot.waitSignals([bar.wanted, bar.rows_wanted], timeout=WAITS // 2):
        QTest.keyClick(bar.field, Qt.Key.Key_Return)


def test_what_a_filter_marks() -> None:
    assert marks(parse("Rome oslo")).words == ("rome", "oslo")
    found = marks(parse('city == "Rome" and age > 3'))
    assert found.words == ("rome",)
    assert found.columns == frozenset(("city", "age"))
    assert marks(None).words == ()
