"""The parts of a result page: the file before and after, what was verified, what was lost, the equal command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QListView, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.controls import Bar, Button, Card, ElidedLabel, IconLabel, Label, Separator
from inspector.gui.convert_work import loss_text, place_text
from inspector.gui.flow import Flow, titled
from inspector.gui.paint import contents, panel
from inspector.gui.texts import count_text, size_text, visible
from inspector.gui.theme import theme
from inspector.model import Loss
from inspector.operations.outcome import Check

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

MOST_PLACES = 6
"""Places of a loss that are visible without scrolling."""
_ROW = 36


@dataclass(frozen=True, slots=True)
class Side:
    """A file before or after a job: *share* is the length of its bar, 0 to 1, *note* what is in it."""

    heading: str
    name: str
    kind: str
    size: int
    share: float
    note: str


class SizeCard(Card):
    """One file with its size as a figure and a bar."""

    def __init__(self, side: Side, *, token: str) -> None:
        super().__init__()
        self.body.setContentsMargins(19, 15, 19, 15)
        self.body.addWidget(Label(side.heading, "section"))
        self.name = ElidedLabel(side.name, "title", middle=True)
        self.kind = Label(side.kind, "body", wrap=True, token="muted")
        self.figure = Label(size_text(side.size), "figure")
        self.bar = Bar(side.heading, height=8, token=token)
        self.bar.set_share(side.share)
        self.note = Label(side.note, "secondary", wrap=True)
        for widget in (self.name, self.kind, self.figure, self.bar, self.note):
            self.body.addWidget(widget)

    def set_gone(self, note: str) -> None:
        """Show that the file is no more there."""
        self.bar.set_share(0)
        self.note.setText(note)


class ChecksCard(Card):
    """What was compared when the result was read back, a row for each check."""

    def __init__(self, checks: Sequence[Check], title: str, passed: str) -> None:
        super().__init__(title)
        if passed:
            self.header.addWidget(Label(passed, "added"))
        grid = QGridLayout()
        grid.setContentsMargins(16, 0, 16, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(0)
        # As in all such lists, the name has about a third.
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 5)
        for number, check in enumerate(checks):
            row = 2 * number
            count = Label(count_text(check.count), "body")
            count.setAccessibleName(f"{check.name}: {count.text()}, {check.detail}")
            grid.addWidget(IconLabel("circle-check", "addText"), row, 0)
            grid.addWidget(Label(check.name, "name"), row, 1)
            grid.addWidget(Label(check.detail, "body", wrap=True, token="muted"), row, 2)
            grid.addWidget(count, row, 3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.setRowMinimumHeight(row, theme().px(_ROW))
            if number + 1 < len(checks):
                grid.addWidget(Separator(), row + 1, 0, 1, 4)
        self.body.addLayout(grid)


class PlacesModel(QAbstractListModel):
    """The places of all losses, one a row: what was lost, and where."""

    def __init__(self, losses: Sequence[Loss], labels: dict[str, str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places = [(loss.kind, where) for loss in losses for where in loss.where]
        self._labels = labels

    def place(self, row: int) -> str:
        """Return the place in *row* as the loss names it."""
        return self._places[row][1]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if not index.isValid() or role != Qt.ItemDataRole.DisplayRole:
            return None
        kind, where = self._places[index.row()]
        return f"{visible(place_text(where, self._labels), 150)} · {loss_text(kind)}"[:200]


class PlacesView(QListView):
    """The places of the losses; Enter or a double click opens the collection."""

    wanted = Signal(str)

    def __init__(self, model: PlacesModel) -> None:
        super().__init__()
        self._places = model
        self.setModel(model)
        self.setUniformItemSizes(True)
        self.setAccessibleName(self.tr("Records with losses"))
        self.activated.connect(lambda index: self.wanted.emit(model.place(index.row())))
        rows = min(max(model.rowCount(), 1), MOST_PLACES)
        self.setFixedHeight(rows * max(self.sizeHintForRow(0), theme().px(28)) + 2)


class Strip(QFrame):
    """A coloured strip with an icon, a title and lines below it; `right` takes what stands at its right."""

    def __init__(self, title: str, lines: Sequence[str], *, warning: bool) -> None:
        super().__init__()
        self._fill = "warnBg" if warning else "addBg"
        token = "warnText" if warning else "addText"
        self.setAccessibleName(title)
        layout = Flow(self, spacing=12)
        layout.setContentsMargins(20, 12, 16, 12)
        icon = IconLabel("triangle-alert" if warning else "shield-check", token, 20)
        below = QWidget()
        words = QVBoxLayout(below)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(2)
        for line in lines:
            words.addWidget(Label(line, "body", wrap=True))
        layout.addWidget(titled(icon, Label(title, "title", wrap=True, token=token), below))
        layout.addStretch()
        self.right = QHBoxLayout()
        self.right.setSpacing(8)
        layout.addLayout(self.right)
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        line = theme().color("border") if theme().high_contrast else None
        panel(QPainter(self), contents(self), 8, fill=theme().color(self._fill), line=line)


class CommandRow(QFrame):
    """The command line that does the same, with buttons for it."""

    def __init__(self, command: str, buttons: Sequence[Button]) -> None:
        super().__init__()
        layout = Flow(self)
        layout.setContentsMargins(16, 6, 8, 6)
        layout.addWidget(IconLabel("terminal"))
        shown = ElidedLabel(command, "monoSmall", middle=True)
        shown.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layout.addWidget(shown)
        layout.addStretch()
        for button in buttons:
            layout.addWidget(button)
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme().color
        panel(QPainter(self), contents(self), 8, fill=colours("sunken"), line=colours("border"))


def kept(heading: str, path: str, copy: QWidget) -> QWidget:
    """Return a note of two lines at the right of a strip: *heading*, and *path* with its *copy* button."""
    holder = QWidget()
    layout = QHBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    words = QVBoxLayout()
    words.setSpacing(2)
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    first, second = Label(heading, "secondary"), ElidedLabel(path, "body", middle=True)
    for label in (first, second):
        label.setAlignment(right)
        words.addWidget(label)
    layout.addLayout(words)
    layout.addWidget(copy)
    return holder
