"""A value as a tree of key, value and type: made lazily, long arrays and objects in pages of a thousand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from inspector import values
from inspector.gui.cell_delegate import CellDelegate
from inspector.gui.cells import CELL_ROLE, Cell, State, cell_data, cell_text
from inspector.gui.texts import count_text, visible
from inspector.gui.theme import theme
from inspector.values import RepeatedKeys

Index = QModelIndex | QPersistentModelIndex

PAGE = 1000
"""Members that one branch shows at once; beyond, it shows pages, and beyond a million pages of pages."""

ROW_HEIGHT = 26
NODE_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 20
"""The `TreeNode` of an index."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?")


def type_word(value: object) -> str:
    """Return the type's name as the inspector shows it: a text that is written as a date is a datetime."""
    if isinstance(value, str):
        return "datetime" if len(value) <= 40 and len(value) > 10 and _DATE.fullmatch(value) else "str"
    return values.type_name(value)  # type: ignore[arg-type]


class TreeNode:
    """A place in the tree: a member of an object or array, or a page of such members.

    *step* is the member's key or position, *ordinal* its place in stored order; a page has a *span* instead.
    """

    __slots__ = ("_children", "ordinal", "parent", "row", "span", "step", "value")

    def __init__(
        self,
        parent: TreeNode | None,
        row: int,
        value: object,
        *,
        step: str | int | None = None,
        ordinal: int = 0,
        span: tuple[int, int] | None = None,
    ) -> None:
        self.parent = parent
        self.row = row
        self.value = value
        self.step = step
        self.ordinal = ordinal
        self.span = span
        self._children: list[TreeNode] | None = None

    @property
    def container(self) -> TreeNode:
        """The node whose members are shown below this one: itself, or what a page is a page of."""
        node = self
        while node.span is not None and node.parent is not None:
            node = node.parent
        return node

    def count(self) -> int:
        """Return how many members the value has."""
        if isinstance(self.value, RepeatedKeys):
            return len(self.value.pairs)
        return len(self.value) if isinstance(self.value, dict | list) else 0

    def members(self, first: int, last: int) -> Iterator[tuple[str | int, object]]:
        """Yield (key or position, value) of some members."""
        value = self.value
        if isinstance(value, list):
            yield from ((n, value[n]) for n in range(first, last))
        elif isinstance(value, dict | RepeatedKeys):
            yield from islice(values.members(value), first, last)

    def node(self, parent: TreeNode, row: int, *, ordinal: int, member: tuple[str | int, object]) -> TreeNode:
        """Return the node of one of this container's members."""
        return TreeNode(parent, row, member[1], step=member[0], ordinal=ordinal)

    def has_children(self) -> bool:
        """Say whether anything is below this node, without making it."""
        return self.span is not None or self.count() > 0

    def children(self) -> list[TreeNode]:
        """Return the nodes below, made when first asked for."""
        if self._children is None:
            first, last = self.span or (0, self.count())
            size = PAGE
            while (last - first + size - 1) // size > PAGE:
                size *= PAGE
            if last - first <= PAGE:
                container = self.container
                self._children = [
                    container.node(self, row, ordinal=first + row, member=member)
                    for row, member in enumerate(container.members(first, last))
                ]
            else:
                starts = range(first, last, size)
                self._children = [
                    TreeNode(self, row, None, span=(start, min(start + size, last))) for row, start in enumerate(starts)
                ]
        return self._children

    def path(self) -> list[TreeNode]:
        """Return the member nodes from below the root to this one, without pages."""
        nodes: list[TreeNode] = []
        node: TreeNode | None = self
        while node is not None and node.parent is not None:
            if node.span is None:
                nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def steps(self) -> list[str | int]:
        """Return keys and positions that lead here from the root."""
        return [node.step for node in self.path() if node.step is not None]


