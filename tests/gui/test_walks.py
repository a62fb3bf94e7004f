"""What a person does, through the real window: find the lost cell of the sample notebook, compress in two clicks."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot
from windows import open_window, settle

from inspector.gui.diff_view import DiffView
from inspector.gui.history_view import HistoryPage
from inspector.gui.main_window import MainWindow
from inspector.gui.result_view import ResultPage
from inspector.gui.settings import Settings
from inspector.gui.sheet import Sheet
from inspector.gui.start_page import SampleCard
from inspector.operations.open import open_store
from inspector.progress import silent


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def button(parent: QWidget, text: str) -> QAbstractButton:
    """The one visible button whose text or name begins with *text*."""
    found = [
        b
        for b in parent.findChildren(QAbstractButton)
        if b.isVisible() and (b.text().replace("&", "").startswith(text) or b.accessibleName().startswith(text))
    ]
    assert len(found) == 1, [b.text() for b in found]
    return found[0]


def click(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def shown_texts(page: QWidget) -> str:
    """All that the diff shows, as its accessible texts say it."""
    diff = page.findChild(DiffView)
    assert diff is not None
    model = diff.findChild(QListView).model()
    return "\n".join(str(model.index(row, 0).data()) for row in range(model.rowCount()))


def test_a_person_finds_the_lost_cell_within_a_minute(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    started = time.monotonic()
    cards = [card for card in window.findChildren(SampleCard) if card.isVisible()]
    click(qtbot, next(card for card in cards if "notebook" in card.accessibleName().lower()))
    qtbot.waitUntil(lambda: isinstance(window.current_page(), HistoryPage), timeout=10_000)
    page = window.current_page()
    assert isinstance(page, HistoryPage)
    assert page.title == "analysis.ipynb"
    qtbot.waitUntil(lambda: page.settled, timeout=10_000)
    click(qtbot, button(page, "Largest deletion"))
    qtbot.waitUntil(lambda: page.settled and "discount model" in shown_texts(page), timeout=10_000)
    assert page.version == page.base + 1
    before = page.base
    page.go_to(before)
    qtbot.waitUntil(lambda: page.settled and page.version == before, timeout=10_000)

    target = tmp_path / "recovered.ipynb"
    click(qtbot, button(window, "Restore to a copy"))
    qtbot.waitUntil(lambda: window.findChild(QFileDialog) is not None, timeout=10_000)
    dialog = window.findChild(QFileDialog)
    dialog.findChild(QLineEdit).setText(str(target))
    dialog.accept()
    qtbot.waitUntil(target.exists, timeout=10_000)
    settle(qtbot, window)
    cells = json.loads(target.read_text(encoding="utf-8"))["cells"]
    assert any("the only copy of the discount model" in cell["source"] for cell in cells)
    assert time.monotonic() - started < 60


def test_a_person_compresses_a_store_in_two_clicks(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, samples: Path
) -> None:
    path = tmp_path / "shop.db"
    shutil.copy(samples / "shop.db", path)
    size = path.stat().st_size
    window.open_paths([path])
    qtbot.waitUntil(lambda: bool(window.stores), timeout=10_000)
    settle(qtbot, window)

    action = next(a for a in window.actions() + window.menu_bar().actions() if a.text().replace("&", "") == "Store")
    menu = action.menu()
    compress = next(a for a in menu.actions() if a.text().replace("&", "").startswith("Compress"))
    compress.trigger()  # the first click
    sheet = next(sheet for sheet in window.findChildren(Sheet) if sheet.isVisible())
    settle(qtbot, window)
    qtbot.waitUntil(lambda: sheet.go.isVisible() and sheet.go.isEnabled(), timeout=10_000)
    assert "→" in sheet.go.text()
    click(qtbot, sheet.go)  # the second
    qtbot.waitUntil(lambda: isinstance(window.current_page(), ResultPage), timeout=20_000)

    assert path.stat().st_size < size * 0.7
    assert path.with_name("shop.db.bak").stat().st_size == size
    with open_store(path) as store:
        assert sum(len(store.load(entry.name, silent)) for entry in store.collections) == 2020
    click(qtbot, button(window.current_page(), "Undo"))
    qtbot.waitUntil(lambda: path.stat().st_size == size, timeout=10_000)
    settle(qtbot, window)
