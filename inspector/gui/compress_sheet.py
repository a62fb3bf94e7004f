"""The compress sheet: candidates measured on the store itself, what opens the result, and one button that does it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.gui.candidate_table import CandidateModel, CandidateView
from inspector.gui.candidate_text import is_change, measured_text, reasons
from inspector.gui.compress_notes import Configuration, Line, Reason, TargetChoice
from inspector.gui.compress_work import Measured, compressed, measure
from inspector.gui.controls import Bar, Button, EmptyState, InfoBar, Label, Segmented, Separator
from inspector.gui.file_field import backup_name, free_name
from inspector.gui.sheet import Sheet
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.skeleton import AFTER, SkeletonRows
from inspector.gui.tasks import Task
from inspector.gui.texts import for_window, size_text
from inspector.gui.theme import theme
from inspector.gui.writing import Words, sentence, write
from inspector.model import InspectorError
from inspector.operations.advise import GOALS, Candidate, recommend
from inspector.operations.compress import AUTO, CompressJob
from inspector.operations.targets import configuration_for

translate = QCoreApplication.translate

WIDTH = 984

_NARROW = 820
"""Design pixels of the window below which what can be told from the rest is left out."""

_CHROME = 232
"""Design pixels of the sheet that are neither candidates nor notes: header, footer, margins, and those around it."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A job that did not work, with the sentence that says why and the rest of what was chosen for it."""

    job: CompressJob
    spec: str
    goal: int
    ready: bool
    problem: str = ""


