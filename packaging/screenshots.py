"""Takes pictures of every screen of the real window, light and dark, at 1440x900 and 1000x700 unless told otherwise.

Usage: screenshots.py SAMPLES OUT [options], with SAMPLES a copy of resources/samples that may be written to.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.application import dress, make_application
from inspector.gui.benchmark_view import BenchmarkPage
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.sheet import Sheet
from inspector.gui.shell import OpenStore
from inspector.operations.benchmark import BenchJob
from inspector.operations.convert import Job, convert

SIZES = ((1440, 900), (1000, 700))
MODES = ("light", "dark")
PATIENCE = 60_000
"""Milliseconds that a screen may take to settle."""


def wait(condition: Callable[[], bool], what: str) -> None:
    """Run the event loop until *condition* holds. Stops the program if it does not within a minute."""
    clock = QElapsedTimer()
    clock.start()
    while not condition():
        if clock.elapsed() > PATIENCE:
            sys.exit(f"{what} did not happen within {PATIENCE // 1000} s")
        rest(20)


def rest(milliseconds: int) -> None:
    """Run the event loop for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Tour:
    """Walks the window through its screens and takes a picture of each."""

    def __init__(self, window: MainWindow, wanted: argparse.Namespace, scratch: Path) -> None:
        self.window = window
        self.samples: Path = wanted.samples.resolve()
        self.out: Path = wanted.out.resolve()
        self.sizes: list[tuple[int, int]] = wanted.size or list(SIZES)
        self.only: list[str] = wanted.only
        self.scratch = scratch
        self.mode = ""
        self.failures: list[str] = []
        window.store_failed.connect(lambda path, message: self.failures.append(f"{path}: {message}"))

    def idle(self) -> None:
        """Wait until nothing runs, then for what appears a moment later."""
        rest(350)
        wait(lambda: not self.window.runner.jobs, "The end of all jobs")
        rest(350)

    def take(self, name: str) -> None:
        """Save the window as it is, in each size."""
        if self.only and name not in self.only:
            return
        for width, height in self.sizes:
            self.window.resize(width, height)
            self.idle()
            picture = self.window.grab()
            path = self.out / f"{name}-{self.mode}-{width}x{height}.png"
            if not picture.save(str(path)):
                sys.exit(f"{path} cannot be written")

    def open(self, name: str) -> OpenStore:
        """Open a sample and wait for it."""
        path = self.samples / name
        self.window.open_paths([path])
        wait(lambda: any(store.path == path for store in self.window.stores) or bool(self.failures), f"Opening {path}")
        if self.failures:
            sys.exit(self.failures[0])
        self.idle()
        return next(store for store in self.window.stores if store.path == path)

    def show(self, store: OpenStore, label: str) -> None:
        """Show one collection of a store."""
        entry = next(entry for entry in store.store.collections if entry.label == label)
        self.window.open_collection(store, entry)
        self.idle()

    def close_sheets(self) -> None:
        """Cancel whatever sheet is open."""
        for sheet in self.window.findChildren(Sheet):
            sheet.cancel()
        self.idle()

    def walk(self, mode: str) -> None:
        """Take all pictures in one theme."""
        self.mode = mode
        self.window.set_theme(mode)
        self.take("start-page")
        shop, notebook = self.open("shop.json"), self.open("notebook/notebook.ystore.db")
        better = self.open("shop.db")
        self.show(shop, "customers")
        self.take_views("records", ("records", "tree", "raw"))
        self.window.toggle_inspector()
        self.take("inspector")
        self.window.toggle_inspector()
        self.show(notebook, "analysis.ipynb")
        self.take_views("history", ("history", "content", "updates", "raw"))
        self.window.show_store(notebook)
        self.take("store")
        self.take_sheets(shop, notebook, better)
        self.convert_and_show(shop)
        self.take("convert-done")
        self.compare(shop)
        self.take("compare")
        self.window.compare_files(shop.path, better.path)
        self.take("compare-identical")
        self.window.benchmark(shop)
        self.measure(BenchJob((shop.path,), min_time=0.02))
        self.take("benchmark")
        self.window.open_paths([self.samples / "samples.json"])
        wait(lambda: bool(self.failures), "The refusal of a file that is no store")
        self.failures.clear()
        self.take("error")
        self.close_all()

    def take_views(self, page: str, names: Sequence[str]) -> None:
        """Take the views of the page that is shown, the first one under the name of the page."""
        for number, name in enumerate(names):
            self.window.show_view(number)
            self.take(page if name == page else f"{page}-{name}")
        self.window.show_view(0)

    def take_sheets(self, shop: OpenStore, notebook: OpenStore, better: OpenStore) -> None:
        """Take what lies over the window."""
        opened: Sequence[tuple[str, Callable[[], None]]] = (
            ("compress-ystore", lambda: self.window.compress(notebook)),
            ("compress", lambda: self.window.compress(better)),
            ("convert", lambda: self.window.convert(shop)),
            ("shortcuts", self.window.show_shortcuts),
            ("about", self.window.show_about),
        )
        for name, call in opened:
            call()
            self.take(name)
            self.close_sheets()
        self.window.go_to()
        self.take("goto")
        focused = self.window.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Escape)

    def convert_and_show(self, store: OpenStore) -> None:
        """Convert a store and show what came of it."""
        target = self.scratch / f"shop-{self.mode}.bjson"
        self.window.show_outcome(convert(Job(store.path, target, "betterjson")), store)
        self.idle()

    def compare(self, store: OpenStore) -> None:
        """Compare a store with a copy of it in which some records differ."""
        tables = json.loads(store.path.read_bytes())
        customers = tables["customers"]
        for key in ("4", "11", "18"):
            customers[key]["age"] += 0.5
            customers[key]["address"]["zip"] = int(customers[key]["address"]["zip"])
        del customers["25"]
        customers["401"] = {"name": "Ada Lovelace", "city": "London", "tags": ["analyst", 1815, None]}
        edited = self.scratch / "shop-migrated.json"
        edited.write_text(json.dumps(tables), encoding="utf-8")
        self.window.compare_files(store.path, edited)
        self.idle()

    def measure(self, job: BenchJob) -> None:
        """Run a short benchmark in the page that is shown, and wait for it."""
        page = self.window.current_page()
        assert isinstance(page, BenchmarkPage)
        page.run(job)
        rest(500)
        self.idle()

    def close_all(self) -> None:
        """Close every store and tab, for the next theme."""
        for _ in range(20):
            self.window.close_tab()
        for store in tuple(self.window.stores):
            self.window.close_store(store)
        self.idle()


