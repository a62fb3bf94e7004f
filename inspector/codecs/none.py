"""Plain bytes: the codec that changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._streams import over_limit
from inspector.model import Codec


@dataclass(frozen=True)
class Plain(Codec):
    """Stores bytes as they are; both ways make a real copy, so that timings compare with other codecs."""

    id: ClassVar[str] = "none"
    label: ClassVar[str] = "None"

    def encode(self, data: bytes) -> bytes:
        """Return a copy of *data*."""
        return bytes(memoryview(data))

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return a copy of *data*. Raises `DecodeError` beyond *limit* bytes."""
        if len(data) > limit:
            raise over_limit("plain", limit)
        return bytes(memoryview(data))


CODEC = Plain
