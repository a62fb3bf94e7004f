"""One difference in full: both whole records side by side with what differs marked, or line by line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QStyleOptionViewItem, QVBoxLayout, QWidget

from inspector.gui.compare_work import Detail
from inspector.gui.controls import ElidedLabel, EmptyState, Segmented, Separator
from inspector.gui.copying import Piece, exact
from inspector.gui.diff_cards import Options
from inspector.gui.diff_view import CardList
from inspector.gui.exact_text import exact_text
from inspector.gui.record_rows import Row
from inspector.gui.text_pane import TextPane
from inspector.gui.texts import visible
from inspector.gui.theme import theme
from inspector.gui.value_model import NODE_ROLE, Index, TreeNode, ValueDelegate, ValueTreeModel
from inspector.gui.value_tree import ValueTreeView
from inspector.operations.record_diff import steps
from inspector.values import RepeatedKeys

Way = tuple[str | int, ...]


class _Marking(ValueDelegate):
    """Paints a value tree with what differs on the colour of its side."""

    def __init__(self, view: ValueTreeView, side: str) -> None:
        super().__init__(view, typed=True)
        self._side = side
        self.marked: frozenset[Way] = frozenset()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node = index.data(NODE_ROLE)
        differs = isinstance(node, TreeNode) and node.span is None and tuple(node.steps()) in self.marked
        if differs:
            painter.fillRect(option.rect, theme().color(f"{self._side}Bg"))
        super().paint(painter, option, index)
        if differs and index.column() == 0:
            # Also where the row is selected, whose colour covers the other.
            bar = QRect(self._view.viewport().x(), option.rect.y(), theme().px(3), option.rect.height())
            painter.setClipping(False)
            painter.fillRect(bar, theme().color(f"{self._side}Text"))


class SidePane(QWidget):
    """The whole record of one side: a tree for an object, its text for anything else, or that there is none."""

    copied = Signal(str)
    moved = Signal(object)
    """Keys and positions that lead to the value that is current now."""

    def __init__(self, name: str, *, side: str) -> None:
        super().__init__()
        self._row: Row | None = None
        self.title = ElidedLabel("", "section", middle=True)
        self.model = ValueTreeModel(self)
        self.tree = ValueTreeView(name)
        self.tree.set_model(self.model)
        self._marking = _Marking(self.tree, side)
        self.tree.setItemDelegate(self._marking)
        self.text = TextPane(name)
        self._none = EmptyState("minus", "")
        self._stack = QStackedWidget()
        for widget in (self.tree, self.text, self._none):
            self._stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(16, 4, 12, 4)
        head.addWidget(self.title)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)
        self.tree.copy_wanted.connect(self._copy)
        self.tree.up_wanted.connect(self._go_up)
        self.tree.selectionModel().currentChanged.connect(self._moved)

    def show_row(self, row: Row | None, absent: str, *, changed: frozenset[Way], way: Way) -> None:
        """Show a record, or *absent* where there is none; mark *changed*, and bring *way* into view."""
        self._row = row
        self._marking.marked = changed
        if row is None or row.error:
            self._none.set_text(
                absent if row is None else self.tr("This record cannot be read"), row.error if row else ""
            )
            self._stack.setCurrentWidget(self._none)
        elif isinstance(row.value, dict | list | RepeatedKeys):
            self.model.set_value(row.value)
            self._stack.setCurrentWidget(self.tree)
            self.follow(way)
        else:
            piece = Piece(row.value, exact_text(row.raw, (), row.value)[0])
            self.text.show_text(exact(piece))
            self._stack.setCurrentWidget(self.text)

    def follow(self, way: Sequence[str | int]) -> None:
        """Make current what *way* leads to, or the nearest value above it that this side has."""
        for length in range(len(way), 0, -1):
            index = self.model.find(way[:length])
            if index.isValid():
                if index != self.tree.currentIndex():
                    self.tree.setCurrentIndex(index)
                self.tree.scrollTo(index)
                return

    def _moved(self, current: Index) -> None:
        if current.isValid() and self.model.node(current).span is None and self.tree.hasFocus():
            self.moved.emit(self.model.node(current).steps())

    def _go_up(self) -> None:
        parent = self.tree.currentIndex().parent()
        if parent.isValid():
            self.tree.setCurrentIndex(parent)

    def _copy(self) -> None:
        node = self.model.node(self.tree.currentIndex())
        if self._row is None:
            return
        ordinals = [member.ordinal for member in node.path()]
        value = node.value
        text, _ = exact_text(self._row.raw, ordinals, value)  # type: ignore[arg-type]
        self.copied.emit(exact(Piece(value, text)))  # type: ignore[arg-type]


class CompareDetail(QWidget):
    """Both sides of the current difference, as values or as lines."""

    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel("", "title")
        self.switch = Segmented(
            [("list-tree", self.tr("Values")), ("file-diff", self.tr("Lines"))], self.tr("How the records are shown")
        )
        self.before = SidePane(self.tr("Record in A"), side="del")
        self.after = SidePane(self.tr("Record in B"), side="add")
        self.lines = CardList(self.tr("Lines that differ"))
        self._detail: Detail | None = None
        self._opened: frozenset[tuple[int, int]] = frozenset()
        self._stack = QStackedWidget()
        self._both = QSplitter(Qt.Orientation.Horizontal)
        self._both.setChildrenCollapsible(False)
        self._both.addWidget(self.before)
        self._both.addWidget(self.after)
        self._nothing = EmptyState("file-diff", self.tr("No difference selected"))
        for widget in (self._nothing, self._both, self.lines):
            self._stack.addWidget(widget)
        self._lay_out()
        self.switch.selected.connect(lambda _: self._show_view())
        self.lines.unfold.connect(self._unfold)
        self.lines.copied.connect(self.copied)
        for pane, other in ((self.before, self.after), (self.after, self.before)):
            pane.copied.connect(self.copied)
            pane.moved.connect(other.follow)

    @property
    def detail(self) -> Detail | None:
        """What is shown."""
        return self._detail

    def show_nothing(self, *, waiting: bool = False) -> None:
        """Say that no difference is selected, or that its records are on their way."""
        self._detail = None
        self.title.setText("")
        self._nothing.set_text(self.tr("Reading the records…") if waiting else self.tr("No difference selected"))
        self._stack.setCurrentWidget(self._nothing)

    def show_detail(self, detail: Detail, names: tuple[str, str], collection: str) -> None:
        """Show both records of a difference of *collection*; *names* are those of the stores."""
        if self._detail is None or self._detail.row.record != detail.row.record:
            self._opened = frozenset()
        self._detail = detail
        self.title.setText(visible(f"{collection} · {detail.row.key}", 200))
        way = steps(detail.row.path)
        for pane, row, letter, name, absent in (
            (self.before, detail.before, "A", names[0], self.tr("Not in A")),
            (self.after, detail.after, "B", names[1], self.tr("Not in B")),
        ):
            pane.title.setText(f"{letter} · {name}")
            pane.show_row(row, absent, changed=detail.changed, way=way)
        self._fill_lines()
        self._show_view()

    def _fill_lines(self) -> None:
        if self._detail is not None:
            self.lines.show_rows(self._detail.cards, Options(), self._opened)

    def _unfold(self, key: tuple[int, int]) -> None:
        self._opened = self._opened ^ {key}
        self._fill_lines()

    def _show_view(self) -> None:
        if self._detail is not None:
            self._stack.setCurrentWidget(self._both if self.switch.current == 0 else self.lines)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 4, 12, 4)
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.switch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(Separator())
        layout.addWidget(self._stack, 1)
