"""The top row: logo, menus, the field that goes to anything, Open…, and two switches."""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QSizePolicy, QWidget

from inspector.gui.controls import Button, IconButton, SearchField
from inspector.gui.icons import LOGO, pixmap
from inspector.gui.theme import theme

HEIGHT = 46
_LEAST_FIELD = 180


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
        self.search = IconButton("search", self.tr("Go to store, table or command"), "Ctrl+P", extent=30)
        self._searching = False
        self.field.installEventFilter(self)
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
        self._layout.addWidget(self.search)
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

    def reveal_field(self) -> None:
        """Show the field, which is about to take the focus, in place of the menus where there is no room for both."""
        self._searching = True
        self._fit()

    def conceal_field(self) -> None:
        """Give the menus their place back."""
        self._searching = False
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and self._searching:
            # Later: what takes the focus may be in this row.
            QTimer.singleShot(0, self, self.conceal_field)
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Share the width: where it is not enough, Open… and the field become icons until the field is asked for."""
        px = theme().px
        left, right = self._left.sizeHint().width(), self._right_width(words=True)
        room = self.width() - 24 - 2 * 8
        tight = left + right + px(_LEAST_FIELD) > room
        self.open.setText("" if tight else self.tr("Open…"))
        folded = tight and left + self._right_width(words=False) + px(_LEAST_FIELD) > room
        searching = folded and self._searching
        self._left.setVisible(not searching)
        self.field.setVisible(searching or not folded)
        self.search.setVisible(folded and not searching)
        right = self._right.sizeHint().width()
        around = right if searching else 2 * max(left, right)
        self.field.setFixedWidth(min(max(room - around, px(_LEAST_FIELD)), px(400)))
        # With all of it there, both sides stretch alike; else each has just what it needs.
        self._layout.setStretchFactor(self._right, 0 if folded else 1)
        self._layout.activate()

    def _right_width(self, *, words: bool) -> int:
        self.open.setText(self.tr("Open…") if words else "")
        return self._right.sizeHint().width()

    def _restyle(self) -> None:
        px = theme().px
        self.setFixedHeight(px(HEIGHT))
        # Never so narrow that menus go; with large text they are not much wider than that.
        self.menus.setMinimumWidth(max(min(px(320), self.menus.sizeHint().width()), 1))
        self.open.setAccessibleName(self.tr("Open…"))
        self._fit()
        dark = theme().tokens.dark
        self.look.set_icon_name("sun" if dark else "moon")
        self.look.set_name(self.tr("Light theme") if dark else self.tr("Dark theme"))
