"""zlib streams (RFC 1950), as ``zlib.compress`` and numcodecs.Zlib write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._streams import refusals, unpack
from inspector.model import Codec


@dataclass(frozen=True)
class Zlib(Codec):
    """Deflate with a two-byte head and a checksum. One stream; nothing may follow it."""

    id: ClassVar[str] = "zlib"
    label: ClassVar[str] = "zlib"
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"level": (0, 9)}

    level: int = 6

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one zlib stream."""
        import zlib

        return zlib.compress(data, self.level)

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes. Raises `DecodeError`."""
        import zlib

        with refusals("zlib", zlib.error):
            return unpack(data, limit, name="zlib", start=zlib.decompressobj)


CODEC = Zlib
