"""Presets at small sizes: every figure is one that was measured, and stands beside the one that is known."""

from __future__ import annotations

import json
import multiprocessing
import time
from types import MappingProxyType

import orjson
import pytest
from tinydb import TinyDB

from inspector.model import InspectorError, UsageError
from inspector.operations import charts
from inspector.operations.benchmark import BenchJob, Measured, Started, collect, event_line, read_event
from inspector.operations.benchmark_machine import this_machine
from inspector.operations.benchmark_model import Comparison, DataSet, HistoryResult, Problem, StorageResult
from inspector.operations.history_bench import HistoryJob
from inspector.operations.history_data import Strings
from inspector.operations.presets import NAMES, PRESETS, check_preset
from inspector.operations.presets_betterjson import MADE, SetsJob, sets_stream
from inspector.operations.presets_citm import CitmJob, as_tables, citm_stream
from inspector.operations.presets_published import CITM, DISCUSSION, README, WHOLE_STORE, Published, beside
from inspector.operations.presets_shapes import canada, citm, people, twitter
from inspector.operations.presets_strings import strings_stream
from inspector.operations.presets_updates import MOST_SMALL, UpdatesJob, made_up, updates_stream
from inspector.operations.storages_work import CONTENDERS
from inspector.progress import Cancelled

STORAGES = {each.name for each in CONTENDERS}
FEW = MappingProxyType({"citm_catalog": citm, "140 items": lambda: people(count=5)})


def kinds(events):
    found = {}
    for event in events:
        found.setdefault(type(event), []).append(event)
    return found


def figures(events):
    return {(c.data, c.subject, c.figure, c.source): c for c in events if isinstance(c, Comparison)}


def report_of(name, events):
    *_, report = collect([Started(this_machine(), "", name), *events])
    return report


@pytest.mark.parametrize(("made", "size"), [(citm, 500_219), (canada, 2_090_234), (twitter, 466_906), (people, 78_555)])
def test_made_up_sets_have_the_size_of_the_public_ones(made, size):
    content = orjson.dumps(made())
    assert len(content) == pytest.approx(size, rel=0.15)
    assert orjson.dumps(made()) == content
    assert orjson.dumps(made(seed=2)) != content


def test_shapes_have_the_counts_of_the_public_ones():
    catalogue = citm()
    counts = {name: len(member) for name, member in catalogue.items()}
    assert counts == {
        "areaNames": 17, "audienceSubCategoryNames": 1, "events": 184, "performances": 243, "seatCategoryNames": 64,
        "subTopicNames": 19, "topicNames": 4, "topicSubTopics": 4,
    }  # fmt: skip
    rings = canada()["features"][0]["geometry"]["coordinates"]
    assert (len(rings), sum(map(len, rings))) == (480, 55_563)
    assert len(twitter()["statuses"]) == 100
    assert len(people()) == 140


def test_betterjson_stores_every_set_in_both_storages():
    events = list(sets_stream(SetsJob(runs=2, made=FEW)))
    found = kinds(events)
    assert [(data.path, data.items) for data in found[DataSet]] == [("citm_catalog", 1), ("140 items", 5)]
    last = {(r.data, r.storage, r.step): r for r in found[StorageResult]}
    assert {key[1] for key in last} == STORAGES
    assert {key[2] for key in last} == {"init", "insert", "read", "close", "reopen"}
    assert all(len(r.seconds) == 2 for r in last.values())
    assert last["140 items", "JSONStorage", "insert"].count == 5
    compared = figures(events)
    for (data, subject, figure, _), each in compared.items():
        result = last[data, subject, "init" if figure == "size" else figure]
        assert each.measured == (result.size if figure == "size" else result.time.median)
    (size,) = [c for key, c in compared.items() if key[:3] == ("citm_catalog", "BetterJSONStorage", "size")]
    assert size.published == 28_516
    assert size.ratio == size.measured / 28_516
    (init,) = [c for key, c in compared.items() if key[:3] == ("citm_catalog", "JSONStorage", "init")]
    assert (init.published, init.ratio, init.source) == (None, None, "")


