"""Asks where a version is to be written: a file dialog that never offers to replace a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.gui.version_work import Form
from inspector.model import CollectionInfo

_SUFFIXES: dict[Form, str] = {"notebook": ".ipynb", "text": ".txt", "records": ".jsonl"}


class VersionDialog(QFileDialog):
    """Names a new file for one version; *chosen* gives path and form."""

    chosen = Signal(object, str)

    def __init__(self, parent: QWidget, title: str, proposal: Path, forms: tuple[Form, ...]) -> None:
        super().__init__(parent, title, str(proposal.parent))
        self._forms = forms
        words: dict[Form, str] = {
            "notebook": self.tr("Notebook (*.ipynb)"),
            "text": self.tr("Text (*.txt *.md *.py)"),
            "records": self.tr("Records as JSON Lines (*.jsonl)"),
        }
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)  # an existing file is refused, never replaced
        self.setNameFilters([words[form] for form in forms])
        self.filterSelected.connect(self._follow_filter)
        self._follow_filter()
        self.selectFile(proposal.name)
        self.fileSelected.connect(self._choose)

    @property
    def form(self) -> Form:
        """What the version is written as."""
        filters = self.nameFilters()
        return self._forms[filters.index(self.selectedNameFilter())]

    def _follow_filter(self) -> None:
        self.setDefaultSuffix(_SUFFIXES[self.form].lstrip("."))

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
