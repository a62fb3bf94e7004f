"""Presets: published tables, repeated on this machine and shown beside what was published.

Only the names are here; what a preset does is imported when it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from inspector.model import UsageError
from inspector.progress import Progress

if TYPE_CHECKING:
    from inspector.operations.benchmark import Event


@dataclass(frozen=True, slots=True)
class PresetJob:
    """Data of the user's own instead of made-up ones (*paths*), and exactly so many *runs*, None for the usual."""

    paths: tuple[Path, ...] = ()
    runs: int | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """A published table: *about* says what is measured, *files* what FILE may be, at most *most* of them."""

    about: str
    files: str
    most: int
    packages: tuple[str, ...]
    run: Callable[[PresetJob, Progress], Iterator[Event]]


def check_preset(name: str, paths: Sequence[Path]) -> None:
    """Raise `UsageError` if there is no preset *name* or it does not take so many files."""
    preset = PRESETS.get(name)
    if preset is None:
        raise UsageError(f"Unknown preset {name!r}; presets are {', '.join(NAMES)}.", name, 0)
    if len(paths) > preset.most:
        raise UsageError(f"The preset {name} takes {preset.files}; {len(paths)} named.")


def _betterjson(job: PresetJob, progress: Progress) -> Iterator[Event]:
    from inspector.operations.presets_betterjson import SetsJob, sets_stream

    return sets_stream(SetsJob(job.paths, job.runs or 3), progress)


def _citm(job: PresetJob, progress: Progress) -> Iterator[Event]:
    from inspector.operations.presets_citm import CitmJob, citm_stream

    return citm_stream(CitmJob(job.paths[0] if job.paths else None, job.runs or 1), progress)


def _updates(job: PresetJob, progress: Progress) -> Iterator[Event]:
    from inspector.operations.presets_updates import UpdatesJob, updates_stream

    return updates_stream(UpdatesJob(job.paths[0] if job.paths else None, job.runs), progress)


def _strings(job: PresetJob, progress: Progress) -> Iterator[Event]:
    from inspector.operations.history_bench import HistoryJob
    from inspector.operations.presets_strings import strings_stream

    history = HistoryJob() if job.runs is None else HistoryJob(runs=job.runs, loads=1)
    return strings_stream(history, progress)


_STORAGES = ("tinydb", "BetterJSONStorage", "blosc2", "orjson")

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "betterjson": Preset(
            about="citm_catalog, canada, twitter and 140 items in both storages: sizes, init, insert, read",
            files="up to four JSON files, each in place of the made-up one that its name names",
            most=4,
            packages=_STORAGES,
            run=_betterjson,
        ),
        "betterjson-citm": Preset(
            about="citm_catalog as tables, written 15 times and queried 165 times in both storages",
            files="at most one JSON file of the shape of citm_catalog.json",
            most=1,
            packages=_STORAGES,
            run=_citm,
        ),
        "pycrdt-store": Preset(
            about="codecs on the updates of a ystore: the whole, a row of 17 kB, rows of 26 to 28 bytes",
            files="at most one store with updates",
            most=1,
            packages=("pycrdt", "numcodecs", "zstandard", "lz4", "brotli"),
            run=_updates,
        ),
        "ten-strings": Preset(
            about="ten strings of 1 MB, one changed and saved in each of 100 steps, beside Docchi's figures",
            files="no FILE, since its document is made up",
            most=0,
            packages=("orjson", "pycrdt", "zstandard"),
            run=_strings,
        ),
    }
)

NAMES: tuple[str, ...] = tuple(PRESETS)
"""Names of the presets in their order."""
