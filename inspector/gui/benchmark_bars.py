"""Bar charts of a benchmark as real lists: a row for each bar of the charts' model, painted with its whisker."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.benchmark_marks import paint_mark
from inspector.gui.benchmark_texts import figure_text, prose_text
from inspector.gui.controls import ElidedLabel, Label
from inspector.gui.paint import panel
from inspector.gui.theme import theme
from inspector.operations.charts_model import Bar, Bars, Look

Index = QModelIndex | QPersistentModelIndex

BAR_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""The `BarRow`."""
KEY_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2

_NOWHERE = QModelIndex()
_PAD = 16
_ROW = 25
_IN_GROUP = 17
_GAP = 10
_MARK = 20
"""Design pixels left of a bar for the mark of its family: colours repeat, a colour with a shape does not."""


@dataclass(frozen=True, slots=True)
class BarRow:
    """One bar; *label* names its row, once for a group; *start*, *end*, *low*, *high*: places from 0 to 1."""

    bar: Bar
    label: str
    grouped: bool
    first: bool
    end: float
    low: float
    high: float


def bar_rows(chart: Bars) -> Iterator[BarRow]:
    """Yield the rows of *chart* from top to bottom."""
    place = _Scale(chart)
    for group in chart.groups:
        grouped = len(group.bars) > 1
        for number, each in enumerate(group.bars):
            label = (prose_text(group.label) if grouped else group.label) if number == 0 else ""
            bar = replace(each, text=figure_text(each.text))
            yield BarRow(bar, label, grouped, number == 0, place(bar.value), place(bar.low), place(bar.high))


class _Scale:
    """Where a value of *chart* lies between the left end and the longest bar's, 0 to 1."""

    def __init__(self, chart: Bars) -> None:
        bars = [bar for group in chart.groups for bar in group.bars]
        self._most = max((max(bar.value, bar.high) for bar in bars), default=1.0)
        least = min((min(bar.value, bar.low) for bar in bars), default=1.0)
        # A log axis has no zero: it begins at the decade below the shortest bar.
        self._floor = 10 ** math.floor(math.log10(least) - 0.3) if chart.log else 0.0

    def __call__(self, value: float) -> float:
        if self._floor:
            return math.log(value / self._floor) / math.log(self._most / self._floor)
        return value / self._most


