"""The work that one storage does in a child process, step by step under the clock."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.operations.benchmark_child import Begins

STEPS = ("init", "insert", "read", "update", "search", "close", "reopen")
"""Names of the steps in their order."""

SEARCHES = 20
"""Searches of the step ``search``: each looks at every document."""


@dataclass(frozen=True, slots=True)
class Step:
    """One timed step of *count* operations; *size*: bytes of the closed file; *patched*: the library was, to write."""

    name: str
    seconds: float
    count: int
    size: int
    note: str
    patched: bool


@dataclass(frozen=True, slots=True)
class Contender:
    """A storage to measure: *module* must be importable, *package* is what pip installs, *open* gives a TinyDB.

    *open* returns also whether the library had to be patched to write.
    """

    name: str
    module: str
    package: str
    open: Callable[[Path], tuple[Any, bool]]
    durability: str


def _default(path: Path) -> tuple[Any, bool]:
    from tinydb import TinyDB

    return TinyDB(path), False


def _better(path: Path) -> tuple[Any, bool]:
    import blosc2
    from BetterJSONStorage import BetterJSONStorage
    from tinydb import TinyDB

    patched = False
    try:
        blosc2.compress(b"seven b")
    except ValueError:  # blosc2 3 and newer take items of 8 bytes unless told
        module = sys.modules[BetterJSONStorage.__module__]
        vars(module)["compress"] = lambda data: blosc2.compress(data, typesize=1)
        patched = True
    return TinyDB(path, access_mode="r+", storage=BetterJSONStorage), patched


CONTENDERS: tuple[Contender, ...] = (
    Contender(
        "JSONStorage", "tinydb", "tinydb", _default, "Every insert had reached the disk (fsync) when it returned."
    ),
    Contender(
        "BetterJSONStorage",
        "BetterJSONStorage",
        "BetterJSONStorage",
        _better,
        "A background thread writes, and several inserts share one write, without fsync.",
    ),
)


@dataclass(frozen=True, slots=True)
class StorageWork:
    """All steps on one storage with these documents, in a child process; without *edits* no update and no search."""

    contender: Contender
    documents: tuple[Mapping[str, Any], ...]
    edits: bool = True

    def __call__(self, folder: Path, begins: Begins) -> tuple[Step, ...]:
        """Do all steps in a new file of *folder*. Raises AssertionError if the storage loses documents."""
        importlib.import_module(self.contender.module)  # outside the clock
        return tuple(_steps(self, folder / "store.db", Clock(begins)))


def _steps(work: StorageWork, path: Path, clock: Clock) -> Iterator[Step]:
    contender, documents = work.contender, work.documents
    with clock.step("init"):
        db, patched = contender.open(path)
    with clock.step("insert"):
        ids = [db.insert(dict(document)) for document in documents]
    on_disk = path.stat().st_size
    with clock.step("read"):
        found = [db.get(doc_id=number) for number in ids]
    if found != [dict(document) for document in documents]:
        raise AssertionError("the documents that were read are not those that were inserted")
    if work.edits:
        _edit(db, ids, clock)
    with clock.step("close"):
        db.close()
    size = path.stat().st_size
    with clock.step("reopen"):
        db, _ = contender.open(path)
        count = len(db)
    if count != len(documents):
        raise AssertionError(f"{count} of {len(documents)} documents are in the closed file")
    db.close()
    counts = {"insert": len(ids), "read": len(ids), "update": len(ids), "search": SEARCHES}
    durability = f"{contender.durability} {on_disk} bytes were in the file when the clock stopped; {size} after close."
    for name, seconds in clock.seconds.items():
        yield Step(
            name=name,
            seconds=seconds,
            count=counts.get(name, 1),
            size=size,
            note=durability if name == "insert" else "",
            patched=patched,
        )


def _edit(db: Any, ids: Sequence[int], clock: Clock) -> None:
    with clock.step("update"):
        for turn, number in enumerate(ids):
            db.update({"turn": turn}, doc_ids=[number])
    with clock.step("search"):
        hits = [len(db.search(_turn_is(turn))) for turn in _spread_over(len(ids))]
    if set(hits) != {1}:
        raise AssertionError("a search did not find its one document")


def _turn_is(turn: int) -> Any:
    from tinydb import where

    return where("turn") == turn


def _spread_over(count: int) -> Iterator[int]:
    return (n * count // SEARCHES for n in range(SEARCHES))


class Clock:
    """Seconds of named steps; *begins* is told each name before the clock runs."""

    def __init__(self, begins: Begins) -> None:
        self._begins = begins
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self._begins(name)
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start
