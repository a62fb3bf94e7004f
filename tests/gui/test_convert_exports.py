"""The convert sheet and the page of its outcome for formats of other programs: folders, the spreadsheet tick, undo."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from sheets import convert_sheet, nameless, planned, result
from windows import open_one, open_window, settle

from inspector.gui.controls import Button
from inspector.gui.convert_sheet import ConvertSheet
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.operations.open import open_store
from inspector.operations.targets import targets


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


@pytest.fixture
def folder(samples: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(samples, tmp_path / "stores"))


def press(button: Button) -> None:
    QApplication.processEvents()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def pick_only(sheet: ConvertSheet, *rows: int) -> None:
    model = sheet.collections
    for row in range(model.rowCount()):
        state = Qt.CheckState.Checked if row in rows else Qt.CheckState.Unchecked
        model.setData(model.index(row), state, Qt.ItemDataRole.CheckStateRole)


def test_every_format_that_is_written_is_offered_stores_first(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    labels = [sheet.format.itemText(row) for row in range(sheet.format.count())]
    assert labels[:4] == ["BetterJSON", "TinyDB JSON", "FileYStore file", "pycrdt ystore"]
    assert set(labels[4:]) == {"CSV", "Jupyter notebook", "JSON Lines", "SQLite", "Text"}
    assert all(not sheet.format.itemIcon(row).isNull() for row in range(sheet.format.count()))


@pytest.mark.parametrize("format", [target.label for target in targets() if target.is_export])
def test_each_is_planned_written_and_shown(qtbot: QtBot, window: MainWindow, folder: Path, format: str) -> None:
    source = folder / "notebook" / "notebook.ystore.db"
    open_one(qtbot, window, source)
    sheet = convert_sheet(qtbot, window, format)
    target = sheet.target()
    path = sheet.file.path()
    assert path is not None
    assert path.name == (f"notebook-{target.id}" if target.one_collection else f"notebook{target.suffixes[0]}")
    assert sheet.file.field.accessibleName() == ("Folder to write" if target.one_collection else "File to write")
    assert not sheet.go.isEnabled()
    sheet.plan.accept_losses.click()
    press(sheet.go)
    page = result(qtbot, window)
    assert page._outcome.verified
    assert path.is_dir() == target.one_collection
    assert page.result.isHidden() == target.one_collection
    assert nameless(page) == []
    settle(qtbot, window)


def test_a_folder_is_proposed_written_shown_and_undone(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window, "CSV")
    assert sheet.file.path() == folder / "shop-csv"
    assert sheet._place_label.text() == "Folder to write"
    pick_only(sheet, 2)
    assert sheet.file.path() == folder / "shop.csv"
    assert sheet._place_label.text() == "File to write"
    pick_only(sheet, 0, 1, 2)
    planned(qtbot, sheet)
    assert sheet.plan.sound.isVisible()
    press(sheet.go)
    page = result(qtbot, window)
    assert sorted(os.listdir(folder / "shop-csv")) == ["customers.csv", "orders.csv", "products.csv"]
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    press(page.folder)
    assert [Path(url.toLocalFile()) for url in opened] == [folder / "shop-csv"]
    press(page.undo)
    qtbot.waitUntil(page.undo.isHidden, timeout=10000)
    assert not (folder / "shop-csv").exists()
    assert page.notice.text().startswith("shop-csv is in the trash")


def test_a_folder_that_exists_is_replaced_only_when_told_and_put_back(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    mine = folder / "mine"
    mine.mkdir()
    (mine / "note.txt").write_text("mine")
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window, "CSV")
    sheet.file.set_path(mine)
    planned(qtbot, sheet)
    assert sheet.plan.exists.isVisible()
    assert sheet.plan.replace.text() == "Replace it; the present folder is kept beside it"
    assert not sheet.go.isEnabled()
    sheet.plan.replace.click()
    press(sheet.go)
    page = result(qtbot, window)
    assert os.listdir(folder / "mine.bak") == ["note.txt"]
    press(page.undo)
    qtbot.waitUntil(page.undo.isHidden, timeout=10000)
    assert os.listdir(mine) == ["note.txt"]


@pytest.mark.parametrize(("several", "place", "words"), [
    (True, "shop.db", "is a file; several tables or documents need a folder"),
    (False, "notebook", "is a folder; choose a file name"),
])  # fmt: skip
def test_a_place_of_the_wrong_kind_is_said_at_once(
    qtbot: QtBot, window: MainWindow, folder: Path, several: bool, place: str, words: str
) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window, "CSV")
    if not several:
        pick_only(sheet, 0)
    sheet.file.set_path(folder / place)
    planned(qtbot, sheet)
    assert words in sheet.plan.problem.text()
    assert not sheet.go.isEnabled()


def test_the_spreadsheet_tick_stands_where_a_csv_is_chosen_and_is_in_the_command(
    qtbot: QtBot, window: MainWindow, folder: Path, inspect: Callable[..., Any]
) -> None:
    open_one(qtbot, window, folder / "shop.json")
    sheet = convert_sheet(qtbot, window)
    assert not sheet.safe.isVisible()
    sheet.format.setCurrentText("CSV")
    assert sheet.safe.isVisible()
    sheet.safe.click()
    sheet.format.setCurrentText("JSON Lines")
    job = sheet.job()
    assert job is not None
    assert not job.spreadsheet_safe
    sheet.format.setCurrentText("CSV")
    pick_only(sheet, 0)
    sheet.safe.click()
    planned(qtbot, sheet)
    press(sheet.go)
    page = result(qtbot, window)
    words = shlex.split(page._outcome.command)
    assert "--spreadsheet-safe" in words
    target = page._outcome.target
    by_window = target.read_bytes()
    assert by_window.startswith(b"\xef\xbb\xbf$key,")
    target.unlink()
    assert inspect(*words[1:]).code == 0
    assert target.read_bytes() == by_window
    press(page.result)
    settle(qtbot, window)
    with open_store(target) as store:
        assert [entry.records for entry in store.collections] == [400]
    assert [opened.path.name for opened in window.stores] == ["shop.json", "shop.csv"]
