"""Figures that others published, each with its source; where they did not, those of an earlier run of the same table.

Where nothing is known of a figure it is measured and shown alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from inspector.operations.benchmark_model import Comparison

README = "BetterJSONStorage README, MacBook of 2021"
EARLIER = "not published: our run, 2 cores, blosc2 2.7.1"
DISCUSSION = "pycrdt-store discussion, ystore of 1.51 GB"
DEMO = "JSON in the demo of Docchi's author, 2021"
DOCCHI = "Docchi in its author's demo, 2021"

JSON_STORAGE, BETTER = "JSONStorage", "BetterJSONStorage"


@dataclass(frozen=True, slots=True)
class Published:
    """One figure in the unit that its comparison has."""

    subject: str
    figure: str
    value: float
    source: str
    data: str = ""


SETS: tuple[Published, ...] = (
    Published(BETTER, "size", 28_516, EARLIER, "citm_catalog"),
    Published(BETTER, "size", 1_230_563, EARLIER, "canada"),
    Published(BETTER, "size", 75_972, EARLIER, "twitter"),
    Published(JSON_STORAGE, "size", 83_750, EARLIER, "140 items"),
    Published(BETTER, "size", 40_715, EARLIER, "140 items"),
    Published(JSON_STORAGE, "insert", 0.220, EARLIER, "140 items"),
    Published(BETTER, "insert", 0.007, EARLIER, "140 items"),
    Published(BETTER, "close", 0.015, EARLIER, "140 items"),
)
"""Sizes of the first three are those of the default chunk of the minified file."""

CITM: tuple[Published, ...] = (
    Published("JSONStorage over BetterJSONStorage", "total time", 113, README),
    Published(JSON_STORAGE, "size", 8_500_000, README),
    Published(BETTER, "size", 373_000, README),
    Published("JSONStorage over BetterJSONStorage", "total time", 1590, EARLIER),
    Published(JSON_STORAGE, "size", 8_425_802, EARLIER),
    Published(BETTER, "size", 369_863, EARLIER),
    Published(JSON_STORAGE, "write", 26.9, EARLIER),
    Published(BETTER, "write", 0.050, EARLIER),
    Published(JSON_STORAGE, "read", 179.1, EARLIER),
    Published(BETTER, "read", 0.055, EARLIER),
    Published(JSON_STORAGE, "total", 206.0, EARLIER),
    Published(BETTER, "total", 0.13, EARLIER),
)


def _codec(name: str, ratio: float, compress: float | None = None, decompress: float | None = None) -> list[Published]:
    found = [Published(name, "ratio", ratio, DISCUSSION)]
    found += [Published(name, "compress", compress, DISCUSSION)] if compress else []
    found += [Published(name, "decompress", decompress, DISCUSSION)] if decompress else []
    return found


WHOLE_STORE: tuple[Published, ...] = (
    *_codec("gzip", 9.8, 99, 630),
    *_codec("lz4", 7.0, 172, 1080),
    *_codec("zstd", 12.2, 182, 1510),
    *_codec("lzma", 12.1, 58, 520),
    *_codec("bz2", 7.2, 15, 81),
    *_codec("zlib", 5.9),
    *_codec("brotli", 10.6, 157, 890),
    *_codec("numcodecs", 10.3, 93, 1890),
)
"""Ratios and MB/s of the whole store; the parameters of the codecs were not published."""

STRINGS_JSON: tuple[Published, ...] = (
    Published("JSON files", "all saves", 1.906, DEMO),
    Published("JSON files", "load", 0.094, DEMO),
)

STRINGS_SHARES: tuple[Published, ...] = (
    Published("Docchi", "size over JSON", 0.17, DOCCHI),
    Published("Docchi", "saves over JSON", 604 / 1906, DOCCHI),
    Published("Docchi", "load over JSON", 40 / 94, DOCCHI),
)
"""Docchi as shares of whole JSON in the same run, which depend less on the machine: 173,005,171 bytes or 17 %, 604 ms
of 1906 to save, 40 of 94 to load."""


def beside(measured: Comparison, known: Sequence[Published]) -> Iterator[Comparison]:
    """Yield *measured* beside each figure of *known* with its subject, figure and data; alone if there is none."""
    found = [
        each
        for each in known
        if (each.subject, each.figure) == (measured.subject, measured.figure) and each.data in ("", measured.data)
    ]
    for each in found:
        yield replace(measured, published=each.value, source=each.source)
    if not found:
        yield measured
