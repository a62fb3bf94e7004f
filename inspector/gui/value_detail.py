"""One value in full: large, with its type, its exact text in the file, and everything that can be copied of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

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

_SIZES = (18, 15, 13, 12)
"""Sizes of the large value: the first that shows all of it; what is longer than a line goes into the pane."""

_LONGEST_LINE = 60
_PANE_LINES = 8


class ValueDetail(QWidget):
    """Shows one `Piece` with the Python path to it."""

    copied = Signal(str, str)
    """A text for the clipboard, and what it is."""

    def __init__(self) -> None:
        super().__init__()
        self._piece: Piece | None = None
        self._path = ""
        self._line_text: str | None = ""
        self._shown = ""
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
        self._code.copied.connect(lambda text: self.copied.emit(text, self.tr("path")))
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
        self._shown = ""
        self._line_text = self._line(piece)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._piece is not None:
            self._fit()

    def _fit(self) -> None:
        """Show the value as large as it fits on a line; what does not fit goes into the pane, never cut."""
        line = self._line_text
        room = self.width() - 2 * theme().px(16) - self._chip.sizeHint().width() - theme().px(8)
        fonts = (theme().font(size, mono=True) for size in _SIZES)
        fitting = [font for font in fonts if line is not None and QFontMetrics(font).horizontalAdvance(line) < room]
        self._pane.setVisible(not fitting)
        self._large.setVisible(bool(fitting))
        self._more.hide()
        if line is not None and fitting:
            self._large.setFont(fitting[0])
            self._large.setText(line)
            return
        assert self._piece is not None
        text = self._piece.value if isinstance(self._piece.value, str) else line or self._piece.text
        lines = min(len(text) * theme().px(8) // max(room, 1) + text.count("\n", 0, 2000) + 2, _PANE_LINES)
        self._pane.setFixedHeight(lines * QFontMetrics(self._pane.font()).height() + theme().px(12))
        self._more.setVisible(len(text) > MOST_SHOWN)
        if len(text) > MOST_SHOWN:
            size = size_text(len(text.encode("utf-8", "surrogatepass")))
            self._more.setText(self.tr("Load all ({size})").replace("{size}", size))
        if text is not self._shown:
            self._shown = text
            self._pane.show_text(text[:MOST_SHOWN])

    def copy_value(self) -> None:
        """Copy the exact value."""
        if self._piece is None:
            return
        changed = isinstance(self._piece.value, str) and copying.holds_surrogates(self._piece.value)
        what = self.tr("value, as JSON text because it holds half a surrogate pair") if changed else self.tr("value")
        self.copied.emit(copying.exact(self._piece), what)

    def copy_path(self) -> None:
        """Copy the Python path."""
        self.copied.emit(self._path, self.tr("path"))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._large, 1)
        head.addWidget(self._chip, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._value_button, self._path_button, self._as_button):
            # In a narrow panel their padding gives way.
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
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

    def _line(self, piece: Piece) -> str | None:
        """Return the value as one line, None where it takes more."""
        value = piece.value
        if isinstance(value, str):
            return f'"{visible(value, _LONGEST_LINE)}"' if len(value) <= _LONGEST_LINE and "\n" not in value else None
        if isinstance(value, dict | list | RepeatedKeys):
            count = len(value.pairs) if isinstance(value, RepeatedKeys) else len(value)
            return f"[{count}]" if isinstance(value, list) else f"{{{count}}}"
        if isinstance(value, bytes):
            return visible(value[:16].hex(" "), 60) + ("…" if len(value) > 16 else "")
        if len(piece.text) > _LONGEST_LINE:
            return None
        shown = visible(piece.text, _LONGEST_LINE)
        return MINUS + shown[1:] if shown.startswith("-") else shown

    def _type(self, value: object) -> str:
        word = type_word(value)
        if isinstance(value, str):
            return self._counted(word, self.tr("%Ln characters", "", len(value)), len(value))
        if isinstance(value, list):
            return self._counted(word, self.tr("%Ln items", "", len(value)), len(value))
        if isinstance(value, dict | RepeatedKeys):
            count = len(value.pairs) if isinstance(value, RepeatedKeys) else len(value)
            return self._counted(word, self.tr("%Ln keys", "", count), count)
        if isinstance(value, bytes):
            return f"{word} · {size_text(len(value))}"
        if isinstance(value, NumberText) and not value.whole:
            return self.tr("number beyond float64")
        return "float64" if isinstance(value, float) else word

    def _counted(self, word: str, counted: str, count: int) -> str:
        return f"{word} · {counted.replace(str(count), count_text(count), 1)}"

    def _bytes(self, size: int) -> str:
        return self.tr("%Ln bytes", "", size) if size < 1000 else size_text(size)

    def _show_all(self) -> None:
        if self._piece is not None and isinstance(self._piece.value, str):
            self._more.hide()
            self._pane.show_text(self._piece.value)

    def show_menu(self, place: QPoint) -> None:
        """Show everything that can be copied of the value, at *place* in global coordinates."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy value")).triggered.connect(lambda _=False: self.copy_value())
        menu.addAction(self.tr("Copy path")).triggered.connect(lambda _=False: self.copy_path())
        self._add_forms(menu.addMenu(self.tr("Copy as")))
        menu.popup(place)

    def _menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_forms(menu)
        menu.popup(self._as_button.mapToGlobal(self._as_button.rect().bottomLeft()))

    def _add_forms(self, menu: QMenu) -> None:
        piece = self._piece
        if piece is None or isinstance(piece.value, Missing):
            return
        forms: list[tuple[str, Callable[[], str]]] = [
            (self.tr("JSON"), lambda: copying.escaped(piece.text)),
            (self.tr("Python"), lambda: copying.python(piece.value)),
            (self.tr("CSV text, safe for spreadsheets"), lambda: copying.spreadsheet_safe(piece)),
        ]
        for label, make in forms:
            action = menu.addAction(label)
            action.triggered.connect(lambda _=False, label=label, make=make: self.copied.emit(make(), label))

    def _restyle(self) -> None:
        if self._piece is not None:
            self._fit()
