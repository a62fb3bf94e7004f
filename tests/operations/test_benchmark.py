"""Benchmarks of codecs: figures with known answers, real measurements against the real libraries."""

from __future__ import annotations

import json
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from tinydb import TinyDB

from inspector import registry
from inspector.model import Codec, InspectorError, UsageError
from inspector.operations.benchmark import (
    BenchJob,
    Measured,
    Started,
    bench_stream,
    collect,
    default_specs,
    event_line,
    measure,
    read_event,
)
from inspector.operations.benchmark_advice import advice, totals, widest_spread
from inspector.operations.benchmark_data import BLOCK, Workload, workload
from inspector.operations.benchmark_model import (
    DataSet,
    HistoryResult,
    Machine,
    Report,
    Result,
    StorageResult,
    as_text,
    read_report,
    spread,
)
from inspector.operations.benchmark_timing import Case, WrongResult
from inspector.progress import Cancelled

MACHINE = Machine("Test CPU", 2, 1 << 30, "3.11.7", "Test OS", {"zstandard": "0.25.0"})


def made(codec: str, size: int, encode_s: tuple[float, ...], decode_s: tuple[float, ...] | None = None) -> Result:
    """Return a result on 1 MB of data."""
    decode_s = decode_s or encode_s
    speeds = [1.0 / spread(times).median for times in (encode_s, decode_s)]
    return Result("data", codec, "whole", size, 1e6 / size, encode_s, decode_s, *speeds, 0)


def report_of(*results: Result, storages: tuple[StorageResult, ...] = ()) -> Report:
    return Report(MACHINE, (DataSet("data", 1_000_000, 1),), results, storages)


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "shop.json"
    with TinyDB(path) as db:
        db.insert_multiple({"name": f"item {n}", "price": n / 4} for n in range(200))
    return path


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes(b"the quick brown fox jumps over the lazy dog. " * 2000)
    return path


def test_spread_of_known_samples():
    found = spread((4.0, 1.0, 3.0, 2.0, 5.0))
    assert (found.median, found.low, found.high, found.count) == (3.0, 2.0, 4.0, 5)
    even = spread((1.0, 2.0, 3.0, 10.0))
    assert (even.median, even.low, even.high) == (2.5, 1.75, 4.75)
    one = spread((7.0,))
    assert (one.median, one.low, one.high, one.relative) == (7.0, 7.0, 7.0, 0.0)
    with pytest.raises(ValueError, match="no samples"):
        spread(())


def test_exactly_n_samples_of_each_codec(plain):
    report = measure(BenchJob((plain,), specs=("none", "zlib:level=1", "lzma"), runs=4))
    assert [result.codec for result in report.results] == ["none", "zlib:level=1", "lzma"]
    for result in report.results:
        assert len(result.encode_s) == len(result.decode_s) == 4
        assert all(seconds > 0 for seconds in result.encode_s + result.decode_s)


def test_sizes_and_speeds_are_those_of_the_real_library(plain):
    content = plain.read_bytes()
    result = measure(BenchJob((plain,), specs=("zlib:level=9",), runs=3)).results[0]
    assert result.size == len(zlib.compress(content, 9))
    assert result.ratio == len(content) / result.size
    assert result.encode_mb_s == pytest.approx(len(content) / 1e6 / sorted(result.encode_s)[1])
    assert result.decode_mb_s == pytest.approx(len(content) / 1e6 / sorted(result.decode_s)[1])


def test_copying_takes_time(tmp_path):
    sizes = (1_000, 4_000_000)
    found = []
    for size in sizes:
        path = tmp_path / str(size)
        path.write_bytes(b"x" * size)
        found.append(measure(BenchJob((path,), specs=("none",), runs=3)).results[0].encode.median)
    assert found[1] > found[0] * 20 > 0


