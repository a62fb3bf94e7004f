"""Versions of a document kept in real ways: bytes of real files, real git, real stores; nothing stays behind."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from tinydb import TinyDB

from inspector import registry
from inspector.model import InspectorError, SavesVersions, UsageError
from inspector.operations.benchmark import BenchJob, bench_stream, collect, event_line, read_event
from inspector.operations.benchmark_advice import advice
from inspector.operations.benchmark_model import DataSet, HistoryResult, Problem, Report
from inspector.operations.history_bench import HistoryJob, history_stream
from inspector.operations.history_data import Own, Strings, own
from inspector.operations.history_ways import JsonFiles, Way, all_ways
from inspector.progress import Cancelled

SMALL = Strings(strings=3, length=2000)


def job(**more) -> HistoryJob:
    return HistoryJob(**{"strings": SMALL, "saves": 5, "loads": 2} | more)


def results(events):
    return {event.way: event for event in events if isinstance(event, HistoryResult)}


class Forgetful(JsonFiles):
    """Gives back something else."""

    def load(self):
        return {}


class Sleeping(JsonFiles):
    """Starts a program that does not end, and waits for it."""

    def __init__(self, notes, folder):
        super().__init__(folder)
        self._notes = notes

    def save(self, document):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        self._notes.write_text(str(child.pid))
        child.wait()


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """A folder for temporary files of its own, to see what stays in it."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "shop.json"
    with TinyDB(path) as db:
        db.table("a").insert_multiple({"name": f"item {n}", "price": n / 4} for n in range(20))
        db.table("b").insert({"big": 2**80})
        db.table("b").insert({"list": [1, {"x": None}]})
    return path


def test_each_version_changes_one_text_by_one_letter():
    versions = list(SMALL.versions(7))
    assert versions == list(SMALL.versions(7))
    assert [len(text) for text in versions[0].values()] == [2000] * 3
    for before, after in pairwise(versions):
        (changed,) = [key for key in before if before[key] != after[key]]
        assert sum(a != b for a, b in zip(before[changed], after[changed], strict=True)) == 1
        assert all(before[key] is after[key] for key in before if key != changed)


def test_every_way_keeps_all_versions_and_gives_back_the_last(scratch):
    events = list(history_stream(job()))
    assert isinstance(events[0], DataSet)
    whole = len(json.dumps(next(SMALL.versions(1)), separators=(",", ":")))
    assert (events[0].bytes, events[0].items) == (whole, 3)
    found = results(events)
    stores = [room.label for room in registry.backends().values() if isinstance(room, SavesVersions)]
    assert stores
    assert {*found} == {"JSON files", "JSON, shortened", "zstd copies", *stores} | ({"git"} if has_git() else set())
    for result in found.values():
        assert result.verified
        assert (len(result.save_s), len(result.load_s), result.saves) == (5, 2, 5)
        assert min(result.save_s + result.load_s) > 0
    assert found["JSON files"].size == 5 * whole
    assert found["JSON files"].share == 1
    assert found["JSON, shortened"].share == pytest.approx(0.17, abs=0.02)
    assert found["zstd copies"].share == pytest.approx(0.76, abs=0.03)
    assert list(scratch.iterdir()) == []


def has_git():
    return shutil.which("git") is not None


def test_runs_are_interleaved_and_counted():
    ways = all_ways()[:2]
    events = [e for e in history_stream(job(runs=2, loads=1, ways=ways)) if isinstance(e, HistoryResult)]
    assert [(e.way, len(e.save_s), len(e.load_s)) for e in events] == [
        ("JSON files", 5, 1), ("JSON, shortened", 5, 1), ("JSON files", 10, 2), ("JSON, shortened", 10, 2),
    ]  # fmt: skip
    last = events[-2]
    assert last.total == pytest.approx(sum(last.save_s) / 2)


