"""JSON Lines for other programs: one record a line, as ``{"collection", "key", "value"}``, like ``inspector records``.

Written: ASCII, exact values, collections one after the other. A collection without records leaves no line, which is
the loss ``empty-collection``. Read: the same lines in any order and spacing; and, as an import, any file with one
JSON value a line, which becomes one collection named by the file, with the line's number as key. A collection is a
table where every value is an object, else a document. A line that cannot be read is left out, and a finding says so.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

from inspector import files, notation, values
from inspector.backends._exports import View, loaded, named
from inspector.backends._table_writer import history_losses, unreadable
from inspector.model import (
    Codec,
    CollectionInfo,
    DecodeError,
    Decoder,
    Evidence,
    Finding,
    Loss,
    Record,
    Store,
    StoreInfo,
)
from inspector.progress import Progress, part, track

_STRING = rb'"(?:[^"\\\x00-\x1f]++|\\.)*+"'
_SPACE = rb"[ \t\r]*+"
_OURS = re.compile(
    rb'%b\{%b"collection"%b:%b(%b)%b,%b"key"%b:%b(%b)%b,%b"value"%b:%b'
    % ((_SPACE,) * 4 + (_STRING,) + (_SPACE,) * 4 + (_STRING,) + (_SPACE,) * 4)
)
_MARK = b"\xef\xbb\xbf"
_SUFFIXES = (".jsonl", ".ndjson")
_SHOWN = 20
"""Bad lines that are named one by one."""


@dataclass(slots=True)
class _Lines:
    """Where the records of one collection lie in the text: spans of their values, and their keys."""

    starts: array[int] = field(default_factory=lambda: array("q"))
    stops: array[int] = field(default_factory=lambda: array("q"))
    keys: list[str] = field(default_factory=list)
    objects: bool = True

    def add(self, key: str, start: int, stop: int, *, is_object: bool) -> None:
        """Add a record."""
        self.keys.append(key)
        self.starts.append(start)
        self.stops.append(stop)
        self.objects = self.objects and is_object


class _Rows(Sequence[Record]):
    """The records of one collection, cut out of the text when they are asked for."""

    def __init__(self, text: bytes, lines: _Lines) -> None:
        self._text = text
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines.keys)

    @overload
    def __getitem__(self, at: int) -> Record: ...

    @overload
    def __getitem__(self, at: slice) -> list[Record]: ...

    def __getitem__(self, at: int | slice) -> Record | list[Record]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        lines = self._lines
        return Record(lines.keys[at], raw=self._text[lines.starts[at] : lines.stops[at]])


class _Reader:
    """Reads a whole text once: spans and keys by collection, and what is wrong with it."""

    def __init__(self, path: Path, text: bytes) -> None:
        self.path = path
        self.text = text
        self.start = len(_MARK) if text.startswith(_MARK) else 0
        self.ours = not text.strip() or _OURS.match(text, self.start) is not None
        self.found: dict[str, _Lines] = {}
        self.bad: list[tuple[int, str]] = []
        self.cut = False
        self._at = self.start
        self._parse = values.quick_parser()

    def read(self, progress: Progress) -> None:
        """Look at every line. Slow."""
        if not self.ours:
            self.found[self.path.stem] = _Lines()
        total = len(self.text)
        for number, (start, stop) in enumerate(track(self._spans(), lambda _, __: progress(self._at, total)), 1):
            if self.text[start:stop].isspace() or start == stop:
                continue
            try:
                self._take(number, start, stop)
            except (ValueError, TypeError) as error:
                self.cut = stop == total
                self.bad.append((number, str(error)))

    def _spans(self) -> Iterator[tuple[int, int]]:
        at = self.start
        while at < len(self.text):
            stop = self.text.find(b"\n", at)
            stop = len(self.text) if stop < 0 else stop
            self._at = stop
            yield at, stop
            at = stop + 1

    def _take(self, number: int, start: int, stop: int) -> None:
        if not self.ours:
            value = self._parse(self.text[start:stop])
            lines = self.found[self.path.stem]
            lines.add(str(number), start, stop, is_object=values.type_name(value) == "object")
            return
        match = _OURS.match(self.text, start, stop)
        end = self.text.rfind(b"}", start, stop)
        if match is None or end < match.end() or not self.text[end + 1 : stop].strip() == b"":
            raise ValueError('it is no object with "collection", "key" and "value"')
        value = self._parse(self.text[match.end() : end])
        lines = self.found.setdefault(self._text_of(match[1]), _Lines())
        lines.add(self._text_of(match[2]), match.end(), end, is_object=values.type_name(value) == "object")

    def _text_of(self, quoted: bytes) -> str:
        if b"\\" not in quoted and quoted.isascii():
            return quoted[1:-1].decode("ascii")
        return str(values.parse(quoted))

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with the text."""
        for number, reason in self.bad[:_SHOWN]:
            last = self.cut and number == self.bad[-1][0]
            code = "truncated" if last else "bad-text"
            what = "ends within a record" if last else f"cannot be read: {reason}"
            yield Finding("error", code, f"Line {number:,} {what}; it is left out.", f"line {number:,}")
        if len(self.bad) > _SHOWN:
            more = len(self.bad) - _SHOWN
            yield Finding("error", "bad-text", f"{more:,} more lines cannot be read; they are left out.")


