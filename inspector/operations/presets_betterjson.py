"""The preset ``betterjson``: public JSON files and 140 items in both storages: sizes, init, insert, read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inspector.model import InspectorError
from inspector.operations.benchmark_model import Comparison, DataSet, Problem, StorageResult
from inspector.operations.presets_files import read_json
from inspector.operations.presets_published import SETS, beside
from inspector.operations.presets_shapes import canada, citm, people, twitter
from inspector.operations.storages_bench import Documents, StorageJob, measured
from inspector.operations.storages_work import CONTENDERS, Contender
from inspector.progress import Progress, part, silent

_PEOPLE = "140 items"
_STEMS: Mapping[str, str] = MappingProxyType({"random_100kb": _PEOPLE})
"""File names, without suffix, of sets that have another name here."""

MADE: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {"citm_catalog": citm, "canada": canada, "twitter": twitter, _PEOPLE: people}
)
"""Makers of the sets in their order. A list is stored item by item, anything else as one document."""


@dataclass(frozen=True, slots=True)
class SetsJob:
    """*paths*: JSON files that take the place of the set with their name, or come after all; *runs* of each storage."""

    paths: tuple[Path, ...] = ()
    runs: int = 3
    time_limit: float = 600.0
    made: Mapping[str, Callable[[], Any]] = field(default_factory=lambda: MADE)
    contenders: tuple[Contender, ...] = CONTENDERS


def sets_stream(job: SetsJob, progress: Progress = silent) -> Iterator[DataSet | StorageResult | Comparison | Problem]:
    """Yield each set with the steps of both storages, then all figures beside those that are known.

    Raises `InspectorError` if a file cannot be read as JSON.
    """
    own = {_STEMS.get(path.stem, path.stem): path for path in job.paths}
    names = list(dict.fromkeys([*job.made, *own]))
    found: list[StorageResult] = []
    for number, name in enumerate(names):
        step = part(progress, number / len(names), 1 / len(names))
        if name in own:
            documents = _documents(name, read_json(own[name], part(step, 0.0, 0.1)), f"from {own[name]}")
        else:
            documents = _documents(name, job.made[name](), "made up in the shape of the public set")
        storages = StorageJob(runs=job.runs, time_limit=job.time_limit, contenders=job.contenders, edits=False)
        latest: dict[tuple[str, str], StorageResult] = {}
        for event in measured(storages, documents, part(step, 0.1, 0.9)):
            if isinstance(event, StorageResult):
                latest[event.storage, event.step] = event
            yield event
        found += latest.values()
    yield from compared(found)


def compared(found: list[StorageResult]) -> Iterator[Comparison]:
    """Yield size, init, insert, read and close of every set and storage beside the figures that are known."""
    for result in found:
        if result.step == "init":
            yield from beside(Comparison(result.data, result.storage, "size", "bytes", result.size), SETS)
        if result.step != "reopen":
            yield from beside(Comparison(result.data, result.storage, result.step, "s", result.time.median), SETS)


def _documents(name: str, content: Any, origin: str) -> Documents:
    import orjson

    items = content if isinstance(content, list) else [content]
    try:
        size = len(orjson.dumps(content))
    except TypeError as error:
        raise InspectorError(f"{name} has values that BetterJSONStorage cannot store: {error}.") from error
    if not items or not all(isinstance(item, dict) for item in items):
        raise InspectorError(f"{name} is neither an object nor a list of objects, so TinyDB cannot store it.")
    each = "one document" if len(items) == 1 else f"{len(items)} documents"
    return Documents(DataSet(name, size, len(items), f"{each}, {size} bytes as JSON, {origin}"), tuple(items))
