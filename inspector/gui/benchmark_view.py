"""The benchmark lab: setup at the left, charts in the middle, all results at the right, all of them linked."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from inspector.gui.benchmark_export import Drawn, Exporter, ExportRow
from inspector.gui.benchmark_results import CodecResults, Results, StorageResults
from inspector.gui.benchmark_session import BenchmarkSession, Finish, arguments, duration, estimate
from inspector.gui.benchmark_setup import SetupPanel
from inspector.gui.benchmark_side import SidePanel
from inspector.gui.controls import EmptyState, InfoBar, Segmented, Separator, announce
from inspector.gui.flow import Flow
from inspector.gui.shell import OpenStore, Page, Shell
from inspector.gui.tall_area import TallArea
from inspector.gui.texts import count_text
from inspector.gui.theme import theme
from inspector.model import InspectorError
from inspector.operations.benchmark import BenchJob, What
from inspector.operations.benchmark_advice import widest_spread
from inspector.operations.benchmark_machine import this_machine
from inspector.operations.benchmark_model import Report
from inspector.operations.charts_model import Way, label_of

NARROW = 1040
"""Design pixels of the page below which the table goes under the charts."""

TINY = 620
"""Design pixels of the page below which the setup stands above the results, and all of it scrolls."""

COMPACT = 860
"""Design pixels of the row of views below which the exports go into a menu."""

_SETUP, _SIDE, _LOWER = 264, 440, 260
_TOOL = "benchmark"
_TINY_HEIGHTS = (360, 420, 300)
"""Least design pixels of setup, charts and table where they stand below each other."""


class BenchmarkPage(Page):
    """The lab, with *store* as its data at first. Its results outlive the store: it knows only the path."""

    icon_name = "gauge"
    needs_width = True

    def __init__(self, shell: Shell, store: OpenStore | None = None) -> None:
        super().__init__()
        self.title = self.tr("Benchmark lab")
        self.subtitle = store.path.name if store is not None else ""
        self._shell = shell
        self._cores = this_machine().cores
        self._narrow: bool | None = None
        self._tiny = False
        self._told: Finish | None = None
        self.session = BenchmarkSession(shell.runner, self)
        self.exporter = Exporter(shell, self)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.setup.data.set_stores(shell.stores)
        if store is not None:
            self.setup.data.choose((store.path,))
        self._refresh()

    def views(self) -> tuple[str, ...]:
        return (self.tr("Write speed"), self.tr("Read speed"), self.tr("Storages"))

    def show_view(self, number: int) -> None:
        self.switch.set_current(number)

    def reload(self) -> None:
        self.setup.data.set_stores(self._shell.stores)

    def status(self) -> tuple[tuple[str, str], ...]:
        report, finish = self.session.report(self.what), self.session.finish(self.what)
        if self.session.running == self.what:
            return ((self.icon_name, self.tr("Measuring")),)
        if report is None or finish is None:
            return ((self.icon_name, self.tr("Nothing measured yet")),)
        parts = [(self.icon_name, self._finish_text(finish)), ("", self._count_text(report))]
        widest = widest_spread(report)
        if widest is not None:
            text = self.tr("Largest spread: {codec}, ±{share} %")
            share = f"{widest[1] * 100:.0f}"
            parts.append(("", text.replace("{codec}", label_of(widest[0])).replace("{share}", share)))
        return tuple(parts)

    @property
    def what(self) -> What:
        """What the chosen view is about."""
        return "storages" if self.switch.current == 2 else "codecs"

    @property
    def way(self) -> Way:
        """Which speed the scatter shows."""
        return "read" if self.switch.current == 1 else "write"

    @property
    def report(self) -> Report | None:
        """The results that the view shows."""
        return self.session.report(self.what)

    def drawn_report(self) -> Report | None:
        """Return the results that the view shows, None if there is nothing to draw in it."""
        report = self.report
        return report if report is not None and (report.results or report.storages) else None

    def run(self, job: BenchJob) -> None:
        """Start measuring."""
        self.notice.hide()
        name = job.paths[0].name if len(job.paths) == 1 else self.tr("%Ln file(s)", "", len(job.paths))
        self.session.run(job, self.tr("Benchmark of {name}").replace("{name}", name))

    def drawn(self) -> Drawn | None:
        """Return what an export of the view holds, None without results."""
        report = self.drawn_report()
        if report is None:
            return None
        current = self.codecs.current() if self.what == "codecs" else None
        return Drawn(report, self.way, current, theme().tokens.dark)

    def export(self, suffix: str, path: Path | None = None) -> None:
        """Write the view in the form *suffix* to *path*; without one the user is asked for it."""
        drawn = self.drawn()
        if drawn is None:
            return
        if path is None:
            self.exporter.ask(drawn, suffix)
        else:
            self.exporter.write(drawn, suffix, path)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setup.data.set_stores(self._shell.stores)
        self._arrange()
        QTimer.singleShot(0, self, self.codecs.prepare)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface"))

    def _make_widgets(self) -> None:
        self.setup = SetupPanel()
        self.switch = Segmented([(None, name) for name in self.views()], self.tr("View"))
        self.below = Segmented([(None, self.tr("Bars")), (None, self.tr("Table"))], self.tr("Below the chart"))
        self.below.hide()
        self.exports = ExportRow()
        self.notice = InfoBar("error", "")
        self.notice.hide()
        self.codecs = CodecResults(self._shell.runner)
        self.storages = StorageResults()
        self.empty = EmptyState("gauge", "")
        self.side = SidePanel()
        self._stack = QStackedWidget()
        for widget in (self.empty, self.codecs, self.storages):
            self._stack.addWidget(widget)

    def _lay_out(self) -> None:
        self._row = QWidget()
        row = Flow(self._row)
        row.setContentsMargins(16, 6, 16, 6)
        row.addWidget(self.switch)
        row.addWidget(self.below)
        row.addStretch()
        row.addWidget(self.exports)
        notice = QHBoxLayout()
        notice.setContentsMargins(12, 0, 12, 0)
        notice.addWidget(self.notice)
        self._inner = _splitter(self._stack, self.side)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._row)
        column.addLayout(notice)
        column.addWidget(Separator())
        column.addWidget(self._inner, 1)
        self._outer = _splitter(self.setup, right)
        self._outer.setStretchFactor(0, 0)
        self._outer.setStretchFactor(1, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(TallArea(self._outer, self.title))

    def _connect(self) -> None:
        self.switch.selected.connect(self._refresh)
        self.below.selected.connect(self._arrange)
        self.exports.wanted.connect(self.export)
        self.setup.run_wanted.connect(self.run)
        self.setup.stop_wanted.connect(self.session.stop)
        self.setup.changed.connect(self._estimate)
        self.setup.copy_wanted.connect(self._copy_command)
        self.session.changed.connect(self._refresh)
        self.session.failed.connect(self._say)
        self.side.table.chosen.connect(self._choose)
        self.side.table.hovered.connect(self._hover)
        for results in (self.codecs, self.storages):
            results.case_changed.connect(self._refresh)
            results.linked.chosen.connect(self.side.table.choose)
            results.linked.hovered.connect(self.side.table.hover)
        # A store that was opened beside the lab can be measured too.
        self._shell.runner.job_finished.connect(self.reload)
        self._outer.splitterMoved.connect(self._save)
        self._inner.splitterMoved.connect(self._save)
        theme().changed.connect(self._restyle)

    def _refresh(self) -> None:
        """Show what the chosen view has, and who can do what now."""
        report, running = self.report, self.session.running
        self.setup.set_what(self.what)
        self.setup.set_running(running is not None, again=report is not None)
        drawable = self.drawn_report()
        for button in (*self.exports.buttons.values(), self.exports.more):
            button.setEnabled(drawable is not None)
        if drawable is not None:
            results = self._results()
            self._stack.setCurrentWidget(results)
            table = results.show_report(drawable, self.way)
            self.side.show_result(drawable, table, running=running == self.what)
            self.side.table.choose(results.linked.key)
        else:
            self._stack.setCurrentWidget(self.empty)
            self._say_nothing(report)
        self._arrange()
        self._estimate()
        self._tell_end()
        self.status_changed.emit()

    def _say_nothing(self, report: Report | None) -> None:
        self.side.clear()
        if self.session.running == self.what:
            self.empty.set_text(self.tr("Measuring"), self.tr("The first results appear here as they come."))
        elif report is not None:
            self.empty.set_text(self.tr("Nothing was measured"), "\n".join(p.reason for p in report.problems))
        elif self.what == "storages":
            work = self.tr("Inserts, reads, updates and searches of the same documents, through the real libraries.")
            self.empty.set_text(self.tr("Nothing measured yet"), work)
        else:
            how = self.tr("Choose data and codecs at the left, then run. Results appear as they come.")
            self.empty.set_text(self.tr("Nothing measured yet"), how)

    def _results(self) -> Results:
        return self.codecs if self.what == "codecs" else self.storages

    def _choose(self, key: str) -> None:
        self._results().linked.choose(key)

    def _hover(self, key: str) -> None:
        self._results().linked.hover(key)

    def _estimate(self) -> None:
        """Say below the button how long the run takes, as far as it is known."""
        cores = self.tr("Uses 1 of %Ln core(s).", "", self._cores)
        try:
            seconds = estimate(self.setup.job(), self.report)
        except InspectorError:
            seconds = None
        about = self.tr("About {time}.").replace("{time}", duration(seconds)) if seconds is not None else ""
        self.setup.set_note(f"{about} {cores}".strip())

    def _tell_end(self) -> None:
        """Say once that a run has ended, to those who look elsewhere or do not see."""
        ended = self.session.finish(self.what)
        if ended is self._told:
            return
        self._told = ended
        if ended is not None:
            text = self._finish_text(ended)
            announce(self, text)
            if not self.isVisible():
                self._shell.toast(self.tr("Benchmark: {end}").replace("{end}", text))

    def _finish_text(self, finish: Finish) -> str:
        text = self.tr("Finished {clock}, {time}")
        if finish.stopped:
            text = self.tr("Stopped {clock}, kept {done} of {total}")
        elif finish.failed:
            text = self.tr("Ended {clock} with an error")
        numbers = {"done": count_text(finish.done), "total": count_text(finish.total)}
        return text.format(clock=finish.clock, time=duration(finish.seconds), **numbers)

    def _count_text(self, report: Report) -> str:
        if self.what == "storages":
            runs = max((len(r.seconds) for r in report.storages), default=0)
            names = {r.storage for r in report.storages}
            return ", ".join((self.tr("%Ln storage(s)", "", len(names)), self.tr("%Ln run(s)", "", runs)))
        runs = sum(max(len(r.encode_s), len(r.decode_s)) for r in report.results)
        names = {r.codec for r in report.results}
        return ", ".join((self.tr("%Ln codec(s)", "", len(names)), self.tr("%Ln run(s)", "", runs)))

    def _say(self, text: str) -> None:
        self.notice.set_text(text)
        self.notice.show()

    def _copy_command(self) -> None:
        try:
            words = arguments(self.setup.job())
        except InspectorError as error:
            self._say(str(error))
        else:
            self._shell.copy(shlex.join(["inspector", *words]), self.tr("the command line"))

    def _arrange(self) -> None:
        """Put the table beside the charts or, in a narrow window, below them in place of the bars."""
        px = theme().px
        narrow = self.width() < px(NARROW)
        tiny = self.width() < px(TINY)
        if (narrow, tiny) != (self._narrow, self._tiny):
            self._narrow, self._tiny = narrow, tiny
            self._outer.setOrientation(Qt.Orientation.Vertical if tiny else Qt.Orientation.Horizontal)
            heights = _TINY_HEIGHTS if tiny else (0, 0, 0)
            for part, height in zip((self.setup, self._stack, self.side), heights, strict=True):
                part.setMinimumHeight(px(height) if height else 0)
            self._inner.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
            self.side.set_flat(narrow)
            self._size()
        table = not narrow or self.below.current == 1
        results = self.drawn_report() is not None
        self.below.setVisible(narrow and results)
        self.side.setVisible(table and (results or not narrow))
        self.exports.set_compact(self._row.width() < px(COMPACT))
        self._results().set_lower_shown(not narrow or not table)

    def _size(self) -> None:
        """Give the parts the sizes that were last chosen for this shape of the window."""
        px = theme().px
        saved = self._shell.settings.sizes(_TOOL)
        setup, side = saved if len(saved) == 2 else (_SETUP, _SIDE)
        if not self._tiny:
            self._outer.setSizes([px(setup), max(self.width() - px(setup), 1)])
        room = max(self._inner.width(), 1)
        if self._narrow:
            self._inner.setSizes([px(_LOWER), px(_LOWER)])
        else:
            self._inner.setSizes([max(room - px(side), 1), px(side)])

    def _save(self) -> None:
        scale = theme().text_scale
        sizes = [round(self._outer.sizes()[0] / scale), round(self._inner.sizes()[1] / scale)]
        if not self._narrow and all(sizes):
            self._shell.settings.set_sizes(_TOOL, sizes)

    def _restyle(self) -> None:
        self._narrow = None
        self._arrange()
        self.update()


def _splitter(first: QWidget, second: QWidget) -> QSplitter:
    split = QSplitter(Qt.Orientation.Horizontal)
    split.setHandleWidth(1)
    split.setChildrenCollapsible(False)
    split.addWidget(first)
    split.addWidget(second)
    split.setStretchFactor(0, 1)
    split.setStretchFactor(1, 0)
    return split
