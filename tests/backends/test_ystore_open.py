"""Opening ystores: every generation and codec, odd rows and paths, damage, and the promise to change nothing."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from ystore_cases import (
    FILE,
    GOLDEN,
    NEWEST,
    NOTEBOOK,
    codes,
    copied,
    golden,
    jupyter_store,
    make,
    opened,
    recognised,
    replayed_text,
    snapshot,
    typed,
    updates_of,
)

from inspector.backends._crdt import times
from inspector.backends.ystore import BACKEND
from inspector.model import InspectorError, StoreChanged
from inspector.progress import silent

GENERATIONS = [
    ("ypy-websocket-0.1.13", "ypy-websocket 0.1.10–0.1.13", 12, {"schema-version", "times-invented"}),
    ("ypy-websocket-0.2.0", "ypy-websocket 0.2–0.4", 12, {"schema-version", "times-invented"}),
    ("ypy-websocket-0.5.0", "ypy-websocket 0.5", 12, {"schema-version", "times-invented"}),
    ("ypy-websocket-0.7.2", "ypy-websocket 0.7", 12, {"schema-version"}),
    (
        "ypy-websocket-0.12.4",
        "ypy-websocket 0.8–0.12, pycrdt-websocket 0.12–0.15 or pycrdt-store 0.1.0",
        12,
        {"missing-checkpoints-table"},
    ),
    (
        "pycrdt-websocket-0.12.4",
        "ypy-websocket 0.8–0.12, pycrdt-websocket 0.12–0.15 or pycrdt-store 0.1.0",
        19,
        {"missing-checkpoints-table"},
    ),
    ("pycrdt-store-0.1.2", "pycrdt-store 0.1.1–0.1.2", 12, {"missing-checkpoints-table"}),
    ("pycrdt-store-0.1.5", "pycrdt-store 0.1.3–0.1.5", 12, set()),
]


@pytest.mark.parametrize(("name", "maker", "updates", "findings"), GENERATIONS)
def test_every_generation(name: str, maker: str, updates: int, findings: set[str]) -> None:
    path = GOLDEN / "versions" / f"{name}.ystore.db"
    assert recognised(path)
    with opened(path) as store:
        assert store.info.maker == maker
        assert set(codes(store.info.findings)) == findings
        assert [info.name for info in store.collections] == [".notebook:Untitled.ipynb.y", FILE]
        assert sum(info.versions or 0 for info in store.collections) == updates
        assert store.collections[0].label == "Untitled.ipynb"
        stored = store.stored_updates(".notebook:Untitled.ipynb.y")
        assert replayed_text(stored) == "# head\nprint('hello')\ny = 2\n"
        for info in store.collections:
            rows = store.stored_updates(info.name)
            assert len(rows) == info.versions
            assert all(one.data for one in rows)
            assert info.stored_bytes == sum(len(one.blob or b"") for one in rows)
            seen = [one.time for one in rows if one.time is not None]
            assert (info.first, info.last) == (min(seen, default=None), max(seen, default=None))


CODECS = [
    ("blosc2", "blosc2"),
    ("brotli", "brotli"),
    ("lz4block", "lz4:container=block"),
    ("lz4frame", "lz4"),
    ("lzma_xz", "lzma"),
    ("numcodecs_blosc_zstd5", "blosc2"),
    ("zlib", "zlib"),
    ("zlib9", "zlib"),
    ("zstd", "zstd"),
]


@pytest.mark.parametrize(("name", "spec"), CODECS)
def test_every_codec_gives_the_plain_updates(name: str, spec: str) -> None:
    assert updates_of(golden(f"codec_{name}")) == updates_of(golden("codec_none"))
    with opened(golden(f"codec_{name}")) as store:
        assert store.info.codec == spec
        assert codes(store.info.findings) == ["compressed-rows"]
        assert store.info.decoded_size is None


def test_a_plain_store_has_no_codec_and_no_finding() -> None:
    with opened(golden("codec_none")) as store:
        assert (store.info.codec, store.info.findings) == ("none", ())
        assert store.info.decoded_size == sum(info.stored_bytes for info in store.collections)
        assert store.info.size == golden("codec_none").stat().st_size


def test_mixed_codecs() -> None:
    with opened(golden("mixed_codecs")) as store:
        assert store.info.codec == "mixed"
        found = Counter(one.codec for one in store.stored_updates(NOTEBOOK))
    assert found == {"none": 72, "zstd": 6, "zlib": 6, "lz4": 6, "brotli": 6}
    with opened(golden("mixed_plain_then_zstd")) as store:
        assert store.info.codec == "zstd"


def test_a_large_store_is_sampled_and_still_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.backends.ystore.survey.DECODE_ALL_ROWS", 10)
    monkeypatch.setattr("inspector.backends.ystore.survey._SPREAD", 3)
    with opened(golden("mixed_codecs")) as store:
        assert store.info.codec == "mixed"
    with opened(golden("codec_brotli")) as store:
        assert store.info.codec == "brotli"


def test_undecodable_and_empty_rows_are_damaged_updates() -> None:
    with opened(golden("empty_and_null_rows")) as store:
        stored = store.stored_updates(FILE)
        assert [index for index, one in enumerate(stored, 1) if one.data is None] == [17, 18, 19]
        assert [one.blob for one in stored[16:]] == [None, b"", b"text not blob"]
        assert stored[16].metadata is None
        (finding,) = store.info.findings
        assert (finding.code, finding.severity, finding.where) == ("empty-rows", "info", FILE)
    with opened(golden("zlib_row_damaged")) as store:
        assert [one.rowid for one in store.stored_updates(NOTEBOOK) if one.data is None] == [5]


def test_sync_messages_give_the_update_inside() -> None:
    assert updates_of(golden("sync_prefixed_messages"))[FILE] == updates_of(golden("no_checkpoint_table"))[FILE]
    with opened(golden("sync_prefixed_messages")) as store:
        assert codes(store.info.findings) == ["sync-prefixed"]


def test_exact_paths() -> None:
    with opened(golden("unicode_paths")) as store:
        found = [info.name for info in store.collections]
        assert {"", "nul\0inside", "a/../../etc/passwd", "path with 'quote\" and ; -- sql"} <= set(found)
        assert {"caf\u00e9.ipynb", "cafe\u0301.ipynb"} <= set(found)
        assert any(len(name) == 3000 for name in found)
        for name in found:
            assert len(store.stored_updates(name)) == 5


def test_paths_that_are_no_text(tmp_path: Path) -> None:
    (update,) = typed("a")
    path = tmp_path / "x.db"
    values = [b"ab\xff", None, "x'6162ff'", 7]
    make(
        path,
        [(value, update, b"", 1.0) for value in values],
        ["CREATE TABLE yupdates (path, yupdate, metadata, timestamp)"],
    )
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO yupdates VALUES (CAST(x'c328ff' AS TEXT), ?, '', 2.0)", (update,))
        connection.commit()
    with opened(path) as store:
        found = [info.name for info in store.collections]
        assert found == ["x'6162ff'", "NULL", "x'6162ff' (2)", "7", "\udcc3(\udcff"]
        for name in found:
            assert [one.data for one in store.stored_updates(name)] == [update]


def test_order_is_that_of_time_then_rowid(tmp_path: Path) -> None:
    updates = typed("a", "b", "c", "d")
    rows = [("doc", update, b"", moment) for update, moment in zip(updates, (2.0, 1.0, 2.0, 1.5), strict=True)]
    with opened(make(tmp_path / "x.db", rows)) as store:
        assert [one.rowid for one in store.stored_updates("doc")] == [2, 4, 1, 3]
        (info,) = store.collections
        assert (info.first, info.last) == (1.0, 2.0)


def test_documents_are_in_order_of_first_appearance(tmp_path: Path) -> None:
    (update,) = typed("a")
    rows = [(name, update, b"", 9.0 - n) for n, name in enumerate(("z", "a", "z", "m", "a"))]
    with opened(make(tmp_path / "x.db", rows)) as store:
        assert [(info.name, info.versions) for info in store.collections] == [("z", 2), ("a", 2), ("m", 1)]


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (1750000000.25, 1750000000.25),
        (1750000000, 1750000000.0),
        ("2026-11-30 18:15:41.303836", 1796062541.303836),
        ("2026-11-30T18:15:41", 1796062541.0),
        ("2026-11-30T20:15:41.5+02:00", 1796062541.5),
        (b"2022-01-02T03:04:05.000006", 1641092645.000006),
        (float("inf"), None),
        (1e300, None),
        ("yesterday", None),
        ("2026-13-45 99:99:99", None),
        (b"", None),
        (None, None),
    ],
)
def test_times_of_all_forms(stored: Any, expected: float | None) -> None:
    assert times.seconds(stored) == expected


def test_text_times_and_times_in_metadata(tmp_path: Path) -> None:
    first, second = typed("a", "b")
    schema = ["CREATE TABLE yupdates (path TEXT, yupdate BLOB, metadata BLOB, timestamp TEXT)"]
    rows = [("d", first, b"", "2026-11-30 18:15:41.303836"), ("d", second, b"", "2026-11-30 18:15:40")]
    with opened(make(tmp_path / "six.db", rows, schema)) as store:
        assert store.info.maker == "ypy-websocket 0.6"
        assert [one.time for one in store.stored_updates("d")] == [1796062540.0, 1796062541.303836]
        assert (store.collections[0].first, store.collections[0].last) == (1796062540.0, 1796062541.303836)
    schema = ["CREATE TABLE yupdates (path TEXT, yupdate BLOB)"]
    stamp = b"2022-01-02T03:04:05.000006"
    rows = [("d", value, None, None) for value in (first, stamp, second, stamp)]
    with opened(make(tmp_path / "two.db", rows, schema, columns=2)) as store:
        assert [(one.data, one.metadata, one.time) for one in store.stored_updates("d")] == [
            (first, stamp, 1641092645.000006),
            (second, stamp, 1641092645.000006),
        ]
        assert codes(store.info.findings) == ["schema-version"]


def test_interleaved_pairs_are_told_by_validity(tmp_path: Path) -> None:
    first, second, third = typed("a", "b", "c")
    schema = ["CREATE TABLE yupdates (path TEXT, yupdate BLOB)"]
    rows = [("d", value, None, None) for value in (first, second, b"m1", b"m2", third, b"m3")]
    with opened(make(tmp_path / "x.db", rows, schema, columns=2)) as store:
        assert store.collections[0].versions == 3
        assert [(one.data, one.metadata) for one in store.stored_updates("d")] == [
            (first, b"m1"),
            (second, b"m2"),
            (third, b"m3"),
        ]


def test_other_versions_extra_tables_and_columns(tmp_path: Path) -> None:
    (update,) = typed("a")
    schema = [
        'CREATE TABLE "YUpdates" (id INTEGER PRIMARY KEY, x, path TEXT, yupdate BLOB, metadata BLOB, timestamp REAL)',
        "CREATE TABLE other (a)",
        "CREATE VIEW ycheckpoints AS SELECT 1 AS path, 2 AS checkpoint, 3 AS timestamp",
        "PRAGMA user_version = 3",
    ]
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in schema:
            connection.execute(statement)
        connection.execute("INSERT INTO yupdates VALUES (5, 'e', 'd', ?, '', 1.0)", (update,))
    assert recognised(path)
    with opened(path) as store:
        assert codes(store.info.findings) == ["schema-version"]
        assert "x(1).db" in store.info.findings[0].message
        assert store.info.maker is None
        assert not store.layout.checkpoints
        assert [one.rowid for one in store.stored_updates("d")] == [5]


@pytest.mark.parametrize(
    ("schema", "clause"),
    [
        (["CREATE VIEW yupdates AS SELECT 'p' AS path, x'0000' AS yupdate"], "a SQLite database without tables"),
        (["CREATE TABLE yupdates (a)"], "a SQLite database of another program (table yupdates)"),
        (["CREATE TABLE b (x)", "CREATE TABLE a (x)"], "a SQLite database of another program (tables b, a)"),
        (
            ['CREATE TABLE "documents" ("name" varchar(255) NOT NULL, "data" blob NOT NULL, UNIQUE(name))'],
            "a SQLite database of another program (table documents, as hocuspocus writes it)",
        ),
        (
            ["CREATE TABLE yupdates (path TEXT, yupdate BLOB AS (zeroblob(1000000)), metadata BLOB)"],
            "a SQLite database of another program (table yupdates)",
        ),
    ],
)
def test_foreign_databases_are_named(tmp_path: Path, schema: list[str], clause: str) -> None:
    path = tmp_path / "foreign.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in schema:
            connection.execute(statement)
    head = path.read_bytes()[:65536]
    assert BACKEND.explain(path, head) == clause
    with pytest.raises(InspectorError, match="not a ystore"):
        opened(path)
    if "yupdates (" not in schema[0]:
        assert not recognised(path)


def test_files_that_are_no_database(tmp_path: Path) -> None:
    assert not recognised(golden("zero_length"))
    assert BACKEND.explain(golden("zero_length"), b"") == "an empty file"
    cut = golden("truncated_header_only")
    assert not recognised(cut)
    assert BACKEND.explain(cut, cut.read_bytes()) == "a SQLite database that is cut off after 100 bytes"
    with pytest.raises(InspectorError, match="damaged and no update"):
        opened(cut)
    text = tmp_path / "x.db"
    text.write_text("CREATE TABLE yupdates")
    assert not recognised(text)
    assert BACKEND.explain(text, text.read_bytes()) is None


def test_zero_rows() -> None:
    assert recognised(golden("zero_rows"))
    with opened(golden("zero_rows")) as store:
        assert (list(store.collections), store.info.codec, store.info.findings) == ([], "none", ())


def test_wal_and_hot_journal_are_read_whole(tmp_path: Path) -> None:
    with opened(copied("wal_uncheckpointed", tmp_path)) as store:
        assert [info.versions for info in store.collections] == [14]
    with opened(copied("hot_journal", tmp_path)) as store:
        assert [info.versions for info in store.collections] == [96]
        assert all(one.data for one in store.stored_updates(NOTEBOOK))


def test_a_link_to_a_store_is_read_with_the_side_files_of_the_store(tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(copied("wal_uncheckpointed", tmp_path))
    with opened(link) as store:
        assert [info.versions for info in store.collections] == [14]
    assert [path.name for path in link.parent.iterdir()] == ["link.db"]


def test_tables_only_in_the_wal_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    (update,) = typed("a")
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        for statement in NEWEST:
            writer.execute(statement)
        writer.execute("INSERT INTO yupdates VALUES ('d', ?, '', 1.0)", (update,))
        assert recognised(path)
        with opened(path) as store:
            assert [one.data for one in store.stored_updates("d")] == [update]


def test_super_journal_of_a_crafted_journal_is_left_alone(tmp_path: Path) -> None:
    path = copied("hot_journal", tmp_path)
    victim = tmp_path / "victim"
    victim.write_bytes(b"/nowhere/child-journal\0")
    name = os.fsencode(victim)
    journal = path.with_name(path.name + "-journal")
    checksum = sum(int.from_bytes(bytes([byte]), signed=True) for byte in name) & 0xFFFFFFFF
    tail = b"\0\x10\0\0" + name + len(name).to_bytes(4) + checksum.to_bytes(4) + bytes.fromhex("d9d505f920a163d7")
    journal.write_bytes(journal.read_bytes() + tail)
    with opened(path) as store:
        assert [info.versions for info in store.collections] == [96]
    assert victim.exists()


def _plain(folder: Path) -> Path:
    return copied("codec_none", folder)


def _wal(folder: Path) -> Path:
    return copied("wal_uncheckpointed", folder)


def _hot(folder: Path) -> Path:
    return copied("hot_journal", folder)


def _truncated(folder: Path) -> Path:
    return copied("truncated_60pct", folder)


def _wal_mode_without_sides(folder: Path) -> Path:
    path = copied("codec_none", folder)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert path.read_bytes()[18:20] == b"\2\2"
    assert not path.with_name(path.name + "-wal").exists()
    return path


@pytest.mark.parametrize("prepare", [_plain, _wal, _hot, _truncated, _wal_mode_without_sides, jupyter_store])
def test_nothing_changes_by_looking(tmp_path: Path, prepare: Any) -> None:
    path = prepare(tmp_path)
    for file in tmp_path.iterdir():
        os.utime(file, (1_600_000_000, 1_700_000_000))  # an access time before mtime: any plain read would move it
    before = snapshot(tmp_path)
    assert recognised_quietly(path)
    with opened(path) as store:
        for info in store.collections:
            store.stored_updates(info.name)
        list(BACKEND.check(store, silent))
        assert snapshot(tmp_path) == before
    assert snapshot(tmp_path) == before
    assert not any(
        os.path.realpath(f"/proc/self/fd/{fd}").startswith(str(tmp_path)) for fd in os.listdir("/proc/self/fd")
    )


def recognised_quietly(path: Path) -> bool:
    handle = os.open(path, os.O_RDONLY | os.O_NOATIME)
    with os.fdopen(handle, "rb") as file:
        return BACKEND.recognises(path, file.read(65536)) is not None


def test_in_place_where_that_moves_nothing(tmp_path: Path) -> None:
    path = _plain(tmp_path)
    now = time.time()
    os.utime(path, (now + 1, now - 100))
    with opened(path) as store:
        assert store.database.readable == path
        assert sum(info.versions or 0 for info in store.collections) == 110
        with closing(sqlite3.connect(path)) as writer:
            writer.execute("DELETE FROM yupdates WHERE rowid = 1")
            writer.commit()
        with pytest.raises(StoreChanged, match="open it again"):
            store.stored_updates(FILE)


def test_a_locked_store_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.backends._sqlite._BUSY_SECONDS", 0.05)
    path = _plain(tmp_path)
    os.utime(path, (time.time() + 1, time.time() - 100))
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InspectorError, match="is locked by"):
            opened(path)


def test_a_table_without_rowids_is_refused_in_a_sentence(tmp_path: Path) -> None:
    schema = NEWEST[0][:-1] + ", PRIMARY KEY (path, timestamp)) WITHOUT ROWID"
    path = make(tmp_path / "d.ystore.db", [("d", typed("text")[0], b"", 1.0)], [schema, *NEWEST[2:]])
    assert recognised(path)
    with pytest.raises(InspectorError, match="in a table WITHOUT ROWID"):
        opened(path)
