"""A part of the window that scrolls only where it is too low for what is in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class TallArea(QScrollArea):
    """Gives *content* its own size; where that is less than the least height of the content, it scrolls.

    Qt's own way asks for the preferred height as soon as anything in the content wraps, and so scrolls too early.
    """

    def __init__(self, content: QWidget, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = content
        self._fitting = False
        self.setWidget(content)
        # Only after setWidget, which switches it on.
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        content.installEventFilter(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # All other keys belong to the page around this, whose arrows mean something else than scrolling.
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and self.verticalScrollBar().maximum():
            super().keyPressEvent(event)
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Size the content; a scroll bar that comes or goes meanwhile does not begin it anew."""
        if not self._fitting:
            self._fitting = True
            self._resize_content()
            self._fitting = False

    def _resize_content(self) -> None:
        content = self._content
        layout = content.layout()
        if layout is None:
            # A splitter, whose least size is its own.
            least = content.minimumSizeHint()
            content.resize(self.viewport().size().expandedTo(least))
            return
        width = max(self.viewport().width(), layout.totalMinimumSize().width())
        wraps = layout.hasHeightForWidth()
        height = layout.totalMinimumHeightForWidth(width) if wraps else layout.totalMinimumSize().height()
        content.resize(width, max(self.viewport().height(), height))
