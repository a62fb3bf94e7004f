"""Finds the documents behind a seam: a crash within a write leaves the new text's beginning and the old one's rest.

At the seam quotes and brackets no longer pair up, so the structural scan loses its way. The grammar shows the place;
from there the next member that looks like a document of a table, and is valid JSON, is where reading goes on.
"""

from __future__ import annotations

import json
import re

from inspector.backends._scan import Fault, Index, Source, scan_inside

REACH = 8 << 20
"""Bytes behind the last sound document that are searched for the next one."""

MAX_SEAMS = 100
"""Seams that are looked for in one text."""

TRIES = 1000
"""Places that are tried before the rest is given up."""

LOOKED_BACK = 4
"""Last documents that are parsed: one that holds a seam may have swallowed those behind it."""

_MEMBER = re.compile(rb'\}\s*,\s*(?="-?[0-9]+"\s*:\s*\{)')
_ID = re.compile(rb'"-?[0-9]+"')
_VALUE = re.compile(rb'"-?[0-9]+"\s*:\s*')
_OPEN = '{"":0'
_CUT_SHORT = 12
"""Characters that the longest unfinished escape or word takes at the end of a text that is merely cut off."""


def mend(source: Source, index: Index) -> None:
    """Add to *index* the documents behind each seam, and the seam as damage. Leaves cut and sound texts alone."""
    for _ in range(MAX_SEAMS):
        if index.whole or not len(index.stops) or _is_valid(source, index):
            return
        astray = _false_table(source, index)
        kept = _sound_documents(source, index) if astray is None else index.tables[astray].first
        in_a_table = index.tables[-1].last > index.tables[-1].first
        if not kept or (astray is None and kept == len(index.stops) and not in_a_table):
            return
        begin = index.stops[kept - 1]
        rest = source.read(begin, min(begin + REACH, source.size))
        seam = _seam(rest)
        following = None if seam is None else _next_document(rest, seam)
        if seam is None or following is None:
            return
        _drop(index, kept)
        _continue(source, index, (begin + seam, begin + following))


def _sound_documents(source: Source, index: Index) -> int:
    """Return how many leading documents were read before the scan lost its way."""
    if index.stop is not None:
        return len(index.stops)
    return next(
        (
            number
            for number in range(max(len(index.stops) - LOOKED_BACK, 0), len(index.stops))
            if not _is_json(source.read(index.starts[number], index.stops[number]))
        ),
        len(index.stops),
    )


def _is_json(text: bytes) -> bool:
    """Say whether *text* is valid JSON, as far as the parser's depth goes."""
    try:
        json.loads(text.decode("latin-1"), strict=False)
    except json.JSONDecodeError:
        return False
    except RecursionError:
        return True
    return True


def _is_valid(source: Source, index: Index) -> bool:
    """Say whether a text that is no database is valid JSON all the same, and so has no seam."""
    if not index.faults or index.faults[-1].kind == "damage":
        return False
    if source.size > REACH:
        return True
    return _is_json(source.read(index.start, source.size))


def _false_table(source: Source, index: Index) -> int | None:
    """Return the first document that was taken for a table, because its own table seemed to end at a seam."""
    numbered = [bool(_ID.fullmatch(source.read(table.name_start, table.name_stop))) for table in index.tables]
    for number in range(1, len(numbered)):
        before = index.tables[number - 1]
        if numbered[number] and not numbered[number - 1] and before.last > before.first:
            return number
    return None


def _drop(index: Index, kept: int) -> None:
    """Forget all documents but the first *kept*, and all that was read behind them."""
    place = index.stops[kept - 1]
    for offsets in (index.ids, index.starts, index.stops):
        del offsets[kept:]
    index.tables = [table for table in index.tables if table.name_start < place]
    index.tables[-1].last = kept
    index.faults = [fault for fault in index.faults if fault.position < place]


def _seam(rest: bytes) -> int | None:
    """Return where the grammar breaks behind a document, None if the text is valid as far as it goes."""
    text = _OPEN + rest.decode("latin-1")  # one character a byte, so that places stay right
    try:
        json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated string") or error.pos >= len(text) - _CUT_SHORT:
            return None
        return error.pos - len(_OPEN)
    except RecursionError:
        return None
    return None


def _next_document(rest: bytes, seam: int) -> int | None:
    """Return where the quoted id of the next valid document stands."""
    decoder = json.JSONDecoder(strict=False)
    for number, match in enumerate(_MEMBER.finditer(rest, max(seam - 1, 0))):
        value = _VALUE.match(rest, match.end())
        if value is None or number == TRIES:
            return None
        try:
            decoder.raw_decode(rest[value.end() : value.end() + (REACH >> 6)].decode("latin-1"))
        except (json.JSONDecodeError, RecursionError):
            continue
        return match.end()
    return None


def _continue(source: Source, index: Index, places: tuple[int, int]) -> None:
    """Go on reading inside the last table: *places* are the seam and the next document."""
    seam, start = places
    table = index.tables[-1]
    more = scan_inside(source, start, table)
    shift = len(index.starts)
    for own, added in ((index.ids, more.ids), (index.starts, more.starts), (index.stops, more.stops)):
        own.extend(added)
    table.closed, table.stop = more.tables[0].closed, more.tables[0].stop
    table.last = more.tables[0].last + shift
    for found in more.tables[1:]:
        found.first, found.last = found.first + shift, found.last + shift
        index.tables.append(found)
    index.faults += [Fault("damage", seam), *more.faults]
    index.fault_count = len(index.faults)
    index.nesting, index.stop = more.nesting, more.stop
