"""The charts of a benchmark: for codecs the scatter above sizes and times, for storages their bars side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from inspector.gui.benchmark_bars import BarList, BarsPanel
from inspector.gui.benchmark_labels import PointCard
from inspector.gui.benchmark_rows import ResultTable, codec_table, now_ratio, samples_text, storage_table
from inspector.gui.benchmark_texts import figure_text, prose_text
from inspector.gui.controls import ElidedLabel, Label, Separator
from inspector.gui.theme import theme
from inspector.operations import charts
from inspector.operations.benchmark_model import Report, Spread, Unit
from inspector.operations.charts_axis import digits3
from inspector.operations.charts_model import Scatter, cases, label_of, results_of, storage_data

if TYPE_CHECKING:
    from inspector.gui.benchmark_chart import BenchmarkChart
    from inspector.gui.tasks import TaskRunner

_BARS = 232
"""Design pixels of the lower part at first."""


class Linked(QObject):
    """What is chosen and what is under the mouse, told to every part of the lab that shows it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._parts: list[BarList | BenchmarkChart] = []
        self.key = ""

    chosen = Signal(str)
    hovered = Signal(str)

    def add(self, part: BarList | BenchmarkChart) -> None:
        """Take *part* into the link."""
        self._parts.append(part)
        part.chosen.connect(self.choose)
        part.hovered.connect(self.hover)

    def choose(self, key: str) -> None:
        """Choose *key* everywhere."""
        self.key = key
        self.refresh()
        self.chosen.emit(key)

    def refresh(self) -> None:
        """Choose what is chosen in parts that were filled anew."""
        for part in self._parts:
            part.choose(self.key)

    def hover(self, key: str) -> None:
        """Show *key* everywhere as under the mouse."""
        for part in self._parts:
            part.hover(key)
        self.hovered.emit(key)


