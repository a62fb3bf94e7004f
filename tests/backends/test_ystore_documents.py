"""Documents of a ystore: missing libraries, tables, labels, cancelling, unknown names."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from ystore_cases import (
    FILE,
    GOLDEN,
    NOTEBOOK,
    golden,
    jupyter_store,
    make,
    opened,
    typed,
)

from inspector import registry
from inspector.backends._crdt.crossing import table_updates
from inspector.backends._sqlite import Database
from inspector.backends.ystore import BACKEND, names
from inspector.model import Decoded, DecodeError, InspectorError, MissingLibrary, Record
from inspector.progress import Cancelled, silent


class _Without:
    """A decoder on a machine that lacks one library."""

    def decode(self, data: bytes, accepts: Any) -> Decoded:
        if data.startswith(b"\x28\xb5\x2f\xfd"):
            raise MissingLibrary("zstd needs zstandard: pip install zstandard")
        if accepts(data):
            return Decoded("none", data)
        raise DecodeError("no")


def test_a_missing_library_stops_only_the_documents_that_need_it(tmp_path: Path) -> None:
    with closing(sqlite3.connect(f"file:{golden('codec_zstd')}?mode=ro&immutable=1", uri=True)) as connection:
        (packed,) = connection.execute("SELECT yupdate FROM yupdates WHERE rowid = 1").fetchone()
    (plain,) = typed("a")
    path = make(tmp_path / "x.db", [("packed", packed, b"", 1.0), ("plain", plain, b"", 2.0)])
    with BACKEND.open(path, _Without(), silent) as store:
        assert "pip install zstandard" in store.info.findings[0].message
        assert store.load("plain", silent)[0].value == "a"
        with pytest.raises(MissingLibrary, match=r"packed in .*pip install zstandard"):
            store.load("packed", silent)


def test_crossed_tables_are_tables(tmp_path: Path) -> None:
    import zlib

    records = [Record(str(n), raw=b'{"n": %d}' % n) for n in range(3)]
    (update,) = table_updates(records, silent)
    (empty,) = table_updates([], silent)
    (document,) = typed("a")
    rows = [("t", update, b"", 1.0), ("e", empty, b"", 2.0), ("z", zlib.compress(update), b"", 3.0)]
    path = make(tmp_path / "x.db", [*rows, ("d", document, b"", 4.0)])
    with opened(path) as store:
        assert [(info.name, info.kind) for info in store.collections] == [
            ("t", "table"),
            ("e", "table"),
            ("z", "table"),
            ("d", "document"),
        ]
        assert [(record.key, record.raw) for record in store.load("t", silent)] == [
            (record.key, record.raw) for record in records
        ]


def test_labels_come_from_the_files_table(tmp_path: Path) -> None:
    with opened(jupyter_store(tmp_path)) as store:
        assert {info.label for info in store.collections} == {"analysis.ipynb", "notes.md", "données/naïve 文件.txt"}
    with opened(GOLDEN / "jupyter_1.2.1" / ".jupyter_ystore.db") as store:
        assert [info.label for info in store.collections] == ["sub/Untitled.ipynb", "notes.md"]
    with opened(golden("codec_none")) as store:
        assert store.collections[1].label == "5f0c3e1a-7d4b-4a43-9d0b-3f1f5a2f6c11 (file)"


def test_orphans_say_that_their_file_is_gone(tmp_path: Path) -> None:
    path = jupyter_store(tmp_path)
    with closing(sqlite3.connect(tmp_path / "file_id_manager.db")) as connection:
        connection.execute("DELETE FROM Files WHERE path LIKE '%notes.md'")
        connection.commit()
    with opened(path) as store:
        assert store.files_table is not None
        orphans = [info for info in store.collections if names.is_orphan(info.name, store.files_table)]
        assert [info.label for info in orphans] == [
            "24f7b38e-b4a0-496a-ad04-160f449df97c (file), no longer in file_id_manager.db"
        ]
        assert names.label_from_state(store.load(orphans[0].name, silent)) == "notes.md"
    (tmp_path / "file_id_manager.db").write_bytes(b"broken")
    with opened(path) as store:
        assert store.files_table is None


def test_cancelling_stops_and_leaves_nothing(tmp_path: Path) -> None:
    def stop(done: int, total: int | None) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        BACKEND.open(golden("codec_none"), registry.decoder(), stop)
    with opened(golden("codec_none")) as store, pytest.raises(Cancelled):
        store.load(FILE, stop)


@pytest.mark.parametrize("reason", [Cancelled, KeyboardInterrupt])
def test_what_stops_sqlite_arrives_as_itself(reason: type[BaseException]) -> None:
    def stop(done: int, total: int | None) -> None:
        raise reason

    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with (
        Database(golden("codec_none")) as database,
        pytest.raises(reason),
        database.connect(stop) as connection,
    ):
        connection.execute(endless)


def test_an_unknown_document_is_a_sentence() -> None:
    with opened(golden("codec_none")) as store, pytest.raises(InspectorError, match="holds no document 'nothing'"):
        store.load("nothing", silent)


def test_history_and_state_agree() -> None:
    with opened(golden("codec_brotli")) as store:
        history = store.history(NOTEBOOK, silent)
        assert len(history.updates) == 96
        last = history.at(96, silent)
        assert [(one.key, one.text()) for one in last] == [
            (one.key, one.text()) for one in store.load(NOTEBOOK, silent)
        ]
        assert [one.blob for one in history.raw()] == [one.blob for one in store.stored_updates(NOTEBOOK)]
