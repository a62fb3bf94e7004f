from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from history_desk import Desk, button, make_desk, open_pages, wait, write_course
from history_samples import ANA, LOST, notebook_session
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.controls import ErrorCard
from inspector.gui.diff_cards import RowKind
from inspector.gui.history_view import CONTENT, HISTORY, RAW, UPDATES, HistoryPage
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore
from inspector.gui.tasks import TaskRunner
from inspector.gui.theme import Theme
from inspector.gui.version_dialog import proposed_path
from inspector.gui.version_work import Target, hex_dump, write_version
from inspector.model import InspectorError
from inspector.operations.export import as_notebook, notebook_text
from inspector.operations.history import history
from inspector.operations.open import collection, open_store
from inspector.progress import silent


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_course(tmp_path_factory.mktemp("stores"))


@pytest.fixture
def desk(qtbot: QtBot, runner: TaskRunner, settings: Settings) -> Desk:
    return make_desk(qtbot, runner, settings)


@pytest.fixture
def opened(desk: Desk, qtbot: QtBot, course: Path) -> Iterator[Callable[..., HistoryPage]]:
    yield from open_pages(desk, qtbot, course)


def states(page: HistoryPage) -> list[str]:
    model = page.stage.diff.list.cards
    return [model.cards[row.card].state for row in model.rows if row.kind == RowKind.HEAD]


def lines(page: HistoryPage) -> list[str]:
    return [row.line.sign + row.line.text for row in page.stage.diff.list.cards.rows if row.line is not None]


def test_a_document_opens_at_its_last_version_against_the_last_session(opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    last = len(notebook_session().updates)
    assert page.version == last
    assert 0 < page.base < last
    assert page.title == "analysis.ipynb"
    assert page.subtitle == "course.ystore.db"
    assert page.views() == ["History", "Content", "Updates", "Raw"]
    assert page.status()[0][1].endswith("course.ystore.db")
    assert states(page) == ["changed"]
    assert "+df = df.dropna()" in lines(page)
    assert page.window().focusWidget() is page.stage.plot.flags


def test_a_person_finds_the_lost_cell_and_gets_it_back(
    qtbot: QtBot, opened: Callable[..., HistoryPage], desk: Desk, tmp_path: Path
) -> None:
    page = opened()
    button(page, "Largest deletion").click()
    wait(qtbot, page)
    assert states(page) == ["removed"]
    assert lines(page) == [f"-{line}" for line in LOST.splitlines()]
    assert page.base == page.version - 1
    lost_at = page.version
    assert "the most of all updates" in page.stage.notice.bar.text()
    page.stage.notice.restore.click()
    qtbot.waitUntil(lambda: desk.findChild(QFileDialog) is not None, timeout=5000)
    dialog = desk.findChild(QFileDialog)
    assert dialog is not None
    # Qt opens the desktop's own dialog for its own class only.
    assert dialog.metaObject().className() == "QFileDialog"
    assert type(dialog) is QFileDialog
    assert dialog.windowTitle() == f"Restore version {lost_at - 1}"
    target = tmp_path / "back.ipynb"
    name = dialog.findChild(QLineEdit)
    assert name is not None
    assert name.text() == f"analysis-version-{lost_at - 1}.ipynb"
    name.setText(str(target))
    dialog.accept()
    qtbot.waitUntil(lambda: bool(desk.toasts), timeout=5000)
    assert desk.toasts == [f"Wrote Version {lost_at - 1} to back.ipynb"]
    sources = [cell["source"] for cell in json.loads(target.read_text())["cells"]]
    assert LOST in sources


def test_the_restored_file_is_never_an_existing_one(
    qtbot: QtBot, opened: Callable[..., HistoryPage], desk: Desk, tmp_path: Path
) -> None:
    page = opened()
    target = tmp_path / "kept.ipynb"
    target.write_text("mine")
    page._actions.write(5, target, "notebook")
    qtbot.waitUntil(lambda: bool(desk.toasts), timeout=5000)
    assert desk.toasts[0] == f"{target} exists already; choose another name. Nothing was written."
    assert target.read_text() == "mine"


def test_every_version_is_reached_by_key_the_empty_and_the_last_too(
    qtbot: QtBot, opened: Callable[..., HistoryPage]
) -> None:
    page = opened()
    last = page.version
    flags = page.stage.plot.flags
    for key, modifier, expected in (
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 0),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, 11),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier, 1),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, last),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, last),
    ):
        QTest.keyClick(flags, key, modifier)
        assert page.version == expected
    QTest.keyClick(flags, Qt.Key.Key_Home)
    QTest.keyClick(flags, Qt.Key.Key_A)
    assert page.base == 0
    wait(qtbot, page)
    assert page.stage.diff._empty.isVisible()


