"""The benchmark lab measures for real, in a child process, and its table, charts and exports agree."""

from __future__ import annotations

import csv
import json
import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from shutil import copy2

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.benchmark_session import arguments, duration, estimate
from inspector.gui.benchmark_table import KEY_ROLE
from inspector.gui.benchmark_view import BenchmarkPage
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore
from inspector.gui.tasks import TaskRunner
from inspector.gui.texts import count_text
from inspector.gui.theme import Theme, theme
from inspector.operations.benchmark import BenchJob
from inspector.operations.benchmark_model import read_report
from inspector.operations.charts_model import label_of
from inspector.operations.open import open_store

SPECS = ("lz4:level=0", "zlib:level=1", "zstd:level=3")
LABELS = ["lz4 0", "zlib 1", "zstd 3"]


class LabShell:
    """What the lab needs of a window: a real runner and real settings."""

    def __init__(self, runner: TaskRunner, settings: Settings, stores: list[OpenStore]) -> None:
        self.runner = runner
        self.settings = settings
        self.stores = stores
        self.said: list[str] = []
        self.copied = ""

    def toast(self, text: str, action: str = "", callback: object = None) -> None:
        self.said.append(text)

    def copy(self, text: str, what: str) -> None:
        self.copied = text

    def window_widget(self) -> QWidget | None:
        return None


@pytest.fixture
def store(tmp_path: Path, samples: Path) -> Iterator[OpenStore]:
    path = Path(copy2(samples / "shop.json", tmp_path / "shop.json"))
    opened = open_store(path)
    yield OpenStore(path, opened)
    opened.close()


@pytest.fixture
def shell(runner: TaskRunner, settings: Settings, store: OpenStore) -> LabShell:
    return LabShell(runner, settings, [store])


@pytest.fixture
def page(qtbot: QtBot, shell: LabShell, store: OpenStore) -> BenchmarkPage:
    lab = BenchmarkPage(shell, store)  # type: ignore[arg-type]
    qtbot.addWidget(lab)
    lab.resize(1176, 790)
    lab.show()
    lab.setup.codecs.choose(SPECS)
    return lab


def measure(qtbot: QtBot, page: BenchmarkPage, runs: int = 3) -> None:
    page.setup.form.runs.setValue(runs)
    qtbot.mouseClick(page.setup.button, Qt.MouseButton.LeftButton)
    assert page.session.running is not None
    qtbot.waitUntil(lambda: page.session.running is None, timeout=60000)


def rows(page: BenchmarkPage) -> list[list[str]]:
    model = page.side.table.model()
    return [[model.index(r, c).data() for c in range(model.columnCount())] for r in range(model.rowCount())]


def export(qtbot: QtBot, page: BenchmarkPage, suffix: str, path: Path) -> Path:
    with qtbot.waitSignal(page.exporter.written, timeout=20000):
        page.export(suffix, path)
    return path


def test_a_real_run_fills_table_charts_and_status(qtbot: QtBot, page: BenchmarkPage, store: OpenStore) -> None:
    measure(qtbot, page)
    report = page.report
    assert report is not None
    assert [label_of(r.codec) for r in report.results] == LABELS
    assert {len(r.encode_s) for r in report.results} == {3}
    assert report.bytes_of(str(store.path)) == store.path.stat().st_size
    sizes = {row[0]: row for row in rows(page)}
    for r in report.results:
        assert sizes[label_of(r.codec)][1] == f"{r.ratio:.2f}"
        assert sizes[label_of(r.codec)][5] == f"{r.ratio:.2f}"
    assert [row[1] for row in rows(page)] == sorted((row[1] for row in rows(page)), key=float, reverse=True)
    chart = page.codecs.chart
    assert chart is not None
    assert chart.chart is not None
    assert {point.label for point in chart.chart.points} == set(LABELS)
    assert "3 codecs" in chart.accessibleDescription()
    assert "frontier" in chart.accessibleDescription()
    qtbot.waitUntil(lambda: {text.text for text in chart.overlay.labels} >= set(LABELS))
    assert page.codecs.sizes.list.bars.rows[0].bar.label == rows(page)[0][0]
    words = [text for _, text in page.status()]
    assert words[0].startswith("Finished ")
    assert "3 codec" in words[1]
    assert "9 run" in words[1]
    assert words[2].startswith("Largest spread: ")
    assert page.side.advice.text.text()
    assert report.machine.python in page.side.footer.text()


