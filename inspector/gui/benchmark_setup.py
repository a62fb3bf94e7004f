"""What to measure: the data, the codecs, how often, and the button that starts and stops it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.benchmark_codecs import CodecList
from inspector.gui.benchmark_data import DataList
from inspector.gui.controls import Button, Label, Separator
from inspector.gui.theme import theme
from inspector.model import InspectorError
from inspector.operations.benchmark import STORAGE_RUNS, BenchJob, What
from inspector.operations.benchmark_model import UNITS, Unit

_FIELD = 116


class RunForm(QWidget):
    """How often and on what pieces."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.runs = QSpinBox()
        self.runs.setRange(0, 999)
        self.runs.setSpecialValueText(self.tr("by time"))
        self.runs.setAccessibleName(self.tr("Runs per codec"))
        self.runs.setToolTip(self.tr("Exactly so many runs, or by time: as many as fit. Runs are interleaved."))
        self.seconds = QDoubleSpinBox()
        self.seconds.setRange(0.1, 60.0)
        self.seconds.setDecimals(1)
        self.seconds.setSingleStep(0.5)
        self.seconds.setValue(0.5)
        self.seconds.setSuffix(" s")
        self.seconds.setAccessibleName(self.tr("Shortest time"))
        self.seconds.setToolTip(self.tr("Each codec writes, and reads, for at least this long"))
        self.unit = QComboBox()
        self.unit.setAccessibleName(self.tr("Unit"))
        words = {"whole": self.tr("whole data"), "block": self.tr("1 MiB blocks"), "row": self.tr("single rows")}
        for unit in UNITS:
            self.unit.addItem(words[unit], unit)
        for spin in (self.runs, self.seconds):
            spin.lineEdit().setAccessibleName(spin.accessibleName())
        self._labels: list[QLabel] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        rows = ((self.tr("Runs"), self.runs), (self.tr("Shortest"), self.seconds), (self.tr("Unit"), self.unit))
        for row, (text, field) in enumerate(rows):
            label = Label(text, "body", token="muted")
            label.setBuddy(field)
            self._labels.append(label)
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
        self.runs.valueChanged.connect(self._changed)
        self.seconds.valueChanged.connect(self._changed)
        self.unit.currentIndexChanged.connect(self._changed)
        self._what: What = "codecs"
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_what(self, what: What) -> None:
        """Show what can be chosen for codecs or for storages."""
        self._what = what
        for widget in (*self._labels[1:], self.seconds, self.unit):
            widget.setVisible(what == "codecs")
        by_time = self.tr("by time") if what == "codecs" else str(STORAGE_RUNS)
        self.runs.setSpecialValueText(by_time)

    def chosen_unit(self) -> Unit:
        """Return the unit that is chosen."""
        unit: Unit = self.unit.currentData()
        return unit

    def _changed(self) -> None:
        self.seconds.setEnabled(self.runs.value() == 0)
        self.changed.emit()

    def _restyle(self) -> None:
        for field in (self.runs, self.seconds, self.unit):
            field.setFixedWidth(theme().px(_FIELD))


class SetupPanel(QWidget):
    """The left part of the lab. `job` is what it asks for; `run_wanted` and `stop_wanted` come from its button."""

    run_wanted = Signal(object)
    """A `BenchJob` that is in order."""
    stop_wanted = Signal()
    changed = Signal()
    copy_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.data = DataList()
        self.codecs = CodecList()
        self.form = RunForm()
        self.button = Button(self.tr("Run"), "primary", icon="play", height=36)
        self.note = Label("", "secondary", wrap=True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.problem = Label("", "error", wrap=True)
        self.problem.hide()
        self.copy = Button(self.tr("Copy command line"), "link", height=24)
        self._what: What = "codecs"
        self._running = False
        self._lay_out()
        self.button.clicked.connect(self._press)
        self.copy.clicked.connect(self.copy_wanted)
        for part in (self.data, self.codecs, self.form):
            part.changed.connect(self._edited)
        self.set_what("codecs")

    def job(self) -> BenchJob:
        """Return what is asked for. Raises `InspectorError` with what is wrong with it."""
        specs = self.codecs.specs() if self._what == "codecs" else ()
        if self._what == "codecs" and not specs:
            raise InspectorError(self.tr("No codec is chosen. Check one or more, with at least one level."))
        job = BenchJob(
            paths=self.data.chosen(),
            what=self._what,
            specs=specs,
            unit=self.form.chosen_unit(),
            runs=self.form.runs.value() or None,
            min_time=self.form.seconds.value(),
        )
        job.check()
        return job

    def set_what(self, what: What) -> None:
        """Ask for codecs or for storages."""
        self._what = what
        self.form.set_what(what)
        self._codec_part.setVisible(what == "codecs")
        self._edited()

    def set_running(self, running: bool, *, again: bool) -> None:
        """Show a button that stops, or one that runs, perhaps again."""
        self._running = running
        run = self.tr("Run again") if again else self.tr("Run")
        self.button.setText(self.tr("Stop") if running else run)
        self.button.set_icon_name("x" if running else "play")
        self.button.set_kind("secondary" if running else "primary")
        for part in (self.data, self._codec_part, self.form):
            part.setEnabled(not running)

    def set_note(self, text: str) -> None:
        """Say below the button how long it takes."""
        self.note.setText(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("sidebar"))

    def _press(self) -> None:
        if self._running:
            self.stop_wanted.emit()
            return
        try:
            job = self.job()
        except InspectorError as error:
            self._say(str(error))
        else:
            self.run_wanted.emit(job)

    def _edited(self) -> None:
        try:
            self.job()
        except InspectorError as error:
            self._say(str(error))
        else:
            self._say("")
        self.changed.emit()

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        self.button.setEnabled(self._running or not text)

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.addWidget(Label(self.tr("Codecs"), "section"), 1)
        head.addWidget(Label(self.tr("levels"), "secondary"))
        self._codec_part = QWidget()
        part = QVBoxLayout(self._codec_part)
        part.setContentsMargins(0, 0, 0, 0)
        part.setSpacing(0)
        part.addWidget(Separator())
        part.addLayout(_section(head, self.codecs))
        data = QHBoxLayout()
        data.addWidget(Label(self.tr("Data"), "section"))
        run = QHBoxLayout()
        run.addWidget(Label(self.tr("Run"), "section"))
        column.addLayout(_section(data, self.data))
        column.addWidget(self._codec_part)
        column.addWidget(Separator())
        column.addLayout(_section(run, self.form))
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inner)
        inner.setAutoFillBackground(False)
        scroll.viewport().setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(scroll, 1)
        outer.addWidget(Separator())
        foot = QVBoxLayout()
        foot.setContentsMargins(16, 12, 16, 12)
        foot.setSpacing(8)
        for widget in (self.problem, self.button, self.note):
            foot.addWidget(widget)
        foot.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addLayout(foot)


def _section(head: QHBoxLayout, content: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(16, 14, 16, 14)
    column.setSpacing(8)
    column.addLayout(head)
    column.addWidget(content)
    return column
