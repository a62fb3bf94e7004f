"""bzip2 files, as ``bz2.compress`` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._streams import refusals, unpack
from inspector.model import Codec


@dataclass(frozen=True)
class Bz2(Codec):
    """Burrows-Wheeler compression; *level* is the block size in 100 kB. Several streams are joined, as in ``bzip2``."""

    id: ClassVar[str] = "bz2"
    label: ClassVar[str] = "bzip2"
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"level": (1, 9)}

    level: int = 9

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one bzip2 stream."""
        import bz2

        return bz2.compress(data, self.level)

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes of all streams. Raises `DecodeError`."""
        import bz2

        with refusals("bzip2", OSError):
            return unpack(data, limit, name="bzip2", start=bz2.BZ2Decompressor, padding=0)


CODEC = Bz2
