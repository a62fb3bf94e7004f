"""Stores in memory with values that are hard to carry, for the formats that other programs read."""

from pathlib import Path

from hypothesis import strategies as st
from table_cases import ids, members, texts

from inspector import registry
from inspector.model import CollectionInfo, Promises, Record, StoreInfo
from inspector.progress import silent
from inspector.values import NumberText, RepeatedKeys

SIGNS = ["=", "+", "-", "@", "\t", "\r", "\n", "'", "''", "'=", '"', "{", "[", "$", "\ufeff"]
TEXTS = ["", "null", "true", "NaN", "-Infinity", "12", "-5", " 7", "1e400", "[]", '{"a": 1}', '"q"', '"q', "a,b", "\0"]
hard_texts = st.one_of(
    st.sampled_from(TEXTS),
    st.builds("".join, st.tuples(st.sampled_from(SIGNS), texts)),
    texts,
)
hard_values = st.one_of(
    hard_texts,
    members,
    st.sampled_from(
        [NumberText("1e400"), NumberText("-0"), 10**30, -0.0, float("nan"), float("-inf"), b"\x00\xff", [[]]]
    ),
    st.builds(RepeatedKeys, st.tuples(st.tuples(st.just("k"), members), st.tuples(st.just("k"), members))),
)
hard_documents = st.one_of(st.dictionaries(hard_texts, hard_values, max_size=4), hard_values)
hard_rows = st.lists(st.builds(Record, st.one_of(ids, hard_texts), hard_documents), max_size=5)
hard_tables = st.dictionaries(
    st.one_of(hard_texts, st.sampled_from(["yupdates", "sqlite_x", "A", "a"])), hard_rows, max_size=4
)


class InMemory:
    """A store of {name: records}, tables unless *kind* says else."""

    def __init__(self, collections, kind="table", versions=None):
        self.path = Path("memory.db")
        self.info = StoreInfo("memory", "none", 0)
        self.collections = [
            CollectionInfo(name, name, kind, len(rows), 0, versions) for name, rows in collections.items()
        ]
        self._rows = collections

    def load(self, name, progress):
        return self._rows[name]

    def history(self, name, progress):
        return None


def write(format, path, collections, kind="table", *, safe=False):
    """Write collections and return the path."""
    room = registry.backend(format)
    room = room.spreadsheet_safe() if safe else room
    room.write(path, InMemory(collections, kind), registry.codec("none"), silent)
    return path


def read(format, path):
    """Return {name: [(key, JSON text)]} as the room reads it, and the codes of what it finds wrong."""
    with registry.backend(format).open(path, registry.decoder(), silent) as store:
        found = {e.name: texts_of(store.load(e.name, silent)) for e in store.collections}
        return found, [finding.code for finding in store.info.findings]


def texts_of(records):
    return [(record.key, record.text()) for record in records]


def promised(format, collections):
    """Return what a room promises to keep of collections."""
    room, source = registry.backend(format), InMemory(collections)
    shown = room.promised(source, silent) if isinstance(room, Promises) else source
    return {entry.name: texts_of(shown.load(entry.name, silent)) for entry in shown.collections}
