"""What stands below the candidates: why, what opens the result and with which configuration, and where it goes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.controls import Button, IconLabel, Label
from inspector.gui.file_field import FileField
from inspector.gui.paint import contents, panel
from inspector.gui.theme import theme

_NAME = 40
"""Characters of a file name that a choice shows."""

_LINES = 3
"""Lines of the configuration that show without scrolling."""


class Line(QWidget):
    """A sentence with an icon before it; hidden while it is empty."""

    def __init__(self, icon: str, token: str = "muted") -> None:
        super().__init__()
        self.label = Label("", "body", wrap=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(icon, token), 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.label, 1)
        self.hide()

    def set_text(self, text: str) -> None:
        """Say something else."""
        self.label.setText(text)
        self.setVisible(bool(text))


class Reason(QWidget):
    """Why the chosen candidate is a good one, and a second thought below."""

    def __init__(self) -> None:
        super().__init__()
        self.first = Label("", "name", wrap=True)
        self.second = Label("", "body", wrap=True, token="muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(IconLabel("sparkles", "accentText"), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.first)
        words.addWidget(self.second)
        layout.addLayout(words, 1)

    def set_texts(self, first: str, second: str) -> None:
        """Say something else."""
        self.first.setText(first)
        self.second.setText(second)
        self.second.setVisible(bool(second))


class Configuration(QFrame):
    """The configuration that a server needs, its copy button, and the tick that says the server has it."""

    copy_wanted = Signal(str)
    changed = Signal()
    """The tick was set or taken away."""

    def __init__(self) -> None:
        super().__init__()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(self.tr("Jupyter configuration"))
        self.copy = Button(self.tr("Copy snippet"), "ghost", icon="copy", height=28)
        self.copy.clicked.connect(lambda: self.copy_wanted.emit(self.text.toPlainText()))
        self.ready = QCheckBox(self.tr("This server has the class"))
        self.ready.toggled.connect(lambda _: self.changed.emit())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(6)
        box = _CodeBox()
        row = QHBoxLayout(box)
        row.setContentsMargins(10, 4, 6, 4)
        row.addWidget(self.text, 1)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        outer.addWidget(box)
        outer.addWidget(self.ready)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_text(self, text: str) -> None:
        """Show another configuration."""
        if text != self.text.toPlainText():
            self.text.setPlainText(text)

    def _restyle(self) -> None:
        font = theme().font(12, mono=True)
        self.text.setFont(font)
        # Under the lines lies the scroll bar of those that are longer.
        bar = self.text.horizontalScrollBar().sizeHint().height()
        self.text.setFixedHeight(_LINES * QFontMetrics(font).lineSpacing() + theme().px(12) + bar)
        # The box around it has fill and outline; a field within a field would show two.
        self.text.setStyleSheet("QPlainTextEdit { background: transparent; border: none; }")


class _CodeBox(QFrame):
    """The sunken frame around code."""

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme().color
        panel(QPainter(self), contents(self), 6, fill=colours("sunken"), line=colours("border"))


class TargetChoice(QWidget):
    """In place, with the name under which the original is kept, or a copy under a name to choose."""

    changed = Signal()

    def __init__(self, backup: str, copy: Path) -> None:
        super().__init__()
        if len(backup) > _NAME:
            backup = f"{backup[: _NAME // 2]}…{backup[-_NAME // 2 :]}"
        in_place = self.tr("In place (the original is kept as {name})").replace("{name}", backup)
        self.in_place = QRadioButton(in_place)
        self.copy = QRadioButton(self.tr("Write a copy…"))
        self.file = FileField(self.tr("File to write"))
        self.file.set_path(copy)
        self.note = Label("", "error", wrap=True)
        self.file.hide()
        self.note.hide()
        self.in_place.setChecked(True)
        group = QButtonGroup(self)
        group.addButton(self.in_place)
        group.addButton(self.copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self._row = QHBoxLayout()
        self._row.setSpacing(16)
        self._row.addWidget(self.in_place)
        self._row.addWidget(self.copy)
        self._row.addStretch(1)
        layout.addLayout(self._row)
        layout.addWidget(self.file)
        layout.addWidget(self.note)
        self.copy.toggled.connect(self._toggle)
        self.file.changed.connect(self._check)

    def stack(self, narrow: bool) -> None:
        """Put the two choices below each other where the window is *narrow*."""
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._row.setDirection(down if narrow else across)

    def is_in_place(self) -> bool:
        """Say whether the store itself is replaced."""
        return self.in_place.isChecked()

    def target(self) -> Path | None:
        """Return where the copy goes; None in place, or while no new name is given."""
        path = self.file.path()
        return None if self.is_in_place() or path is None or path.exists() else path

    def choose_copy(self, path: Path) -> None:
        """Have a copy written to *path*."""
        self.copy.setChecked(True)
        self.file.set_path(path)

    def forbid_in_place(self) -> None:
        """Offer the copy only."""
        self.copy.setChecked(True)
        self.in_place.setEnabled(False)

    def _toggle(self, copy: bool) -> None:
        self.file.setVisible(copy)
        self._check()

    def _check(self) -> None:
        path = self.file.path()
        taken = not self.is_in_place() and path is not None and path.exists()
        self.note.setText(self.tr("{file} exists. Choose another name.").replace("{file}", str(path)) if taken else "")
        self.note.setVisible(taken)
        self.changed.emit()
