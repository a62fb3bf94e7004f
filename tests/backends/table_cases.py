"""Databases of tables for the tests: golden files with what the corpus' manifest says of each, and random ones."""

import json
from pathlib import Path

from hypothesis import strategies as st

from inspector.model import CollectionInfo, StoreInfo
from inspector.registry import decoder

GOLDEN = Path(__file__).parent.parent / "golden" / "tinydb"


def open_with(backend, path, **how):
    return backend.open(path, decoder(how.get("codec")), how.get("progress", lambda done, total: None))


def counts(store):
    return {info.name: info.records for info in store.collections}


def codes(findings):
    return {finding.code for finding in findings}


def contents(store):
    """Return {table: [(key, JSON text)]} of everything in a store."""
    loaded = {info.name: store.load(info.name, lambda done, total: None) for info in store.collections}
    return {name: [(record.key, record.text()) for record in rows] for name, rows in loaded.items()}


texts = st.text(
    st.one_of(
        st.sampled_from('{}[]":,\\/ \n\t\u0000\u007f\u2028é日😀\ud800\udc00'),
        st.characters(exclude_categories=[]),
    ),
    max_size=12,
)
numbers = st.one_of(
    st.integers(),
    st.integers(min_value=-(10**400), max_value=10**400),
    st.floats(),
    st.sampled_from([0, -1, 2**63, 2**64 - 1, 2**64, -(2**63) - 1, 1e-7, 1e16, -0.0, 0.1]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
members = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
documents = st.dictionaries(texts, members, max_size=5)
ids = st.one_of(st.integers(-5, 10**20).map(str), texts)
databases = st.dictionaries(texts, st.dictionaries(ids, documents, max_size=6), max_size=4)
styles = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 1, 4, "\t"]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]),
    }
)


def spell(database, style):
    """Return the text that json writes; raw surrogates as some programs leave them."""
    return json.dumps(database, **style).encode("utf-8", "surrogatepass")


class Documents:
    """A store of records that hold values, as CRDT documents give them."""

    path = Path("documents.db")
    info = StoreInfo("test", "none", 0)

    def __init__(self, kind, versions=None, **collections):
        self._records = collections
        self._kind = kind
        self._versions = versions

    @property
    def collections(self):
        return [
            CollectionInfo(name, name, self._kind, len(records), 0, self._versions)
            for name, records in self._records.items()
        ]

    def load(self, name, progress):
        return self._records[name]
