"""The preset ``pycrdt-store``: codecs on the updates of a notebook's history: all, one of 17 kB, those of a key press.

Rows of a store are compressed one by one; the figures that were published are those of the whole file.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from inspector import registry
from inspector.model import Codec, InspectorError
from inspector.operations.benchmark import Measured, interleaved
from inspector.operations.benchmark_child import Begins, run_in_child, ticking
from inspector.operations.benchmark_data import Workload, workload
from inspector.operations.benchmark_model import Comparison, DataSet, Problem, Result, Unit
from inspector.operations.benchmark_timing import Case
from inspector.operations.presets_published import WHOLE_STORE, beside
from inspector.progress import Progress, part, silent, track

if TYPE_CHECKING:
    import pycrdt

SIZE = 16_000_000
"""Bytes of the made-up updates; the published store has 1.51 GB."""

CODECS = ("gzip", "lz4", "zstd", "lzma", "bz2", "zlib", "brotli")
"""Codecs of the table, each as it is without parameters."""

ROW, SMALL = 17_000, (26, 28)
"""Bytes of the large row, least and most bytes of the small ones."""

MOST_SMALL = 1000
"""Small rows that are measured together: one alone is over before the clock ticks."""


@dataclass(frozen=True, slots=True)
class UpdatesJob:
    """The rows of the store *path*, made-up updates of *size* bytes if None; *runs* samples of each codec."""

    path: Path | None = None
    runs: int | None = None
    size: int = SIZE
    min_time: float = 0.5
    time_limit: float = 3600.0


@dataclass(frozen=True)
class Numcodecs(Codec):
    """numcodecs' Blosc with zstd at level 5 and no shuffle, which harms updates."""

    id: ClassVar[str] = "numcodecs"
    label: ClassVar[str] = "numcodecs Blosc"
    library: ClassVar[str | None] = "numcodecs"
    package: ClassVar[str | None] = "numcodecs"

    def encode(self, data: bytes) -> bytes:
        return bytes(self._blosc().encode(data))

    def decode(self, data: bytes, limit: int) -> bytes:
        return bytes(self._blosc().decode(data))

    def _blosc(self) -> Any:
        from numcodecs.blosc import Blosc

        return Blosc(cname="zstd", clevel=5, shuffle=Blosc.NOSHUFFLE)


@dataclass(frozen=True, slots=True)
class CodecWork:
    """All samples of *codecs* on one workload, interleaved, in a child process: a slow codec can be stopped there."""

    work: Workload
    codecs: tuple[Codec, ...]
    runs: int | None
    min_time: float

    def __call__(self, folder: Path, begins: Begins) -> tuple[Measured | Problem, ...]:
        """Return the final result of each codec, or why it has none."""
        cases = [Case(self.work, codec, self.runs, self.min_time) for codec in self.codecs]
        events = interleaved(cases, lambda done, total: begins("sampling", done / (total or 1)))
        return tuple(event for event in events if isinstance(event, Problem) or event.final)


def updates_stream(job: UpdatesJob, progress: Progress = silent) -> Iterator[DataSet | Measured | Comparison | Problem]:
    """Yield three data sets, then the codecs' results on each, then the whole beside what was published.

    Raises `InspectorError` if the store cannot be read or holds no rows.
    """
    works = _workloads(job, part(progress, 0.0, 0.1))
    yield from (work.data for work in works)
    usable: list[Codec] = []
    for codec in (*map(registry.codec, CODECS), Numcodecs()):
        reason = registry.unavailable(type(codec))
        if reason:
            yield Problem(codec.spec, reason)
        else:
            usable.append(codec)
    whole: list[Result] = []
    for number, work in enumerate(works):
        tick = ticking(part(progress, 0.1 + 0.3 * number, 0.3))
        sampling = CodecWork(work, tuple(usable), job.runs, job.min_time)
        outcome = run_in_child(work.data.path, sampling, time_limit=job.time_limit, tick=tick)
        events = (outcome,) if isinstance(outcome, Problem) else outcome
        yield from events
        if work is works[0]:
            whole = [event.result for event in events if isinstance(event, Measured)]
    order = [codec.spec for codec in usable]
    for result in sorted(whole, key=lambda result: order.index(result.codec)):
        for figure, unit, value in (
            ("ratio", "×", result.ratio),
            ("compress", "MB/s", result.encode_mb_s),
            ("decompress", "MB/s", result.decode_mb_s),
        ):
            yield from beside(Comparison(result.data, result.codec, figure, unit, value), WHOLE_STORE)


