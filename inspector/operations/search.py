"""Finding records: row numbers of those a query wants, in the order a field gives."""

from __future__ import annotations

import difflib
import heapq
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector import values
from inspector.model import DecodeError, Finding, Record, UsageError
from inspector.operations.query import Field, Missing, Query, number_of
from inspector.operations.query_parser import Parser
from inspector.progress import Progress, part, silent, track
from inspector.values import NumberText, Value

_UNKNOWN = "unknown-field"

CHUNK = 4096
"""Rows that are sorted in one call, which holds every thread; the sorted chunks are merged step by step."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The answer of a search: row numbers, how many records were looked at, how long it took."""

    rows: Sequence[int]
    total: int
    seconds: float
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class SortBy:
    """By what rows are sorted: the field at *path* of the value, the value itself if empty, or the record's key."""

    path: tuple[str | int, ...] = ()
    by_key: bool = False
    descending: bool = False

    @classmethod
    def parse(cls, text: str) -> SortBy:
        """Return what ``FIELD`` or ``-FIELD`` says. Raises `UsageError` if that is no field."""
        descending = text.startswith("-")
        node = Parser(text[1:] if descending else text).parse()
        if not isinstance(node, Field):
            raise UsageError(f"{text!r} is no field to sort by.", text, 0)
        return cls(node.path, descending=descending)

    def key_of(self, record: Record, parse: Callable[[bytes], Value]) -> tuple[int, Any] | None:
        """Return what *record* is sorted by, None if it has no such field or cannot be read."""
        if self.by_key:
            return key_order(record.key)
        try:
            document = parse(record.raw) if record.raw is not None else record.value
        except (ValueError, DecodeError):
            return None
        found = Field(self.path).value(record.key, document) if self.path else document
        if found is record.key and self.path == ("key",):
            return key_order(record.key)
        return None if isinstance(found, Missing) else sort_key(found)


def key_order(key: str) -> tuple[int, Any]:
    """Sort ids that are numbers by number, before all others by text."""
    plain = key.isdigit() and key.isascii() and len(key) < values.MAX_DIGITS
    return (0, int(key)) if plain else (1, key)


def search(
    records: Sequence[Record],
    query: Query | None,
    *,
    sort: SortBy | None = None,
    limit: int | None = None,
    progress: Progress = silent,
) -> Hits:
    """Return the rows of *records* that *query* wants (all if None), in the order of *sort*.

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
        found.append(Finding("info", _UNKNOWN, f'Unknown field "{name}": no record has it.{hint}', name))
    return found


def _unreadable(count: int) -> list[Finding]:
    if not count:
        return []
    left_out = "1 record cannot be read and was" if count == 1 else f"{count:,} records cannot be read and were"
    return [Finding("error", "bad-text", f"{left_out} left out of the search.")]


def findings_of(hits: Mapping[str, Hits]) -> list[Finding]:
    """Return what searches of several collections (by name) found, each with its place.

    A field is unknown only if no collection has it, and is then named once.
    """
    found = [
        finding._replace(where=name)
        for name, answer in hits.items()
        for finding in answer.findings
        if finding.code != _UNKNOWN
    ]
    unknown = [{f.where: f for f in answer.findings if f.code == _UNKNOWN} for answer in hits.values()]
    place = f"in {next(iter(hits))}" if len(hits) == 1 else f"in any of the {len(hits)} collections"
    for field in unknown[0] if unknown else ():
        if all(field in fields for fields in unknown):
            with_hint = max((fields[field] for fields in unknown), key=lambda finding: len(finding.message))
            found.append(with_hint._replace(where=place))
    return found


def sort_key(value: Value) -> tuple[int, Any]:
    """Return a key by which mixed values sort: null, booleans, numbers, texts, the rest."""
    if value is None:
        return (0, 0)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, float) and value != value:
        return (3, 0)
    if isinstance(value, int | float):
        return (2, value)
    if isinstance(value, NumberText):
        return (2, number_of(value))
    if isinstance(value, str):
        return (4, value)
    return (5, values.write(value))


def _sorted(records: Sequence[Record], rows: Sequence[int], sort: SortBy, progress: Progress) -> Sequence[int]:
    """Return *rows* in the order of the field."""
    parse = values.quick_parser()
    return in_order(rows, lambda row: sort.key_of(records[row], parse), descending=sort.descending, progress=progress)


def in_order(
    rows: Sequence[int],
    key_of: Callable[[int], tuple[int, Any] | None],
    *,
    descending: bool = False,
    progress: Progress = silent,
) -> Sequence[int]:
    """Return *rows* by their keys, stable, those without one last. No single call sorts more than a chunk."""
    keys: dict[int, tuple[int, Any]] = {}
    absent = array("q")
    chunks: list[list[int]] = [[]]
    for row in track(rows, part(progress, 0, 0.8), len(rows)):
        key = key_of(row)
        if key is None:
            absent.append(row)
            continue
        keys[row] = key
        if len(chunks[-1]) >= CHUNK:
            chunks[-1].sort(key=keys.__getitem__, reverse=descending)
            chunks.append([])
        chunks[-1].append(row)
    chunks[-1].sort(key=keys.__getitem__, reverse=descending)
    merged = heapq.merge(*chunks, key=keys.__getitem__, reverse=descending)
    result = array("q", track(merged, part(progress, 0.8, 0.2), len(keys)))
    result.extend(absent)
    return result
