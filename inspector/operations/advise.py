"""What compressing a store would gain: candidates measured on a sample of this very store."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspector import registry
from inspector.model import Backend, Codec, Compresses, HasText, InspectorError, Store, stored_rows
from inspector.operations.benchmark import default_specs
from inspector.operations.charts_model import label_of
from inspector.operations.compress import compress_spec
from inspector.operations.trial import written_size
from inspector.progress import Progress, silent, track

SECONDS = 3.0
"""Time in which all candidates are measured; a candidate that is slow on the sample is measured on less of it."""

SAMPLE = 8_000_000
"""Most decoded bytes that are sampled; a store with fewer is measured whole."""

BLOCK = 1 << 20
"""Bytes of a text that are one piece of the sample: the block size that the formats write with."""

TRIAL = 16_000_000
"""Most decoded bytes of a store that is written once to measure what the file holds beside them."""

WORTH = 0.10
"""Least share of the file that a recommendation must save."""

_NAMED = ("codec", "level", "quality", "preset")
"""Parameters that a label always names: two efforts of one codec must be told apart."""

GOALS = ("balanced", "smallest", "fastest")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to write the store: sizes in bytes of the whole file, speeds in 10^6 decoded bytes a second.

    *low* to *high* is the 95 % interval of *estimate*; *exact* says that nothing was sampled. *auto* marks what
    ``--codec auto`` writes: unchanged readers open it.
    """

    action: str
    codec: str
    label: str
    detail: str
    estimate: int
    low: int
    high: int
    encode_mb_s: float | None
    decode_mb_s: float | None
    opens_in: tuple[str, ...]
    auto: bool = False
    drops_versions: bool = False
    recommended: bool = False
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape of the command line."""
        return {
            "action": self.action, "codec": self.codec, "estimate": self.estimate, "low": self.low, "high": self.high,
            "encode_mb_s": self.encode_mb_s, "decode_mb_s": self.decode_mb_s, "drops_versions": self.drops_versions,
            "opens_in": list(self.opens_in), "recommended": self.recommended, "reason": self.reason,
            "label": self.label, "detail": self.detail, "auto": self.auto,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Advice:
    """The candidates of a store, and what they were measured on: *pieces* of *total_pieces* rows or blocks."""

    candidates: tuple[Candidate, ...]
    sample_bytes: int
    seconds: float
    pieces: int
    total_pieces: int
    size: int

    @property
    def recommended(self) -> Candidate:
        """The one candidate to take."""
        return next(candidate for candidate in self.candidates if candidate.recommended)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape of the command line."""
        return {
            "sample_bytes": self.sample_bytes,
            "seconds": round(self.seconds, 3),
            "candidates": [candidate.to_json() for candidate in self.candidates],
        }


@dataclass(frozen=True, slots=True)
class _Sample:
    pieces: tuple[bytes, ...]
    total_bytes: int
    total_pieces: int
    rows: bool
    """Each piece is stored on its own, plain where coding does not make it smaller."""
    other_bytes: int
    """Bytes of the file that hold no pieces and stay whatever the codec."""

    @property
    def bytes(self) -> int:
        return sum(map(len, self.pieces))


def advise(store: Store, *, goal: str = "balanced", progress: Progress = silent) -> Advice:
    """Measure what could be done with *store* and recommend one. Slow.

    Raises `InspectorError` if the format has no codec.
    """
    started = time.perf_counter()
    backend = registry.backend(store.info.format)
    auto = compress_spec(store.path, store.info.format, "auto")
    sample = _sample(store, progress)
    specs = _specs(backend, auto)
    found = [
        _measure(spec, backend, store, sample, budget=SECONDS / len(specs))
        for spec in track(specs, progress, len(specs))
    ]
    marked = [replace(candidate, auto=candidate.codec == auto) for candidate in found]
    leave = Candidate(
        "leave", store.info.codec, "Leave as it is", _present(store), store.info.size, store.info.size,
        store.info.size, None, None, (), auto=True,
    )  # fmt: skip
    return Advice(
        candidates=_recommend([*marked, leave], goal),
        sample_bytes=sample.bytes,
        seconds=time.perf_counter() - started,
        pieces=len(sample.pieces),
        total_pieces=sample.total_pieces,
        size=store.info.size,
    )


def recommend(advice: Advice, goal: str) -> Advice:
    """Return *advice* with the recommendation for another goal; nothing is measured again."""
    return replace(advice, candidates=_recommend(list(advice.candidates), goal))


def _present(store: Store) -> str:
    versions = sum(entry.versions or 0 for entry in store.collections)
    coded = "not compressed" if store.info.codec == "none" else label_of(store.info.codec)
    return f"{versions:,} updates, {coded}" if versions else coded


def _specs(backend: Backend, auto: str) -> list[str]:
    """Return the specs to measure: what auto writes, then each codec at its usual effort, or one codec's efforts."""
    if len(backend.codecs) == 1:
        useful = [spec for spec in default_specs() if registry.codec(spec).id in backend.codecs]
    else:
        useful = [name for name in backend.codecs if registry.unavailable(registry.codecs()[name]) is None]
    apart: dict[str, str] = {}
    for spec in (auto, *useful):
        apart.setdefault(_told_apart(registry.codec(spec)), spec)
    return list(apart.values())


