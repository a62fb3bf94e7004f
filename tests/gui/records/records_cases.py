"""What the tests of the records page share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.records_view import RecordsPage
from inspector.gui.shell import OpenStore

GOLDEN = Path(__file__).parent.parent.parent / "golden"
Key, Ctrl, Alt = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
Shift = Qt.KeyboardModifier.ShiftModifier
Make = Callable[[OpenStore, str], RecordsPage]


def focused(page: RecordsPage) -> QWidget:
    widget = page.window().focusWidget()
    assert widget is not None
    return widget


def settle(qtbot: QtBot, page: RecordsPage, trailing: str) -> None:
    qtbot.waitUntil(lambda: page.filter.field.accessibleDescription().startswith(trailing), timeout=20_000)
