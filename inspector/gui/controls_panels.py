"""Panels: cards, separators, bars, and what stands in place of content that is empty or damaged."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.controls_buttons import Button
from inspector.gui.controls_text import Label
from inspector.gui.flow import Flow
from inspector.gui.icons import pixmap
from inspector.gui.paint import contents, panel
from inspector.gui.theme import theme


class IconLabel(QLabel):
    """An icon that is no button; screen readers pass it by."""

    def __init__(self, name: str, token: str = "muted", size: float = 16) -> None:
        super().__init__()
        self._look = (name, token, size)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_icon(self, name: str, token: str) -> None:
        """Show another icon."""
        self._look = (name, token, self._look[2])
        self._restyle()

    def _restyle(self) -> None:
        name, token, size = self._look
        self.setPixmap(pixmap(name, token, size, self.devicePixelRatioF()))


class IconTile(QWidget):
    """An icon in the middle of a softly filled square, as on cards and result pages."""

    def __init__(self, icon: str, *, token: str = "accentText", fill: str = "accentSoft", side: int = 40) -> None:
        super().__init__()
        self._look = (icon, token, fill, side)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._restyle)

    def sizeHint(self) -> QSize:
        side = theme().px(self._look[3])
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        icon, token, fill, side = self._look
        painter = QPainter(self)
        line = theme().color("border") if theme().high_contrast else None
        panel(painter, contents(self), 8 if side < 56 else 12, fill=theme().color(fill), line=line)
        size = 28 if side >= 56 else 20
        drawn = pixmap(icon, token, size, self.devicePixelRatioF())
        offset = (self.width() - theme().px(size)) // 2
        painter.drawPixmap(offset, offset, drawn)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()


class Separator(QFrame):
    """A line of one pixel between two parts."""

    def __init__(self, *, vertical: bool = False) -> None:
        super().__init__()
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("border"))


class Card(QFrame):
    """A white panel with rounded corners; with a *title*, a header of 44 px over a line.

    Put content into `body` (no margins with a title, 16 without) and small things right of the title into `header`.
    """

    def __init__(self, title: str = "", *, note: str = "") -> None:
        super().__init__()
        outer = QVBoxLayout(self)
        # One pixel keeps children off the outline.
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        self.header = QHBoxLayout()
        self.body = QVBoxLayout()
        self.title: Label | None = None
        if title:
            self.title = Label(title, "title")
            self.header.setContentsMargins(16, 12, 16, 12)
            self.header.addWidget(self.title)
            self.header.addStretch(1)
            if note:
                self.header.addWidget(Label(note, "secondary"))
            outer.addLayout(self.header)
            outer.addWidget(Separator())
        else:
            self.body.setContentsMargins(16, 16, 16, 16)
        self.body.setSpacing(0 if title else 8)
        outer.addLayout(self.body, 1)
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme().color
        panel(QPainter(self), contents(self), 10, fill=colours("surface"), line=colours("border"))


class Pages(QStackedWidget):
    """Pages, as small as the one that is shown may be: a large one behind it takes no room."""

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.minimumSizeHint() if page is not None else super().minimumSizeHint()


class Bar(QProgressBar):
    """A thin bar: how far a job is, or what share something has. *name* and the percentage are what is spoken."""

    _WHOLE = 1000

    def __init__(self, name: str, *, height: int = 4, token: str = "accent") -> None:
        super().__init__()
        self._height = height
        self._token = token
        self.setRange(0, self._WHOLE)
        self.setTextVisible(False)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def share(self) -> float:
        """What is filled, 0 to 1."""
        return self.value() / self._WHOLE

    def set_share(self, share: float | None) -> None:
        """Fill *share* of the bar, 0 to 1; None (unknown) shows the empty track."""
        # Qt paints a progress bar at once, with all that waits to be painted; this one takes its turn.
        self.setUpdatesEnabled(False)
        self.setValue(round(min(max(share or 0.0, 0.0), 1.0) * self._WHOLE))
        self.setUpdatesEnabled(True)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(112), theme().px(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(24), theme().px(self._height))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = contents(self)
        radius = self._height / 2
        line = theme().color("border") if theme().high_contrast else None
        panel(painter, whole, radius, fill=theme().color("track"), line=line)
        if self.value() > 0:
            # Never narrower than its own rounded ends.
            width = max(whole.width() * self.share, whole.height())
            panel(painter, QRectF(0, 0, width, whole.height()), radius, fill=theme().color(self._token), line=None)

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(self._height))
        self.update()


def button_row(buttons: Sequence[QPushButton], *, centre: bool = False) -> Flow:
    """Return *buttons* side by side, at the left or in the middle, in several lines where there is no room for one."""
    row = Flow(centre=centre)
    for button in buttons:
        row.addWidget(button)
    return row


class EmptyState(QWidget):
    """What stands in place of nothing: an icon, one fact, one cause if it is known, at most two buttons."""

    def __init__(self, icon: str, fact: str, cause: str = "", buttons: Sequence[QPushButton] = ()) -> None:
        super().__init__()
        self._fact = Label(fact, "name", wrap=True)
        self._cause = Label(cause, "body", wrap=True, token="muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 16)
        layout.setSpacing(8)
        layout.addStretch(1)
        layout.addWidget(IconLabel(icon, size=24), 0, Qt.AlignmentFlag.AlignHCenter)
        for label in (self._fact, self._cause):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(label)
        self._cause.setVisible(bool(cause))
        if buttons:
            layout.addLayout(button_row(buttons, centre=True))
        layout.addStretch(1)
        self.setAccessibleName(fact)

    def set_text(self, fact: str, cause: str = "") -> None:
        """Say something else."""
        self._fact.setText(fact)
        self._cause.setText(cause)
        self._cause.setVisible(bool(cause))
        self.setAccessibleName(fact)


class ErrorCard(Card):
    """What stands in place of damaged content: what happened and where; whether the data is safe; what to do next.

    *Copy details* puts title, body and detail on the clipboard.
    """

    def __init__(self, title: str, body: str, detail: str = "", buttons: Sequence[QPushButton] = ()) -> None:
        super().__init__()
        self._texts = [title, body, detail]
        self.setAccessibleName(title)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconLabel("circle-alert", "delText", 20), 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(Label(title, "title", wrap=True, selectable=True), 1)
        self.body.addLayout(head)
        self.body.addWidget(Label(body, "body", wrap=True, selectable=True))
        if detail:
            self.body.addWidget(Label(detail, "body", wrap=True, selectable=True, token="muted"))
        copy = Button(QCoreApplication.translate("ErrorCard", "Copy details"), "ghost", icon="copy")
        copy.clicked.connect(self._copy)
        self.body.addLayout(button_row([*buttons, copy]))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(text for text in self._texts if text))
