"""Files dropped on the window: counted and shown while they are held over it, handed on when they are let go."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.gui.theme import theme

_VEIL = 0.92
"""How much of the page the veil hides: its words must be read over any of it."""


class DropVeil(QWidget):
    """Covers *area* of a window while files are held over it, and says what letting go will do."""

    def __init__(self, area: QWidget) -> None:
        super().__init__(area)
        self._area = area
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        area.installEventFilter(self)

    def hold(self, count: int) -> None:
        """Show that *count* files are held over the window; 0 for none."""
        if count:
            self._text = self.tr("Drop to open %Ln file(s)", "", count)
            self.setAccessibleName(self._text)
            self.setGeometry(self._area.rect())
            self.raise_()
        self.setVisible(count > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._area.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        px, colours = theme().px, theme().color
        painter = QPainter(self)
        veil = colours("accentSoft")
        veil.setAlphaF(_VEIL)
        painter.fillRect(self.rect(), veil)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colours("accent"), 2))
        inset = px(8)
        painter.drawRoundedRect(self.rect().adjusted(inset, inset, -inset, -inset), px(12), px(12))
        painter.setFont(theme().font(22, 600))
        painter.setPen(colours("text"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)


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
