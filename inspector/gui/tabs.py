"""The tab bar of the window: an icon, a name, the store's name beside it, and a close button."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from inspector.gui.controls import IconButton
from inspector.gui.paint import picture, ring
from inspector.gui.texts import as_tooltip, visible
from inspector.gui.theme import theme

HEIGHT = 36
_PADDING = 12
_WIDEST_NAME = 220
_WIDEST_STORE = 140
_MOST = 200
"""Most characters of a name that a tab measures."""


class TabText(NamedTuple):
    """What a tab shows: its name, the store it belongs to, an icon."""

    name: str
    store: str
    icon: str


class Tabs(QTabBar):
    """Tabs that are painted from `TabText`; middle click closes one, dragging moves it."""

    close_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Open tabs"))
        self._name_arrows()
        self._restyle()
        theme().changed.connect(self._restyle)

    def add(self, text: TabText) -> int:
        """Add a tab at the end and return its index."""
        index = self.addTab(text.name)
        button = IconButton("x", self.tr("Close"), size=14, extent=24)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self._close_of(button))
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, button)
        self.set_text(index, text)
        return index

    def set_text(self, index: int, text: TabText) -> None:
        """Show *text* on tab *index*."""
        shown = TabText(visible(text.name, _MOST), visible(text.store, _MOST), text.icon)
        self.setTabData(index, shown)
        self.setTabText(index, shown.name.replace("&", "&&"))
        whole = f"{text.name} · {text.store}" if text.store else text.name
        self.setTabToolTip(index, as_tooltip(whole))
        self.setAccessibleTabName(index, whole)
        button = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
        if isinstance(button, IconButton):
            button.set_name(self.tr("Close {name}").replace("{name}", shown.name), "Ctrl+W")
        self.updateGeometry()

    def text_of(self, index: int) -> TabText:
        """Return what tab *index* shows."""
        data = self.tabData(index)
        return data if isinstance(data, TabText) else TabText("", "", "file")

    def tabSizeHint(self, index: int) -> QSize:
        px = theme().px
        text = self.text_of(index)
        name = min(QFontMetrics(theme().font(13, 600)).horizontalAdvance(text.name), px(_WIDEST_NAME)) + 2
        store = min(QFontMetrics(theme().font(11)).horizontalAdvance(text.store), px(_WIDEST_STORE)) + 2
        parts = px(_PADDING) + px(16) + px(8) + name + (px(4) + store if text.store else 0)
        return QSize(parts + px(2) + px(24) + px(6), px(HEIGHT))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme().px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), theme().color("border"))
        for index in range(self.count()):
            if self.isTabVisible(index):
                self._paint_tab(painter, index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self.close_requested.emit(index)
            return
        super().mouseReleaseEvent(event)

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        px, colours = theme().px, theme().color
        area = self.tabRect(index)
        text = self.text_of(index)
        current = index == self.currentIndex()
        if current:
            painter.fillRect(area, colours("surface"))
            painter.fillRect(QRect(area.left(), area.top(), area.width(), px(2)), colours("accent"))
        elif area.contains(self.mapFromGlobal(self.cursor().pos())) and self.underMouse():
            painter.fillRect(area.adjusted(0, 0, 0, -1), colours("hover"))
        if not current and index + 1 != self.currentIndex():
            line = QRect(area.right(), area.top() + px(11), 1, area.height() - px(22))
            painter.fillRect(line, colours("border"))
        left = area.left() + px(_PADDING)
        icon = QRect(left, area.top(), px(16), area.height())
        picture(painter, icon, text.icon, token="accent" if current else "muted")
        left += px(16) + px(8)
        left = self._paint_words(painter, text.name, index=index, left=left, name=True)
        self._paint_words(painter, text.store, index=index, left=left + px(4), name=False)
        if current and self.hasFocus():
            ring(painter, QRectF(area.adjusted(1, 2, -1, -2)), 6)

    def _paint_words(self, painter: QPainter, words: str, *, index: int, left: int, name: bool) -> int:
        """Paint the tab's name, or the name of its store, from *left* on; return where it ends."""
        font = theme().font(13, 600) if name else theme().font(11)
        metrics = QFontMetrics(font)
        most = theme().px(_WIDEST_NAME if name else _WIDEST_STORE) + 2
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, most)
        width = metrics.horizontalAdvance(shown) + 2
        painter.setFont(font)
        painter.setPen(theme().color("text" if name and index == self.currentIndex() else "muted"))
        room = QRect(left, self.tabRect(index).top(), width, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        return left + width

    def _name_arrows(self) -> None:
        """Name the arrows that scroll: Qt makes them, and the style sheet gives them their width and picture."""
        for side, name in (
            ("ScrollLeftButton", self.tr("Scroll tabs left")),
            ("ScrollRightButton", self.tr("Scroll tabs right")),
        ):
            arrow = self.findChild(QToolButton, side)
            if isinstance(arrow, QToolButton):
                arrow.setAccessibleName(name)
                arrow.setToolTip(name)

    def _close_of(self, button: QWidget) -> None:
        for index in range(self.count()):
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is button:
                self.close_requested.emit(index)
                return

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(HEIGHT))
        self.updateGeometry()
        self.update()