def size(text: str) -> tuple[int, int]:
    """Return ``1440x900`` as numbers. Raises ValueError for anything else."""
    width, height = text.split("x")
    return int(width), int(height)


def arguments() -> argparse.Namespace:
    """Return what was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", type=size, action="append", help="WIDTHxHEIGHT in window pixels; may be repeated")
    parser.add_argument("--mode", choices=MODES, action="append", help="one theme; may be repeated")
    parser.add_argument("--text", type=float, default=1.0, help="factor on all text, 0.8 to 2")
    parser.add_argument("--contrast", action="store_true", help="in high contrast")
    parser.add_argument("--only", action="append", default=[], help="one screen by its name; may be repeated")
    return parser.parse_args()


def main(wanted: argparse.Namespace) -> None:
    """Take all pictures."""
    app = make_application(["inspector"])
    wanted.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="inspector-demo-") as folder:
        settings = Settings(Path(folder) / "settings.ini")
        settings.text_scale = wanted.text
        settings.high_contrast = wanted.contrast
        dress(app, settings)
        window = MainWindow(settings)
        window.show()
        tour = Tour(window, wanted, Path(folder))
        for mode in wanted.mode or MODES:
            tour.walk(mode)
        window.close()
    visible: list[QWidget] = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    print(f"{len(list(wanted.out.glob('*.png')))} screenshots in {wanted.out}; windows left open: {len(visible)}")


if __name__ == "__main__":
    main(arguments())
