"""Timing one codec on one workload: warm-up, samples of whole passes, every result verified outside the clock."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from inspector.model import DECODE_LIMIT, Codec, InspectorError
from inspector.operations.benchmark_data import Workload
from inspector.operations.benchmark_model import MEGA, Result, spread

SHORTEST = 0.0002
"""Seconds that one sample takes at least: shorter passes are repeated inside it, or the clock's own cost shows."""

FEWEST = 3
"""Samples that a case takes at least where no number is given: under three, quartiles mean nothing."""

MOST = 200
"""Samples that a case takes at most where no number is given."""


class WrongResult(InspectorError):
    """A codec gave back other bytes than it was given."""


@dataclass
class Case:
    """One codec on one workload with the samples taken so far, as long as the rule *runs*, *min_time* asks for more."""

    work: Workload
    codec: Codec
    runs: int | None = None
    min_time: float = 0.5
    encode_s: list[float] = field(default_factory=list)
    decode_s: list[float] = field(default_factory=list)
    size: int = 0
    grew: int = 0
    _stored: list[bytes] = field(default_factory=list)
    _repeats: tuple[int, int] = (1, 1)

    def warm_up(self) -> None:
        """Run one pass that does not count, and find how often a pass fits into the shortest sample."""
        pieces = self.work.pieces
        encode_s, self._stored = _timed(self.codec.encode, pieces, 1)
        decode_s, decoded = _timed(self._decode, self._stored, 1)
        self._verify(decoded)
        self.size = sum(map(len, self._stored))
        self.grew = sum(len(after) > len(before) for before, after in zip(pieces, self._stored, strict=True))
        self._repeats = (_fitting(encode_s), _fitting(decode_s))

    def sample(self) -> None:
        """Take one sample of each way that needs more. Raises `WrongResult` if what comes back differs."""
        if not self.encode_s:
            self.warm_up()
        if self._share(self.encode_s, self._repeats[0]) < 1:
            with _no_collector():
                seconds, stored = _timed(self.codec.encode, self.work.pieces, self._repeats[0])
            if stored != self._stored:
                self._verify([self._decode(piece) for piece in stored])
            self.encode_s.append(seconds)
        if self._share(self.decode_s, self._repeats[1]) < 1:
            with _no_collector():
                seconds, decoded = _timed(self._decode, self._stored, self._repeats[1])
            self._verify(decoded)
            self.decode_s.append(seconds)
        if self.share >= 1:
            self._stored = []

    @property
    def share(self) -> float:
        """How much of the samples is taken, 1.0 when it is enough."""
        return min(self._share(self.encode_s, self._repeats[0]), self._share(self.decode_s, self._repeats[1]))

    def _share(self, samples: Sequence[float], repeats: int) -> float:
        if self.runs is not None:
            return len(samples) / self.runs
        if len(samples) >= MOST:
            return 1.0
        return min(len(samples) / FEWEST, sum(samples) * repeats / self.min_time if self.min_time > 0 else 1.0, 1.0)

    def result(self) -> Result:
        """Return the result of the samples so far."""
        size = self.work.data.bytes
        return Result(
            data=self.work.data.path,
            codec=self.codec.spec,
            unit=self.work.unit,
            size=self.size,
            ratio=size / self.size,
            encode_s=tuple(self.encode_s),
            decode_s=tuple(self.decode_s),
            encode_mb_s=size / MEGA / spread(self.encode_s).median,
            decode_mb_s=size / MEGA / spread(self.decode_s).median,
            grew=self.grew,
        )

    def _decode(self, stored: bytes) -> bytes:
        return self.codec.decode(stored, DECODE_LIMIT)

    def _verify(self, decoded: Sequence[bytes]) -> None:
        if not all(before == after for before, after in zip(self.work.pieces, decoded, strict=True)):
            raise WrongResult(
                f"{self.codec.spec} does not give back the bytes of {self.work.data.path}; do not use it."
            )


def _timed(step: Callable[[bytes], bytes], pieces: Sequence[bytes], repeats: int) -> tuple[float, list[bytes]]:
    """Return seconds of one pass of *step* over *pieces* (mean of *repeats*), and what the last pass gave."""
    results: list[bytes] = []
    start = time.perf_counter_ns()
    for _ in range(repeats):
        results = [step(piece) for piece in pieces]
    spent = time.perf_counter_ns() - start
    return max(spent, 1) / repeats / 1e9, results


def _fitting(seconds: float) -> int:
    return max(1, min(1000, round(SHORTEST / seconds)))


@contextmanager
def _no_collector() -> Iterator[None]:
    """Keep the cyclic garbage collector from running inside a sample of many rows."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
