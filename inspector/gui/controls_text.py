"""Texts: labels in the styles of the design, elided paths, chips, key caps and lists of facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from inspector.gui.paint import contents, panel
from inspector.gui.texts import as_tooltip
from inspector.gui.theme import theme

Style = Literal[
    "figure", "page", "number", "sheet", "title", "body", "name", "strong", "section", "secondary", "small",
    "mono", "monoSmall", "error", "added", "warning",
]  # fmt: skip
Tone = Literal["neutral", "outline", "accent", "solid", "add", "del", "warn", "mono"]

_STYLES: dict[str, tuple[float, int, bool, str]] = {
    "figure": (26, 600, False, "text"),
    "page": (22, 600, False, "text"),
    "number": (20, 600, False, "text"),
    "sheet": (18, 600, False, "text"),
    "title": (14, 600, False, "text"),
    "body": (13, 400, False, "text"),
    "name": (13, 600, False, "text"),
    "strong": (13, 500, False, "text"),
    "section": (12, 600, False, "muted"),
    "secondary": (12, 400, False, "muted"),
    "small": (11, 400, False, "muted"),
    "mono": (13, 400, True, "text"),
    "monoSmall": (12, 400, True, "text"),
    "error": (12, 400, False, "delText"),
    "added": (12, 600, False, "addText"),
    "warning": (12, 400, False, "warnText"),
}
"""Size, weight, mono, token."""

_TONES: dict[str, tuple[str, str | None, str]] = {
    "neutral": ("sunken", "border", "muted"),
    "outline": ("surface", "borderStrong", "text"),
    "accent": ("accentSoft", None, "accentText"),
    "solid": ("accent", None, "onAccent"),
    "add": ("addBg", None, "addText"),
    "del": ("delBg", None, "delText"),
    "warn": ("warnBg", None, "warnText"),
    "mono": ("sunken", "border", "muted"),
}
"""Fill, line, text."""

_WIDEST = 480
"""Design pixels that an elided label asks for at most."""


class Label(QLabel):
    """A text in one of the design's styles; always plain text, never HTML.

    Styles: figure page number sheet title body name strong section secondary small mono monoSmall error added warning.
    *token* overrides the style's colour.
    """

    def __init__(
        self, text: str = "", style: Style = "body", *, selectable: bool = False, wrap: bool = False, token: str = ""
    ) -> None:
        super().__init__()
        self._style = style
        self._token = token
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setText(text)
        if selectable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_style(self, style: Style, *, token: str = "") -> None:
        """Change style and colour."""
        self._style, self._token = style, token
        self._restyle()

    def _restyle(self) -> None:
        size, weight, mono, token = _STYLES[self._style]
        self.setFont(theme().font(size, weight, mono=mono))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme().color(self._token or token))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("accentLine"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text"))
        self.setPalette(palette)


class ElidedLabel(Label):
    """A line that ends in … when it is too long; the whole text is in the tooltip and for screen readers."""

    def __init__(self, text: str = "", style: Style = "body", *, middle: bool = False, token: str = "") -> None:
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        super().__init__(text, style, token=token)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text)
        self._explain()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        # A very long text must not ask for a window as wide.
        width = min(metrics.horizontalAdvance(self.text()) + 1, theme().px(_WIDEST))
        return QSize(width, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(24), QFontMetrics(self.font()).height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._explain()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        shown = QFontMetrics(self.font()).elidedText(self.text(), self._mode, self.width())
        painter.drawText(self.rect(), int(self.alignment() | Qt.TextFlag.TextSingleLine), shown)

    def _explain(self) -> None:
        whole = QFontMetrics(self.font()).horizontalAdvance(self.text()) <= self.width()
        self.setToolTip("" if whole else as_tooltip(self.text()))


class Chip(QLabel):
    """A short word in a rounded box: a state, a type, a format.

    Tones: neutral outline accent solid add del warn mono.
    """

    def __init__(self, text: str, tone: Tone = "neutral") -> None:
        super().__init__(text)
        self._tone = tone
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_tone(self, tone: Tone) -> None:
        """Change colour."""
        self._tone = tone
        self._restyle()

    def sizeHint(self) -> QSize:
        px = theme().px
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + 2 * px(8), px(20))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        fill, line, text = _TONES[self._tone]
        if line is None and theme().high_contrast:
            line = text
        panel(painter, contents(self), 4, fill=theme().color(fill), line=theme().color(line) if line else None)
        painter.setFont(self.font())
        painter.setPen(theme().color(text))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())

    def _restyle(self) -> None:
        mono = self._tone == "mono"
        weight = 400 if mono else 500 if self._tone == "neutral" else 600
        self.setFont(theme().font(11, weight, mono=mono))
        self.updateGeometry()
        self.update()


class KeyCap(QLabel):
    """One key of the keyboard."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._restyle()
        theme().changed.connect(self._restyle)

    def sizeHint(self) -> QSize:
        px = theme().px
        width = QFontMetrics(self.font()).horizontalAdvance(self.text()) + 2 * px(6)
        return QSize(max(width, px(22)), px(22))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        panel(painter, contents(self), 4, fill=theme().color("raised"), line=theme().color("borderStrong"))
        painter.setFont(self.font())
        painter.setPen(theme().color("muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())

    def _restyle(self) -> None:
        self.setFont(theme().font(11, 500))
        self.updateGeometry()
        self.update()


class KeyCaps(QWidget):
    """A shortcut as a row of key caps."""

    def __init__(self, shortcut: str | QKeySequence) -> None:
        super().__init__()
        text = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
        self.setAccessibleName(text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        arrows = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}
        # A plus that is itself the key stands at the end, after the last separator.
        keys = [*text[:-2].split("+"), "+"] if text.endswith("++") else text.split("+") if text != "+" else ["+"]
        for key in keys:
            layout.addWidget(KeyCap(arrows.get(key, key)))


class KeyValueList(QFrame):
    """Facts in two columns, 26 px a row: what it is at the left, the value at the right."""

    def __init__(self, rows: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        self._values: list[ElidedLabel] = []
        self.set_rows(rows)
        theme().changed.connect(self._restyle)

    def set_rows(self, rows: Iterable[tuple[str, str]]) -> None:
        """Show *rows* of (what, value) instead of the present ones."""
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for row in range(len(self._values)):
            self._grid.setRowMinimumHeight(row, 0)
        self._values.clear()
        for row, (what, value) in enumerate(rows):
            name, shown = Label(what, "body", token="muted"), ElidedLabel(value, "strong", middle=True)
            shown.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            shown.setAccessibleName(f"{what}: {value}")
            self._grid.addWidget(name, row, 0)
            self._grid.addWidget(shown, row, 1)
            self._values.append(shown)
        self._restyle()

    def value(self, row: int) -> str:
        """Return the value shown in *row*."""
        return self._values[row].text()

    def _restyle(self) -> None:
        for row in range(len(self._values)):
            self._grid.setRowMinimumHeight(row, theme().px(26))
