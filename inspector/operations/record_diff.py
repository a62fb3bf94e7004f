"""What changed between two states of a collection, record by record and field by field, as it is met."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from inspector import values
from inspector.model import DecodeError, Record
from inspector.progress import Progress, silent, track
from inspector.values import Value

PATIENT = 2 << 20
"""Bytes of a record's text from which it is parsed without one long library call, which would hold every thread."""

Kind = Literal["added", "removed", "changed"]
Identity = str | tuple[str, str]
"""By what a record is matched: its key, or array and id of an item that has one."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value that differs: the record's key, the path in it (``.address.city``, ``[0]``), both values."""

    key: str
    path: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Place:
    """A record and its number in its collection, from 0."""

    number: int
    record: Record


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """A record that differs: *before* or *after* is None where it is on one side only; *changes* if it is on both."""

    before: Place | None
    after: Place | None
    changes: tuple[Change, ...] = ()

    @property
    def kind(self) -> Kind:
        """What happened to it."""
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    @property
    def record(self) -> Record:
        """The record as it is after, or was before if it is gone."""
        place = self.after or self.before
        assert place is not None
        return place.record


@dataclass(slots=True)
class Tally:
    """How many records are added, removed, changed, and the same in both."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    unchanged: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """The four numbers as the command line prints them."""
        return {
            "added": self.added,
            "removed": self.removed,
            "changed": self.changed,
            "unchanged": self.unchanged,
        }

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.added + other.added,
            self.removed + other.removed,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """The records added, removed and changed between two states."""

    added: tuple[Record, ...]
    removed: tuple[Record, ...]
    changed: tuple[Change, ...]
    tally: Tally

    @property
    def counts(self) -> dict[str, int]:
        """Records added, removed, changed, and the same in both."""
        return self.tally.counts

    @classmethod
    def gather(cls, found: Iterator[RecordDifference], tally: Tally) -> Difference:
        """Return all of *found* together; *tally* is complete when it ends."""
        added: list[Record] = []
        removed: list[Record] = []
        changed: list[Change] = []
        for difference in found:
            if difference.kind == "added":
                added.append(difference.record)
            elif difference.kind == "removed":
                removed.append(difference.record)
            changed += difference.changes
        return cls(tuple(added), tuple(removed), tuple(changed), tally)


def compare(before: Sequence[Record], after: Sequence[Record], progress: Progress = silent) -> Difference:
    """Return what changed from *before* to *after*, as `differences` finds it."""
    tally = Tally()
    return Difference.gather(differences(before, after, tally, progress=progress), tally)


def differences(
    before: Sequence[Record],
    after: Sequence[Record],
    tally: Tally,
    *,
    items: bool = True,
    progress: Progress = silent,
) -> Iterator[RecordDifference]:
    """Yield the records that differ and count all of them into *tally*.

    Records are matched by key, a key that occurs several times in order; *items* of an array (``cells[3]``) that all
    have an ``id`` of their own are matched by it, so that what follows a removed item has not changed. The order of
    records and of the keys in an object is not compared. Beside what is yielded, only keys are held, and these only
    from the first record on that is not at the same place on both sides.
    """
    identify = _identifier(before, after) if items else _key
    parse = values.quick_parser()
    old, new = enumerate(before), enumerate(after)
    total = len(before) + len(after)
    former = latter = None
    for former, latter in track(_side_by_side(old, new), lambda done, _: progress(2 * done, total)):
        if former is None or latter is None or identify(former[1]) != identify(latter[1]):
            break
        if (found := _pair(Place(*former), Place(*latter), tally, parse)) is not None:
            yield found
        former = latter = None
    rest_old = chain((former,) if former is not None else (), old)
    rest_new = chain((latter,) if latter is not None else (), new)
    passed = former[0] if former is not None else len(before)
    places = _places(track(rest_old, lambda done, _: progress(2 * passed + done, total)), identify)
    for number, record in track(rest_new, lambda done, _: progress(len(before) + passed + done, total)):
        place = _take(places, identify(record))
        if place is None:
            tally.added += 1
            yield RecordDifference(None, Place(number, record))
        elif (found := _pair(Place(place, before[place]), Place(number, record), tally, parse)) is not None:
            yield found
    for place in track(_left(places), lambda _, __: progress(total, total)):
        tally.removed += 1
        yield RecordDifference(Place(place, before[place]), None)


Numbered = tuple[int, Record]


def _side_by_side(
    old: Iterator[Numbered], new: Iterator[Numbered]
) -> Iterator[tuple[Numbered | None, Numbered | None]]:
    while True:
        former, latter = next(old, None), next(new, None)
        if former is None and latter is None:
            return
        yield former, latter


def _key(record: Record) -> Identity:
    return record.key


def _places(records: Iterator[Numbered], identify: Callable[[Record], Identity]) -> dict[Hashable, int | list[int]]:
    """Return where each record is; for one that occurs several times, all places, the first of them last."""
    places: dict[Hashable, int | list[int]] = {}
    repeated: list[list[int]] = []
    for number, record in records:
        known = places.setdefault(identify(record), number)
        if isinstance(known, list):
            known.append(number)
        elif known != number:
            several = [known, number]
            places[identify(record)] = several
            repeated.append(several)
    for several in repeated:
        several.reverse()
    return places


def _take(places: dict[Hashable, int | list[int]], identity: Hashable) -> int | None:
    found = places.get(identity)
    if isinstance(found, list):
        place = found.pop()
        if not found:
            del places[identity]
        return place
    return places.pop(identity, None)  # type: ignore[return-value]  # a list was dealt with above


def _left(places: dict[Hashable, int | list[int]]) -> Iterator[int]:
    """Yield the places that were not taken, in order."""
    if not any(isinstance(place, list) for place in places.values()):
        yield from places.values()  # type: ignore[misc]
        return
    several = (reversed(place) if isinstance(place, list) else (place,) for place in places.values())
    yield from sorted(chain.from_iterable(several))


def _pair(before: Place, after: Place, tally: Tally, parse: Callable[[bytes], Value]) -> RecordDifference | None:
    changes = _changes(before.record, after.record, parse)
    if not changes:
        tally.unchanged += 1
        return None
    tally.changed += 1
    return RecordDifference(before, after, changes)


def _changes(before: Record, after: Record, parse: Callable[[bytes], Value]) -> tuple[Change, ...]:
    if before.raw is not None and before.raw == after.raw:
        return ()
    try:
        old, new = _value(before, parse), _value(after, parse)
        if before.raw is not None and max(len(before.raw), len(after.raw or b"")) < PATIENT and values.same(old, new):
            # The usual case after a conversion: another spelling of the same. Writing both is faster than walking.
            return ()
        return tuple(Change(after.key, *change) for change in value_changes(old, new))
    except DecodeError:
        return (Change(after.key, "", _text(before), _text(after)),)


def _value(record: Record, parse: Callable[[bytes], Value]) -> Value:
    """Return the record's value without keeping it in the record. Raises `DecodeError`."""
    if record.raw is None:
        return record.value
    try:
        return parse(record.raw)
    except ValueError as error:
        raise DecodeError(f"record {record.key}: {error}") from error


