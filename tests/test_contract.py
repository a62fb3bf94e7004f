"""What every format promises, over the whole registry: a new backend is held to this without a new line."""

from __future__ import annotations

import gc
import hashlib
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent / "perf"))
import data

from inspector import registry, values
from inspector.model import (
    Backend,
    CollectionInfo,
    DecodeError,
    Evidence,
    HoldsOneCollection,
    HoldsOneDocument,
    InspectorError,
    Promises,
    Record,
    StoreInfo,
    WritesNative,
)
from inspector.operations.check import check
from inspector.operations.convert import Job, convert
from inspector.operations.open import open_store
from inspector.progress import Cancelled, silent

ROOMS = sorted(registry.backends())
WRITERS = [name for name in ROOMS if registry.backend(name).writes and registry.backend(name).reads]
SINGLE = [name for name in WRITERS if isinstance(registry.backend(name), HoldsOneCollection | HoldsOneDocument)]
SEVERAL = [name for name in WRITERS if name not in SINGLE]
NAMED = {"history", "empty-collection"}
"""Losses that tables of any values may bring: what no values, only the shape of a store, can cause."""


class Tables:
    """A store of tables in memory: {name: {key: value}}."""

    def __init__(self, path: Path, tables: dict[str, list[tuple[str, values.Value]]]) -> None:
        self.path = path
        path.touch()
        self._tables = {name: [Record(key, value) for key, value in rows] for name, rows in tables.items()}
        self.info = StoreInfo("memory", "none", 0)
        self.collections = [CollectionInfo(name, name, "table", len(rows), 0) for name, rows in self._tables.items()]

    def load(self, name, progress):
        return self._tables[name]

    def history(self, name, progress):
        return None

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


def written(name: str, folder: Path, tables: dict[str, list[tuple[str, values.Value]]]) -> Path:
    """Write tables in a format with its default codec."""
    room = registry.backend(name)
    codec = registry.codec(room.default_codec)
    source = Tables(folder / "memory", tables)
    assert {loss.kind for loss in room.losses(source, codec, silent)} <= NAMED
    target = folder / "written"
    room.write(target, source, codec, silent)
    return target


def kept(name: str, folder: Path, tables: dict[str, list[tuple[str, values.Value]]]) -> dict[str, list]:
    """Return of *tables* what a format promises to keep, as texts."""
    room = registry.backend(name)
    source = Tables(folder / "promise", tables)
    shown = room.promised(source, silent) if isinstance(room, Promises) else source
    return {entry.name: [(r.key, r.text()) for r in shown.load(entry.name, silent)] for entry in shown.collections}


def contents(path: Path, format: str | None = None) -> dict[str, list[tuple[str, str]]]:
    with open_store(path, format=format) as store:
        return {e.label: [(r.key, r.text()) for r in store.load(e.name, silent)] for e in store.collections}


def state(path: Path) -> dict[str, object]:
    """Bytes, times and the listing of a file's folder."""
    status = path.stat()
    listing = sorted(entry.name for entry in path.parent.iterdir())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"listing": listing, "bytes": digest, "times": (status.st_mtime_ns, status.st_ctime_ns, status.st_ino)}


SAMPLE = {
    "t": [("1", {"a": 1, "é": "日本", "deep": [{"x": None}, [], {}, -0.0, 1.5, True, ""]}), ("9", {"z": "😀\x00"})]
}


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_is_complete(name):
    room = registry.backend(name)
    assert isinstance(room, Backend) or all(
        hasattr(room, member) for member in ("recognises", "open", "write", "losses", "opens_in")
    )
    assert room.id == name
    assert room.label
    assert registry.codec(room.default_codec).id in room.codecs
    assert set(room.codecs) <= set(registry.codecs())
    for codec in room.codecs:
        assert room.opens_in(registry.codec(codec))