def test_the_axes_are_fed_logarithms(qtbot: QtBot, page: BenchmarkPage) -> None:
    measure(qtbot, page)
    chart = page.codecs.chart
    assert chart is not None
    assert chart.chart is not None
    (left, right), (bottom, top) = chart.view_range()
    assert left == pytest.approx(math.log10(chart.chart.x.low), abs=0.05)
    assert right == pytest.approx(math.log10(chart.chart.x.high), abs=0.05)
    assert -1 < left < right < 6
    assert bottom == pytest.approx(chart.chart.y.low, rel=0.05)
    assert top == pytest.approx(chart.chart.y.high, rel=0.05)


def test_choosing_and_pointing_is_one_everywhere(qtbot: QtBot, page: BenchmarkPage) -> None:
    measure(qtbot, page)
    chart, table = page.codecs.chart, page.side.table
    assert chart is not None
    table.setFocus()
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    key = table.currentIndex().data(KEY_ROLE)
    assert table.currentIndex().row() == 1
    assert chart.overlay.chosen_key == key
    assert page.codecs.sizes.list.currentIndex().data() is not None
    assert page.codecs.times.list.currentIndex().data().startswith(f"{key}: ")
    other = next(label for label in LABELS if label != key)
    spot = chart.overlay.spot(other)
    assert spot is not None
    qtbot.mouseMove(chart.overlay, spot.toPoint())
    assert table.hovered_key == other
    assert page.codecs.sizes.list.hovered_key == other
    qtbot.mouseClick(chart.overlay, Qt.MouseButton.LeftButton, pos=spot.toPoint())
    assert table.currentIndex().data(KEY_ROLE) == other
    qtbot.mouseMove(chart.overlay, QPoint(2, 2))
    assert table.hovered_key == ""
    bars = page.codecs.times.list
    bars.setCurrentIndex(bars.bars.index(0))
    assert table.currentIndex().data(KEY_ROLE) == bars.bars.rows[0].bar.label == chart.overlay.chosen_key


def test_the_other_speed_is_another_view_of_the_same_run(qtbot: QtBot, page: BenchmarkPage) -> None:
    measure(qtbot, page)
    chart = page.codecs.chart
    assert chart is not None
    assert page.codecs.times.title.text() == "Time to decompress"
    page.show_view(1)
    assert chart.chart is not None
    assert "read speed" in chart.chart.title
    assert page.codecs.times.title.text() == "Time to compress"
    assert sorted(row[0] for row in rows(page)) == sorted(LABELS)