class Results(QWidget):
    """What both kinds of results share: the link, a white ground, and a case to choose where there are several."""

    case_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.linked = Linked(self)
        self.case = QComboBox()
        self.case.setAccessibleName(self.tr("Data and unit"))
        self.case.hide()
        self.case.activated.connect(lambda: self.case_changed.emit())
        self._report: Report | None = None

    def show_report(self, report: Report, way: charts.Way) -> ResultTable:
        """Draw *report* and return the table that belongs to it. Raises ValueError if it has nothing to draw."""
        raise NotImplementedError

    def set_lower_shown(self, shown: bool) -> None:
        """Show the lower part, or not."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface"))

    def _offer(self, names: list[str]) -> int:
        """Offer *names* and return the number of the one that is chosen."""
        if names != [self.case.itemText(n) for n in range(self.case.count())]:
            before = self.case.currentText()
            self.case.clear()
            self.case.addItems(names)
            self.case.setCurrentIndex(max(self.case.findText(before), 0))
        self.case.setVisible(len(names) > 1)
        return max(self.case.currentIndex(), 0)


class CodecResults(Results):
    """Scatter, sizes and times of one data set and unit."""

    def __init__(self, runner: TaskRunner) -> None:
        super().__init__()
        self._runner = runner
        self.chart: BenchmarkChart | None = None
        self._way: charts.Way = "write"
        self.title = Label("", "title")
        self.note = ElidedLabel("", "secondary")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.aside = ElidedLabel("", "small")
        self.axis = Label("", "small")
        self.sizes = BarsPanel()
        self.times = BarsPanel()
        self.linked.add(self.sizes.list)
        self.linked.add(self.times.list)
        self._fitting = QTimer(self)
        self._fitting.setSingleShot(True)
        self._fitting.setInterval(0)
        self._fitting.timeout.connect(self._show_bars)
        self._lay_out()

    def show_report(self, report: Report, way: charts.Way) -> ResultTable:
        self._report, self._way = report, way
        units = {"whole": self.tr("whole"), "block": self.tr("blocks"), "row": self.tr("rows")}
        found = cases(report)
        names = [f"{data.replace(chr(92), '/').rpartition('/')[2]}, {units[unit]}" for data, unit in found]
        self._offer(names)
        case = self.shown_case()
        chart = charts.scatter(report, way, case=case, current=self.current())
        writes = way == "write"
        self.title.setText(
            self.tr("Compression ratio against write speed")
            if writes
            else self.tr("Compression ratio against read speed")
        )
        self.note.setText(prose_text(chart.note))
        self.aside.setText(prose_text(chart.aside))
        self.axis.setText(self.tr("Write speed, MB/s, log scale") if writes else self.tr("Read speed, MB/s, log scale"))
        self.prepare().set_chart(chart, dict(self._cards(chart)))
        self._show_bars()
        return codec_table(report, case, chart)

    def shown_case(self) -> tuple[str, Unit]:
        """Return the data set and unit that are shown."""
        assert self._report is not None
        return cases(self._report)[max(self.case.currentIndex(), 0)]

    def current(self) -> str | None:
        """Return the codec that the data have on disk, None if they are no store."""
        assert self._report is not None
        return self._report.data_of(self.shown_case()[0]).codec or None

    def set_lower_shown(self, shown: bool) -> None:
        self._lower.setVisible(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fitting.start()

    def prepare(self) -> BenchmarkChart:
        """Make the chart, which loads pyqtgraph: best before anything runs, since that takes a while."""
        if self.chart is None:
            from inspector.gui.benchmark_chart import BenchmarkChart

            self.chart = BenchmarkChart(self._runner)
            self.linked.add(self.chart)
            self._chart_place.addWidget(self.chart)
        return self.chart

    def _show_bars(self) -> None:
        """Draw as many bars as fit: the most telling ones."""
        if self._report is None:
            return
        case, current = self.shown_case(), self.current()
        most = max(self.sizes.list.capacity, 3)
        sizes = charts.size_bars(self._report, case=case, current=current, most=most)
        # The other way than the scatter's, so that one view tells of both.
        way: charts.Way = "read" if self._way == "write" else "write"
        times = charts.time_bars(self._report, way, case=case, current=current, most=most)
        self.sizes.set_chart(sizes, self.tr("Size on disk"), "")
        title = self.tr("Time to decompress") if way == "read" else self.tr("Time to compress")
        self.times.set_chart(times, title, f"n = {samples_text(self._report)}")
        self.linked.refresh()

    def _cards(self, chart: Scatter) -> Iterator[tuple[str, PointCard]]:
        assert self._report is not None
        now = now_ratio(chart)
        found = {label_of(r.codec): r for r in results_of(self._report, self.shown_case())}
        for point in chart.points:
            result = found[point.label]
            note = self.tr("on frontier") if point.on_frontier else ""
            times = self.tr("{ratio}×, {times}× vs current")
            figures = [figure_text(f"{value:.2f}") for value in (result.ratio, result.ratio / now)]
            ratio = times.replace("{ratio}", figures[0]).replace("{times}", figures[1])
            lines = (
                (self.tr("Ratio"), ratio),
                (self.tr("Write"), _speed(result.encode_mb_s, result.encode)),
                (self.tr("Read"), _speed(result.decode_mb_s, result.decode)),
            )
            yield point.label, PointCard(point.label, note, lines)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 16, 4)
        head.setSpacing(12)
        head.addWidget(self.title)
        head.addWidget(self.case)
        head.addWidget(self.note, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 2, 16, 8)
        foot.addWidget(self.aside, 1)
        foot.addWidget(self.axis)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        self._chart_place = QVBoxLayout()
        column.addLayout(self._chart_place, 1)
        column.addLayout(foot)
        self._lower = QWidget()
        row = QHBoxLayout(self._lower)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sizes, 1)
        row.addWidget(Separator(vertical=True))
        row.addWidget(self.times, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(upper)
        split.addWidget(self._lower)
        split.setStretchFactor(0, 1)
        split.setSizes([theme().px(3 * _BARS), theme().px(_BARS)])
        split.splitterMoved.connect(lambda: self._fitting.start())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)


class StorageResults(Results):
    """Times and sizes of the storages with one data set, and what a reader must know beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.times = BarsPanel()
        self.sizes = BarsPanel()
        self.linked.add(self.times.list)
        self.linked.add(self.sizes.list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(16, 8, 16, 0)
        row.addWidget(self.case)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addWidget(self.times, 3)
        self._line = Separator()
        layout.addWidget(self._line)
        layout.addWidget(self.sizes, 1)

    def show_report(self, report: Report, way: charts.Way) -> ResultTable:
        """Draw *report*; storages have one view, whatever the *way*."""
        self._report = report
        found = storage_data(report)
        data = found[self._offer([each.replace("\\", "/").rpartition("/")[2] for each in found])]
        times, sizes = charts.storage_bars(report, data=data), charts.storage_sizes(report, data=data)
        self.times.set_chart(times, self.tr("Time of the same work"), times.note)
        self.sizes.set_chart(sizes, self.tr("Size on disk after close"), "")
        self.linked.refresh()
        return storage_table(report, data)

    def set_lower_shown(self, shown: bool) -> None:
        self.sizes.setVisible(shown)
        self._line.setVisible(shown)


def _speed(mb_s: float, time: Spread) -> str:
    """Return a speed with half of its interquartile range; of one sample there is none."""
    speed = digits3(mb_s)
    decimals = len(speed.partition(".")[2])
    around = f" ±{figure_text(f'{mb_s * time.relative:.{decimals}f}')}" if time.count > 1 else ""
    return f"{figure_text(speed)} MB/s{around}"
