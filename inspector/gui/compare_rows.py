"""The differences of two stores that the window lists, held column by column.

A hundred thousand objects, each looked at whenever Python looks for garbage, would make the window pause; a few long
lists of texts and numbers do not.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from inspector import values
from inspector.gui.cells import MISSING, Missing
from inspector.gui.record_rows import read
from inspector.model import Record
from inspector.operations.compare import Match
from inspector.operations.record_diff import Kind, Place, RecordDifference
from inspector.values import RepeatedKeys, Undefined, Value

MOST_LISTED = 100_000
"""Differences that the list holds; the counts are of all, and so are the exports."""

MOST_BYTES = 100_000_000
"""Bytes of records that are held for the list; more cut it as well."""

PREVIEW = 400
"""Characters of an object's text that a row keeps; a cell shows fewer."""

_MEAN = 400
"""What a record weighs that has no text of its own."""

_KINDS: tuple[Kind, ...] = ("changed", "removed", "added")


@dataclass(frozen=True, slots=True)
class Preview:
    """Stands for an object, an array or a whole record: how its JSON text begins, and whether it is an array."""

    text: str
    is_array: bool = False


Shown = Value | Preview | Missing


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One difference: *path* is empty for a whole record; *old* and *new* are the records it is in.

    *number* is that of the difference, *record* that of the record among those that differ.
    """

    number: int
    record: int
    collection: str
    kind: Kind
    key: str
    path: str
    before: Shown
    after: Shown
    old: Record | None
    new: Record | None


class Rows(Sequence[DiffRow]):
    """Takes differences as they are met, as long as there is room; *found* counts all of them."""

    def __init__(self) -> None:
        self.found = 0
        self._records = 0
        self._bytes = 0
        self._full = False
        self._record = array("l")
        self._kind = bytearray()
        self._collection: list[str] = []
        self._key: list[str] = []
        self._path: list[str] = []
        # Objects as (text, is array), records as their bytes where the format holds them: nothing to look through.
        self._sides: tuple[list[object], list[object]] = ([], [])
        self._whole: tuple[list[bytes | Record | None], list[bytes | Record | None]] = ([], [])

    def take(self, match: Match, difference: RecordDifference) -> None:
        """Add the rows of one record, all or none of them."""
        count = max(len(difference.changes), 1)
        self.found += count
        if self._full or len(self) + count > MOST_LISTED or self._bytes > MOST_BYTES:
            # What follows is left out too: the list is the beginning, not a choice.
            self._full = True
            return
        whole = _content(difference.before), _content(difference.after)
        self._bytes += sum(map(_weight, whole))
        if not difference.changes:
            sides = _preview(difference.before), _preview(difference.after)
            self._add(match.name, difference, "", sides, whole)
        for change in difference.changes:
            self._add(match.name, difference, change.path, (_short(change.before), _short(change.after)), whole)
        self._records += 1

    def _add(
        self,
        collection: str,
        difference: RecordDifference,
        path: str,
        sides: tuple[object, object],
        whole: tuple[bytes | Record | None, bytes | Record | None],
    ) -> None:
        self._record.append(self._records)
        self._kind.append(_KINDS.index(difference.kind))
        self._collection.append(collection)
        self._key.append(difference.record.key)
        self._path.append(path)
        for side in (0, 1):
            self._sides[side].append(sides[side])
            self._whole[side].append(whole[side])

    def __len__(self) -> int:
        return len(self._key)

    @overload
    def __getitem__(self, at: int) -> DiffRow: ...

    @overload
    def __getitem__(self, at: slice) -> list[DiffRow]: ...

    def __getitem__(self, at: int | slice) -> DiffRow | list[DiffRow]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        key = self._key[at]
        return DiffRow(
            at, self._record[at], self._collection[at], _KINDS[self._kind[at]], key, self._path[at],
            self.side(at, after=False), self.side(at, after=True),
            _record(key, self._whole[0][at]), _record(key, self._whole[1][at]),
        )  # fmt: skip

    def same_record(self, first: int, second: int) -> bool:
        """Say whether two differences are in one record."""
        return self._record[first] == self._record[second]

    def kind(self, number: int) -> Kind:
        """Return what happened in a difference."""
        return _KINDS[self._kind[number]]

    def words(self, number: int) -> tuple[str, str, str]:
        """Return collection, key and path of a difference."""
        return self._collection[number], self._key[number], self._path[number]

    def side(self, number: int, *, after: bool) -> Shown:
        """Return what one side of a difference holds."""
        found = self._sides[after][number]
        return Preview(*found) if isinstance(found, tuple) else found  # type: ignore[return-value]


def _content(place: Place | None) -> bytes | Record | None:
    if place is None:
        return None
    return place.record.raw if place.record.raw is not None else place.record


def _record(key: str, content: bytes | Record | None) -> Record | None:
    return Record(key, raw=content) if isinstance(content, bytes) else content


def _weight(content: bytes | Record | None) -> int:
    return len(content) if isinstance(content, bytes) else 0 if content is None else _MEAN


def _preview(place: Place | None) -> object:
    """Return how a whole record begins."""
    if place is None:
        return MISSING
    raw = place.record.raw
    if raw is None:
        return _short(place.record.value)
    text = raw[:PREVIEW].decode("utf-8", "replace")
    if raw[:1] in (b"{", b"["):
        return text, raw[:1] == b"["
    row = read(place.record)
    return (text, False) if row.error else _short(row.value)


def _short(value: Value) -> object:
    if isinstance(value, Undefined):
        return MISSING
    if isinstance(value, dict | list | RepeatedKeys):
        return values.write(value)[:PREVIEW], isinstance(value, list)
    return value