@pytest.mark.parametrize("name", WRITERS)
def test_round_trip_keeps_values_order_and_unicode(name, tmp_path):
    found = contents(written(name, tmp_path, SAMPLE))
    (rows,) = found.values()
    assert rows == [(key, values.write(value)) for key, value in SAMPLE["t"]]


@pytest.mark.parametrize("name", SEVERAL)
def test_several_tables_and_empty_ones(name, tmp_path):
    tables = {"b": [("2", {"n": 1}), ("1", {"n": 2})], "a": [], "_default": [("1", {})]}
    assert contents(written(name, tmp_path, tables)) == kept(name, tmp_path, tables)
    assert {"b", "_default"} <= kept(name, tmp_path, tables).keys()


@pytest.mark.parametrize("name", SEVERAL)
def test_an_empty_store(name, tmp_path):
    assert contents(written(name, tmp_path, {}), name) == {}


SAFE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(st.integers(1, 10**6).map(str), st.dictionaries(st.text(), SAFE, max_size=4), max_size=4)


@pytest.mark.parametrize("name", SEVERAL)
@given(tables=st.dictionaries(st.text(min_size=1), DOCUMENTS, min_size=1, max_size=3))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_tables_survive(name, tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    rows = {table: list(documents.items()) for table, documents in tables.items()}
    path = written(name, folder, rows)
    with open_store(path, format=name) as store:
        found = {e.name: [(r.key, r.text()) for r in store.load(e.name, silent)] for e in store.collections}
    assert found == kept(name, folder, rows)


@pytest.mark.parametrize("name", SINGLE)
@given(documents=DOCUMENTS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_table_survives_in_a_file_for_one(name, documents, tmp_path_factory):
    path = written(name, tmp_path_factory.mktemp("any"), {"t": list(documents.items())})
    (found,) = contents(path).values()
    assert found == [(key, values.write(value)) for key, value in documents.items()]


@pytest.mark.parametrize("name", WRITERS)
def test_exactly_one_room_recognises_the_file_whatever_its_name(name, tmp_path):
    path = written(name, tmp_path, SAMPLE)
    for suffix in (".json", ".db", ".y", ".txt", ""):
        renamed = path.rename(tmp_path / f"odd name{suffix}")
        answers = {room: registry.backend(room).recognises(renamed, renamed.read_bytes()[:65536]) for room in ROOMS}
        assert [room for room, evidence in answers.items() if evidence] == [name]
        assert isinstance(answers[name], Evidence)
        assert all(answers[name].reasons)
        path = renamed


@pytest.mark.parametrize("name", WRITERS)
def test_looking_changes_nothing(name, tmp_path):
    path = written(name, tmp_path, SAMPLE)
    before = state(path)
    with open_store(path) as store:
        for entry in store.collections:
            list(store.load(entry.name, silent))
            history = store.history(entry.name, silent)
            if history is not None:
                assert len(history.updates) == entry.versions
                list(history.raw())
                history.at(0, silent)
        check(store)
    assert state(path) == before


@pytest.mark.parametrize("name", ROOMS)
def test_recognition_never_raises(name, tmp_path):
    room = registry.backend(name)
    for head in (b"", b"\x00", b"\xff" * 100, b"{", b'{"', b"SQLite format 3\x00", b"VERSION:2\n", b"\x05\x01" * 20):
        path = tmp_path / "head"
        path.write_bytes(head)
        room.recognises(path, head)
        room.recognises(tmp_path / "missing", head)


def sentence_or_records(path: Path, format: str | None) -> str | list[str]:
    """Return all records' texts, or the sentence that refuses; any other exception is a crash."""
    try:
        with open_store(path, format=format) as store:
            texts = [r.text() for e in store.collections for r in store.load(e.name, silent)]
            check(store)
    except (InspectorError, DecodeError) as error:
        return str(error)
    return texts


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_cut_anywhere_opens_in_part_or_is_refused_with_a_sentence(name, tmp_path):
    content = written(name, tmp_path, SAMPLE).read_bytes()
    cut = tmp_path / "cut"
    for length in {0, 1, 2, 15, 16, 31, 32, 50, 99, 100, *range(1, len(content), max(len(content) // 40, 1))}:
        cut.write_bytes(content[:length])
        for format in (None, name):
            assert sentence_or_records(cut, format) != ""


@pytest.mark.parametrize("name", WRITERS)
def test_one_changed_byte_never_crashes(name, tmp_path):
    content = written(name, tmp_path, SAMPLE).read_bytes()
    bad = tmp_path / "bad"
    for place in range(0, len(content), max(len(content) // 60, 1)):
        bad.write_bytes(content[:place] + bytes([content[place] ^ 0x41]) + content[place + 1 :])
        assert sentence_or_records(bad, name) != ""


@pytest.mark.parametrize("name", WRITERS)
def test_every_codec_of_a_format_writes_what_is_read_back(name, tmp_path):
    path = written(name, tmp_path, SAMPLE)
    for codec in registry.backend(name).codecs:
        target = tmp_path / f"coded-{codec}"
        assert convert(Job(path, target, name, codec=codec)).verified
        assert list(contents(target).values()) == list(contents(path).values())


class Gaps:
    """A progress that keeps the longest time between two calls, and can cancel."""

    def __init__(self, stop_after: float | None = None) -> None:
        self.last = time.perf_counter()
        self.started = self.last
        self.gaps: list[float] = []
        self.stop_after = stop_after

    def __call__(self, done: int, total: int | None) -> None:
        now = time.perf_counter()
        self.gaps.append(now - self.last)
        self.last = now
        if self.stop_after is not None and now - self.started > self.stop_after:
            raise Cancelled


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """A 20 MB store of each format."""
    folder = tmp_path_factory.mktemp("big")
    data.tinydb_file(folder / "tables.json", 20)
    data.ystore_file(folder / "documents.ystore.db", 20)
    made = {}
    for name in WRITERS:
        room = registry.backend(name)
        source = folder / ("documents.ystore.db" if room.keeps_history else "tables.json")
        with open_store(source) as store:
            chosen = (store.collections[0].name,) if name not in SEVERAL else ()
        made[name] = folder / f"{name}.big"
        convert(Job(source, made[name], name, collections=chosen))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_heartbeat(name, big):
    """Progress is reported often enough that the window breathes; the limit leaves room for a busy machine."""
    gaps = Gaps()
    gc.collect()
    with open_store(big[name], progress=gaps) as store:
        for entry in store.collections:
            gaps(0, None)
            store.load(entry.name, gaps)
            store.history(entry.name, gaps)
    assert len(gaps.gaps) > 10
    late = sorted(gaps.gaps)[-3:]
    assert late[0] < 0.1, f"the three longest gaps: {late}"


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_cancel_acts_within_a_second(name, big):
    gaps = Gaps(stop_after=0.02)
    target = big[name].with_name("cancelled")
    started = time.perf_counter()
    with pytest.raises(Cancelled):
        convert(Job(big[name], target, name), gaps)
    assert time.perf_counter() - started < 1.0
    assert not target.exists()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec=None)), inner, max_size=3),
    max_leaves=8,
)
NATIVE = [name for name in SEVERAL if isinstance(registry.backend(name), WritesNative)]


@pytest.mark.parametrize("name", NATIVE)
@given(documents=st.dictionaries(st.text(min_size=1), st.dictionaries(st.text(), ANYTHING, max_size=3), max_size=3))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_native_values_come_back_as_promised(name, documents, tmp_path_factory):
    folder = tmp_path_factory.mktemp("native")
    room = registry.backend(name).native()
    source = Tables(folder / "memory", {"t": list(documents.items())})
    room.write(folder / "written", source, registry.codec(room.default_codec), silent)
    ((found),) = contents(folder / "written").values()
    assert found == [(record.key, record.text()) for record in room.carried(source.load("t", silent))]
