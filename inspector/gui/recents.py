"""The recently opened stores: model, rows, and the list on the start page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QEvent,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from inspector.gui.kinds import icon_for, label_for
from inspector.gui.paint import panel, picture, ring
from inspector.gui.settings import Recent, Settings, is_missing
from inspector.gui.texts import as_tooltip, size_text, visible
from inspector.gui.theme import theme

ROW = 52
MOST_SHOWN = 6
"""Rows on the start page; the others are found with Go to."""
MOST = 200

ROW_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""The `RecentRow` that the delegate paints."""

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class RecentRow(NamedTuple):
    """A recent store in words, made once so that painting asks no disk."""

    path: Path
    name: str
    folder: str
    icon: str
    format: str
    size: str
    opened: str
    missing: bool


def folder_text(path: Path) -> str:
    """Return the folder of *path* with ``~`` for the user's own."""
    folder = path.parent
    home = Path.home()
    return f"~/{folder.relative_to(home)}".removesuffix("/.") if folder.is_relative_to(home) else str(folder)


class RecentsModel(QAbstractListModel):
    """The recently opened stores, the newest first."""

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._rows: list[RecentRow] = []
        self.refresh()

    def refresh(self) -> None:
        """Read the list again and see which files are gone."""
        self.beginResetModel()
        self._rows = [self._row(recent) for recent in self._settings.recents()[:MOST_SHOWN]]
        self.endResetModel()

    def row(self, index: Index) -> RecentRow | None:
        """Return the row at *index*."""
        return self._rows[index.row()] if index.isValid() else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip(str(row.path))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = self.tr("not found") if row.missing else row.opened
            return ", ".join((row.name, row.folder, row.format, row.size, state))[:MOST]
        return row if role == ROW_ROLE else None

    def _row(self, recent: Recent) -> RecentRow:
        path = Path(recent.path)
        return RecentRow(
            path,
            visible(path.name, MOST),
            visible(folder_text(path), MOST),
            icon_for(recent.format),
            label_for(recent.format),
            size_text(recent.size),
            self._when(recent.opened),
            is_missing(recent.path),
        )

    def _when(self, opened: float) -> str:
        moment = QDateTime.fromSecsSinceEpoch(int(opened))
        days = moment.date().daysTo(QDateTime.currentDateTime().date())
        clock = QLocale().toString(moment.time(), "HH:mm")
        if days == 0:
            return self.tr("Today {time}").replace("{time}", clock)
        if days == 1:
            return self.tr("Yesterday {time}").replace("{time}", clock)
        return QLocale().toString(moment.date(), "d MMMM yyyy")