def _text(record: Record) -> Value:
    return record.raw.decode("utf-8", "backslashreplace") if record.raw is not None else record.value


def shown(record: Record) -> Value:
    """Return the record's value; the text itself where it is no JSON."""
    try:
        return record.value
    except DecodeError:
        return _text(record)


_ITEM = re.compile(r"(.*)\[\d+\]")


def _item_id(record: Record) -> tuple[str, str] | None:
    """Return the array and the id of a record that is an item with one, None for any other."""
    match = _ITEM.fullmatch(record.key)
    if match is None:
        return None
    value = shown(record)
    identity = value.get("id") if isinstance(value, dict) else None
    return (match[1], identity) if isinstance(identity, str) else None


def _arrays_with_ids(records: Sequence[Record]) -> set[str]:
    """Return the names of arrays whose every item has an id of its own."""
    names: dict[str, set[str]] = {}
    without: set[str] = set()
    for record in records:
        match = _ITEM.fullmatch(record.key)
        if match is None:
            continue
        known = names.setdefault(match[1], set())
        found = _item_id(record)
        if found is None or found[1] in known:
            without.add(match[1])
        else:
            known.add(found[1])
    return names.keys() - without


def _identifier(before: Sequence[Record], after: Sequence[Record]) -> Callable[[Record], Identity]:
    by_id = _arrays_with_ids(before) & _arrays_with_ids(after)
    if not by_id:
        return _key

    def identify(record: Record) -> Identity:
        found = _item_id(record)
        return found if found is not None and found[0] in by_id else record.key

    return identify


def value_changes(before: Value, after: Value) -> Iterator[tuple[str, Value, Value]]:
    """Yield (path, before, after) for the smallest parts that differ; a missing side is `values.UNDEFINED`."""
    todo: list[tuple[str, Value, Value]] = [("", before, after)]
    while todo:
        path, old, new = todo.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            todo += reversed(list(_pairs(path, old, new)))
        elif isinstance(old, list) and isinstance(new, list):
            longest = range(max(len(old), len(new)))
            sides = ((n, _item(old, n), _item(new, n)) for n in reversed(longest))
            todo += [(f"{path}[{n}]", a, b) for n, a, b in sides if not values.plainly_same(a, b)]
        elif not values.same(old, new):
            yield path, old, new


def _pairs(path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Value, Value]]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name, values.UNDEFINED), new.get(name, values.UNDEFINED)
        if not values.plainly_same(before, after):
            yield f"{path}.{name}" if name.isidentifier() else f"{path}[{values.write(name)}]", before, after


def _item(items: Sequence[Any], number: int) -> Value:
    return items[number] if number < len(items) else values.UNDEFINED


_STEP = re.compile(r'\.(?P<name>[^.\[]+)|\[(?P<number>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]')


def steps(path: str) -> tuple[str | int, ...]:
    """Return the keys and positions that the path of a `Change` goes through."""
    found: list[str | int] = []
    for match in _STEP.finditer(path):
        if match["name"] is not None:
            found.append(match["name"])
        else:
            found.append(int(match["number"]) if match["number"] is not None else json.loads(match["quoted"]))
    return tuple(found)