class BarsModel(QAbstractListModel):
    """The bars of one chart."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[BarRow] = []
        self._groups: list[str] = []

    def set_chart(self, chart: Bars | None) -> None:
        """Show *chart*; where only values changed, the rows stay."""
        rows = list(bar_rows(chart)) if chart is not None else []
        groups = [prose_text(group.label) for group in chart.groups for _ in group.bars] if chart is not None else []
        same = [(r.label, r.bar.label) for r in rows] == [(r.label, r.bar.label) for r in self._rows]
        if same and rows:
            self._rows, self._groups = rows, groups
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows, self._groups = rows, groups
        self.endResetModel()

    @property
    def rows(self) -> list[BarRow]:
        """What is shown."""
        return self._rows

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == BAR_ROLE:
            return row
        if role == KEY_ROLE:
            return row.bar.label
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            group = f"{self._groups[index.row()]}, " if row.grouped else ""
            remark = f", {row.bar.remark}" if row.bar.remark else ""
            return f"{group}{row.bar.label}: {row.bar.text}{remark}"[:200]
        return None


class _BarDelegate(QStyledItemDelegate):
    """Label at the left, bar with its whisker, value after it."""

    def __init__(self, view: BarList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: BarRow = index.data(BAR_ROLE)
        height = theme().px(_IN_GROUP if row.grouped else _ROW)
        return QSize(theme().px(120), height + (theme().px(_GAP) if row.grouped and row.first else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: BarRow = index.data(BAR_ROLE)
        px, colours = theme().px, theme().color
        rect: QRect = option.rect
        if row.grouped and row.first:
            rect = rect.adjusted(0, px(_GAP), 0, 0)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen or row.bar.label == self._view.hovered_key:
            painter.fillRect(rect, colours("accentSoft" if chosen else "hover"))
        if chosen and theme().high_contrast:
            # Without soft fills a bar shows what is chosen.
            painter.fillRect(QRect(rect.x(), rect.y(), px(3), rect.height()), colours("accent"))
        left = self._view.label_width
        label = QRect(rect.x() + px(_PAD), rect.y(), left - px(_PAD) - px(_MARK), rect.height())
        paint_mark(painter, QPointF(rect.x() + left - px(10), rect.center().y() + 0.5), row.bar.look, px(4))
        if row.label:
            painter.setFont(theme().font(12, 600 if row.bar.bold or (chosen and not row.grouped) else 400))
            painter.setPen(colours("text"))
            words = QFontMetrics(painter.font()).elidedText(row.label, Qt.TextElideMode.ElideMiddle, label.width())
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        self._bar(painter, rect, row, left)
        painter.restore()

    def _bar(self, painter: QPainter, rect: QRect, row: BarRow, left: int) -> None:
        px, colours = theme().px, theme().color
        x = rect.x() + left
        room = max(rect.width() - left - self._view.value_width - px(_PAD) - px(8), px(40))
        middle = rect.center().y() + 0.5
        half = px(12) / 2
        end = x + max(room * row.end, 2.0)
        painter.save()
        # The bar's left end stands square on its line: its round one is cut off.
        painter.setClipRect(rect.adjusted(left, 0, 0, 0))
        panel(
            painter, QRectF(x - 8, middle - half, end - x + 8, 2 * half), 2, fill=colours(row.bar.look.color), line=None
        )
        painter.restore()
        painter.fillRect(QRectF(x, rect.y(), 1, rect.height()), colours("borderStrong"))
        low, high = x + room * row.low, x + room * row.high
        painter.setPen(colours("text"))
        if high - low > 1:
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for at in (low, high):
                painter.drawLine(QPointF(at, middle - px(4)), QPointF(at, middle + px(4)))
        painter.setFont(theme().font(12))
        words = QRectF(max(end, high) + px(8), rect.y(), self._view.value_width + px(8), rect.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, row.bar.text)
        if row.bar.remark:
            words.translate(QFontMetrics(painter.font()).horizontalAdvance(row.bar.text) + px(8), 0)
            painter.setFont(theme().font(11))
            painter.setPen(colours("muted"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, row.bar.remark)


class BarList(QListView):
    """The bars; what is chosen or under the mouse is told by its label."""

    chosen = Signal(str)
    hovered = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.hovered_key = ""
        self.label_width = 0
        self.value_width = 0
        self._quiet = False
        self.bars = BarsModel(self)
        self.setModel(self.bars)
        self.setItemDelegate(_BarDelegate(self))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setStyleSheet("QListView { background: transparent; } QListView::item { min-height: 0; }")
        self.entered.connect(lambda index: self.hovered.emit(index.data(KEY_ROLE)))
        self.selectionModel().selectionChanged.connect(self._selected)
        theme().changed.connect(self._measure)

    @property
    def capacity(self) -> int:
        """How many single bars fit without scrolling."""
        return max(self.viewport().height() // theme().px(_ROW), 1)

    def set_chart(self, chart: Bars | None) -> None:
        """Show *chart*."""
        self.bars.set_chart(chart)
        self._measure()

    def choose(self, key: str) -> None:
        """Select the bar of *key*, or none, without telling; of several in groups one that is selected stays."""
        current = self.selectionModel().selectedIndexes()
        if current and current[0].data(KEY_ROLE) == key:
            return
        self._quiet = True
        self.clearSelection()
        for row, each in enumerate(self.bars.rows):
            if each.bar.label == key:
                self.setCurrentIndex(self.bars.index(row))
                break
        self._quiet = False

    def hover(self, key: str) -> None:
        """Show the bars of *key* as under the mouse."""
        self.hovered_key = key
        self.viewport().update()

    def leaveEvent(self, event: Any) -> None:
        super().leaveEvent(event)
        self.hovered.emit("")

    def _selected(self, now: QItemSelection, before: QItemSelection) -> None:
        if not self._quiet and now.indexes():
            self.chosen.emit(now.indexes()[0].data(KEY_ROLE))

    def _measure(self) -> None:
        px = theme().px
        bold, plain, small = (QFontMetrics(theme().font(*of)) for of in ((12, 600), (12, 400), (11, 400)))
        labels = max((bold.horizontalAdvance(row.label) for row in self.bars.rows), default=0)
        values = max(
            (plain.horizontalAdvance(row.bar.text) + small.horizontalAdvance(row.bar.remark) + px(8)
             for row in self.bars.rows),
            default=0,
        )  # fmt: skip
        self.label_width = px(_PAD) + px(_MARK) + min(labels, round(self.viewport().width() * 0.4))
        self.value_width = values
        self.doItemsLayout()


class _Legend(QWidget):
    """The marks of the storages with their names."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[tuple[str, Look], ...] = ()
        self.hide()

    def set_entries(self, entries: tuple[tuple[str, Look], ...]) -> None:
        self._entries = entries
        self.setAccessibleName(", ".join(name for name, _ in entries))
        self.setFixedHeight(theme().px(20))
        self.setVisible(bool(entries))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        px = theme().px
        painter = QPainter(self)
        painter.setFont(theme().font(12))
        painter.setPen(theme().color("text"))
        x = px(_PAD)
        for name, look in self._entries:
            paint_mark(painter, QPointF(x + px(5), self.height() / 2), look, px(4.5))
            width = QFontMetrics(painter.font()).horizontalAdvance(name)
            painter.drawText(QRect(x + px(16), 0, width + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, name)
            x += px(16) + width + px(24)


class BarsPanel(QWidget):
    """A bar chart with its title, its note and, where bars stand in groups, its legend."""

    def __init__(self) -> None:
        super().__init__()
        self.title = Label("", "title")
        self.note = ElidedLabel("", "secondary")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.list = BarList("")
        self._legend = _Legend()
        head = QHBoxLayout()
        head.setContentsMargins(_PAD, 10, _PAD, 4)
        head.addWidget(self.title)
        head.addWidget(self.note, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._legend)
        layout.addWidget(self.list, 1)

    def set_chart(self, chart: Bars | None, title: str, note: str) -> None:
        """Show *chart* under *title* and *note*."""
        self.title.setText(title)
        self.note.setText(note)
        self.list.setAccessibleName(title)
        self.list.setAccessibleDescription(chart.summary if chart is not None else "")
        self._legend.set_entries(chart.legend if chart is not None else ())
        self.list.set_chart(chart)
