"""One sentence of advice from a benchmark, with its reason; never a choice inside the noise.

Codecs are compared by the time to write the data and read it again over a disk or network of 100 MB/s. Two codecs
whose intervals of that time overlap are equally fast; of these the smaller is advised, since sizes have no noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.operations.benchmark_model import MEGA, Report, Result, spread
from inspector.operations.charts_model import label_of

BANDWIDTH = 100 * MEGA
"""Bytes a second that the disk or network of the comparison moves."""

FEWEST = 3
"""Samples under which nothing is advised."""

WORTH = 1.1
"""Ratio under which compressing is not worth it: less than a tenth saved."""


@dataclass(frozen=True, slots=True)
class Total:
    """One codec on all data sets: *low*, *median*, *high* seconds to write and read over `BANDWIDTH`."""

    codec: str
    size: int
    ratio: float
    low: float
    median: float
    high: float
    samples: int
    encode_mb_s: float
    decode_mb_s: float


def totals(report: Report) -> list[Total]:
    """Return the totals of the codecs that were measured on every data set, fastest first."""
    cases = {(r.data, r.unit) for r in report.results}
    by_codec: dict[str, list[Result]] = {}
    for result in report.results:
        by_codec.setdefault(result.codec, []).append(result)
    whole = [_total(report, results) for results in by_codec.values() if len(results) == len(cases)]
    return sorted(whole, key=lambda total: (total.median, total.size, total.codec))


def _total(report: Report, results: Sequence[Result]) -> Total:
    size = sum(r.size for r in results)
    decoded = sum(report.bytes_of(r.data) for r in results)
    moving = 2 * size / BANDWIDTH
    encode, decode = [r.encode for r in results], [r.decode for r in results]
    times = encode + decode
    return Total(
        codec=results[0].codec,
        size=size,
        ratio=decoded / size,
        low=moving + sum(time.low for time in times),
        median=moving + sum(time.median for time in times),
        high=moving + sum(time.high for time in times),
        samples=min(time.count for time in times),
        encode_mb_s=decoded / MEGA / sum(time.median for time in encode),
        decode_mb_s=decoded / MEGA / sum(time.median for time in decode),
    )


def advice(report: Report) -> str:
    """Return one sentence: the codec to take and why, or why none can be named."""
    if report.comparisons:
        return _published_advice(report)
    found = totals(report)
    if not found:
        return _history_advice(report) if report.history else _storage_advice(report)
    if min(total.samples for total in found) < FEWEST:
        return f"Fewer than {FEWEST} samples a codec say nothing about the spread: measure again with {FEWEST} or more."
    best = found[0]
    rivals = [total for total in found if total.low <= best.high]
    chosen = min(rivals, key=lambda total: (total.size, total.median, total.codec))
    if chosen.ratio < WORTH:
        return "Leave the data as they are: no codec brings them to a reader sooner over 100 MB/s than a plain copy."
    figures = (
        f"{chosen.ratio:.2f} times smaller, {_speed(chosen.encode_mb_s)} MB/s to write, "
        f"{_speed(chosen.decode_mb_s)} MB/s to read"
    )
    name = label_of(chosen.codec)
    others = [label_of(total.codec) for total in rivals if total is not chosen]
    if not others:
        return f"{name} for everyday use: {figures}; moved over a link of 100 MB/s, no other is as fast."
    return (
        f"{name} for everyday use: {figures}; it is the smallest of the {len(rivals)} whose times over "
        f"100 MB/s lie within each other's spread ({', '.join(others)})."
    )


def _speed(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _storage_advice(report: Report) -> str:
    first_data = [r for r in report.storages if r.data == report.storages[0].data]
    inserts = {r.storage: r.time for r in first_data if r.step == "insert"}
    if len(inserts) < 2:
        return "Nothing to compare: measure two or more codecs or storages."
    ordered = sorted(inserts, key=lambda name: inserts[name].median)
    first, last = inserts[ordered[0]], inserts[ordered[-1]]
    if first.count < FEWEST:
        return (
            f"Fewer than {FEWEST} runs of a storage say nothing about the spread: measure again with {FEWEST} or more."
        )
    if last.low <= first.high:
        return f"{ordered[0]} and {ordered[-1]} insert equally fast: their times lie within each other's spread."
    sizes = {r.storage: r.size for r in first_data}
    return (
        f"{ordered[0]} inserts {last.median / first.median:.1f} times faster than {ordered[-1]} and its file has "
        f"{sizes[ordered[0]] / sizes[ordered[-1]]:.2f} times the size; see the notes for what was on disk by then."
    )


def _history_advice(report: Report) -> str:
    first = [r for r in report.history if r.data == report.history[0].data and not r.control]
    if len(first) < 2:
        return "Nothing to compare: measure two or more ways to keep versions."
    small, fast = min(first, key=lambda r: r.size), min(first, key=lambda r: r.total)
    load = min(first, key=lambda r: r.load.median)
    speed = (
        "saves and loads fastest" if fast is load else f"saves fastest, {load.way} loads the deepest version fastest"
    )
    return (
        f"{small.way} keeps {small.saves} versions in the fewest bytes, {small.share * 100:.3g} % of whole JSON; "
        f"{fast.way} {speed}."
    )


def _published_advice(report: Report) -> str:
    compared = [each for each in report.comparisons if each.ratio is not None]
    own = len(report.comparisons) - len(compared)
    alone = f" {own} figures stand alone: none is known of them." if own else ""
    return (
        f"{len(compared)} known figures, each with its source, beside those of this machine. The ratio is measured "
        f"over known: of a time or size less is better, of a speed or compression ratio more.{alone}"
    )


def widest_spread(report: Report) -> tuple[str, float] | None:
    """Return the codec with the largest spread of its times and that spread (0.04 is ±4 %), None without results."""
    spreads = [(r.codec, max(spread(r.encode_s).relative, spread(r.decode_s).relative)) for r in report.results]
    return max(spreads, key=lambda pair: pair[1], default=None)