def test_exports_hold_what_the_screen_shows(qtbot: QtBot, page: BenchmarkPage, shell: LabShell, tmp_path: Path) -> None:
    assert not page.exports.buttons["png"].isEnabled()
    measure(qtbot, page)
    assert page.exports.buttons["png"].isEnabled()
    out = tmp_path / "out"
    out.mkdir()
    report = page.report
    assert report is not None
    svg = ElementTree.fromstring(export(qtbot, page, "svg", out / "b.svg").read_text("utf-8"))
    words = [each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert set(LABELS) <= set(words)
    assert any(word and "n = 3" in word for word in words)
    assert any(word and report.machine.python in word for word in words)
    table = list(csv.DictReader(export(qtbot, page, "csv", out / "b.csv").read_text("utf-8").splitlines()))
    assert [(line["codec"], int(line["size"])) for line in table] == [(r.codec, r.size) for r in report.results]
    assert read_report(export(qtbot, page, "json", out / "b.json")) == report
    assert export(qtbot, page, "png", out / "b.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    markdown = export(qtbot, page, "md", out / "b.md").read_text("utf-8")
    assert all(label in markdown for label in LABELS)
    assert "<svg" in export(qtbot, page, "html", out / "b.html").read_text("utf-8")
    assert shell.said == [f"Exported b.{suffix}" for suffix in ("svg", "csv", "json", "png", "md", "html")]
    page.export("csv", out / "b.csv")
    qtbot.waitUntil(lambda: len(shell.said) == 7, timeout=10000)
    assert "exists already" in shell.said[-1]


def test_pictures_follow_the_theme(qtbot: QtBot, page: BenchmarkPage, look: Theme, tmp_path: Path) -> None:
    measure(qtbot, page)
    light = export(qtbot, page, "svg", tmp_path / "light.svg").read_text("utf-8")
    look.set_mode("dark")
    dark = export(qtbot, page, "svg", tmp_path / "dark.svg").read_text("utf-8")
    assert theme().tokens.surface in dark
    assert theme().tokens.surface not in light
    shown = page.codecs.grab().toImage()
    assert shown.pixelColor(2, 2).name().upper() == theme().tokens.surface


def test_stop_keeps_what_is_measured(qtbot: QtBot, page: BenchmarkPage) -> None:
    page.setup.form.runs.setValue(0)
    page.setup.form.seconds.setValue(60)
    qtbot.mouseClick(page.setup.button, Qt.MouseButton.LeftButton)
    assert page.setup.button.text() == "Stop"
    assert not page.setup.codecs.isEnabled()
    qtbot.waitUntil(lambda: len(rows(page)) == 3, timeout=20000)
    qtbot.mouseClick(page.setup.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.session.running is None, timeout=5000)
    assert sorted(row[0] for row in rows(page)) == sorted(LABELS)
    assert page.status()[0][1].startswith("Stopped ")
    assert page.status()[0][1].endswith("kept 0 of 3")
    assert page.setup.button.text() == "Run again"
    assert page.exports.buttons["csv"].isEnabled()


def test_a_file_that_is_gone_says_so_and_earlier_results_stay(
    qtbot: QtBot, page: BenchmarkPage, store: OpenStore
) -> None:
    measure(qtbot, page)
    store.path.rename(store.path.with_name("away.json"))
    measure(qtbot, page)
    assert page.notice.isVisible()
    assert "shop.json" in page.notice.text()
    assert len(rows(page)) == 3
    assert page.status()[0][1].startswith("Ended ")


def test_choices_that_make_no_sense_are_said_before_the_run(qtbot: QtBot, page: BenchmarkPage) -> None:
    assert page.setup.button.isEnabled()
    page.setup.codecs.choose(())
    assert not page.setup.button.isEnabled()
    assert "No codec" in page.setup.problem.text()
    page.setup.codecs.choose(("zlib:level=1",))
    levels = next(field for field in page.findChildren(QLineEdit) if field.accessibleName() == "Levels of zlib")
    levels.setText("1, 77")
    assert not page.setup.button.isEnabled()
    assert "zlib lies between 0 and 9" in page.setup.problem.text()
    levels.setText("1, 6")
    assert page.setup.job().specs == ("zlib:level=1", "zlib:level=6")
    assert page.setup.button.isEnabled()


def test_the_command_line_is_the_equal_one(page: BenchmarkPage, shell: LabShell, store: OpenStore) -> None:
    page.setup.form.runs.setValue(3)
    page.setup.copy.click()
    words = f"inspector bench {store.path} --codec lz4:level=0 --codec zlib:level=1 --codec zstd:level=3"
    assert shell.copied == f"{words} --unit whole --runs 3"
    page.show_view(2)
    page.setup.form.runs.setValue(0)
    page.setup.copy.click()
    assert shell.copied == f"inspector bench {store.path} --what storages"


def test_rows_are_measured_on_their_own(qtbot: QtBot, page: BenchmarkPage) -> None:
    page.setup.form.unit.setCurrentIndex(page.setup.form.unit.findData("row"))
    measure(qtbot, page, runs=1)
    report = page.report
    assert report is not None
    assert {r.unit for r in report.results} == {"row"}
    grew = {label_of(r.codec): count_text(r.grew) for r in report.results}
    assert {row[0]: row[6] for row in rows(page)} == grew


def test_several_files_are_cases_to_choose(qtbot: QtBot, page: BenchmarkPage, tmp_path: Path) -> None:
    small = tmp_path / "small.txt"
    small.write_text("a benchmark " * 400)
    page.setup.data.choose((small, Path(copy2(small, tmp_path / "other.txt"))))
    measure(qtbot, page, runs=1)
    assert page.codecs.case.isVisible()
    assert [page.codecs.case.itemText(n) for n in range(2)] == ["small.txt, whole", "other.txt, whole"]
    page.codecs.case.setCurrentIndex(1)
    page.codecs.case.activated.emit(1)
    assert page.codecs.shown_case()[0].endswith("other.txt")


@pytest.mark.slow
def test_storages_do_the_same_work_through_the_real_libraries(
    qtbot: QtBot, page: BenchmarkPage, tmp_path: Path
) -> None:
    # The operation always inserts a thousand documents, fewer where they are large: about 60 of these.
    large = tmp_path / "large.json"
    records = {str(n): {"n": n, "text": f"{n} " * 12000} for n in range(1, 41)}
    large.write_text(json.dumps({"_default": records}))
    page.setup.data.choose((large,))
    page.show_view(2)
    assert not page.setup.codecs.isVisible()
    measure(qtbot, page, runs=1)
    report = page.report
    assert report is not None
    assert not report.problems
    assert {r.storage for r in report.storages} == {"JSONStorage", "BetterJSONStorage"}
    counted = {r.step: r.count for r in report.storages}
    assert counted["insert"] == counted["read"] == counted["update"] < 100
    assert len(rows(page)) == len(report.storages)
    legend = [row.bar.label for row in page.storages.times.list.bars.rows]
    assert legend[:2] == ["JSONStorage", "BetterJSONStorage"]
    notes = page.side.footer.text()
    assert "fsync" in notes
    page.side.table.selectRow(1)
    key = page.side.table.currentIndex().data(KEY_ROLE)
    assert key in page.storages.sizes.list.currentIndex().data()
    svg = export(qtbot, page, "svg", tmp_path / "storages.svg").read_text("utf-8")
    assert "BetterJSONStorage" in svg
    page.show_view(0)
    assert rows(page) == []
    page.show_view(2)
    assert len(rows(page)) == len(report.storages)


def test_a_narrow_window_puts_the_table_below(qtbot: QtBot, page: BenchmarkPage) -> None:
    measure(qtbot, page, runs=1)
    assert page.side.isVisible()
    assert page.codecs.sizes.isVisible()
    page.resize(940, 540)
    qtbot.waitUntil(lambda: page.below.isVisible())
    assert not page.side.isVisible()
    assert page.codecs.sizes.isVisible()
    assert page.exports.more.isVisible()
    page.below.set_current(1)
    assert page.side.isVisible()
    assert not page.codecs.sizes.isVisible()
    assert page.side.table.width() > page.codecs.width() * 0.5
    page.resize(1176, 790)
    assert not page.below.isVisible()
    assert page.side.isVisible()


def test_everything_has_a_name(qtbot: QtBot, page: BenchmarkPage) -> None:
    measure(qtbot, page, runs=1)
    kinds = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
    widgets = [widget for kind in kinds for widget in page.findChildren(kind)]
    ours = [w for w in widgets if not w.objectName().startswith("qt_") or isinstance(w.parent(), QAbstractSpinBox)]
    unnamed = [widget for widget in ours if not (widget.accessibleName() or getattr(widget, "text", str)())]
    assert not unnamed
    for view in (page.side.table, page.codecs.sizes.list, page.codecs.times.list, page.codecs.chart):
        assert view is not None
        assert view.accessibleName()
    chart = page.codecs.chart
    assert chart is not None
    assert not [part for part in chart.findChildren(QWidget) if part.focusPolicy() & Qt.FocusPolicy.TabFocus]


def test_closing_the_lab_ends_its_run(qtbot: QtBot, shell: LabShell, store: OpenStore, runner: TaskRunner) -> None:
    lab = BenchmarkPage(shell, store)  # type: ignore[arg-type]
    lab.setup.codecs.choose(("zlib:level=1",))
    lab.setup.form.seconds.setValue(60)
    lab.setup.button.click()
    assert len(runner.jobs) == 1
    lab.deleteLater()
    qtbot.waitUntil(lambda: not runner.jobs, timeout=5000)


def test_estimates_need_something_to_go_by(page: BenchmarkPage, store: OpenStore) -> None:
    by_time = BenchJob((store.path,), specs=SPECS, min_time=2.0)
    assert estimate(by_time, None) == 12.0
    assert estimate(BenchJob((store.path,), specs=SPECS, runs=3), None) is None
    assert estimate(BenchJob((store.path,), what="storages"), None) is None
    assert [duration(seconds) for seconds in (0.84, 47.9, 59.6, 125)] == ["0.8 s", "48 s", "1 min", "2 min 5 s"]
    assert arguments(by_time)[-2:] == ["--min-time", "2"]
