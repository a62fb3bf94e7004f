"""The table of records: a virtual model over a cache, its columns, its cells and its header."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot
from records_shell import TRAPS, opened, people

from inspector.gui.cell_delegate import CellDelegate
from inspector.gui.cells import CELL_ROLE, HITS_ROLE, Cell, State
from inspector.gui.record_columns import MOST_COLUMNS, Survey, survey
from inspector.gui.record_model import Marks, RecordTableModel
from inspector.gui.record_rows import KEPT_ROWS, LARGE, MOST_BYTES, MOST_ROWS, RowCache
from inspector.gui.record_table import RecordTableView
from inspector.gui.tasks import TaskRunner
from inspector.gui.theme import Theme, theme
from inspector.model import Record
from inspector.progress import silent


class Virtual(Sequence[Record]):
    """Any number of records, made when asked for; it counts how often."""

    def __init__(self, count: int) -> None:
        self.length = count
        self.asked: set[int] = set()

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Record]: ...
    def __getitem__(self, at: int | slice) -> Record | Sequence[Record]:
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(self.length))]
        if not 0 <= at < self.length:
            raise IndexError(at)
        self.asked.add(at)
        return Record(str(at + 1), raw=f'{{"number": {at * 10**15}, "name": "Name {at}"}}'.encode())

    def __iter__(self) -> Iterator[Record]:
        return (self[n] for n in range(self.length))


def shown(qtbot: QtBot, runner: TaskRunner, records: Sequence[Record]) -> tuple[RecordTableView, RecordTableModel]:
    cache = RowCache(runner)
    cache.set_records(records)
    model = RecordTableModel(cache)
    model.set_survey(survey(silent, records, 200))
    model.set_rows(range(len(records)))
    view = RecordTableView(cache)
    qtbot.addWidget(view)
    cache.setParent(view)
    model.setParent(view)
    view.set_model(model)
    view.fit_columns()
    view.resize(800, 500)
    with qtbot.waitExposed(view):
        view.show()
    return view, model


def load(path: Path, text: str, table: str) -> Sequence[Record]:
    return opened(path, text).store.load(table, silent)


def cell(model: RecordTableModel, row: int, name: str) -> Cell:
    section = next(n for n, column in enumerate(model.columns) if model.title(column) == name)
    found = model.index(row, section).data(CELL_ROLE)
    assert isinstance(found, Cell)
    return found


def test_the_model_keeps_qts_rules(qtbot: QtBot, runner: TaskRunner, tmp_path: Path) -> None:
    records = load(tmp_path / "db.json", people(50), "people")
    cache = RowCache(runner)
    model = RecordTableModel(cache)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    cache.set_records(records)
    model.set_survey(survey(silent, records, 3))
    model.set_rows(range(50))
    with qtbot.waitSignal(cache.arrived):
        assert cell(model, 0, "name").state == State.LOADING
    model.set_rows([3, 1, 49])
    cache.read_now([3, 1, 49])
    assert cell(model, 2, "name").text == "Person 50"
    model.set_survey(survey(silent, records, 50))
    model.set_marks(Marks(("person",)))
    assert tester.model() is model


def test_more_records_bring_more_columns_and_keep_the_known_where_they_are(runner: TaskRunner) -> None:
    records = [Record("1", raw=b'{"a": 1}'), Record("2", raw=b'{"b": "x", "a": null}')]
    model = RecordTableModel(RowCache(runner))
    model.set_survey(survey(silent, records, 1))
    assert [model.title(column) for column in model.columns] == ["id", "a"]
    model.set_survey(survey(silent, records, 2))
    assert [model.title(column) for column in model.columns] == ["id", "a", "b"]
    assert [model.presence(column) for column in model.columns] == ["", "", "50 %"]
    tip = model.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleDescriptionRole)
    assert tip == "b: str 1, in 50 % of all 2 records"


def test_presence_says_what_it_was_measured_on(runner: TaskRunner) -> None:
    records = [Record(str(n), raw=b'{"a": 1}' if n else b'{"a": 1, "rare": 2}') for n in range(1000)]
    model = RecordTableModel(RowCache(runner))
    model.set_survey(survey(silent, records, 300))
    about = [model.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleDescriptionRole) for n in (1, 2)]
    assert about[0] == "a: int 300, in 100 % of the first 300 of 1,000 records"
    assert about[1] == "rare: int 1, in < 1 % of the first 300 of 1,000 records"


def test_values_that_are_no_objects_have_a_column_of_their_own(runner: TaskRunner) -> None:
    records = [Record("meta.nbformat", 4), Record("source", "text"), Record("cells[0]", {"id": "x"})]
    found = survey(silent, records, 10)
    assert [(column.kind, column.name) for column in found.columns] == [("key", ""), ("value", "")]
    records += [Record("cells[1]", {"id": "y"})] * 2
    found = survey(silent, records, 10)
    assert [(column.kind, column.name) for column in found.columns] == [("key", ""), ("value", ""), ("member", "id")]


def test_keys_that_are_data_do_not_become_thousands_of_columns() -> None:
    records = [Record(str(n), {f"key{n}": 1}) for n in range(MOST_COLUMNS + 50)]
    found = survey(silent, records, len(records))
    assert len(found.columns) == MOST_COLUMNS + 1
    assert found.left_out == 50


def test_a_million_rows_open_at_once_and_only_what_is_on_screen_is_read(qtbot: QtBot, runner: TaskRunner) -> None:
    records = Virtual(1_000_000)
    started = time.perf_counter()
    view, model = shown(qtbot, runner, records)
    assert time.perf_counter() - started < 1
    assert model.rowCount() == 1_000_000
    assert records.asked <= set(range(200))
    view.verticalScrollBar().setValue(500_000)
    qtbot.waitUntil(lambda: 500_000 in records.asked)
    view.grab()
    height = view.viewport().height() // view.rowHeight(0) + 2
    assert records.asked <= {*range(200), *range(499_999, 500_000 + height + 1)}
    assert cell(model, 500_000, "number").text == str(500_000 * 10**15)


def test_rows_beyond_two_to_the_31_pixels_are_left_out_and_counted(runner: TaskRunner) -> None:
    model = RecordTableModel(RowCache(runner), row_height=28)
    model.set_survey(Survey((), 0, 0))
    model.set_rows(range(100_000_000))
    assert model.rowCount() * 28 < 2**31 <= (model.rowCount() + 1) * 28
    assert model.left_out == 100_000_000 - model.rowCount()


def test_trap_values_are_shown_exactly(qtbot: QtBot, runner: TaskRunner, tmp_path: Path) -> None:
    records = load(tmp_path / "db.json", '{"t": {"1": ' + TRAPS + "}}", "t")
    _, model = shown(qtbot, runner, records)
    texts = {model.title(column): cell(model, 0, model.title(column)).display for column in model.columns}
    assert texts["bigint"] == "123456789012345678901234567890"
    assert texts["nan"] == "NaN"
    assert texts["zero"] == "−0.0"
    assert texts["huge"] == "1e400"
    assert texts["nul"] == "a␀b"
    assert texts["lines"] == "first⏎second␉and"
    assert (texts["list"], texts["object"]) == ("[3]", "{1}")
    assert texts["two"] == "2"
    repeated = next(n for n, column in enumerate(model.columns) if column.name == "two")
    assert "more than once" in model.index(0, repeated).data(Qt.ItemDataRole.ToolTipRole)


def test_null_missing_and_empty_are_three_things(qtbot: QtBot, runner: TaskRunner) -> None:
    records = [Record("1", {"v": None, "w": 1}), Record("2", {"w": 1}), Record("3", {"v": "", "w": 1})]
    view, model = shown(qtbot, runner, records)
    section = next(n for n, column in enumerate(model.columns) if column.name == "v")
    said = [model.index(row, section).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert said == ["null", "missing", "empty text"]
    view.clearSelection()
    view.setCurrentIndex(model.index(0, 0))
    view.clearSelection()
    pictures: list[QImage] = []
    for row in range(3):
        pictures.append(view.viewport().grab(view.visualRect(model.index(row, section))).toImage())
    assert pictures[0] != pictures[1]
    assert pictures[1] != pictures[2]
    assert pictures[0] != pictures[2]


def test_a_record_that_cannot_be_parsed_is_a_row_that_says_so(qtbot: QtBot, runner: TaskRunner) -> None:
    records = [Record("1", raw=b'{"a": 1}'), Record("2", raw=b'{"a": }'), Record("3", raw=b'{"a": 3}')]
    _, model = shown(qtbot, runner, records)
    assert cell(model, 1, "a").state == State.BROKEN
    assert "record 2" in cell(model, 1, "a").text
    assert cell(model, 2, "a").text == "3"


def test_search_hits_are_marked_where_they_stand(qtbot: QtBot, runner: TaskRunner) -> None:
    _, model = shown(qtbot, runner, [Record("1", {"city": "Via dei Coronari", "name": "Corona"})])
    model.set_marks(Marks(("coro",), frozenset(("city",))))
    assert model.index(0, 1).data(HITS_ROLE) == [(8, 4)]
    assert model.index(0, 2).data(HITS_ROLE) == []


def test_integers_are_never_shortened(qtbot: QtBot, runner: TaskRunner) -> None:
    records = [Record(str(n), {"n": n}) for n in range(300)]
    records.append(Record("300", {"n": 10**60}))
    view, _ = shown(qtbot, runner, records)
    before = view.columnWidth(1)
    view.go_to(300)
    needed = QFontMetrics(theme().font(13)).horizontalAdvance(str(10**60))
    qtbot.waitUntil(lambda: view.columnWidth(1) >= needed)
    assert before < needed


def test_the_cache_is_bounded_by_rows_and_bytes(runner: TaskRunner) -> None:
    cache = RowCache(runner)
    cache.set_records(Virtual(10_000))
    for number in range(10_000):
        cache.read_now([number])
    assert cache.peek(9_999) is not None
    assert sum(cache.peek(number) is not None for number in range(10_000)) == MOST_ROWS
    heavy = [Record(str(n), raw=b'"' + b"x" * (LARGE - 2) + b'"') for n in range(2 * MOST_BYTES // LARGE)]
    cache.set_records(heavy)
    for number in range(len(heavy)):
        cache.read_now([number])
    kept = [number for number in range(len(heavy)) if cache.peek(number) is not None]
    assert KEPT_ROWS <= len(kept) <= max(MOST_BYTES // LARGE, KEPT_ROWS)


def test_a_large_record_is_parsed_beside_the_window(qtbot: QtBot, runner: TaskRunner) -> None:
    raw = b'{"text": "' + b"x" * (LARGE * 4) + b'"}'
    view, model = shown(qtbot, runner, [Record("1", raw=raw), Record("2", raw=b'{"text": "short"}')])
    qtbot.waitUntil(lambda: cell(model, 0, "text").state == State.TEXT)
    assert cell(model, 0, "text").display.endswith("kB")
    assert cell(model, 1, "text").text == "short"
    assert view.rows_in_view() == range(2)


def test_ids_are_never_shortened(qtbot: QtBot, runner: TaskRunner) -> None:
    records = [Record(str(n), {"n": n}) for n in range(1, 300)] + [Record("9" * 60, {"n": 1})]
    view, _ = shown(qtbot, runner, records)
    needed = QFontMetrics(theme().font(13)).horizontalAdvance("9" * 60)
    assert view.columnWidth(0) < needed
    view.go_to(299)
    qtbot.waitUntil(lambda: view.columnWidth(0) >= needed)


def test_columns_follow_the_text_size_and_chosen_widths_stay_in_proportion(
    qtbot: QtBot, runner: TaskRunner, look: Theme
) -> None:
    records = [Record(str(n), {"name": f"Person {n}", "note": "words", "yes": True}) for n in range(50)]
    view, model = shown(qtbot, runner, records)
    qtbot.waitUntil(lambda: not view.measuring)
    view.setColumnWidth(2, 100)
    look.set_text_scale(2.0)
    qtbot.waitUntil(lambda: not view.measuring)
    assert view.columnWidth(2) == 200
    for section in (0, 1, 3):
        assert view.columnWidth(section) >= view.header.width_of(section)
        shown_cell = model.cell(49, section)
        assert shown_cell is not None
        delegate = view.itemDelegate()
        assert isinstance(delegate, CellDelegate)
        assert view.columnWidth(section) >= delegate.width_of(shown_cell)


def test_the_first_two_hundred_rows_are_measured_after_the_first_paint(qtbot: QtBot, runner: TaskRunner) -> None:
    records = [Record(str(n), {"t": "wide enough to see" if n == 150 else "x"}) for n in range(400)]
    view, _ = shown(qtbot, runner, records)
    needed = QFontMetrics(theme().font(13)).horizontalAdvance("wide enough to see")
    qtbot.waitUntil(lambda: view.columnWidth(1) >= needed)
