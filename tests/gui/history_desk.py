"""A window that stands for ours around a page of the history, and the store that the page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from history_samples import data_session, notebook_session, text_session, write_store
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.history_view import HistoryPage
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.tasks import TaskRunner
from inspector.model import CollectionInfo
from inspector.operations.open import collection, open_store
from inspector.operations.outcome import Outcome


class Desk(QWidget):
    """A window that is a shell: a page in the middle, its panel at the right."""

    def __init__(self, runner: TaskRunner, settings: Settings) -> None:
        super().__init__()
        self.runner, self.settings = runner, settings
        self.stores: Sequence[OpenStore] = ()
        self.toasts: list[str] = []
        self.opened: list[tuple[OpenStore, CollectionInfo]] = []
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)

    def open_paths(self, paths: Sequence[Path]) -> None:
        self.toasts.append(f"open {paths}")

    def open_collection(self, store: OpenStore, entry: CollectionInfo) -> None:
        self.opened.append((store, entry))

    def compress(self, store: OpenStore) -> None:
        self.toasts.append("compress")

    def convert(self, store: OpenStore, entries: Sequence[str] = ()) -> None:
        self.toasts.append("convert")

    def benchmark(self, store: OpenStore | None = None) -> None:
        self.toasts.append("benchmark")

    def show_outcome(self, outcome: Outcome, source: OpenStore | None) -> None:
        self.toasts.append("outcome")

    def toast(self, text: str, action: str = "", callback: Callable[[], None] | None = None) -> None:
        self.toasts.append(text)

    def copy(self, text: str, what: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.toasts.append(what)

    def window_widget(self) -> QWidget:
        return self


def write_course(folder: Path) -> Path:
    """Write a store with a notebook, a text and other data into *folder*."""
    sessions = {
        "notebook:analysis.ipynb.y": notebook_session(),
        "file:notes.md.y": text_session(),
        "shapes": data_session(),
    }
    return write_store(folder / "course.ystore.db", **sessions)


def make_desk(qtbot: QtBot, runner: TaskRunner, settings: Settings) -> Desk:
    """Return a desk that is shown."""
    made = Desk(runner, settings)
    qtbot.addWidget(made)
    made.resize(1176, 790)
    made.show()
    return made


def open_pages(desk: Desk, qtbot: QtBot, course: Path) -> Iterator[Callable[..., HistoryPage]]:
    """Yield what opens a document of a store in a page and waits until it is shown."""
    stores = []

    def show(name: str = "analysis.ipynb", path: Path = course) -> HistoryPage:
        store = OpenStore(path, open_store(path))
        stores.append(store)
        shell: Shell = desk
        page = HistoryPage(shell, store, collection(store.store, name))
        desk.row.addWidget(page, 1)
        panel = page.inspector()
        assert panel is not None
        panel.setFixedWidth(304)
        desk.row.addWidget(panel)
        panel.show()
        wait(qtbot, page)
        return page

    yield show
    desk.runner.shutdown()
    for store in stores:
        store.store.close()


def wait(qtbot: QtBot, page: HistoryPage) -> None:
    qtbot.waitUntil(lambda: page.settled, timeout=10_000)


def activate(qtbot: QtBot, page: HistoryPage) -> None:
    """Give the page's window the focus, which Qt reports for the active window only."""
    page.window().activateWindow()
    qtbot.waitUntil(page.isActiveWindow, timeout=5000)


def button(widget: QWidget, text: str) -> QAbstractButton:
    found = [b for b in widget.findChildren(QAbstractButton) if text in (b.text(), b.accessibleName())]
    assert found, text
    return found[0]
