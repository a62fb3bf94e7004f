"""Finding records: row numbers of those a query wants, in the order a field gives."""

from __future__ import annotations

import difflib
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from inspector import values
from inspector.model import DecodeError, Finding, Record
from inspector.operations.query import MISSING, Field, Missing, Query
from inspector.operations.query_parser import Parser
from inspector.progress import Progress, part, silent, track
from inspector.values import NumberText, Value


@dataclass(frozen=True, slots=True)
class Hits:
    """The answer of a search: row numbers, how many records were looked at, how long it took."""

    rows: Sequence[int]
    total: int
    seconds: float
    findings: tuple[Finding, ...] = ()


def search(
    records: Sequence[Record],
    query: Query | None,
    *,
    sort: str | None = None,
    limit: int | None = None,
    progress: Progress = silent,
) -> Hits:
    """Return the rows of *records* that *query* wants (all if None), sorted by field *sort* (``-age`` descends).

    Records that cannot be read never match and are named in a finding; without a query they stay in.
    """
    started = time.perf_counter()
    rows, findings = _filter(records, query, None if sort else limit, part(progress, 0, 0.7 if sort else 1))
    if sort:
        rows = _sorted(records, rows, sort, part(progress, 0.7, 0.3))
    if limit is not None:
        rows = rows[:limit]
    return Hits(rows, len(records), time.perf_counter() - started, findings)


def _filter(
    records: Sequence[Record], query: Query | None, limit: int | None, progress: Progress
) -> tuple[Sequence[int], tuple[Finding, ...]]:
    if query is None:
        return range(len(records)), ()
    parse = values.quick_parser()
    rows, bad = array("q"), 0
    unknown = set(query.fields)
    names: dict[str, None] = {}
    for number, record in enumerate(track(records, progress, len(records))):
        try:
            document = parse(record.raw) if record.raw is not None else record.value
        except (ValueError, DecodeError):
            bad += 1
            continue
        if unknown and isinstance(document, dict):
            unknown -= document.keys()
            if len(names) < 1000:
                names.update(dict.fromkeys(document))
        if query.matches(record.key, document):
            rows.append(number)
            if limit is not None and len(rows) >= limit:
                unknown.clear()
                break
    return rows, (*_unknown_fields(unknown, names), *_unreadable(bad))


def _unknown_fields(unknown: set[str], names: dict[str, None]) -> list[Finding]:
    found = []
    for name in sorted(unknown):
        near = difflib.get_close_matches(name, names, 1)
        hint = f' Did you mean "{near[0]}"?' if near else ""
        found.append(Finding("info", "unknown-field", f'Unknown field "{name}": no record has it.{hint}', name))
    return found


def _unreadable(count: int) -> list[Finding]:
    if not count:
        return []
    return [Finding("error", "bad-text", f"{count} records cannot be read and were left out of the search.")]


def sort_key(value: Value | Missing) -> tuple[int, Any]:
    """Return a key by which mixed values sort: null, booleans, numbers, texts, the rest; missing last."""
    if isinstance(value, Missing):
        return (9, 0)
    if value is None:
        return (0, 0)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, float) and value != value:
        return (3, 0)
    if isinstance(value, int | float):
        return (2, value)
    if isinstance(value, NumberText):
        return (2, Decimal(value.text))
    if isinstance(value, str):
        return (4, value)
    return (5, values.write(value))


def _sorted(records: Sequence[Record], rows: Sequence[int], sort: str, progress: Progress) -> Sequence[int]:
    descending = sort.startswith("-")
    path = Parser(sort[1:] if descending else sort).parse()
    if not isinstance(path, Field):
        path = Field((sort.lstrip("-"),))
    keys: dict[int, tuple[int, Any]] = {}
    for row in track(rows, progress, len(rows)):
        keys[row] = sort_key(_value(records[row], path))
    present = sorted((row for row in rows if keys[row][0] != 9), key=keys.__getitem__, reverse=descending)
    return array("q", [*present, *(row for row in rows if keys[row][0] == 9)])


def _value(record: Record, path: Field) -> Value | Missing:
    try:
        return path.value(record.key, record.value)
    except DecodeError:
        return MISSING
