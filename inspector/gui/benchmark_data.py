"""The data to measure on: open stores, a sample, files of the user's choice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from inspector.gui.controls import Button, ElidedLabel
from inspector.gui.shell import OpenStore
from inspector.gui.texts import size_text
from inspector.gui.theme import theme
from inspector.resources import resource


@dataclass(frozen=True, slots=True)
class Data:
    """Files to measure on, and how the panel names them."""

    name: str
    detail: str
    paths: tuple[Path, ...]


class DataList(QWidget):
    """The open stores, a sample, and files of the user's choice: one is chosen."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self._entries: list[Data] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(8)
        self._others = QVBoxLayout()
        self._others.setSpacing(8)
        self.files = Button(self.tr("Files on disk…"), "link", height=24)
        self.files.clicked.connect(self._ask)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(self._rows)
        layout.addLayout(self._others)
        layout.addWidget(self.files, 0, Qt.AlignmentFlag.AlignLeft)
        self._group.idToggled.connect(lambda _id, on: self.changed.emit() if on else None)
        self._add(self._sample(), self._others)

    def chosen(self) -> tuple[Path, ...]:
        """Return the files of the chosen entry."""
        return self._entries[self._group.checkedId()].paths if self._group.checkedId() >= 0 else ()

    def set_stores(self, stores: Sequence[OpenStore]) -> None:
        """Offer the stores that are open; one that was closed stays, since its file can still be measured."""
        for store in stores:
            if all(entry.paths != (store.path,) for entry in self._entries):
                self._add(Data(store.path.name, self._detail(store), (store.path,)), self._rows)

    def choose(self, paths: tuple[Path, ...]) -> None:
        """Choose the entry of *paths*; one is made if there is none."""
        for number, entry in enumerate(self._entries):
            if entry.paths == paths:
                self._group.button(number).setChecked(True)
                return
        known = [path.stat().st_size for path in paths if path.exists()]
        name = paths[0].name if len(paths) == 1 else self.tr("%Ln file(s)", "", len(paths))
        self._add(Data(name, size_text(sum(known)), paths), self._others)
        self._group.button(len(self._entries) - 1).setChecked(True)

    def _detail(self, store: OpenStore) -> str:
        entries = store.store.collections
        documents = any(entry.kind == "document" for entry in entries)
        count = len(entries)
        parts = self.tr("%Ln document(s)", "", count) if documents else self.tr("%Ln table(s)", "", count)
        return f"{size_text(store.store.info.size)}, {parts}"

    def _sample(self) -> Data:
        first = json.loads(resource("samples/samples.json").read_text("utf-8"))[0]
        path = resource("samples") / first["file"]
        return Data(self.tr("Sample: {file}").replace("{file}", path.name), size_text(path.stat().st_size), (path,))

    def _add(self, entry: Data, rows: QVBoxLayout) -> None:
        number = len(self._entries)
        self._entries.append(entry)
        button = QRadioButton(entry.name.replace("&", "&&"))
        button.setAccessibleDescription(entry.detail)
        button.setToolTip(", ".join(map(str, entry.paths[:20])))
        self._group.addButton(button, number)
        detail = ElidedLabel(entry.detail, "small")
        row = QVBoxLayout()
        row.setSpacing(0)
        row.addWidget(button)
        line = QHBoxLayout()
        line.setContentsMargins(theme().px(24), 0, 0, 0)
        line.addWidget(detail)
        row.addLayout(line)
        rows.addLayout(row)
        if self._group.checkedId() < 0:
            button.setChecked(True)

    def _ask(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Files to measure"))
        if names:
            self.choose(tuple(map(Path, names)))
