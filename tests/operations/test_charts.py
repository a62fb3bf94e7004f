"""Charts: frontier and axes with known answers; labels that do not overlap; exports that parse and hold the figures."""

from __future__ import annotations

import csv
import io
import math
import re
import struct
import zlib
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from inspector.model import InspectorError
from inspector.operations import charts
from inspector.operations.benchmark_model import (
    Comparison,
    DataSet,
    HistoryResult,
    Machine,
    Problem,
    Report,
    Result,
    StorageResult,
    spread,
)
from inspector.operations.charts_axis import digits3, linear_ticks, log_axis, log_ticks, plain, size_text, time_text
from inspector.operations.charts_draw import scene
from inspector.operations.charts_history import comparison_bars
from inspector.operations.charts_labels import crosses
from inspector.operations.charts_model import family_of, frontier, label_of, looks, notable, results_of
from inspector.operations.charts_palette import DARK, LIGHT
from inspector.operations.charts_scene import Line, Mark, Rect, Text, shortened, text_width, wrapped

MACHINE = Machine("Test CPU", 2, 8 << 30, "3.11.7", "Test OS", {"brotli": "1.1.0", "zstandard": "0.25.0"})
# spec, ratio, write and read MB/s
PICTURE = (
    ("brotli:quality=11", 10.0, 0.9, 350),
    ("zstd:level=19", 9.72, 4.1, 980),
    ("zstd:level=9", 8.68, 96, 1120),
    ("brotli:quality=5", 8.26, 62, 390),
    ("zstd:level=3", 7.84, 410, 1150),
    ("zlib:level=9", 7.24, 21, 312),
    ("zlib:level=6", 7.15, 48, 310),
    ("zstd:level=1", 7.01, 520, 1240),
    ("brotli:quality=1", 6.64, 290, 370),
    ("zlib:level=1", 6.29, 118, 300),
    ("lz4:level=9", 6.06, 88, 2250),
    ("lz4:level=1", 5.29, 620, 2300),
    ("blosc2:codec=blosclz,level=9", 5.22, 430, 1820),
    ("blosc2:codec=blosclz,level=5", 4.92, 560, 1900),
)
BYTES = 96_100_000


def result(spec: str, ratio: float, write: float, read: float, *, data: str = "customers.bjson") -> Result:
    times = []
    for speed in (write, read):
        median = BYTES / 1e6 / speed
        times.append(tuple(median * factor for factor in (0.97, 0.98, 0.99, 1.0, 1.01, 1.02, 1.03)))
    size = round(BYTES / ratio)
    return Result(data, spec, "whole", size, BYTES / size, times[0], times[1], write, read, 0)


@pytest.fixture
def report() -> Report:
    data = DataSet("customers.bjson", BYTES, 4, "96.1 MB decoded, 4 tables")
    return Report(MACHINE, (data,), tuple(result(*row) for row in PICTURE), date="2026-11-30T12:00:00.000000Z")


@pytest.fixture
def storages() -> Report:
    rows = [
        StorageResult("JSONStorage", "insert", (2.0, 2.2, 2.4), 161_198, 1000, ("Every insert had reached the disk.",)),
        StorageResult("BetterJSONStorage", "insert", (0.1, 0.2, 0.4), 20_707, 1000, ("Measured with a patch.",)),
        StorageResult("JSONStorage", "close", (2e-5, 2e-5, 3e-5), 161_198, 1),
        StorageResult("BetterJSONStorage", "close", (1e-4, 1e-4, 1e-4), 20_707, 1),
    ]
    rows = [replace(row, data="shop.json") for row in rows]
    data = DataSet("shop.json", 141_401, 1000, "1000 records")
    return Report(MACHINE, (data,), storages=tuple(rows), problems=(Problem("Other", "Other is not installed here."),))


