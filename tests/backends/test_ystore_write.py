"""What is written opens in the real pycrdt-store, and carries every byte of every update."""

import math
import os
import sqlite3
import struct
import threading
from contextlib import closing
from pathlib import Path

import anyio
import pycrdt
import pytest
from crdt_cases import GOLDEN, MemoryStore, Session, logged, rows, shown
from pycrdt.store import FileYStore, SQLiteYStore

from inspector import registry
from inspector.backends import yfile
from inspector.backends._crdt import content, writing
from inspector.backends._crdt.updates import parse
from inspector.backends._crdt.writing import write_yfile
from inspector.backends.ystore import BACKEND
from inspector.backends.ystore.writer import path_value, write_ystore
from inspector.model import InspectorError, Record, Stored
from inspector.progress import Cancelled, silent

NONE = registry.codec("none")
SPECS = ("none", "zlib", "gzip", "bz2", "lzma", "lz4", "lz4:container=block", "zstd", "brotli", "blosc2")


@pytest.fixture
def source(tmp_path: Path) -> MemoryStore:
    one, two = Session(1).play(120), Session(2).play(5)
    (tmp_path / "source").write_bytes(b"")
    os.utime(tmp_path / "source", (1_600_000_000, 1_600_000_000.5))
    return MemoryStore(tmp_path / "source", {"b": rows(one, "b"), "a": rows(two, "a", start=5.5)})


def written(path: Path) -> list[tuple]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT path, yupdate, metadata, timestamp FROM yupdates ORDER BY rowid").fetchall()


def schema(path: Path) -> list:
    with closing(sqlite3.connect(path)) as connection:
        pragmas = ("user_version", "auto_vacuum", "page_size", "journal_mode", "encoding", "application_id")
        found = [connection.execute(f"PRAGMA {name}").fetchone() for name in pragmas]
        tables = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").fetchall()
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [*found, *tables, connection.execute("SELECT count(*) FROM ycheckpoints").fetchone()]


def test_file_is_what_pycrdt_store_creates(source: MemoryStore, tmp_path: Path) -> None:
    class Real(SQLiteYStore):
        db_path = str(tmp_path / "real.db")

    async def create() -> None:
        async with Real("b"):
            await anyio.sleep(0.3)

    anyio.run(create)
    write_ystore(tmp_path / "ours.db", source, NONE, silent)
    assert schema(tmp_path / "ours.db") == schema(tmp_path / "real.db")
    assert sorted(path.name for path in tmp_path.glob("ours*")) == ["ours.db"]


def test_rows_are_carried_byte_for_byte(source: MemoryStore, tmp_path: Path) -> None:
    write_ystore(tmp_path / "ours.db", source, NONE, silent)
    assert written(tmp_path / "ours.db") == [
        (name, row.data, row.metadata, row.time) for name in "ba" for row in source.history(name, silent).raw()
    ]


def test_real_store_reads_the_documents(source: MemoryStore, tmp_path: Path) -> None:
    class Real(SQLiteYStore):
        db_path = str(tmp_path / "ours.db")

    async def load(name: str) -> pycrdt.Doc:
        doc: pycrdt.Doc = pycrdt.Doc()
        async with Real(name) as store:
            await store.apply_updates(doc)
            await store.write(b"\x00\x00")
        return doc

    write_ystore(tmp_path / "ours.db", source, NONE, silent)
    for name in "ab":
        history = source.history(name, silent)
        roots = content.evidence(parse(row.data) for row in history.raw())
        doc = anyio.run(load, name)
        assert shown(content.records(doc, roots)) == shown(history.at(len(history.updates), silent))
    assert written(tmp_path / "ours.db")[-1][1] == b"\x00\x00"


@pytest.mark.parametrize("spec", SPECS)
def test_every_codec_reads_back(source: MemoryStore, tmp_path: Path, spec: str) -> None:
    codec = registry.codec(spec)
    write_ystore(tmp_path / "ours.db", source, codec, silent)
    stored = written(tmp_path / "ours.db")
    wanted = [row for name in "ba" for row in source.history(name, silent).raw()]
    assert len(stored) == len(wanted)
    smaller = 0
    for (_, blob, _, time), row in zip(stored, wanted, strict=True):
        coded = codec.encode(row.data)
        assert blob == (coded if len(coded) < len(row.data) else row.data)
        assert time == row.time
        smaller += len(coded) < len(row.data)
    with BACKEND.open(tmp_path / "ours.db", registry.decoder(), silent) as store:
        got = [row for info in store.collections for row in store.history(info.name, silent).raw()]
    assert [row.data for row in got] == [row.data for row in wanted]


