"""Turns rows of a ystore into stored updates: finds each row's codec, its time, and the pairs of old generations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from inspector.backends._crdt import times, updates
from inspector.backends.ystore.layouts import Layout
from inspector.model import DecodeError, Decoder, MissingLibrary, Stored

Row = tuple[int, Any, Any, Any]
"""rowid, yupdate, metadata, timestamp, as SQLite gives them."""


@dataclass(frozen=True, slots=True)
class Key:
    """A value of the ``path`` column as it is stored: nearly always a text, but SQLite takes anything."""

    value: str | bytes | int | float | None

    @property
    def name(self) -> str:
        """The text itself, else the value as SQL writes it: ``x'00ff'``, ``NULL``, ``7``."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, bytes):
            return f"x'{self.value.hex()}'"
        return "NULL" if self.value is None else str(self.value)

    def condition(self) -> tuple[str, list[Any]]:
        """Return an SQL condition with its arguments; text that is not UTF-8 is compared by its bytes."""
        if self.value is None:
            return "path IS NULL", []
        if isinstance(self.value, str):
            try:
                self.value.encode()
            except UnicodeEncodeError:
                return "path = CAST(? AS TEXT) COLLATE BINARY", [self.value.encode("utf-8", "surrogateescape")]
        return "path = ? COLLATE BINARY", [self.value]


def as_bytes(value: Any) -> bytes | None:
    """Return what a column holds as bytes; None for NULL."""
    if value is None or isinstance(value, bytes):
        return value
    return str(value).encode("utf-8", "surrogateescape")


def columns(layout: Layout) -> str:
    """Return the columns of a `Row` in SQL, for a generation that may lack some."""
    metadata = "metadata" if layout.metadata else "NULL"
    timestamp = "timestamp" if layout.timestamp else "NULL"
    return f"_rowid_, yupdate, {metadata}, {timestamp}"


class RowReader:
    """Decodes rows with the codec the store was opened with, and remembers which codecs it met."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self.specs: set[str] = set()
        """Specs of the codecs met so far, ``none`` among them."""
        self.synced = 0
        """Rows that held a whole y-protocol message."""
        self.missing: MissingLibrary | None = None
        """What a row would have needed that was read all the same because it need not be an update."""

    def read(self, name: str, row: Row, *, any_content: bool = False) -> Stored:
        """Return the stored update of *row*; its data is None where it cannot be decoded.

        Raises `MissingLibrary` if it could be with a library that is not installed; with *any_content*, where rows
        of metadata lie between the updates, that is only remembered.
        """
        rowid, value, metadata, timestamp = row
        blob, metadata = as_bytes(value), as_bytes(metadata)
        data, spec = None, "none"
        if isinstance(value, bytes):
            try:
                data, spec = self.decode(value)
            except MissingLibrary as error:
                if not any_content:
                    raise
                self.missing = error
        time = times.seconds(timestamp)
        if time is None:
            time = times.seconds(metadata)  # Jupyter kept the time there before there was a column for it
        return Stored(name, blob, data, spec, time, metadata, rowid)

    def decode(self, blob: bytes) -> tuple[bytes | None, str]:
        """Return the update in *blob*, None if there is none, and the spec of its codec. Raises `MissingLibrary`.

        A whole sync message is looked for first: some of them also pass for an update that does nothing.
        """
        if not blob:
            return None, "none"
        inner = updates.sync_payload(blob)
        if inner is None:
            try:
                decoded = self._decoder.decode(blob, _is_update)
            except DecodeError:
                return None, "none"
            self.specs.add(decoded.spec)
            inner = updates.sync_payload(decoded.data)
            if inner is None:
                return decoded.data, decoded.spec
            self.synced += 1
            return inner, decoded.spec
        self.synced += 1
        self.specs.add("none")
        return inner, "none"


def _is_update(data: bytes) -> bool:
    return updates.accepts(data) or updates.sync_payload(data) is not None


def looks_paired(stored: Iterable[Stored]) -> bool:
    """Say whether about every second row is no update, as ypy-websocket 0.2 to 0.4 stored them."""
    valid = [one.data is not None for one in stored]
    odd = valid.count(False)
    return odd > 0 and abs(odd - len(valid) / 2) <= len(valid) / 10 and valid[0]


def join_pairs(stored: Iterable[Stored]) -> Iterator[Stored]:
    """Yield updates with the metadata of the row that follows each.

    Two writers could interleave (y-crdt/ypy-websocket#40), so rows are paired by validity: a row that is no update
    belongs to the oldest update still without metadata; where all have theirs it is a damaged update.
    """
    waiting: list[Stored] = []
    for one in stored:
        if one.data is None and waiting:
            update = waiting.pop(0)
            time = update.time if update.time is not None else times.seconds(one.blob)
            yield update._replace(metadata=one.blob, time=time)
        elif one.data is None:
            yield one
        else:
            waiting.append(one)
    yield from waiting