def texts(drawing: str) -> list[str]:
    root = ElementTree.fromstring(drawing)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_frontier_of_known_points():
    assert frontier([(1, 10), (2, 9), (3, 3), (2.5, 4), (1, 9), (4, 1), (0.5, 9.9)]) == (0, 1, 3, 2, 5)
    assert frontier([(1, 1), (1, 1)]) == (0,)
    assert frontier([(1, 2), (1, 3)]) == (1,)
    assert frontier([]) == ()


def test_the_frontier_of_the_picture(report):
    chart = charts.scatter(report)
    assert [chart.points[n].label for n in chart.frontier] == [
        "brotli 11", "zstd 19", "zstd 9", "zstd 3", "zstd 1", "lz4 1",
    ]  # fmt: skip
    assert [chart.points[n].label for n in charts.scatter(report, "read").frontier] == [
        "brotli 11", "zstd 19", "zstd 9", "zstd 3", "zstd 1", "lz4 9", "lz4 1",
    ]  # fmt: skip
    assert "Pareto frontier: brotli 11, zstd 19" in chart.summary


def test_points_carry_medians_and_quartiles(report):
    point = charts.scatter(report).points[4]
    assert (point.label, point.family) == ("zstd 3", "zstd")
    assert point.x == 410
    time = spread(report.results[4].encode_s)
    assert point.x_low == pytest.approx(BYTES / 1e6 / time.high)
    assert point.x_high == pytest.approx(BYTES / 1e6 / time.low)
    assert point.x_low < point.x < point.x_high
    assert point.y == pytest.approx(7.84, abs=1e-3)


def test_families_are_joined_from_left_to_right(report):
    chart = charts.scatter(report)
    joined = [[chart.points[n].label for n in members] for members in chart.families]
    assert ["zlib 9", "zlib 6", "zlib 1"] in joined
    assert ["blosc2 blosclz 9", "blosc2 blosclz 5"] in joined
    assert len(joined) == 5


def test_labels_and_families_of_specs():
    assert label_of("zstd:level=3") == "zstd 3"
    assert label_of("blosc2:codec=lz4,level=5,blocksize=1048576") == "blosc2 lz4 5 1 MiB"
    assert label_of("none") == family_of("none") == "none"
    assert family_of("blosc2:codec=lz4,level=5") == "blosc2 lz4"


def test_every_family_has_a_look_of_its_own(report):
    many = replace(report, results=tuple(result(f"family{n}", 2 + n, 10 * n, 10 * n) for n in range(1, 31)))
    found = looks(many)
    assert len(set(found.values())) == 30
    assert [look.color for look in looks(report).values()] == ["s1", "s2", "s3", "s4", "s5"]
    assert len({look.shape for look in looks(report).values()}) == 5


