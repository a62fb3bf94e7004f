"""The first page: a place to drop files on, recent stores, shortcuts, and samples to try."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.controls import Button, Card, IconLabel, IconTile, KeyCaps, Label, button_row
from inspector.gui.flow import Flow
from inspector.gui.paint import contents, keyboard_focus, panel, picture, ring
from inspector.gui.recents import RecentList, RecentsModel
from inspector.gui.settings import Settings
from inspector.gui.shell import Page
from inspector.gui.texts import size_text
from inspector.gui.theme import theme
from inspector.resources import resource

COLUMN = 1072
_CARD = 280
"""Least design pixels of the page for each column of samples."""
_MANIFEST = "samples/samples.json"


class Sample(NamedTuple):
    """A store that comes with the program, as its card shows it."""

    path: Path
    title: str
    kind_line: str
    text: str
    icon: str


def samples() -> list[Sample]:
    """Return the samples of this installation; none if it has no manifest of them."""
    try:
        manifest = resource(_MANIFEST)
    except FileNotFoundError:
        return []
    return [_sample(manifest.parent, entry) for entry in json.loads(manifest.read_text(encoding="utf-8"))]


def _sample(folder: Path, entry: dict[str, str]) -> Sample:
    path = folder / entry["file"]
    kind = entry.get("kind_line") or f"{path.name}, {size_text(path.stat().st_size)}"
    return Sample(path, entry["title"], kind, entry["text"], entry["icon"])


class DropZone(QFrame):
    """Where files may be dropped; the window takes the drop and tells the zone how it looks."""

    def __init__(self, actions: Sequence[Button]) -> None:
        super().__init__()
        self._over = False
        self._title = Label("", "page", wrap=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text = self.tr(
            "TinyDB JSON, BetterJSON, .ystore.db and other stores. The kind is read from the content, not the name."
        )
        hint = Label(text, "body", wrap=True, token="muted")
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 32, 24, 32)
        layout.setSpacing(8)
        layout.addStretch(1)
        layout.addWidget(IconTile("upload", side=64), 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(hint)
        layout.addSpacing(4)
        layout.addLayout(button_row(actions, centre=True))
        layout.addStretch(1)
        self.set_dragged(0)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_dragged(self, count: int) -> None:
        """Show that *count* files are held over the window; 0 for none."""
        self._over = count > 0
        self._title.setText(
            self.tr("Drop to open %Ln file(s)", "", count) if count else self.tr("Drop a store here to look inside")
        )
        self.setAccessibleName(self._title.text())
        self.update()

    def title(self) -> str:
        """Return what the zone says."""
        return self._title.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        px, colours = theme().px, theme().color
        painter = QPainter(self)
        area = contents(self)
        panel(painter, area, 12, fill=colours("accentSoft" if self._over else "surface"), line=None)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colours("accent" if self._over else "borderStrong"), 2 if self._over else 1.5)
        if not self._over:
            pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), px(12), px(12))

    def _restyle(self) -> None:
        self.setMinimumHeight(theme().px(252))
        self.update()


class SampleCard(QAbstractButton):
    """A sample as one button: icon, title, kind, and what there is to see in it."""

    def __init__(self, sample: Sample) -> None:
        super().__init__()
        self.sample = sample
        self._ring = False
        self.setText(sample.title)
        self.setAccessibleName(sample.title)
        self.setAccessibleDescription(f"{sample.kind_line}. {sample.text}")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(f"{sample.title}\n{sample.kind_line}")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(116))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        px = theme().px
        room = QRect(0, 0, width - px(32), 10_000)
        words = QFontMetrics(theme().font(13)).boundingRect(room, int(Qt.TextFlag.TextWordWrap), self.sample.text)
        return max(px(66) + words.height() + px(12), px(116))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, colours = theme().px, theme().color
        painter = QPainter(self)
        fill = "track" if self.isDown() else "hover" if self.underMouse() else "surface"
        panel(painter, contents(self), 10, fill=colours(fill), line=colours("border"))
        tile = QRect(px(16), px(16), px(40), px(40))
        panel(painter, QRectF(tile), 8, fill=colours("accentSoft"), line=None)
        picture(painter, tile, self.sample.icon, token="accentText", size=20)
        left, width = px(68), self.width() - px(84)
        painter.setFont(theme().font(14, 600))
        painter.setPen(colours("text"))
        title = painter.fontMetrics().elidedText(self.sample.title, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRect(left, px(16), width, px(20)), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(theme().font(12))
        painter.setPen(colours("muted"))
        kind = painter.fontMetrics().elidedText(self.sample.kind_line, Qt.TextElideMode.ElideMiddle, width)
        painter.drawText(QRect(left, px(38), width, px(18)), Qt.AlignmentFlag.AlignVCenter, kind)
        painter.setFont(theme().font(13))
        words = QRect(px(16), px(66), self.width() - px(32), self.height() - px(74))
        flags = int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap)
        painter.drawText(words, flags, self.sample.text)
        if self._ring and self.hasFocus():
            ring(painter, contents(self), 10)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = keyboard_focus(event)
        super().focusInEvent(event)


class StartPage(Page):
    """What is shown while no tab is open."""

    open_wanted = Signal()
    folder_wanted = Signal()
    path_wanted = Signal(object)
    """A recent store or a sample to open."""

    icon_name = "scan-search"

    def __init__(self, settings: Settings, shortcuts: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._settings = settings
        self.title = self.tr("Start")
        self._recents = RecentsModel(settings, self)
        self.recent_list = RecentList(self._recents)
        self.recent_list.wanted.connect(self.path_wanted)
        self.recent_list.remove_wanted.connect(self._forget)
        self.open_button = Button(self.tr("Open store…"), "primary", icon="folder-open", height=36)
        self.folder_button = Button(self.tr("Open folder…"), height=36)
        self.open_button.clicked.connect(self.open_wanted)
        self.folder_button.clicked.connect(self.folder_wanted)
        self.zone = DropZone([self.open_button, self.folder_button])
        self.clear_button = Button(self.tr("Clear list"), "link", height=24)
        self.clear_button.clicked.connect(self._clear)
        self.cards = [SampleCard(sample) for sample in samples()]
        for card in self.cards:
            card.clicked.connect(lambda _=False, card=card: self.path_wanted.emit(card.sample.path))
        self._build(shortcuts)
        self.refresh()
        self._restyle()
        theme().changed.connect(self._restyle)

    def status(self) -> tuple[tuple[str, str], ...]:
        return (("", self.tr("No store open")),)

    def refresh(self) -> None:
        """Show the recent stores as they are now."""
        self._recents.refresh()
        some = self._recents.rowCount() > 0
        self.recent_list.setVisible(some)
        self.clear_button.setVisible(some)
        self._none.setVisible(not some)

    def reload(self) -> None:
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Beside the recent stores there is no room for the shortcuts in a narrow window.
        self._keys.setVisible(self.width() >= theme().px(820))
        self._spread_cards()

    def _build(self, shortcuts: Sequence[tuple[str, str]]) -> None:
        self._column = QWidget()
        column = QVBoxLayout(self._column)
        column.setContentsMargins(0, 28, 0, 28)
        column.setSpacing(0)
        column.addWidget(self.zone)
        column.addLayout(self._promise())
        column.addSpacing(16)
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addLayout(self._recent_part(), 1)
        self._keys = self._shortcut_part(shortcuts)
        middle.addWidget(self._keys)
        column.addLayout(middle)
        if self.cards:
            column.addSpacing(28)
            column.addWidget(Label(self.tr("Open a sample store"), "title"))
            column.addSpacing(8)
            self._grid = QGridLayout()
            self._grid.setSpacing(16)
            column.addLayout(self._grid)
        column.addStretch(1)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(24, 0, 24, 0)
        row.addStretch(1)
        row.addWidget(self._column, 1000)
        row.addStretch(1)
        scroll = QScrollArea()
        # One of our own: for a first widget that Qt made PySide sets up all its classes, a twentieth of the start.
        view = QWidget()
        scroll.setViewport(view)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.title)
        scroll.setWidget(holder)
        holder.setAutoFillBackground(False)
        view.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _spread_cards(self) -> None:
        """Put the samples into as many columns as are wide enough for their words."""
        columns = min(max(self.width() // theme().px(_CARD), 1), 3)
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(3):
            self._grid.setColumnStretch(column, int(column < columns))

    def _promise(self) -> Flow:
        row = Flow(centre=True)
        row.setContentsMargins(0, 8, 0, 8)
        row.addWidget(IconLabel("shield-check", "addText"))
        words = self.tr("Stores open read-only. Your file, its date and its folder stay exactly as they are.")
        row.addWidget(Label(words, "body", wrap=True, token="muted"))
        return row

    def _recent_part(self) -> QVBoxLayout:
        head = QHBoxLayout()
        self._recent_title = Label(self.tr("Recent"), "title")
        head.addWidget(self._recent_title)
        head.addStretch(1)
        head.addWidget(self.clear_button)
        self._none = Card()
        self._none.body.addWidget(Label(self.tr("No store was opened yet."), "body", token="muted"))
        part = QVBoxLayout()
        part.setSpacing(0)
        part.addLayout(head)
        part.addSpacing(8)
        part.addWidget(self.recent_list)
        part.addWidget(self._none)
        part.addStretch(1)
        return part

    def _shortcut_part(self, shortcuts: Sequence[tuple[str, str]]) -> QWidget:
        part = QWidget()
        layout = QVBoxLayout(part)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._keys_title = Label(self.tr("Shortcuts"), "title")
        layout.addWidget(self._keys_title)
        layout.addSpacing(8)
        card = Card()
        card.body.setContentsMargins(15, 11, 15, 11)
        card.body.setSpacing(0)
        for text, keys in shortcuts:
            row = QWidget()
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 9, 0, 8)
            line.addWidget(Label(text, "body", token="muted"))
            line.addStretch(1)
            line.addWidget(KeyCaps(keys))
            card.body.addWidget(row)
        layout.addWidget(card)
        layout.addStretch(1)
        return part

    def _forget(self, path: Path) -> None:
        self._settings.remove_recent(str(path))
        self.refresh()

    def _clear(self) -> None:
        self._settings.clear_recents()
        self.refresh()

    def _restyle(self) -> None:
        self._column.setMaximumWidth(theme().px(COLUMN))
        self._spread_cards()
        self._keys.setFixedWidth(theme().px(320))
        # As high as the button that stands in one of the two lines, or not.
        for title in (self._recent_title, self._keys_title):
            title.setMinimumHeight(theme().px(24))
