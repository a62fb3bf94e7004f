"""Documents made by pycrdt, and the smallest store that holds them, for tests of what CRDT backends share."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pycrdt

from inspector.backends._crdt.timeline import Timeline, state
from inspector.backends._crdt.updates import accepts
from inspector.model import CollectionInfo, Record, Stored, StoreInfo
from inspector.progress import silent

GOLDEN = Path(__file__).parents[1] / "golden" / "crdt"


def rows(updates: Sequence[bytes | None], path: str = "doc", start: float = 1_700_000_000.25) -> list[Stored]:
    """Stored updates, a second apart; what is no update is damaged."""
    return [
        Stored(path, one, one if one is not None and accepts(one) else None, "none", start + number, b"", number + 1)
        for number, one in enumerate(updates)
    ]


def logged(change: Callable[[pycrdt.Doc[Any]], None], *, client: int = 7) -> list[bytes]:
    """The updates, one a transaction, that *change* makes in a new document."""
    doc: pycrdt.Doc[Any] = pycrdt.Doc(client_id=client)
    updates: list[bytes] = []
    doc.observe(lambda event: updates.append(event.update))
    change(doc)
    return updates


def shown(records: Sequence[Record]) -> list[tuple[str, str]]:
    return [(record.key, record.text()) for record in records]


class Session:
    """Several clients that edit one document at random and hear of each other now and then."""

    def __init__(self, seed: int, clients: int = 3) -> None:
        self._chance = random.Random(seed)
        self.updates: list[bytes] = []
        self.docs: list[pycrdt.Doc[Any]] = [pycrdt.Doc(client_id=100 + n) for n in range(clients)]
        for doc in self.docs:
            doc.get("source", type=pycrdt.Text)
            doc.get("meta", type=pycrdt.Map)
            doc.get("cells", type=pycrdt.Array)

    def play(self, steps: int) -> list[bytes]:
        for _ in range(steps):
            doc = self._chance.choice(self.docs)
            before = doc.get_state()
            self._edit(doc)
            self.updates.append(doc.get_update(before))
            if self._chance.random() < 0.3:
                self._chance.choice(self.docs).apply_update(doc.get_update())
        return self.updates

    def _edit(self, doc: pycrdt.Doc[Any]) -> None:
        text, meta, cells = (doc.get(name, type=kind) for name, kind in _ROOTS)
        chance = self._chance
        match chance.randrange(6):
            case 0 | 1:
                text.insert(len(text), chance.choice(["a", "bc", "\n", "é", "🎉"]))
            case 2 if len(text):
                del text[0 : len(str(text)[0].encode())]
            case 3:
                meta[chance.choice("xyz")] = chance.choice([1, "one", None, {"k": [1.5]}, b"\x00\xff"])
            case 4:
                cells.insert(chance.randint(0, len(cells)), pycrdt.Map({"id": str(len(cells)), "n": [1, 2]}))
            case _ if len(cells):
                del cells[chance.randrange(len(cells))]


_ROOTS = (("source", pycrdt.Text), ("meta", pycrdt.Map), ("cells", pycrdt.Array))


class MemoryStore:
    """A store in memory: documents given as stored updates, tables as records."""

    def __init__(
        self, path: Path, documents: dict[str, list[Stored]], tables: dict[str, list[Record]] | None = None
    ) -> None:
        self.path = path
        self._documents = documents
        self._tables = tables or {}

    @property
    def info(self) -> StoreInfo:
        codecs = {row.codec for stored in self._documents.values() for row in stored} - {"none"}
        return StoreInfo("ystore", "mixed" if len(codecs) > 1 else min(codecs, default="none"), 0)

    @property
    def collections(self) -> Sequence[CollectionInfo]:
        documents = [CollectionInfo(n, n, "document", None, 0, len(s)) for n, s in self._documents.items()]
        return documents + [CollectionInfo(n, n, "table", len(r), 0) for n, r in self._tables.items()]

    def load(self, name: str, progress: Any) -> Sequence[Record]:
        if name in self._tables:
            return self._tables[name]
        return state(self._documents[name], len(self._documents[name]), silent)

    def history(self, name: str, progress: Any) -> Timeline | None:
        return Timeline(self._documents[name], silent) if name in self._documents else None

    def close(self) -> None:
        """Nothing to let go of."""

    def __enter__(self) -> MemoryStore:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
