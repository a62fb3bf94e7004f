"""Faults of our own: kept in a file on this computer, shown calmly, never sent anywhere."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal

from inspector.gui.version_text import version_text

if TYPE_CHECKING:
    from inspector.gui.window_sheets import FaultSheet

_MOST_FILES = 20


def faults_folder() -> Path:
    """Return the folder in which reports are kept."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(place) / "faults"


def keep(report: str, folder: Path) -> Path | None:
    """Write *report* to a file of its own in *folder* and return it; None if that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in sorted(folder.glob("fault-*.txt"))[: -_MOST_FILES + 1]:
            old.unlink()
        path = folder / f"fault-{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 1000000:06d}.txt"
        path.write_text(report, encoding="utf-8")
    except OSError:
        return None
    return path


class Faults(QObject):
    """Takes what nobody caught, from any thread; the first one is shown, all are kept.

    One sheet at a time: a fault that repeats must not bury the window.
    """

    _arrived = Signal(str)

    def __init__(self, window: QObject, folder: Path) -> None:
        super().__init__(window)
        self._folder = folder
        self._sheet: FaultSheet | None = None
        self._arrived.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take what arrives at the hooks of the interpreter from now on."""
        sys.excepthook = self.take
        threading.excepthook = lambda args: self.take(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )

    def take(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Print, keep and show one fault."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        print(text, file=sys.stderr, end="")
        self._arrived.emit(f"{version_text()}\n\n{text}")

    def _show(self, report: str) -> None:
        kept = keep(report, self._folder)
        if self._sheet is not None:
            return
        from inspector.gui.window_sheets import FaultSheet

        self._sheet = FaultSheet(self.parent(), report, str(kept) if kept else "")  # type: ignore[arg-type]
        self._sheet.closed.connect(self._closed)
        self._sheet.open()

    def _closed(self) -> None:
        self._sheet = None
