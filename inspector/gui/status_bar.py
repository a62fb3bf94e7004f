"""The status bar: what the page says at the left; jobs, time zone and the read-only badge at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QEvent, QSize, Qt, QTimer, QTimeZone, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStatusBar, QWidget

from inspector.gui.controls import ElidedLabel, IconLabel, Label, Separator
from inspector.gui.jobs import JobsIndicator
from inspector.gui.paint import contents, panel, picture
from inspector.gui.tasks import TaskRunner
from inspector.gui.theme import theme

HEIGHT = 30
_LEAST = 48


def zone_text() -> str:
    """Return the zone that local times are shown in: ``UTC+1 Rome``."""
    minutes = QDateTime.currentDateTime().offsetFromUtc() // 60
    if minutes == 0:
        offset = "UTC"
    else:
        hours, rest = divmod(abs(minutes), 60)
        offset = f"UTC{'+' if minutes > 0 else '−'}{hours}" + (f":{rest:02d}" if rest else "")
    name = bytes(QTimeZone.systemTimeZoneId().data()).decode(errors="replace")
    city = name.rpartition("/")[2].replace("_", " ") if "/" in name and not name.startswith("Etc/") else ""
    return f"{offset} {city}".strip()


class Badge(QWidget):
    """A word with a lock in a pill: the store that is shown is open read-only."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        px = theme().px
        width = QFontMetrics(theme().font(11, 600)).horizontalAdvance(self._text)
        return QSize(width + px(8) + px(14) + px(4) + px(9), px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, colours = theme().px, theme().color
        painter = QPainter(self)
        panel(painter, contents(self), 10, fill=colours("surface"), line=colours("borderStrong"))
        icon = self.rect().adjusted(px(7), 0, 0, 0)
        icon.setWidth(px(14))
        picture(painter, icon, "lock", token="text", size=12)
        painter.setFont(theme().font(11, 600))
        painter.setPen(colours("text"))
        words = self.rect().adjusted(px(25), 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self._text)


class _Part(QWidget):
    """An icon and a text of the left side; a line before it unless it is the first."""

    def __init__(self, icon: str, text: str, *, first: bool) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        if not first:
            line = Separator(vertical=True)
            line.setFixedHeight(theme().px(14))
            layout.addWidget(line)
            layout.addSpacing(4)
        if icon:
            layout.addWidget(IconLabel(icon, size=14))
        self.first = first
        self.label = ElidedLabel(text, "secondary", middle=first)
        layout.addWidget(self.label)
        self.setAccessibleName(text)


class _Row(QWidget):
    """What lies in the bar; it tells when its width changes, or what is in it."""

    changed = Signal()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.changed.emit()
        return done


class StatusBar(QStatusBar):
    """The bottom row of *window*."""

    def __init__(self, runner: TaskRunner, window: QWidget) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self._shown: tuple[tuple[str, str], ...] = ()
        self.jobs = JobsIndicator(runner, window)
        self._zone = Label("", "secondary")
        self.badge = Badge(self.tr("Read-only"))
        self._badge_line = Separator(vertical=True)
        self._row = _Row()
        self._row.changed.connect(self._fit)
        layout = QHBoxLayout(self._row)
        layout.setContentsMargins(14, 0, 12, 0)
        layout.setSpacing(8)
        self._left = QHBoxLayout()
        self._left.setSpacing(12)
        layout.addLayout(self._left)
        layout.addStretch(1)
        layout.addWidget(self.jobs)
        layout.addSpacing(8)
        self._clock = IconLabel("clock", size=14)
        layout.addWidget(self._clock)
        layout.addWidget(self._zone)
        layout.addWidget(self._badge_line)
        layout.addWidget(self.badge)
        self.addWidget(self._row, 1)
        self.set_parts(())
        self.set_read_only(False)
        self._restyle()
        theme().changed.connect(self._restyle)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._zone.text():
            # To ask for the zone reads the system's tables, which can wait until the window is there.
            QTimer.singleShot(0, self, self._say_zone)

    def _say_zone(self) -> None:
        self._zone.setText(zone_text())
        self._fit()

    def _fit(self) -> None:
        """Let the first part, a path, give way when it gets narrow; then the others; then the zone goes."""
        layout = self._row.layout()
        assert layout is not None
        parts = [item.widget() for item in map(self._left.itemAt, range(self._left.count())) if item is not None]
        later = [part.label for part in parts if isinstance(part, _Part) and not part.first]
        least = theme().px(_LEAST)
        zone = self._clock.sizeHint().width() + self._zone.sizeHint().width() + 2 * 8
        shown = self._zone.isVisibleTo(self._row)
        bare = layout.totalMinimumSize().width() - sum(label.minimumWidth() for label in later) - (zone if shown else 0)
        whole = sum(label.sizeHint().width() for label in later)
        cut = bare + zone + whole > self._row.width()
        for label in later:
            label.setMinimumWidth(min(least, label.sizeHint().width()) if cut else label.sizeHint().width())
        room = bare + zone + least * len(later) <= self._row.width()
        self._clock.setVisible(room)
        self._zone.setVisible(room)

    def set_parts(self, parts: Sequence[tuple[str, str]]) -> None:
        """Show (icon name or "", text) parts at the left."""
        if tuple(parts) == self._shown:
            return
        self._shown = tuple(parts)
        while (item := self._left.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for icon, text in parts:
            self._left.addWidget(_Part(icon, text, first=self._left.count() == 0))

    def parts(self) -> tuple[tuple[str, str], ...]:
        """Return what is shown at the left."""
        return self._shown

    def set_read_only(self, shown: bool) -> None:
        """Show the badge, or not where no store is shown."""
        self.badge.setVisible(shown)
        self._badge_line.setVisible(shown)

    def _restyle(self) -> None:
        self._badge_line.setFixedHeight(theme().px(14))
        self.setFixedHeight(theme().px(HEIGHT))
