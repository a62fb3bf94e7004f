"""The screens of the real window one after another, on the samples that come with the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytestqt.qtbot import QtBot
from windows import open_one, settle

from inspector.gui.history_view import HistoryPage
from inspector.gui.main_window import MainWindow
from inspector.gui.sheet import Sheet
from inspector.gui.shell import OpenStore
from inspector.operations.convert import Job, convert
from inspector.resources import resource

SAMPLES = resource("samples")


def rest(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing runs and what was put off is done."""
    settle(qtbot, window)
    qtbot.wait(80)
    settle(qtbot, window)
    qtbot.wait(60)


def show_collection(qtbot: QtBot, window: MainWindow, store: OpenStore, label: str) -> None:
    """Show one collection of a store, all of it there."""
    window.open_collection(store, next(entry for entry in store.store.collections if entry.label == label))
    rest(qtbot, window)
    page = window.current_page()
    if isinstance(page, HistoryPage):
        qtbot.waitUntil(lambda: page.settled, timeout=20000)
        rest(qtbot, window)


def close_sheets(qtbot: QtBot, window: MainWindow) -> None:
    """Cancel whatever sheet is open."""
    for sheet in window.findChildren(Sheet):
        sheet.cancel()
    rest(qtbot, window)


def walk(qtbot: QtBot, window: MainWindow, folder: Path) -> Iterator[str]:
    """Show one screen after another and yield the name of each; what is written goes into *folder*."""
    yield "start"
    shop = open_one(qtbot, window, SAMPLES / "shop.json")
    show_collection(qtbot, window, shop, "customers")
    for name in ("records", "tree", "raw"):
        window.show_view(("records", "tree", "raw").index(name))
        rest(qtbot, window)
        yield name
    window._docks.show_right()
    rest(qtbot, window)
    yield "records with the inspector"
    notebook = open_one(qtbot, window, SAMPLES / "notebook" / "notebook.ystore.db")
    show_collection(qtbot, window, notebook, "analysis.ipynb")
    for number, name in enumerate(("history", "content", "updates", "stored bytes")):
        window.show_view(number)
        rest(qtbot, window)
        yield name
    window.show_store(notebook)
    rest(qtbot, window)
    yield "store"
    yield from _sheets(qtbot, window, shop, notebook)
    window.show_outcome(convert(Job(shop.path, folder / "shop.bjson", "betterjson")), shop)
    rest(qtbot, window)
    yield "result"
    changed = folder / "changed.json"
    changed.write_text(
        (SAMPLES / "shop.json").read_text(encoding="utf-8").replace("Trieste", "Udine"), encoding="utf-8"
    )
    window.compare_files(shop.path, changed)
    rest(qtbot, window)
    yield "comparison"
    window.benchmark(shop)
    rest(qtbot, window)
    yield "benchmark"
    with qtbot.waitSignal(window.store_failed, timeout=10000):
        window.open_paths([SAMPLES / "samples.json"])
    rest(qtbot, window)
    yield "refusal"


def _sheets(qtbot: QtBot, window: MainWindow, shop: OpenStore, notebook: OpenStore) -> Iterator[str]:
    calls = {
        "compress": lambda: window.compress(shop),
        "compress a ystore": lambda: window.compress(notebook),
        "convert": lambda: window.convert(shop),
        "shortcuts": window.show_shortcuts,
        "about": window.show_about,
    }
    for name, call in calls.items():
        call()
        rest(qtbot, window)
        yield name
        close_sheets(qtbot, window)
