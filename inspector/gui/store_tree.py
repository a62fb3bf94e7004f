"""The lists of the left dock: the open stores with their collections, and the tools."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from inspector.gui.paint import panel, picture, ring
from inspector.gui.shell import OpenStore
from inspector.gui.store_model import ALERT_ROLE, FILTER_ROLE, ICON_ROLE, NOTE_ROLE, StoreModel
from inspector.gui.theme import theme
from inspector.model import CollectionInfo

ROW = 28
RAIL = 48
"""Width of the folded dock in design pixels."""

Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """Paints a row of the left dock: chevron, icon, name, and a note at the right; *rail* paints the icon only."""

    def __init__(self, view: QAbstractItemView, *, rail: bool = False) -> None:
        super().__init__(view)
        self._view = view
        self._rail = rail

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(RAIL if self._rail else 120), theme().px(36 if self._rail else ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        px, colours = theme().px, theme().color
        painter.save()
        area = option.rect.adjusted(px(8), 0, -px(8), 0)
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        active = selected and (self._view.hasFocus() or self._view.property("current") is True)
        if selected:
            panel(painter, QRectF(area), 6, fill=colours("accentSoft" if active else "track"), line=None)
            if active:
                bar = QRectF(area.left(), area.top() + px(6), px(3), area.height() - 2 * px(6))
                panel(painter, bar, 2, fill=colours("accent"), line=None)
        elif state & QStyle.StateFlag.State_MouseOver:
            panel(painter, QRectF(area), 6, fill=colours("hover"), line=None)
        if self._rail:
            picture(painter, area, index.data(ICON_ROLE) or "file", token="text" if selected else "muted")
        else:
            self._paint_row(painter, area, index, selected=selected)
        if state & QStyle.StateFlag.State_HasFocus and self._view.property("keyboard"):
            ring(painter, QRectF(area), 6, width=0.0 if theme().high_contrast else 1.5)
        painter.restore()

    def _paint_row(self, painter: QPainter, area: QRect, index: Index, *, selected: bool) -> None:
        px = theme().px
        deep = index.parent().isValid()
        left = area.left() + px(40 if deep else 24)
        if not deep and self._is_tree() and index.model().hasChildren(index):
            assert isinstance(self._view, QTreeView)
            chevron = QRect(area.left() + px(4), area.top(), px(16), area.height())
            opened = self._view.isExpanded(index.model().index(index.row(), 0))
            picture(painter, chevron, "chevron-down" if opened else "chevron-right", token="muted", size=14)
        tint = "accent" if selected else "muted"
        picture(painter, QRect(left, area.top(), px(16), area.height()), index.data(ICON_ROLE) or "file", token=tint)
        left += px(16) + px(7)
        right = self._paint_note(painter, area, index)
        painter.setFont(theme().font(13, 600 if selected or (not deep and self._is_tree()) else 400))
        painter.setPen(theme().color("text"))
        room = QRect(left, area.top(), max(right - left, 0), area.height())
        name = QFontMetrics(painter.font()).elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_note(self, painter: QPainter, area: QRect, index: Index) -> int:
        """Paint the size or count at the right, and a sign before it if something is wrong; return where both begin."""
        px = theme().px
        right = area.right() - px(8)
        note = index.data(NOTE_ROLE) or ""
        if note:
            painter.setFont(theme().font(13))
            painter.setPen(theme().color("muted"))
            metrics = QFontMetrics(painter.font())
            note = metrics.elidedText(note, Qt.TextElideMode.ElideMiddle, area.width() * 2 // 5)
            width = metrics.horizontalAdvance(note) + 1
            room = QRect(right - width, area.top(), width, area.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, note)
            right -= width + px(8)
        if index.data(ALERT_ROLE):
            sign = QRect(right - px(14), area.top(), px(14), area.height())
            picture(painter, sign, "triangle-alert", token="warnText", size=14)
            right -= px(14) + px(8)
        return right

    def _is_tree(self) -> bool:
        return isinstance(self._view, QTreeView)


class StoreTree(QTreeView):
    """Stores and collections; a click or Enter opens a row."""

    wanted = Signal(object, object)
    """The `OpenStore` and the `CollectionInfo` to show, None for the store itself."""
    menu_wanted = Signal(object, object, QPoint)
    """Store, collection or None, and the place on screen, for a menu."""

    def __init__(self, model: StoreModel) -> None:
        super().__init__()
        self._source = model
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(model)
        self._proxy.setRecursiveFilteringEnabled(True)
        self._proxy.setAutoAcceptChildRows(True)
        self._proxy.setFilterRole(FILTER_ROLE)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setModel(self._proxy)
        self.setItemDelegate(RowDelegate(self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setProperty("current", True)
        self.setAccessibleName(self.tr("Open stores"))
        self.activated.connect(self._open)
        self.clicked.connect(self._click)

    def set_filter(self, text: str) -> None:
        """Show the rows that hold *text*, and the stores they belong to."""
        if text:
            self._source.unfold_all()
        self._proxy.setFilterFixedString(text)
        if text:
            self.expandAll()

    def show_row(self, store: OpenStore, name: str | None = None) -> None:
        """Select the row of *store* or of its collection *name*; it opens nothing."""
        index = self._proxy.mapFromSource(self._source.index_of(store, name))
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def expand_store(self, store: OpenStore) -> None:
        """Show the collections of *store*."""
        self.expand(self._proxy.mapFromSource(self._source.index_of(store)))

    def selected(self) -> tuple[OpenStore, CollectionInfo | None] | None:
        """Return the store of the selected row, and its collection if it is one."""
        index = self._proxy.mapToSource(self.currentIndex())
        store = self._source.store(index)
        return (store, self._source.entry(index)) if store is not None else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setProperty("keyboard", False)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and not index.parent().isValid() and event.position().x() < theme().px(30):
            self.setExpanded(index, not self.isExpanded(index))
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.setProperty("keyboard", True)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        source = self._proxy.mapToSource(index)
        store = self._source.store(source)
        if store is not None:
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if keyboard else event.globalPos()
            self.menu_wanted.emit(store, self._source.entry(source), place)

    def _click(self, index: QModelIndex) -> None:
        source = self._proxy.mapToSource(index)
        if self._source.unfold(source):
            return
        if self._source.entry(source) is not None:
            self._open(index)

    def _open(self, index: QModelIndex) -> None:
        source = self._proxy.mapToSource(index)
        if self._source.unfold(source):
            return
        store = self._source.store(source)
        if store is not None:
            self.wanted.emit(store, self._source.entry(source))


class ToolList(QListView):
    """The tools, each an action of the window."""

    def __init__(self, actions: Sequence[QAction], icons: Sequence[str], *, rail: bool = False) -> None:
        super().__init__()
        self._actions = list(actions)
        self._rail = rail
        model = QStandardItemModel(self)
        for action, icon in zip(actions, icons, strict=True):
            item = QStandardItem(action.text().replace("&", "").rstrip("…"))
            item.setData(icon, ICON_ROLE)
            item.setToolTip(item.text())
            item.setEditable(False)
            model.appendRow(item)
        self.setModel(model)
        self.setItemDelegate(RowDelegate(self, rail=rail))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Tools"))
        self.clicked.connect(self._run)
        self._restyle()
        theme().changed.connect(self._restyle)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.setProperty("keyboard", True)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._run(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _run(self, index: QModelIndex) -> None:
        self.clearSelection()
        self._actions[index.row()].trigger()

    def _restyle(self) -> None:
        row = theme().px(36 if self._rail else ROW)
        self.setFixedHeight(row * self.model().rowCount() + 2)
        self.doItemsLayout()