def test_the_current_codec_is_the_baseline(report):
    chart = charts.scatter(report, current="blosc2:codec=blosclz,level=9")
    assert chart.baseline is not None
    assert chart.baseline[0] == "Current: blosc2 blosclz 9, 5.22×"
    assert charts.scatter(report).baseline is None
    stored = replace(report, data=(replace(report.data[0], codec="blosc2", stored=BYTES // 4),))
    assert charts.scatter(stored).baseline == ("Current file: blosc2, 4.00×", 4.0)
    assert charts.scatter(stored).y.low < 4


def test_copies_are_named_beside_the_plot(report):
    with_copy = replace(report, results=(*report.results, result("none", 1.0, 20_000, 21_000)))
    chart = charts.scatter(with_copy)
    assert len(chart.points) == len(PICTURE)
    assert chart.aside == "Copied only: none 20000 MB/s"
    alone = charts.scatter(replace(report, results=(result("none", 1.0, 20_000, 21_000),)))
    assert [point.label for point in alone.points] == ["none"]
    assert "none 20000 MB/s" in " ".join(texts(charts.svg(chart)))


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0.7, 1400, 8, (1, 3, 10, 30, 100, 300, 1000)),
        (0.7, 1400, 12, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
        (0.7, 1400, 5, (1, 10, 100, 1000)),
        (0.7, 1400, 3, (1, 100)),
        (210, 460, 6, (250, 300, 350, 400, 450)),
        (1.0, 10.0, 4, (1, 2, 5, 10)),
    ],
)
def test_ticks_of_a_log_axis(low, high, most, ticks):
    found = log_ticks(low, high, most)
    assert len(found) <= most
    assert found == ticks


def test_ticks_of_a_linear_axis():
    assert linear_ticks(4.4, 10.5, 8) == (5, 6, 7, 8, 9, 10)
    assert linear_ticks(0.05, 0.32, 4) == (0.1, 0.2, 0.3)
    axis = log_axis("x", [1, 100], room=0.0)
    assert axis.place(axis.low) == 0
    assert axis.place(axis.high) == pytest.approx(1)
    assert axis.place(10) == pytest.approx(0.5)


def test_numbers_as_text():
    assert [digits3(value) for value in (0.9144, 41.23, 1150.4, 0, 7.836)] == ["0.914", "41.2", "1150", "0", "7.84"]
    assert [plain(value) for value in (0.03, 1000.0, 7.0, 0.0)] == ["0.03", "1000", "7", "0"]
    assert [size_text(value) for value in (12, 9_610_000, 999_600, 2.5e9)] == ["12 B", "9.61 MB", "1.00 MB", "2.50 GB"]
    assert [time_text(value) for value in (0.275, 3.0, 98e-6, 5e-9)] == ["275 ms", "3.00 s", "98.0 µs", "5.00 ns"]


@pytest.mark.parametrize("way", ["write", "read"])
@pytest.mark.parametrize("size", [(960, 480), (620, 380), (1400, 620)])
def test_labels_overlap_neither_each_other_nor_marks(report, way, size):
    drawn = scene(charts.scatter(report, way, current="blosc2:codec=blosclz,level=9"), width=size[0], height=size[1])
    shown = [item for item in drawn.items if isinstance(item, Text)]
    boxes = [item.bounds for item in shown]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :]), shown[number].text
        assert Rect(0, 0, *size).holds(box), shown[number].text
    for mark in (item for item in drawn.items if isinstance(item, Mark)):
        spot = Rect(mark.x - 4, mark.y - 4, mark.x + 4, mark.y + 4)
        assert not any(box.overlaps(spot) for box in boxes)
    labels = {row.text for row in shown}
    assert {label_of(row[0]) for row in PICTURE} <= labels
    assert "Pareto frontier" in labels


def test_labels_of_a_crowd_do_not_overlap(report):
    crowd = replace(
        report,
        results=tuple(result(f"codec{n}:level={n}", 5 + n % 7 / 50, 100 + n, 200 + n) for n in range(40)),
    )
    drawn = scene(charts.scatter(crowd))
    boxes = [item.bounds for item in drawn.items if isinstance(item, Text)]
    assert not any(a.overlaps(b) for number, a in enumerate(boxes) for b in boxes[number + 1 :])
    assert len(boxes) > 25


def test_no_leader_line_goes_through_a_label(report):
    crowd = tuple(result(f"zstd:level={n}", 7 + n / 200, 400 + n, 900) for n in range(1, 9))
    drawing = scene(charts.scatter(replace(report, results=crowd)), width=500, height=300)
    labels = [item.bounds for item in drawing.items if isinstance(item, Text) and item.text.startswith("zstd ")]
    leaders = [item for item in drawing.items if isinstance(item, Line) and item.color == "faint"]
    assert leaders
    assert len(labels) == 8
    for leader in leaders:
        (x, y) = leader.points[1]
        own = next(box for box in labels if box.grown(0.01).holds(Rect(x, y, x, y)))
        assert not any(crosses(leader, box) for box in labels if box is not own)


