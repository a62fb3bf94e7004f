"""A records page on small stores, in a window of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from records_cases import Make
from records_shell import SmallShell, opened, people

from inspector.gui.records_view import RecordsPage
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore
from inspector.gui.tasks import TaskRunner


@pytest.fixture
def shell(runner: TaskRunner, settings: Settings) -> SmallShell:
    return SmallShell(runner, settings)


@pytest.fixture
def make(qtbot: QtBot, shell: SmallShell) -> Iterator[Make]:
    kept: list[QWidget] = []  # qtbot itself holds a window only weakly
    stores: list[OpenStore] = []

    def made(store: OpenStore, label: str) -> RecordsPage:
        entry = next(entry for entry in store.store.collections if entry.label == label)
        page = RecordsPage(shell, store, entry)
        window = QWidget()
        layout = QHBoxLayout(window)
        layout.addWidget(page, 1)
        layout.addWidget(page.panel)
        page.panel.setFixedWidth(304)
        qtbot.addWidget(window)
        kept.append(window)
        stores.append(store)
        window.resize(1200, 700)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(lambda: not page.session.busy, timeout=20_000)
        return page

    yield made
    for store in stores:
        shell.runner.release(store.key)
        store.store.close()


@pytest.fixture
def page(make: Make, tmp_path: Path) -> RecordsPage:
    return make(opened(tmp_path / "shop.json", people(1000)), "people")
