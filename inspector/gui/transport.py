"""Moves through versions: first, previous, play, next, last; says where one is and when that was; zooms the plot."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from inspector.gui.controls import Button, ElidedLabel, IconButton, Label
from inspector.gui.history_texts import local_text, utc_text
from inspector.gui.paint import contents, panel, picture, ring
from inspector.gui.texts import count_text
from inspector.gui.theme import theme

SPEEDS = (1, 4, 16)

STEPS_A_SECOND = 4.0
"""Versions that play shows a second at speed 1 in a short history."""

WHOLE_SECONDS = 240.0
"""Longest time that playing a whole history takes at speed 1; a long one is played in larger steps."""

TICK = 60
"""Milliseconds between two steps at most speed: what the eye follows and the diff keeps up with."""

_NARROWEST = 320
_ROW, _TIMES = 50, 38
"""Heights of the row, and of the times below it where they have no room in it."""

_WIDEST = 1790197200.0
"""A Wednesday in September, the time whose text is longest."""

_DAY = 86400.0
_SPANS = (60.0, 3600.0, _DAY, 4 * _DAY, 30 * _DAY)


class PlayButton(IconButton):
    """The round button that starts and stops."""

    def __init__(self, name: str) -> None:
        super().__init__("play", name, "Space", extent=34)
        self._playing = False

    def set_playing(self, playing: bool, name: str) -> None:
        """Show pause while playing, play otherwise."""
        self._playing = playing
        self.set_name(name, "Space")
        self.update()

    def sizeHint(self) -> QSize:
        side = theme().px(34)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        hovered = self.isEnabled() and self.underMouse()
        fill = "accentHover" if hovered else "accent" if self.isEnabled() else "track"
        panel(painter, contents(self), 17, fill=theme().color(fill), line=None)
        picture(painter, self.rect(), "pause" if self._playing else "play", token="onAccent")
        if self.hasFocus():
            ring(painter, contents(self).adjusted(2, 2, -2, -2), 15, token="onAccent")


class Player(QObject):
    """Counts versions forward in time; steps that nobody has taken yet are not queued."""

    stepped = Signal(int)
    """So many versions forward."""
    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.speed = SPEEDS[0]
        self._rate = STEPS_A_SECOND
        self._rest = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def playing(self) -> bool:
        """True while it runs."""
        return self._timer.isActive()

    def start(self, last: int) -> None:
        """Play a history of *last* versions."""
        self._rate = max(STEPS_A_SECOND, last / WHOLE_SECONDS)
        self._rest = 0.0
        self._set_interval()
        self._timer.start()
        self.changed.emit()

    def stop(self) -> None:
        """Stop playing."""
        if self.playing:
            self._timer.stop()
            self.changed.emit()

    def set_speed(self, speed: int) -> None:
        """Play *speed* times as fast."""
        self.speed = speed
        self._set_interval()
        self.changed.emit()

    def _set_interval(self) -> None:
        self._timer.setInterval(max(round(1000 / (self._rate * self.speed)), TICK))

    def _tick(self) -> None:
        self._rest += self._timer.interval() / 1000 * self._rate * self.speed
        whole = int(self._rest + 1e-6)
        self._rest -= whole
        if whole:
            self.stepped.emit(whole)


class Transport(QWidget):
    """The row under the plot: `version_wanted` asks for a version, `set_position` says which one is shown."""

    version_wanted = Signal(int)
    """The user wants this version."""
    zoomed = Signal(float)
    """Show so many times as much of the axis."""
    fitted = Signal()
    span_wanted = Signal(float)
    largest_deletion = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._arranging = False
        self._version = 0
        self._last = 0
        self.player = Player(self)
        self.player.stepped.connect(self._play_on)
        self.player.changed.connect(self._show_player)
        self._make_buttons()
        self._number, self._of = Label("0", "number"), Label(style="secondary")
        self._utc, self._local = ElidedLabel(style="strong"), ElidedLabel(style="secondary")
        self._layout_all()
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_history(self, last: int, *, deletions: bool, timed: bool) -> None:
        """Move through versions 0 to *last*."""
        self._last = last
        self._of.setText(self.tr("of {last}").format(last=count_text(last)))
        self._deletion.setEnabled(deletions)
        self._spans.setVisible(timed)
        self._timed = timed
        self._reserve()
        self._arrange()

    def set_position(self, version: int, time: float | None) -> None:
        """Say which version is shown, and when it was made."""
        self._version = version
        self._number.setText(count_text(version))
        utc = utc_text(time) or (self.tr("Before the first update") if version == 0 else self.tr("No time stored"))
        self._utc.setText(utc)
        self._local.setText(local_text(time))
        self._local.setVisible(bool(self._local.text()))
        for button, usable in zip(self._moves, (version > 0,) * 2 + (version < self._last,) * 2, strict=True):
            button.setEnabled(usable)

    def set_span(self, text: str) -> None:
        """Say how much of the axis the plot shows."""
        self._spans.setText(text)
        self._arrange()

    def toggle_play(self) -> None:
        """Play from here, from the start if this is the end, or pause."""
        if self.player.playing:
            self.player.stop()
            return
        if self._version >= self._last:
            self.version_wanted.emit(0)
        self.player.start(self._last)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(_NARROWEST), theme().px(_ROW))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the focus between the buttons with arrows: the row is one Tab stop."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched in self._row:
            step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
            if step is not None and not event.modifiers():
                enabled = [button for button in self._row if button.isEnabled() and button.isVisibleTo(self)]
                place = enabled.index(watched) + step if watched in enabled else 0
                if 0 <= place < len(enabled):
                    enabled[place].setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._arranging:
            # Another height lays everything around out at once, which may resize this row again.
            self._arranging = True
            self._arrange()
            self._arranging = False

    def _make_buttons(self) -> None:
        first = IconButton("skip-back", self.tr("First version"), "Home")
        previous = IconButton("step-back", self.tr("Previous version"), "Left")
        following = IconButton("step-forward", self.tr("Next version"), "Right")
        last = IconButton("skip-forward", self.tr("Last version"), "End")
        self._moves: Sequence[IconButton] = (first, previous, following, last)
        first.clicked.connect(lambda: self._go(0))
        previous.clicked.connect(lambda: self._go(self._version - 1))
        following.clicked.connect(lambda: self._go(self._version + 1))
        last.clicked.connect(lambda: self._go(self._last))
        self.play = PlayButton(self.tr("Play"))
        self.play.clicked.connect(self.toggle_play)
        self.speed = Button("1×", height=26)
        self.speed.setAccessibleName(self.tr("Speed"))
        self.speed.clicked.connect(self._next_speed)
        self._deletion = Button(self.tr("Largest deletion"), icon="trash-2", height=30)
        self._deletion.setToolTip(self.tr("Show what the update that deleted most took away (D)"))
        self._deletion.clicked.connect(self.largest_deletion)
        self._out = IconButton("zoom-out", self.tr("Zoom out"), "-")
        self._in = IconButton("zoom-in", self.tr("Zoom in"), "+")
        self._out.clicked.connect(lambda: self.zoomed.emit(2.0))
        self._in.clicked.connect(lambda: self.zoomed.emit(0.5))
        self._fit = Button(self.tr("Fit"), height=30)
        self._fit.clicked.connect(self.fitted)
        self._spans = Button("", height=30)
        self._spans.setAccessibleName(self.tr("Length of time shown"))
        self._spans.setMenu(self._span_menu())
        self._row: list[QAbstractButton] = [
            first, previous, self.play, following, last, self.speed, self._deletion, self._out, self._in, self._fit,
            self._spans,
        ]  # fmt: skip
        for button in self._row:
            button.installEventFilter(self)
            if button is not self.play:
                button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._timed = True
        self._reserved = (0, 0)

    def _span_menu(self) -> QMenu:
        menu = QMenu(self)
        for span in _SPANS:
            action = QAction(span_text(span), menu)
            action.triggered.connect(lambda _=False, length=span: self.span_wanted.emit(length))
            menu.addAction(action)
        return menu

    def _layout_all(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        layout = self._row_layout = QHBoxLayout()
        outer.addLayout(layout, 1)
        self._below = QVBoxLayout()
        outer.addLayout(self._below)
        outer.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        # What is in sight follows from the width; it must not forbid a smaller one.
        layout.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        layout.setContentsMargins(12, 0, 16, 0)
        layout.setSpacing(6)
        for button in self._row[:5]:
            layout.addWidget(button)
        layout.addSpacing(6)
        layout.addWidget(self.speed)
        layout.addSpacing(6)
        layout.addWidget(self._number)
        layout.addWidget(self._of)
        layout.addSpacing(10)
        self._times_box = QWidget()
        times = self._times = QVBoxLayout(self._times_box)
        times.setContentsMargins(0, 0, 0, 0)
        times.setSpacing(1)
        times.addStretch(1)
        times.addWidget(self._utc)
        times.addWidget(self._local)
        times.addStretch(1)
        self._times_place = layout.count()
        layout.addWidget(self._times_box, 1)
        layout.addStretch(0)
        for button in self._row[6:]:
            layout.addWidget(button)

    def _reserve(self) -> None:
        """Measure number and times by their widest, so that buttons do not come and go while it plays."""
        texts = [(utc_text(_WIDEST), self._utc), (local_text(_WIDEST), self._local)]
        if not self._timed:
            texts = [(self.tr("Before the first update"), self._utc)]
        times = max(QFontMetrics(label.font()).horizontalAdvance(text) + 1 for text, label in texts)
        number = QFontMetrics(self._number.font()).horizontalAdvance(count_text(self._last)) + 1
        self._reserved = (times, number)

    def _arrange(self) -> None:
        """Leave out what there is no room for: the deletion's words, the length, Fit; then the times go below."""
        self._deletion.setAccessibleName(self.tr("Largest deletion"))
        times, number = self._reserved
        below = not self._fits(times + number)
        if below:
            self._fits(number)
        at = self._below if below else self._row_layout
        if at.indexOf(self._times_box) < 0:
            if below:
                self._below.addWidget(self._times_box)
            else:
                self._row_layout.insertWidget(self._times_place, self._times_box, 1)
        margin = theme().px(_TIMES) // 8
        self._below.setContentsMargins(16 if below else 0, 0, 16 if below else 0, margin if below else 0)
        self.setFixedHeight(theme().px(_ROW + (_TIMES if below else 0)))

    def _fits(self, reserved: int) -> bool:
        """Show as many buttons as there is room for beside *reserved* pixels of text; say whether that is enough."""
        inside = self._row_layout.indexOf(self._times_box) >= 0
        for left_out in range(5):
            self._deletion.setText("" if left_out else self.tr("Largest deletion"))
            self._spans.setVisible(self._timed and left_out < 2)
            self._fit.setVisible(left_out < 3)
            for button in (self._out, self._in):
                button.setVisible(left_out < 4)
            self._row_layout.invalidate()
            now = (self._times_box.sizeHint().width() if inside else 0) + self._number.sizeHint().width()
            if self._row_layout.sizeHint().width() - now + reserved <= self.width():
                return True
        return False

    def _go(self, version: int) -> None:
        self.player.stop()
        self.version_wanted.emit(min(max(version, 0), self._last))

    def _play_on(self, steps: int) -> None:
        self.version_wanted.emit(min(self._version + steps, self._last))
        if self._version >= self._last:
            self.player.stop()

    def _next_speed(self) -> None:
        self.player.set_speed(SPEEDS[(SPEEDS.index(self.player.speed) + 1) % len(SPEEDS)])

    def _show_player(self) -> None:
        self.speed.setText(f"{self.player.speed}×")
        self.play.set_playing(self.player.playing, self.tr("Pause") if self.player.playing else self.tr("Play"))

    def _restyle(self) -> None:
        self._reserve()
        self._arrange()


def span_text(seconds: float) -> str:
    """Return a length of time in its largest whole unit: ``4 days``, ``1 hour``."""
    length = next((unit for unit in (_DAY, 3600.0, 60.0) if seconds >= unit * 0.95), 1.0)
    count = max(round(seconds / length), 1)
    if length == _DAY:
        return QCoreApplication.translate("Transport", "%Ln day(s)", "", count)
    if length == 3600.0:
        return QCoreApplication.translate("Transport", "%Ln hour(s)", "", count)
    if length == 60.0:
        return QCoreApplication.translate("Transport", "%Ln minute(s)", "", count)
    return QCoreApplication.translate("Transport", "%Ln second(s)", "", count)