def test_a_store_gives_its_text_or_its_rows(store):
    text = store.read_bytes()
    whole = workload(store, "whole")
    assert whole.pieces == (text,)
    assert (whole.data.bytes, whole.data.items, whole.data.stored) == (len(text), 200, len(text))
    rows = workload(store, "row")
    assert len(rows.pieces) == rows.data.items == 200
    assert [json.loads(piece) for piece in rows.pieces] == list(json.loads(text)["_default"].values())
    assert rows.data.bytes == sum(map(len, rows.pieces))


def test_rows_of_a_document_are_its_updates(tmp_path):
    import anyio
    from pycrdt import Doc, Text
    from pycrdt.store import FileYStore

    doc = Doc()
    doc["source"] = text = Text()
    updates: list[bytes] = []
    subscription = doc.observe(lambda event: updates.append(event.update))
    for word in ("to ", "be ", "or ", "not "):
        text += word
    doc.unobserve(subscription)
    path = tmp_path / "note.y"

    async def write() -> None:
        for update in updates:
            await FileYStore(str(path)).write(update)

    anyio.run(write)
    assert workload(path, "row").pieces == tuple(updates)
    assert workload(path, "whole").pieces == (b"".join(updates),)


def test_rows_that_grow_are_counted(store):
    result = measure(BenchJob((store,), specs=("lzma", "none"), unit="row", runs=1)).results
    assert result[0].grew == 200
    assert result[1].grew == 0
    assert (result[0].unit, result[0].ratio < 1) == ("row", True)


def test_blocks_are_encoded_each_on_its_own(tmp_path):
    path = tmp_path / "big"
    content = bytes(range(256)) * 4096 * 2 + b"tail"
    path.write_bytes(content)
    work = workload(path, "block")
    assert [len(piece) for piece in work.pieces] == [BLOCK, BLOCK, 4]
    result = measure(BenchJob((path,), specs=("zlib",), unit="block", runs=1)).results[0]
    assert result.size == sum(len(zlib.compress(piece, 6)) for piece in work.pieces)


@dataclass(frozen=True)
class Slow(Codec):
    """Stores the data and takes its time."""

    id: ClassVar[str] = "slow"
    label: ClassVar[str] = "Slow"
    seconds: float = 0.01

    def encode(self, data: bytes) -> bytes:
        time.sleep(self.seconds)
        return data[:]

    def decode(self, data: bytes, limit: int) -> bytes:
        time.sleep(self.seconds * 2)
        return data[:]


@dataclass(frozen=True)
class Forgetful(Codec):
    """Gives back the first byte only, from the second time on."""

    id: ClassVar[str] = "forgetful"
    label: ClassVar[str] = "Forgetful"

    def encode(self, data: bytes) -> bytes:
        return data

    def decode(self, data: bytes, limit: int) -> bytes:
        return data[:1]


def on(content: bytes) -> Workload:
    return Workload(DataSet("data", len(content), 1), "whole", (content,))


def test_every_sample_really_runs_the_codec():
    case = Case(on(b"x" * 1000), Slow(), runs=5)
    while case.share < 1:
        case.sample()
    result = case.result()
    assert len(result.encode_s) == 5
    assert min(result.encode_s) >= 0.01
    assert min(result.decode_s) >= 0.02
    quick = Case(on(b"x" * 1000), registry.codec("none"), runs=5)
    while quick.share < 1:
        quick.sample()
    assert quick.result().encode_mb_s > 100 * result.encode_mb_s


def test_enough_time_is_measured_for_each_way():
    case = Case(on(b"x" * 1000), Slow(seconds=0.004), min_time=0.05)
    while case.share < 1:
        case.sample()
    result = case.result()
    assert sum(result.encode_s) >= 0.05
    assert sum(result.decode_s) >= 0.05
    assert len(result.decode_s) < len(result.encode_s)


def test_a_wrong_decoder_is_caught():
    with pytest.raises(WrongResult, match="forgetful does not give back"):
        Case(on(b"xyz"), Forgetful(), runs=1).sample()


