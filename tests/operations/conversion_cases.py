"""Small stores to convert, and what they hold, for the tests of jobs that write."""

import hashlib
from pathlib import Path

from inspector.operations.open import open_store
from inspector.progress import silent

GOLDEN = Path(__file__).parent.parent / "golden"
TABLES = '{"_default": {"1": {"a": 1, "z": [1.5, null, ""]}, "7": {"é": "日本", "n": -0.0}}, "empty": {}}'
TRAPS = '{"t": {"1": {"v": NaN}, "2": {"v": 18446744073709551616}, "3": {"s": "\\ud800"}, "4": {"ok": 1}}}'


def contents(path):
    with open_store(path) as store:
        return {e.name: [(r.key, r.text()) for r in store.load(e.name, silent)] for e in store.collections}


def updates(path, name):
    with open_store(path) as store:
        history = store.history(name, silent)
        return [(s.data, s.time, s.metadata or b"") for s in history.raw()]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
