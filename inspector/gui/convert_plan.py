"""What a conversion would do, before anything is written: numbers, and every loss with its count and its places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHeaderView, QTableView, QVBoxLayout, QWidget

from inspector.gui.cell_delegate import CellDelegate
from inspector.gui.controls import Bar, InfoBar, KeyValueList, Label
from inspector.gui.convert_work import Planned, loss_text, place_text
from inspector.gui.texts import count_text, for_window, size_text, visible
from inspector.gui.theme import theme
from inspector.model import Loss

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

MOST_ROWS = 5
_ROW = 28
_PLACES = 4
"""Places of a loss that are named in its row."""


class LossModel(QAbstractTableModel):
    """Losses: what, how many, where."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[str, str, str]] = []

    def set_losses(self, losses: Sequence[Loss], labels: dict[str, str]) -> None:
        """Show *losses*; *labels* are the labels of the collections by name."""
        self.beginResetModel()
        self._rows = [(loss_text(loss.kind), count_text(loss.count), _places(loss, labels)) for loss in losses]
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else 3

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 2:
            return self._rows[index.row()][2]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < 3:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return (self.tr("Lost"), self.tr("Count"), self.tr("Where"))[section] if role == 0 else None


def _places(loss: Loss, labels: dict[str, str]) -> str:
    named = ", ".join(visible(place_text(where, labels), 60) for where in loss.where[:_PLACES])
    return f"{named}, …"[:200] if len(loss.where) > _PLACES else named[:200]


class LossView(QTableView):
    """The losses as a table."""

    def __init__(self, model: LossModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(CellDelegate(self))
        self.setAccessibleName(self.tr("Losses"))
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.horizontalHeader()
        header.setAccessibleName(self.tr("Columns"))
        header.setHighlightSections(False)
        for column in (0, 1):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        model.modelReset.connect(self._restyle)
        self._restyle()
        theme().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.verticalHeader().setMinimumSectionSize(theme().px(_ROW))
        self.verticalHeader().setDefaultSectionSize(theme().px(_ROW))
        rows = min(max(self.model().rowCount(), 1), MOST_ROWS)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows * theme().px(_ROW) + 4)


class PlanPanel(QWidget):
    """The plan of a job, or the sentence that says why there is none; with losses, the tick that accepts them."""

    changed = Signal()
    """A tick was set or taken away."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[str, str]] = []
        self._size = ""
        self._known: tuple[tuple[Loss, ...], Path] | None = None
        self.bar = Bar(self.tr("Computing what would be lost"))
        self.wait = Label(self.tr("Computing what would be lost…"), "secondary")
        self.problem = InfoBar("error", "")
        self.facts = KeyValueList()
        self.sound = InfoBar("ok", self.tr("Nothing is lost. Every record is read back and compared."))
        self.warning = InfoBar("warning", "")
        self.model = LossModel(self)
        self.table = LossView(self.model)
        self.accept_losses = QCheckBox(self.tr("Accept these losses"))
        self.replace = QCheckBox()
        self.exists = InfoBar("warning", "")
        self.opens = Label("", "secondary", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for widget in (self.wait, self.bar, self.problem, self.facts, self.opens, self.sound, self.warning, self.table,
                       self.accept_losses, self.exists, self.replace):  # fmt: skip
            column.addWidget(widget)
            widget.hide()
        column.addStretch(1)
        self.accept_losses.toggled.connect(lambda _: self.changed.emit())
        self.replace.toggled.connect(lambda _: self.changed.emit())

    def show_waiting(self) -> None:
        """Say that the plan is being made; what stood there before stays until it is there."""
        self.bar.set_share(None)
        self.bar.show()
        self.wait.show()

    def show_problem(self, text: str) -> None:
        """Say why the job cannot be done."""
        self._clear()
        self.problem.set_text(text)
        self.problem.show()

    def remember(self, planned: Planned, *, accepted: bool, replace: bool) -> None:
        """Set the ticks for a plan that was seen before; they stay if the next plan has the same losses and target."""
        self._known = (planned.plan.losses, planned.place.target)
        self.accept_losses.setChecked(accepted)
        self.replace.setChecked(replace)

    def show_plan(self, planned: Planned, labels: dict[str, str]) -> None:
        """Show what would be done; ticks stay only for the very same losses and target."""
        self._clear()
        plan = planned.plan
        losses, target = self._known or ((), None)
        if losses != plan.losses:
            self.accept_losses.setChecked(False)
        if target != planned.place.target:
            self.replace.setChecked(False)
        self._known = (plan.losses, planned.place.target)
        rows = [(self.tr("Records"), count_text(plan.records))]
        if plan.keeps_history and plan.versions:
            rows.append((self.tr("Versions"), count_text(plan.versions)))
        rows.append((self.tr("Size before"), size_text(plan.bytes_before)))
        self._rows = rows
        self.show_size(self._size)
        self.facts.show()
        self.opens.setText(self.tr("Opens in {programs}.").replace("{programs}", for_window("; ".join(plan.opens_in))))
        self.opens.setVisible(bool(plan.opens_in))
        self.sound.setVisible(not plan.losses)
        if plan.losses:
            self.warning.set_text(self.tr("%Ln kind(s) of content cannot be carried over.", "", len(plan.losses)))
            self.model.set_losses(plan.losses, labels)
        for widget in (self.warning, self.table, self.accept_losses):
            widget.setVisible(bool(plan.losses))
        exists = planned.place.exists
        if exists:
            self.exists.set_text(self.tr("{file} exists.").replace("{file}", planned.place.target.name))
        kept = self.tr("Replace it; the present file is kept beside it")
        kept_folder = self.tr("Replace it; the present folder is kept beside it")
        self.replace.setText(kept_folder if planned.place.folder else kept)
        for other in (self.exists, self.replace):
            other.setVisible(exists)

    def show_size(self, text: str = "") -> None:
        """Say how large the file will be, below the other numbers of the plan; without a text, that it is measured."""
        self._size = text
        text = text or self.tr("being measured…")
        self.facts.set_rows([*self._rows, (self.tr("Size after"), text)])

    def _clear(self) -> None:
        for widget in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            widget.hide()
