from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractItemView, QTableView
from pytestqt.qtbot import QtBot

from inspector.gui.cell_delegate import CellDelegate
from inspector.gui.cells import (
    CELL_ROLE,
    HITS_ROLE,
    MISSING,
    MOST,
    STAGED_ROLE,
    Cell,
    State,
    cell_data,
    cell_text,
)
from inspector.gui.texts import as_tooltip, size_text
from inspector.gui.theme import Theme, theme
from inspector.values import UNDEFINED, NumberText, RepeatedKeys

PNG = b"\x89PNG\r\n\x1a\n" + bytes(4192)


@pytest.mark.parametrize(
    ("value", "shown", "state", "spoken"),
    [
        (None, "null", State.NULL, "null"),
        (MISSING, "—", State.MISSING, "missing"),
        ("", '""', State.EMPTY, "empty text"),
        ("null", "null", State.TEXT, "null"),
        ("  ", '"  "', State.BLANK, "blank text"),
        ([], "[0]", State.ARRAY, "[0]"),
        ([1] * 12, "[12]", State.ARRAY, "[12]"),
        ({}, "{0}", State.OBJECT, "{0}"),
        ({"a": 1, "b": 2, "c": 3}, "{3}", State.OBJECT, "{3}"),
        (RepeatedKeys((("a", 1), ("a", 2))), "{2}", State.OBJECT, "{2}"),
        (UNDEFINED, "undefined", State.UNDEFINED, "undefined"),
        (9007199254740993, "9007199254740993", State.NUMBER, "9007199254740993"),
        (-5, "−5", State.NUMBER, "−5"),
        (-0.0, "−0.0", State.NUMBER, "−0.0"),
        (0.1, "0.1", State.NUMBER, "0.1"),
        (1e-7, "1e−07", State.NUMBER, "1e−07"),
        (NumberText("1e400"), "1e400", State.NUMBER, "1e400"),
        (float("nan"), "NaN", State.SPECIAL, "NaN"),
        (float("-inf"), "−Infinity", State.SPECIAL, "−Infinity"),
        (True, "true", State.TRUE, "true"),
        (False, "false", State.FALSE, "false"),
        (1, "1", State.NUMBER, "1"),
        ("first\nsecond\r\nthird", "first⏎second⏎third", State.TEXT, "first⏎second⏎third"),
        ("a\0b", "a␀b", State.TEXT, "a␀b"),
        ("a\ud800b", "a\ufffdb", State.TEXT, "a\ufffdb"),
        ("a\u202eb", "a\ufffdb", State.TEXT, "a\ufffdb"),
        (PNG, "4.2 kB PNG", State.BINARY, "4.2 kB PNG"),
        (b"", "0 B binary", State.BINARY, "0 B binary"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "16 B WebP", State.BINARY, "16 B WebP"),
        (ValueError("bad UTF-8 at 118"), "bad UTF-8 at 118", State.BROKEN, "bad UTF-8 at 118"),
        (KeyError(), "KeyError", State.BROKEN, "KeyError"),
        (object, "type", State.BROKEN, "type"),
    ],
)
def test_values_look_different_and_speak(value: object, shown: str, state: State, spoken: str) -> None:
    cell = cell_text(value)
    assert (cell.display, cell.state, cell.spoken) == (shown, state, spoken)


def test_long_text_is_cut_with_its_size() -> None:
    cell = cell_text("Prefers invoices " * 70_000)
    assert len(cell.display) == MOST
    assert cell.text.startswith("Prefers invoices ")
    assert cell.text.endswith("…")
    assert cell.suffix == "1.2 MB"
    assert cell_text("é" * 150_000).suffix == "≈ 300 kB"
    assert cell_text("é" * 5_000).suffix == "10 kB"
    assert cell_text("x" * MOST).display == "x" * MOST


def test_integers_show_all_digits_as_far_as_a_cell_goes() -> None:
    assert cell_text(10**199).display == "1" + "0" * 199
    cell = cell_text(10**250)
    assert len(cell.display) == MOST
    assert cell.suffix == "251 digits"
    assert "20" in cell_text(10**20_000).display
    assert cell_text(NumberText("9" * 5000)).suffix == "5,000 digits"


