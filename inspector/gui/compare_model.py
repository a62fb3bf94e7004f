"""The differences of two stores as a table: a virtual model over rows that are ready, in the order wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.cells import MISSING, Cell, State, cell_data, cell_text
from inspector.gui.compare_head import names_of
from inspector.gui.compare_rows import DiffRow, Preview, Rows, Shown
from inspector.gui.compare_work import Result
from inspector.gui.texts import count_text, visible
from inspector.operations.compare import Compared
from inspector.operations.compare_export import total
from inspector.operations.record_diff import Kind, Tally

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

CHANGE, COLLECTION, KEY, FIELD, BEFORE, AFTER = range(6)
"""The columns."""

KIND_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 30
"""What happened to the row's record: ``changed``, ``removed`` (only in A) or ``added`` (only in B)."""

SIGNS: dict[Kind, str] = {"changed": "±", "removed": "−", "added": "+"}
TOKENS: dict[Kind, tuple[str, str]] = {
    "changed": ("warnBg", "warnText"),
    "removed": ("delBg", "delText"),
    "added": ("addBg", "addText"),
}
"""Fill and text of what happened."""

translate = QCoreApplication.translate


def kind_words() -> dict[Kind, str]:
    """Return what people call the three kinds."""
    return {
        "changed": translate("Compare", "Changed"),
        "removed": translate("Compare", "Only in A"),
        "added": translate("Compare", "Only in B"),
    }


class CompareModel(QAbstractTableModel):
    """The rows of a `Result` that a filter wants."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = Rows()
        self._numbers: Sequence[int] = ()
        self._labels: dict[str, str] = {}
        self._names = ("A", "B")

    def set_result(self, result: Result) -> None:
        """Take another result; nothing is shown of it until `set_numbers`."""
        self.beginResetModel()
        self._rows, self._numbers = result.rows, ()
        self._labels = {one.match.name: one.match.label for one in result.compared}
        first, second = names_of(result.sides[0].source.path, result.sides[1].source.path)
        self._names = (f"A · {first}", f"B · {second}")
        self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, BEFORE, AFTER)

    def set_numbers(self, numbers: Sequence[int]) -> None:
        """Show the rows of these numbers in this order."""
        self.beginResetModel()
        self._numbers = numbers
        self.endResetModel()

    def row(self, row: int) -> DiffRow | None:
        """Return the difference in *row*."""
        return self._rows[self._numbers[row]] if 0 <= row < len(self._numbers) else None

    def number(self, row: int) -> int:
        """Return the number of the difference in *row* among all."""
        return self._numbers[row]

    def row_of(self, number: int) -> int | None:
        """Return in which row difference *number* is shown."""
        try:
            return self._numbers.index(number)
        except ValueError:
            return None

    def label(self, row: DiffRow) -> str:
        """Return what people call the collection of *row*."""
        return self._labels.get(row.collection, row.collection)

    def next_record(self, row: int, direction: int) -> int | None:
        """Return the first row below (1) or above (-1) *row* of another record, above the first row of that record."""
        count = len(self._numbers)
        place = row
        while 0 <= place < count and self._in_one_record(place, row):
            place += direction
        if not 0 <= place < count:
            return None
        while direction < 0 and place > 0 and self._in_one_record(place - 1, place):
            place -= 1
        return place

    def _in_one_record(self, first: int, second: int) -> bool:
        return self._rows.same_record(self._numbers[first], self._numbers[second])

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._numbers)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else AFTER + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= AFTER:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            words = (self.tr("Change"), self.tr("Collection"), self.tr("Key"), self.tr("Field"), *self._names)
            return visible(words[section], 200)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        return row.kind if role == KIND_ROLE else cell_data(self.cell(row, index.column()), role)

    def cell(self, row: DiffRow, column: int) -> Cell:
        """Return what a cell shows."""
        if column == CHANGE:
            return Cell(f"{SIGNS[row.kind]}  {kind_words()[row.kind]}")
        if column == COLLECTION:
            return Cell(visible(self.label(row), 200))
        if column == KEY:
            return replace(cell_text(row.key), right=False)
        if column == FIELD:
            # A change of a document that is no object has no field: its value is what changed.
            whole = self.tr("whole value") if row.kind == "changed" else self.tr("whole record")
            return Cell(visible(row.path.removeprefix("."), 200)) if row.path else Cell(whole, faint=True)
        return side_cell(row.before if column == BEFORE else row.after)


def side_cell(value: Shown) -> Cell:
    """Return the cell of one side: texts in quotes, so that 1 and "1" differ; objects as their JSON text begins."""
    if isinstance(value, Preview):
        shown = visible(value.text, 199) + ("…" if len(value.text) > 199 else "")
        return Cell(shown, State.ARRAY if value.is_array else State.OBJECT)
    if value is MISSING:
        return Cell("—", State.MISSING, translate("Compare", "Nothing is there on this side."))
    cell = cell_text(value)
    if cell.state == State.TEXT:
        return replace(cell, text=f'"{cell.text[:196]}"', right=False)
    return replace(cell, right=False)


class CountsModel(QAbstractTableModel):
    """Records equal, changed, and on one side only: all of them in the first row, then by collection."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._compared: Sequence[Compared] = ()

    def set_compared(self, compared: Sequence[Compared]) -> None:
        """Show other counts."""
        self.beginResetModel()
        self._compared = compared
        self.endResetModel()

    def collection(self, row: int) -> str | None:
        """Return the name of the collection in *row*, None for all."""
        return self._compared[row - 1].match.name if 0 < row <= len(self._compared) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() or not self._compared else len(self._compared) + 1

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else 5

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < 5:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            kinds = kind_words()
            names = (self.tr("Records in"), self.tr("Equal"), kinds["changed"], kinds["removed"], kinds["added"])
            return names[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        return cell_data(self._cell(index.row(), index.column()), role)

    def _cell(self, row: int, column: int) -> Cell:
        if column == 0:
            return Cell(self._name(row))
        tally = total(self._compared) if row == 0 else self._compared[row - 1].tally
        count = _columns(tally)[column - 1]
        return Cell(count_text(count), State.NUMBER, right=True, faint=not count)

    def _name(self, row: int) -> str:
        if row == 0:
            return self.tr("All collections")
        match = self._compared[row - 1].match
        if match.before is None:
            return self.tr("{name} (collection only in B)").replace("{name}", visible(match.label, 150))
        if match.after is None:
            return self.tr("{name} (collection only in A)").replace("{name}", visible(match.label, 150))
        return visible(match.label, 200)


def _columns(tally: Tally) -> tuple[int, int, int, int]:
    return tally.unchanged, tally.changed, tally.removed, tally.added