def test_samples_are_interleaved(plain):
    events = list(bench_stream(BenchJob((plain,), specs=("none", "zlib"), runs=2)))
    assert isinstance(events[0], Started)
    assert isinstance(events[1], DataSet)
    measured = [(e.result.codec, len(e.result.encode_s), e.final) for e in events if isinstance(e, Measured)]
    assert measured == [("none", 1, False), ("zlib", 1, False), ("none", 2, True), ("zlib", 2, True)]


def test_events_survive_the_way_through_a_pipe(plain):
    events = list(bench_stream(BenchJob((plain,), specs=("none", "bz2"), runs=2)))
    events.append(StorageResult("JSONStorage", "insert", (0.5, 0.25), 100, 10, ("a note",)))
    again = [read_event(event_line(event)) for event in events]
    assert again == events
    *_, report = collect(again)
    assert [len(result.encode_s) for result in report.results] == [2, 2]


def test_cancelling_stops_between_samples(plain):
    taken = []

    def progress(done, total):
        if len(taken) == 2:
            raise Cancelled

    def follow():
        for event in bench_stream(BenchJob((plain,), specs=("none", "zlib", "bz2"), runs=3), progress):
            if isinstance(event, Measured):
                taken.append(event.result.codec)

    with pytest.raises(Cancelled):
        follow()
    assert taken == ["none", "zlib"]


def test_progress_ends_at_its_total(plain):
    calls = []
    measure(BenchJob((plain,), specs=("none", "zlib"), runs=3), lambda done, total: calls.append((done, total)))
    shares = [done / total for done, total in calls if total]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_default_codecs_can_all_write_here_and_parse():
    specs = default_specs()
    assert {"none", "zlib:level=1", "zlib:level=6", "zlib:level=9"} <= set(specs)
    assert {registry.codec(spec).id for spec in specs} >= {"zstd", "lz4", "brotli", "blosc2", "lzma", "bz2"}
    assert all(registry.codec(spec).writes for spec in specs)
    assert len(set(specs)) == len(specs)


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (BenchJob((), what="nonsense"), "benchmarks are codecs, storages"),
        (BenchJob((), runs=0), "1 or more"),
        (BenchJob((), specs=("zstd:level=x",)), "whole number"),
        (BenchJob((), min_time=-1.0), "between 0 and 3600"),
    ],
)
def test_a_job_that_cannot_be_understood(job, message):
    with pytest.raises(UsageError, match=message):
        measure(job)


def test_files_that_cannot_be_measured(tmp_path, plain):
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(InspectorError, match="holds no data to measure"):
        workload(empty, "whole")
    with pytest.raises(InspectorError, match="does not exist"):
        workload(tmp_path / "none", "whole")
    with pytest.raises(InspectorError, match="folder"):
        workload(tmp_path, "whole")
    with pytest.raises(UsageError, match="units are whole, block, row"):
        workload(plain, "page")


def test_a_saved_report_reads_back_the_same(plain, tmp_path):
    report = measure(BenchJob((plain,), specs=("none", "zlib"), runs=2))
    saved = tmp_path / "result.json"
    saved.write_text(as_text(report))
    assert read_report(saved) == report
    document = json.loads(saved.read_text())
    assert set(document) >= {"machine", "data", "results"}
    assert set(document["data"][0]) >= {"path", "bytes", "items"}
    keys = {"data", "codec", "unit", "size", "ratio", "encode_s", "decode_s", "encode_mb_s", "decode_mb_s", "grew"}
    assert set(document["results"][0]) == keys
    assert document["machine"]["cores"] >= 1
    assert document["date"].endswith("Z")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"machine": 3, "data": [], "results": []}'])
def test_a_file_that_is_no_result(tmp_path, text):
    path = tmp_path / "result.json"
    path.write_text(text)
    with pytest.raises(InspectorError, match="no benchmark result"):
        read_report(path)