class CompressSheet(Sheet):
    """Asks how to make a store smaller, and starts that. *again* is an attempt that did not work: it is shown anew."""

    def __init__(self, shell: Shell, store: OpenStore, *, again: Attempt | None = None) -> None:
        title = translate("CompressSheet", "Compress {name}").replace("{name}", store.path.name)
        super().__init__(shell.window_widget(), title, width=WIDTH)
        self._shell = shell
        self._store = store
        self._task: Task | None = None
        self._again = again
        self._measured: Measured | None = None
        self._copied = False
        self._fill_body()
        self._fill_footer()
        self.problem.setVisible(again is not None)
        if again is not None:
            self.problem.set_text(again.problem)
            self.goal.set_current(again.goal)
        self.closed.connect(self._forget_task)
        # After the table's own connection, which sets the height of its rows.
        theme().changed.connect(self._fit)
        self._measure()

    def open(self, focus: QWidget | None = None) -> None:
        """Show the sheet; the focus goes to the candidates as soon as they are there."""
        super().open(focus or (self.table if self._measured is not None else self.goal))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # Making the parts

    def _fill_body(self) -> None:
        goals = (self.tr("Balanced"), self.tr("Smallest"), self.tr("Fast open"))
        self.goal = Segmented([(None, goal) for goal in goals], self.tr("Best for"))
        self.goal_label = Label(self.tr("Best for"), "secondary")
        self.header.addWidget(self.goal_label)
        self.header.addWidget(self.goal)
        self.goal.selected.connect(self._mark)
        self.problem = InfoBar("error", "")
        self.bar = Bar(self.tr("Measuring"))
        self.model = CandidateModel(self)
        self.table = CandidateView(self.model)
        self.table.chosen.connect(self._chosen)
        self.table.confirmed.connect(self._confirm)
        # A sheet lets the window show through: whatever moves in it has the window painted anew with every frame.
        self.skeleton = SkeletonRows(self.tr("Methods are being measured"), still=True)
        self.skeleton.setMinimumHeight(self.table.sizeHint().height() + 5 * 28)
        self.refusal = EmptyState("package", "")
        self.stack = QStackedWidget()
        for page in (QWidget(), self.skeleton, self.table, self.refusal):
            self.stack.addWidget(page)
        self.body.addWidget(self.problem)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.stack, 1)
        self.notes = QWidget()
        self._fill_notes(QVBoxLayout(self.notes))
        self.body.addWidget(self.notes)

    def _fill_notes(self, column: QVBoxLayout) -> None:
        path = self._store.path
        self.reason = Reason()
        self.line = Separator()
        self.opens = Line("link")
        self.configuration = Configuration()
        self.hindrance = InfoBar("warning", "")
        self.target = TargetChoice(backup_name(path), _copy_of(path))
        self.safety = Line("shield-check", "addText")
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for widget in (self.reason, self.line, self.opens, self.configuration, self.hindrance):
            column.addWidget(widget)
        column.addWidget(self.target)
        column.addWidget(self.safety)
        self.configuration.copy_wanted.connect(self._copy_configuration)
        self.configuration.changed.connect(self._refresh)
        self.target.changed.connect(self._refresh)
        self.hindrance.hide()
        self.notes.hide()

    def _fill_footer(self) -> None:
        self.command = Button(self.tr("Copy as command"), "ghost", icon="terminal", height=36)
        self.space = Label("", "secondary")
        self.stop = Button(self.tr("Cancel"), height=36)
        self.convert = Button(self.tr("Convert…"), "primary", height=36)
        self.go = Button(self.tr("Compress"), "primary", height=36)
        self.command.clicked.connect(self._copy_command)
        self.stop.clicked.connect(self.cancel)
        self.convert.clicked.connect(self._convert_instead)
        self.go.clicked.connect(self._start)
        self.footer.addWidget(self.command)
        self.footer.addWidget(self.space)
        self.footer.addStretch(1)
        for button in (self.stop, self.convert, self.go):
            self.footer.addWidget(button)
        self.convert.hide()
        self.command.setEnabled(False)
        self.go.setEnabled(False)

    # Measuring

    def _measure(self) -> None:
        title = self.tr("Measuring {name}").replace("{name}", self._store.path.name)
        self.set_subtitle(self.tr("Measuring methods on this store…"))
        self.bar.set_share(None)
        self.bar.show()
        QTimer.singleShot(AFTER, self, self._show_skeleton)
        task = self._shell.runner.run(measure, self._store.store, key=self._store.key, title=title)
        self._task = task
        task.progressed.connect(self._progress)
        task.succeeded.connect(self._take)
        task.failed.connect(self._refuse)
        task.cancelled.connect(self.cancel)

    def _progress(self, done: int, total: int | None) -> None:
        self.bar.set_share(done / total if total else None)

    def _show_skeleton(self) -> None:
        if self.stack.currentIndex() == 0:
            self.stack.setCurrentWidget(self.skeleton)

    def _take(self, measured: Measured) -> None:
        self._measured = measured
        self.bar.hide()
        self.set_subtitle(measured_text(measured.advice))
        self.stack.setCurrentWidget(self.table)
        self.notes.show()
        self.command.setEnabled(True)
        if measured.hindrance:
            self.hindrance.set_text(for_window(measured.hindrance))
            self.hindrance.show()
            self.target.forbid_in_place()
        self._mark(self.goal.current)
        if self._again is not None:
            self._choose_again(self._again)
        if self.isVisible():
            self.table.setFocus()

    def _mark(self, goal: int) -> None:
        """Recommend what is best for *goal*, and choose it."""
        if self._measured is None:
            return
        self._measured = replace(self._measured, advice=recommend(self._measured.advice, GOALS[goal]))
        self.model.set_advice(self._measured.advice, self._measured.needs)
        self.table.choose(self.model.recommended())

    def _choose_again(self, attempt: Attempt) -> None:
        rows = range(self.model.rowCount())
        row = next((row for row in rows if self.model.candidate(row).codec == attempt.spec), None)
        if row is not None and is_change(self.model.candidate(row)):
            self.table.choose(row)
            self.configuration.ready.setChecked(attempt.ready)
        if attempt.job.target is not None:
            self.target.choose_copy(attempt.job.target)

    def _refuse(self, error: BaseException) -> None:
        self.bar.hide()
        self.set_subtitle("")
        self.refusal.set_text(self.tr("This store cannot be made smaller as it is"), sentence(error))
        self.stack.setCurrentWidget(self.refusal)
        for widget in (self.notes, self.command, self.space, self.go, self.goal, self.goal_label):
            widget.hide()
        self.convert.show()
        if self.isVisible():
            self.convert.setFocus()

    def _forget_task(self) -> None:
        if self._task is not None:
            self._task.drop()
            self._task = None

    # The choice

    def candidate(self) -> Candidate | None:
        """Return the chosen candidate, None while nothing is measured."""
        return self.model.candidate(self.table.current) if self.table.current >= 0 else None

    def job(self) -> CompressJob | None:
        """Return the job that the sheet's settings describe, None if they describe none."""
        chosen = self.candidate()
        if chosen is None or not is_change(chosen) or (not self.target.is_in_place() and self.target.target() is None):
            return None
        return CompressJob(self._store.path, self.target.target(), codec=AUTO if chosen.auto else chosen.codec)

    def _chosen(self, row: int) -> None:
        self._copied = False
        self.configuration.ready.setChecked(False)
        self._refresh()

    def _confirm(self) -> None:
        """Lead from the choice to the button; a key that chooses must never start the work itself."""
        stops = (self.go, self.configuration.ready, self.target.file.field)
        stop = next((stop for stop in stops if stop.isVisible() and stop.isEnabled()), None)
        if stop is not None:
            stop.setFocus(Qt.FocusReason.TabFocusReason)

    def _refresh(self) -> None:
        chosen, measured = self.candidate(), self._measured
        if chosen is None or measured is None:
            return
        change = is_change(chosen)
        self.reason.set_texts(*reasons(measured.advice, chosen))
        self._refresh_opens(chosen, needs=chosen.codec in measured.needs and change)
        self.target.setVisible(change)
        self.line.setVisible(change)
        self.safety.set_text(self._safety() if change else "")
        space = self.tr("{free} free, {size} needed") if change else self.tr("{free} free")
        self.space.setText(
            space.replace("{free}", size_text(measured.free)).replace("{size}", size_text(chosen.estimate))
        )
        self._refresh_button(chosen, measured)
        self._fit()

    def _fit(self) -> None:
        """Leave the candidates the room that the notes do not take, so that the sheet itself need not scroll."""
        narrow = self.width() < theme().px(_NARROW)
        self.target.stack(narrow)
        self.space.setVisible(not narrow and not self.go.isHidden())
        self.goal_label.setVisible(not narrow and not self.go.isHidden())
        width = min(theme().px(WIDTH), self.width()) - theme().px(96)
        taken = self.notes.heightForWidth(width) + theme().px(_CHROME)
        self.table.fit(self.height() - taken)

    def _refresh_opens(self, chosen: Candidate, *, needs: bool) -> None:
        text = self.tr("Opens in {programs}.").replace("{programs}", for_window("; ".join(chosen.opens_in)))
        if needs:
            text = self.tr("Opens in Jupyter with this configuration. Without it, Jupyter ignores compressed rows.")
            target = self.target.target() or self._store.path
            try:
                self.configuration.set_text(configuration_for(self._store.store, target, chosen.codec))
            except InspectorError as error:
                self.configuration.set_text(f"# {for_window(str(error))}")
        self.opens.set_text(text if chosen.opens_in else "")
        self.configuration.setVisible(needs)
        self.configuration.ready.setVisible(self.target.is_in_place())

    def _safety(self) -> str:
        if self.target.is_in_place():
            return self.tr("The new file is read back and compared with the original before it takes its place.")
        return self.tr("The original is not changed. The copy is read back and compared with it.")

    def _refresh_button(self, chosen: Candidate, measured: Measured) -> None:
        if not is_change(chosen):
            self.go.setText(self.tr("Leave as it is"))
            self.go.setEnabled(True)
            self.command.setEnabled(False)
            return
        sizes = f"{size_text(measured.advice.size)} → {size_text(chosen.estimate)}"
        self.go.setText(self.tr("Compress: {sizes}").replace("{sizes}", sizes))
        waits = chosen.codec in measured.needs and self.target.is_in_place()
        ready = not waits or self._copied or self.configuration.ready.isChecked()
        self.go.setEnabled(ready and self.job() is not None)
        self.go.setToolTip("" if ready else self.tr("Copy the configuration first, or tick that this server has it."))
        self.command.setEnabled(self.job() is not None)

    # What the buttons do

    def _copy_configuration(self, text: str) -> None:
        self._shell.copy(text, self.tr("the configuration"))
        self._copied = True
        self._refresh()

    def _copy_command(self) -> None:
        if (job := self.job()) is not None:
            self._shell.copy(job.command(), self.tr("the command"))

    def _convert_instead(self) -> None:
        self.cancel()
        self._shell.convert(self._store)

    def _start(self) -> None:
        job, chosen = self.job(), self.candidate()
        self.accept()
        if job is None or chosen is None:
            return
        name = self._store.path.name
        words = Words(
            title=self.tr("Compressing {name}").replace("{name}", name),
            done=self.tr("Compressed {name}").replace("{name}", name),
            not_done=self.tr("{name} was not compressed; it is as it was").replace("{name}", name),
        )
        ready = self._copied or self.configuration.ready.isChecked()
        attempt = Attempt(job, chosen.codec, self.goal.current, ready)
        again = partial(_open_again, self._shell, self._store, attempt)
        write(self._shell, self._store, partial(compressed, job), words=words, again=again)


def _open_again(shell: Shell, store: OpenStore, attempt: Attempt, problem: str) -> None:
    if shiboken6.isValid(store):
        CompressSheet(shell, store, again=replace(attempt, problem=problem)).open()


def _copy_of(path: Path) -> Path:
    """Return the name that a smaller copy of *path* gets at first: ``NAME-compressed`` before the suffixes."""
    stem, dot, suffixes = path.name.partition(".")
    return free_name(path.with_name(f"{stem}-compressed{dot}{suffixes}"))
