"""Beside the charts: the table of all results, the advice with its reason, and what was measured where."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from inspector.gui.benchmark_rows import ResultTable, samples_text
from inspector.gui.benchmark_table import ResultView
from inspector.gui.benchmark_texts import date_text, prose_text
from inspector.gui.controls import ElidedLabel, IconLabel, Label, Separator
from inspector.gui.paint import contents, panel
from inspector.gui.theme import theme
from inspector.operations.benchmark_model import Report
from inspector.operations.charts_export import footer, notes

_SIDE, _ABOVE = 16, 10
_LEAST = 48
_SHARE = 3
"""The notes take at most a third of the panel; without them the times of storages mislead."""

_WIDEST = 500
"""Design pixels that the table asks for at most, so that no name is cut."""

_ANY = 16777215


class AdviceCard(QFrame):
    """One sentence of advice."""

    def __init__(self) -> None:
        super().__init__()
        self.title = Label(self.tr("Advice"), "name")
        self.text = Label("", "body", wrap=True, selectable=True, token="muted")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconLabel("sparkles", "accentText"))
        head.addWidget(self.title, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 12)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.text)
        theme().changed.connect(self.update)

    def set_text(self, text: str) -> None:
        """Say *text*; without one there is no card."""
        self.text.setText(text)
        self.setAccessibleName(f"{self.title.text()}: {text}")
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        line = theme().color("border") if theme().high_contrast else None
        panel(QPainter(self), contents(self), 8, fill=theme().color("accentSoft"), line=line)


class SidePanel(QWidget):
    """Table, advice and footer."""

    def __init__(self) -> None:
        super().__init__()
        self._flat = False
        self.note = ElidedLabel("", "secondary")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.table = ResultView()
        self.advice = AdviceCard()
        self.footer = Label("", "small", wrap=True, selectable=True)
        self._foot = QScrollArea()
        self._foot.setWidgetResizable(True)
        self._foot.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._foot.setAccessibleName(self.tr("What was measured, and where"))
        inner = QWidget()
        words = QVBoxLayout(inner)
        words.setContentsMargins(_SIDE, _ABOVE, _SIDE, _ABOVE)
        words.addWidget(self.footer)
        self._foot.setWidget(inner)
        inner.setAutoFillBackground(False)
        self._foot.viewport().setAutoFillBackground(False)
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 16, 8)
        head.addWidget(Label(self.tr("All results"), "title"))
        head.addWidget(self.note, 1)
        card = QHBoxLayout()
        card.setContentsMargins(16, 12, 16, 12)
        card.addWidget(self.advice)
        words_part = QVBoxLayout()
        words_part.setSpacing(0)
        words_part.addLayout(card)
        words_part.addWidget(Separator())
        words_part.addWidget(self._foot, 1)
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._body.setSpacing(0)
        self._body.addWidget(self.table, 3)
        self._body.addLayout(words_part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(Separator())
        layout.addLayout(self._body, 1)
        self._restyle()
        theme().changed.connect(self._restyle)

    def show_result(self, report: Report, table: ResultTable, *, running: bool) -> None:
        """Show *table* with the words of *report*: advice comes when the run has ended."""
        codecs = bool(report.results)
        order = (1, Qt.SortOrder.DescendingOrder) if codecs else (1, Qt.SortOrder.AscendingOrder)
        self.table.set_table(table, order=order)
        self.note.setText(self._samples(report))
        first, *others = map(prose_text, notes(report))
        self.advice.set_text("" if running else first)
        bold = self.tr("Bold codecs are on the frontier: nothing else is both smaller and faster.")
        self.footer.setText(
            "\n".join([*([bold] if codecs else []), *others, *footer(report, words=prose_text, date=date_text)])
        )
        self._restyle()

    def set_flat(self, flat: bool) -> None:
        """Stand below the charts, with the words right of the table, or beside them, with the words below it."""
        direction = QBoxLayout.Direction.LeftToRight if flat else QBoxLayout.Direction.TopToBottom
        self._body.setDirection(direction)
        self._body.setStretch(1, 2 if flat else 0)
        self._flat = flat
        self._restyle()

    def clear(self) -> None:
        """Show nothing."""
        self.table.clear()
        self.note.setText("")
        self.advice.set_text("")
        self.footer.setText(self.tr("Machine, versions and data are noted here with the results."))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._restyle()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface"))

    def _samples(self, report: Report) -> str:
        text = self.tr("MB/s, median of {n}") if report.results else self.tr("median of {n}")
        return text.replace("{n}", samples_text(report))

    def _restyle(self) -> None:
        px = theme().px
        room = self.width() - 2 * _SIDE - self._foot.verticalScrollBar().sizeHint().width()
        whole = self.footer.heightForWidth(room) + 2 * _ABOVE
        self._foot.setMinimumHeight(px(_LEAST) if self._flat else max(min(whole, self.height() // _SHARE), px(_LEAST)))
        self._foot.setMaximumHeight(_ANY if self._flat else max(whole, px(_LEAST)))
        self.table.setMinimumWidth(0 if self._flat else min(self.table.whole_width(), px(_WIDEST)))
        self.update()
