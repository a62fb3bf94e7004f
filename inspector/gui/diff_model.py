"""The list behind cards of cells and lines: a model over rows that are ready, and the words for them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.diff_cards import Card, Row, RowKind
from inspector.gui.texts import as_tooltip, count_text, visible

translate = QCoreApplication.translate

ROW_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""The `Row`."""
CARD_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
"""The row's `Card`."""

MOST_SHOWN = 200

_LONG_LINE = 90

Index = QModelIndex | QPersistentModelIndex


class CardModel(QAbstractListModel):
    """Rows of cards; `set_rows` replaces them all."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cards: Sequence[Card] = ()
        self._rows: Sequence[Row] = ()

    @property
    def cards(self) -> Sequence[Card]:
        """The cards that the rows belong to."""
        return self._cards

    @property
    def rows(self) -> Sequence[Row]:
        """The rows in order."""
        return self._rows

    def set_rows(self, cards: Sequence[Card], rows: Sequence[Row]) -> None:
        """Show other cards, or other rows of them."""
        self.beginResetModel()
        self._cards, self._rows = cards, rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == CARD_ROLE:
            return self._cards[row.card]
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(self._text(row), MOST_SHOWN)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return visible(spoken(row, self._cards[row.card]), MOST_SHOWN)
        if role == Qt.ItemDataRole.ToolTipRole and row.line is not None and len(row.line.text) > _LONG_LINE:
            return as_tooltip(row.line.text)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def heads(self) -> list[int]:
        """Return the rows of the cards' heads, in order."""
        return [number for number, row in enumerate(self._rows) if row.kind == RowKind.HEAD]

    def first_change(self) -> tuple[int, int] | None:
        """Return the row of the head of the first card that changed and of its first changed line, None if none did.

        A card without a changed line, one that moved, is its head alone.
        """
        changed = (n for n in self.heads() if self._cards[self._rows[n].card].state != "unchanged")
        head = next(changed, None)
        if head is None:
            return None
        card = self._rows[head].card
        own = itertools.takewhile(lambda row: row.card == card, self._rows[head:])
        signs = [row.line.sign if row.line is not None else " " for row in own]
        return head, head + next((n for n, sign in enumerate(signs) if sign != " "), 0)

    def copied(self, numbers: Sequence[int]) -> str:
        """Return the exact text of rows; a head alone stands for its whole card."""
        heads = [n for n in numbers if self._rows[n].kind == RowKind.HEAD]
        lines = [n for n in numbers if self._rows[n].line is not None or self._rows[n].note]
        if not lines:
            return "\n".join(card_text(self._cards[self._rows[n].card]) for n in heads)
        return "\n".join(self._exact(self._rows[n]) for n in lines)

    def _text(self, row: Row) -> str:
        if row.kind == RowKind.HEAD:
            return title(self._cards[row.card])
        if row.fold is not None:
            return fold_text(row)
        return self._exact(row)[: MOST_SHOWN + 1]

    def _exact(self, row: Row) -> str:
        return row.line.text if row.line is not None else row.note


def card_text(card: Card) -> str:
    """Return the exact source of a card: the newer one, or what was removed."""
    gone = card.state == "removed"
    return "\n".join(line.text for line in card.lines if line.sign != ("+" if gone else "-"))


def title(card: Card) -> str:
    """Return what a card is called: the kind of cell, or the key of a record."""
    words = {
        "code": translate("Diff", "Code"),
        "markdown": translate("Diff", "Markdown"),
        "raw": translate("Diff", "Raw cell"),
    }
    return words.get(card.kind, visible(card.name or card.kind, MOST_SHOWN))


def state_word(card: Card, state: str) -> str:
    """Return the word for a card's state."""
    words = {
        "added": translate("Diff", "Added"),
        "removed": translate("Diff", "Removed"),
        "changed": translate("Diff", "Changed"),
        "moved": translate("Diff", "Moved"),
        "unchanged": translate("Diff", "Unchanged"),
    }
    return words[state]


def fold_text(row: Row) -> str:
    """Return what a fold stands for; cells whose hidden parts differ are not called unchanged."""
    fold = row.fold
    assert fold is not None
    count = fold.count  # the extractor of texts takes a plain name only
    if row.kind == RowKind.GAP:
        return translate("Diff", "%Ln unchanged line(s)", "", count)
    if fold.opened:
        return translate("Diff", "Fold %Ln cell(s)", "", count)
    if fold.hidden:
        return translate("Diff", "%Ln cell(s) with the same source", "", count)
    return translate("Diff", "%Ln unchanged cell(s)", "", count)


def spoken(row: Row, card: Card) -> str:
    """Return what a screen reader says of a row: words where the list shows signs."""
    if row.fold is not None:
        return fold_text(row)
    if row.kind == RowKind.HEAD:
        counts = translate("Diff", "{added} lines added, {removed} removed")
        counts = counts.format(added=count_text(card.added), removed=count_text(card.removed))
        return f"{title(card)}, {state_word(card, card.state)}, {counts}"
    if row.line is None:
        return row.note
    word = {"+": translate("Diff", "added"), "-": translate("Diff", "removed"), " ": ""}[row.line.sign]
    number = row.line.new if row.line.new is not None else row.line.old
    head = translate("Diff", "Line {number}").format(number=number) if number is not None else ""
    return " ".join(part for part in (head, word, row.line.text[:MOST_SHOWN]) if part)