def _workloads(job: UpdatesJob, progress: Progress) -> list[Workload]:
    if job.path is None:
        rows: Sequence[bytes] = list(track(made_up(job.size), progress))
        origin = "made up: cells typed key by key and run, in one notebook after another"
    else:
        rows, origin = workload(job.path, "row", progress).pieces, f"from {job.path}"
    if not rows:
        raise InspectorError(f"{job.path} has no rows to measure; name a store with updates.")
    large = min(rows, key=lambda row: abs(len(row) - ROW))
    small = [row for row in rows if SMALL[0] <= len(row) <= SMALL[1]][:MOST_SMALL]
    if not small:  # another client, another length
        small = sorted(rows, key=lambda row: abs(len(row) - SMALL[0]))[:MOST_SMALL]
    return [
        _work("whole store", "whole", [b"".join(rows)], f"{len(rows)} updates as one, {origin}"),
        _work("17 kB row", "row", [large], f"one update of {len(large)} bytes"),
        _work("26 to 28 byte rows", "row", small, f"{len(small)} updates, each on its own"),
    ]


def _work(name: str, unit: Unit, pieces: list[bytes], description: str) -> Workload:
    return Workload(DataSet(name, sum(map(len, pieces)), len(pieces), description), unit, tuple(pieces))


def made_up(size: int, seed: int = 1) -> Iterator[bytes]:
    """Yield updates of real CRDT documents until they come to *size* bytes, always the same ones."""
    import pycrdt

    chance = random.Random(seed)
    left = size
    while left > 0:
        doc: pycrdt.Doc[Any] = pycrdt.Doc(client_id=chance.randrange(1 << 52, 1 << 53))
        for update in _notebook(doc, chance):
            yield update
            left -= len(update)
            if left <= 0:
                return


def _notebook(doc: pycrdt.Doc[Any], chance: random.Random) -> Iterator[bytes]:
    """Yield what a session leaves: 20 cells, each typed and run, and once all of it anew: a fifth of the bytes."""
    import pycrdt

    made: list[bytes] = []
    observed = doc.observe(lambda event: made.append(event.update))
    cells = doc.get("cells", type=pycrdt.Array)
    for number in range(20):
        cells.append(pycrdt.Map({"source": pycrdt.Text(), "outputs": pycrdt.Array()}))
        source, outputs = cells[number]["source"], cells[number]["outputs"]
        for letter in f"train(model, epochs={chance.randint(10, 99)}, rate={chance.random():.3f})":
            source += letter
        # a dict with two keys would take their order by chance
        outputs.append({"text": _log(chance, ROW - 40)})
        yield from made
        made.clear()
        if number == 4:
            yield doc.get_update()
    doc.unobserve(observed)


def _log(chance: random.Random, size: int) -> str:
    """Return the log of a training: lines alike but for their numbers."""
    lines: list[str] = []
    while size > 0:
        step = len(lines) + 1
        figures = " - ".join(f"{name}: {chance.random():.4f}" for name in ("loss", "accuracy", "val_loss")[: step % 4])
        line = f"Epoch {step}/300 [==============================] - 4s {20 + step % 5}ms/step - {figures}\n"
        lines.append(line)
        size -= len(line)
    return "".join(lines)
