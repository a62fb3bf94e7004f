"""The same work on storages of the real libraries: insert, read, update, search, close, open again.

Each storage runs in a child process of its own under a time limit, because BetterJSONStorage hangs for ever in
``close`` when its writer thread has died. With blosc2 3 or newer it cannot write at all (its ``compress(data)``
then assumes items of 8 bytes and refuses most lengths); it is measured with that one call patched, and the result
says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import util
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from inspector.model import InspectorError, MissingLibrary, StoreChanged
from inspector.operations.benchmark_child import run_in_child, ticking
from inspector.operations.benchmark_machine import version_of
from inspector.operations.benchmark_model import DataSet, Problem, StorageResult
from inspector.operations.open import open_store
from inspector.operations.storages_work import CONTENDERS, Contender, Step, StorageWork
from inspector.progress import Progress, part, silent

COUNT = 1000
"""Documents that are inserted."""

LARGEST = 2_000_000
"""Most bytes that the documents come to together: each insert writes all of them again."""

TIME_LIMIT = 180.0
"""Seconds that one run of one storage may take."""


@dataclass(frozen=True, slots=True)
class StorageJob:
    """What to measure: *count* documents from the store *path* (made-up ones if None or it has none), *runs* times.

    Without *edits* nothing is updated or searched.
    """

    path: Path | None = None
    runs: int = 3
    count: int = COUNT
    time_limit: float = TIME_LIMIT
    contenders: tuple[Contender, ...] = CONTENDERS
    edits: bool = True


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents that every storage gets, and where they come from."""

    data: DataSet
    items: tuple[Mapping[str, Any], ...]


def storages_stream(job: StorageJob, progress: Progress = silent) -> Iterator[DataSet | StorageResult | Problem]:
    """Measure every storage, runs interleaved; yield the data, then each step's result after every run.

    Raises `InspectorError` if the file cannot be read.
    """
    yield from measured(job, documents_for(job), progress)


def measured(
    job: StorageJob, documents: Documents, progress: Progress = silent
) -> Iterator[DataSet | StorageResult | Problem]:
    """Measure every storage of *job* with *documents*; yields what `storages_stream` does."""
    yield documents.data
    usable = [contender for contender in job.contenders if util.find_spec(contender.module)]
    yield from (not_installed(contender) for contender in job.contenders if contender not in usable)
    taken: dict[tuple[str, str], list[Step]] = {}
    rounds = len(usable) * job.runs
    done = 0
    for _ in range(job.runs):
        for contender in tuple(usable):
            work = StorageWork(contender, documents.items, job.edits)
            tick = ticking(part(progress, done / rounds, 1 / rounds))
            outcome = run_in_child(contender.name, work, time_limit=job.time_limit, tick=tick)
            done += 1
            if isinstance(outcome, Problem):
                usable.remove(contender)
                yield outcome
                continue
            for step in outcome:
                steps = taken.setdefault((contender.name, step.name), [])
                steps.append(step)
                yield _result(contender, steps, documents.data.path)
    progress(rounds, rounds)


def not_installed(contender: Contender) -> Problem:
    """Say that the library of *contender* is not there, and what brings it."""
    reason = f"{contender.name} is not installed here, so it is not measured: pip install {contender.package}"
    return Problem(contender.name, reason)


def documents_for(job: StorageJob) -> Documents:
    """Return *job*'s documents: the records of its store, repeated as needed, or made-up ones."""
    own = _own_documents(job.path) if job.path else []
    average = sum(len(json.dumps(item)) for item in own) / len(own) if own else 1.0
    count = max(1, min(job.count, int(LARGEST / average)))
    items = tuple(islice(cycle(own), count)) if own else made_up(count)
    kind = "records of the store" if own else "made-up orders"
    if own and len(own) < count:
        kind += ", repeated"
    size = len(json.dumps(items))
    name = str(job.path) if job.path else "made-up orders"
    return Documents(DataSet(name, size, count, f"{count} {kind}, {size} bytes as JSON"), items)


def _own_documents(path: Path) -> list[Mapping[str, Any]]:
    try:
        store = open_store(path)
    except (MissingLibrary, StoreChanged):
        raise
    except InspectorError:
        if path.is_file():
            return []
        raise
    with store:
        found: list[Mapping[str, Any]] = []
        for info in store.collections:
            if info.kind == "table":
                found += [
                    doc for record in islice(store.load(info.name, silent), COUNT) if (doc := _plain(record.value))
                ]
        return found[:COUNT]


def _plain(value: object) -> Mapping[str, Any] | None:
    """Return *value* if every storage can hold it exactly, else None."""
    import orjson

    try:
        text = orjson.dumps(value)
    except TypeError:  # an integer beyond 64 bit, a lone surrogate, repeated keys
        return None
    return value if isinstance(value, dict) and value and json.loads(text) == value else None


def made_up(count: int) -> tuple[Mapping[str, Any], ...]:
    """Return *count* orders of a shop, always the same ones."""
    towns = ("Rome", "Lyon", "Porto", "Gdańsk", "Graz", "Ghent", "Turku")
    goods = ("lamp", "kettle", "chair", "teapot", "shelf", "clock", "rug", "mirror", "basket")
    return tuple(
        {
            "order": 10_000 + n,
            "town": towns[n * 5 % len(towns)],
            "items": [
                {"name": goods[(n + k * 4) % len(goods)], "pieces": 1 + (n * 7 + k) % 5} for k in range(1 + n % 3)
            ],
            "total": round(4.9 + n * 37 % 4001 / 8, 2),
            "paid": n % 4 != 0,
        }
        for n in range(count)
    )


def _result(contender: Contender, taken: Sequence[Step], data: str) -> StorageResult:
    last = taken[-1]
    return StorageResult(
        storage=contender.name,
        step=last.name,
        seconds=tuple(step.seconds for step in taken),
        size=last.size,
        count=last.count,
        data=data,
        notes=tuple(note for note in (last.note, patch_note(contender, patched=last.patched)) if note),
    )


def patch_note(contender: Contender, *, patched: bool) -> str:
    """Say that the library had to be patched to write, and how; nothing if it was not."""
    if not patched:
        return ""
    return (
        f"{contender.name} {version_of(contender.package)} cannot write with blosc2 {version_of('blosc2')}: measured "
        "with its compress(data) replaced by compress(data, typesize=1). Its default is then zstd, in blosc2 2 blosclz."
    )
