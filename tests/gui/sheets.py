"""What tests of sheets share: waiting for what is measured, finding controls without a name."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.compress_sheet import CompressSheet
from inspector.gui.convert_sheet import ConvertSheet
from inspector.gui.main_window import MainWindow
from inspector.gui.result_view import ResultPage
from inspector.operations.advise import Candidate

CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)


def compress_sheet(qtbot: QtBot, window: MainWindow) -> CompressSheet:
    """Press Compress in the menu and return the sheet when it has measured."""
    menu(window, "Compress…").trigger()
    sheet = window.findChild(CompressSheet)
    assert isinstance(sheet, CompressSheet)
    qtbot.waitUntil(lambda: sheet.table.current >= 0, timeout=20000)
    return sheet


def convert_sheet(qtbot: QtBot, window: MainWindow, format: str | None = None) -> ConvertSheet:
    """Press Convert in the menu, choose *format* and return the sheet when it has a plan or a problem."""
    menu(window, "Convert…").trigger()
    sheet = window.findChild(ConvertSheet)
    assert isinstance(sheet, ConvertSheet)
    if format is not None:
        sheet.format.setCurrentText(format)
    planned(qtbot, sheet)
    return sheet


def planned(qtbot: QtBot, sheet: ConvertSheet) -> None:
    """Wait until the sheet has computed what its form asks for, or said why it cannot."""
    qtbot.waitUntil(lambda: not sheet.busy, timeout=20000)


def menu(window: MainWindow, text: str) -> QAction:
    """Return the entry of the window's menus that reads *text*."""
    return next(action for action in window.findChildren(QAction) if action.text().replace("&", "") == text)


def result(qtbot: QtBot, window: MainWindow) -> ResultPage:
    """Return the page of the outcome when it is shown."""
    qtbot.waitUntil(lambda: isinstance(window.current_page(), ResultPage), timeout=20000)
    page = window.current_page()
    assert isinstance(page, ResultPage)
    return page


def nameless(root: QWidget) -> list[str]:
    """Return the controls below *root* that are seen and that a screen reader has no name for."""
    found = []
    for widget in root.findChildren(QWidget):
        if isinstance(widget, CONTROLS) and widget.isVisible() and not isinstance(widget.parent(), QAbstractSpinBox):
            interface = QAccessible.queryAccessibleInterface(widget)
            if interface is None or not interface.text(QAccessible.Text.Name):
                found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def candidate(**changes: Any) -> Candidate:
    fields: dict[str, Any] = {
        "action": "compress", "codec": "zstd", "label": "zstd 3", "detail": "each update compressed",
        "estimate": 61_000_000, "low": 59_000_000, "high": 63_000_000, "encode_mb_s": 410.0, "decode_mb_s": 1150.0,
        "opens_in": ("Jupyter",), "recommended": True, "reason": "It is small.",
    }  # fmt: skip
    return Candidate(**(fields | changes))
