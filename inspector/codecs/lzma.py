"""LZMA in its two containers: ``.xz`` files, and the older ``.lzma`` ("alone") files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from inspector.codecs._streams import refusals, unpack
from inspector.model import Codec

_MEMORY = 128 << 20
"""Most bytes for the dictionary that a file's header asks for; preset 9 takes 65 MiB."""


@dataclass(frozen=True)
class Lzma(Codec):
    """LZMA. Several xz streams are joined, with zero bytes in fours after one as padding; ``alone`` is one stream."""

    id: ClassVar[str] = "lzma"
    label: ClassVar[str] = "LZMA"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {"container": ("xz", "alone")}
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {"preset": (0, 9)}

    preset: int = 6
    container: str = "xz"

    def encode(self, data: bytes) -> bytes:
        """Return *data* as one stream in the container."""
        import lzma

        form = lzma.FORMAT_ALONE if self.container == "alone" else lzma.FORMAT_XZ
        return lzma.compress(data, format=form, preset=self.preset)

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes; the other container is refused. Raises `DecodeError`."""
        import lzma

        alone = self.container == "alone"
        form, padding = (lzma.FORMAT_ALONE, None) if alone else (lzma.FORMAT_XZ, 4)
        with refusals(f"LZMA ({self.container})", lzma.LZMAError):
            return unpack(
                data,
                limit,
                name=f"LZMA ({self.container})",
                start=lambda: lzma.LZMADecompressor(form, memlimit=_MEMORY),
                padding=padding,
            )


CODEC = Lzma
