"""The lab's tables and bars say what the report says, and keep their rows while results come."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractItemModel, QLocale, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.benchmark_bars import BarsModel, BarsPanel, bar_rows
from inspector.gui.benchmark_rows import codec_table, storage_table
from inspector.gui.benchmark_side import SidePanel
from inspector.gui.benchmark_table import CELL_ROLE, KEY_ROLE, ResultModel, ResultView
from inspector.gui.benchmark_texts import date_text, figure_text, prose_text, speed_text
from inspector.operations import charts
from inspector.operations.benchmark_model import DataSet, Machine, Report, Result, StorageResult

MACHINE = Machine("a processor", 2, 8_000_000_000, "3.11.7", "Debian", {"zstandard": "0.25.0"})
CASE = ("shop.json", "whole")


def result(codec: str, size: int, write: float, read: float) -> Result:
    return Result(
        data="shop.json",
        codec=codec,
        unit="whole",
        size=size,
        ratio=1_000_000 / size,
        encode_s=(0.9 / write, 1 / write, 1.2 / write),
        decode_s=(1 / read, 1 / read, 1 / read),
        encode_mb_s=write,
        decode_mb_s=read,
        grew=0,
    )


@pytest.fixture
def report() -> Report:
    results = (
        result("zlib:level=6", 200_000, 50, 300),
        result("zstd:level=3", 160_000, 400, 1100),
        result("lz4:level=0", 250_000, 600, 2000),
        result("bz2:level=9", 125_000, 10, 40),
        result("zlib:level=9", 190_000, 20, 310),
    )
    data = DataSet("shop.json", 1_000_000, 10, "1 MB decoded", "zlib:level=6", 200_000)
    return Report(MACHINE, (data,), results, date="2026-01-01T00:00:00.000000Z")


@pytest.fixture
def storages() -> Report:
    rows = tuple(
        StorageResult(name, step, seconds, size, 1000, (f"{name} note.",), "shop.json")
        for step, factor in (("insert", 1.0), ("update", 2.0))
        for name, seconds, size in (
            ("JSONStorage", (3.0 * factor, 4.0 * factor, 3.5 * factor), 161_000),
            ("BetterJSONStorage", (0.2 * factor, 0.3 * factor, 0.25 * factor), 21_000),
        )
    )
    return Report(MACHINE, (DataSet("shop.json", 140_000, 1000),), storages=rows)


def texts(model: QAbstractItemModel) -> list[list[str]]:
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def test_the_codec_table_equals_the_report(report: Report) -> None:
    chart = charts.scatter(report, case=CASE, current="zlib:level=6")
    model = ResultModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_table(codec_table(report, CASE, chart))
    assert texts(model) == [
        ["zlib 6", "5.00", "200 kB", "50.0", "300", "1.00"],
        ["zstd 3", "6.25", "160 kB", "400", "1,100", "1.25"],
        ["lz4 0", "4.00", "250 kB", "600", "2,000", "0.80"],
        ["bz2 9", "8.00", "125 kB", "10.0", "40.0", "1.60"],
        ["zlib 9", "5.26", "190 kB", "20.0", "310", "1.05"],
    ]
    bold = [row.key for row in model.table.rows if row.cells[0].bold]
    assert bold == ["zstd 3", "lz4 0", "bz2 9"]
    worse = model.index(2, 5).data(CELL_ROLE)
    assert worse.token == "delText"
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "zstd 3, on the frontier"
    families = {row.key: row.cells[0].look for row in model.table.rows}
    assert families["zlib 6"] == families["zlib 9"] != families["zstd 3"]


def test_results_that_come_keep_the_rows(report: Report) -> None:
    model = ResultModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    resets: list[object] = []
    inserted: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    for count in (2, 4, 5):
        model.modelReset.connect(lambda: resets.append(1))
        part = replace(report, results=report.results[:count])
        model.set_table(codec_table(part, CASE, charts.scatter(part, case=CASE)))
        assert model.rowCount() == count
    assert inserted == [(2, 3), (4, 4)]
    before = model.index(0, 0).data(KEY_ROLE)
    other = replace(report, results=report.results[1:])
    model.set_table(codec_table(other, CASE, charts.scatter(other, case=CASE)))
    assert model.index(0, 0).data(KEY_ROLE) != before


def test_sorting_is_by_value_and_the_choice_stays(qtbot: QtBot, report: Report) -> None:
    view = ResultView()
    qtbot.addWidget(view)
    QAbstractItemModelTester(view.model(), QAbstractItemModelTester.FailureReportingMode.Fatal)
    table = codec_table(report, CASE, charts.scatter(report, case=CASE))
    view.set_table(table, order=(1, Qt.SortOrder.DescendingOrder))
    names = [view.model().index(row, 0).data() for row in range(5)]
    assert names == ["bz2 9", "zstd 3", "zlib 9", "zlib 6", "lz4 0"]
    view.choose("zlib 6")
    with qtbot.assertNotEmitted(view.chosen):
        view.sortByColumn(3, Qt.SortOrder.AscendingOrder)
    assert [view.model().index(row, 0).data() for row in range(5)] == ["bz2 9", "zlib 9", "zlib 6", "zstd 3", "lz4 0"]
    assert view.currentIndex().data(KEY_ROLE) == "zlib 6"
    view.show()
    view.setFocus()
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Down)
    assert chosen.args == ["zstd 3"]


def test_the_storage_table_equals_the_report(storages: Report) -> None:
    model = ResultModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_table(storage_table(storages, "shop.json"))
    assert texts(model) == [
        ["JSONStorage", "insert × 1,000", "3.50 s", "7 %", "161 kB"],
        ["BetterJSONStorage", "insert × 1,000", "250 ms", "10 %", "21.0 kB"],
        ["JSONStorage", "update × 1,000", "7.00 s", "7 %", "161 kB"],
        ["BetterJSONStorage", "update × 1,000", "500 ms", "10 %", "21.0 kB"],
    ]


def test_bars_are_as_long_as_their_values(report: Report) -> None:
    rows = list(bar_rows(charts.size_bars(report, case=CASE, current="zlib:level=6")))
    assert [row.bar.label for row in rows] == ["bz2 9", "zstd 3", "zlib 9", "zlib 6", "lz4 0"]
    assert [round(row.end, 3) for row in rows] == [0.5, 0.64, 0.76, 0.8, 1.0]
    assert all(row.low == row.high == row.end for row in rows)
    model = BarsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_chart(charts.size_bars(report, case=CASE, current="zlib:level=6"))
    assert model.index(3).data() == "zlib 6: 200 kB, current"


def test_grouped_bars_share_a_log_axis(qtbot: QtBot, storages: Report) -> None:
    chart = charts.storage_bars(storages)
    rows = list(bar_rows(chart))
    assert [row.label for row in rows] == ["insert × 1,000", "", "update × 1,000", ""]
    assert all(0 < row.low <= row.end <= row.high <= 1 for row in rows)
    # On a log axis twice the time is the same step further, however long the bar.
    assert rows[2].end - rows[0].end == pytest.approx(rows[3].end - rows[1].end)
    panel = BarsPanel()
    qtbot.addWidget(panel)
    QAbstractItemModelTester(panel.list.bars, QAbstractItemModelTester.FailureReportingMode.Fatal)
    panel.set_chart(chart, "Time of the same work", chart.note)
    panel.resize(500, 300)
    panel.show()
    assert panel.list.accessibleName() == "Time of the same work"
    assert "3.50 s" in panel.list.accessibleDescription()
    assert panel.list.bars.index(1).data() == "insert × 1,000, BetterJSONStorage: 250 ms"
    panel.list.choose("BetterJSONStorage")
    assert panel.list.currentIndex().row() == 1
    with qtbot.waitSignal(panel.list.chosen) as chosen:
        panel.list.setCurrentIndex(panel.list.bars.index(2))
    assert chosen.args == ["JSONStorage"]


def test_figures_follow_the_locale_and_names_stay() -> None:
    assert [speed_text(value) for value in (0.9141, 41.2, 1298.4, 37599)] == ["0.914", "41.2", "1,298", "37,599"]
    assert figure_text("9.63 MB") == "9.63 MB"
    said = "2020 records; 208014 bytes, then 1500. blosc2 4.14.1: /tmp/2020.json, zstd 3, ±1302 %"
    kept = "2,020 records; 208,014 bytes, then 1,500. blosc2 4.14.1: /tmp/2020.json, zstd 3, ±1302 %"
    assert prose_text(said) == kept
    assert date_text("2026-11-30T21:53:11.338087Z") == "2026-11-30 21:53:11 UTC"
    assert date_text("") == ""


def test_figures_of_another_locale_never_mix_two_kinds_of_points() -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    try:
        assert (speed_text(1298.4), figure_text("9.63 MB")) == ("1.298", "9,63 MB")
        assert prose_text("6.85 times smaller, 1345 MB/s") == "6,85 times smaller, 1.345 MB/s"
    finally:
        QLocale.setDefault(before)


def test_the_notes_and_the_names_of_storages_are_whole(qtbot: QtBot, storages: Report) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    side.resize(440, 800)
    side.show()
    said = tuple(replace(r, notes=(f"{r.storage} writes in its own way, and {100_000} bytes were in the file.",))
                 for r in storages.storages)  # fmt: skip
    report = replace(storages, storages=said, date="2026-11-30T21:53:11Z")
    side.show_result(report, storage_table(report, "shop.json"), running=False)
    side.resize(max(440, side.minimumSizeHint().width()), 800)
    QApplication.processEvents()
    assert not side._foot.verticalScrollBar().isVisible()
    assert "100,000 bytes" in side.footer.text()
    assert side.footer.text().endswith("2026-11-30 21:53:11 UTC")
    header = side.table.horizontalHeader()
    assert side.table.columnWidth(0) >= side.table.sizeHintForColumn(0)
    assert header.accessibleName()
    side.set_flat(True)
    assert side.table.minimumWidth() == 0