def test_numbers_stand_at_the_right() -> None:
    right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    role = Qt.ItemDataRole.TextAlignmentRole
    assert cell_data(cell_text(1), role) == cell_data(cell_text(float("nan")), role) == right
    assert cell_data(cell_text("1"), role) == cell_data(cell_text(None), role) == left


def test_roles_of_a_cell() -> None:
    cell = cell_text("")
    assert cell_data(cell, CELL_ROLE) is cell
    assert cell_data(cell, Qt.ItemDataRole.DisplayRole) == '""'
    assert cell_data(cell, Qt.ItemDataRole.AccessibleTextRole) == "empty text"
    assert cell_data(cell, Qt.ItemDataRole.ToolTipRole) is None
    assert cell_data(cell, Qt.ItemDataRole.BackgroundRole) is None


def test_a_date_has_utc_and_local_time_in_its_tooltip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    try:
        cell = cell_text("2026-03-12T14:07:31Z")
        assert cell.text == "2026-03-12T14:07:31Z"
        assert "2026-03-12 14:07:31 UTC\n2026-03-12 15:07:31 CET" in cell.tooltip
        assert "without a time zone" in cell_text("2021-04-18 09:12").tooltip
        assert cell_text("2021-99-99 09:12").tooltip == ""
    finally:
        monkeypatch.undo()
        time.tzset()


def test_stored_text_is_never_taken_for_html() -> None:
    tooltip = cell_text('<img src="file:///etc/passwd"> and more than thirty characters').tooltip
    assert "<img" not in tooltip
    assert "&lt;img" in tooltip
    assert len(as_tooltip("x" * 10_000_000)) < 3000


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=400) | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    )
)
def test_any_value_makes_a_short_cell_of_visible_characters(value: Any) -> None:
    cell = cell_text(value)
    assert 0 < len(cell.display) <= MOST
    assert all(c.isprintable() or c.isspace() for c in cell.display)
    assert "\n" not in cell.display
    assert cell.state != State.BROKEN
    cell.display.encode()
    cell.tooltip.encode()


class Hostile(str):
    """A text that cannot be measured."""

    def __len__(self) -> int:
        raise RuntimeError("do not ask")


def test_a_hostile_value_is_a_cell_that_says_so() -> None:
    cell = cell_text(Hostile("x"))
    assert (cell.state, cell.text) == (State.BROKEN, "do not ask")


def test_huge_values_cost_no_more_than_small_ones() -> None:
    huge = ["é" * 20_000_000, "x" * 50_000_000, b"x" * 50_000_000, [0] * 1_000_000]
    start = time.perf_counter()
    for value in huge * 10:
        cell_text(value)
    assert time.perf_counter() - start < 0.5


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (4200, "4.2 kB"),
        (84_000, "84 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (18_400_000, "18.4 MB"),
        (192_000_000, "192 MB"),
        (1_940_000_000, "1.9 GB"),
        (5 * 10**15, "5000 TB"),
    ],
)
def test_sizes_are_in_powers_of_1000(size: int, text: str) -> None:
    assert size_text(size).replace(",", "") == text


ROOT = QModelIndex()


