"""The convert sheet: a format, a codec, a file, and what would be lost, computed while the form is filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import shiboken6
from PySide6.QtCore import QCoreApplication, QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from inspector.gui.controls import Button, InfoBar, Label, Separator
from inspector.gui.convert_form import CodecForm, CollectionsModel, CollectionsView, section
from inspector.gui.convert_plan import PlanPanel
from inspector.gui.convert_work import (
    Place,
    Planned,
    converted,
    first_target,
    labels_of,
    looked,
    measured,
    planned,
    proposed,
)
from inspector.gui.file_field import FileField
from inspector.gui.icons import icon
from inspector.gui.kinds import icon_for, label_for
from inspector.gui.sheet import Sheet
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.tasks import Task
from inspector.gui.texts import size_text
from inspector.gui.theme import theme
from inspector.gui.writing import Words, sentence, write
from inspector.operations.convert import Job, Plan
from inspector.operations.targets import Target, targets

translate = QCoreApplication.translate

WIDTH = 984

_NARROW = 820
"""Design pixels of the window below which form and plan stand one below the other."""

PAUSE = 200
"""Milliseconds without a further change of the form until the plan is made."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A job that did not work, the plan that was seen for it, and the sentence that says why."""

    job: Job
    planned: Planned
    problem: str = ""


