"""SQLite: every record comes back, the sqlite3 module sees a table a collection, other databases are imported."""

import json
import sqlite3
from contextlib import closing

import pytest
from export_cases import hard_tables, read, texts_of, write
from hypothesis import HealthCheck, given, settings

from inspector import registry
from inspector.model import InspectorError, Record
from inspector.progress import silent


@given(tables=hard_tables)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_records_come_back(tables, tmp_path_factory):
    path = write("sqlite", tmp_path_factory.mktemp("sqlite") / "t.sqlite", tables)
    assert read("sqlite", path) == ({name: texts_of(rows) for name, rows in tables.items()}, [])
    answers = [name for name, room in registry.backends().items() if room.recognises(path, path.read_bytes()[:65536])]
    assert answers == ["sqlite"]


def test_other_programs_see_a_table_for_each_collection(tmp_path):
    rows = [Record("2", {"n": 10**30, "name": "é"}), Record("1", raw=b'{"name":  "as it was"}')]
    path = write("sqlite", tmp_path / "t.sqlite", {'it\'s "odd"': rows, "a": [], "A": [Record("\ud800", 1)]})
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master ORDER BY rowid")]
        assert names == ["inspector_collections", 'it\'s "odd"', "a", "A-2"]
        found = connection.execute('SELECT key, value FROM "it\'s ""odd""" ORDER BY rowid').fetchall()
        assert found == [("2", '{"n": ' + str(10**30) + ', "name": "\\u00e9"}'), ("1", '{"name":  "as it was"}')]
        query = 'SELECT json_extract(value, \'$.name\') FROM "it\'s ""odd""" WHERE key = \'2\''
        assert connection.execute(query).fetchone() == ("é",)
        listed = connection.execute("SELECT * FROM inspector_collections").fetchall()
        assert listed == [('it\'s "odd"', 'it\'s "odd"', "table"), ("a", "a", "table"), ("A", "A-2", "table")]
        assert [json.loads(value) for (value,) in connection.execute('SELECT value FROM "A-2"')] == [1]


def test_documents_keep_the_keys_of_their_records(tmp_path):
    path = write("sqlite", tmp_path / "t.sqlite", {"d": [Record("cells[0]", {"a": 1})]}, "document")
    with registry.backend("sqlite").open(path, registry.decoder(), silent) as store:
        assert [(entry.kind, entry.records) for entry in store.collections] == [("document", 1)]
        assert texts_of(store.load("d", silent)) == [("cells[0]", '{"a": 1}')]


def test_pages_are_read_in_any_order(tmp_path):
    rows = [Record(str(n), {"n": n}) for n in range(1000)]
    path = write("sqlite", tmp_path / "t.sqlite", {"t": rows})
    with registry.backend("sqlite").open(path, registry.decoder(), silent) as store:
        found = store.load("t", silent)
        assert [found[n].value["n"] for n in (999, 0, 256, 255, -1)] == [999, 0, 256, 255, 999]
        assert [record.key for record in found[250:260]] == [str(n) for n in range(250, 260)]
        with pytest.raises(IndexError):
            found[1000]


def test_another_programs_database_is_imported_table_by_table(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, Name TEXT, r REAL, b BLOB, g AS (id * 2));"
            "INSERT INTO t VALUES (7, 'x', 1.5, x'00ff'), (3, NULL, 9e999, NULL);"
            "CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('a', 1);"
            "CREATE VIEW v AS SELECT 1; CREATE TABLE e (x);"
        )
    assert read("sqlite", path)[0] == {
        "t": [
            ("3", '{"id": 3, "Name": null, "r": Infinity, "b": null}'),
            ("7", '{"id": 7, "Name": "x", "r": 1.5, "b": {"$bytes": "AP8="}}'),
        ],
        "w": [("1", '{"k": "a", "v": 1}')],
        "e": [],
    }


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 4000])
def test_what_is_no_database_is_one_sentence(tmp_path, content):
    path = tmp_path / "t.sqlite"
    path.write_bytes(content)
    with pytest.raises(InspectorError, match="damaged"):
        read("sqlite", path)


def test_a_changed_table_is_named(tmp_path):
    path = write("sqlite", tmp_path / "t.sqlite", {"t": [Record("1", {})]})
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE t RENAME COLUMN value TO v")
    with pytest.raises(InspectorError):
        read("sqlite", path)
