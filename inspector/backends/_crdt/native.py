"""Carries tables into CRDT documents as values that editors can work on, with what this loses.

The root Map ``records`` holds each record under its id: objects are Maps, arrays are Arrays, texts are Texts, the
rest plain values. The updates are written here for the reasons given in `crossing`, in the same encoding.
"""

from __future__ import annotations

import math
import struct
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from inspector import values
from inspector.backends._crdt.crossing import CLIENT, NO_DELETES, ROOT, STRING, integer, sound, string
from inspector.model import Loss, Record
from inspector.progress import Progress, part, track
from inspector.values import NumberText, RepeatedKeys, Value

BATCH = 1 << 16
"""Bytes of an update; many small structs take longer to read than the few large ones of `crossing`."""

DEEPEST = 64
"""Levels of nesting that become shared types; what lies deeper is stored as its JSON text."""

_STRING, _TYPE, _ANY = 4, 7, 8
_HAS_ORIGIN, _HAS_PARENT_SUB = 0x80, 0x20
_ARRAY, _MAP, _TEXT = b"\x00", b"\x01", b"\x02"
_SAFE = 1 << 53
_INT64 = range(-(1 << 63), 1 << 63)


def native_updates(records: Sequence[Record], progress: Progress) -> Iterator[bytes]:
    """Yield the updates that make the native document of a table, each of some `BATCH` bytes.

    Of records with the same id the last is written. Raises `DecodeError` where a record is no JSON.
    """
    last = {sound(record.key): record for record in track(records, part(progress, 0.0, 0.1), len(records))}
    update = _Update(0)
    for key, record in track(last.items(), part(progress, 0.1, 0.9), len(last)):
        update.put(None, key, record.value)
        if update.size >= BATCH:
            yield update.finish()
            update = _Update(update.clock)
    if update.size:
        yield update.finish()
    elif not last:
        yield b"\x00" + NO_DELETES


class _Update:
    """An update being written: the structs of one client from *clock* on."""

    def __init__(self, clock: int) -> None:
        self.clock = self._start = clock
        self.size = 0
        self._structs: list[bytes] = []

    def finish(self) -> bytes:
        """Return the whole update."""
        head = b"\x01" + integer(len(self._structs)) + integer(CLIENT) + integer(self._start)
        return head + b"".join(self._structs) + NO_DELETES

    def put(self, parent: int | None, key: str, value: Value, depth: int = 0) -> None:
        """Write the entry *key* of the Map at clock *parent* (None: of the root)."""
        self._value(_HAS_PARENT_SUB, _parent(parent) + string(key), value, depth)

    def _value(self, flags: int, place: bytes, value: Value, depth: int) -> None:
        """Write one item at its *place*, then what it holds."""
        deep = depth >= DEEPEST and isinstance(value, dict | RepeatedKeys | list)
        here = self.clock
        if deep or isinstance(value, NumberText):
            value = values.write(value) if deep else _number(value)  # type: ignore[arg-type]
        if isinstance(value, dict | RepeatedKeys):
            self._struct(flags | _TYPE, place, _MAP, 1)
            members = dict(value.pairs) if isinstance(value, RepeatedKeys) else value
            for key, member in {sound(key): member for key, member in members.items()}.items():
                self.put(here, key, member, depth + 1)
        elif isinstance(value, list):
            self._struct(flags | _TYPE, place, _ARRAY, 1)
            self._items(here, value, depth + 1)
        elif isinstance(value, str):
            self._struct(flags | _TYPE, place, _TEXT, 1)
            text = sound(value)
            if text:
                self._struct(_STRING, _parent(here), string(text), len(text.encode("utf-16-le")) >> 1)
        else:
            self._struct(flags | _ANY, place, b"\x01" + _any(value), 1)

    def _items(self, parent: int, items: list[Any], depth: int) -> None:
        flags, place = 0, _parent(parent)
        for item in items:
            here = self.clock
            self._value(flags, place, item, depth)
            flags, place = _HAS_ORIGIN, integer(CLIENT) + integer(here)

    def _struct(self, info: int, place: bytes, content: bytes, length: int) -> None:
        self._structs.append(bytes((info,)) + place + content)
        self.clock += length
        self.size += len(place) + len(content) + 1


def _parent(clock: int | None) -> bytes:
    return b"\x01" + string(ROOT) if clock is None else b"\x00" + integer(CLIENT) + integer(clock)


def _number(value: NumberText) -> float | str:
    """Return minus zero as a float, any other number that a double does not hold as its text."""
    return -0.0 if value.text == "-0" else value.text


