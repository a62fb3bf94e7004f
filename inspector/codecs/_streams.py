"""The one loop that unpacks streams slice by slice, so that a bomb is met before it fills the memory.

Its refusals are worded here for all codecs; they name the kind of data, the caller adds file and place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from inspector.model import DecodeError

SLICE = 1 << 15
"""Input bytes handed over at once. A decompressor copies what it leaves unused: of a slice that is cheap, of the
whole rest it would take quadratic time where many small streams follow each other."""


class Decompressor(Protocol):
    """What the decompressors of zlib, bz2 and lzma have in common: one stream each."""

    @property
    def eof(self) -> bool:
        """True when the end of the stream was met."""

    @property
    def unused_data(self) -> bytes:
        """Input bytes after the end of the stream."""

    def decompress(self, data: memoryview, max_length: int, /) -> bytes:
        """Return the next output, at most *max_length* bytes."""


def over_limit(name: str, limit: int) -> DecodeError:
    """Return the refusal of data that would decode to more than *limit* bytes."""
    return DecodeError(f"{name} data decodes to more than {limit:,} bytes")


def ends_early(name: str) -> DecodeError:
    """Return the refusal of data that was cut off."""
    return DecodeError(f"{name} data ends early")


def more_follows(name: str, count: int) -> DecodeError:
    """Return the refusal of data after whose end *count* bytes lie that are not its own."""
    return DecodeError(f"{count:,} bytes follow the end of the {name} data")


@contextmanager
def refusals(name: str, *errors: type[Exception]) -> Iterator[None]:
    """Stand around the calls of a library: its *errors* become `DecodeError`."""
    try:
        yield
    except errors as error:
        raise DecodeError(f"no sound {name} data: {error}") from error


def unpack(
    data: bytes, limit: int, *, name: str, start: Callable[[], Decompressor], padding: int | None = None
) -> bytes:
    """Return the joined output of the streams that make up *data*.

    *padding* is None where one stream must be all; a number allows more streams, and between and after them zero
    bytes in multiples of it (0: none). Raises `DecodeError` and what the decompressors raise.
    """
    view = memoryview(data)
    position, left = 0, limit
    parts: list[bytes] = []
    while True:
        stream = start()
        while not stream.eof:
            piece = view[position : position + SLICE]
            if not piece:
                raise ends_early(name)
            out = stream.decompress(piece, left + 1)
            position += len(piece) - len(stream.unused_data)
            left -= len(out)
            if left < 0:
                raise over_limit(name, limit)
            parts.append(out)
        if padding:
            position += _zeros(view, position) // padding * padding
        if position == len(view):
            return parts[0] if len(parts) == 1 else b"".join(parts)
        if padding is None:
            raise more_follows(name, len(view) - position)


def _zeros(view: memoryview, start: int) -> int:
    position = start
    while position < len(view) and not view[position]:
        piece = bytes(view[position : position + SLICE])
        position += len(piece) - len(piece.lstrip(b"\0"))
    return position - start