@pytest.mark.skipif(not has_git(), reason="git is not installed")
def test_git_is_left_alone_by_the_users_settings(monkeypatch, tmp_path):
    (tmp_path / "config").write_text("[commit]\n\tgpgsign = true\n[user]\n\tsigningkey = none\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    ways = [way for way in all_ways() if way.name == "git"]
    (result,) = results(history_stream(job(ways=ways))).values()
    assert result.verified
    assert any("After git gc" in note for note in result.notes)
    assert not (tmp_path / "elsewhere").exists()


def test_without_git_it_is_named_as_not_measured(monkeypatch):
    monkeypatch.setenv("PATH", "")
    git = next(way for way in all_ways() if way.name == "git")
    _, problem = history_stream(job(ways=(git,)))
    assert problem == Problem("git", "git is not installed here, so it is not measured; install the program git")


def test_a_way_that_loses_the_document_is_no_result():
    _, problem = history_stream(job(ways=(Way("Forgetful", Forgetful),)))
    assert problem.reason == "Forgetful does not give back what was saved; do not use it."


def test_the_users_own_records_are_kept(store):
    source, what = own(store)
    assert what == "21 records of 2 collections"
    assert source.records["b/2"] == {"list": [1, {"x": None}]}
    events = list(history_stream(job(path=store, saves=4)))
    assert events[0].path == str(store)
    assert events[0].items == 21
    found = results(events)
    assert all(result.verified for result in found.values())
    assert "JSON, shortened" not in found
    assert found["JSON files"].size == pytest.approx(4 * events[0].bytes, rel=0.01)


def test_each_own_version_changes_one_record():
    values = {"a": {"n": 1}, "b": [0.5], "c": "text", "d": {}, "e": True, "f": None, "g": [], "h": {"s": "x", "n": 2}}
    versions = [values, *Own(values).versions(60)]
    for before, after in pairwise(versions):
        assert [key for key in values if before[key] != after[key]] != []
        assert sum(before[key] is not after[key] for key in values) == 1
    assert {key for key in values if versions[0][key] != versions[-1][key]} == set(values)


def test_what_has_no_records_is_refused(tmp_path):
    path = tmp_path / "empty.json"
    path.write_text('{"_default": {}}')
    with pytest.raises(InspectorError, match="has no records to keep versions of"):
        list(history_stream(job(path=path)))


def test_a_full_disk_is_said_before_anything_is_written(monkeypatch, scratch):
    @dataclass
    class Usage:
        free: int = 1000

    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage())
    with pytest.raises(InspectorError, match=r"Keeping all versions takes .* has 1\.0 kB free"):
        list(history_stream(job()))
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_cancelling_ends_the_child_and_its_programs_within_a_second(tmp_path, scratch):
    notes = tmp_path / "pid"

    def progress(done, total):
        if notes.exists() and notes.read_text():
            raise Cancelled

    slow = Way("Sleeping", partial(Sleeping, notes))
    with pytest.raises(Cancelled):
        list(history_stream(job(ways=(slow,)), progress))
    ended = time.monotonic()
    pid = int(notes.read_text())
    while alive(pid) and time.monotonic() < ended + 1:
        time.sleep(0.01)
    assert not alive(pid)
    assert multiprocessing.active_children() == []
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="SIGTERM is of POSIX")
@pytest.mark.slow
def test_sigterm_leaves_nothing_behind(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "inspector", "bench", "--preset", "ten-strings"]
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob("inspector-bench-*/*")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    child.send_signal(signal.SIGTERM)
    start = time.monotonic()
    _, err = child.communicate(timeout=10)
    assert time.monotonic() - start < 2
    assert child.returncode == 130
    assert err.decode().strip() == "stopped; nothing half-written stays behind"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_report_survives_a_pipe_and_a_file(store):
    events = list(bench_stream(BenchJob((store,), what="history", runs=1)))
    again = [read_event(event_line(event)) for event in events]
    assert again == events
    *_, report = collect(again)
    assert Report.from_json(json.loads(json.dumps(report.to_json()))) == report
    assert {r.saves for r in report.history} == {100}
    assert "keeps 100 versions in the fewest bytes" in advice(report)


def test_progress_ends_at_its_total():
    calls = []
    list(history_stream(job(ways=all_ways()[:1]), lambda done, total: calls.append((done, total))))
    assert calls[-1] == (1000, 1000)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_history_alone_needs_no_file():
    assert (HistoryJob().strings, HistoryJob().saves) == (Strings(10, 1_000_000), 100)
    BenchJob((), what="history").check()
    for what in ("codecs", "storages"):
        with pytest.raises(UsageError, match=f"The benchmark of {what} needs a FILE"):
            BenchJob((), what=what).check()