class JsonLines:
    """The backend of JSON Lines."""

    id = "jsonl"
    label = "JSON Lines"
    suffixes = _SUFFIXES
    reads = True
    writes = True
    keeps_history = False
    is_export = True
    codecs = ("none",)
    default_codec = "none"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether the first line is a record of ours."""
        found = _OURS.match(head.removeprefix(_MARK))
        return Evidence(('lines of {"collection", "key", "value"}',)) if found else None

    def imports(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether every whole line in *head*, two at least or one in a file so named, is a JSON object."""
        lines = head.removeprefix(_MARK).split(b"\n")
        whole = [line for line in lines[:-1] if line.strip()][:20]
        if len(lines) == 1 or len(whole) < 2 - path.name.lower().endswith(_SUFFIXES):
            return None
        try:
            sound = all(values.type_name(values.parse(line)) == "object" for line in whole)
        except ValueError:
            return None
        return Evidence(("one JSON object a line",)) if sound else None

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open *path*. Raises `InspectorError` if it cannot be read at all."""
        text = files.Slices(path).read_all(part(progress, 0, 0.2))
        reader = _Reader(path, text)
        reader.read(part(progress, 0.2, 0.8))
        count = sum(len(lines.keys) for lines in reader.found.values())
        kind = 'of {"collection", "key", "value"}' if reader.ours else "of one JSON value each"
        info = StoreInfo(
            "jsonl", "none", len(text), (f"{count:,} lines {kind}",), decoded_size=len(text),
            findings=tuple(reader.findings()),
        )  # fmt: skip
        entries = [
            CollectionInfo(
                name, name, "table" if lines.objects else "document", len(lines.keys),
                sum(lines.stops) - sum(lines.starts),
            )
            for name, lines in reader.found.items()
        ]  # fmt: skip
        return View(path, info, entries, lambda name, _: _Rows(text, reader.found[name]))

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write every record as a line. Slow. Raises `InspectorError` for a record that cannot be read."""
        entries = loaded(source, part(progress, 0, 0.3))
        total = sum(len(records) for _, records in entries)
        rows = ((entry.name, record) for entry, records in entries for record in records)
        try:
            with open(path, "wb") as out:
                for name, record in track(rows, part(progress, 0.3, 0.7), total):
                    out.write(notation.json_line(name, record).encode("ascii") + b"\n")
        except DecodeError as error:
            raise unreadable(source, error) from error

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return histories that are dropped, and collections that leave no line."""
        empty = [entry.name for entry, records in loaded(source, progress) if not records]
        return [*history_losses(source), *named("empty-collection", empty)]

    def promised(self, source: Store, progress: Progress) -> Store:
        """Return *source* without its empty collections; documents keep the keys of their records."""
        kept = [entry._replace(kind="table") for entry, records in loaded(source, progress) if records]
        return View(source.path, source.info, kept, source.load)

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens a file that was written."""
        return ("any reader of JSON Lines, like jq, pandas or DuckDB",)


BACKEND = JsonLines()
