"""Zstandard frames (RFC 8878), as zstandard, numcodecs.Zstd and the ``zstd`` tool write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._library import needs
from inspector.codecs._streams import ends_early, over_limit, refusals
from inspector.model import Codec, DecodeError

_BLOCK = 1 << 17
"""Most bytes that one block decodes to."""
_HEADER = 18
"""Most bytes of a frame header."""
_RUN, _RESERVED = 1, 3
"""Block types: one byte repeated, and none yet."""
_CHECKSUM = 4
_SKIPPABLE, _SKIPPABLE_HEADER = b"\x2a\x4d\x18", 8
"""Bytes 1-3 of a skippable frame's magic number (its first is 50 to 5f), and the bytes before its content."""


@dataclass(frozen=True)
class Zstd(Codec):
    """Zstandard. Several frames are joined and skippable frames skipped, as in ``zstd``; nothing else may follow."""

    id: ClassVar[str] = "zstd"
    label: ClassVar[str] = "Zstandard"
    library: ClassVar[str | None] = "zstandard"
    package: ClassVar[str | None] = "zstandard"
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"level": (-7, 22)}

    level: int = 3

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one frame that holds its decoded size."""
        with needs(Zstd):
            import zstandard

        return zstandard.ZstdCompressor(level=self.level).compress(data)

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes of all frames. Raises `DecodeError`."""
        with needs(Zstd):
            import zstandard

        left = limit
        parts: list[bytes] = []
        with refusals("Zstandard", zstandard.ZstdError):
            for frame, size, most in _frames(data):
                if size is not None and size > left:
                    raise over_limit("Zstandard", limit)
                # one byte more than there may be: then the end of the frame, with its checksum, is read too
                reader = zstandard.ZstdDecompressor().stream_reader(frame)
                parts.append(reader.read(min(left, most) + 1))
                left -= len(parts[-1])
                if left < 0:
                    raise over_limit("Zstandard", limit)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def _frames(data: bytes) -> Iterator[tuple[memoryview, int | None, int]]:
    """Yield each frame, the decoded size it states, and the most bytes it can decode to.

    The stream reader stops at a cut without a word, so the blocks are walked here. Raises `DecodeError` where
    they do not end with the data, ZstdError where a header is none.
    """
    import zstandard

    view = memoryview(data)
    position = 0
    while position < len(view) or not position:
        head = bytes(view[position : position + _HEADER])
        if len(head) >= _SKIPPABLE_HEADER and head[1:4] == _SKIPPABLE and head[0] >> 4 == 5:
            position += _SKIPPABLE_HEADER + int.from_bytes(head[4:8], "little")
            if position > len(view):
                raise ends_early("Zstandard")
            continue
        parameters = zstandard.get_frame_parameters(head)
        end, blocks = _walk(view, position + zstandard.frame_header_size(head))
        end += _CHECKSUM if parameters.has_checksum else 0
        if end > len(view):
            raise ends_early("Zstandard")
        size = None if parameters.content_size == zstandard.CONTENTSIZE_UNKNOWN else parameters.content_size
        if size is not None and size > blocks * _BLOCK:
            raise DecodeError("no sound Zstandard data: its head states more bytes than its blocks can hold")
        yield view[position:end], size, blocks * _BLOCK if size is None else size
        position = end


def _walk(view: memoryview, position: int) -> tuple[int, int]:
    """Return where the blocks that begin at *position* end, and their number."""
    blocks = 0
    while True:
        head = int.from_bytes(view[position : position + 3], "little")
        if position + 3 > len(view):
            raise ends_early("Zstandard")
        last, kind, size = head & 1, head >> 1 & 3, head >> 3
        if kind == _RESERVED:
            raise DecodeError("no sound Zstandard data: unknown type of block")
        position += 3 + (1 if kind == _RUN else size)
        blocks += 1
        if last:
            return position, blocks


CODEC = Zstd
