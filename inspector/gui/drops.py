"""Files dropped on the window: counted while they are held over it, handed on when they are let go."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class Drops(QObject):
    """Takes drops on *window*; what is no file of this computer is not taken."""

    held = Signal(int)
    """Number of files held over the window, 0 when they left."""
    dropped = Signal(list)
    """The paths that were let go."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent):
            paths = _paths(event.mimeData())
            event.setAccepted(bool(paths))
            self.held.emit(len(paths))
            return True
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            event.acceptProposedAction()
            self.held.emit(0)
            self.dropped.emit(_paths(event.mimeData()))
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.held.emit(0)
        return False


def _paths(mime: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
