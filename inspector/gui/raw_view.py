"""The Raw view of a records page: the selected record's text exactly as it is stored."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector import values
from inspector.gui.controls import Button, ElidedLabel, Label
from inspector.gui.copying import escaped
from inspector.gui.record_rows import Row
from inspector.gui.shell import Shell
from inspector.gui.text_pane import TextPane
from inspector.gui.texts import size_text, visible
from inspector.gui.theme import theme

MOST_SHOWN = 2_000_000
"""Bytes of a record that are shown until all of it is asked for."""


class RawView(QWidget):
    """Shows one `Row`: a header with key and size, and the text with line numbers."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._row: Row | None = None
        self._title = ElidedLabel("", "name")
        self._note = Label("", "secondary")
        self._more = Button("", "link", height=28)
        self._copy = Button(self.tr("Copy text"), "ghost", icon="copy", height=28)
        self.pane = TextPane(self.tr("Stored text"), numbers=True)
        self._more.clicked.connect(self._show_all)
        self._copy.clicked.connect(self._copy_text)
        head = QHBoxLayout()
        head.setContentsMargins(16, 4, 8, 4)
        head.setSpacing(12)
        head.addWidget(self._title, 1)
        head.addWidget(self._more)
        head.addWidget(self._note)
        head.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.pane, 1)
        self.setFocusProxy(self.pane)
        self.show_row(None)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def note(self) -> str:
        """What is said about the text."""
        return self._note.text()

    def show_row(self, row: Row | None) -> None:
        """Show a record, or that none is selected."""
        if row is self._row and row is not None:
            return
        self._row = row
        self._copy.setEnabled(row is not None)
        self._more.hide()
        if row is None:
            self._title.setText(self.tr("No record selected"))
            self._note.setText("")
            self.pane.show_text("")
            return
        self._title.setText(self.tr("Record {key}").replace("{key}", visible(row.key, 100)))
        size = size_text(len(row.raw)) if row.raw is not None else ""
        about = self.tr("as stored") if row.raw is not None else self.tr("the format stores no text; written as JSON")
        self._note.setText(f"{about} · {size}" if size else about)
        if row.raw is not None and len(row.raw) > MOST_SHOWN:
            self._more.setText(self.tr("Load all ({size})").replace("{size}", size))
            self._more.show()
        self.pane.show_text(self.text(MOST_SHOWN))

    def text(self, most: int | None = None) -> str:
        """Return the record's text, of a long one the first *most* bytes."""
        if self._row is None:
            return ""
        if self._row.raw is None:
            return values.write(self._row.value)[:most]
        raw = self._row.raw if most is None else self._row.raw[:most]
        return raw.decode("utf-8", "surrogatepass" if _passes(raw) else "replace")

    def _show_all(self) -> None:
        self._more.hide()
        self.pane.show_text(self.text())

    def _copy_text(self) -> None:
        self._shell.copy(escaped(self.text()), self.tr("Stored text"))

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme().color("surface"))
        self.setPalette(palette)
        self.setAutoFillBackground(True)
        self.pane.setStyleSheet("QPlainTextEdit { border: none; border-radius: 0; padding: 0; }")
        self._title.setAlignment(Qt.AlignmentFlag.AlignVCenter)


def _passes(raw: bytes) -> bool:
    try:
        values.decode_utf8(raw)
    except UnicodeDecodeError:
        return False
    return True
