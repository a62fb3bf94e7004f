"""A pane for long text: read-only, mono, shown in slices so that the window stays alive, perhaps with line numbers."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import QMimeData, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from inspector.gui.texts import visible
from inspector.gui.theme import theme

LONGEST_LINE = 1000
"""Characters from which a line is broken: laying out one line of millions would hold the window for seconds."""
FIRST_SLICE = 64 * 1024
_SLICE_SECONDS = 0.008
_BATCH = 8 * 1024
"""Characters that are inserted in one call."""

_SIGNS = re.compile("[\u2400-\u241f\u2421]+")
"""Control pictures: three small letters each."""
_SIGN_SIZE = 20
_MOST_SIGNS = 200
"""Signs of one batch that are made large: each costs a call, and a text full of them is no text."""


class TextPane(QPlainTextEdit):
    """Shows a text; signs stand for characters that would not show. Lines broken here are joined again when copied."""

    def __init__(self, name: str, *, numbers: bool = False) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._pieces: Iterator[tuple[str, bool]] = iter(())
        # Numbers of the blocks that go on with the line of the block before, in order.
        self._broken: list[int] = []
        self._inserted = 0
        self._gutter = _Gutter(self) if numbers else None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scroll_gutter)
        self._restyle()
        theme().changed.connect(self._restyle)

    def show_text(self, text: str) -> None:
        """Show *text*: its beginning now, the rest as time allows."""
        self._timer.stop()
        self.clear()
        self._broken.clear()
        self._inserted = 0
        self._pieces = _pieces(text)
        self._insert(FIRST_SLICE)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    @property
    def complete(self) -> bool:
        """True when all of the text is in the pane."""
        return not self._timer.isActive()

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self._selected())
        return data

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._gutter is not None:
            inside = self.contentsRect()
            self._gutter.setGeometry(QRect(inside.left(), inside.top(), self._gutter.width_now(), inside.height()))

    def _selected(self) -> str:
        cursor = self.textCursor()
        first, last = cursor.selectionStart(), cursor.selectionEnd()
        parts: list[str] = []
        block = self.document().findBlock(first)
        while block.isValid() and block.position() <= last:
            if parts and not self._goes_on(block.blockNumber()):
                parts.append("\n")
            start = max(first - block.position(), 0)
            parts.append(block.text()[start : last - block.position()])
            block = block.next()
        return "".join(parts)

    def _goes_on(self, number: int) -> bool:
        place = bisect_left(self._broken, number)
        return place < len(self._broken) and self._broken[place] == number

    def _insert(self, most: int = 0) -> None:
        due = time.perf_counter() + _SLICE_SECONDS
        cursor = QTextCursor(self.document())
        done = 0
        while batch := self._batch():
            cursor.movePosition(QTextCursor.MoveOperation.End)
            self._write(cursor, batch)
            done += len(batch)
            if (most and done >= most) or time.perf_counter() > due:
                self._timer.start(0)
                return

    def _write(self, cursor: QTextCursor, batch: str) -> None:
        """Insert *batch*, the pictures of control characters large enough to read."""
        start = 0
        for found in islice(_SIGNS.finditer(batch), _MOST_SIGNS):
            cursor.insertText(batch[start : found.start()], self._plain)
            cursor.insertText(found.group(), self._signs)
            start = found.end()
        cursor.insertText(batch[start:], self._plain)

    def _batch(self) -> str:
        """Return the next lines; empty at the end."""
        parts: list[str] = []
        size = 0
        for line, goes_on in self._pieces:
            if goes_on:
                self._broken.append(self._inserted)
            parts.append(("\n" if self._inserted else "") + line)
            self._inserted += 1
            size += len(line) + 1
            if size >= _BATCH:
                break
        return "".join(parts)

    def _go_on(self) -> None:
        self._insert()

    def _make_room(self) -> None:
        width = self._gutter.width_now() if self._gutter is not None else 0
        self.setViewportMargins(width, 0, 0, 0)

    def _scroll_gutter(self, rect: QRect, dy: int) -> None:
        if self._gutter is not None:
            self._gutter.update()

    def _restyle(self) -> None:
        self.setFont(theme().font(12, mono=True))
        self._plain, self._signs = QTextCharFormat(), QTextCharFormat()
        self._signs.setFont(theme().font(_SIGN_SIZE, mono=True))
        self._signs.setForeground(theme().color("faint"))
        self._make_room()

    def paint_numbers(self, painter: QPainter, width: int) -> None:
        """Paint the numbers of the lines in view; a line that was broken here has one number."""
        painter.setFont(theme().font(11, mono=True))
        painter.setPen(theme().color("faint"))
        block = self.firstVisibleBlock()
        height = QFontMetrics(self.font()).height()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > self.viewport().height():
                break
            if not self._goes_on(block.blockNumber()):
                line = block.blockNumber() + 1 - bisect_left(self._broken, block.blockNumber())
                room = QRect(0, round(box.top()), width - theme().px(8), height)
                flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                painter.drawText(room, flags, str(line))
            block = block.next()


class _Gutter(QWidget):
    """The strip with line numbers at the left of a pane."""

    def __init__(self, pane: TextPane) -> None:
        super().__init__(pane)
        self._pane = pane

    def width_now(self) -> int:
        digits = max(len(str(self._pane.blockCount())), 3)
        return QFontMetrics(theme().font(11, mono=True)).horizontalAdvance("9") * digits + theme().px(20)

    def sizeHint(self) -> QSize:
        return QSize(self.width_now(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("sunken"))
        painter.fillRect(QRect(self.width() - 1, 0, 1, self.height()), theme().color("border"))
        self._pane.paint_numbers(painter, self.width())


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield (part of a line as it is shown, whether it goes on with the line of the part before)."""
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for place in range(start, max(end, start + 1), LONGEST_LINE):
            yield visible(text[place : min(place + LONGEST_LINE, end)], LONGEST_LINE), place > start
        start = end + 1
