"""The preset ``betterjson-citm``: the catalogue as six tables, written 15 times over and asked for 165 records.

The work is that of the library's own benchmark (``tests/benchmark/citm.py`` of BetterJSONStorage).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Any

from inspector.model import InspectorError
from inspector.operations.benchmark_child import Begins, run_in_child, ticking
from inspector.operations.benchmark_model import Comparison, DataSet, Problem, StorageResult
from inspector.operations.presets_files import read_json
from inspector.operations.presets_published import BETTER, CITM, JSON_STORAGE, beside
from inspector.operations.presets_shapes import citm
from inspector.operations.storages_bench import not_installed, patch_note
from inspector.operations.storages_work import CONTENDERS, Clock, Contender, Step
from inspector.progress import Progress, part, silent

ROUNDS = 15
"""Times that all tables are written, and that all questions are asked."""

QUESTIONS = 11
"""Subtopics that are looked for in each round."""

_TOPICS = "topics"
_NAME = "citm_catalog"


@dataclass(frozen=True, slots=True)
class CitmJob:
    """The catalogue in the JSON file *path*, else a made-up one; *rounds* of writing and reading, *runs* times."""

    path: Path | None = None
    runs: int = 1
    rounds: int = ROUNDS
    time_limit: float = 3600.0
    contenders: tuple[Contender, ...] = CONTENDERS


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Tables with their documents, and the subtopics to look for."""

    tables: Mapping[str, Sequence[Mapping[str, Any]]]
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CitmWork:
    """Writing and reading with one storage, in a child process."""

    contender: Contender
    catalogue: Catalogue
    rounds: int

    def __call__(self, folder: Path, begins: Begins) -> tuple[Step, ...]:
        """Do it in a new file of *folder*. Raises AssertionError if the storage loses documents."""
        importlib.import_module(self.contender.module)  # outside the clock
        path = folder / "store.db"
        clock = Clock(begins)
        with clock.step("total"):
            with clock.step("init"):
                db, patched = self.contender.open(path)
            with clock.step("write"):
                for number in range(self.rounds):
                    begins("write", number / (2 * self.rounds))
                    for name, documents in self.catalogue.tables.items():
                        db.table(name).insert_multiple(documents)
            with clock.step("read"):
                found = [_asked(db, subtopic) for subtopic in self._questions(begins)]
            with clock.step("close"):
                db.close()
        self._check(path, found)
        counts = {"write": self.rounds * len(self.catalogue.tables), "read": len(found)}
        size = path.stat().st_size
        return tuple(
            Step(name, clock.seconds[name], counts.get(name, 1), size, note="", patched=patched)
            for name in ("init", "write", "read", "close", "total")
        )

    def _questions(self, begins: Begins) -> Iterator[str]:
        for number in range(self.rounds):
            begins("read", 0.5 + number / (2 * self.rounds))
            yield from self.catalogue.wanted

    def _check(self, path: Path, found: Sequence[Any]) -> None:
        for subtopic, topic in zip(self.catalogue.wanted, found, strict=False):
            if topic is None or subtopic not in [each["id"] for each in topic["subtopic"]]:
                raise AssertionError(f"the topic of {subtopic} was not found")
        db, _ = self.contender.open(path)
        for name, documents in self.catalogue.tables.items():
            if len(db.table(name)) != self.rounds * len(documents):
                raise AssertionError(f"documents of {name} are missing in the closed file")
        db.close()


def _asked(db: Any, subtopic: str) -> Any:
    from tinydb import where

    return db.table(_TOPICS).get(where("subtopic").any(where("id") == subtopic))