def _sample(store: Store, progress: Progress) -> _Sample:
    text = store.whole_text() if isinstance(store, HasText) else None
    if text is not None:
        blocks = [text[start : start + BLOCK] for start in range(0, len(text), BLOCK)] or [b""]
        return _Sample(_some(blocks), len(text), len(blocks), rows=False, other_bytes=0)
    rows: list[bytes] = []
    stored = 0
    for entry in track(store.collections, progress, len(store.collections)):
        updates = stored_rows(store, entry.name, progress)
        if updates is None:
            raise InspectorError(f"{store.path} is damaged, so nothing can be measured on it; repair it first.")
        for update in updates:
            rows.append(update.data if update.data is not None else update.blob or b"")
            stored += len(update.blob or b"")
    overhead = _overhead(store, sum(map(len, rows)), stored)
    return _Sample(_some(rows), sum(map(len, rows)), len(rows), rows=True, other_bytes=overhead)


def _overhead(store: Store, decoded: int, stored: int) -> int:
    """Return the bytes that a rewritten file holds beside its updates: pages, index, names.

    Measured by writing a small store once into a private folder; of a larger one it is what the present file has.
    """
    if decoded > TRIAL:
        return max(store.info.size - stored, 0)
    backend = registry.backend(store.info.format)
    return max(written_size(store, backend, registry.codec(backend.default_codec)) - decoded, 0)


def _some(pieces: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return pieces up to `SAMPLE` bytes in random order, the same each time."""
    drawn, left = [], SAMPLE
    for piece in random.Random(1).sample(pieces, len(pieces)):
        if len(piece) <= left:
            drawn.append(piece)
            left -= len(piece)
    return tuple(drawn)


def _measure(spec: str, backend: Backend, store: Store, sample: _Sample, *, budget: float) -> Candidate:
    codec = registry.codec(spec)
    sizes: list[tuple[int, int]] = []
    encode_s = decode_s = 0.0
    done = 0
    for piece in sample.pieces:
        began = time.perf_counter()
        coded = codec.encode(piece)
        between = time.perf_counter()
        codec.decode(coded, len(piece))
        encode_s, decode_s = encode_s + between - began, decode_s + time.perf_counter() - between
        done += len(piece)
        sizes.append((len(piece), min(len(coded), len(piece)) if sample.rows else len(coded)))
        if encode_s + decode_s > budget:
            break
    estimate, low, high = _estimate(sizes, sample)
    unit = "each update compressed" if sample.rows else "the whole text in one chunk"
    plain = codec.id == "none"
    detail = "without checkpoints and free pages" if plain else unit
    label = "Rewrite plain" if plain else label_of(_told_apart(codec))
    return Candidate(
        "rewrite" if plain else "compress", spec, label, detail, estimate, low, high,
        done / encode_s / 1e6 if encode_s else None, done / decode_s / 1e6 if decode_s else None,
        backend.opens_in(codec),
    )  # fmt: skip


def _told_apart(codec: Codec) -> str:
    """Return the spec of *codec* with its method and effort, and other parameters only where they are not usual."""
    usual = codec.parameters()
    shown = [(name, getattr(codec, name)) for name in usual]
    words = [f"{name}={value}" for name, value in shown if name in _NAMED or value != usual[name]]
    return codec.id + (":" + ",".join(words) if words else "")


def _estimate(sizes: list[tuple[int, int]], sample: _Sample) -> tuple[int, int, int]:
    """Return (estimate, low, high) bytes of the whole file from (plain, coded) bytes of the pieces measured."""
    plain, coded = sum(p for p, _ in sizes), sum(c for _, c in sizes)
    if plain in (0, sample.total_bytes):
        whole = coded + sample.other_bytes
        return whole, whole, whole
    drawn = random.Random(2)
    ratios = sorted(_ratio(drawn.choices(sizes, k=len(sizes))) for _ in range(200))
    bounds = (coded / plain, ratios[4], ratios[195])
    estimate, low, high = (round(ratio * sample.total_bytes) + sample.other_bytes for ratio in bounds)
    return estimate, low, high


def _ratio(sizes: Sequence[tuple[int, int]]) -> float:
    return sum(c for _, c in sizes) / max(sum(p for p, _ in sizes), 1)


def _recommend(candidates: list[Candidate], goal: str) -> tuple[Candidate, ...]:
    """Mark one candidate: only what opens wherever ``auto``'s choice opens, and only if it saves enough."""
    leave = candidates[-1]
    usual = next((c for c in candidates[:-1] if c.auto), leave)
    worth = [c for c in candidates[:-1] if c.opens_in == usual.opens_in and _saved(c, leave) >= WORTH]
    if not worth:
        best = leave
        reason = f"Nothing that every reader opens saves {_percent(WORTH)} of this file; leave it as it is."
    else:
        smallest = min(worth, key=lambda c: c.estimate)
        fastest = max(worth, key=lambda c: c.decode_mb_s or 0)
        balanced = usual if usual in worth else smallest
        best = {"smallest": smallest, "fastest": fastest}.get(goal, balanced)
        saved = _percent(_saved(best, leave))
        reason = f"{best.label} saves {saved} of the file, and every reader of the format opens the result."
    return tuple(replace(c, recommended=c is best, reason=reason if c is best else "") for c in candidates)


def _saved(candidate: Candidate, leave: Candidate) -> float:
    return 1 - candidate.estimate / leave.estimate if leave.estimate else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def coded(candidate: Candidate) -> Codec:
    """Return the codec of a candidate."""
    return registry.codec(candidate.codec)


def needs_configuration(store: Store, candidate: Candidate) -> bool:
    """Say whether readers of the format open the result only after they were configured."""
    backend = registry.backend(store.info.format)
    return candidate.action == "compress" and isinstance(backend, Compresses) and backend.keeps_history
