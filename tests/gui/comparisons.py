"""What tests of comparisons share: two stores that differ, and a page that shows them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from windows import settle

from inspector.gui.compare_view import ComparePage
from inspector.gui.main_window import MainWindow

FIRST = {
    "people": {
        "1": {"name": "Ada", "age": 36, "tags": ["a", "b"]},
        "2": {"name": "Bob", "age": 7, "note": None},
        "3": {"name": "Cy", "zero": 0.0},
        "10": {"name": "Di"},
    },
    "old": {"1": {"x": 1}},
}
SECOND = {
    "people": {
        "1": {"name": "Ada", "age": 36.0, "tags": ["a", "c", "d"]},
        "2": {"name": "Bob", "age": 7, "note": None},
        "3": {"name": "Cy", "zero": -0.0},
        "11": {"name": "Eve"},
    },
}
FOUND = [
    ("changed", "1", ".age"),
    ("changed", "1", ".tags[1]"),
    ("changed", "1", ".tags[2]"),
    ("changed", "3", ".zero"),
    ("added", "11", ""),
    ("removed", "10", ""),
    ("removed", "1", ""),
]


def compared(qtbot: QtBot, window: MainWindow, first: Path, second: Path) -> ComparePage:
    """Show the comparison and return its page when everything is shown."""
    window.compare_files(first, second)
    page = window.current_page()
    assert isinstance(page, ComparePage)
    settle(qtbot, window)
    return page


def shown(page: ComparePage) -> list[tuple[str, str, str]]:
    rows = (page.model.row(place) for place in range(page.model.rowCount()))
    return [(row.kind, row.key, row.path) for row in rows if row is not None]


def text(page: ComparePage, row: int, column: int) -> str:
    return str(page.model.index(row, column).data())


def counts(page: ComparePage) -> list[list[str]]:
    model = page.counts.counts
    return [[str(model.index(row, column).data()) for column in range(5)] for row in range(model.rowCount())]


def clipboard() -> str:
    return QGuiApplication.clipboard().text()
