"""Opens FileYStore files ``*.y``: updates of one document, one after the other, in the layouts of all generations.

Read in the released packages: ypy-websocket 0.1 writes length and update; 0.2 to 0.6 length, update, length,
metadata; 0.7 the same after the line ``VERSION:1``; 0.8 to pycrdt-store 0.1.5 add length and time (a little-endian
double) after the line ``VERSION:2``. Lengths are lib0 integers (LEB128).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from inspector import files
from inspector.backends._crdt import rooms, times, updates
from inspector.model import (
    CollectionInfo,
    DecodeError,
    Decoder,
    Finding,
    History,
    InspectorError,
    MissingLibrary,
    Record,
    Stored,
    StoreInfo,
)
from inspector.progress import Progress, part, silent, track

_HEADERS = {b"VERSION:2\n": 2, b"VERSION:1\n": 1}
_CURRENT = 2
_TIME = struct.Struct("<d")
_SOUND_SHARE = 0.9
"""Share of records without a header that must be updates: a damaged one does not make the file another's."""

_TRIVIAL = 2  # bytes of the update that does nothing: too little to know a file by


@dataclass(frozen=True, slots=True)
class _Layout:
    """A generation: the version its header names (0 without a header), and the parts of a record."""

    version: int
    parts: int
    maker: str

    @property
    def start(self) -> int:
        """Where the first record begins."""
        return len(b"VERSION:2\n") if self.version else 0


_LAYOUTS = {
    2: _Layout(2, 3, "ypy-websocket 0.8–0.12, pycrdt-websocket or pycrdt-store"),
    1: _Layout(1, 2, "ypy-websocket 0.7"),
}
_PAIRS = _Layout(0, 2, "ypy-websocket 0.2–0.6")
_SINGLES = _Layout(0, 1, "ypy-websocket 0.1")