def test_each_bar_has_the_mark_of_its_family(report, storages):
    looked = looks(report)
    drawing = scene(charts.size_bars(report))
    marks = [item for item in drawing.items if isinstance(item, Mark)]
    bars = charts.size_bars(report).groups
    assert [mark.look for mark in marks] == [group.bars[0].look for group in bars]
    assert len({mark.look for mark in marks}) == len(looked)
    names = [item for item in drawing.items if isinstance(item, Text) and item.anchor == "end"]
    for mark, name in zip(marks, names, strict=True):
        assert name.bounds.right < mark.x - mark.radius


@pytest.mark.parametrize("dark", [False, True])
def test_svg_is_xml_with_texts_as_text(report, dark):
    drawing = charts.svg(charts.figure(report), dark=dark)
    found = texts(drawing)
    assert {label_of(row[0]) for row in PICTURE} <= set(found)
    assert "Pareto frontier" in found
    assert "Size on disk" in found
    assert "96.1 MB decoded, 4 tables" in " ".join(found)
    assert "Test CPU, 2 cores, 8.6 GB memory, Test OS, Python 3.11.7" in found
    assert "Inter" in drawing
    surface = (DARK if dark else LIGHT)["surface"]
    assert surface in drawing
    assert charts.svg(charts.figure(report), dark=dark) == drawing


def test_odd_names_stay_valid_xml(report):
    odd = "a<b>&\"'\x00\ud800.json"
    changed = replace(
        report,
        data=(replace(report.data[0], path=odd),),
        results=tuple(replace(row, data=odd) for row in report.results),
    )
    assert any("a<b>&\"'\ufffd\ufffd.json" in text for text in texts(charts.svg(charts.figure(changed))))


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Return width, height and inflated rows of an 8-bit PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    position, packed = 8, b""
    while position < len(png):
        length, kind = struct.unpack(">I4s", png[position : position + 8])
        if kind == b"IDAT":
            packed += png[position + 8 : position + 8 + length]
        position += length + 12
    return width, height, zlib.decompress(packed)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_png_has_the_size_and_is_not_blank(report, scale):
    drawing = charts.svg(charts.scatter(report), width=400, height=300)
    png = charts.png(drawing, scale)
    width, height, rows = pixels(png)
    assert (width, height) == (400 * scale, 300 * scale)
    assert len(set(rows)) > 50
    assert charts.png(drawing, scale) == png


def test_texts_are_in_the_picture(report):
    drawing = charts.svg(charts.scatter(report), width=400, height=300)
    silent = drawing.replace("<text", "<desc").replace("</text>", "</desc>")
    assert pixels(charts.png(drawing))[2] != pixels(charts.png(silent))[2]
    other_font = drawing.replace("Inter, ", "")
    assert charts.png(other_font) != charts.png(drawing)


def test_a_scale_out_of_range(report):
    with pytest.raises(InspectorError, match="between 1 and 3"):
        charts.png("<svg/>", 4)


def test_bars_stand_for_their_values(report):
    chart = charts.size_bars(report)
    values = [group.bars[0].value for group in chart.groups]
    assert values == sorted(values)
    assert chart.groups[0].bars[0].text == "9.61 MB"
    times = charts.time_bars(report, "read")
    bar = times.groups[0].bars[0]
    assert bar.label == "brotli 11"
    assert bar.low < bar.value < bar.high
    assert times.note == "median, bars show IQR, n = 7"


def test_few_bars_keep_frontier_and_current(report):
    current = "blosc2:codec=blosclz,level=5"
    kept = [row.codec for row in notable(results_of(report), current=current, most=8)]
    assert len(kept) == 8
    assert current in kept
    assert {"brotli:quality=11", "zstd:level=3", "lz4:level=1"} <= set(kept)
    assert "current" in texts(charts.svg(charts.size_bars(report, current=current, most=8)))
    with_copy = (*report.results, result("none", 1.0, 20_000, 21_000))
    assert "none" not in [row.codec for row in notable(with_copy, current=None, most=14)]
    assert "none" in [row.codec for row in notable(with_copy, current=None, most=None)]


def test_labels_that_fit_are_not_cut(report):
    assert {label_of(row[0]) for row in PICTURE} <= set(texts(charts.svg(charts.time_bars(report))))