def citm_stream(job: CitmJob, progress: Progress = silent) -> Iterator[DataSet | StorageResult | Comparison | Problem]:
    """Yield the catalogue, the steps of both storages after each run, then all figures beside those that are known.

    Raises `InspectorError` if the file cannot be read or has another shape.
    """
    content = citm() if job.path is None else read_json(job.path, part(progress, 0.0, 0.02))
    catalogue = as_tables(content, job.path)
    yield _data(catalogue, job)
    usable = [contender for contender in job.contenders if util.find_spec(contender.module)]
    yield from (not_installed(contender) for contender in job.contenders if contender not in usable)
    found: dict[tuple[str, str], StorageResult] = {}
    rounds, done = len(usable) * job.runs, 0
    for _ in range(job.runs):
        for contender in tuple(usable):
            tick = ticking(part(progress, 0.02 + 0.98 * done / rounds, 0.98 / rounds))
            work = CitmWork(contender, catalogue, job.rounds)
            outcome = run_in_child(contender.name, work, time_limit=job.time_limit, tick=tick)
            done += 1
            if isinstance(outcome, Problem):
                usable.remove(contender)
                yield outcome
                continue
            for step in outcome:
                result = _result(contender, step, found.get((contender.name, step.name)))
                found[contender.name, step.name] = result
                yield result
    yield from _compared(found)
    progress(1000, 1000)


def _data(catalogue: Catalogue, job: CitmJob) -> DataSet:
    import orjson

    size = len(orjson.dumps(catalogue.tables))
    count = sum(map(len, catalogue.tables.values()))
    origin = "made up in the shape of the public file" if job.path is None else f"from {job.path}"
    questions = job.rounds * len(catalogue.wanted)
    text = f"{len(catalogue.tables)} tables, {size} bytes as JSON, written {job.rounds} times, {questions} queries"
    return DataSet(_NAME, size, count, f"{text}, {origin}")


def _result(contender: Contender, step: Step, before: StorageResult | None) -> StorageResult:
    note = patch_note(contender, patched=step.patched)
    return StorageResult(
        storage=contender.name,
        step=step.name,
        seconds=(*(before.seconds if before else ()), step.seconds),
        size=step.size,
        count=step.count,
        notes=(note,) if note else (),
        data=_NAME,
    )


def _compared(found: Mapping[tuple[str, str], StorageResult]) -> Iterator[Comparison]:
    totals = [found[name, "total"] for name in (JSON_STORAGE, BETTER) if (name, "total") in found]
    if len(totals) == 2:
        slow, fast = totals
        factor = slow.time.median / fast.time.median
        subject = f"{slow.storage} over {fast.storage}"
        yield from beside(Comparison(_NAME, subject, "total time", "×", factor), CITM)
    for result in totals:
        yield from beside(Comparison(_NAME, result.storage, "size", "bytes", result.size), CITM)
    for result in found.values():
        yield from beside(Comparison(_NAME, result.storage, result.step, "s", result.time.median), CITM)


def as_tables(content: Any, path: Path | None) -> Catalogue:
    """Return the catalogue as the tables that the library's benchmark stores. Raises `InspectorError`."""
    try:
        return _tables(content)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InspectorError(f"{path} has not the shape of citm_catalog.json; the preset stores that file.") from error


def _tables(content: Any) -> Catalogue:
    def named(member: str) -> list[dict[str, Any]]:
        return [{"id": key, "name": name} for key, name in content[member].items()]

    seats = content["seatCategoryNames"]
    subtopics = named("subTopicNames")
    topics = [
        topic | {"subtopic": [each for each in subtopics if int(each["id"]) in content["topicSubTopics"][topic["id"]]]}
        for topic in named("topicNames")
    ]
    tables = {
        "areaNames": named("areaNames"),
        "audienceSubCategoryNames": named("audienceSubCategoryNames"),
        "events": list(content["events"].values()),
        "performances": list(content["performances"]),
        # as there: a record for each seat, with all seats of its category
        "seatCategoryNames": [
            {"category": name, "ids": [seat for seat, other in seats.items() if other == name]}
            for name in seats.values()
        ],
        _TOPICS: topics,
    }
    known = dict.fromkeys(each["id"] for topic in topics for each in topic["subtopic"])
    return Catalogue(tables, tuple(known)[:QUESTIONS])
