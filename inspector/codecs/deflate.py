"""Raw deflate (RFC 1951), met in rows of hand-made stores; read only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._streams import refusals, unpack
from inspector.model import Codec

_RAW_WINDOW = -15
"""zlib's ``wbits`` for 32 KiB windows with no wrapper at all."""


@dataclass(frozen=True)
class Deflate(Codec):
    """Deflate without head or checksum. One stream; nothing may follow it."""

    id: ClassVar[str] = "deflate"
    label: ClassVar[str] = "Raw deflate"
    writes: ClassVar[bool] = False

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes. Raises `DecodeError`."""
        import zlib

        with refusals("deflate", zlib.error):
            return unpack(data, limit, name="deflate", start=lambda: zlib.decompressobj(_RAW_WINDOW))


CODEC = Deflate