def test_one_run_shows_no_spread(report):
    single = replace(report, results=tuple(replace(row, encode_s=(0.1,), decode_s=(0.1,)) for row in report.results))
    assert charts.scatter(single).note == "one run, spread unknown"
    assert "±" not in charts.markdown(single)


def test_storages_side_by_side(storages):
    chart = charts.storage_bars(storages)
    assert [group.label for group in chart.groups] == ["insert × 1000", "close"]
    assert [bar.text for bar in chart.groups[0].bars] == ["2.20 s", "200 ms"]
    assert chart.log
    assert [name for name, _ in chart.legend] == ["JSONStorage", "BetterJSONStorage"]
    found = texts(charts.svg(charts.figure(storages)))
    assert {"Size on disk after close", "161 kB", "20.7 kB"} <= set(found)
    assert "BetterJSONStorage: Measured with a patch." in found


def test_bars_are_as_long_as_their_log_values(storages):
    drawn = scene(charts.storage_bars(storages))
    widths = [item.rect.right - item.rect.left for item in drawn.items if hasattr(item, "rect")][1:]
    assert len(widths) == 4
    by_decades = math.log(2.2 / 2e-5) / math.log(2.2 / 0.2)
    assert (widths[0] - widths[2]) / (widths[0] - widths[1]) == pytest.approx(by_decades)


def test_csv_holds_every_figure(report, storages):
    rows = list(csv.DictReader(io.StringIO(charts.csv(report))))
    assert [row["codec"] for row in rows] == [row[0] for row in PICTURE]
    assert int(rows[4]["size"]) == report.results[4].size
    assert float(rows[4]["encode_median_s"]) == pytest.approx(report.results[4].encode.median, abs=1e-9)
    assert float(rows[4]["encode_mb_s"]) == 410
    assert (rows[4]["encode_runs"], rows[4]["decode_runs"]) == ("7", "7")
    steps = list(csv.DictReader(io.StringIO(charts.csv(storages))))
    assert [(row["storage"], row["step"]) for row in steps][:2] == [
        ("JSONStorage", "insert"),
        ("BetterJSONStorage", "insert"),
    ]


def test_markdown_is_a_table_with_machine_and_notes(report, storages):
    text = charts.markdown(report)
    assert re.search(r"\| \*\*zstd 3\*\* \| 12\.3 MB \| 7\.84 \| 410 ±[12] % \| 1150 ±[12] % \| 7 \| 0 \|", text)
    assert "| zlib 6 |" in text
    assert "- Test CPU, 2 cores" in text
    assert "for everyday use" in text
    columns = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert columns == {8}
    other = charts.markdown(storages)
    assert "Not measured: Other is not installed here." in other
    assert "| JSONStorage | insert | 1000 | 2.20 s |" in other


def test_a_wide_spread_is_warned_of(report):
    assert "Wide spread" not in charts.markdown(report)
    wild = replace(report.results[0], decode_s=(0.1, 0.2, 0.3, 0.4))
    text = charts.markdown(replace(report, results=(wild, *report.results[1:])))
    assert "Wide spread: brotli:quality=11 ±30 %; the machine was busy, so measure again." in text
    assert "| 7, 4 |" in text


def test_html_stands_alone(report):
    page = charts.html(report)
    assert page.count("<svg") == 2
    assert "<td><b>zstd 3</b></td>" in page
    assert "src=" not in page
    assert "<script" not in page
    assert [part for part in page.split('"') if part.startswith("http")] == ["http://www.w3.org/2000/svg"] * 2
    assert page == charts.html(report)


def test_nothing_measured_is_a_sentence():
    with pytest.raises(InspectorError, match="Nothing was measured"):
        charts.figure(Report(MACHINE))