class Table(QAbstractTableModel):
    """Two columns: a name and a value; the second row's value is staged, the third's name has a search hit."""

    VALUES: tuple[object, ...] = (None, "Via Giulia", "via Coronari", [1, 2], True, False, MISSING, 5, ValueError("x"))

    def rowCount(self, parent: Any = ROOT) -> int:
        return 0 if parent.isValid() else len(self.VALUES)

    def columnCount(self, parent: Any = ROOT) -> int:
        return 0 if parent.isValid() else 3

    def data(self, index: Any, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if role == STAGED_ROLE:
            return {1: "edit", 3: "new", 4: "delete"}.get(index.row()) if index.column() == 1 else None
        if role == HITS_ROLE:
            return [(4, 6)] if index.row() == 2 else None
        if index.column() == 2:
            return cell_data(Cell("", State.LOADING), role)
        return cell_data(cell_text(self.VALUES[index.row()]), role)


@pytest.fixture
def view(qtbot: QtBot) -> QTableView:
    view = QTableView()
    model = Table(view)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, view)
    view.setModel(model)
    view.setItemDelegate(CellDelegate(view))
    view.setShowGrid(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(28)
    view.resize(500, 340)
    qtbot.addWidget(view)
    view.show()
    view.activateWindow()
    qtbot.waitActive(view)
    view.setFocus()
    return view


def colour(view: QTableView, row: int, column: int, offset: QPoint) -> str:
    rect = view.visualRect(view.model().index(row, column))
    picture: QImage = view.viewport().grab().toImage()
    return QColor(picture.pixelColor(rect.topLeft() + offset)).name().upper()


def test_a_selected_row_has_a_bar_and_keeps_a_calm_fill_without_focus(view: QTableView, look: Theme) -> None:
    view.setCurrentIndex(view.model().index(0, 1))
    assert colour(view, 0, 0, QPoint(1, 14)) == look.tokens.accent
    assert colour(view, 0, 0, QPoint(6, 6)) == look.tokens.accentSoft
    assert colour(view, 0, 1, QPoint(40, 1)) == look.tokens.accent
    assert colour(view, 5, 1, QPoint(6, 6)) == look.tokens.surface
    view.clearFocus()
    assert colour(view, 0, 0, QPoint(1, 14)) == look.tokens.track
    assert colour(view, 0, 0, QPoint(6, 6)) == look.tokens.track


def test_the_row_under_the_mouse_is_shown(qtbot: QtBot, view: QTableView, look: Theme) -> None:
    target = view.visualRect(view.model().index(6, 0)).center()
    QTest.mouseMove(view.viewport(), target)
    qtbot.waitUntil(lambda: colour(view, 6, 1, QPoint(6, 6)) == look.tokens.hover)
    assert colour(view, 7, 1, QPoint(6, 6)) == look.tokens.surface


def test_staged_cells_are_filled_and_edits_marked(view: QTableView, look: Theme) -> None:
    view.clearSelection()
    assert colour(view, 1, 1, QPoint(40, 2)) == look.tokens.warnBg
    assert colour(view, 1, 1, QPoint(1, 1)) == look.tokens.warnText
    assert colour(view, 3, 1, QPoint(2, 2)) == look.tokens.addBg
    assert colour(view, 4, 1, QPoint(2, 2)) == look.tokens.delBg


def test_search_hits_are_marked(view: QTableView, look: Theme) -> None:
    rect = view.visualRect(view.model().index(2, 0))
    picture = view.viewport().grab().toImage()
    row = {picture.pixelColor(x, rect.y() + 7).name().upper() for x in range(rect.x(), rect.right())}
    assert look.tokens.accentLine in row


def test_the_delegate_follows_the_theme(view: QTableView, look: Theme) -> None:
    look.set_mode("dark")
    assert colour(view, 5, 1, QPoint(6, 6)) == look.tokens.surface


@pytest.mark.parametrize("typed", [False, True])
def test_a_cell_asks_for_the_room_it_needs(view: QTableView, typed: bool) -> None:
    view.setItemDelegate(CellDelegate(view, typed=typed))
    view.resizeColumnToContents(1)
    assert view.columnWidth(1) > 70
    assert view.sizeHintForIndex(view.model().index(0, 1)).height() == 28


def test_control_characters_are_painted_as_escapes(qtbot: QtBot) -> None:
    view = QTableView()
    qtbot.addWidget(view)
    delegate = CellDelegate(view)
    nul, escape = cell_text("a\0b"), cell_text("a\x1bb")
    plain, code = QFontMetrics(theme().font(13)), QFontMetrics(theme().font(13, mono=True))
    around = plain.horizontalAdvance("a") + plain.horizontalAdvance("b")
    longer = code.horizontalAdvance("\\x1b") - code.horizontalAdvance("\\0")
    assert delegate.width_of(escape) - delegate.width_of(nul) == longer > 0
    assert delegate.width_of(nul) > around + code.horizontalAdvance("\\0")
