"""Blosc chunks: written as blosc2 chunks of one-byte items without filters, read from every generation.

BetterJSONStorage calls ``blosc2.decompress`` on the bytes, which reads what is written here; every blosc2 reads
the chunks of every other blosc2 and of blosc 1 (numcodecs.Blosc).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from inspector.codecs._blosc_header import check_chunk, read_header
from inspector.codecs._library import needs
from inspector.codecs._streams import ends_early, more_follows, over_limit, refusals
from inspector.model import Codec, DecodeError, InspectorError

_MAX_BLOCK = 536_866_816
"""BLOSC2_MAXBLOCKSIZE: the library writes chunks with greater blocks, but does not read all of them."""


@dataclass(frozen=True)
class Blosc2(Codec):
    """One Blosc chunk, and nothing after it: a reader of files with a dead tail cuts at the chunk's own length.

    Filters only harm JSON and CRDT updates, and item sizes over 1 refuse most lengths, so neither is offered.
    """

    id: ClassVar[str] = "blosc2"
    label: ClassVar[str] = "Blosc2"
    library: ClassVar[str | None] = "blosc2"
    package: ClassVar[str | None] = "blosc2"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {"codec": ("zstd", "lz4", "lz4hc", "blosclz", "zlib")}
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"level": (0, 9), "blocksize": (1 << 12, _MAX_BLOCK)}

    codec: str = "zstd"
    level: int = 1
    blocksize: int = 1 << 20

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one chunk. Raises `InspectorError` beyond the 2 GiB that a chunk holds."""
        with needs(Blosc2):
            import blosc2

        if len(data) > blosc2.MAX_BUFFERSIZE:
            raise InspectorError(f"A Blosc chunk holds at most {blosc2.MAX_BUFFERSIZE:,} bytes; choose another codec.")
        compress: Callable[..., Any] = blosc2.compress2
        chunk = compress(
            data,
            codec=blosc2.Codec[self.codec.upper()],
            clevel=self.level,
            typesize=1,
            blocksize=self.blocksize,
            filters=[blosc2.Filter.NOFILTER],
            # starting threads costs more than they bring where there is one block
            nthreads=blosc2.nthreads if len(data) > self.blocksize else 1,
        )
        return bytes(chunk)

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes. Raises `DecodeError`."""
        with needs(Blosc2):
            import blosc2

        header = read_header(data)
        if header is None:
            raise DecodeError("no Blosc chunk")
        if header.cbytes > len(data):
            raise ends_early("Blosc")
        if header.cbytes < len(data):
            raise more_follows("Blosc", len(data) - header.cbytes)
        check_chunk(header, data)
        if header.nbytes > limit:
            raise over_limit("Blosc", limit)
        threads = blosc2.nthreads if header.nbytes > header.blocksize else 1
        with refusals("Blosc", RuntimeError, ValueError):
            # not decompress: that one is not told where the data ends, and a damaged block offset kills the process
            decompress: Callable[..., Any] = blosc2.decompress2
            return bytes(decompress(data, nthreads=threads))


CODEC = Blosc2
