"""What a job did, in a tab: sizes before and after, what was verified, what was lost, and the way back."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDateTime, Qt, QTimer, QTimeZone, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from inspector.gui.controls import Button, Card, IconButton, IconLabel, IconTile, InfoBar, Label
from inspector.gui.convert_work import labels_of, loss_text
from inspector.gui.flow import Flow, titled
from inspector.gui.kinds import label_for
from inspector.gui.recents import folder_text
from inspector.gui.result_parts import (
    ChecksCard,
    CommandRow,
    PlacesModel,
    PlacesView,
    Side,
    SizeCard,
    Strip,
    kept,
)
from inspector.gui.shell import OpenStore, Page, Shell
from inspector.gui.tasks import Task
from inspector.gui.texts import count_text, for_window, locale, size_text
from inspector.gui.theme import theme
from inspector.gui.writing import sentence
from inspector.operations.charts_model import label_of
from inspector.operations.outcome import Outcome
from inspector.operations.undo import undo
from inspector.progress import Progress

translate = QCoreApplication.translate

_WIDTH = 944
_NARROW = 560


def _undo(progress: Progress, path: Path) -> Outcome:
    return undo(path)


def now_text(seconds: float) -> str:
    """Return the present local time with its city, and how long the job took."""
    now = QDateTime.currentDateTime()
    city = bytes(QTimeZone.systemTimeZoneId().data()).decode().rpartition("/")[2].replace("_", " ")
    return (
        translate("ResultPage", "{time} in {city}. Took {seconds} s.")
        .replace("{time}", locale().toString(now, "d MMMM yyyy, HH:mm:ss"))
        .replace("{city}", city or "UTC")
        .replace("{seconds}", locale().toString(seconds, "f", 1))
    )


def kind_text(format: str, codec: str) -> str:
    """Return a format and its codec for people."""
    coded = translate("ResultPage", "not compressed") if codec == "none" else label_of(codec)
    return f"{label_for(format)} · {coded}"


class ResultPage(Page):
    """The outcome of a job that wrote a file; undo lives as long as the page."""

    def __init__(self, shell: Shell, outcome: Outcome, source: OpenStore | None) -> None:
        super().__init__()
        self._shell = shell
        self._outcome = outcome
        self._source = source
        self._task: Task | None = None
        self._taken_back = False
        # What was said of the result, and is no longer so once it is undone.
        self._claims: list[QWidget] = []
        self._labels = labels_of(tuple(source.store.collections)) if source is not None else {}
        self._compressed = shlex.split(outcome.command)[1:2] == ["compress"]
        self.title = self.tr("Compression") if self._compressed else self.tr("Conversion")
        self.subtitle = outcome.target.name
        self.icon_name = "package" if self._compressed else "arrow-left-right"
        self._fresh = True
        self._make_buttons()
        self._fill()

    def status(self) -> Sequence[tuple[str, str]]:
        outcome = self._outcome
        if self._taken_back:
            return ((self.icon_name, str(outcome.target)), ("", self.headline.text()))
        sizes = f"{size_text(outcome.bytes_before)} → {size_text(outcome.bytes_after)}"
        return ((self.icon_name, str(outcome.target)), ("", kind_text(outcome.format, outcome.codec)), ("", sizes))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Left to Qt, the focus falls on the first button, and the Space that began the job would undo it.
        if self._fresh:
            self._fresh = False
            QTimer.singleShot(0, self, self.focus_main)

    def focus_main(self) -> None:
        """Put the focus on what people want next: the result."""
        if self.isVisible():
            main = self.folder if self.result.isHidden() else self.result
            main.setFocus(Qt.FocusReason.OtherFocusReason)

    # Making the parts

    def _make_buttons(self) -> None:
        self.undo = Button(self.tr("Undo"), icon="undo-2", height=36)
        self.folder = Button(self.tr("Show in folder"), icon="folder-open", height=36)
        self.result = Button(self.tr("Open result"), "primary", height=36)
        self.compare = Button(self.tr("Compare with source"), icon="file-diff", height=36)
        self.copy_command = Button(self.tr("Copy command"), "ghost", icon="copy", height=30)
        self.save_report = Button(self.tr("Save report…"), "ghost", height=30)
        self.undo.clicked.connect(self._undo)
        self.folder.clicked.connect(self._show_folder)
        self.result.clicked.connect(lambda: self._shell.open_paths([self._outcome.target]))
        self.compare.clicked.connect(self._compare)
        self.copy_command.clicked.connect(lambda: self._shell.copy(self._outcome.command, self.tr("the command")))
        self.save_report.clicked.connect(self._ask_report)
        if self._outcome.written and not self._outcome.opens_here:
            # A text, a notebook or a folder of files is for other programs.
            self.result.hide()
        if not self._outcome.written:
            # Never shown before it has its place: it would be a window of its own for a moment, and take the focus.
            self.undo.hide()
        if not self._outcome.written or self._original() == self._outcome.target:
            self.compare.hide()

    def _fill(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.title)
        outer.addWidget(scroll)
        content, inner = QWidget(), QWidget()
        self._inner = inner
        row = QHBoxLayout(content)
        row.setContentsMargins(24, 28, 24, 24)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        self.notice = InfoBar("info", "")
        self.notice.hide()
        column.addLayout(self._head())
        column.addSpacing(8)
        column.addWidget(self.notice)
        column.addLayout(self._sizes())
        self._add_findings(column)
        column.addWidget(CommandRow(self._outcome.command, (self.copy_command, self.save_report)))
        column.addStretch(1)
        self._restyle()
        theme().changed.connect(self._restyle)
        scroll.setWidget(content)
        content.setAutoFillBackground(False)
        scroll.viewport().setAutoFillBackground(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stack_sizes()

    def _stack_sizes(self) -> None:
        """Put the two files below each other where there is no room for both."""
        narrow = self.width() < theme().px(_NARROW)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._row.setDirection(down if narrow else across)
        self._arrow.set_icon("arrow-down" if narrow else "arrow-right", "muted")

    def _restyle(self) -> None:
        self._inner.setMaximumWidth(theme().px(_WIDTH))
        self._stack_sizes()

    def _head(self) -> Flow:
        done = self.tr("Compressed and verified") if self._compressed else self.tr("Converted and verified")
        self.tile = IconTile("check", token="addText", fill="addBg", side=48)
        self.headline = Label(done if self._outcome.verified else self.tr("Nothing was written"), "page", wrap=True)
        when = Label(now_text(self._outcome.seconds), "secondary", wrap=True)
        head = Flow()
        head.addWidget(titled(self.tile, self.headline, when))
        head.addStretch()
        for button in (self.undo, self.folder, self.compare, self.result):
            head.addWidget(button)
        return head

    def _sizes(self) -> QBoxLayout:
        outcome = self._outcome
        whole = max(outcome.bytes_before, outcome.bytes_after, 1)
        about = self._source.store.info if self._source is not None else None
        before = Side(
            self.tr("Before"), outcome.source.name, kind_text(about.format, about.codec) if about is not None else "",
            outcome.bytes_before, outcome.bytes_before / whole, self._counts(),
        )  # fmt: skip
        after = Side(
            self.tr("After"), outcome.target.name, kind_text(outcome.format, outcome.codec),
            outcome.bytes_after, outcome.bytes_after / whole, self._after_note(),
        )  # fmt: skip
        row = self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(16)
        self.before, self.after = SizeCard(before, token="s5"), SizeCard(after, token="accent")
        row.addWidget(self.before, 1)
        self._arrow = IconLabel("arrow-right", size=20)
        row.addWidget(self._arrow, 0, Qt.AlignmentFlag.AlignCenter)
        row.addWidget(self.after, 1)
        return row

    def _counts(self) -> str:
        outcome = self._outcome
        parts = [self.tr("{count} records").replace("{count}", count_text(outcome.records))]
        if outcome.versions:
            parts.append(self.tr("{count} versions").replace("{count}", count_text(outcome.versions)))
        return ", ".join(parts)

    def _after_note(self) -> str:
        before, after = self._outcome.bytes_before, self._outcome.bytes_after
        if not before or not after or before == after:
            return self._counts()
        text = self.tr("{counts}, {factor}× smaller") if after < before else self.tr("{counts}, {factor}× larger")
        factor = max(before, after) / min(before, after)
        return text.replace("{counts}", self._counts()).replace("{factor}", locale().toString(factor, "f", 1))

    def _add_findings(self, column: QVBoxLayout) -> None:
        outcome = self._outcome
        if outcome.checks:
            passed = self.tr("{count} of {count} passed").replace("{count}", count_text(len(outcome.checks)))
            self._claims.append(ChecksCard(outcome.checks, self.tr("Verified by reading the result back"), passed))
        self.strip = self._losses()
        self._claims.append(self.strip)
        for claim in self._claims:
            column.addWidget(claim)
        if outcome.losses:
            self.places = PlacesView(PlacesModel(outcome.losses, self._labels, self))
            self.places.wanted.connect(self._open_place)
            self.places_card = Card()
            self.places_card.body.setContentsMargins(12, 8, 12, 8)
            self.places_card.body.addWidget(self.places)
            self.places_card.hide()
            column.addWidget(self.places_card)
        if outcome.opens_in:
            programs = for_window("; ".join(outcome.opens_in))
            opens = self.tr("Opens in {programs}.").replace("{programs}", programs)
            self._add_claim(column, InfoBar("info", opens, icon="link"))
        for note in outcome.notes:
            # Where the original is stands in the strip already.
            if outcome.backup is None or str(outcome.backup) not in note:
                self._add_claim(column, InfoBar("info", for_window(note)))

    def _add_claim(self, column: QVBoxLayout, claim: QWidget) -> None:
        self._claims.append(claim)
        column.addWidget(claim)

    def _losses(self) -> Strip:
        outcome = self._outcome
        if outcome.losses:
            lines = [f"{loss_text(loss.kind)}: {count_text(loss.count)}" for loss in outcome.losses]
            strip = Strip(self.tr("Not carried over"), lines, warning=True)
            self.show_records = Button(self.tr("Show records"), height=30)
            self.show_records.clicked.connect(self._toggle_places)
            strip.right.addWidget(self.show_records)
        else:
            every = self.tr("Every record and version that was taken is in the result.")
            strip = Strip(self.tr("Losses: none"), [every], warning=False)
        original = self._original()
        kept_as = self.tr("The original is kept as {name}").replace("{name}", original.name)
        heading = self.tr("Original, kept as it was") if outcome.backup is None else kept_as
        copy = IconButton("copy", self.tr("Copy the path of the original"), size=14)
        copy.clicked.connect(lambda: self._shell.copy(str(original), self.tr("the path")))
        if original != outcome.target:
            strip.right.addWidget(kept(heading, f"{folder_text(original)}/{original.name}", copy))
        return strip

    def _original(self) -> Path:
        """Return where the store is as it was before."""
        return self._outcome.backup or self._outcome.source

    # What the buttons do

    def _compare(self) -> None:
        self._shell.compare_files(self._original(), self._outcome.target)

    def _toggle_places(self) -> None:
        self.places_card.setVisible(self.places_card.isHidden())
        hidden = self.places_card.isHidden()
        self.show_records.setText(self.tr("Show records") if hidden else self.tr("Hide records"))
        if not hidden:
            self.places.setFocus()

    def _open_place(self, where: str) -> None:
        name = where if where in self._labels else where.rpartition("/")[0]
        if self._source is None or self._source not in self._shell.stores:
            return
        for entry in self._source.store.collections:
            if entry.name == name:
                self._shell.open_collection(self._source, entry)
                return

    def _show_folder(self) -> None:
        target = self._outcome.target
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(target if target.is_dir() else target.parent)))

    def _ask_report(self) -> None:
        target = self._outcome.target
        proposal = str(target.with_name(f"{target.name}-report.json"))
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save report"), proposal, "JSON (*.json)")
        if name:
            self.write_report(Path(name))

    def write_report(self, path: Path) -> None:
        """Write the outcome as ``inspector convert --json`` prints it."""
        try:
            path.write_text(json.dumps(self._outcome.to_json(), indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            text = self.tr("{file} cannot be written: {reason}.").replace("{file}", str(path))
            self._say("error", text.replace("{reason}", error.strerror or str(error)))
            return
        self._shell.toast(self.tr("Saved {file}").replace("{file}", path.name))

    def _undo(self) -> None:
        self.undo.setEnabled(False)
        target = self._outcome.target
        title = self.tr("Undoing {name}").replace("{name}", target.name)
        task = self._shell.runner.run(_undo, target, key=f"write {target}", title=title)
        task.writes = True
        self._task = task
        task.succeeded.connect(self._undone)
        task.failed.connect(self._not_undone)
        task.cancelled.connect(partial(self.undo.setEnabled, True))

    def _undone(self, outcome: Outcome) -> None:
        self._taken_back = True
        self.headline.setText(self.tr("Compression undone") if self._compressed else self.tr("Conversion undone"))
        # Away from a button that is about to go.
        opens = outcome.bytes_after and not self.result.isHidden()
        (self.result if opens else self.folder).setFocus(Qt.FocusReason.OtherFocusReason)
        self.undo.hide()
        self.compare.hide()
        for claim in self._claims:
            claim.hide()
        self.result.setText(self.tr("Open store"))
        name = outcome.target.name
        if outcome.bytes_after:
            self._say("ok", self.tr("The original of {name} is put back.").replace("{name}", name))
            self.after.set_gone(self.tr("Undone: the original is put back."))
            self._reload(outcome.target)
        else:
            self._say("ok", self.tr("{name} is in the trash.").replace("{name}", name))
            self.after.set_gone(self.tr("Undone: this file is in the trash."))
            self.result.setEnabled(False)
        self.title = self.headline.text()
        self.status_changed.emit()
        self._shell.toast(self.headline.text())

    def _reload(self, written: Path) -> None:
        """Have the window show what stands under the name that was written now, if it has it open."""
        for store in self._shell.stores:
            if store.key == os.path.abspath(written):
                self._shell.reload_store(store)

    def _not_undone(self, error: BaseException) -> None:
        self.undo.setEnabled(True)
        self._say("error", sentence(error))

    def _say(self, tone: str, text: str) -> None:
        self.notice.set_text(text, "ok" if tone == "ok" else "error")
        self.notice.show()
