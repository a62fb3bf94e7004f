"""The compress sheet over the real window: two clicks, row codecs, copies, refusals, keys, names."""

from __future__ import annotations

import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from sheets import candidate, compress_sheet, menu, nameless, result
from windows import open_one, open_window, settle

from inspector.gui.candidate_delegate import method_width
from inspector.gui.candidate_table import Column
from inspector.gui.candidate_text import reasons
from inspector.gui.compress_sheet import Attempt, CompressSheet
from inspector.gui.controls import Button
from inspector.gui.convert_sheet import ConvertSheet
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.theme import Theme
from inspector.operations.advise import Advice, advise, recommend
from inspector.operations.check import check
from inspector.operations.compress import CompressJob
from inspector.operations.open import open_store


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


@pytest.fixture
def folder(samples: Path, tmp_path: Path) -> Path:
    """Copies of the sample stores."""
    return Path(shutil.copytree(samples, tmp_path / "stores"))


@pytest.fixture
def shop(folder: Path) -> Path:
    return folder / "shop.db"


@pytest.fixture
def notebook(folder: Path) -> Path:
    return folder / "notebook" / "notebook.ystore.db"


def press(button: Button) -> None:
    # What was just shown gets its place when its layout is asked for.
    QApplication.processEvents()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def gone(sheet: CompressSheet) -> bool:
    return not shiboken6.isValid(sheet) or not sheet.isVisible()


def row_of(sheet: CompressSheet, codec: str) -> int:
    rows = range(sheet.model.rowCount())
    return next(row for row in rows if sheet.model.candidate(row).codec == codec)


def texts(path: Path) -> list[str]:
    with open_store(path) as store:
        names = [entry.name for entry in store.collections]
        return [record.text() for name in names for record in store.load(name, lambda done, total: None)]


def test_two_clicks_make_a_store_smaller_and_undo_puts_it_back(qtbot: QtBot, window: MainWindow, shop: Path) -> None:
    before, records = shop.read_bytes(), texts(shop)
    store = open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    press(sheet.go)
    page = result(qtbot, window)
    assert shop.stat().st_size < len(before)
    assert texts(shop) == records
    assert shop.with_name("shop.db.bak").read_bytes() == before
    settle(qtbot, window)
    assert store.store.info.size == shop.stat().st_size
    press(page.undo)
    qtbot.waitUntil(page.undo.isHidden, timeout=10000)
    assert shop.read_bytes() == before
    assert not shop.with_name("shop.db.bak").exists()
    settle(qtbot, window)


def test_the_button_carries_both_sizes_and_the_focus_is_on_the_candidates(
    qtbot: QtBot, window: MainWindow, shop: Path
) -> None:
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    assert sheet.go.text() == "Compress: 109 kB → 58 kB"
    assert QApplication.focusWidget() is sheet.table
    assert sheet.model.candidate(sheet.table.current).recommended
    assert sheet.space.text().endswith("free, 58 kB needed")


