"""The filter: a line with coloured tokens, the count it found, and below it what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QTextCharFormat
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from inspector.gui.controls import FieldFrame, Label, announce
from inspector.gui.query_tokens import place_of, token_at, tokens
from inspector.gui.texts import count_text, locale, visible
from inspector.gui.theme import theme
from inspector.model import Finding, UsageError
from inspector.operations.query import Query, parse
from inspector.operations.search import Hits

WAITS = 150
"""Milliseconds after the last key until the filter runs."""

_COLOURS = {
    "field": "text",
    "number": "tNum",
    "string": "tBool",
    "keyword": "tDate",
    "operator": "muted",
    "function": "tKey",
}


class QueryField(FieldFrame):
    """A line edit whose tokens are coloured as they are typed."""

    entered = Signal()
    """Return: run now, and go on to the rows."""
    went_down = Signal()
    escaped = Signal()
    """Esc in an empty field."""

    def __init__(self, name: str) -> None:
        super().__init__(name, icon="filter", mono=True)
        self._wrong: tuple[int, int] | None = None
        self.textChanged.connect(self._colour)
        theme().changed.connect(self._colour)

    @property
    def underlined(self) -> tuple[int, int] | None:
        """Start and length of what is underlined as wrong."""
        return self._wrong

    def underline(self, place: tuple[int, int] | None) -> None:
        """Underline a token as wrong, or none."""
        if place != self._wrong:
            self._wrong = place
            self._colour()

    def event(self, event: QEvent) -> bool:
        # Esc clears the field before it may close anything of the window.
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() == QEvent.Type.ShortcutOverride and self.text():
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
                self.cleared.emit()
            else:
                self.escaped.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.went_down.emit()
        else:
            super().keyPressEvent(event)

    def _colour(self) -> None:
        """Give the text its colours: a line edit takes formats only as an input method brings them."""
        text = self.text()
        kind = QInputMethodEvent.AttributeType.TextFormat
        parts = []
        for token in tokens(text):
            style = QTextCharFormat()
            style.setForeground(theme().color(_COLOURS[token.kind]))
            parts.append((token.start, token.length, style))
        if self._wrong is not None:
            style = QTextCharFormat()
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            style.setUnderlineColor(theme().color("delText"))
            style.setForeground(theme().color("delText"))
            parts.append((self._wrong[0], self._wrong[1], style))
        # Positions are counted in UTF-16 units, and from the cursor.
        cursor = self.cursorPosition()
        attributes = [
            QInputMethodEvent.Attribute(
                kind, _units(text[:start]) - cursor, _units(text[start : start + length]), style
            )
            for start, length, style in parts
        ]
        QApplication.sendEvent(self, QInputMethodEvent("", attributes))


def _units(text: str) -> int:
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


class QueryBar(QWidget):
    """The filter field with its message below. It parses; whoever shows it runs what `wanted` brings."""

    wanted = Signal(object)
    """A parsed `Query`, or None for no filter: 150 ms after the last key, at once on Return."""
    rows_wanted = Signal()
    """The focus should go on to the rows."""

    def __init__(self) -> None:
        super().__init__()
        self.field = QueryField(self.tr("Filter: words, or an expression such as age > 30"))
        self._message = Label("", "error", wrap=True)
        self._message.hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAITS)
        self._timer.timeout.connect(self._run)
        self.field.textChanged.connect(self._typed)
        self.field.entered.connect(self._enter)
        self.field.went_down.connect(self.rows_wanted)
        self.field.escaped.connect(self.rows_wanted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.field)
        layout.addWidget(self._message)

    @property
    def message(self) -> str:
        """The line below the field; empty if nothing is wrong."""
        return "" if self._message.isHidden() else self._message.text()

    def _time_text(self, seconds: float) -> str:
        if seconds >= 1:
            return self.tr("{time} s").replace("{time}", locale().toString(seconds, "f", 1))
        return self.tr("{time} ms").replace("{time}", count_text(max(round(seconds * 1000), 1)))

    def show_hits(self, hits: Hits, *, filtered: bool) -> None:
        """Say what was found, and what the search has to say about the filter."""
        if filtered:
            pattern = self.tr("{rows} of {total}")
            strong = pattern.replace("{rows}", count_text(len(hits.rows))).replace("{total}", count_text(hits.total))
            took = self._time_text(hits.seconds)
            self.field.set_trailing(strong, f"· {took}")
        else:
            counted = self.tr("%Ln records", "", hits.total)
            self.field.set_trailing(counted.replace(str(hits.total), count_text(hits.total), 1))
        self.show_findings(hits.findings)

    def show_error(self, text: str, place: tuple[int, int] | None = None) -> None:
        """Say what is wrong with the filter and underline where; the last good result stays."""
        self.field.underline(place)
        self._message.set_style("error")
        self._message.setText(visible(text, 500))
        self._message.show()
        announce(self.field, text)

    def clear_error(self) -> None:
        """Take the message away."""
        self.field.underline(None)
        self._message.hide()

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Say what the search has to say about the filter; the count of what was found last stays."""
        if not findings:
            self.clear_error()
            return
        first = findings[0]
        unknown = first.where if first.code == "unknown-field" else None
        self.show_error(
            " ".join(finding.message for finding in findings),
            place_of(self.field.text(), unknown) if unknown is not None else None,
        )
        if unknown is None:
            self._message.set_style("warning")

    def _typed(self) -> None:
        # An underline belongs to the text it was found in.
        self.field.underline(None)
        self._timer.start()

    def _enter(self) -> None:
        self._run()
        self.rows_wanted.emit()

    def _run(self) -> None:
        self._timer.stop()
        text = self.field.text()
        try:
            query: Query | None = parse(text) if text.strip() else None
        except UsageError as error:
            self.show_error(str(error), token_at(text, error.position))
            return
        self.clear_error()
        self.wanted.emit(query)