def test_a_file_takes_the_place_of_the_set_it_is_named_after(tmp_path):
    path = tmp_path / "random_100kb.json"
    path.write_text(json.dumps([{"a": n} for n in range(3)]))
    more = tmp_path / "mine.json"
    more.write_text('{"one": 1}')
    found = kinds(sets_stream(SetsJob((path, more), runs=1, made=FEW)))
    assert [(data.path, data.items) for data in found[DataSet]] == [("citm_catalog", 1), ("140 items", 3), ("mine", 1)]
    with TinyDB(tmp_path / "db.json") as db:
        for n in range(3):
            db.insert({"a": n})
    sizes = {r.size for r in found[StorageResult] if (r.data, r.storage) == ("140 items", "JSONStorage")}
    assert sizes == {(tmp_path / "db.json").stat().st_size}


@pytest.mark.parametrize("content", ["[1, 2]", "3", "[]", "{"])
def test_what_tinydb_cannot_store_is_refused(tmp_path, content):
    path = tmp_path / "twitter.json"
    path.write_text(content)
    with pytest.raises(InspectorError, match=r"twitter"):
        list(sets_stream(SetsJob((path,), runs=1, made={"twitter": twitter})))


@pytest.mark.slow
def test_citm_is_written_and_asked_in_rounds(tmp_path):
    path = tmp_path / "citm_catalog.json"
    path.write_text(json.dumps(citm(seed=3)))
    events = list(citm_stream(CitmJob(path, runs=2, rounds=2)))
    found = kinds(events)
    assert Problem not in found
    last = {(r.storage, r.step): r for r in found[StorageResult]}
    assert {step for _, step in last} == {"init", "write", "read", "close", "total"}
    assert last["JSONStorage", "read"].count == 22
    for storage in STORAGES:
        parts = sum(last[storage, step].seconds[0] for step in ("init", "write", "read", "close"))
        assert last[storage, "total"].seconds[0] >= parts
    with TinyDB(tmp_path / "db.json") as db:
        for _ in range(2):
            for name, documents in as_tables(citm(seed=3), None).tables.items():
                db.table(name).insert_multiple(documents)
    assert last["JSONStorage", "total"].size == (tmp_path / "db.json").stat().st_size
    compared = figures(events)
    factor = compared["citm_catalog", "JSONStorage over BetterJSONStorage", "total time", README]
    assert factor.published == 113
    totals = [last[name, "total"].time.median for name in ("JSONStorage", "BetterJSONStorage")]
    assert factor.measured == totals[0] / totals[1]
    assert {each.source for each in compared.values() if each.published} == {each.source for each in CITM}


def test_citm_of_another_shape_is_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"events": []}')
    with pytest.raises(InspectorError, match=r"x\.json has not the shape of citm_catalog\.json"):
        list(citm_stream(CitmJob(path)))


def test_codecs_are_measured_on_the_store_and_on_its_rows():
    events = list(updates_stream(UpdatesJob(size=60_000, runs=1)))
    found = kinds(events)
    assert Problem not in found
    whole, large, small = found[DataSet]
    assert whole.bytes == pytest.approx(60_000, rel=0.5)
    assert 16_000 < large.bytes < 18_000
    assert large.items == 1
    assert 26 <= small.bytes / small.items <= 28
    results = {(e.result.data, e.result.codec): e.result for e in found[Measured] if e.final}
    codecs = {codec for _, codec in results}
    assert codecs == {"gzip", "lz4", "zstd", "lzma", "bz2", "zlib", "brotli", "numcodecs"}
    assert len(results) == 24
    assert results[small.path, "gzip"].grew == small.items
    compared = figures(events)
    assert len(compared) == 3 * 8
    zstd = compared[whole.path, "zstd", "ratio", DISCUSSION]
    assert (zstd.measured, zstd.published) == (results[whole.path, "zstd"].ratio, 12.2)
    assert compared[whole.path, "zlib", "compress", ""].published is None


