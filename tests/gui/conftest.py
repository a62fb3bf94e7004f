"""Fixtures for the window's tests: without a display Qt draws into memory, and the theme is applied once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from inspector.gui.settings import Settings
from inspector.gui.tasks import TaskRunner
from inspector.gui.theme import Theme, theme


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let Qt's memory-only platform say what it does not do; every other warning of Qt fails a test."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="session", autouse=True)
def dressed(qapp: QApplication) -> Theme:
    """The application with our theme on it, light, without motion."""
    look = Theme(qapp)
    look.set_mode("light")
    look.set_reduced_motion(True)
    look.apply(qapp)
    return look


@pytest.fixture(autouse=True)
def look(dressed: Theme) -> Iterator[Theme]:
    """The theme, put back to light, scale 1, without motion after each test."""
    yield theme()
    dressed.set_reduced_motion(True)
    if dressed.mode != "light":
        dressed.set_mode("light")
    if dressed.text_scale != 1:
        dressed.set_text_scale(1)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings in a file of their own."""
    return Settings(tmp_path / "inspector.ini")


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[TaskRunner]:
    """A task runner that is shut down after the test."""
    tasks = TaskRunner()
    yield tasks
    tasks.shutdown()