def test_a_result_without_its_data_is_no_result(tmp_path):
    path = tmp_path / "result.json"
    document = report_of(made("zstd", 1000, (0.1,))).to_json()
    path.write_text(json.dumps(document | {"data": []}))
    with pytest.raises(InspectorError, match="no benchmark result"):
        read_report(path)


def test_advice_takes_the_clear_winner():
    report = report_of(
        made("none", 1_000_000, (0.0001, 0.0001, 0.0001)),
        made("quick", 250_000, (0.001, 0.0011, 0.0012)),
        made("small", 200_000, (0.5, 0.51, 0.52)),
    )
    assert [total.codec for total in totals(report)] == ["quick", "none", "small"]
    assert advice(report).startswith("quick for everyday use: 4.00 times smaller")
    assert "no other is as fast" in advice(report)


def test_advice_inside_the_noise_goes_by_size_and_names_the_rivals():
    report = report_of(
        made("first", 250_000, (0.001, 0.0011, 0.0012)),
        made("second", 249_000, (0.0009, 0.00115, 0.0013)),
        made("slow", 100_000, (0.5, 0.51, 0.52)),
    )
    assert advice(report).startswith("second for everyday use")
    assert "(first)" in advice(report)
    assert "slow" not in advice(report)


def test_advice_needs_samples_and_a_gain():
    assert "Fewer than 3 samples" in advice(report_of(made("zstd", 1000, (0.1, 0.1))))
    hopeless = report_of(made("none", 1_000_000, (0.001,) * 3), made("zlib", 999_000, (0.04,) * 3))
    assert advice(hopeless).startswith("Leave the data as they are")
    assert "Nothing to compare" in advice(Report(MACHINE))


def test_advice_on_storages():
    fast = StorageResult("B", "insert", (0.1, 0.11, 0.12), 100, 1000)
    slow = StorageResult("A", "insert", (1.0, 1.1, 1.2), 400, 1000)
    assert advice(report_of(storages=(slow, fast))).startswith(
        "B inserts 10.0 times faster than A and its file has 0.25 times the size"
    )
    near = StorageResult("B", "insert", (1.0, 1.15, 1.2), 100, 1000)
    assert "equally fast" in advice(report_of(storages=(slow, near)))


def test_advice_on_kept_versions_leaves_the_control_out():
    rows = (
        HistoryResult("d", "JSON", 1000, 1.0, 10, (0.1,) * 10, (0.2,), True),
        HistoryResult("d", "short", 10, 0.01, 10, (0.01,) * 10, (0.01,), True, control=True),
        HistoryResult("d", "small", 50, 0.05, 10, (0.2,) * 10, (0.1,), True),
    )
    report = Report(MACHINE, (DataSet("d", 100, 1),), history=rows)
    assert advice(report) == (
        "small keeps 10 versions in the fewest bytes, 5 % of whole JSON; JSON saves fastest, small loads the deepest "
        "version fastest."
    )
    assert advice(Report(MACHINE, history=rows[:2])).startswith("Nothing to compare")


def test_the_widest_spread_is_named():
    report = report_of(made("calm", 10, (1.0, 1.0, 1.0)), made("wild", 10, (1.0, 1.0, 1.0), (1.0, 2.0, 3.0)))
    assert widest_spread(report) == ("wild", 0.25)
    assert widest_spread(Report(MACHINE)) is None


def test_a_missing_library_is_reported_and_the_rest_measured(plain, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "lz4", None)
    report = measure(BenchJob((plain,), specs=("lz4", "zlib"), runs=1))
    assert [result.codec for result in report.results] == ["zlib"]
    assert report.problems[0].subject == "lz4"
    assert "pip install lz4" in report.problems[0].reason


def test_the_source_is_left_as_it_was(store):
    before = (store.read_bytes(), store.stat().st_mtime_ns, sorted(Path(store.parent).iterdir()))
    measure(BenchJob((store,), specs=("zlib",), unit="row", runs=1))
    assert (store.read_bytes(), store.stat().st_mtime_ns, sorted(Path(store.parent).iterdir())) == before
