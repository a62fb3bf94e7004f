"""The chunks of BetterJSONStorage files: blosc 1 and blosc2 headers, where chunks end, and what can be decoded.

A header is little-endian: version, inner version, flags, typesize (a byte each), then as 32-bit integers the decoded
size, the block size and the chunk's own size; blosc2 adds 16 bytes, of which byte 22 names the codec. Offsets of the
blocks follow (blosc2's README_CHUNK_FORMAT.rst; every generation from blosc 1.11 to blosc2 4.14 was tried).
blosclz and lz4 carry no checksum: a flipped bit decodes to wrong text without any error.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from inspector.backends._needs import needs
from inspector.backends._work import watched
from inspector.model import DECODE_LIMIT, DecodeError
from inspector.progress import Progress

MAX_TEXT = 2_147_483_615
"""Bytes that one chunk can hold: BLOSC2_MAX_BUFFERSIZE."""

HEADER = 32
"""Bytes of the longer, blosc2 header."""

_HEADER_1 = 16
_STORED = 0x02  # flag: the data is not compressed
_EXTENDED = 0x05  # shuffle and bitshuffle together, which never occurs, mark a blosc2 header
_NAMES = {0: "blosclz", 1: "lz4", 2: "lz4hc", 3: "snappy", 4: "zlib", 5: "zstd"}
_FILTERS = frozenset((0, 1, 2, 3, 4, 35))  # others are plug-ins, for which the library would load code
_LAZY_OR_SPECIAL = 0x78  # bits of byte 31: data that lies elsewhere, or one value repeated, which is no JSON
_PURPOSE = "A BetterJSON file"
_FLAG_NAMES = {0: "blosclz", 1: "lz4", 2: "snappy", 3: "zlib", 4: "zstd"}


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk's header: where it starts, its sizes in bytes, and what it was made with."""

    start: int
    version: int
    flags: int
    typesize: int
    decoded: int
    block: int
    size: int
    codec: str
    header: int

    @property
    def stop(self) -> int:
        """Offset behind the chunk."""
        return self.start + self.size

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.decoded // self.block)

    @property
    def stored(self) -> bool:
        """True if the data is not compressed."""
        return bool(self.flags & _STORED)


def read_header(data: bytes, start: int) -> Chunk | None:
    """Return the chunk that begins with *data*, found at offset *start*; None if the sizes make no sense together."""
    if len(data) < _HEADER_1:
        return None
    version, inner, flags, typesize, decoded, block, size = struct.unpack_from("<BBBBiii", data)
    extended = version >= 3 and flags & _EXTENDED == _EXTENDED
    header = HEADER if extended else _HEADER_1
    if not (2 <= version <= 5 and inner == 1 and typesize and decoded > 0 and 0 < block <= decoded and size >= header):
        return None
    if extended and (len(data) < HEADER or data[31] & _LAZY_OR_SPECIAL or not _FILTERS.issuperset(data[16:22])):
        return None
    codec = _NAMES.get(data[22]) if extended else _FLAG_NAMES.get(flags >> 5)
    if codec is None:
        return None
    chunk = Chunk(start, version, flags, typesize, decoded, block, size, codec, header)
    table = 0 if chunk.stored else 4 * chunk.blocks
    fits = size == decoded + header if chunk.stored else header + table <= size <= decoded + header + table + block
    return chunk if fits and decoded <= DECODE_LIMIT else None


@contextmanager
def free_interpreter() -> Iterator[None]:
    """Let blosc2 run without holding the interpreter, so that a window stays alive meanwhile.

    Raises `MissingLibrary`.
    """
    with needs("blosc2", _PURPOSE):
        import blosc2

    before = blosc2.set_releasegil(True)
    try:
        yield
    finally:
        blosc2.set_releasegil(before)


def decode(data: bytes, chunk: Chunk, progress: Progress) -> bytes:
    """Return the decoded bytes of one whole chunk. Raises `DecodeError`, `MissingLibrary`."""
    if len(data) != chunk.size:
        raise DecodeError(f"the chunk has {len(data):,} of {chunk.size:,} bytes")
    if not chunk.stored and _blocks_inside(data, chunk) < chunk.blocks:
        raise DecodeError("a block of the chunk does not lie inside it")
    return watched(lambda: _decompress(data, chunk.decoded), progress)


def _decompress(data: bytes, decoded: int) -> bytes:
    with needs("blosc2", _PURPOSE):
        import blosc2

    decompress: Callable[..., Any] = blosc2.decompress2  # unlike `decompress` it knows where the data ends
    with free_interpreter():
        try:
            text = bytes(decompress(data))
        except (RuntimeError, ValueError, TypeError, MemoryError) as error:
            raise DecodeError(f"blosc2 cannot decompress the chunk: {error}") from error
    if len(text) != decoded:
        raise DecodeError(f"the chunk decodes to {len(text):,} bytes instead of {decoded:,}")
    return text


def decode_leading(data: bytes, chunk: Chunk, progress: Progress) -> bytes:
    """Return the leading blocks of a cut or damaged chunk, as many as lie inside *data* and decode; maybe none."""
    if chunk.stored:
        return data[chunk.header : chunk.size]
    whole = _blocks_inside(data, chunk)
    least = 0
    text = b""
    while least < whole:  # the most leading blocks that decode, by bisection
        middle = (least + whole + 1) // 2
        try:
            text = watched(lambda number=middle: _decompress_leading(data, chunk, number), progress)  # type: ignore[misc]
        except DecodeError:
            whole = middle - 1
        else:
            least = middle
    return text


def _blocks_inside(data: bytes, chunk: Chunk) -> int:
    """Return how many leading blocks lie inside *data* whole; past a cut blosc2 gives wrong bytes without an error."""
    table = data[chunk.header : chunk.header + 4 * chunk.blocks]
    offsets = struct.unpack(f"<{len(table) // 4}i", table[: len(table) // 4 * 4])
    if len(offsets) < chunk.blocks:
        return 0
    following = dict(zip(sorted(offsets), [*sorted(offsets)[1:], chunk.size], strict=True))
    for number, offset in enumerate(offsets):
        if not chunk.header + 4 * chunk.blocks <= offset < following[offset] <= len(data):
            return number
    return chunk.blocks


def _decompress_leading(data: bytes, chunk: Chunk, number: int) -> bytes:
    """Decode the first *number* blocks: a chunk whose header announces no more of them."""
    decoded = min(number * chunk.block, chunk.decoded)
    header = bytearray(data[: chunk.header])
    struct.pack_into("<i", header, 4, decoded)
    struct.pack_into("<i", header, 12, min(len(data), chunk.size))
    return _decompress(bytes(header) + data[chunk.header : chunk.size], decoded)


def made_by(chunk: Chunk) -> str | None:
    """Return what writes chunks like this one, where it can be told."""
    if chunk.version == 2:
        return "BetterJSONStorage 0.3–1.2.4 (blosc 1)"
    if chunk.codec == "blosclz" and chunk.typesize in (1, 8):
        return "BetterJSONStorage 1.2.5 or later (blosc2)"
    if chunk.typesize == 8:
        return "BetterJSONStorage 1.2.5 or later (blosc2 3 or later)"
    return None
