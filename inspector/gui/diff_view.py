"""The comparison of versions A and B on screen: the bar with both versions and the toggles, and the list of cards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QListView, QStackedLayout, QVBoxLayout, QWidget

from inspector.gui.controls import Chip, EmptyState, ErrorCard, IconButton, Label, Separator
from inspector.gui.diff_cards import Card, Options, Row, RowKind, rows
from inspector.gui.diff_delegate import CardDelegate
from inspector.gui.diff_model import CARD_ROLE, ROW_ROLE, CardModel, card_text
from inspector.gui.flow import Flow
from inspector.gui.icons import set_icon
from inspector.gui.texts import count_text
from inspector.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex

MANY_ROWS = 2000
"""Rows from which the list lays itself out bit by bit."""

_PAGE_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_A, Qt.Key.Key_Space)
_PAGE_KEYS_PLAIN = (Qt.Key.Key_Home, Qt.Key.Key_End)


class CardList(QListView):
    """A list of cards; copies exact text, and leaves the keys of the history to the page around it."""

    unfold = Signal(object)
    """The key of a fold that the user opened or closed."""
    copied = Signal(str)

    def __init__(self, name: str, *, with_states: bool = True) -> None:
        super().__init__()
        self.cards = CardModel(self)
        self.setModel(self.cards)
        self.painter = CardDelegate(self, with_states=with_states)
        self.setItemDelegate(self.painter)
        self.setAccessibleName(name)
        self.setObjectName("cards")
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setBatchSize(200)
        self._add_menu()
        self._restyle()
        theme().changed.connect(self._restyle)

    def show_rows(self, cards: Sequence[Card], options: Options, opened: frozenset[tuple[int, int]]) -> None:
        """Show cards as *options* ask; what is in sight stays in sight as far as it can."""
        self.painter.options = options
        self.show_ready(cards, rows(cards, options, opened))

    def show_ready(self, cards: Sequence[Card], shown: Sequence[Row]) -> None:
        """Show rows of cards."""
        place = self.verticalScrollBar().value()
        many = len(shown) > MANY_ROWS
        self.setLayoutMode(QListView.LayoutMode.Batched if many else QListView.LayoutMode.SinglePass)
        self.cards.set_rows(cards, shown)
        if not many:
            self.doItemsLayout()
            self.verticalScrollBar().setValue(place)

    def step(self, direction: int) -> bool:
        """Select the next head of a card below (1) or above (-1) the current row; return False if there is none."""
        heads = self.cards.heads()
        here = self.currentIndex().row() if self.currentIndex().isValid() else -1
        ahead = [n for n in heads if n > here] if direction > 0 else [n for n in reversed(heads) if n < here]
        if not ahead:
            return False
        index = self.cards.index(ahead[0])
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index, QListView.ScrollHint.PositionAtTop)
        return True

    def reveal_change(self) -> None:
        """Scroll to the head of the first changed card, as far as its first changed line stays in sight."""
        change = self.cards.first_change()
        if change is None:
            return
        if self.layoutMode() == QListView.LayoutMode.Batched:
            # Laid out bit by bit, the list does not know yet where the row lies.
            self.setLayoutMode(QListView.LayoutMode.SinglePass)
            self.doItemsLayout()
        self.scrollTo(self.cards.index(change[0]), QListView.ScrollHint.PositionAtTop)
        self.scrollTo(self.cards.index(change[1]))

    def selected_text(self) -> str:
        """Return the exact text of the selected rows."""
        return self.cards.copied(sorted(index.row() for index in self.selectedIndexes()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.NoModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy(self.selected_text())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self.currentIndex())
        elif (plain and event.key() in (*_PAGE_KEYS, *_PAGE_KEYS_PLAIN)) or (
            event.modifiers() & Qt.KeyboardModifier.AltModifier
        ):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._activate(self.indexAt(event.position().toPoint()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.viewport().update()

    def _add_menu(self) -> None:
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        lines, cell = QAction(self.tr("Copy lines"), self), QAction(self.tr("Copy cell"), self)
        set_icon(lines, "copy")
        lines.triggered.connect(lambda: self._copy(self.selected_text()))
        cell.triggered.connect(self._copy_cell)
        self.addActions([lines, cell])

    def _copy_cell(self) -> None:
        if self.currentIndex().isValid():
            self._copy(card_text(self.currentIndex().data(CARD_ROLE)))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)

    def _activate(self, index: Index) -> None:
        row = index.data(ROW_ROLE) if index.isValid() else None
        if row is not None and row.kind in (RowKind.FOLD, RowKind.GAP):
            self.unfold.emit(row.fold.key)

    def _restyle(self) -> None:
        self.setStyleSheet(f"QListView#cards {{ background: {theme().tokens.window}; }}")
        self.scheduleDelayedItemsLayout()


class DiffBar(QWidget):
    """One line over the cards: A and B with their times, lines added and removed, and what else to show."""

    swapped = Signal()
    options_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._labels = [Label(style=style) for style in ("section", "name", "secondary") * 2]
        self._labels[0].setText("A")
        self._labels[3].setText("B")
        self._labels[3].set_style("section", token="accentText")
        swap = IconButton("arrow-left-right", self.tr("Swap A and B"), size=14, extent=24)
        swap.clicked.connect(self.swapped)
        self.added, self.removed = Chip("", "add"), Chip("", "del")
        self.outputs, self.metadata, self.unchanged = (
            QCheckBox(text) for text in (self.tr("Outputs"), self.tr("Metadata"), self.tr("Unchanged"))
        )
        layout = Flow(self)
        layout.setContentsMargins(16, 4, 16, 4)
        pair = QHBoxLayout()
        pair.setSpacing(8)
        for widget in (*self._labels[:3], swap, *self._labels[3:], self.added, self.removed):
            pair.addWidget(widget)
        layout.addLayout(pair)
        layout.addStretch()
        for box in (self.outputs, self.metadata, self.unchanged):
            box.toggled.connect(self.options_changed)
            layout.addWidget(box)
        self._times = ("", "")
        self.set_counts(None, None)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def options(self) -> Options:
        """What the toggles ask for."""
        return Options(self.outputs.isChecked(), self.metadata.isChecked(), self.unchanged.isChecked())

    def set_versions(self, base: int, version: int, times: tuple[str, str]) -> None:
        """Name both versions."""
        self._labels[1].setText(count_text(base))
        self._labels[4].setText(count_text(version))
        self._times = times
        self._show_times()

    def set_counts(self, added: int | None, removed: int | None) -> None:
        """Show lines added and removed; None while they are not known."""
        for chip, sign, amount in ((self.added, "+", added), (self.removed, "−", removed)):
            chip.setText("" if amount is None else f"{sign}{count_text(amount)}")
            chip.setVisible(amount is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_times()

    def _show_times(self) -> None:
        """Leave out the times where there is no room for them."""
        wide = self.width() >= theme().px(760)
        for label, text in zip((self._labels[2], self._labels[5]), self._times, strict=True):
            label.setText(text)
            label.setToolTip(text)
            label.setVisible(wide and bool(text))

    def _restyle(self) -> None:
        self.setMinimumHeight(theme().px(38))


class DiffView(QWidget):
    """The bar and the cards of one comparison, or why there are none."""

    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.bar = DiffBar()
        self.list = CardList(self.tr("Differences"))
        self._cards: tuple[Card, ...] = ()
        self._opened: frozenset[tuple[int, int]] = frozenset()
        self._empty = EmptyState("file-diff", self.tr("Both versions are the same."))
        self._error = QWidget()
        self._error_layout = QVBoxLayout(self._error)
        self._stack = QStackedLayout()
        for page in (self.list, self._empty, self._error):
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(Separator())
        layout.addLayout(self._stack, 1)
        self.bar.options_changed.connect(self._show)
        self.list.unfold.connect(self._unfold)
        self.list.copied.connect(self.copied)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the comparison that is shown."""
        return self._cards

    def show_cards(self, cards: tuple[Card, ...], author: tuple[str, str] | None = None) -> None:
        """Show a comparison; *author* names who wrote all of it, with a colour token."""
        if [card.name for card in cards] != [card.name for card in self._cards]:
            self._opened = frozenset()
        self._cards = cards
        self.list.painter.author = author
        self._show()

    def show_error(self, title: str, body: str) -> None:
        """Say why there is no comparison."""
        while (item := self._error_layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._error_layout.addWidget(ErrorCard(title, body))
        self._error_layout.addStretch(1)
        self._stack.setCurrentWidget(self._error)
        self.bar.set_counts(None, None)

    def _show(self) -> None:
        options = self.bar.options
        counted = [card for card in self._cards if not card.about or options.metadata]
        self.bar.set_counts(sum(card.added for card in counted), sum(card.removed for card in counted))
        self.list.show_rows(self._cards, options, self._opened)
        same = all(row.kind == RowKind.FOLD for row in self.list.cards.rows)
        hidden = any(card.state != "unchanged" for card in self._cards)
        if same and not options.unchanged and not self._opened:
            self._say_same(hidden=hidden)
        else:
            self._stack.setCurrentWidget(self.list)

    def _say_same(self, *, hidden: bool) -> None:
        cause = self.tr("They differ in outputs or metadata; show these with the boxes above.") if hidden else ""
        fact = self.tr("Both versions have the same source.") if hidden else self.tr("Both versions are the same.")
        self._empty.set_text(fact, cause)
        self._stack.setCurrentWidget(self._empty)

    def _unfold(self, key: tuple[int, int]) -> None:
        self._opened = self._opened ^ {key}
        self._show()