def _chunks(data: bytes, position: int) -> Iterator[tuple[bytes, int]]:
    """Yield length-prefixed chunks with the offset after each, until one is not whole."""
    while position < len(data):
        length = shift = 0
        at = position
        while True:
            if at == len(data) or shift > 63:
                return
            byte = data[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if length > len(data) - at:
            return
        position = at + length
        yield data[at:position], position


def _layout(data: bytes) -> _Layout | None:
    """Return the generation of a file from its beginning, None if it is no file of updates."""
    for header, version in _HEADERS.items():
        if data.startswith(header):
            return _LAYOUTS[version]
    chunks = [chunk for chunk, _ in _chunks(data, 0)]
    good = [updates.accepts(chunk) for chunk in chunks]
    if not good or not good[0]:
        return None
    if sum(good) >= len(good) * _SOUND_SHARE:
        return _SINGLES
    return _PAIRS if sum(good[::2]) >= len(good[::2]) * _SOUND_SHARE else None


class YFile:
    """An open ``*.y`` file: one document, named by the file's stem. Raises `InspectorError` if nothing can be read."""

    def __init__(self, path: Path, decoder: Decoder, progress: Progress) -> None:
        self.path = path
        data = files.Slices(path).read_all(part(progress, 0, 0.3))
        layout = _layout(data)
        if layout is None:
            raise InspectorError(f"{path} is not a file of CRDT updates: its first record is no Yjs update.")
        self._layout = layout
        self._size = len(data)
        self._whole = layout.start
        self._synced = False
        self._specs: set[str] = set()
        name = path.stem
        try:
            self._stored = [
                self._read(name, number, record, decoder)
                for number, record in enumerate(track(self._records(data), part(progress, 0.3, 0.7)), 1)
            ]
        except MissingLibrary as error:
            raise MissingLibrary(f"{path} cannot be read: {error}") from error
        if not self._stored and self._whole < len(data):
            raise InspectorError(
                f"{path} is damaged: the first record, at byte {self._whole}, is longer than the file; "
                "look for a copy of it."
            )
        if all(one.time is not None for one in self._stored):
            self._stored.sort(key=lambda one: (one.time, one.rowid))

    def _records(self, data: bytes) -> Iterator[list[bytes]]:
        record: list[bytes] = []
        for chunk, end in _chunks(data, self._layout.start):
            record.append(chunk)
            if len(record) == self._layout.parts:
                self._whole = end
                yield record
                record = []

    def _read(self, name: str, number: int, record: list[bytes], decoder: Decoder) -> Stored:
        blob = record[0]
        metadata = record[1] if len(record) > 1 else None
        time = times.seconds(metadata)  # Jupyter kept it there before records had times
        if len(record) > 2 and len(record[2]) == _TIME.size:
            time = times.seconds(_TIME.unpack(record[2])[0])
        data: bytes | None = None
        spec = "none"
        inner = updates.sync_payload(blob)
        if inner is not None:
            self._synced = True
            data = inner
        elif blob:
            try:
                decoded = decoder.decode(blob, updates.accepts)
            except DecodeError:
                pass
            else:
                data, spec = decoded.data, decoded.spec
                self._specs.add(spec)
        return Stored(name, blob, data, spec, time, metadata, number)

    @property
    def info(self) -> StoreInfo:
        """What is known of the whole."""
        compressed = sorted(self._specs - {"none"})
        header = f"the header VERSION:{self._layout.version}" if self._layout.version else "no header"
        return StoreInfo(
            format="yfile",
            codec="none" if not compressed else compressed[0] if len(compressed) == 1 else "mixed",
            size=self._size,
            evidence=(f"{header}, then {len(self._stored):,} length-prefixed records of Yjs updates",),
            decoded_size=sum(len(one.data or b"") for one in self._stored),
            maker=self._layout.maker,
            findings=tuple(self._findings()),
        )

    def _findings(self) -> Iterator[Finding]:
        if self._whole < self._size:
            yield Finding(
                "error",
                "truncated",
                f"The last record is cut off: {self._size - self._whole:,} bytes from byte {self._whole:,} on are no "
                f"whole record; {len(self._stored):,} updates are read.",
                f"byte {self._whole:,}",
                True,
            )
        if self._layout.version != _CURRENT:
            yield Finding(
                "warning",
                "schema-version",
                f"pycrdt-store expects files with the header VERSION:{_CURRENT}: a server would rename this one to "
                f"{self.path.stem}(1){self.path.suffix} and start empty.",
                None,
                True,
            )
        untimed = sum(one.time is None for one in self._stored)
        if untimed:
            message = f"{untimed:,} updates have no time; where a target needs one it is this file's own."
            yield Finding("info", "times-invented", message)
        empty = sum(not one.blob for one in self._stored)
        if empty:
            yield Finding("info", "empty-rows", f"{empty:,} records hold no update.", None, True)
        if self._synced:
            message = "Records hold whole sync messages; the update inside each is read."
            yield Finding("info", "sync-prefixed", message, None, True)

    @cached_property
    def collections(self) -> Sequence[CollectionInfo]:
        """The one document; a file with a header and no records is an empty one."""
        found = [one.time for one in self._stored if one.time is not None]
        return [
            CollectionInfo(
                name=self.path.stem,
                label=rooms.clean(self.path.name) if rooms.is_room(self.path.name) else self.path.stem,
                kind="table" if self._is_crossed() else "document",
                records=None,
                stored_bytes=sum(len(one.blob or b"") for one in self._stored),
                versions=len(self._stored),
                first=min(found, default=None),
                last=max(found, default=None),
            )
        ]

    def _is_crossed(self) -> bool:
        from inspector.backends._crdt import crossing

        first = self._stored[0].data if self._stored else None
        if first is None or updates.first_root(first) != crossing.ROOT:
            return False
        return crossing.holds_table(updates.parse(first), first)

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Replay all updates and return the records. Slow."""
        from inspector.backends._crdt import timeline

        return timeline.state(self.stored_updates(name), len(self._stored), progress)

    def history(self, name: str, progress: Progress) -> History:
        """Return the history. Slow."""
        from inspector.backends._crdt import timeline

        return timeline.Timeline(self.stored_updates(name), progress)

    def stored_updates(self, name: str, progress: Progress = silent) -> Sequence[Stored]:
        """Return the stored updates of the document. Raises `InspectorError` for any other name."""
        if name != self.path.stem:
            raise InspectorError(f"{self.path} holds one document, {self.path.stem!r}, and no {name!r}.")
        return self._stored

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def is_headerless(path: Path, head: bytes) -> bool:
    """Say whether the records that *head* holds are updates; what is cut must be so by the head's or file's end."""
    if _layout(head) is None:
        return False
    ends = [end for _, end in _chunks(head, 0)]
    if ends[-1] == len(head):
        return True
    first = next(chunk for chunk, _ in _chunks(head, 0))
    try:
        return len(first) > _TRIVIAL or os.path.getsize(path) > len(head)
    except OSError:
        return False