def _any(value: Any) -> bytes:
    """Return lib0's form of a value that has no members."""
    if value is None:
        return b"\x7e"
    if isinstance(value, bool):
        return b"\x78" if value else b"\x79"
    if isinstance(value, bytes):
        return b"\x74" + integer(len(value)) + value
    if isinstance(value, int | float):
        return _any_number(value)
    return b"\x7f"


def _any_number(value: float) -> bytes:
    if isinstance(value, int) and abs(value) >= _SAFE:
        if value in _INT64:
            return b"\x7a" + value.to_bytes(8, "big", signed=True)
        try:
            return b"\x7b" + struct.pack(">d", float(value))
        except OverflowError:
            return STRING + string(str(value))
    return b"\x7b" + struct.pack(">d", value)


def native_carried(records: Sequence[Record]) -> list[Record]:
    """Return what `native_updates` promises a reader: the records as entries of the root Map, in order of key."""
    last = {sound(record.key): record for record in records}
    return [Record(f"{ROOT}.{key}", _promised(last[key].value, 0)) for key in sorted(last)]


def _promised(value: Value, depth: int) -> Value:
    """Return *value* with the losses that `native_losses` names."""
    if depth >= DEEPEST and isinstance(value, dict | RepeatedKeys | list):
        return values.write(value)
    if isinstance(value, dict | RepeatedKeys):
        members = {sound(str(key)): member for key, member in values.members(value)}
        return {key: _promised(members[key], depth + 1) for key in sorted(members)}
    if isinstance(value, list):
        return [_promised(item, depth + 1) for item in value]
    if isinstance(value, NumberText):
        return _number(value)
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _promised_number(value)
    return value


def _promised_number(value: float) -> Value:
    """Return a number as it comes back: whole ones below 2^53 as integers, huge integers as doubles or text."""
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < _SAFE and str(value) != "-0.0"
        return int(value) if whole else value
    if abs(value) < _SAFE or value in _INT64:
        return value
    try:
        return float(value)
    except OverflowError:
        return str(value)


def native_losses(name: str, records: Sequence[Record], progress: Progress) -> list[Loss]:
    """Return what `native_updates` would lose of the table *name*, one `Loss` a kind, counted in records.

    ``record-order`` and ``key-order``: a Map has no order. ``number-type``: whole numbers are floats to other
    programs, and here 1.0 comes back as 1. ``not-a-number``: held, but JSON views of the document print null.
    ``integer-beyond-64-bit`` is rounded to a double, ``number-beyond-double`` and values under ``depth`` become
    text, of ``repeated-keys`` and ``duplicate-ids`` the last stays, a ``lone-surrogate`` becomes U+FFFD.
    """
    found: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    for record in track(records, progress, len(records)):
        kinds = {kind for depth, value in values.walk(record.value) for kind in _value_losses(depth, value)}
        if sound(record.key) != record.key:
            kinds.add("lone-surrogate")
        if record.key in seen:
            kinds.add("duplicate-ids")
        seen.add(record.key)
        for kind in kinds:
            found[kind].append(f"{name}/{record.key}")
    losses = [Loss(kind, len(where), tuple(where)) for kind, where in sorted(found.items())]
    if len(records) > 1:
        losses.insert(0, Loss("record-order", len(records), (name,)))
    return losses


def _value_losses(depth: int, value: Value) -> Iterator[str]:
    """Yield the kinds of loss of one value, its members left out."""
    if isinstance(value, dict | RepeatedKeys):
        keys = [key for key, _ in values.members(value)]
        if len(keys) > 1:
            yield "key-order"
        if isinstance(value, RepeatedKeys):
            yield "repeated-keys"
        if any(sound(key) != key for key in keys if isinstance(key, str)):
            yield "lone-surrogate"
    elif isinstance(value, str) and sound(value) != value:
        yield "lone-surrogate"
    elif isinstance(value, NumberText):
        yield "number-type" if value.text == "-0" else "number-beyond-double"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _number_losses(value)
    if depth >= DEEPEST and isinstance(value, dict | RepeatedKeys | list):
        yield "depth"


def _number_losses(value: float) -> Iterator[str]:
    if isinstance(value, int):
        if value not in _INT64:
            yield "integer-beyond-64-bit"
        elif abs(value) < _SAFE:
            yield "number-type"
    elif not math.isfinite(value):
        yield "not-a-number"
    elif value.is_integer() and str(value) != "-0.0":
        yield "number-type"
