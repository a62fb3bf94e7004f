"""The parts of a history page and how they lie: view switch and legend, plot, transport, notice, the four views."""

from __future__ import annotations

import itertools

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from inspector.gui.content_view import ContentView
from inspector.gui.controls import Bar, Button, IconButton, InfoBar, Segmented, Separator
from inspector.gui.diff_view import DiffView
from inspector.gui.shell import NARROW
from inspector.gui.tall_area import TallArea
from inspector.gui.theme import theme
from inspector.gui.timeline_legend import TimelineLegend
from inspector.gui.timeline_plot import TimelinePlot
from inspector.gui.transport import Transport
from inspector.gui.updates_table import UpdatesTable

HISTORY, CONTENT, UPDATES, RAW = range(4)

_COMPACT = 640
_LOWEST_VIEW = 140
"""Design pixels that the views below the transport keep; where that is too much, the page scrolls."""


class Notice(QWidget):
    """One line between transport and comparison that tells what a jump found; it can be closed."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.restore = Button("", height=28)
        self.next = Button(self.tr("Next largest"), "ghost", height=28)
        close = IconButton("x", self.tr("Close"), size=14, extent=24)
        close.clicked.connect(self.closed)
        self.bar = InfoBar("info", "", [self.next, self.restore])
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 12, 6)
        layout.addWidget(self.bar, 1)
        layout.addWidget(close)
        self.hide()


class HistoryStage(QWidget):
    """All widgets of the page, laid out; it decides nothing but which of them the chosen view shows."""

    view_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        items: list[tuple[str | None, str]] = [
            ("clock", self.tr("History")),
            ("notebook-text", self.tr("Content")),
            ("git-commit-vertical", self.tr("Updates")),
            ("binary", self.tr("Raw")),
        ]
        self.names = [label for _, label in items]
        self.switch = Segmented(items, self.tr("View"), height=32)
        self.switch.selected.connect(self._show)
        self.legend = TimelineLegend()
        self.plot = TimelinePlot()
        self.note = InfoBar("info", "", icon="clock")
        self.transport = Transport()
        self.notice = Notice()
        self.busy = Bar(self.tr("Comparing versions"), height=2)
        self.diff = DiffView()
        self.content = ContentView()
        self.updates = UpdatesTable()
        self.raw = QPlainTextEdit()
        self._dress_raw()
        self.views = QStackedWidget()
        for view in (self._history_view(), self.content, self.updates, self.raw):
            self.views.addWidget(view)
        self._layout_all()
        self._order_stops()
        self.note.hide()
        self.set_busy(None)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def view(self) -> int:
        """The number of the view that is shown."""
        return self.switch.current

    def focus_view(self) -> None:
        """Put the focus where the keys of the shown view work."""
        widgets = (self.plot.flags, self.content, self.updates, self.raw)
        widgets[self.view].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def add_notice(self, bar: QWidget) -> None:
        """Show *bar* above the plot for as long as it is not hidden."""
        self._notes.insertWidget(0, bar)

    def set_busy(self, share: float | None) -> None:
        """Show how far a comparison is, 0 to 1; None when there is nothing to wait for."""
        self.busy.set_share(share)
        # The bar keeps its place, so that nothing below it moves.
        policy = self.busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.busy.setSizePolicy(policy)
        self.busy.setVisible(share is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.window().width() < theme().px(NARROW)
        self.switch.set_compact(narrow or self.width() < theme().px(_COMPACT))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface"))

    def _show(self, view: int) -> None:
        self.views.setCurrentIndex(view)
        self.plot.setVisible(view == HISTORY)
        self._plot_line.setVisible(view == HISTORY)
        self.transport.setVisible(view != UPDATES)
        self._transport_line.setVisible(view != UPDATES)
        self.view_changed.emit(view)

    def _layout_all(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(16, 8, 16, 6)
        row.setSpacing(16)
        row.addWidget(self.switch)
        row.addWidget(self.legend, 1)
        self._notes = QVBoxLayout()
        self._notes.setContentsMargins(16, 0, 16, 4)
        self._notes.setSpacing(4)
        self._notes.addWidget(self.note)
        self._plot_line, self._transport_line = Separator(), Separator()
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addLayout(self._notes)
        for widget in (self.plot, self._plot_line, self.transport, self._transport_line, self.busy):
            layout.addWidget(widget)
        layout.addWidget(self.views, 1)
        # Where the window is low, all of it scrolls and nothing of it is cut.
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(TallArea(inner, self.tr("Versions")))

    def _order_stops(self) -> None:
        """Let Tab go from top to bottom: the flags, made with the plot, come after the switch."""
        stops = [self.switch, self.plot.flags, self.transport.play, self.notice, self.diff, self.content]
        for before, after in itertools.pairwise([*stops, self.updates, self.raw]):
            QWidget.setTabOrder(before, after)

    def _history_view(self) -> QWidget:
        view = QWidget()
        layout = QVBoxLayout(view)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(self.diff, 1)
        return view

    def _dress_raw(self) -> None:
        self.raw.setReadOnly(True)
        self.raw.setTabChangesFocus(True)
        self.raw.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.raw.setObjectName("raw")
        self.raw.setAccessibleName(self.tr("Stored bytes of the update"))
        self.raw.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _restyle(self) -> None:
        self.views.setMinimumHeight(theme().px(_LOWEST_VIEW))
        self.raw.setFont(theme().font(12, mono=True))
        self.raw.setStyleSheet("QPlainTextEdit#raw { border: none; border-radius: 0; padding: 8px 16px; }")
