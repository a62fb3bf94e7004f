"""The header of a Blosc chunk: 16 bytes of blosc 1, 32 of blosc2, little endian, no magic number.

Byte 0 format version, 1 codec version, 2 flags, 3 typesize, 4-7 decoded bytes, 8-11 block size, 12-15 bytes of the
whole chunk. Where flags 1 and 4 are both set: 16-21 filters, 22 codec, 31 blosc2 flags (README_CHUNK_FORMAT.rst of
c-blosc2).
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from inspector.model import DecodeError

SHORT, LONG = 16, 32
"""Header bytes of blosc 1 and of blosc2."""

_EXTENDED, _STORED = 0b101, 0b10
_LAZY = 0b1000
_CODECS = range(6)
_FILTERS = frozenset((0, 1, 2, 3, 4, 35))
_VALUE = 3
"""Special chunk: one value, which follows the header, repeated. 1 is all zeros, 2 all NaN, 4 no content at all."""


class Header(NamedTuple):
    """The fixed part of a chunk header; sizes in bytes."""

    version: int
    codec_version: int
    flags: int
    typesize: int
    nbytes: int
    blocksize: int
    cbytes: int


def read_header(head: bytes) -> Header | None:
    """Return the header at the start of *head*, or None if these bytes cannot be one."""
    if len(head) < SHORT or not 2 <= head[0] <= 5 or head[1] != 1 or not head[3]:
        return None
    header = Header(*struct.unpack_from("<4B3I", head))
    sane = header.cbytes >= SHORT and header.nbytes < 1 << 31
    return header if sane and (header.blocksize <= header.nbytes or not header.nbytes) else None


def check_chunk(header: Header, data: bytes) -> None:
    """Refuse what the library must not see. Raises `DecodeError`.

    That is: sizes that contradict each other (before memory is taken for them), chunks that hold no data or point
    to a file, and codecs or filters of plug-ins, which the library would load code for.
    """
    extended = header.flags & _EXTENDED == _EXTENDED
    size = LONG if extended else SHORT
    if header.cbytes < size:
        raise DecodeError("the header of the Blosc chunk contradicts itself")
    special = 0
    if extended:
        special = data[31] >> 4 & 7
        if data[31] & _LAZY or special > _VALUE:
            raise DecodeError("the Blosc chunk holds no data of its own")
        if data[30] or (special == _VALUE and header.cbytes == size):
            raise DecodeError("the header of the Blosc chunk contradicts itself")
        if data[22] not in _CODECS or not _FILTERS.issuperset(data[16:22]):
            raise DecodeError("the Blosc chunk needs a plug-in, which is not loaded for a file's sake")
    if header.flags >> 5 >= len(_CODECS):
        raise DecodeError("the Blosc chunk needs a plug-in, which is not loaded for a file's sake")
    if special or not header.nbytes:
        return
    if header.flags & _STORED:
        sound = header.cbytes == header.nbytes + size
    else:
        blocks = -(-header.nbytes // header.blocksize) if header.blocksize else header.nbytes
        sound = header.cbytes >= size + 4 * blocks
    if not sound:
        raise DecodeError("the header of the Blosc chunk contradicts itself")
