"""The page of a document that keeps its history: any version of it, compared with any other."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from inspector.gui.controls import Bar, EmptyState, ErrorCard
from inspector.gui.damage_bar import DamageBar
from inspector.gui.history_texts import client_text, short_utc_text, version_text
from inspector.gui.kinds import collection_icon, label_for
from inspector.gui.shell import OpenStore, Page, Shell
from inspector.gui.tasks import Task
from inspector.gui.texts import count_text
from inspector.gui.transport import span_text
from inspector.gui.version_actions import VersionActions
from inspector.gui.version_panel import VersionPanel
from inspector.gui.version_work import Compared, Loaded, compare_versions, content_at, load, raw_at
from inspector.model import CollectionInfo, InspectorError

if TYPE_CHECKING:
    from inspector.gui.history_stage import HistoryStage

REST = 40
"""Milliseconds that the slider must rest before a version is computed."""

PATIENCE = 150
"""Milliseconds after which a running comparison is shown as a bar."""

HISTORY, CONTENT, UPDATES, RAW = range(4)


class HistoryPage(Page):
    """Plot, transport, comparison, content, updates and stored bytes of one document.

    A new position starts a task once it rests; the task replaces the one that still runs.
    """

    def __init__(self, shell: Shell, store: OpenStore, entry: CollectionInfo) -> None:
        super().__init__()
        self._shell = shell
        self._store = store
        self.entry = entry
        self.title = entry.label.rstrip("/").rsplit("/", 1)[-1] or entry.name
        self.subtitle = store.path.name
        self.icon_name = collection_icon(entry)
        self._stage: HistoryStage | None = None
        self._loaded: Loaded | None = None
        self._shown: Compared | None = None
        self._task: Task | None = None
        self._rank = -1
        self._panel = VersionPanel()
        self._panel.setParent(self)
        self._panel.hide()
        self._actions = VersionActions(shell, store)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._compute)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self._say_busy)
        self._layout = QStackedLayout(self)
        self._wait_bar = Bar(self.tr("Reading the history"))
        self._layout.addWidget(self._waiting())
        self._reveals = False
        self._panel.restore.connect(lambda: self._actions.restore(self.version))
        self._panel.export.connect(lambda: self._actions.export(self.version))
        self._panel.copy_text.connect(lambda: self._actions.copy_text(self._shown))
        self._reading = True
        QTimer.singleShot(0, self, self._begin)

    @property
    def version(self) -> int:
        """The version that flag B stands at."""
        return self.stage.plot.flags.value() if self._stage is not None else 0

    @property
    def base(self) -> int:
        """The version that flag A stands at."""
        return self.stage.plot.flags.base if self._stage is not None else 0

    @property
    def stage(self) -> HistoryStage:
        """The widgets; there are none before the history has been read."""
        assert self._stage is not None
        return self._stage

    @property
    def ready(self) -> bool:
        """True once versions can be chosen."""
        return self._stage is not None

    @property
    def settled(self) -> bool:
        """True while what is shown is what was asked for."""
        return self.ready and self._task is None and not self._rest.isActive()

    def inspector(self) -> QWidget | None:
        return self._panel

    def source(self) -> OpenStore | None:
        return self._store

    def status(self) -> Sequence[tuple[str, str]]:
        parts = [("database", str(self._store.path)), ("", label_for(self._store.store.info.format))]
        if self._loaded is not None:
            parts.append(("", self.tr("%Ln update(s)", "", self._loaded.data.last)))
        return parts

    def views(self) -> Sequence[str]:
        return self.stage.names if self.ready else ()

    def show_view(self, number: int) -> None:
        if self.ready and 0 <= number < len(self.stage.names):
            self.stage.switch.set_current(number)
            if self.isVisible():
                self.stage.focus_view()

    def reload(self) -> None:
        """Read the history again; the position stays if there still is such a version."""
        self._reading = True
        self._run(load, self._store.store, self.entry.name, then=self._take_history, title=self._loading_title())

    def go_to(self, version: int) -> None:
        """Put flag B on *version*, as far as there is one."""
        if self._loaded is not None:
            self.stage.plot.flags.setValue(min(max(version, 0), self._loaded.data.last))

    def set_base(self, version: int) -> None:
        """Put flag A on *version*, as far as there is one."""
        if self._loaded is not None:
            self.stage.plot.flags.set_base(min(max(version, 0), self._loaded.data.last))
            self._moved()

    def show_deletion(self, rank: int) -> None:
        """Show what the update deleted that is number *rank*, from 0, in the order of how much was deleted."""
        if self._loaded is None or not self._loaded.data.deletions:
            return
        deletions = self._loaded.data.deletions
        rank %= len(deletions)
        version = deletions[rank]
        self.stage.plot.flags.set_base(version - 1)
        self.go_to(version)
        self._moved()
        self._rank = rank
        self._reveals = True
        self._say_deletion(version, rank, len(deletions))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self._key_action(event) if self.ready else None
        if action is None:
            super().keyPressEvent(event)
        else:
            action()

    def _key_action(self, event: QKeyEvent) -> Callable[[], object] | None:
        stage, modifiers = self.stage, event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = modifiers == Qt.KeyboardModifier.ShiftModifier
        if modifiers == Qt.KeyboardModifier.AltModifier:
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
            return partial(stage.diff.list.step, step) if step is not None and stage.view == HISTORY else None
        if modifiers and not shift:
            return None
        actions: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Left: partial(self._move_by, -10 if shift else -1),
            Qt.Key.Key_Right: partial(self._move_by, 10 if shift else 1),
            Qt.Key.Key_Home: partial(self._wanted, 0),
            Qt.Key.Key_End: partial(self._wanted, stage.plot.flags.maximum()),
            Qt.Key.Key_Space: stage.transport.toggle_play,
            Qt.Key.Key_A: lambda: self.set_base(self.version),
            Qt.Key.Key_D: partial(self._next_deletion),
            Qt.Key.Key_Plus: partial(stage.plot.zoom, 0.5),
            Qt.Key.Key_Minus: partial(stage.plot.zoom, 2.0),
        }
        return actions.get(event.key()) if stage.view != UPDATES else None

    def _waiting(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.addStretch(1)
        layout.addWidget(EmptyState("history", self._loading_title()))
        layout.addWidget(self._wait_bar)
        layout.addStretch(1)
        return page

    def _loading_title(self) -> str:
        return self.tr("Reading the history of {name}").format(name=self.title)

    def _run(self, function: Callable[..., Any], *args: Any, then: Callable[[Any], None], title: str = "") -> None:
        """Start the page's one task in place of the one that still runs."""
        task = self._shell.runner.run(function, *args, key=self._store.key, title=title, replaces=self._task)
        self._task = task
        # Bound methods only: Qt takes them off when the page is closed while the task still runs.
        task.progressed.connect(self._progressed)
        task.succeeded.connect(then)
        task.failed.connect(self._failed)
        task.finished.connect(self._finished)

    def _progressed(self, done: int, total: int | None) -> None:
        share = min(done / total, 1.0) if total else None
        self._wait_bar.set_share(share)
        if self._stage is not None and self.stage.busy.isVisibleTo(self.stage):
            self.stage.set_busy(share or 0.0)

    def _finished(self) -> None:
        if self.sender() is self._task:
            self._task = None
            self._reading = False
            self._patience.stop()
            if self._stage is not None:
                self.stage.set_busy(None)

    def _say_busy(self) -> None:
        if self._stage is not None and self._task is not None:
            self.stage.set_busy(self._task.share or 0.0)

    def _failed(self, error: Exception) -> None:
        body = str(error) if isinstance(error, InspectorError) else f"{type(error).__name__}: {error}"
        if self._stage is None:
            card = QWidget()
            layout = QVBoxLayout(card)
            layout.setContentsMargins(24, 24, 24, 24)
            layout.addWidget(ErrorCard(self.tr("The history cannot be shown"), body))
            layout.addStretch(1)
            self._layout.addWidget(card)
            self._layout.setCurrentWidget(card)
            return
        title = self.tr("{version} cannot be shown").format(version=version_text(self.version))
        view = self.stage.content if self.stage.view == CONTENT else self.stage.diff
        view.show_error(title, body)

    def _take_history(self, loaded: Loaded) -> None:
        first = self._stage is None
        self._reading = False
        version, base = self.version, self.base
        self._loaded, self._shown = loaded, None
        if first:
            self._make_stage()
            version, base = loaded.data.last, loaded.data.session_start()
        stage, data = self.stage, loaded.data
        stage.transport.set_history(data.last, deletions=bool(data.deletions), timed=data.axis == "time")
        stage.plot.flags.set_base(min(base, data.last))
        stage.plot.set_data(data)
        stage.legend.set_data(data)
        stage.updates.set_updates(data.updates)
        self._panel.set_history(loaded)
        self._damage.refresh()
        self._actions.set_history(loaded.history, self.entry)
        self._say_axis()
        self.go_to(min(version, data.last))
        self._moved()
        if first and self.isVisible():
            stage.plot.flags.setFocus(Qt.FocusReason.OtherFocusReason)
        self.status_changed.emit()

    def _begin(self) -> None:
        """Load the plot's library, in this thread since it makes objects of Qt, then read the history."""
        importlib.import_module("inspector.gui.history_stage")
        self.reload()

    def _make_stage(self) -> None:
        from inspector.gui.history_stage import HistoryStage  # imported late: it loads the plot's library

        stage = self._stage = HistoryStage()
        self._damage = DamageBar(self._shell, self._store)
        stage.add_notice(self._damage)
        self._layout.addWidget(stage)
        self._layout.setCurrentWidget(stage)
        stage.plot.flags.valueChanged.connect(self._moved)
        stage.plot.flags.base_moved.connect(self._moved)
        stage.plot.zoomed.connect(self._say_span)
        stage.transport.version_wanted.connect(self._wanted)
        stage.transport.zoomed.connect(stage.plot.zoom)
        stage.transport.fitted.connect(stage.plot.fit)
        stage.transport.span_wanted.connect(stage.plot.show_span)
        stage.transport.largest_deletion.connect(self._next_deletion)
        stage.diff.bar.swapped.connect(self._swap)
        stage.diff.copied.connect(self._say_copied)
        stage.content.copied.connect(self._say_copied)
        stage.updates.chosen.connect(self._show_update)
        stage.view_changed.connect(self._view_changed)
        stage.notice.closed.connect(self._forget_deletion)
        stage.notice.next.clicked.connect(self._next_deletion)
        stage.notice.restore.clicked.connect(lambda: self._actions.restore(self.base))

    def _say_axis(self) -> None:
        """Say what the axis counts where it does not count time."""
        assert self._loaded is not None
        texts = {
            "time": "",
            "no-times": self.tr("This store has no times for its updates; the axis counts versions."),
            "unordered": self.tr("The times of these updates do not tell their order; the axis counts versions."),
        }
        text = texts[self._loaded.data.axis] if self._loaded.data.last > 1 else ""
        if text:
            self.stage.note.set_text(text)
        self.stage.note.setVisible(bool(text))

    def _say_span(self) -> None:
        low, high = self.stage.plot.shown
        self.stage.transport.set_span(span_text(high - low))

    def _wanted(self, version: int) -> None:
        """Go where the transport wants; while it plays, only once the last step is on screen."""
        if not (self.stage.transport.player.playing and not self.settled):
            self.go_to(version)

    def _move_by(self, steps: int) -> None:
        self.stage.transport.player.stop()
        self.go_to(self.version + steps)

    def _swap(self) -> None:
        base = self.base
        self.stage.plot.flags.set_base(self.version)
        self.go_to(base)
        self._moved()

    def _show_update(self, version: int) -> None:
        self.go_to(version)
        self.show_view(HISTORY)

    def _moved(self, _: int = 0) -> None:
        """Show the new position at once, and what it holds when it rests."""
        assert self._loaded is not None
        self._forget_deletion()
        updates = self._loaded.data.updates
        times = [updates[v - 1].time if v else None for v in (self.base, self.version)]
        self.stage.plot.reveal(self.version)
        self.stage.plot.flags.setAccessibleDescription(self.stage.plot.summary())
        self.stage.transport.set_position(self.version, times[1])
        labels = (short_utc_text(times[0]), short_utc_text(times[1]))
        self.stage.diff.bar.set_versions(self.base, self.version, labels)
        self._panel.set_version(self.version)
        self._rest.start(0 if self.stage.transport.player.playing else REST)

    def _view_changed(self, view: int) -> None:
        if view == UPDATES:
            self.stage.updates.select_version(self.version)
        self._rest.start(0)

    def _compute(self) -> None:
        """Compute what the view needs of the present position."""
        assert self._loaded is not None
        if self._reading:
            return  # what has been read will be shown at the present position
        self._patience.start()
        history, view = self._loaded.history, self.stage.view
        known = self._shown.known() if self._shown is not None else {}
        if view == CONTENT:
            self._run(content_at, history, self.version, known, then=self.stage.content.show_content)
        elif view == RAW:
            self._run(raw_at, history, self.version, then=self.stage.raw.setPlainText)
        else:
            self._run(compare_versions, history, self.base, self.version, known, then=self._take_comparison)

    def _take_comparison(self, compared: Compared) -> None:
        assert self._loaded is not None
        self._shown = compared
        client = self._loaded.data.sole_author(compared.base, compared.version)
        author = None
        if client is not None:
            series = self._loaded.data.series_of(max(compared.base, compared.version))
            author = (client_text(client, short=True), f"s{series + 1}")
        self.stage.diff.show_cards(compared.cards, author)
        if self._reveals:
            self._reveals = False
            self.stage.diff.list.reveal_change()
        self._panel.set_content(compared.text)
        self._panel.set_ready(True)

    def _next_deletion(self) -> None:
        self.stage.transport.player.stop()
        self.show_deletion(self._rank + 1)

    def _say_deletion(self, version: int, rank: int, count: int) -> None:
        assert self._loaded is not None
        amount = self.tr("%Ln unit(s)", "", self._loaded.data.updates[version - 1].deleted)
        if rank == 0:
            text = self.tr("{version} deleted {amount}, the most of all updates.")
        else:
            text = self.tr("{version} deleted {amount}: deletion {rank} of {count} by size.")
        numbers = {"rank": count_text(rank + 1), "count": count_text(count)}
        notice = self.stage.notice
        notice.bar.set_text(text.format(version=version_text(version), amount=amount, **numbers))
        notice.restore.setText(self.tr("Restore {number} to a copy…").format(number=count_text(version - 1)))
        notice.show()

    def _forget_deletion(self) -> None:
        self._rank = -1
        self.stage.notice.hide()

    def _say_copied(self, text: str) -> None:
        self._shell.toast(self.tr("Copied %Ln line(s)", "", text.count("\n") + 1 if text else 0))
