"""Asks where a version is to be written: a file dialog that never offers to replace a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.gui.version_work import Form
from inspector.model import CollectionInfo

_SUFFIXES: dict[Form, str] = {"notebook": ".ipynb", "text": ".txt", "records": ".jsonl"}


class VersionDialog(QObject):
    """Names a new file for one version; *chosen* gives path and form.

    `dialog` is Qt's own class and not derived from it: only that one opens the desktop's dialog where there is one.
    """

    chosen = Signal(object, str)

    def __init__(self, parent: QWidget, title: str, proposal: Path, forms: tuple[Form, ...]) -> None:
        super().__init__(parent)
        self._forms = forms
        self.dialog = QFileDialog(parent, title, str(proposal.parent))
        words: dict[Form, str] = {
            "notebook": self.tr("Notebook (*.ipynb)"),
            "text": self.tr("Text (*.txt *.md *.py)"),
            "records": self.tr("Records as JSON Lines (*.jsonl)"),
        }
        self.dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        # An existing file is refused, never replaced.
        self.dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        self.dialog.setNameFilters([words[form] for form in forms])
        self.dialog.filterSelected.connect(self._follow_filter)
        self._follow_filter()
        self.dialog.selectFile(proposal.name)
        self.dialog.fileSelected.connect(self._choose)
        self.dialog.finished.connect(self._end)

    def open(self) -> None:
        """Ask, without holding up the window; the dialog goes when it has been answered."""
        self.dialog.open()

    @property
    def form(self) -> Form:
        """What the version is written as."""
        filters = self.dialog.nameFilters()
        return self._forms[filters.index(self.dialog.selectedNameFilter())]

    def _end(self) -> None:
        self.dialog.deleteLater()
        self.deleteLater()

    def _follow_filter(self) -> None:
        self.dialog.setDefaultSuffix(_SUFFIXES[self.form].lstrip("."))

    def _choose(self, path: str) -> None:
        self.chosen.emit(Path(path), self.form)


def proposed_path(store: Path, entry: CollectionInfo, version: int, form: Form) -> Path:
    """Return a free name beside the store for a version of a document: ``analysis-version-3284.ipynb``."""
    name = Path(entry.label.rstrip("/").rsplit("/", 1)[-1] or "document")
    own = name.suffix if form == "text" and name.suffix not in ("", ".ipynb", ".y") else _SUFFIXES[form]
    stem = f"{name.stem or 'document'}-version-{version}"
    number = 1
    while (path := store.parent / f"{stem}{'' if number == 1 else f'-{number}'}{own}").exists():
        number += 1
    return path
