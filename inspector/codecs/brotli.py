"""Brotli streams (RFC 7932). They have no magic number and no checksum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._library import needs
from inspector.codecs._streams import SLICE, ends_early, more_follows, over_limit, refusals
from inspector.model import Codec

_STEP = 1 << 20
"""Output bytes asked for at once."""


@dataclass(frozen=True)
class Brotli(Codec):
    """Brotli with the library's default window. One stream; nothing may follow it."""

    id: ClassVar[str] = "brotli"
    label: ClassVar[str] = "Brotli"
    library: ClassVar[str | None] = "brotli"
    package: ClassVar[str | None] = "brotli"
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"quality": (0, 11)}

    quality: int = 4

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one stream."""
        with needs(Brotli):
            import brotli

        compress: Callable[..., bytes] = brotli.compress
        return compress(data, quality=self.quality)

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes. Raises `DecodeError`."""
        with needs(Brotli):
            import brotli

        decompressor = brotli.Decompressor()
        view = memoryview(data)
        position, left = 0, limit
        parts: list[bytes] = []
        with refusals("Brotli", brotli.error):
            while not decompressor.is_finished():
                piece = b""
                if decompressor.can_accept_more_data():
                    piece = bytes(view[position : position + SLICE])
                    position += len(piece)
                out = decompressor.process(piece, output_buffer_limit=min(left + 1, _STEP))
                # it also takes more where all input is in, but not all output out
                if not piece and not out and not decompressor.is_finished() and position == len(view):
                    raise ends_early("Brotli")
                parts.append(out)
                left -= len(out)
                if left < 0:
                    raise over_limit("Brotli", limit)
        if position < len(view):
            raise more_follows("Brotli", len(view) - position)
        return parts[0] if len(parts) == 1 else b"".join(parts)


CODEC = Brotli
