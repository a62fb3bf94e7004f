"""Saving a table again and again: every state is a version that our reader and the real library show."""

import sqlite3

import anyio
import pytest
from pycrdt import Array, Doc
from pycrdt.store import SQLiteYStore

from inspector import registry
from inspector.model import Record, SavesVersions
from inspector.operations.open import open_store
from inspector.progress import silent

SAVERS = [room.id for room in registry.backends().values() if isinstance(room, SavesVersions)]


def record(key, text):
    return Record(key, raw=text.encode())


def states():
    """Yield states of a table: made, changed, grown, shrunk, in another order, emptied and filled again."""
    a, b, c = record("a", "[1, 2]"), record("b", '"two"'), record("ü", '{"x": 1.50}')
    yield [a, b, c]
    changed = record("b", '"three"')
    yield [a, changed, c]
    d = record("d", "null")
    yield [a, changed, c, d]
    yield [a, c, d]
    yield [d, a, c]
    yield [record("new", "0"), d, c]
    yield []
    yield [c]


def shown(records):
    return [(each.key, each.raw) for each in records]


@pytest.mark.parametrize("room", SAVERS)
def test_every_saved_state_is_a_version(tmp_path, room):
    path = tmp_path / "store"
    saver = registry.backend(room).saver(path)
    for state in states():
        saver.save(state)
    saver.close()
    with open_store(path) as store:
        (info,) = store.collections
        history = store.history(info.name, silent)
        found = [shown(history.at(n, silent)) for n in range(1, len(history.updates) + 1)]
        assert found == [shown(state) for state in states()]
        assert shown(store.load(info.name, silent)) == found[-1]


@pytest.mark.parametrize("room", SAVERS)
def test_a_state_that_did_not_change_is_no_version(tmp_path, room):
    path = tmp_path / "store"
    saver = registry.backend(room).saver(path)
    saver.save([record("a", "1"), record("b", "2")])
    saver.save([record("a", "1"), record("b", "2")])
    saver.close()
    with open_store(path) as store:
        assert len(store.history(store.collections[0].name, silent).updates) == 1


def test_the_real_library_reads_a_saved_ystore(tmp_path):
    path = tmp_path / "x.ystore.db"
    saver = registry.backend("ystore").saver(path)
    for state in states():
        saver.save(state)
    saver.close()
    with sqlite3.connect(path) as connection:
        ((name,),) = connection.execute("SELECT DISTINCT path FROM yupdates")
    connection.close()
    doc = Doc()

    class Store(SQLiteYStore):
        db_path = str(path)

    async def read():
        async with Store(name) as store:
            await store.apply_updates(doc)

    anyio.run(read)
    assert doc.get("records", type=Array).to_py() == [["ü", '{"x": 1.50}']]


def test_a_large_table_is_one_update(tmp_path):
    path = tmp_path / "x.ystore.db"
    saver = registry.backend("ystore").saver(path)
    records = [record(str(n), f'"{"x" * 300_000}{n}"') for n in range(10)]
    saver.save(records)
    records[4] = record("4", '"short"')
    saver.save(records)
    saver.close()
    with open_store(path) as store:
        first, second = store.history("table", silent).updates
        assert first.size > 3_000_000
        assert second.size < 100
        assert shown(store.load("table", silent)) == shown(records)
