"""One value in full: large, with its type, its exact text in the file, and everything that can be copied of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from inspector.gui import copying
from inspector.gui.cells import MINUS, Missing
from inspector.gui.controls import Button, Chip, CodeField, ElidedLabel
from inspector.gui.copying import Piece
from inspector.gui.text_pane import TextPane
from inspector.gui.texts import count_text, size_text, visible
from inspector.gui.theme import theme
from inspector.gui.value_model import type_word
from inspector.values import NumberText, RepeatedKeys

MOST_SHOWN = 2_000_000
"""Characters of a text that are shown until all of it is asked for."""

_SHORT = 28
"""Longest value that is shown large on one line."""


class ValueDetail(QWidget):
    """Shows one `Piece` with the Python path to it."""

    copied = Signal(str, str)
    """A text for the clipboard, and what it is."""

    def __init__(self) -> None:
        super().__init__()
        self._piece: Piece | None = None
        self._path = ""
        self._large = ElidedLabel("", "mono")
        self._chip = Chip("", "mono")
        self._pane = TextPane(self.tr("Text"))
        self._more = Button("", "link", height=28)
        self._exact = ElidedLabel("", "secondary")
        self._code = CodeField("", self.tr("Copy path"))
        self._value_button = Button(self.tr("Copy value"), height=34)
        self._path_button = Button(self.tr("Copy path"), height=34)
        self._as_button = Button(self.tr("Copy as…"), height=34)
        self._more.clicked.connect(self._show_all)
        self._value_button.clicked.connect(self.copy_value)
        self._path_button.clicked.connect(self.copy_path)
        self._as_button.clicked.connect(self._menu)
        self._code.copied.connect(lambda text: self.copied.emit(text, self.tr("Path")))
        self._lay_out()
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def text(self) -> str:
        """What is shown as the value."""
        return self._large.text() if self._pane.isHidden() else self._pane.toPlainText()

    @property
    def type_text(self) -> str:
        """What the chip says."""
        return self._chip.text()

    @property
    def exact_text(self) -> str:
        """What is said of the text in the file."""
        return self._exact.text()

    @property
    def path_text(self) -> str:
        """The Python path."""
        return self._code.text()

    def show_value(self, piece: Piece, path: str, *, stored: bool) -> None:
        """Show *piece*; *stored* says that its text is that of the file, not written anew."""
        self._piece, self._path = piece, path
        value = piece.value
        self._chip.setText(self._type(value))
        self._chip.updateGeometry()
        self._code.set_text(visible(path, 2000))
        size = len(piece.text.encode("utf-8", "surrogatepass"))
        pattern = self.tr("Exact text in file: {text} ({size})") if stored else self.tr("As JSON: {text} ({size})")
        shown = visible(piece.text, 120) + ("…" if len(piece.text) > 120 else "")
        self._exact.setText(pattern.replace("{size}", self._bytes(size)).replace("{text}", shown))
        long = isinstance(value, str) and (len(value) > _SHORT or "\n" in value)
        self._pane.setVisible(long)
        self._large.setVisible(not long)
        self._more.setVisible(long and len(str(value)) > MOST_SHOWN)
        if isinstance(value, str) and long:
            size_all = size_text(len(value.encode("utf-8", "surrogatepass")))
            self._more.setText(self.tr("Load all ({size})").replace("{size}", size_all))
            self._pane.show_text(value[:MOST_SHOWN])
        else:
            self._large.setText(self._line(piece))

    def copy_value(self) -> None:
        """Copy the exact value."""
        if self._piece is None:
            return
        changed = isinstance(self._piece.value, str) and copying.holds_surrogates(self._piece.value)
        what = self.tr("Value, as JSON text because it holds half a surrogate pair") if changed else self.tr("Value")
        self.copied.emit(copying.exact(self._piece), what)

    def copy_path(self) -> None:
        """Copy the Python path."""
        self.copied.emit(self._path, self.tr("Path"))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._large, 1)
        head.addWidget(self._chip, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._value_button, self._path_button, self._as_button):
            buttons.addWidget(button, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self._pane)
        layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._exact)
        layout.addSpacing(4)
        layout.addLayout(buttons)
        layout.addWidget(self._code)

    def _line(self, piece: Piece) -> str:
        value = piece.value
        if isinstance(value, str):
            return f'"{visible(value, _SHORT)}"'
        if isinstance(value, dict | list | RepeatedKeys):
            count = len(value.pairs) if isinstance(value, RepeatedKeys) else len(value)
            return f"[{count}]" if isinstance(value, list) else f"{{{count}}}"
        if isinstance(value, bytes):
            return visible(value[:16].hex(" "), 60) + ("…" if len(value) > 16 else "")
        shown = visible(piece.text, 400)
        return MINUS + shown[1:] if shown.startswith("-") else shown

    def _type(self, value: object) -> str:
        word = type_word(value)
        if isinstance(value, str):
            return self._counted(word, self.tr("%n characters", "", len(value)), len(value))
        if isinstance(value, list):
            return self._counted(word, self.tr("%n items", "", len(value)), len(value))
        if isinstance(value, dict | RepeatedKeys):
            count = len(value.pairs) if isinstance(value, RepeatedKeys) else len(value)
            return self._counted(word, self.tr("%n keys", "", count), count)
        if isinstance(value, bytes):
            return f"{word} · {size_text(len(value))}"
        if isinstance(value, NumberText) and not value.whole:
            return self.tr("number beyond float64")
        return "float64" if isinstance(value, float) else word

    def _counted(self, word: str, counted: str, count: int) -> str:
        return f"{word} · {counted.replace(str(count), count_text(count), 1)}"

    def _bytes(self, size: int) -> str:
        return self.tr("%n bytes", "", size) if size < 1000 else size_text(size)

    def _show_all(self) -> None:
        if self._piece is not None and isinstance(self._piece.value, str):
            self._more.hide()
            self._pane.show_text(self._piece.value)

    def _menu(self) -> None:
        piece = self._piece
        if piece is None or isinstance(piece.value, Missing):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        forms: list[tuple[str, Callable[[], str]]] = [
            (self.tr("JSON"), lambda: copying.escaped(piece.text)),
            (self.tr("Python"), lambda: copying.python(piece.value)),
            (self.tr("CSV text, safe for spreadsheets"), lambda: copying.spreadsheet_safe(piece)),
        ]
        for label, make in forms:
            action = menu.addAction(label)
            action.triggered.connect(lambda _=False, label=label, make=make: self.copied.emit(make(), label))
        menu.popup(self._as_button.mapToGlobal(self._as_button.rect().bottomLeft()))

    def _restyle(self) -> None:
        self._large.setFont(theme().font(18, mono=True))
        self._pane.setFixedHeight(theme().px(140))
