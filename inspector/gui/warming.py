"""Rooms that are imported while the window rests, so that the first page of each kind opens without a pause.

An import on the window's thread holds it for 50 to 200 ms; on another thread Python gives way every millisecond. Each
step waits until no job runs: nothing that the user waits for is slowed down.
"""

from __future__ import annotations

import gc
import importlib
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer

from inspector.gui.tasks import TaskRunner
from inspector.progress import Progress

ROOMS: tuple[tuple[str, ...], ...] = (
    ("inspector.gui.records_view",),
    ("numpy",),
    ("pyqtgraph",),
    ("inspector.gui.history_view", "inspector.gui.history_stage"),
    ("pycrdt",),
    ("blosc2",),
    ("inspector.gui.compress_sheet", "inspector.gui.convert_sheet", "inspector.gui.result_view"),
    ("inspector.gui.benchmark_view", "inspector.gui.compare_view"),
)
"""What is imported, a step at a time: what is likely to be wanted first comes first."""

REST = 150
"""Milliseconds between two steps."""


def load(progress: Progress, modules: Sequence[str]) -> None:
    """Import *modules*; one that is missing here is left to whoever wants it, who says what to install."""
    for done, name in enumerate(modules):
        progress(done, len(modules))
        try:
            importlib.import_module(name)
        except ImportError:
            continue


class Warming(QObject):
    """Goes through `ROOMS` once, from `start` on; *runner* runs the imports and its closing ends them."""

    def __init__(self, runner: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._left = list(ROOMS)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST)
        self._timer.timeout.connect(self._step)

    @property
    def done(self) -> bool:
        """True when all rooms were imported."""
        return not self._left and not self._timer.isActive()

    def start(self) -> None:
        """Begin; called when the window has been painted."""
        self._timer.start()

    def _step(self) -> None:
        if self._runner.jobs:
            self._timer.start()
            return
        # Modules and widgets live as long as the program: the collector need not look through them again and again,
        # which takes it 20 to 100 ms each time.
        gc.freeze()
        if not self._left:
            return
        task = self._runner.run(load, self._left.pop(0))
        task.finished.connect(self._timer.start)
