"""The signs of a JSON text that lie no deeper than a table's members, found without parsing the rest.

A sign is one byte of structure outside strings at nesting depth 0 to 2: a bracket, a quote that opens or closes a
string, a colon, a comma, or any other byte that is not space. Brackets of a document count (they stand at depth 2),
what is inside a document does not. Nothing is validated: damaged text gives signs too.
Two makers give the same signs: `plain_signs` for small texts, without numpy, and `SliceSigns` for slices of large ones.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import Any, Protocol

SHALLOW = 2
"""Deepest nesting at which signs are reported: inside a table, outside its documents."""

_TOKEN = re.compile(
    rb'"[^"\\]*(?:\\.?[^"\\]*)*("?)'  # a string; group 1 is its closing quote
    rb'|(?:\\\\)*\\"|\\+'  # backslashes outside strings: an escaped quote opens no string
    rb"|[{}\[\]]"
    rb'|[^ \t\n\r"\\{}\[\]]',
    re.DOTALL,
)
_OPENERS = b"{["
_CLOSERS = b"}]"


class Positions(Protocol):
    """Signed 64-bit offsets: an ``array('q')`` or a numpy array."""

    def __getitem__(self, key: Any, /) -> Any: ...

    def __len__(self) -> int: ...

    def tobytes(self) -> bytes:
        """Return the offsets as native 64-bit integers."""


@dataclass(slots=True, eq=False)
class Signs:
    """Signs in text order: *chars* one byte each, *positions* their offsets in the text."""

    chars: bytes
    positions: Positions


@dataclass(slots=True, eq=False)
class Nesting:
    """Where in the nesting a text stands after the bytes seen so far; *deepest* is the greatest depth met."""

    depth: int = 0
    deepest: int = 0
    in_string: bool = False


def plain_signs(text: bytes, offset: int, nesting: Nesting) -> Signs:
    """Return the signs of the whole *text*, whose first byte stands at *offset*; updates *nesting*."""
    chars = bytearray()
    positions = array("q")
    depth = deepest = nesting.depth
    for match in _TOKEN.finditer(text):
        first = text[match.start()]
        if first in _CLOSERS:
            depth -= 1
        if depth <= SHALLOW:
            _add(match, offset, chars, positions)
        if first in _OPENERS:
            depth += 1
            deepest = max(deepest, depth)
        elif first == 0x22 and not match.group(1):
            nesting.in_string = True
    nesting.depth, nesting.deepest = depth, deepest
    return Signs(bytes(chars), positions)


def _add(match: re.Match[bytes], offset: int, chars: bytearray, positions: array[int]) -> None:
    start, token = match.start() + offset, match.group()
    if token[:1] == b"\\":
        chars += b"\\" * len(token)
        positions.extend(range(start, start + len(token)))
        return
    chars.append(token[0])
    positions.append(start)
    if match.group(1):
        chars.append(0x22)
        positions.append(start + len(token) - 1)


class SliceSigns:
    """Makes the signs of a text that is fed slice by slice; `nesting` tells where the text stands."""

    def __init__(self) -> None:
        import numpy

        self.nesting = Nesting()
        self._np = numpy
        self._escaping = False
        self._space = numpy.zeros(256, numpy.bool_)
        self._space[list(b" \t\n\r")] = True

    def feed(self, data: bytes, offset: int) -> Signs:
        """Return the signs of the next slice, whose first byte stands at *offset*."""
        np = self._np
        block = np.frombuffer(data, np.uint8)
        quotes = self._quotes(data, block)
        folded = block | 0x20  # "[" becomes "{" and "]" becomes "}"
        openers = folded == 0x7B
        brackets = np.flatnonzero(openers | (folded == 0x7D))
        quote_positions = np.flatnonzero(quotes)
        odd = np.searchsorted(quote_positions, brackets) & 1
        brackets = brackets[odd == self.nesting.in_string]
        after = self.nesting.depth + np.cumsum(np.where(openers[brackets], 1, -1))
        chars, positions = self._gather(block, quotes, brackets, after)
        if brackets.size:
            self.nesting.depth = int(after[-1])
            self.nesting.deepest = max(self.nesting.deepest, int(after.max()))
        self.nesting.in_string ^= bool(quote_positions.size & 1)
        return Signs(chars, positions + offset)

    def _quotes(self, data: bytes, block: Any) -> Any:
        """Return where an unescaped quote stands: backslashes pair up, an odd one escapes what follows."""
        np = self._np
        quotes = block == 0x22
        carried, self._escaping = self._escaping, False
        if carried and data[:1] != b"\\":
            quotes[:1] = False
        if b"\\" not in data:
            return quotes
        slashes = np.flatnonzero(block == 0x5C)
        first = np.flatnonzero(np.diff(slashes, prepend=-2) != 1)
        lengths = np.diff(first, append=slashes.size)
        if carried and slashes[0] == 0:
            lengths[0] += 1
        last = slashes[np.append(first[1:], slashes.size) - 1]
        escaped = last[(lengths & 1) == 1] + 1
        if escaped.size and escaped[-1] == block.size:
            self._escaping = True
            escaped = escaped[:-1]
        quotes[escaped] = False
        return quotes

    def _gather(self, block: Any, quotes: Any, brackets: Any, after: Any) -> tuple[bytes, Any]:
        """Collect the shallow stretches; each runs from a bracket, or the slice's beginning, to the next bracket."""
        np = self._np
        before = np.concatenate(([self.nesting.depth], after[:-1]))
        starts = np.concatenate(([0], brackets))
        lengths = np.diff(starts, append=block.size)
        own = np.where(np.minimum(before, after) <= SHALLOW, 1, 0)  # the bracket alone, if what follows is deep
        shallow = np.concatenate(([self.nesting.depth], after)) <= SHALLOW
        lengths = np.where(shallow, lengths, np.concatenate(([0], own)))
        starts, lengths = starts[lengths > 0], lengths[lengths > 0]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if ends.size else 0
        positions = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
        stretch, quoted = block[positions], quotes[positions]
        inside = np.bitwise_xor.accumulate(quoted) if total else quoted
        if self.nesting.in_string and self.nesting.depth <= SHALLOW:
            inside = ~inside
        keep = quoted | ~(inside | self._space[stretch])
        chars = stretch[keep]
        chars[(chars == 0x22) & ~quoted[keep]] = 0x5C  # an escaped quote outside a string is no quote
        return chars.tobytes(), positions[keep].astype(np.int64)