def test_the_history_keys_work_from_the_list_and_alt_moves_between_cells(
    qtbot: QtBot, opened: Callable[..., HistoryPage]
) -> None:
    page = opened()
    cards = page.stage.diff.list
    cards.setFocus()
    QTest.keyClick(cards, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert cards.currentIndex().row() == cards.cards.heads()[0]
    before = page.version
    QTest.keyClick(cards, Qt.Key.Key_Left)
    assert page.version == before - 1
    QTest.keyClick(cards, Qt.Key.Key_Space)
    assert page.stage.transport.player.playing
    QTest.keyClick(cards, Qt.Key.Key_Space)
    assert not page.stage.transport.player.playing


def test_every_version_equals_a_plain_replay(qtbot: QtBot, opened: Callable[..., HistoryPage], course: Path) -> None:
    page = opened()
    with open_store(course) as store:
        plain = history(store, page.entry.name)
        for version in (0, 1, 40, 64, 96, page.version):
            page.go_to(version)
            wait(qtbot, page)
            assert page._shown is not None
            mine = [(r.key, r.value) for r in page._shown.after]
            assert mine == [(r.key, r.value) for r in plain.at(version, silent)]


def test_swapping_turns_the_comparison_round(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    base, version = page.base, page.version
    added, removed = page.stage.diff.bar.added.text(), page.stage.diff.bar.removed.text()
    button(page.stage.diff.bar, "Swap A and B").click()
    wait(qtbot, page)
    assert (page.base, page.version) == (version, base)
    assert page.stage.diff.bar.added.text()[1:] == removed[1:]
    assert page.stage.diff.bar.removed.text()[1:] == added[1:]


def test_playing_shows_versions_without_queueing(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    page.go_to(0)
    wait(qtbot, page)
    shown: list[int] = []
    page.stage.plot.flags.valueChanged.connect(shown.append)
    page.stage.transport.player.set_speed(16)
    page.stage.transport.toggle_play()
    qtbot.waitUntil(lambda: not page.stage.transport.player.playing, timeout=20_000)
    wait(qtbot, page)
    assert shown == sorted(shown)
    assert page.version == page.stage.plot.flags.maximum()
    assert page._shown is not None
    assert page._shown.version == page.version


def test_content_updates_and_raw_follow_the_version(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    page.show_view(CONTENT)
    wait(qtbot, page)
    model = page.stage.content.list.cards
    assert [row.note for row in model.rows if row.kind == RowKind.OUTPUT] == ["412 rows"]
    page.show_view(RAW)
    wait(qtbot, page)
    assert page.stage.raw.toPlainText().startswith("00000000  ")
    page.show_view(UPDATES)
    table = page.stage.updates
    assert table.currentIndex().row() == page.version - 1
    table.selectRow(94)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert page.version == 95
    assert page.stage.view == HISTORY
    wait(qtbot, page)
    assert states(page)


def test_the_updates_table_shows_every_update(opened: Callable[..., HistoryPage], qtbot: QtBot) -> None:
    page = opened()
    model = page.stage.updates.updates
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert model.rowCount() == page.version
    row = [model.index(95, column).data() for column in range(model.columnCount())]
    assert row[0] == "96"
    assert row[1] == "2026-03-10 10:01:32 UTC"
    assert row[2] == "Deletion"
    assert int(row[4]) > 50
    assert model.index(95, 8).data(int(Qt.ItemDataRole.AccessibleTextRole)) == "missing"
    assert model.index(0, 8).data() == str(ANA)
    model.set_updates(())
    del tester


def test_a_text_is_compared_by_lines_and_restored_as_text(
    qtbot: QtBot, opened: Callable[..., HistoryPage], course: Path, tmp_path: Path
) -> None:
    page = opened("notes.md")
    button(page, "Largest deletion").click()
    wait(qtbot, page)
    assert [line for line in lines(page) if line[0] != " "] == [
        "-line 2 of the notes", "-line 3 of the notes", "+line of the notes",
    ]  # fmt: skip
    with open_store(course) as store:
        found = history(store, page.entry.name)
        written = write_version(silent, found, 15, Target(tmp_path / "notes.md", "text", page.entry.name))
    assert written.read_text().endswith("line 39 of the notes\nThe last word.")
    assert proposed_path(course, page.entry, 15, "text").name == "notes-version-15.md"


def test_other_data_is_compared_by_path_and_written_as_records(
    qtbot: QtBot, opened: Callable[..., HistoryPage], tmp_path: Path
) -> None:
    page = opened(".shapes")
    page.set_base(2)
    wait(qtbot, page)
    assert lines(page) == ["-y: 2", "+y: 3"]
    page.show_view(CONTENT)
    wait(qtbot, page)
    assert page.stage.content.records.rowCount() == 2
    target = tmp_path / "shapes.jsonl"
    page._actions.write(3, target, "records")
    qtbot.waitUntil(target.exists, timeout=5000)
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert {row["key"]: row["value"] for row in rows} == {"shapes.ball": {"r": 7}, "shapes.box": {"x": 1, "y": 3}}


def test_the_panel_names_the_version_and_counts_authors(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    panel = page.inspector()
    assert panel is not None
    page.go_to(1)
    wait(qtbot, page)
    texts = [label.text() for label in panel.findChildren(QWidget) if hasattr(label, "text")]
    assert "Version 1" in texts
    assert f"client {ANA}" in texts
    assert "64" in texts
    assert "Stores hold client ids, not names." in texts
    button(panel, "Copy as text").click()
    assert QGuiApplication.clipboard().text().startswith("## Step 0")
    page.go_to(0)
    wait(qtbot, page)
    assert "Version 0" in [label.text() for label in panel.findChildren(QWidget) if hasattr(label, "text")]


def test_a_notebook_is_written_as_the_operation_makes_it(course: Path, tmp_path: Path) -> None:
    with open_store(course) as store:
        name = collection(store, "analysis.ipynb").name
        found = history(store, name)
        path = write_version(silent, found, 40, Target(tmp_path / "a.ipynb", "notebook", name))
        assert path.read_text() == notebook_text(as_notebook(found.at(40, silent)))
        with pytest.raises(InspectorError, match="no notebook"):
            write_version(silent, found, 0, Target(tmp_path / "b.ipynb", "notebook", name))
    assert not (tmp_path / "b.ipynb").exists()


def test_reloading_keeps_the_position(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    page.set_base(3)
    page.go_to(50)
    wait(qtbot, page)
    page.reload()
    page.go_to(51)
    wait(qtbot, page)
    assert (page.base, page.version) == (3, 51)


def test_a_page_may_be_closed_while_it_works(qtbot: QtBot, opened: Callable[..., HistoryPage], desk: Desk) -> None:
    page = opened()
    page.go_to(3)
    page._compute()
    page.reload()
    page.deleteLater()
    qtbot.waitUntil(lambda: not desk.runner.jobs, timeout=5000)
    qtbot.wait(100)
    assert not shiboken6.isValid(page)


def test_a_store_without_history_gets_an_error_card(
    qtbot: QtBot, desk: Desk, tmp_path: Path, opened: Callable[..., HistoryPage]
) -> None:
    path = tmp_path / "db.json"
    path.write_text('{"_default": {"1": {"a": 1}}}')
    store = OpenStore(path, open_store(path))
    page = HistoryPage(desk, store, store.store.collections[0])
    desk.row.addWidget(page)
    qtbot.waitUntil(lambda: bool(page.findChildren(ErrorCard)), timeout=5000)
    assert not page.ready
    assert page.views() == ()
    page.go_to(3)
    desk.runner.shutdown()
    store.store.close()


def test_a_failing_version_is_a_card_and_the_next_one_shows(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    page._failed(InspectorError("Row 3 is damaged."))
    assert page.stage.diff.findChildren(ErrorCard)
    page.go_to(page.version - 1)
    wait(qtbot, page)
    assert page.stage.diff.list.isVisible()


def test_everything_that_can_be_pressed_has_a_name(opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    panel = page.inspector()
    assert panel is not None
    for widget in (page, panel):
        for found in widget.findChildren(QAbstractButton):
            assert found.accessibleName() or found.text() or not found.isVisibleTo(widget)
    for view in (page.stage.diff.list, page.stage.updates, page.stage.raw, page.stage.plot.flags, page.stage.legend):
        assert view.accessibleName()


def test_the_page_follows_the_theme_and_fits_a_small_window(
    qtbot: QtBot, opened: Callable[..., HistoryPage], desk: Desk, look: Theme
) -> None:
    page = opened()
    light = page.grab().toImage()
    look.set_mode("dark")
    assert page.grab().toImage() != light
    look.set_mode("light")
    panel = page.inspector()
    assert panel is not None
    panel.hide()
    QApplication.processEvents()
    desk.resize(912, 600)
    QApplication.processEvents()
    assert page.width() <= 912
    assert page.stage.diff.list.height() > 100


def test_the_window_stays_alive_while_scrubbing(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    page.set_base(0)
    wait(qtbot, page)
    stalls: list[float] = []
    last = time.perf_counter()

    def beat() -> None:
        nonlocal last
        now = time.perf_counter()
        stalls.append(now - last)
        last = now

    timer = QTimer(interval=0)
    timer.timeout.connect(beat)
    timer.start()
    for version in range(0, page.stage.plot.flags.maximum(), 4):
        page.go_to(version)
        end = time.perf_counter() + 0.012
        while time.perf_counter() < end:
            QApplication.processEvents()
    wait(qtbot, page)
    timer.stop()
    assert max(stalls) < 0.1  # two shared cores also run other tests; alone it stays under 0.05


def test_a_hex_dump_shows_offset_bytes_and_signs() -> None:
    assert hex_dump(b"") == ""
    assert hex_dump(b"AB\x00") == "00000000  41 42 00" + " " * 40 + " AB·"
