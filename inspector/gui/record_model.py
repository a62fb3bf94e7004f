"""The records of a collection as a table: a full virtual model that only looks into the cache of parsed records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.cells import CELL_ROLE, HITS_ROLE, MISSING, Cell, Missing, State, cell_data, cell_text
from inspector.gui.record_columns import Column, Survey
from inspector.gui.record_rows import Row, RowCache
from inspector.gui.texts import as_tooltip, count_text
from inspector.values import RepeatedKeys, Value

Index = QModelIndex | QPersistentModelIndex

COLUMN_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 10
"""The `Column` of a header section."""

MOST_PIXELS = (1 << 31) - 1
"""Qt counts the height of a view in 32 bits."""

_ANSWERED = frozenset(
    (
        CELL_ROLE,
        HITS_ROLE,
        int(Qt.ItemDataRole.DisplayRole),
        int(Qt.ItemDataRole.ToolTipRole),
        int(Qt.ItemDataRole.AccessibleTextRole),
        int(Qt.ItemDataRole.TextAlignmentRole),
    )
)

_LOADING = Cell("", State.LOADING)
_NOTHING = Cell("")


@dataclass(frozen=True, slots=True)
class Marks:
    """What a filter looked for: words to mark, in any column or in the named ones only. Words are lower case."""

    words: tuple[str, ...] = ()
    columns: frozenset[str] | None = None


class RecordTableModel(QAbstractTableModel):
    """Rows of `RowCache` in the order of a search's hits; columns as a survey found them.

    *row_height* in pixels bounds how many rows one view can hold; `left_out` says how many are not shown.
    """

    def __init__(self, cache: RowCache, *, row_height: int = 28, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cache = cache
        self._rows: Sequence[int] = ()
        self._columns: tuple[Column, ...] = ()
        self._survey = Survey((), 0, 0)
        self._marks = Marks()
        self._most = MOST_PIXELS // row_height
        cache.arrived.connect(self._came)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns in the order of the model."""
        return self._columns

    @property
    def rows(self) -> Sequence[int]:
        """Record numbers in the order shown."""
        return self._rows

    @property
    def left_out(self) -> int:
        """Rows beyond what one view can be scrolled over."""
        return max(len(self._rows) - self._most, 0)

    def set_survey(self, survey: Survey) -> None:
        """Show the columns of *survey*; those known already stay where they are, and so does what is selected."""
        known = [(column.kind, column.name) for column in self._columns]
        found = {(column.kind, column.name): column for column in survey.columns}
        new = [column for name, column in found.items() if name not in set(known)]
        self._survey = survey
        if not all(name in found for name in known) or not known:
            self.beginResetModel()
            self._columns = survey.columns
            self.endResetModel()
            return
        self._columns = tuple(found[name] for name in known)
        if new:
            self.beginInsertColumns(QModelIndex(), len(known), len(known) + len(new) - 1)
            self._columns += tuple(new)
            self.endInsertColumns()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def set_rows(self, rows: Sequence[int]) -> None:
        """Show the records of these numbers in this order."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def set_marks(self, marks: Marks) -> None:
        """Mark words in the cells."""
        if marks != self._marks:
            self._marks = marks
            if self.rowCount() and self._columns:
                last = self.index(self.rowCount() - 1, len(self._columns) - 1)
                self.dataChanged.emit(self.index(0, 0), last, [HITS_ROLE])

    def number(self, row: int) -> int:
        """Return the number of the record in *row*."""
        return self._rows[row]

    def row_of(self, number: int) -> int | None:
        """Return the row of record *number*, None if it is not shown."""
        try:
            row = self._rows.index(number)
        except ValueError:
            return None
        return row if row < self.rowCount() else None

    def row(self, row: int) -> Row | None:
        """Return the parsed record in *row* if it is here."""
        return self._cache.peek(self._rows[row]) if 0 <= row < len(self._rows) else None

    def cell(self, row: int, section: int) -> Cell | None:
        """Return what a cell shows, None if its record is not here."""
        found = self.row(row)
        return self._cell(found, self._columns[section], first=section == 1) if found is not None else None

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else min(len(self._rows), self._most)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        # A view asks for a dozen roles of every cell it paints: those without an answer must cost nothing.
        if not index.isValid() or role not in _ANSWERED or (role == HITS_ROLE and not self._marks.words):
            return None
        number = self._rows[index.row()]
        row = self._cache.peek(number)
        column = self._columns[index.column()]
        if row is None:
            self._cache.want(number)
            return cell_data(_LOADING, role)
        cell = self._cell(row, column, first=index.column() == 1)
        if role == HITS_ROLE:
            return self._hits(cell, column)
        if role == Qt.ItemDataRole.ToolTipRole and column.kind == "member" and _repeats(row, column.name):
            return as_tooltip(self.tr("The record holds this key more than once; the last value is shown."))
        return cell_data(cell, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == COLUMN_ROLE:
            return column
        if role == Qt.ItemDataRole.DisplayRole:
            return self.title(column)[:200]
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            text = self._about(column)
            return as_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def title(self, column: Column) -> str:
        """Return what a column is called."""
        if column.kind == "key":
            return self.tr("id") if column.numeric else self.tr("key")
        return self.tr("value") if column.kind == "value" else column.name

    def value(self, row: Row, column: Column) -> Value | Missing:
        """Return what a record has in *column*."""
        if column.kind == "key":
            return row.key
        return row.value if column.kind == "value" else row.member(column.name)

    def presence(self, column: Column) -> str:
        """Return the share of the records looked at that have the column: ``91 %``; nothing for all of them."""
        if column.share >= 1:
            return ""
        # Never rounded up to all, never down to none.
        percent = min(max(round(column.share * 100), 1), 99)
        return self.tr("< 1 %") if column.share < 0.01 else f"{percent} %"

    def _about(self, column: Column) -> str:
        share = self.presence(column) or "100 %"
        sampled = count_text(self._survey.sampled)
        if self._survey.sampled >= self._survey.total:
            text = self.tr("{name}: {types}, in {share} of all {sampled} records")
        else:
            text = self.tr("{name}: {types}, in {share} of the first {sampled} of {total} records")
            text = text.replace("{total}", count_text(self._survey.total))
        types = ", ".join(f"{name} {count_text(count)}" for name, count in column.types.most_common())
        for mark, content in (("{types}", types), ("{share}", share), ("{sampled}", sampled)):
            text = text.replace(mark, content)
        return text.replace("{name}", self.title(column)[:200])

    def _cell(self, row: Row, column: Column, *, first: bool) -> Cell:
        if row.error and column.kind != "key":
            return cell_text(ValueError(row.error)) if first else _NOTHING
        if column.kind == "key":
            cell = cell_text(row.key)
            return Cell(cell.text, cell.state, cell.tooltip, right=column.numeric, suffix=cell.suffix)
        if column.kind == "value" or isinstance(row.value, dict | RepeatedKeys):
            return cell_text(self.value(row, column))
        return cell_text(MISSING)

    def _hits(self, cell: Cell, column: Column) -> list[tuple[int, int]]:
        marks = self._marks
        if not marks.words or (marks.columns is not None and column.name not in marks.columns):
            return []
        text = cell.text.lower()
        if len(text) != len(cell.text):
            return []  # some capital letters become two: places would no longer fit
        hits = []
        for word in marks.words:
            start = text.find(word)
            while start >= 0:
                hits.append((start, len(word)))
                start = text.find(word, start + len(word))
        return hits

    def _came(self, numbers: list[int]) -> None:
        if not self._columns or not self.rowCount():
            return
        last = len(self._columns) - 1
        # Looking for rows among millions of hits would take longer than painting the screen once more.
        places = [self.row_of(number) for number in numbers] if isinstance(self._rows, range) else []
        rows = [row for row in places if row is not None] or [0, self.rowCount() - 1]
        self.dataChanged.emit(self.index(min(rows), 0), self.index(max(rows), last))


def _repeats(row: Row, name: str) -> bool:
    return isinstance(row.value, RepeatedKeys) and sum(key == name for key, _ in row.value.pairs) > 1