class ValueTreeModel(QAbstractItemModel):
    """Key, value and type of everything in one value. Nodes are made when a branch is opened."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = TreeNode(None, 0, None)

    @property
    def root(self) -> TreeNode:
        """The node of the whole value."""
        return self._root

    def set_value(self, value: object) -> None:
        """Show another value."""
        self.set_root(TreeNode(None, 0, value))

    def set_root(self, root: TreeNode) -> None:
        """Show what is below *root*."""
        self.beginResetModel()
        self._root = root
        self.endResetModel()

    def node(self, index: Index) -> TreeNode:
        """Return the node of *index*, the root for an invalid one."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, TreeNode) else self._root

    def index_of(self, node: TreeNode, column: int = 0) -> QModelIndex:
        """Return the index of *node*."""
        return QModelIndex() if node.parent is None else self.createIndex(node.row, column, node)

    def find(self, steps: Sequence[str | int]) -> QModelIndex:
        """Return the index that keys and positions lead to, the last of repeated keys; invalid if there is none."""
        node = self._root
        for step in steps:
            found = self._below(node, step)
            if found is None:
                return QModelIndex()
            node = found
        return self.index_of(node)

    def _below(self, node: TreeNode, step: str | int) -> TreeNode | None:
        for child in reversed(node.children()):
            if child.span is None and child.step == step:
                return child
            if child.span is not None and isinstance(step, int) and child.span[0] <= step < child.span[1]:
                return self._below(child, step)
        return None

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        node = self.node(parent or QModelIndex())
        if (parent is not None and parent.isValid() and parent.column() != 0) or not 0 <= column < 3 or row < 0:
            return QModelIndex()
        children = node.children()
        return self.createIndex(row, column, children[row]) if row < len(children) else QModelIndex()

    def parent(self, index: Index | None = None) -> Any:
        if index is None:
            return super().parent()
        above = self.node(index).parent
        return QModelIndex() if above is None else self.index_of(above)

    def rowCount(self, parent: Index | None = None) -> int:
        if parent is not None and parent.isValid() and parent.column() != 0:
            return 0
        return len(self.node(parent or QModelIndex()).children())

    def columnCount(self, parent: Index | None = None) -> int:
        return 3

    def hasChildren(self, parent: Index | None = None) -> bool:
        if parent is not None and parent.isValid() and parent.column() != 0:
            return False
        return self.node(parent or QModelIndex()).has_children()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self.node(index)
        if role == NODE_ROLE:
            return node
        return cell_data((self.key_cell, self.value_cell, self.type_cell)[index.column()](node), role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("Key"), self.tr("Value"), self.tr("Type"))[section] if 0 <= section < 3 else None

    def key_cell(self, node: TreeNode) -> Cell:
        """Return what the first column shows."""
        if node.span is not None:
            return Cell(f"{count_text(node.span[0])} – {count_text(node.span[1] - 1)}")
        if isinstance(node.step, int):
            return Cell(f"[{node.step}]")
        name = str(node.step)
        return Cell(visible(name, 200)) if name else Cell('""', State.EMPTY)

    def value_cell(self, node: TreeNode) -> Cell:
        """Return what the second column shows: texts in quotes, so that they differ from everything else."""
        if node.span is not None:
            return Cell("")
        cell = cell_text(node.value)
        if cell.state == State.TEXT:
            return replace(cell, text=f'"{cell.text[:196]}"', right=False)
        return replace(cell, right=False)

    def type_cell(self, node: TreeNode) -> Cell:
        """Return what the third column shows."""
        return Cell("" if node.span is not None else type_word(node.value), right=True)


class ValueDelegate(CellDelegate):
    """Paints a `ValueTreeModel`: keys in the text's font, values mono and coloured, types small at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), theme().px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.column() == 1:
            super().paint(painter, option, index)
            return
        painter.save()
        self._background(painter, option, index.row(), None)
        cell = index.data(CELL_ROLE)
        key = index.column() == 0
        font = self._made(13 if key else 11)
        painter.setFont(font)
        painter.setPen(theme().color("text" if key else "faint"))
        px = theme().px
        room = option.rect.adjusted(px(6 if key else 0), 0, -px(4 if key else 8), 0)
        side = Qt.AlignmentFlag.AlignRight
        if key and isinstance(cell, Cell):
            self._words(painter, room, cell, [])
        elif isinstance(cell, Cell):
            shown = QFontMetrics(font).elidedText(cell.display, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
        painter.restore()

    def _colour(self, cell: Cell, index: Index, staged: str | None) -> QColor:
        node = index.data(NODE_ROLE)
        if isinstance(node, TreeNode) and cell.state == State.TEXT and type_word(node.value) == "datetime":
            return theme().color("tDate")
        return super()._colour(cell, index, staged)
