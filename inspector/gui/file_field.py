"""The name of a file that will be written: a field to type in, and a button that asks for it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from inspector.gui.controls import Button
from inspector.gui.theme import theme


class FileField(QWidget):
    """A path to write to. *name* is the field's accessible name and the title of the file dialog."""

    changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.browse = Button(self.tr("Browse…"))
        self.browse.clicked.connect(self._ask)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.browse)
        self.field.textChanged.connect(lambda _: self.changed.emit())
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_name(self, name: str) -> None:
        """Call the field *name*."""
        self._name = name
        self.field.setAccessibleName(name)

    def path(self) -> Path | None:
        """Return the path that is named, None while the field is empty."""
        text = self.field.text().strip()
        return Path(text).expanduser() if text else None

    def set_path(self, path: Path) -> None:
        """Name *path*."""
        self.field.setText(str(path))
        self.field.setCursorPosition(len(self.field.text()))

    def _ask(self) -> None:
        # The sheet asks itself before it replaces a file, so that the answer is kept beside the plan.
        chosen, _ = QFileDialog.getSaveFileName(
            self, self._name, self.field.text(), options=QFileDialog.Option.DontConfirmOverwrite
        )
        if chosen:
            self.set_path(Path(chosen))

    def _restyle(self) -> None:
        self.field.setFont(theme().font(12, mono=True))


def free_name(path: Path) -> Path:
    """Return *path*, or the first of ``NAME-2``, ``NAME-3``, … beside it that does not exist."""
    stem, dot, rest = path.name.partition(".")
    number = 1
    while path.exists():
        number += 1
        path = path.with_name(f"{stem}-{number}{dot}{rest}")
    return path


def backup_name(path: Path) -> str:
    """Return under which name *path* will be kept when it is replaced: ``NAME.bak``, then ``NAME.bak2`` and so on."""
    number = 1
    while (backup := path.with_name(f"{path.name}.bak{'' if number == 1 else number}")).exists():
        number += 1
    return backup.name
