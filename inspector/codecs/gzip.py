"""gzip files (RFC 1952), written with no name and time 0, so that equal input gives equal bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._streams import refusals, unpack
from inspector.model import Codec

_GZIP_WINDOW = 31
"""zlib's ``wbits`` for 32 KiB windows in a gzip wrapper."""


@dataclass(frozen=True)
class Gzip(Codec):
    """Deflate in a gzip wrapper. Several members are joined, zero bytes after a member are padding, as in ``gzip``."""

    id: ClassVar[str] = "gzip"
    label: ClassVar[str] = "gzip"
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"level": (0, 9)}

    level: int = 6

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one gzip member with time 0."""
        import zlib

        return zlib.compress(data, self.level, _GZIP_WINDOW)

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes of all members. Raises `DecodeError`."""
        import zlib

        with refusals("gzip", zlib.error):
            return unpack(data, limit, name="gzip", start=lambda: zlib.decompressobj(_GZIP_WINDOW), padding=1)


CODEC = Gzip
