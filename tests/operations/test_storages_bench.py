"""Storages measured through the real libraries, in child processes that cannot hang the caller."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from tinydb import JSONStorage, TinyDB

from inspector.model import InspectorError
from inspector.operations.benchmark import BenchJob, measure
from inspector.operations.benchmark_model import DataSet, Problem, StorageResult
from inspector.operations.storages_bench import StorageJob, documents_for, made_up, storages_stream
from inspector.operations.storages_work import CONTENDERS, STEPS, Contender
from inspector.progress import Cancelled


def hanging(path):
    """Open the real BetterJSONStorage whose writer dies as with an unpatched blosc2 3: close never returns."""
    from BetterJSONStorage import BetterJSONStorage

    def compress(data):
        raise ValueError("len(src) can only be a multiple of typesize (8).")

    vars(sys.modules[BetterJSONStorage.__module__])["compress"] = compress
    return TinyDB(path, access_mode="r+", storage=BetterJSONStorage), False


class Forgetful(JSONStorage):
    """Keeps nothing."""

    def write(self, data):
        pass


def forgetting(path):
    return TinyDB(path, storage=Forgetful), False


def dying(path):
    import os

    os._exit(3)


def contender(name, opener, module="tinydb"):
    return Contender(name, module, "no-such-package", opener, "")


def test_both_storages_do_all_steps():
    events = list(storages_stream(StorageJob(count=50, runs=2)))
    assert isinstance(events[0], DataSet)
    assert events[0].items == 50
    final = {(e.storage, e.step): e for e in events if isinstance(e, StorageResult)}
    assert list(final) == [(each.name, step) for each in CONTENDERS for step in STEPS]
    for result in final.values():
        assert len(result.seconds) == 2
        assert all(seconds > 0 for seconds in result.seconds)
    assert final["JSONStorage", "insert"].count == 50
    assert 0 < final["BetterJSONStorage", "close"].size < final["JSONStorage", "close"].size
    durability = " ".join(final["BetterJSONStorage", "insert"].notes)
    assert "bytes were in the file when the clock stopped" in durability
    assert not any(isinstance(e, Problem) for e in events)


def test_the_patch_is_named_where_it_was_needed():
    import blosc2

    *_, last = storages_stream(StorageJob(count=2, runs=1, contenders=CONTENDERS[1:]))
    newer = int(blosc2.__version__.split(".")[0]) >= 3
    assert any("typesize=1" in note and "BetterJSONStorage 1.3.2" in note for note in last.notes) is newer


def test_the_size_is_that_of_the_real_file(tmp_path):
    documents = made_up(20)
    with TinyDB(tmp_path / "db.json") as db:
        for document in documents:
            db.insert(dict(document))
        for turn, document in enumerate(db.all()):
            db.update({"turn": turn}, doc_ids=[document.doc_id])
    *_, last = storages_stream(StorageJob(count=20, runs=1, contenders=CONTENDERS[:1]))
    assert last.size == (tmp_path / "db.json").stat().st_size


def test_a_close_that_hangs_is_ended(capfd):
    job = StorageJob(count=3, runs=2, time_limit=4, contenders=(contender("Hanging", hanging),))
    start = time.monotonic()
    _, problem = storages_stream(job)
    assert time.monotonic() - start < 12
    assert isinstance(problem, Problem)
    assert problem.reason == "Hanging did not come back from the step close within 4 s; it was ended."
    assert "multiple of typesize" in capfd.readouterr().err


def test_a_storage_that_loses_documents_is_no_result():
    events = list(storages_stream(StorageJob(count=3, runs=1, contenders=(contender("Forgetful", forgetting),))))
    assert [type(event) for event in events] == [DataSet, Problem]
    assert "not those that were inserted" in events[1].reason


def test_a_process_that_dies_is_reported():
    events = list(storages_stream(StorageJob(count=3, runs=1, contenders=(contender("Dying", dying),))))
    assert events[1].reason == "Dying ended its process in the step init; it is not measured."


def test_a_library_that_is_not_there_is_named_with_its_pip_line():
    job = StorageJob(count=2, runs=1, contenders=(contender("Other", forgetting, module="no_such_module"),))
    _, problem = storages_stream(job)
    assert problem.subject == "Other"
    assert problem.reason.endswith("pip install no-such-package")


def test_documents_come_from_the_store_if_it_has_some(tmp_path):
    path = tmp_path / "shop.json"
    own = [{"name": "lamp", "price": 4.5}, {"name": "rug", "sizes": [1, 2]}]
    with TinyDB(path) as db:
        db.insert_multiple(own)
        db.insert({"big": 2**80})
    documents = documents_for(StorageJob(path, count=5))
    assert list(documents.items) == [*own, *own, own[0]]
    assert "repeated" in documents.data.description


def test_large_documents_are_fewer(tmp_path):
    path = tmp_path / "long.json"
    with TinyDB(path) as db:
        db.insert({"text": "x" * 100_000})
    assert len(documents_for(StorageJob(path)).items) == 19


def test_made_up_documents_are_always_the_same(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("no store")
    assert documents_for(StorageJob(path, count=7)).items == made_up(7) == made_up(9)[:7]
    assert documents_for(StorageJob(count=7)).items == made_up(7)
    with pytest.raises(InspectorError, match="does not exist"):
        documents_for(StorageJob(tmp_path / "none"))


def test_cancelling_ends_the_child(tmp_path):
    calls = []

    def progress(done, total):
        calls.append(done)
        if len(calls) > 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(storages_stream(StorageJob(count=1000, runs=1), progress))
    assert children() == []


def children():
    import multiprocessing

    return multiprocessing.active_children()


@pytest.mark.slow
def test_the_report_of_storages(tmp_path):
    path = tmp_path / "shop.json"
    with TinyDB(path) as db:
        db.insert_multiple({"name": f"item {n}"} for n in range(10))
    report = measure(BenchJob((path,), what="storages", runs=1))
    assert report.results == ()
    assert {r.storage for r in report.storages} == {"JSONStorage", "BetterJSONStorage"}
    assert {r.data for r in report.storages} == {str(path)}
    assert report.machine.libraries["tinydb"]
    assert Path(path).exists()
