"""The page of an outcome: sizes, checks, losses with their places, undo, the report."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot
from sheets import nameless, result
from windows import open_one, open_window, settle

from inspector.gui.controls import Button
from inspector.gui.main_window import MainWindow
from inspector.gui.result_parts import PlacesModel
from inspector.gui.result_view import ResultPage
from inspector.gui.settings import Settings
from inspector.gui.theme import Theme
from inspector.model import Loss
from inspector.operations.compress import CompressJob, compress
from inspector.operations.convert import Job, convert


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


@pytest.fixture
def folder(samples: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(samples, tmp_path / "stores"))


def press(button: Button) -> None:
    QApplication.processEvents()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def words(page: ResultPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


@pytest.fixture
def converted(qtbot: QtBot, window: MainWindow, folder: Path) -> ResultPage:
    """The page after shop.json became a BetterJSON file."""
    store = open_one(qtbot, window, folder / "shop.json")
    outcome = convert(Job(store.path, folder / "out.db", "betterjson"))
    window.show_outcome(outcome, store)
    return result(qtbot, window)


@pytest.fixture
def lossy(qtbot: QtBot, window: MainWindow, folder: Path) -> ResultPage:
    """The page after the notebook became tables without their history."""
    store = open_one(qtbot, window, folder / "notebook" / "notebook.ystore.db")
    outcome = convert(Job(store.path, folder / "out.json", "tinydb", accept_losses=True))
    window.show_outcome(outcome, store)
    return result(qtbot, window)


def test_it_shows_sizes_checks_and_the_command(window: MainWindow, converted: ResultPage) -> None:
    shown = words(converted)
    assert {"Converted and verified", "408 kB", "2 of 2 passed", "Losses: none", "2,020"} <= set(shown)
    assert converted.before.bar.share == 1
    assert converted.after.bar.share == pytest.approx(converted._outcome.bytes_after / 408_240, abs=0.001)
    assert converted.after.note.text().endswith("× smaller")
    assert converted._outcome.command in shown
    assert (converted.title, converted.subtitle) == ("Conversion", "out.db")
    assert "out.db" in converted.status()[0][1]


def test_its_command_is_copied_whole(window: MainWindow, converted: ResultPage) -> None:
    press(converted.copy_command)
    assert QGuiApplication.clipboard().text() == converted._outcome.command


def test_undo_of_a_new_file_moves_it_to_the_trash(qtbot: QtBot, window: MainWindow, converted: ResultPage) -> None:
    press(converted.undo)
    qtbot.waitUntil(converted.undo.isHidden, timeout=10000)
    assert not converted._outcome.target.exists()
    assert converted.title == "Conversion undone"
    assert "in the trash" in converted.notice.text()
    assert not converted.result.isEnabled()
    assert converted._outcome.source.exists()


def test_undo_of_a_changed_file_is_refused_with_the_reason(
    qtbot: QtBot, window: MainWindow, converted: ResultPage
) -> None:
    converted._outcome.target.write_bytes(b"edited by hand")
    press(converted.undo)
    qtbot.waitUntil(converted.notice.isVisible, timeout=10000)
    assert "was changed since Inspector wrote it" in converted.notice.text()
    assert converted._outcome.target.read_bytes() == b"edited by hand"
    assert converted.title == "Conversion"


def test_undo_in_place_puts_the_store_back(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    shop = folder / "shop.db"
    before = shop.read_bytes()
    store = open_one(qtbot, window, shop)
    window.show_outcome(compress(CompressJob(shop, None)), store)
    page = result(qtbot, window)
    settle(qtbot, window)
    assert page.title == "Compression"
    assert "Compressed and verified" in words(page)
    assert any(text.endswith("shop.db.bak") for text in words(page))
    assert "The original is kept as shop.db.bak" in words(page)
    press(page.undo)
    qtbot.waitUntil(page.undo.isHidden, timeout=10000)
    assert shop.read_bytes() == before
    assert page.strip.isHidden()
    assert page.result.isEnabled()
    assert not any("passed" in text or "smaller" in text for text in words(page))
    assert [text for _, text in page.status()][1:] == ["Compression undone"]
    settle(qtbot, window)
    assert store.store.info.size == len(before)
    assert not window._workspace._changed


def test_the_focus_is_on_the_result_and_not_on_undo(qtbot: QtBot, window: MainWindow, converted: ResultPage) -> None:
    qtbot.waitUntil(lambda: QApplication.focusWidget() is converted.result, timeout=2000)


@pytest.mark.parametrize("size", [(960, 600), (1440, 900)])
def test_a_toast_covers_no_button(qtbot: QtBot, window: MainWindow, lossy: ResultPage, size: tuple[int, int]) -> None:
    window.resize(*size)
    QApplication.processEvents()
    window.toast("Converted to out.json: 1.1 MB → 58 kB")
    QApplication.processEvents()
    toast = window._toast.geometry()
    assert window.rect().contains(toast)
    for button in (lossy.show_records, lossy.copy_command, lossy.save_report, lossy.undo):
        seen = button.visibleRegion().boundingRect().translated(button.mapTo(window, QPoint(0, 0)))
        assert not toast.intersects(seen), button.text()


def test_losses_are_listed_and_their_records_shown(qtbot: QtBot, window: MainWindow, lossy: ResultPage) -> None:
    assert {"Not carried over", "Versions before the newest: 666"} <= set(words(lossy))
    press(lossy.show_records)
    assert lossy.places.isVisible()
    assert lossy.places.model().index(0, 0).data() == "analysis.ipynb · Versions before the newest"
    lossy.places.setCurrentIndex(lossy.places.model().index(1, 0))
    QTest.keyClick(lossy.places, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert window.current_page().title == "notes.md"
    window._workspace.show_page(lossy)
    press(lossy.show_records)
    assert lossy.places.isHidden() or not lossy.places.isVisible()


def test_the_report_is_what_the_command_line_prints(
    window: MainWindow, lossy: ResultPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    press(lossy.save_report)
    assert json.loads(target.read_text()) == lossy._outcome.to_json()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "report.json"), ""))
    press(lossy.save_report)
    assert "cannot be written" in lossy.notice.text()


def test_the_folder_is_shown(window: MainWindow, converted: ResultPage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", asked.append)
    press(converted.folder)
    assert [url.toLocalFile() for url in asked] == [str(converted._outcome.target.parent)]


def test_an_outcome_without_its_store_is_shown_too(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    window.show_outcome(convert(Job(folder / "shop.json", folder / "x.db", "betterjson")), None)
    page = result(qtbot, window)
    assert page.before.kind.text() == ""
    assert page.source() is None


def test_everything_has_a_name_and_nothing_is_cut_off(window: MainWindow, lossy: ResultPage, look: Theme) -> None:
    press(lossy.show_records)
    assert nameless(lossy) == []
    for width, height, scale in ((1440, 900, 1), (1000, 700, 1), (1440, 900, 2)):
        window.resize(width, height)
        look.set_text_scale(scale)
        QApplication.processEvents()
        for button in (lossy.undo, lossy.folder, lossy.result, lossy.copy_command):
            assert button.width() >= button.sizeHint().width(), (button.text(), width, scale)


def test_the_model_of_places_keeps_qts_rules() -> None:
    model = PlacesModel([Loss("depth", 2, ("a/1", "a/2")), Loss("history", 5, ("b",))], {"a": "first", "b": "second"})
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert [model.index(row, 0).data() for row in range(3)] == [
        "first/1 · Records nested too deep",
        "first/2 · Records nested too deep",
        "second · Versions before the newest",
    ]
    assert [model.place(row) for row in range(3)] == ["a/1", "a/2", "b"]
    assert tester.model() is model