def test_large_rows_are_compressed(tmp_path: Path) -> None:
    (update,) = logged(lambda doc: doc.__setitem__("t", pycrdt.Text("text " * 100_000)))
    source = MemoryStore(tmp_path, {"d": rows([update] * 9)})
    write_ystore(tmp_path / "ours.db", source, registry.codec("zstd"), silent)
    assert (tmp_path / "ours.db").stat().st_size < 100_000
    assert [registry.codec("zstd").decode(row[1], 1 << 30) for row in written(tmp_path / "ours.db")] == [update] * 9


def test_damaged_rows_nulls_and_metadata_are_carried(tmp_path: Path) -> None:
    (update,) = logged(lambda doc: doc.__setitem__("t", pycrdt.Text("x" * 500)))
    stored = [
        Stored("d", update, update, "none", 1.0, None, 1),
        Stored("d", b"\xff junk", None, "none", 2.0, b"by bob", 2),
        Stored("d", None, None, "none", 3.0, b"", 3),
        Stored("d", b"", None, "none", math.pi, b"\x00\xff", 4),
    ]
    source = MemoryStore(tmp_path, {"d": stored})
    codec = registry.codec("zlib")
    write_ystore(tmp_path / "ours.db", source, codec, silent)
    assert written(tmp_path / "ours.db") == [
        ("d", codec.encode(update), None, 1.0),
        ("d", b"\xff junk", b"by bob", 2.0),
        ("d", None, b"", 3.0),
        ("d", b"", b"\x00\xff", math.pi),
    ]


def test_missing_times(source: MemoryStore, tmp_path: Path) -> None:
    def times(*given: float | None) -> list[float]:
        stored = [Stored("d", b"\0\0", b"\0\0", "none", time, b"", n) for n, time in enumerate(given)]
        store = MemoryStore(source.path, {"d": stored})
        return [row.time for info in store.collections for row in writing.stored_updates(store, info, silent)]

    assert times(None, None) == [1_600_000_000.5] * 2
    assert times(None, 5.0, None, math.nan, 7.0) == [5.0, 5.0, 5.0, 5.0, 7.0]


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("plain", b"plain"),
        ("", b""),
        ("nul\0inside", b"nul\0inside"),
        ("数据 🎉", "数据 🎉".encode()),
        ("caf\udce9", b"caf\xe9"),
        ("high\ud800", "high\ufffd".encode()),
    ],
)
def test_names(tmp_path: Path, name: str, stored: bytes) -> None:
    write_ystore(tmp_path / "ours.db", MemoryStore(tmp_path, {name: rows([b"\0\0"])}), NONE, silent)
    with closing(sqlite3.connect(tmp_path / "ours.db")) as connection:
        connection.text_factory = bytes
        assert connection.execute("SELECT path, typeof(path) FROM yupdates").fetchone() == (stored, b"text")
    assert path_value("plain") == "plain"


def test_tables_become_documents(tmp_path: Path) -> None:
    table = [Record("1", raw=b'{"a": NaN}'), Record("9", raw=b'{"b": 1.0}')]
    (tmp_path / "source").write_bytes(b"")
    source = MemoryStore(tmp_path / "source", {}, {"people": table, "none": []})
    write_ystore(tmp_path / "ours.db", source, NONE, silent)
    with BACKEND.open(tmp_path / "ours.db", registry.decoder(), silent) as store:
        assert [(info.name, info.kind) for info in store.collections] == [("people", "table"), ("none", "table")]
        assert [(r.key, r.raw) for r in store.load("people", silent)] == [(r.key, r.raw) for r in table]
        assert store.load("none", silent) == []
        assert store.history("people", silent).updates[0].time == source.path.stat().st_mtime
        write_ystore(tmp_path / "again.db", store, NONE, silent)
    assert written(tmp_path / "again.db") == written(tmp_path / "ours.db")


def test_native_tables(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"")
    source = MemoryStore(tmp_path / "source", {}, {"people": [Record("1", {"name": "Ada"})]})
    write_ystore(tmp_path / "ours.db", source, NONE, silent, writing.NATIVE)
    with BACKEND.open(tmp_path / "ours.db", registry.decoder(), silent) as store:
        assert [info.kind for info in store.collections] == ["document"]
        assert shown(store.load("people", silent)) == [("records.1", '{"name": "Ada"}')]


def test_no_documents(tmp_path: Path) -> None:
    write_ystore(tmp_path / "ours.db", MemoryStore(tmp_path, {}), NONE, silent)
    assert written(tmp_path / "ours.db") == []
    write_yfile(tmp_path / "ours.y", MemoryStore(tmp_path, {}), NONE, silent)
    assert (tmp_path / "ours.y").read_bytes() == b"VERSION:2\n"


