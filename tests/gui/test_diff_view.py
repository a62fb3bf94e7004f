from __future__ import annotations

import base64
import time
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage, QImageWriter
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from inspector.gui.content_cards import MOST_OUTPUT_LINES, content_cards, decode_image, html_text, is_damaged_png
from inspector.gui.content_view import ContentView, RecordsModel, content
from inspector.gui.diff_cards import CONTEXT, Card, Options, RowKind, compare, rows
from inspector.gui.diff_model import CardModel
from inspector.gui.diff_view import MANY_ROWS, DiffView
from inspector.gui.theme import Theme
from inspector.model import Record


def cell(identity: str, source: str, kind: str = "code", **more: Any) -> dict[str, Any]:
    return {"id": identity, "cell_type": kind, "source": source, "metadata": {}, **more}


def notebook(*cells: dict[str, Any]) -> list[Record]:
    return [*(Record(f"cells[{n}]", c) for n, c in enumerate(cells)), Record("meta.nbformat", 4)]


def png(width: int = 8, height: int = 4) -> str:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, b"png").write(image)
    return base64.b64encode(bytes(buffer.data().data())).decode()


SAME = [cell(f"s{n}", f"same {n}", "markdown") for n in range(14)]
LONG = "\n".join(f"line {n}" for n in range(40))
BEFORE = notebook(
    *SAME, cell("a", LONG + "\nold word here"), cell("gone", "lost = 1\nlost += 1"), cell("out", "show()", outputs=[])
)
AFTER = notebook(
    *SAME,
    cell("a", LONG + "\nnew word here"),
    cell("out", "show()", outputs=[{"output_type": "stream", "name": "stdout", "text": "hi"}]),
    cell("new", "# fresh", "markdown"),
)


@pytest.fixture
def view(qtbot: QtBot) -> DiffView:
    """A comparison of the two notebooks above."""
    made = DiffView()
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    made.show_cards(compare(BEFORE, AFTER))
    return made


def kinds(view: DiffView) -> list[str]:
    return [row.kind.value for row in view.list.cards.rows]


def shown(view: DiffView) -> list[str]:
    model = view.list.cards
    return [str(model.index(n).data()) for n in range(model.rowCount())]


def test_unchanged_cells_fold_and_changes_show_with_their_counts(view: DiffView) -> None:
    assert kinds(view)[0] == "fold"
    assert shown(view)[0].startswith("14 unchanged")
    heads = [view.list.cards.cards[r.card].state for r in view.list.cards.rows if r.kind == RowKind.HEAD]
    assert heads == ["changed", "removed", "added"]
    assert view.bar.added.text() == "+2"
    assert view.bar.removed.text() == "−3"


def test_a_cell_that_differs_only_in_outputs_shows_when_outputs_are_asked_for(view: DiffView) -> None:
    assert "note" not in kinds(view)
    assert any(text.startswith("1 cell") and "same source" in text for text in shown(view))
    view.bar.outputs.setChecked(True)
    notes = [row.note for row in view.list.cards.rows if row.kind == RowKind.NOTE]
    assert notes == ["stdout added, " + notes[0].split(", ")[1]]


def test_unchanged_lines_fold_with_three_lines_of_context(view: DiffView) -> None:
    place = kinds(view).index("gap")
    assert shown(view)[place].startswith("37 unchanged line")
    after = view.list.cards.rows[place + 1 : place + 1 + CONTEXT]
    assert [row.line.new for row in after if row.line] == [38, 39, 40]