def test_texts_are_measured_and_cut():
    assert text_width("zstd 3", 11) < text_width("zstd 3", 11, bold=True)
    assert text_width("", 11) == 0
    cut = shortened("a-very-long-name-of-a-file.json", 11, 80)
    assert text_width(cut, 11) <= 80
    assert cut.startswith("a-ve")
    assert cut.endswith("son")
    lines = wrapped("one two three four five six", 11, 60)
    assert " ".join(lines) == "one two three four five six"
    assert all(text_width(line, 11) <= 60 for line in lines)


def test_whiskers_are_drawn_where_the_spread_is(report):
    wild = replace(report.results[4], encode_s=(0.1, 0.2, 0.3, 0.4, 0.5))
    changed = replace(report, results=(*report.results[:4], wild, *report.results[5:]))
    lines = [item for item in scene(charts.scatter(changed)).items if isinstance(item, Line)]
    flat = [
        line for line in lines if line.width == 1.5 and line.color == "s2" and line.points[0][1] == line.points[1][1]
    ]
    assert max(line.points[1][0] - line.points[0][0] for line in flat) > 40


@pytest.fixture
def versions() -> Report:
    rows = (
        HistoryResult(
            "ten", "JSON files", 4000, 1.0, 4, (0.2, 0.4, 0.3, 0.1), (0.01, 0.02, 0.03), True, ("Unsynced.",)
        ),
        HistoryResult("ten", "git", 1000, 0.25, 4, (1.0, 2.0, 3.0, 4.0), (0.5,), True),
    )
    compared = (
        Comparison("ten", "JSON files", "all saves", "s", 1.0, 2.0, "A. Uthor"),
        Comparison("ten", "git", "size", "bytes", 1000),
        Comparison("ten", "git", "speed", "MB/s", 30.0, 10.0, "A. Uthor"),
    )
    return Report(MACHINE, (DataSet("ten", 1000, 10),), history=rows, comparisons=compared, preset="ten-strings")


def test_versions_and_comparisons_are_charts_and_tables(versions):
    figure = charts.figure(versions)
    assert [chart.title for row in figure.rows for chart in row] == [
        "Times", "Speeds", "Size of all versions", "Time of one save, and of loading the deepest version",
    ]  # fmt: skip
    sizes, times = (row[0] for row in figure.rows[2:])
    assert [(group.label, group.bars[0].remark) for group in sizes.groups] == [
        ("JSON files", "100 % of JSON"), ("git", "25 % of JSON"),
    ]  # fmt: skip
    assert [[bar.value for bar in group.bars] for group in times.groups] == [[0.25, 2.5], [0.02, 0.5]]
    drawing = charts.svg(figure)
    assert {"2.00 s", "1.00 s", "0.500×", "A. Uthor", "10.0 MB/s"} <= set(texts(drawing))
    text = charts.markdown(versions)
    assert "| ten | JSON files | all saves | 2.00 s | 1.00 s | 0.500× | A. Uthor |" in text
    assert "| ten | git | size | – | 1.00 kB | – |  |" in text
    assert "| --- | --- | --- | ---: | ---: | ---: | --- |" in text
    assert "| git | 1.00 kB | 25 % | 10.0 s of 4 |" in text
    comparisons, history = charts.csv(versions).split("\n\n")
    assert list(csv.DictReader(io.StringIO(comparisons)))[2]["ratio"] == "3.000000"
    (json_files, _) = csv.DictReader(io.StringIO(history))
    assert (json_files["way"], json_files["save_total_s"], json_files["loads"]) == ("JSON files", "1.000000000", "3")


def test_only_figures_that_are_known_are_drawn_beside_ours(versions):
    times, speeds = comparison_bars(versions)
    assert [[bar.value for bar in group.bars] for group in (*times.groups, *speeds.groups)] == [
        [2.0, 1.0],
        [10.0, 30.0],
    ]
    assert comparison_bars(replace(versions, comparisons=())) == ()


def test_what_was_not_given_back_is_said_in_the_table(versions):
    wrong = replace(versions, history=(replace(versions.history[0], verified=False),))
    assert "| NO |" in charts.markdown(wrong)
