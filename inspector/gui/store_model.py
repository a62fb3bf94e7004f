"""The open stores and their collections as a tree model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.kinds import collection_icon, icon_for, label_for
from inspector.gui.shell import OpenStore
from inspector.gui.texts import as_tooltip, count_text, size_text, visible
from inspector.model import CollectionInfo

MOST = 200
"""Most characters of a name that a row shows."""
FOLDED = 12
"""Collections of one store that are shown before the rest folds into one row."""

ICON_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""Name of a row's icon."""
NOTE_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
"""What stands at the right of a row: a size or a count."""
FILTER_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3
"""What the quick filter looks in."""
ALERT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 4
"""True for a store in which something is damaged or hidden from other programs."""

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(eq=False, slots=True)
class StoreNode:
    """A store with the collections it had when it was last looked at."""

    number: int
    """What the model's indexes carry: 1 and up, never used twice."""
    store: OpenStore
    entries: Sequence[CollectionInfo]
    unfolded: bool = False

    @property
    def shown(self) -> int:
        """How many collections have a row of their own."""
        return len(self.entries) if self.unfolded or len(self.entries) <= FOLDED else FOLDED - 1

    @property
    def rows(self) -> int:
        """Rows below the store: its collections, and one for those that are folded."""
        return self.shown + (self.shown < len(self.entries))


class StoreModel(QAbstractItemModel):
    """Stores at the top, their collections below; the order of opening and the order of the file."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: list[StoreNode] = []
        self._made = 0

    def add(self, store: OpenStore) -> None:
        """Add an open store at the end."""
        row = len(self._nodes)
        self.beginInsertRows(QModelIndex(), row, row)
        self._made += 1
        self._nodes.append(StoreNode(self._made, store, tuple(store.store.collections)))
        self.endInsertRows()

    def remove(self, store: OpenStore) -> None:
        """Take a store out."""
        row = self._row(store)
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._nodes[row]
        self.endRemoveRows()

    def refresh(self, store: OpenStore) -> None:
        """Show the collections that *store* has now."""
        row = self._row(store)
        node, parent = self._nodes[row], self.index(row, 0)
        new = tuple(store.store.collections)
        if node.rows:
            self.beginRemoveRows(parent, 0, node.rows - 1)
            node.entries = ()
            self.endRemoveRows()
        probe = StoreNode(node.number, store, new, node.unfolded)
        if probe.rows:
            self.beginInsertRows(parent, 0, probe.rows - 1)
            node.entries = new
            self.endInsertRows()
        self.dataChanged.emit(parent, parent)

    def unfold(self, index: Index) -> bool:
        """Give every collection a row if *index* is the row of the folded ones; say whether it was."""
        node = self._parent_node(index)
        if node is None or index.row() < node.shown:
            return False
        parent, first = self.parent(index), node.shown
        self.beginRemoveRows(parent, first, first)
        whole, node.entries = node.entries, node.entries[:first]
        self.endRemoveRows()
        self.beginInsertRows(parent, first, len(whole) - 1)
        node.entries, node.unfolded = whole, True
        self.endInsertRows()
        return True

    def unfold_all(self) -> None:
        """Give every collection of every store a row, so that a filter finds it."""
        for row, node in enumerate(self._nodes):
            if node.shown < len(node.entries):
                self.unfold(self.index(node.shown, 0, self.index(row, 0)))

    def store(self, index: Index) -> OpenStore | None:
        """Return the store that a row is or belongs to."""
        node = self._parent_node(index)
        if node is not None:
            return node.store
        return self._nodes[index.row()].store if index.isValid() else None

    def entry(self, index: Index) -> CollectionInfo | None:
        """Return the collection of a row, None for a store's row and for the folded ones."""
        node = self._parent_node(index)
        return node.entries[index.row()] if node is not None and index.row() < node.shown else None

    def index_of(self, store: OpenStore, name: str | None = None) -> QModelIndex:
        """Return the row of *store*, or of its collection *name*, unfolding it if need be."""
        row = next((at for at, node in enumerate(self._nodes) if node.store is store), None)
        if row is None:
            return QModelIndex()
        parent, node = self.index(row, 0), self._nodes[row]
        place = next((at for at, entry in enumerate(node.entries) if entry.name == name), None)
        if name is None or place is None:
            return parent
        if place >= node.shown:
            self.unfold(self.index(node.shown, 0, parent))
        return self.index(place, 0, parent)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if column != 0 or row < 0 or row >= self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, self._nodes[parent.row()].number if parent.isValid() else 0)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        node = self._parent_node(index)
        return self.createIndex(self._nodes.index(node), 0, 0) if node is not None else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._nodes)
        if parent.column() != 0 or self._parent_node(parent) is not None:
            return 0
        return self._nodes[parent.row()].rows

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self._parent_node(index)
        if node is None:
            return self._store_data(self._nodes[index.row()], role)
        if index.row() >= node.shown:
            return self._folded_data(len(node.entries) - node.shown, role)
        return self._entry_data(node.entries[index.row()], role)

    def _store_data(self, node: StoreNode, role: int) -> Any:
        path, info = node.store.path, node.store.store.info
        if role in (Qt.ItemDataRole.DisplayRole, FILTER_ROLE):
            return visible(path.name, MOST)
        if role == ICON_ROLE:
            return icon_for(info.format)
        if role == NOTE_ROLE:
            return size_text(info.size)
        alerts = [finding for finding in info.findings if finding.severity != "info"]
        if role == ALERT_ROLE:
            return bool(alerts)
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip("\n".join([str(path), *(finding.message for finding in alerts[:5])]))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            warned = self.tr("%Ln warning(s)", "", len(alerts)) if alerts else ""
            parts = (visible(path.name, MOST - 80), label_for(info.format), size_text(info.size), warned)
            return ", ".join(part for part in parts if part)[:MOST]
        return None

    def _entry_data(self, entry: CollectionInfo, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(entry.label, MOST)
        if role == FILTER_ROLE:
            return entry.label[:MOST] if entry.label == entry.name else f"{entry.label} {entry.name}"[:MOST]
        if role == ICON_ROLE:
            return collection_icon(entry)
        if role == NOTE_ROLE:
            count = _count(entry)
            return "" if count is None else count_text(count)
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip(entry.name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{visible(entry.label, MOST - 60)}, {self._spoken(entry)}"
        return None

    def _folded_data(self, count: int, role: int) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.tr("%Ln more document(s)", "", count)
        return "ellipsis" if role == ICON_ROLE else None

    def _spoken(self, entry: CollectionInfo) -> str:
        count = _count(entry)
        if count is None:
            return self.tr("table") if entry.kind == "table" else self.tr("document")
        if entry.kind == "table":
            return self.tr("%Ln record(s)", "", count)
        return self.tr("%Ln version(s)", "", count)

    def _parent_node(self, index: Index) -> StoreNode | None:
        number = index.internalId() if index.isValid() else 0
        return next((node for node in self._nodes if node.number == number), None) if number else None

    def _row(self, store: OpenStore) -> int:
        return next(row for row, node in enumerate(self._nodes) if node.store is store)


def _count(entry: CollectionInfo) -> int | None:
    """Return what says most about a collection: versions of a document, records of a table; None if unknown."""
    return entry.versions if entry.kind == "document" and entry.versions is not None else entry.records