@pytest.mark.slow
def test_a_slow_codec_is_stopped_within_a_second():
    began = []

    def progress(done, total):
        if done > 100:  # the updates are made and the first sample is on its way
            began.append(time.monotonic())
        if began and time.monotonic() > began[0] + 1.5:
            began.append(time.monotonic())
            raise Cancelled

    with pytest.raises(Cancelled):
        list(updates_stream(UpdatesJob(size=6_000_000, runs=1), progress))
    assert time.monotonic() - began[-1] < 1
    assert multiprocessing.active_children() == []


def test_made_up_updates_are_a_real_document():
    from pycrdt import Array, Doc

    updates = list(made_up(100_000))
    assert updates == list(made_up(100_000))
    assert 100_000 <= sum(map(len, updates)) < 250_000
    doc = Doc()
    for update in updates:
        doc.apply_update(update)
    cells = doc.get("cells", type=Array)
    assert str(cells[0]["source"]).startswith("train(model, epochs=")


def test_the_users_own_store_gives_its_rows(samples):
    path = samples / "notebook/notebook.ystore.db"
    found = kinds(updates_stream(UpdatesJob(path, runs=1)))
    whole, _, small = found[DataSet]
    assert str(path) in whole.description
    assert 0 < small.items <= MOST_SMALL


def test_ten_strings_compares_every_way_with_docchi():
    job = HistoryJob(strings=Strings(3, 2000), saves=4, loads=2)
    events = list(strings_stream(job))
    ways = {e.way: e for e in events if isinstance(e, HistoryResult)}
    compared = figures(events)
    base = ways["JSON files"]
    for way, result in ways.items():
        found = {key[2]: c for key, c in compared.items() if key[1] == way}
        if result is base:
            assert found["all saves"].measured == base.total
            assert (found["all saves"].published, found["load"].published) == (1.906, 0.094)
        else:
            assert found["size over JSON"].measured == result.size / base.size
            assert found["size over JSON"].published == 0.17
            assert found["saves over JSON"].published == pytest.approx(0.32, abs=0.005)
            assert found["load over JSON"].published == pytest.approx(0.43, abs=0.005)


def test_a_figure_without_a_known_one_stands_alone():
    measured = Comparison("set", "it", "size", "bytes", 50)
    known = (
        Published("it", "size", 100, "a", "set"),
        Published("it", "size", 200, "b"),
        Published("it", "size", 1, "c", "other"),
    )
    assert [(c.source, c.ratio) for c in beside(measured, known)] == [("a", 0.5), ("b", 0.25)]
    assert list(beside(measured, WHOLE_STORE)) == [measured]


def test_presets_are_named_and_checked(tmp_path):
    assert NAMES == ("betterjson", "betterjson-citm", "pycrdt-store", "ten-strings")
    with pytest.raises(UsageError, match="presets are betterjson, betterjson-citm, pycrdt-store, ten-strings"):
        check_preset("other", ())
    with pytest.raises(UsageError, match="takes no FILE"):
        BenchJob((tmp_path,), preset="ten-strings").check()
    for name, preset in PRESETS.items():
        check_preset(name, (tmp_path,) * preset.most)


def test_a_preset_is_one_report_for_all_exports():
    events = list(sets_stream(SetsJob(runs=1, made={"140 items": lambda: people(count=3)})))
    assert [read_event(event_line(event)) for event in events] == events
    report = report_of("betterjson", events)
    figure = charts.figure(report)
    assert figure.title == "betterjson: published and measured"
    titles = [chart.title for row in figure.rows for chart in row]
    assert titles[:2] == ["Sizes", "Times"]
    drawing = charts.svg(figure)
    assert "not published: our run" in drawing
    text = charts.markdown(report)
    assert "| Data | Subject | Figure | Published | Measured | Ratio | Source |" in text
    assert "83.8 kB" in text
    header = charts.csv(report).splitlines()[0]
    assert header == "data,subject,figure,unit,published,measured,ratio,source"
    assert "Published" in charts.html(report)
    assert MADE.keys() == {"citm_catalog", "canada", "twitter", "140 items"}
