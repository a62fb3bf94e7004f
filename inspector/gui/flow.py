"""A row that goes on in a second line where there is no room for all of it, so that nothing in it is cut."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QLayoutItem, QSizePolicy, QVBoxLayout, QWidget

_LEAST_WORDS = 240
"""Pixels that something that expands wants before it goes to a line of its own."""


class Flow(QLayout):
    """Items side by side with *spacing* between them, in as many lines as the width asks for.

    What can use more room (its size policy expands) gets what a line has left. What is added after `addStretch`
    stands at the right; with *centre*, everything stands in the middle.
    """

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 8, centre: bool = False) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._leading: int | None = None
        self._gap = spacing
        self._centre = centre
        self.setContentsMargins(0, 0, 0, 0)
        if parent is not None:
            parent.setLayout(self)

    def addStretch(self, stretch: int = 1) -> None:
        """Put what is added from now on at the right."""
        self._leading = len(self._items)

    def addLayout(self, layout: QLayout) -> None:
        """Add a row that stays together."""
        self.addChildLayout(layout)
        self.addItem(layout)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        item = self._items[index] if 0 <= index < len(self._items) else None
        return item if item is not None and shiboken6.isValid(item) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        if not 0 <= index < len(self._items):
            return None
        self.invalidate()
        return self._items.pop(index)

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        return self._put(QRect(0, 0, width, 0).marginsRemoved(margins), apply=False) + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in sizes) + self._gap * max(len(sizes) - 1, 0)
        return QSize(width, max((size.height() for size in sizes), default=0)).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._shown()]
        width, height = (max(lengths, default=0) for lengths in (map(QSize.width, sizes), map(QSize.height, sizes)))
        return QSize(width, height).grownBy(self.contentsMargins())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        room = rect.marginsRemoved(self.contentsMargins())
        # In a higher room the lines stand in the middle.
        spare = room.height() - self._put(room, apply=False)
        self._put(room.translated(0, max(spare, 0) // 2), apply=True)

    def _trailing(self) -> list[QLayoutItem]:
        return self._items[self._leading :] if self._leading is not None else []

    def _shown(self) -> list[QLayoutItem]:
        # While a page is taken down Qt deletes items without taking them out first.
        return [item for item in self._items if shiboken6.isValid(item) and not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        behind = self._trailing()
        trailing = [item for item in self._shown() if item in behind]
        together = sum(_wanted(item, width) + self._gap for item in trailing)
        for item in self._shown():
            wanted = _wanted(item, width)
            # What stands at the right goes into the next line together.
            needed = together if trailing and item is trailing[0] else self._gap + wanted
            if not lines or used + needed > width:
                lines.append([])
                used = -self._gap
            used += self._gap + wanted
            lines[-1].append(item)
        return lines

    def _put(self, room: QRect, *, apply: bool) -> int:
        """Return the height that the items need in the width of *room*, and put them there if *apply*."""
        top = room.y()
        for line in self._lines(room.width()):
            top += self._gap if top > room.y() else 0
            widths = self._widths(line, room.width())
            heights = [_height(item, width) for item, width in zip(line, widths, strict=True)]
            tall = max(heights)
            if apply:
                self._place(line, QRect(room.x(), top, room.width(), tall), widths, heights)
            top += tall
        return top - room.y()

    def _widths(self, line: list[QLayoutItem], room: int) -> list[int]:
        widths = [_wanted(item, room) for item in line]
        left = room - sum(widths) - self._gap * (len(line) - 1)
        growing = [place for place, item in enumerate(line) if _grows(item)]
        for number, place in enumerate(growing):
            share = left // (len(growing) - number)
            widths[place] += share
            left -= share
        return widths

    def _place(self, line: list[QLayoutItem], room: QRect, widths: list[int], heights: list[int]) -> None:
        left = max(room.width() - sum(widths) - self._gap * (len(line) - 1), 0)
        trailing = self._trailing()
        x = room.x() + (left // 2 if self._centre else 0)
        pushed = self._centre
        for item, width, height in zip(line, widths, heights, strict=True):
            if not pushed and item in trailing:
                pushed = True
                x += left
            item.setGeometry(QRect(x, room.y() + (room.height() - height) // 2, width, height))
            x += width + self._gap


def titled(tile: QWidget, title: QWidget, below: QWidget) -> QWidget:
    """Return the head of a page: *tile*, and right of it *title* with a line *below*; it takes what room there is."""
    holder = QWidget()
    holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(16)
    row.addWidget(tile)
    words = QVBoxLayout()
    words.setSpacing(2)
    words.addStretch(1)
    words.addWidget(title)
    words.addWidget(below)
    words.addStretch(1)
    row.addLayout(words, 1)
    return holder


def _grows(item: QLayoutItem) -> bool:
    return bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _wanted(item: QLayoutItem, room: int) -> int:
    """Return the width that an item has before what is left of a line is shared."""
    wanted, widget = item.sizeHint().width(), item.widget()
    if isinstance(widget, QLabel) and widget.wordWrap():
        # Qt proposes a box of several lines even where there is room for one.
        wanted = widget.fontMetrics().horizontalAdvance(widget.text()) + 2
    if _grows(item):
        wanted = max(min(wanted, _LEAST_WORDS), item.minimumSize().width())
    return min(wanted, room)


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
