"""LZ4 in its two containers: frames, and single blocks after their length (``lz4.block``, numcodecs.LZ4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from inspector.codecs._library import needs
from inspector.codecs._streams import ends_early, over_limit, refusals, unpack
from inspector.model import Codec, DecodeError, InspectorError

_LENGTH = 4
"""Bytes of the little-endian decoded length before a block."""
_HIGH = 3
"""Least level of the slower, smaller mode."""
_EXPANSION = 255
"""Most output bytes that one byte of a block stands for (LZ4 block format description)."""
_MAX_BLOCK = 0x7E000000
"""LZ4_MAX_INPUT_SIZE."""


@dataclass(frozen=True)
class Lz4(Codec):
    """LZ4; levels from 3 on take the high compression mode. Several frames are joined; a block is all of the data."""

    id: ClassVar[str] = "lz4"
    label: ClassVar[str] = "LZ4"
    library: ClassVar[str | None] = "lz4"
    package: ClassVar[str | None] = "lz4"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {"container": ("frame", "block")}
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"level": (0, 12)}

    level: int = 0
    container: str = "frame"

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one frame, or as its length and one block."""
        frames, blocks = _library()
        if self.container == "frame":
            frame: bytes = frames.compress(data, compression_level=self.level)
            return frame
        if len(data) > _MAX_BLOCK:
            raise InspectorError(f"An LZ4 block holds at most {_MAX_BLOCK:,} bytes; use lz4 with container=frame.")
        high = {"mode": "high_compression", "compression": self.level} if self.level >= _HIGH else {}
        block: bytes = blocks.compress(data, store_size=True, **high)
        return block

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes; the other container is refused. Raises `DecodeError`."""
        frames, blocks = _library()
        if self.container == "frame":
            with refusals("LZ4 frame", RuntimeError):
                return unpack(
                    data, limit, name="LZ4 frame", start=lambda: _Frame(frames.LZ4FrameDecompressor()), padding=0
                )
        _check_length(data, limit)
        with refusals("LZ4 block", blocks.LZ4BlockError, ValueError):
            block: bytes = blocks.decompress(data)
            return block


def _library() -> tuple[Any, Any]:
    """Return the library's modules for frames and for blocks."""
    with needs(Lz4):
        import lz4.block
        import lz4.frame

    return lz4.frame, lz4.block


def _check_length(data: bytes, limit: int) -> None:
    """Refuse a length that the block cannot have, before memory is taken for it."""
    if len(data) <= _LENGTH:
        raise ends_early("LZ4 block")
    length = int.from_bytes(data[:_LENGTH], "little")
    if length > (len(data) - _LENGTH) * _EXPANSION:
        raise DecodeError("no sound LZ4 block data: longer by its head than it can be")
    if length > limit:
        raise over_limit("LZ4 block", limit)


class _Frame:
    """Lets the frame decompressor take whole slices: asked for a most length, it takes that much memory at once.

    A slice of 32 KiB gives at most some 12 MB: 255 bytes a byte, and one block of 4 MB that began before.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data or b""

    def decompress(self, data: memoryview, _max_length: int, /) -> bytes:
        out: bytes = self._inner.decompress(data)
        return out


CODEC = Lz4
