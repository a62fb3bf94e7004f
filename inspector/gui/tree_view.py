"""The Tree view of a records page: all records that are shown, each of them a branch that is made when it is opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.cells import Cell, State, cell_text
from inspector.gui.record_rows import RowCache
from inspector.gui.texts import count_text, visible
from inspector.gui.value_model import Index, TreeNode, ValueTreeModel
from inspector.gui.value_tree import ValueTreeView


class _Unread:
    """Stands for the value of a record that was not read yet."""


_UNREAD = _Unread()


class RecordNode(TreeNode):
    """A record: *ordinal* is its row. Its value is there when it was opened, not before."""

    __slots__ = ("asked", "number")

    def __init__(self, parent: TreeNode, row: int, number: int, *, ordinal: int) -> None:
        super().__init__(parent, row, _UNREAD, step=ordinal, ordinal=ordinal)
        self.number = number
        self.asked = False

    @property
    def read(self) -> bool:
        """True once the value is here."""
        return self.value is not _UNREAD

    def has_children(self) -> bool:
        return not self.read or self.count() > 0

    def children(self) -> list[TreeNode]:
        return super().children() if self.read else []


class _RecordsNode(TreeNode):
    """The root: the records in the order of the table."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__(None, 0, None)
        self.rows = rows

    def count(self) -> int:
        return len(self.rows)

    def members(self, first: int, last: int) -> Iterator[tuple[str | int, object]]:
        yield from ((n, self.rows[n]) for n in range(first, last))

    def node(self, parent: TreeNode, row: int, *, ordinal: int, member: tuple[str | int, object]) -> TreeNode:
        return RecordNode(parent, row, cast(int, member[1]), ordinal=ordinal)


class RecordTreeModel(ValueTreeModel):
    """All records over what is in them."""

    def __init__(self, cache: RowCache, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cache = cache
        self._waiting: dict[int, list[RecordNode]] = {}
        cache.arrived.connect(self._came)
        self.set_rows(range(0))

    def set_rows(self, rows: Sequence[int]) -> None:
        """Show the records of these numbers in this order."""
        self._waiting.clear()
        self.set_root(_RecordsNode(rows))

    def record_of(self, index: Index) -> RecordNode | None:
        """Return the record that *index* is or is in."""
        node: TreeNode | None = self.node(index)
        while node is not None and not isinstance(node, RecordNode):
            node = node.parent
        return node

    def steps_in_record(self, index: Index) -> list[str | int]:
        """Return the keys and positions that lead from the record to *index*."""
        return self.node(index).steps()[1:]

    def rowCount(self, parent: Index | None = None) -> int:
        node = self.node(parent or QModelIndex())
        if isinstance(node, RecordNode) and not node.read and (parent is None or parent.column() == 0):
            self._ask(node)
        return super().rowCount(parent)

    def key_cell(self, node: TreeNode) -> Cell:
        if node.span is not None and isinstance(node.container, _RecordsNode):
            # People count records from one.
            return Cell(f"{count_text(node.span[0] + 1)} – {count_text(node.span[1])}")
        if not isinstance(node, RecordNode):
            return super().key_cell(node)
        row = self._cache.peek(node.number)
        return Cell(visible(row.key, 200)) if row is not None else Cell("", State.LOADING)

    def value_cell(self, node: TreeNode) -> Cell:
        if not isinstance(node, RecordNode):
            return super().value_cell(node)
        row = self._cache.peek(node.number)
        if row is None:
            self._cache.want(node.number)
            return Cell("", State.LOADING)
        return cell_text(ValueError(row.error)) if row.error else super().value_cell(TreeNode(None, 0, row.value))

    def type_cell(self, node: TreeNode) -> Cell:
        if not isinstance(node, RecordNode):
            return super().type_cell(node)
        row = self._cache.peek(node.number)
        return Cell("") if row is None or row.error else super().type_cell(TreeNode(None, 0, row.value))

    def _ask(self, node: RecordNode) -> None:
        """Take the record's value if it is here; else its rows are inserted when it comes."""
        row = self._cache.peek(node.number)
        if row is not None and not node.asked:
            node.value = row.value
            return
        if not node.asked:
            node.asked = True
            self._waiting.setdefault(node.number, []).append(node)
        self._cache.want(node.number)

    def _came(self, numbers: list[int]) -> None:
        for number in numbers:
            for node in self._waiting.pop(number, ()):
                row = self._cache.peek(number)
                if row is not None:
                    self._fill(node, row.value)

    def _fill(self, node: RecordNode, value: object) -> None:
        below = len(TreeNode(None, 0, value).children())
        if below:
            self.beginInsertRows(self.index_of(node), 0, below - 1)
        node.value = value
        if below:
            self.endInsertRows()


class RecordTreeView(ValueTreeView):
    """The tree on screen: reads what comes into view."""

    current_changed = Signal()

    def __init__(self, cache: RowCache, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Records as a tree"))
        self._cache = cache
        self._records = RecordTreeModel(cache, self)
        self.set_model(self._records)
        self.selectionModel().currentChanged.connect(lambda *_: self.current_changed.emit())
        # Which rows show a record that came is not known to the model, which keeps no list of those painted.
        cache.arrived.connect(lambda _: self.viewport().update())

    @property
    def records(self) -> RecordTreeModel:
        """The model."""
        return self._records

    def current_number(self) -> int | None:
        """Return the number of the record that is current or that the current value is in."""
        node = self._records.record_of(self.currentIndex())
        return node.number if node is not None else None

    def current_steps(self) -> list[str | int]:
        """Return the keys and positions that lead from the record to the current value."""
        return self._records.steps_in_record(self.currentIndex()) if self.currentIndex().isValid() else []

    def go_to(self, row: int) -> None:
        """Make the record in *row* current."""
        index = self._records.find([row])
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._cache.read_now(self._numbers_in_view())
        super().paintEvent(event)

    def _numbers_in_view(self) -> list[int]:
        numbers = []
        index = self.indexAt(self.viewport().rect().topLeft())
        while index.isValid() and self.visualRect(index).top() < self.viewport().height():
            node = self._records.node(index)
            if isinstance(node, RecordNode):
                numbers.append(node.number)
            index = self.indexBelow(index)
        return numbers

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            number = self._records.record_of(self.currentIndex())
            step = -1 if event.key() == Qt.Key.Key_Up else 1
            self.go_to((number.ordinal if number is not None else -1) + step)
            return
        super().keyPressEvent(event)