class _RecentDelegate(QStyledItemDelegate):
    """Two lines at the left; kind, size and time at the right; for a missing file "Not found" and Remove."""

    def __init__(self, view: RecentList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(300), theme().px(ROW))

    def remove_area(self, rect: QRect) -> QRect:
        """Return where Remove stands in the row *rect*."""
        width = QFontMetrics(theme().font(13, 500)).horizontalAdvance(self.tr("Remove")) + 2 * theme().px(8)
        return QRect(rect.right() - width - theme().px(8), rect.top(), width, rect.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        rect: QRect = option.rect
        state = option.state
        px, colours = theme().px, theme().color
        painter.save()
        if state & QStyle.StateFlag.State_MouseOver and not row.missing:
            painter.fillRect(rect, colours("hover"))
        elif state & QStyle.StateFlag.State_Selected and self._view.hasFocus():
            painter.fillRect(rect, colours("accentSoft"))
        if index.row():
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), colours("border"))
        icon = QRect(rect.left() + px(16), rect.top(), px(20), rect.height())
        picture(painter, icon, row.icon, token="faint" if row.missing else "muted", size=20)
        right = self._paint_right(painter, rect, row)
        left = rect.left() + px(48)
        room = max(right - left - px(12), 0)
        half = rect.height() // 2
        self._line(painter, QRect(left, rect.top() + px(8), room, half - px(8)), row.name, name=True, row=row)
        self._line(painter, QRect(left, rect.top() + half, room, half - px(7)), row.folder, name=False, row=row)
        if state & QStyle.StateFlag.State_HasFocus and self._view.property("keyboard"):
            ring(painter, QRectF(rect.adjusted(2, 2, -2, -2)), 6)
        painter.restore()

    def _line(self, painter: QPainter, room: QRect, text: str, *, name: bool, row: RecentRow) -> None:
        painter.setFont(theme().font(13, 600) if name else theme().font(12))
        painter.setPen(theme().color("faint" if row.missing else "text" if name else "muted"))
        shown = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_right(self, painter: QPainter, rect: QRect, row: RecentRow) -> int:
        """Paint kind, size and time, or that the file is gone; return where the names must end."""
        px, colours = theme().px, theme().color
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if row.missing:
            area = self.remove_area(rect)
            painter.setFont(theme().font(13, 500))
            painter.setPen(colours("accentText"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.tr("Remove"))
            painter.setFont(theme().font(12))
            painter.setPen(colours("muted"))
            words = self.tr("Not found")
            width = QFontMetrics(painter.font()).horizontalAdvance(words) + px(8)
            note = QRect(area.left() - width, rect.top(), width, rect.height())
            painter.drawText(note, Qt.AlignmentFlag.AlignVCenter, words)
            return note.left()
        time = QRect(rect.right() - px(16) - px(130), rect.top(), px(130), rect.height())
        painter.setFont(theme().font(12))
        painter.setPen(colours("muted"))
        painter.drawText(time, end, row.opened)
        size = QRect(time.left() - px(8) - px(70), rect.top(), px(84), rect.height())
        painter.setFont(theme().font(13))
        painter.setPen(colours("text"))
        painter.drawText(size, end, row.size)
        return self._paint_chip(painter, QRect(size.left() - px(120), rect.top(), px(108), rect.height()), row.format)

    def _paint_chip(self, painter: QPainter, room: QRect, text: str) -> int:
        px, colours = theme().px, theme().color
        painter.setFont(theme().font(11, 500))
        metrics = QFontMetrics(painter.font())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width() - 2 * px(8))
        width = metrics.horizontalAdvance(shown) + 2 * px(8)
        box = QRect(room.left(), room.center().y() - px(10) + 1, width, px(20))
        panel(painter, QRectF(box), 4, fill=colours("sunken"), line=colours("border"))
        painter.setPen(colours("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)
        return room.left()


class RecentList(QListView):
    """The recent stores; Enter or a click opens one, Delete takes it off the list."""

    wanted = Signal(object)
    """The path to open."""
    remove_wanted = Signal(object)
    """The path to take off the list."""

    def __init__(self, model: RecentsModel) -> None:
        super().__init__()
        self._model = model
        self._delegate = _RecentDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Recent stores"))
        self.setStyleSheet("QListView { background: transparent; } QListView::item { min-height: 0; }")
        self.clicked.connect(self._open)
        model.modelReset.connect(self._fit)
        theme().changed.connect(self._fit)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        frame = QPainter(self.viewport())
        area = QRectF(self.viewport().rect())
        panel(frame, area, 10, fill=theme().color("surface"), line=theme().color("border"))
        frame.end()
        super().paintEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setProperty("keyboard", False)
        place = event.position().toPoint()
        index = self.indexAt(place)
        row = self._model.row(index)
        if row is not None and row.missing:
            if self._delegate.remove_area(self.visualRect(index)).contains(place):
                self.remove_wanted.emit(row.path)
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.setProperty("keyboard", True)
        row = self._model.row(self.currentIndex())
        if row is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.wanted.emit(row.path)
        elif row is not None and event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit(row.path)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self._model.row(self.indexAt(event.pos()))
        if row is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not row.missing:
            menu.addAction(self.tr("Open")).triggered.connect(lambda: self.wanted.emit(row.path))
        menu.addAction(self.tr("Remove from list")).triggered.connect(lambda: self.remove_wanted.emit(row.path))
        menu.popup(event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self._model.row(self.indexAt(event.pos()))
            self.viewport().setToolTip(as_tooltip(str(row.path)) if row is not None else "")
        return super().viewportEvent(event)

    def _open(self, index: QModelIndex) -> None:
        row = self._model.row(index)
        if row is not None and not row.missing:
            self.wanted.emit(row.path)

    def _fit(self) -> None:
        self.setFixedHeight(theme().px(ROW) * max(self._model.rowCount(), 1))
        self.doItemsLayout()