def test_enter_on_the_candidates_leads_to_the_button_starts_nothing_and_escape_leaves(
    qtbot: QtBot, window: MainWindow, shop: Path
) -> None:
    before = shop.read_bytes()
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    QTest.keyClick(sheet.table, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert sheet.isVisible()
    assert QApplication.focusWidget() is sheet.go
    QTest.keyClick(sheet.go, Qt.Key.Key_Escape)
    assert gone(sheet)
    assert shop.read_bytes() == before


def test_arrows_move_the_choice_and_tab_leaves_the_table(qtbot: QtBot, window: MainWindow, shop: Path) -> None:
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    start = sheet.table.current
    QTest.keyClick(sheet.table, Qt.Key.Key_Down)
    assert sheet.table.current == start + 1
    assert sheet.go.text() == "Compress: 109 kB → 59 kB"
    QTest.keyClick(sheet.table, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is sheet.target.in_place


def test_a_radio_button_is_always_set(qtbot: QtBot, window: MainWindow, shop: Path) -> None:
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    place = sheet.table.visualRect(sheet.model.index(0, Column.CHANGE)).center()
    control = Qt.KeyboardModifier.ControlModifier
    QTest.mouseClick(sheet.table.viewport(), Qt.MouseButton.LeftButton, control, place)
    assert [index.row() for index in sheet.table.selectionModel().selectedRows()] == [0]


def test_leave_as_it_is_writes_nothing(qtbot: QtBot, window: MainWindow, shop: Path) -> None:
    before = shop.read_bytes()
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    sheet.table.choose(sheet.model.rowCount() - 1)
    assert sheet.go.text() == "Leave as it is"
    assert sheet.target.isHidden()
    assert not sheet.command.isEnabled()
    press(sheet.go)
    assert gone(sheet)
    settle(qtbot, window)
    assert shop.read_bytes() == before


def test_for_a_ystore_the_first_choice_is_what_unchanged_jupyter_opens(
    qtbot: QtBot, window: MainWindow, notebook: Path
) -> None:
    with closing(sqlite3.connect(notebook, isolation_level=None)) as connection:
        # Pages that nothing uses any more, as a store without auto_vacuum has them.
        connection.executescript("""
            pragma auto_vacuum = 0; vacuum; create table gone(content);
            insert into gone values (zeroblob(400000)); drop table gone;
        """)
    before, records = notebook.stat().st_size, texts(notebook)
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    chosen = sheet.candidate()
    assert chosen is not None
    assert (chosen.action, chosen.codec, chosen.auto, chosen.recommended) == ("rewrite", "none", True, True)
    assert "unchanged Jupyter" in sheet.opens.label.text()
    assert sheet.configuration.isHidden()
    press(sheet.go)
    result(qtbot, window)
    settle(qtbot, window)
    assert notebook.stat().st_size < before / 2
    assert texts(notebook) == records
    with open_store(notebook) as store:
        assert [finding for finding in check(store) if finding.severity == "error"] == []


def test_a_ystore_that_gains_nothing_is_left_as_it_is(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    before = notebook.read_bytes()
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    assert sheet.go.text() == "Leave as it is"
    press(sheet.go)
    settle(qtbot, window)
    assert notebook.read_bytes() == before


def test_row_codecs_in_place_wait_until_the_server_is_ready(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    sheet.table.choose(row_of(sheet, "zstd"))
    assert sheet.configuration.isVisible()
    assert not sheet.go.isEnabled()
    sheet.configuration.ready.click()
    assert sheet.go.isEnabled()
    sheet.table.choose(row_of(sheet, "zlib"))
    assert not sheet.go.isEnabled()
    press(sheet.configuration.copy)
    assert QGuiApplication.clipboard().text() == sheet.configuration.text.toPlainText()
    assert sheet.go.isEnabled()
    sheet.table.choose(row_of(sheet, "brotli"))
    sheet.target.copy.click()
    assert sheet.go.isEnabled()


def test_the_copied_configuration_is_a_program_that_reads_the_written_store(
    qtbot: QtBot, window: MainWindow, notebook: Path, inspect: Callable[..., Any]
) -> None:
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    sheet.table.choose(row_of(sheet, "zstd"))
    press(sheet.configuration.copy)
    text = QGuiApplication.clipboard().text()
    press(sheet.go)
    result(qtbot, window)
    assert inspect("info", notebook, "--json").json["codec"] == "zstd"
    assert text == inspect("jupyter-config", notebook).out.removesuffix("\n") + "\n"
    compile(text, "jupyter_server_config.py", "exec")


def test_a_copy_leaves_the_store_and_says_when_the_name_is_taken(
    qtbot: QtBot, window: MainWindow, shop: Path, folder: Path
) -> None:
    before = shop.read_bytes()
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    sheet.target.copy.click()
    assert sheet.target.file.path() == folder / "shop-compressed.db"
    sheet.target.file.set_path(folder / "shop.json")
    assert sheet.target.note.text() == f"{folder / 'shop.json'} exists. Choose another name."
    assert not sheet.go.isEnabled()
    sheet.target.file.set_path(folder / "small.db")
    press(sheet.go)
    page = result(qtbot, window)
    assert shop.read_bytes() == before
    assert texts(folder / "small.db") == texts(shop)
    press(page.undo)
    qtbot.waitUntil(page.undo.isHidden, timeout=10000)
    assert not (folder / "small.db").exists()


def test_the_copied_command_does_the_same(
    qtbot: QtBot, window: MainWindow, shop: Path, folder: Path, inspect: Callable[..., Any]
) -> None:
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    sheet.target.copy.click()
    sheet.target.file.set_path(folder / "a.db")
    press(sheet.command)
    words = shlex.split(QGuiApplication.clipboard().text())
    press(sheet.go)
    page = result(qtbot, window)
    assert words == shlex.split(page._outcome.command)
    (folder / "a.db").rename(folder / "by-window.db")
    done = inspect(*words[1:], "--json")
    assert done.code == 0
    assert (folder / "a.db").read_bytes() == (folder / "by-window.db").read_bytes()
    mine = page._outcome.to_json()
    assert {key: value for key, value in done.json.items() if key != "seconds"} == {
        key: value for key, value in mine.items() if key != "seconds"
    }


def test_a_format_without_codec_says_so_and_offers_to_convert(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    menu(window, "Compress…").trigger()
    sheet = window.findChild(CompressSheet)
    assert isinstance(sheet, CompressSheet)
    qtbot.waitUntil(sheet.convert.isVisible, timeout=10000)
    assert "has no codec" in sheet.refusal._cause.text()
    assert QApplication.focusWidget() is sheet.convert
    assert not sheet.go.isVisible()
    press(sheet.convert)
    assert gone(sheet)
    other = window.findChild(ConvertSheet)
    assert isinstance(other, ConvertSheet)
    assert other.target().label == "BetterJSON"
    other.cancel()


def test_a_store_that_another_program_has_open_can_only_be_copied(
    qtbot: QtBot, window: MainWindow, notebook: Path
) -> None:
    open_one(qtbot, window, notebook)
    code = "import sys, time; file = open(sys.argv[1], 'rb'); print('open', flush=True); time.sleep(60)"
    other = subprocess.Popen([sys.executable, "-c", code, str(notebook)], stdout=subprocess.PIPE)
    try:
        assert other.stdout is not None
        other.stdout.readline()
        sheet = compress_sheet(qtbot, window)
    finally:
        other.kill()
        other.communicate()
    assert f"({other.pid})" in sheet.hindrance.text()
    assert not sheet.target.in_place.isEnabled()
    assert sheet.target.copy.isChecked()
    assert sheet.go.isEnabled()


def test_an_attempt_that_does_not_work_says_why_and_changes_nothing(
    qtbot: QtBot, window: MainWindow, shop: Path
) -> None:
    open_one(qtbot, window, shop)
    sheet = compress_sheet(qtbot, window)
    shop.write_bytes(b"other bytes that came meanwhile")
    press(sheet.go)
    qtbot.waitUntil(window._toast.isVisible, timeout=10000)
    settle(qtbot, window)
    assert window._toast._label.text() == "shop.db was not compressed; it is as it was"
    press(window._toast._action)
    again = next(found for found in window.findChildren(CompressSheet) if found is not sheet)
    assert str(shop) in again.problem.text()
    assert again.problem.isVisible()
    assert shop.read_bytes() == b"other bytes that came meanwhile"
    again.cancel()


def test_another_goal_measures_nothing_anew(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    settle(qtbot, window)
    assert sheet._measured is not None
    sizes = [found.estimate for found in sheet._measured.advice.candidates]
    sheet.goal.set_current(1)
    assert not window.runner.jobs
    assert sheet.go.isEnabled()
    assert [found.estimate for found in sheet._measured.advice.candidates] == sizes
    assert sheet.model.candidate(sheet.table.current).recommended


def test_another_goal_recommends_out_of_the_same_candidates() -> None:
    small = candidate(codec="a", label="small", estimate=10, decode_mb_s=1.0, auto=True, recommended=False)
    fast = candidate(codec="b", label="fast", estimate=50, decode_mb_s=9.0, auto=True)
    leave = candidate(action="leave", codec="none", estimate=100, auto=True, recommended=False)
    advice = Advice((small, fast, leave), 1, 1.0, 1, 1, 100)
    smallest = recommend(advice, "smallest")
    assert smallest.recommended.label == "small"
    assert smallest.recommended.reason.startswith("small saves 90 % of the file")
    assert recommend(smallest, "fastest").recommended.label == "fast"


def test_what_was_chosen_is_there_again_after_an_attempt_that_did_not_work(
    qtbot: QtBot, window: MainWindow, notebook: Path
) -> None:
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    sheet.goal.set_current(2)
    sheet.table.choose(row_of(sheet, "zlib"))
    sheet.target.copy.click()
    sheet.target.file.set_path(notebook.with_name("mine.ystore.db"))
    notebook.write_bytes(b"other bytes that came meanwhile")
    press(sheet.go)
    qtbot.waitUntil(window._toast.isVisible, timeout=10000)
    assert window._toast._tone == "error"
    press(window._toast._action)
    again = next(found for found in window.findChildren(CompressSheet) if found is not sheet)
    assert again._again is not None
    assert (again._again.job.codec, again._again.spec, again.goal.current) == ("zlib", "zlib", 2)
    again.cancel()
    settle(qtbot, window)


def test_a_sheet_that_is_shown_again_has_the_choice_of_before(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    store = open_one(qtbot, window, notebook)
    target = notebook.with_name("mine.ystore.db")
    attempt = Attempt(CompressJob(notebook, target, codec="zlib"), "zlib", 1, True, "It did not work.")
    sheet = CompressSheet(window, store, again=attempt)
    sheet.open()
    qtbot.waitUntil(lambda: sheet.table.current >= 0, timeout=20000)
    assert sheet.job() == attempt.job
    assert sheet.goal.current == 1
    assert sheet.configuration.ready.isChecked()
    assert sheet.problem.text() == "It did not work."
    sheet.cancel()


def test_every_method_has_a_name_of_its_own_with_its_effort(
    qtbot: QtBot, window: MainWindow, shop: Path, notebook: Path
) -> None:
    for path in (shop, notebook):
        with open_store(path) as store:
            found = advise(store).candidates
        labels = [each.label for each in found]
        assert len(set(labels)) == len(labels)
        assert all(label.split()[-1].isdigit() for label in labels[:-1] if label != "Rewrite plain")
        assert "codec=" not in found[-1].detail


def test_nothing_is_said_to_be_smaller_than_leaving() -> None:
    leave = candidate(action="leave", codec="none", label="Leave as it is", estimate=100_000, reason="Leave it.")
    lzma = candidate(label="lzma 6", estimate=33_000, recommended=False)
    texts = reasons(Advice((lzma, leave), 1, 1.0, 1, 1, 100_000), leave)
    assert texts == ("Leave it.", "lzma 6 would make the file 67 kB smaller.")


def test_a_file_that_would_grow_is_marked_and_speeds_give_way_to_names(
    qtbot: QtBot, window: MainWindow, notebook: Path, look: Theme
) -> None:
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    assert sheet.model.headerData(Column.CHANGE, Qt.Orientation.Horizontal) == "Change"
    window.resize(1440, 900)
    assert not sheet.table.isColumnHidden(Column.READ)
    window.resize(960, 600)
    look.set_text_scale(2)
    QApplication.processEvents()
    assert sheet.table.isColumnHidden(Column.READ)
    assert sheet.table.mapTo(sheet._panel, sheet.table.rect().topRight()).x() <= sheet._panel.width()
    assert sheet.table.horizontalHeader().length() <= sheet.table.viewport().width()
    needed = max(method_width(sheet.model.row(row), badge=False) for row in range(sheet.model.rowCount()))
    assert sheet.table.columnWidth(Column.METHOD) >= needed
    sheet.table.choose(row_of(sheet, "zstd"))
    text = sheet.configuration.text
    assert text.viewport().height() >= 3 * text.fontMetrics().lineSpacing()


def test_closing_stops_the_measuring(qtbot: QtBot, window: MainWindow, notebook: Path) -> None:
    open_one(qtbot, window, notebook)
    menu(window, "Compress…").trigger()
    sheet = window.findChild(CompressSheet)
    assert isinstance(sheet, CompressSheet)
    (job,) = window.runner.jobs
    sheet.cancel()
    settle(qtbot, window)
    assert job.cancelling
    assert gone(sheet)


def test_everything_has_a_name_and_nothing_is_cut_off(
    qtbot: QtBot, window: MainWindow, notebook: Path, look: Theme
) -> None:
    open_one(qtbot, window, notebook)
    sheet = compress_sheet(qtbot, window)
    sheet.table.choose(row_of(sheet, "zstd"))
    assert nameless(sheet) == []
    for width, height, scale in ((1440, 900, 1), (1000, 700, 1), (1440, 900, 2)):
        window.resize(width, height)
        look.set_text_scale(scale)
        QApplication.processEvents()
        for button in (sheet.go, sheet.stop, sheet.command, sheet.configuration.copy):
            assert button.width() >= button.sizeHint().width(), (button.text(), width, scale)
        rows, rest = divmod(sheet.table.viewport().height(), sheet.table.rowHeight(0))
        assert rows >= 3
        assert rest <= 2
        assert sheet.table.viewport().rect().contains(sheet.table.visualRect(sheet.table.currentIndex()))
