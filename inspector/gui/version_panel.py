"""The right dock of a history: the version, what can be made of it, facts of the document and its authors."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.controls import Button, Chip, ElidedLabel, KeyValueList, Label, Separator
from inspector.gui.history_texts import author_text, client_text, short_utc_text, version_text
from inspector.gui.texts import count_text, size_text
from inspector.gui.theme import theme
from inspector.gui.timeline_data import Author, author_of
from inspector.gui.version_work import Loaded


class Dot(QWidget):
    """A filled circle in the colour of a series; the name beside it says the same."""

    def __init__(self, series: int) -> None:
        super().__init__()
        self._series = series
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        side = theme().px(8)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(f"s{self._series + 1}"))
        painter.drawEllipse(self.rect())


class AuthorList(QWidget):
    """Who wrote how many updates."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        theme().changed.connect(self._restyle)

    def set_authors(self, authors: tuple[Author, ...]) -> None:
        """Show a line for each of *authors*."""
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for row, author in enumerate(authors):
            name = ElidedLabel(author_text(author), "strong", middle=True)
            if author.client == 0:
                name.setToolTip(self.tr("Jupyter stores what it loaded from a file under client 0."))
            count = Label(count_text(author.updates), "strong")
            count.setAccessibleName(self.tr("%Ln update(s)", "", author.updates))
            self._grid.addWidget(Dot(author.series), row, 0)
            self._grid.addWidget(name, row, 1)
            self._grid.addWidget(count, row, 2, Qt.AlignmentFlag.AlignRight)
        self._restyle()

    def _restyle(self) -> None:
        for row in range(self._grid.rowCount()):
            used = self._grid.itemAtPosition(row, 0) is not None
            self._grid.setRowMinimumHeight(row, theme().px(26) if used else 0)


class VersionPanel(QFrame):
    """Says which version is shown; its buttons ask the page to write or copy it."""

    restore = Signal()
    export = Signal()
    copy_text = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = Label("", "title")
        self.author = Chip("", "outline")
        self.author.hide()
        self._make_buttons()
        self._facts = KeyValueList()
        self._authors = AuthorList()
        self._loaded: Loaded | None = None
        self._ends = ("", "")
        self._text: int | None = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._head())
        outer.addWidget(Separator())
        self._scroll = self._scrolled()
        self._scroll.hide()  # nothing is known before the history has been read
        outer.addWidget(self._scroll, 1)
        outer.addStretch(0)
        self.setAccessibleName(self.tr("Version"))
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface"))

    def set_history(self, loaded: Loaded) -> None:
        """Show the facts of a document."""
        self._loaded = loaded
        self._scroll.show()
        times = [update.time for update in loaded.data.updates if update.time is not None]
        none = self.tr("no time stored")
        self._ends = (short_utc_text(min(times)), short_utc_text(max(times))) if times else (none, none)
        self._authors.set_authors(loaded.data.authors)
        self._show_facts(None)

    def set_version(self, version: int) -> None:
        """Name the version; what depends on its content follows with `set_content`."""
        assert self._loaded is not None
        self.title.setText(version_text(version))
        update = self._loaded.data.updates[version - 1] if version else None
        client = author_of(update) if update is not None else None
        self.author.setText(client_text(client, short=True) if client is not None else "")
        self.author.setToolTip(client_text(client) if client is not None else "")
        self.author.setVisible(client is not None)

    def set_content(self, text: int | None) -> None:
        """Show how long the text of this version is; None for a document that is no text."""
        if text != self._text:
            self._text = text
            self._show_facts(text)

    def _make_buttons(self) -> None:
        self.restore_button = Button(self.tr("Restore to a copy…"), "primary", icon="rotate-ccw", height=34)
        self.export_button = Button(self.tr("Export version…"), icon="file-down", height=34)
        self.copy_button = Button(self.tr("Copy as text"), icon="copy", height=34)
        self.restore_button.clicked.connect(self.restore)
        self.export_button.clicked.connect(self.export)
        self.copy_button.clicked.connect(self.copy_text)
        for button in (self.restore_button, self.export_button, self.copy_button):
            button.setEnabled(False)

    def set_ready(self, ready: bool) -> None:
        """Let the version be written and copied, or not while it is not there."""
        for button in (self.restore_button, self.export_button, self.copy_button):
            button.setEnabled(ready)

    def _head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 12, 12, 12)
        row.addWidget(self.title, 1)
        row.addWidget(self.author)
        head.setMinimumHeight(theme().px(48))
        return head

    def _scrolled(self) -> QScrollArea:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 12, 0, 16)
        column.setSpacing(8)
        note = Label(self.tr("Restoring never changes this store. A new file is written."), "secondary", wrap=True)
        authors = QHBoxLayout()
        authors.addWidget(Label(self.tr("Authors"), "section"), 1)
        authors.addWidget(Label(self.tr("updates"), "secondary"))
        names = Label(self.tr("Stores hold client ids, not names."), "secondary", wrap=True)
        parts = [
            (self.restore_button, self.export_button, self.copy_button, note),
            (Label(self.tr("Document"), "section"), self._facts),
            (authors, self._authors, names),
        ]
        for number, group in enumerate(parts):
            if number:
                column.addSpacing(8)
                column.addWidget(Separator())
                column.addSpacing(4)
            box = QVBoxLayout()
            box.setContentsMargins(16, 0, 16, 0)
            box.setSpacing(8)
            for item in group:
                box.addWidget(item) if isinstance(item, QWidget) else box.addLayout(item)
            column.addLayout(box)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(self.tr("Facts of the version"))
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.verticalScrollBar().rangeChanged.connect(self._make_reachable)
        area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        return area

    def _make_reachable(self, low: int, high: int) -> None:
        """Let Tab stop at the facts while they must be scrolled, and only then."""
        policy = Qt.FocusPolicy.TabFocus if high > low else Qt.FocusPolicy.NoFocus
        self._scroll.setFocusPolicy(policy)

    def _show_facts(self, text: int | None) -> None:
        assert self._loaded is not None
        data = self._loaded.data
        rows = [
            (self.tr("Updates"), count_text(data.last)),
            (self.tr("Bytes stored"), size_text(self._loaded.stored)),
            (self.tr("Bytes raw"), size_text(self._loaded.decoded)),
        ]
        if text is not None:
            rows.append((self.tr("Text at this version"), self.tr("%Ln character(s)", "", text)))
        rows += [(self.tr("First update"), self._ends[0]), (self.tr("Last update"), self._ends[1])]
        if data.deletions:
            rows.append((self.tr("Largest deletion"), version_text(data.deletions[0])))
        self._facts.set_rows(rows)
