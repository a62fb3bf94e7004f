"""A small real shell for the tests of the records page, and stores made in the test's own folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from inspector.gui.controls import NoticeTone
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore
from inspector.gui.tasks import TaskRunner
from inspector.model import CollectionInfo
from inspector.operations.open import open_store
from inspector.operations.outcome import Outcome


class Window(QWidget):
    """Stands where the main window stands, and remembers which stores it was asked to show as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[OpenStore] = []

    def show_store(self, store: OpenStore) -> None:
        self.shown.append(store)


class SmallShell:
    """Runs tasks and the clipboard for real, and remembers what the window was asked for."""

    def __init__(self, runner: TaskRunner, settings: Settings) -> None:
        self.runner = runner
        self.settings = settings
        self.stores: list[OpenStore] = []
        self.toasts: list[str] = []
        self.copied: list[tuple[str, str]] = []
        self.converted: list[tuple[OpenStore, Sequence[str]]] = []
        self.widget = Window()

    def open_paths(self, paths: Sequence[Path]) -> None:
        raise NotImplementedError

    def open_collection(self, store: OpenStore, entry: CollectionInfo) -> None:
        raise NotImplementedError

    def compress(self, store: OpenStore) -> None:
        raise NotImplementedError

    def convert(self, store: OpenStore, entries: Sequence[str] = ()) -> None:
        self.converted.append((store, entries))

    def benchmark(self, store: OpenStore | None = None) -> None:
        raise NotImplementedError

    def show_outcome(self, outcome: Outcome, source: OpenStore | None) -> None:
        raise NotImplementedError

    def reload_store(self, store: OpenStore) -> None:
        raise NotImplementedError

    def toast(
        self, text: str, action: str = "", callback: Callable[[], None] | None = None, *, tone: NoticeTone = "ok"
    ) -> None:
        self.toasts.append(text)

    def copy(self, text: str, what: str) -> None:
        self.copied.append((text, what))
        QGuiApplication.clipboard().setText(text)

    def window_widget(self) -> QWidget:
        return self.widget


TRAPS = (
    '{"bigint": 123456789012345678901234567890, "nan": NaN, "zero": -0.0, "huge": 1e400, "lone": "\\ud800x", '
    '"nul": "a\\u0000b", "spelled": 1.50, "two": 1, "two": 2, "null": null, "empty": "", '
    '"lines": "first\\nsecond\\tand", "list": [1, 2.0, "x"], "object": {"a": {"b": [10, 20]}}}'
)


def people(count: int) -> str:
    """Return a TinyDB text with *count* people; some fields are null, missing or empty."""
    cities = ["Rome", "Oslo", "Lima", "Köln"]
    documents = []
    for n in range(1, count + 1):
        person: dict[str, object] = {"name": f"Person {n}", "age": 18 + n % 70, "city": cities[n % 4]}
        if n % 3:
            person["email"] = None if n % 5 == 0 else f"person{n}@example.org"
        person["note"] = "" if n % 2 else "Prefers an invoice on paper, sent to the second address"
        person["account"] = 2**53 + n
        person["active"] = n % 2 == 0
        person["address"] = {"street": f"Via {n}", "geo": {"lat": 41.9 + n / 1e4, "lon": 12.5}}
        person["tags"] = ["a"] * (n % 4)
        documents.append(f'"{n}": {json.dumps(person)}')
    return '{"people": {' + ", ".join(documents) + '}, "empty": {}}'


def opened(path: Path, text: str | None = None) -> OpenStore:
    """Return the store in *path*, written with *text* first."""
    if text is not None:
        path.write_text(text, encoding="utf-8")
    return OpenStore(path, open_store(path))
