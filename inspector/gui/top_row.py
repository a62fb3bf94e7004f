"""The top row: logo, menus, the field that goes to anything, Open…, and two switches."""

from __future__ import annotations

import sys

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QSizePolicy, QWidget

from inspector.gui.controls import Button, IconButton, SearchField
from inspector.gui.icons import LOGO, pixmap
from inspector.gui.theme import theme

HEIGHT = 46


class _Logo(QWidget):
    """The program's own picture."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(24), theme().px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawPixmap(0, 0, pixmap(LOGO, size=24, ratio=self.devicePixelRatioF()))


class TopRow(QWidget):
    """The row above everything; the window connects its parts."""

    def __init__(self) -> None:
        super().__init__()
        self.menus = QMenuBar()
        self.menus.setNativeMenuBar(sys.platform == "darwin")
        self.menus.setAccessibleName(self.tr("Menus"))
        self.menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.field = SearchField(self.tr("Go to store, table or command"), shortcut="Ctrl+P")
        self.field.setAcceptDrops(False)
        self.open = Button(self.tr("Open…"), icon="folder-open", height=30)
        self.inspector = IconButton("panel-right", self.tr("Inspector"), "Ctrl+I", extent=30)
        self.inspector.setCheckable(True)
        self.look = IconButton("moon", self.tr("Dark theme"), extent=30)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(12, 0, 12, 0)
        self._layout.setSpacing(8)
        self._left, self._right = QWidget(), QWidget()
        left = QHBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(9)
        left.addWidget(_Logo())
        left.addWidget(self.menus, 0, Qt.AlignmentFlag.AlignVCenter)
        left.addStretch(1)
        right = QHBoxLayout(self._right)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(4)
        right.addStretch(1)
        right.addWidget(self.open)
        right.addSpacing(4)
        right.addWidget(self.inspector)
        right.addWidget(self.look)
        # Both sides stretch alike, which keeps the field in the middle while there is room.
        self._layout.addWidget(self._left, 1)
        self._layout.addWidget(self.field, 0, Qt.AlignmentFlag.AlignVCenter)
        self._layout.addWidget(self._right, 1)
        self._restyle()
        theme().changed.connect(self._restyle)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme().color("border"))

    def _fit(self) -> None:
        px = theme().px
        sides = 2 * max(self._left.sizeHint().width(), self._right.sizeHint().width())
        self.field.setFixedWidth(min(max(self.width() - sides - px(48), px(180)), px(400)))

    def _restyle(self) -> None:
        px = theme().px
        self.setFixedHeight(px(HEIGHT))
        self.menus.setMinimumWidth(px(320))
        self._fit()
        dark = theme().tokens.dark
        self.look.set_icon_name("sun" if dark else "moon")
        self.look.set_name(self.tr("Light theme") if dark else self.tr("Dark theme"))