class ConvertSheet(Sheet):
    """Asks what to write a store as, and starts that.

    *entries* are the names of the collections to take, all if there is none; *again* is an attempt that did not work:
    its form is shown anew.
    """

    def __init__(
        self, shell: Shell, store: OpenStore, entries: Sequence[str] = (), *, again: Attempt | None = None
    ) -> None:
        title = translate("ConvertSheet", "Convert {name}").replace("{name}", store.path.name)
        super().__init__(shell.window_widget(), title, width=WIDTH)
        self._shell = shell
        self._store = store
        self._targets = targets()
        self._entries = tuple(store.store.collections)
        self._task: Task | None = None
        self._look: Task | None = None
        # What is known of the form and of the file, each on its own: a name is typed faster than losses are counted.
        self._planned: Plan | None = None
        self._spot: Place | None = None
        self._problem = ""
        # The file's name follows the format until the user names one.
        self._named = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._plan)
        self._fill_body(entries, again.problem if again is not None else "")
        self._fill_footer()
        about = store.store.info
        now = self.tr("Now {format}, {size}").replace("{format}", label_for(about.format))
        self.set_subtitle(now.replace("{size}", size_text(about.size)))
        self.closed.connect(self._rest)
        self._connect()
        self._choose_format(self.format.currentIndex())
        if again is not None:
            self._fill_again(again)

    def open(self, focus: QWidget | None = None) -> None:
        """Show the sheet, the focus on the format."""
        super().open(focus or self.format)

    # Making the parts

    def _fill_body(self, entries: Sequence[str], problem: str) -> None:
        if problem:
            self.body.addWidget(InfoBar("error", problem))
        self._columns = columns = QHBoxLayout()
        columns.setSpacing(24)
        form, right = QVBoxLayout(), QVBoxLayout()
        form.setSpacing(14)
        right.setSpacing(4)
        self._fill_form(form, entries)
        form.addStretch(1)
        self.plan = PlanPanel()
        right.addWidget(Label(self.tr("What will be written"), "section"))
        right.addWidget(self.plan, 1)
        columns.addLayout(form, 1)
        self._between = Separator(vertical=True)
        columns.addWidget(self._between)
        columns.addLayout(right, 1)
        self.body.addLayout(columns, 1)

    def _fill_form(self, form: QVBoxLayout, entries: Sequence[str]) -> None:
        self.format = QComboBox()
        self.format.setAccessibleName(self.tr("Format"))
        for target in self._targets:
            self.format.addItem(icon(icon_for(target.id)), target.label)
        picked = len(entries) or len(self._entries)
        self.format.setCurrentIndex(first_target(self._targets, self._store.store.info.format, picked))
        self.codec = CodecForm()
        self.native = QCheckBox(self.tr("As values that other programs can work on, with losses"))
        section(form, self.tr("Convert to"), self.format)
        self.safe = QCheckBox(self.tr("Safe for spreadsheets: no cell is run as a formula"))
        self.safe.setToolTip(
            self.tr("An apostrophe is put before such cells; it is taken away when the file is read here")
        )
        section(form, self.tr("Codec"), self.codec, self.native, self.safe)
        self.collections = CollectionsModel(self._entries, entries, self)
        if len(self._entries) > 1:
            name = self.tr("Tables and documents")
            section(form, name, CollectionsView(self.collections, name))
        self.version = QLineEdit()
        self.version.setPlaceholderText(self.tr("Newest"))
        self.version.setAccessibleName(self.tr("Version"))
        self.version.setToolTip(self.tr("A version number, or a time such as 2026-03-12T15:00:00Z"))
        if any(entry.versions is not None for entry in self._entries):
            section(form, self.tr("Version"), self.version)
        self.file = FileField(self.tr("File to write"))
        self._place_label = section(form, self.tr("File to write"), self.file)

    def _fill_footer(self) -> None:
        self.command = Button(self.tr("Copy as command"), "ghost", icon="terminal", height=36)
        self.space = Label("", "secondary")
        self.stop = Button(self.tr("Cancel"), height=36)
        self.go = Button("", "primary", height=36)
        self.footer.addWidget(self.command)
        self.footer.addWidget(self.space)
        self.footer.addStretch(1)
        self.footer.addWidget(self.stop)
        self.footer.addWidget(self.go)
        self.set_default(self.go)

    def _connect(self) -> None:
        self.format.currentIndexChanged.connect(self._choose_format)
        self.codec.changed.connect(self._change)
        self.native.toggled.connect(self._change)
        self.safe.toggled.connect(self._change)
        self.collections.picked_changed.connect(self._change)
        self.version.textChanged.connect(self._change)
        self.file.field.textEdited.connect(self._name)
        self.file.changed.connect(self._change_file)
        self.plan.changed.connect(self._refresh)
        self.command.clicked.connect(self._copy_command)
        self.stop.clicked.connect(self.cancel)
        self.go.clicked.connect(self._start)
        theme().changed.connect(self._restyle)
        self._restyle()

    # The choice

    def target(self) -> Target:
        """Return the format that is chosen."""
        return self._targets[self.format.currentIndex()]

    def job(self) -> Job | None:
        """Return the job that the form describes, None while it describes none."""
        path, form = self.file.path(), self._form()
        if path is None or form is None:
            return None
        return replace(
            form,
            target=path,
            accept_losses=self.plan.accept_losses.isChecked() and not self.plan.accept_losses.isHidden(),
            overwrite=self.plan.replace.isChecked() and not self.plan.replace.isHidden(),
        )

    @property
    def busy(self) -> bool:
        """True until the sheet has said of the present form what it would do, or why it cannot."""
        tasks = (self._task, self._look) if self._planned is None else (self._look,)
        return self._pause.isActive() or any(task is not None and task.running for task in tasks)

    def _form(self) -> Job | None:
        """Return the job but for its file and the ticks, None if no collection is taken."""
        names = self.collections.picked()
        if not names:
            return None
        target = self.target()
        spec = self.codec.spec()
        return Job(
            source=self._store.path,
            target=None,
            to=target.id,
            codec=None if spec == target.default_codec else spec,
            collections=() if self.collections.all_picked() else names,
            at=self.version.text().strip() or None,
            native=self.native.isChecked(),
            spreadsheet_safe=self.safe.isChecked(),
        )

    def _fill_again(self, attempt: Attempt) -> None:
        """Fill the form in as it was."""
        job = attempt.job
        self.format.setCurrentIndex([target.id for target in self._targets].index(job.to))
        if job.codec is not None:
            self.codec.choose(job.codec)
        self.native.setChecked(job.native)
        self.safe.setChecked(job.spreadsheet_safe)
        self.version.setText(job.at or "")
        self._named = True
        self.file.set_path(job.destination)
        self.plan.remember(attempt.planned, accepted=job.accept_losses, replace=job.overwrite)

    def _choose_format(self, number: int) -> None:
        target = self._targets[number]
        self.codec.set_target(target)
        tables = any(entry.kind == "table" for entry in self._entries)
        self.native.setVisible(target.native and tables)
        if not target.native:
            self.native.setChecked(False)
        self.safe.setVisible(target.spreadsheet_safe)
        if not target.spreadsheet_safe:
            self.safe.setChecked(False)
        self.go.setText(self.tr("Convert to {format}").replace("{format}", target.label))
        self._change()

    def _name(self) -> None:
        self._named = True

    def _several(self) -> bool:
        """Say whether a folder of files will be written."""
        return self.target().one_collection and len(self.collections.picked()) > 1

    def _propose(self) -> None:
        """Ask for a file or a folder, whichever the choice needs, and propose a name until the user names one."""
        several = self._several()
        name = self.tr("Folder to write") if several else self.tr("File to write")
        self._place_label.setText(name)
        self.file.set_name(name)
        if not self._named:
            self.file.set_path(proposed(self._store.path, self.target(), self._targets, folder=several))

    def _change(self) -> None:
        self._propose()
        self._planned = None
        self._forget_plan()
        self._change_file()

    def _change_file(self) -> None:
        self._spot = None
        self._forget_look()
        self._refresh()
        self._pause.start()

    # The plan

    def _plan(self) -> None:
        form, path = self._form(), self.file.path()
        if not self.isVisible():
            # The window closed under the sheet: nothing may start any more.
            return
        self._problem = ""
        if form is None or path is None:
            none = self.tr("Choose at least one table or document.")
            self._refuse(none if path is not None else self.tr("Name the file to write."))
            return
        run = self._shell.runner.run
        # It touches no store, so it need not wait for what is read of this one.
        self._look = run(looked, path, self._store.path, self._several())
        self._look.succeeded.connect(self._take_place)
        self._look.failed.connect(lambda error: self._refuse(sentence(error)))
        if self._planned is None and (self._task is None or not self._task.running):
            self.plan.show_waiting()
            self._task = run(planned, form, key=self._store.key)
            self._task.progressed.connect(lambda done, total: self.plan.bar.set_share(done / total if total else None))
            self._task.succeeded.connect(partial(self._take, form))
            self._task.failed.connect(lambda error: self._refuse(sentence(error)))

    def _take(self, form: Job, result: Plan) -> None:
        self._planned = result
        self.plan.show_size()
        self._task = self._shell.runner.run(measured, form, key=self._store.key)
        self._task.succeeded.connect(self._take_size)
        self._show_plan()

    def _take_place(self, place: Place) -> None:
        self._spot = place
        self._show_plan()

    def _refuse(self, problem: str) -> None:
        self._problem = problem
        self.plan.show_problem(problem)
        self._refresh()

    def _show_plan(self) -> None:
        """Show what is known as soon as both the form and the file are looked at."""
        if (known := self._known()) is not None and not self._problem:
            self.plan.show_plan(known, labels_of(self._entries))
        self._refresh()

    def _known(self) -> Planned | None:
        if self._planned is None or self._spot is None:
            return None
        return Planned(self._planned, self._spot)

    def _take_size(self, size: int | None) -> None:
        self.plan.show_size(size_text(size) if size is not None else self.tr("known when it is written"))

    def _refresh(self) -> None:
        result, plan = self._known(), self.plan
        ready = result is not None and self.job() is not None and not self._problem
        if result is not None and result.plan.losses:
            ready = ready and plan.accept_losses.isChecked()
        if result is not None and result.place.exists:
            ready = ready and plan.replace.isChecked()
        self.go.setEnabled(ready)
        self.command.setEnabled(self.job() is not None)
        if self._spot is not None:
            self.space.setText(self.tr("{free} free").replace("{free}", size_text(self._spot.free)))

    def _rest(self) -> None:
        self._pause.stop()
        self._forget_plan()
        self._forget_look()

    def _forget_plan(self) -> None:
        if self._task is not None:
            self._task.drop()
            self._task = None

    def _forget_look(self) -> None:
        if self._look is not None:
            self._look.drop()
            self._look = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the plan below the form where both have no room side by side."""
        narrow = self.width() < theme().px(_NARROW)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(down if narrow else across)
        self._between.setVisible(not narrow)
        self.space.setVisible(not narrow)

    def _restyle(self) -> None:
        self.format.setIconSize(QSize(theme().px(16), theme().px(16)))
        for number, target in enumerate(self._targets):
            self.format.setItemIcon(number, icon(icon_for(target.id)))
        self._arrange()

    # What the buttons do

    def _copy_command(self) -> None:
        if (job := self.job()) is not None:
            self._shell.copy(job.command(), self.tr("the command"))

    def _start(self) -> None:
        job, known = self.job(), self._known()
        self.accept()
        if job is None or job.target is None or known is None:
            return
        name = self._store.path.name
        words = Words(
            title=self.tr("Converting {name}").replace("{name}", name),
            done=self.tr("Converted to {name}").replace("{name}", job.target.name),
            not_done=self.tr("{name} was not converted; nothing was written").replace("{name}", name),
        )
        again = partial(_open_again, self._shell, self._store, Attempt(job, known))
        write(self._shell, self._store, partial(converted, job), words=words, again=again)


def _open_again(shell: Shell, store: OpenStore, attempt: Attempt, problem: str) -> None:
    if shiboken6.isValid(store):
        ConvertSheet(shell, store, attempt.job.collections, again=replace(attempt, problem=problem)).open()