def test_folds_open_and_close_by_mouse_and_by_enter(qtbot: QtBot, view: DiffView) -> None:
    list_view = view.list
    whole = list_view.cards.rowCount()
    middle = list_view.visualRect(list_view.cards.index(0)).center()
    QTest.mouseClick(list_view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert list_view.cards.rowCount() == whole + 14 * 2
    list_view.setCurrentIndex(list_view.cards.index(0))
    QTest.keyClick(list_view, Qt.Key.Key_Return)
    assert list_view.cards.rowCount() == whole
    gap = kinds(view).index("gap")
    list_view.setCurrentIndex(list_view.cards.index(gap))
    QTest.keyClick(list_view, Qt.Key.Key_Return)
    assert "gap" not in kinds(view)


def test_showing_unchanged_shows_every_line_and_no_fold(view: DiffView) -> None:
    view.bar.unchanged.setChecked(True)
    assert not {"fold", "gap"} & set(kinds(view))
    assert kinds(view).count("line") == 14 + 42 + 2 + 1 + 1


def test_words_that_differ_are_marked() -> None:
    cards = compare(BEFORE, AFTER)
    changed = next(card for card in cards if card.state == "changed" and card.added)
    words = {line.sign: [line.text[a:b] for a, b in line.words] for line in changed.lines if line.sign != " "}
    assert words == {"-": ["old"], "+": ["new"]}


def test_copied_lines_are_exact_and_a_head_stands_for_its_cell(qtbot: QtBot, view: DiffView) -> None:
    odd = "tab\there \x00 " + "long " * 100
    view.show_cards(compare(notebook(), notebook(cell("x", odd + "\nsecond"))))
    list_view = view.list
    list_view.selectAll()
    QTest.keyClick(list_view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().replace("\ufffd", "\x00") == odd + "\nsecond"
    for row, copied in ((0, odd + "\nsecond"), (2, "second")):
        index = list_view.cards.index(row)
        list_view.selectionModel().select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        assert list_view.selected_text() == copied


def test_the_menu_copies_lines_or_the_whole_cell(view: DiffView) -> None:
    copy_lines, copy_cell = view.list.actions()
    line = next(n for n, row in enumerate(view.list.cards.rows) if row.line is not None and row.line.text == "lost = 1")
    index = view.list.cards.index(line)
    view.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    copy_lines.trigger()
    assert QGuiApplication.clipboard().text() == "lost = 1"
    copy_cell.trigger()
    assert QGuiApplication.clipboard().text() == "lost = 1\nlost += 1"


def test_alt_down_and_up_step_through_cards(view: DiffView) -> None:
    heads = view.list.cards.heads()
    assert view.list.step(1)
    assert view.list.currentIndex().row() == heads[0]
    assert view.list.step(1)
    assert view.list.step(1)
    assert view.list.currentIndex().row() == heads[2]
    assert not view.list.step(1)
    assert view.list.step(-1)
    assert view.list.currentIndex().row() == heads[1]


def test_equal_versions_say_so_and_say_what_is_hidden(view: DiffView) -> None:
    view.show_cards(compare(AFTER, AFTER))
    assert view._empty.isVisible()
    assert view._empty.accessibleName() == "Both versions are the same."
    changed = [Record("meta.nbformat", 5) if r.key == "meta.nbformat" else r for r in AFTER]
    view.show_cards(compare(AFTER, changed))
    assert view._empty.accessibleName() == "Both versions have the same source."
    view.bar.metadata.setChecked(True)
    assert view.list.isVisible()
    assert "nbformat: 4" in shown(view)[-2] or "4" in shown(view)[-2]


def test_texts_are_compared_by_lines_and_other_data_by_path() -> None:
    text = compare([Record("source", "one\ntwo"), Record("state.path", "a")], [Record("source", "one\n2")])
    assert (text[0].kind, text[0].name, text[0].state) == ("text", "source", "changed")
    assert [card.about for card in text] == [False, True]
    data = compare(
        [Record("shapes.box", {"x": 1, "y": [1, 2]}), Record("shapes.old", 1)],
        [Record("shapes.box", {"x": 1, "y": [1, 3]}), Record("shapes.new", None)],
    )
    lines = {card.name: [line.sign + line.text for line in card.lines] for card in data}
    assert lines == {"shapes.box": ["-y[1]: 2", "+y[1]: 3"], "shapes.new": ["+null"], "shapes.old": ["-1"]}


def test_an_error_takes_the_place_of_the_cards(view: DiffView) -> None:
    view.show_error("Version 3 cannot be shown", "Row 3 is damaged.")
    assert not view.list.isVisible()
    view.show_cards(compare(BEFORE, AFTER))
    assert view.list.isVisible()


def test_models_keep_qts_rules_and_data_stays_short(qtbot: QtBot) -> None:
    model = CardModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    cards = compare(notebook(), notebook(cell("x", "y" * 100_000)))
    model.set_rows(cards, rows(cards, Options()))
    texts = [model.index(n).data(role) for n in range(model.rowCount()) for role in (0, 11)]
    assert max(len(text) for text in texts) <= 200
    assert model.index(1).data(int(Qt.ItemDataRole.AccessibleTextRole)).startswith("Line 1 added y")
    model.set_rows((), [])
    records = RecordsModel()
    second = QAbstractItemModelTester(records, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shown_records = content(1, [Record("a.b", {"k": "v" * 500}), Record("c.d", raw=b"{broken")])
    records.set_records(shown_records.records, shown_records.previews)
    assert len(records.index(0, 1).data()) <= 200
    assert records.index(1, 1).data()
    del tester, second


def test_rows_paint_in_both_themes_and_at_twice_the_size(qtbot: QtBot, view: DiffView, look: Theme) -> None:
    view.bar.outputs.setChecked(True)
    view.list.selectAll()
    light = view.grab().toImage()
    look.set_mode("dark")
    assert view.grab().toImage() != light
    before = view.list.visualRect(view.list.cards.index(1)).height()
    look.set_text_scale(2)
    view.list.doItemsLayout()
    assert view.list.visualRect(view.list.cards.index(1)).height() == 2 * before


def test_ten_thousand_changed_lines_do_not_hold_up_the_window(qtbot: QtBot, view: DiffView) -> None:
    cards = compare([Record("source", "")], [Record("source", "\n".join(f"line {n}" for n in range(10_000)))])
    start = time.perf_counter()
    view.show_cards(cards)
    view.repaint()
    assert time.perf_counter() - start < 0.1
    assert view.list.cards.rowCount() == 10_001 > MANY_ROWS


def test_a_screen_reader_gets_words(view: DiffView) -> None:
    interface = QAccessible.queryAccessibleInterface(view.list)
    assert interface.text(QAccessible.Text.Name) == "Differences"
    assert view.bar.outputs.text() == "Outputs"


def test_outputs_are_safe_text_and_decoded_pictures() -> None:
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["\x1b[31mred\x1b[0m\n", "plain"]},
        {"output_type": "display_data", "data": {"image/png": png(), "text/plain": "<Figure>"}},
        {
            "output_type": "display_data",
            "data": {"text/html": "<p>Hi<script>alert(1)</script></p><td>1</td><td>2</td>"},
        },
        {"output_type": "display_data", "data": {"image/svg+xml": "<svg onload='x()'/>"}},
        {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["Traceback", "\x1b[1mline"]},
        {"output_type": "stream", "name": "stdout", "text": "x\n" * (MOST_OUTPUT_LINES + 5)},
    ]
    cards, found = content_cards(notebook(cell("a", "plot()", outputs=outputs, execution_count=3.0)))
    assert cards[0].count == 3
    notes = [row.note for row in found if row.kind == RowKind.OUTPUT]
    assert notes[:2] == ["red", "plain"]
    assert "Hi  1  2" in notes
    assert any(note.startswith("image/svg+xml") for note in notes)
    assert [note for note in notes if note in ("Traceback", "line")] == ["Traceback", "line"]
    assert notes[-1] == "… 5"
    pictures = [row.image for row in found if row.kind == RowKind.IMAGE]
    assert [(picture.width(), picture.height()) for picture in pictures] == [(8, 4)]
    assert found[-1].last


def test_what_is_no_picture_is_named() -> None:
    assert decode_image("!!! not base64") is None
    assert decode_image(base64.b64encode(b"text").decode()) is None
    whole = base64.b64decode(png(8, 4))
    assert not is_damaged_png(whole)
    assert not is_damaged_png(b"GIF89a")
    assert html_text("<style>p{}</style><h1>Title</h1><p>a<br>b</p>") == "Title\na\nb"


@pytest.mark.parametrize("harm", ["crc", "cut", "bare"])
def test_a_damaged_picture_is_a_note_and_nothing_on_the_error_stream(
    harm: str, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = base64.b64decode(png(8, 4))
    flipped = whole[:29] + bytes([whole[29] ^ 1]) + whole[30:]
    blob = {"crc": flipped, "cut": whole[:-20], "bare": whole[:8]}[harm]
    assert is_damaged_png(blob)
    outputs = [{"output_type": "display_data", "data": {"image/png": base64.b64encode(blob).decode()}}]
    _, shown = content_cards(notebook(cell("a", "x = 1", outputs=outputs)))
    assert shown[-1].kind == RowKind.OUTPUT
    assert shown[-1].note.startswith("image/png, ")
    assert shown[-1].note.endswith(", damaged")
    assert capfd.readouterr().err == ""


def test_a_change_far_down_is_brought_into_sight(qtbot: QtBot, view: DiffView) -> None:
    for count in (80, 1500):
        before = notebook(*(cell(str(n), f"a = {n}\nb = {n}") for n in range(count)))
        after = notebook(*(cell(str(n), f"a = {n}\nb = {n + (n == count - 20)}") for n in range(count)))
        view.show_cards(compare(before, after))
        view.bar.unchanged.setChecked(True)
        view.list.reveal_change()
        change = view.list.cards.first_change()
        assert change is not None
        seen = view.list.viewport().rect()
        assert all(seen.contains(view.list.visualRect(view.list.cards.index(row))) for row in change)


def test_content_shows_a_notebook_a_text_or_records(qtbot: QtBot) -> None:
    view = ContentView()
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    outputs = [{"output_type": "display_data", "data": {"image/png": png(2000, 1000)}}]
    view.show_content(content(3, notebook(cell("a", "x = 1", outputs=outputs))))
    assert view.list.isVisible()
    picture = view.list.cards.index(view.list.cards.rowCount() - 1)
    assert 100 < view.list.visualRect(picture).height() < 500
    assert not view.grab().isNull()
    view.show_content(content(3, [Record("source", "hello\n")]))
    assert view.text.isVisible()
    assert view.text.toPlainText() == "hello\n"
    view.show_content(content(3, [Record("shapes.box", {"x": 1})]))
    assert view.table.isVisible()
    assert view.records.index(0, 1).data() == '{"x": 1}'
    view.show_content(content(0, []))
    assert view._empty.isVisible()


def test_a_click_on_a_line_selects_it(qtbot: QtBot, view: DiffView) -> None:
    line = kinds(view).index("line")
    rect = view.list.visualRect(view.list.cards.index(line))
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center() + QPoint(0, 2))
    assert view.list.selected_text() == "line 37"


def test_cards_of_an_unknown_cell_kind_are_called_what_they_are() -> None:
    cards = compare(notebook(), notebook(cell("x", "text", "heading")))
    assert isinstance(cards[0], Card)
    model = CardModel()
    model.set_rows(cards, rows(cards, Options()))
    assert model.index(0).data() == "heading"
