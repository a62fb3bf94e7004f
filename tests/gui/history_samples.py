"""Stores for the tests of the history: real pycrdt documents in the real pycrdt-store, times set afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from pycrdt import Array, Doc, Map, Text
from pycrdt.store import SQLiteYStore

ANA, BRUNO, CHEN = 2839104177, 911402635, 3350018842
MONDAY = 1773043200.0
"""9 March 2026, 08:00 UTC."""

LOST = "survivors = df[df.price > 0]\nsurvivors.to_csv('keep.csv')"


@dataclass
class Session:
    """Editors of one shared document; each change of theirs is one update."""

    make: Callable[[Doc[Any]], None]
    updates: list[bytes] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    docs: dict[int, Doc[Any]] = field(default_factory=dict)

    def edit(self, client: int, time: float, change: Callable[[Doc[Any]], None]) -> None:
        """Let *client* make one change at *time*."""
        doc = self.docs.get(client)
        if doc is None:
            doc = self.docs[client] = Doc(client_id=client)
            self.make(doc)
        for update in self.updates:
            doc.apply_update(update)
        before = doc.get_state()
        with doc.transaction():
            change(doc)
        self.updates.append(doc.get_update(before))
        self.times.append(time)

    def type(self, client: int, time: float, text: str, where: Callable[[Doc[Any]], Text]) -> float:
        """Let *client* type *text*, a key every two seconds from *time*; return when it is done."""
        for number, key in enumerate(text):
            self.edit(client, time + 2 * number, partial(_append, where, key))
        return time + 2 * len(text)


def _append(where: Callable[[Doc[Any]], Text], key: str, doc: Doc[Any]) -> None:
    where(doc).insert(len(str(where(doc))), key)


def cell(kind: str, text: str, identity: str, outputs: list[Any] | None = None) -> Map[Any]:
    """Return a notebook cell as jupyter_ydoc stores it."""
    content: dict[str, Any] = {"id": identity, "cell_type": kind, "source": Text(text), "metadata": Map({})}
    if kind == "code":
        content |= {"execution_count": None, "outputs": Array(outputs or [])}
    return Map(content)


def _notebook_roots(doc: Doc[Any]) -> None:
    doc["cells"], doc["meta"], doc["state"] = Array(), Map(), Map()


def _cells(doc: Doc[Any]) -> Array[Any]:
    cells: Array[Any] = doc.get("cells", type=Array)
    return cells


def notebook_session() -> Session:
    """Return the story of a notebook: four days, three authors, a cell that is lost in the middle."""
    session = Session(_notebook_roots)

    def begin(doc: Doc[Any]) -> None:
        meta = doc.get("meta", type=Map)
        meta["nbformat"], meta["nbformat_minor"] = 4, 5
        meta["metadata"] = Map({})
        for number in range(6):
            _cells(doc).append(cell("markdown", f"## Step {number}\nText of step {number}.", f"step-{number}"))

    session.edit(ANA, MONDAY, begin)
    session.edit(ANA, MONDAY + 60, lambda doc: _cells(doc).append(cell("code", "", "load")))
    loading = "import pandas as pd\ndf = pd.read_csv('houses.csv')\ndf.head()"
    at = session.type(ANA, MONDAY + 100, loading, lambda doc: _cells(doc)[6]["source"])
    session.edit(BRUNO, at + 3600, lambda doc: _cells(doc).append(cell("code", LOST, "keep")))
    day = MONDAY + 86400
    session.edit(CHEN, day, lambda doc: _cells(doc).insert(0, cell("markdown", "# Analysis", "title")))
    at = session.type(CHEN, day + 30, "\nHouse prices of 2025, cleaned.", lambda doc: _cells(doc)[0]["source"])
    session.edit(BRUNO, at + 7200, lambda doc: _cells(doc).__delitem__(8))
    day = MONDAY + 3 * 86400
    at = session.type(BRUNO, day, "\ndf = df.dropna()", lambda doc: _cells(doc)[7]["source"])

    def fix(doc: Doc[Any]) -> None:
        text = _cells(doc)[7]["source"]
        place = str(text).index("houses")
        del text[place : place + 6]
        text.insert(place, "prices")

    session.edit(ANA, at + 60, fix)
    stream = Map({"output_type": "stream", "name": "stdout", "text": Array(["412 rows\n"])})
    session.edit(ANA, at + 90, lambda doc: _cells(doc)[7]["outputs"].append(stream))
    return session


def text_session() -> Session:
    """Return the story of a text file that is written and then shortened."""

    def make(doc: Doc[Any]) -> None:
        doc["source"], doc["state"] = Text(), Map()

    session = Session(make)
    lines = "".join(f"line {number} of the notes\n" for number in range(40))
    session.edit(ANA, MONDAY, lambda doc: doc.get("source", type=Text).insert(0, lines))
    at = session.type(BRUNO, MONDAY + 60, "The last word.", lambda doc: doc.get("source", type=Text))
    session.edit(CHEN, at + 60, lambda doc: doc.get("source", type=Text).__delitem__(slice(44, 66)))
    return session


def data_session() -> Session:
    """Return the story of a document that is neither notebook nor text."""

    def make(doc: Doc[Any]) -> None:
        doc["shapes"] = Map()

    session = Session(make)
    session.edit(ANA, MONDAY, lambda doc: doc["shapes"].__setitem__("box", {"x": 1, "y": 2}))
    session.edit(BRUNO, MONDAY + 5, lambda doc: doc["shapes"].__setitem__("ball", {"r": 7}))
    session.edit(BRUNO, MONDAY + 9, lambda doc: doc["shapes"].__setitem__("box", {"x": 1, "y": 3}))
    return session


def write_store(path: Path, **sessions: Session) -> Path:
    """Write sessions by document name with the real `SQLiteYStore`, then set the times of their updates."""

    async def write() -> None:
        for name, session in sessions.items():
            store = SQLiteYStore(f".{name}")
            async with store:
                for update in session.updates:
                    await store.write(update)

    SQLiteYStore.db_path, former = str(path), SQLiteYStore.db_path
    try:
        anyio.run(write)
    finally:
        SQLiteYStore.db_path = former
    with sqlite3.connect(path) as database:
        for name, session in sessions.items():
            rowids = database.execute("SELECT rowid FROM yupdates WHERE path = ? ORDER BY rowid", (f".{name}",))
            pairs = [(time, row[0]) for time, row in zip(session.times, rowids.fetchall(), strict=True)]
            database.executemany("UPDATE yupdates SET timestamp = ? WHERE rowid = ?", pairs)
        database.execute("DELETE FROM ycheckpoints")
    database.close()
    return path