def test_cancelling_while_a_long_row_is_encoded_ends_the_threads(tmp_path: Path) -> None:
    text = os.urandom(1_000_000).hex()
    (update,) = logged(lambda doc: doc.__setitem__("t", pycrdt.Text(text)))
    source = MemoryStore(tmp_path, {"d": rows([update])})
    before = threading.active_count()
    threads: list[int] = []

    def stop(done: int, total: int | None) -> None:
        threads.append(threading.active_count() - before)
        if threads[-1]:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_ystore(tmp_path / "ours.db", source, registry.codec("bz2"), stop)
    assert threads[-1] > 0
    assert threading.active_count() == before


def test_progress_grows_to_the_whole(source: MemoryStore, tmp_path: Path) -> None:
    calls: list[tuple[int, int | None]] = []
    write_ystore(tmp_path / "ours.db", source, registry.codec("zlib"), lambda *call: calls.append(call))
    done = [call[0] for call in calls]
    assert done == sorted(done)
    assert calls[-1] == (1000, 1000)


def test_sentence_where_sqlite_refuses(tmp_path: Path, source: MemoryStore) -> None:
    (tmp_path / "ours.db").write_bytes(b"not a database, and longer than a header" * 10)
    with pytest.raises(InspectorError, match=r"source cannot be written as a ystore"):
        write_ystore(tmp_path / "ours.db", source, NONE, silent)


def test_yfile_bytes(tmp_path: Path) -> None:
    stored = [
        Stored("d", b"\x00\x00", b"\x00\x00", "none", 1.5, b"bob", 1),
        Stored("d", b"\xff" * 200, None, "none", 2.5, None, 2),
    ]
    write_yfile(tmp_path / "ours.y", MemoryStore(tmp_path, {"d": stored}), NONE, silent)
    assert (tmp_path / "ours.y").read_bytes() == (
        b"VERSION:2\n"
        + b"\x02\x00\x00\x03bob\x08"
        + struct.pack("<d", 1.5)
        + b"\xc8\x01"
        + b"\xff" * 200
        + b"\x00\x08"
        + struct.pack("<d", 2.5)
    )


def test_real_file_store_reads_a_yfile(source: MemoryStore, tmp_path: Path) -> None:
    one = MemoryStore(source.path, {"b": list(source.history("b", silent).raw())})
    write_yfile(tmp_path / "ours.y", one, NONE, silent)

    async def load() -> list[tuple]:
        async with FileYStore(str(tmp_path / "ours.y")) as store:
            return [item async for item in store.read()]

    assert anyio.run(load) == [(row.data, row.metadata, row.time) for row in one.history("b", silent).raw()]


def test_ystore_to_yfile_and_back_keeps_every_byte(tmp_path: Path) -> None:
    with BACKEND.open(GOLDEN / "shuffled_rows.ystore.db", registry.decoder(), silent) as store:
        wanted = [(row.data, row.metadata, row.time) for row in store.history(store.collections[0].name, silent).raw()]
        write_yfile(tmp_path / "one.y", store, NONE, silent)
    with yfile.BACKEND.open(tmp_path / "one.y", registry.decoder(), silent) as store:
        write_ystore(tmp_path / "back.db", store, NONE, silent)
    assert [row[1:] for row in written(tmp_path / "back.db")] == wanted


def test_yfile_holds_one_plain_document(source: MemoryStore, tmp_path: Path) -> None:
    for refused in (
        lambda: write_yfile(tmp_path / "ours.y", source, NONE, silent),
        lambda: writing.losses(source, silent, one_document=True),
    ):
        with pytest.raises(InspectorError, match=r"one document and source has 2; choose one with -c NAME"):
            refused()
    one = MemoryStore(source.path, {"d": rows([b"\0\0"])})
    assert writing.losses(one, silent, one_document=True) == ()
    with pytest.raises(InspectorError, match="zlib cannot be used"):
        write_yfile(tmp_path / "ours.y", one, registry.codec("zlib"), silent)


def test_table_in_a_yfile(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"")
    source = MemoryStore(tmp_path / "source", {}, {"people": [Record("1", raw=b'{"a": NaN}')]})
    write_yfile(tmp_path / "people.y", source, NONE, silent)
    with yfile.BACKEND.open(tmp_path / "people.y", registry.decoder(), silent) as store:
        assert [(r.key, r.raw) for r in store.load("people", silent)] == [("1", b'{"a": NaN}')]
