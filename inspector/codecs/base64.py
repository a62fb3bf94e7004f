"""Base64 of zlib, met in stores that keep text where bytes belong; read only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._streams import refusals, unpack
from inspector.model import Codec


@dataclass(frozen=True)
class Base64(Codec):
    """A zlib stream as base64 text: standard alphabet, padded, no line breaks. Nothing may follow it."""

    id: ClassVar[str] = "base64"
    label: ClassVar[str] = "Base64 of zlib"
    writes: ClassVar[bool] = False

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes. Raises `DecodeError`."""
        import base64
        import binascii
        import zlib

        with refusals("base64", binascii.Error, zlib.error):
            stream = base64.b64decode(data, validate=True)
            return unpack(stream, limit, name="base64", start=zlib.decompressobj)


CODEC = Base64
