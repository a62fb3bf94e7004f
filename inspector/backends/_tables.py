"""The layout that TinyDB and BetterJSONStorage share, as a store: tables of documents over one indexed text.

Records are cut out of the text when they are asked for, by position, and parsed when they are looked at.
Several whole states in one text: the newest is shown, `TableStore.state` opens another.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Self, overload

from inspector import values
from inspector.backends._scan import Index, Source, Table, scan
from inspector.backends._survey import Survey
from inspector.backends._text import Encoding
from inspector.model import CollectionInfo, Finding, InspectorError, Loss, Record, StoreInfo
from inspector.progress import Progress, silent

WINDOW = 1 << 18
"""Bytes of text that are read at once while records are walked through."""


def decode_name(quoted: bytes) -> str:
    """Return the name or id that a JSON string spells; its bare text where it is no valid JSON string."""
    bare = quoted[1:-1]
    if bare.isdigit():
        return bare.decode("ascii")
    try:
        return str(values.parse(quoted))
    except ValueError:
        return bare.decode("utf-8", "surrogateescape")


class Rows(Sequence[Record]):
    """The records of one table in stored order; any of them is cut out of the text in constant time."""

    def __init__(self, source: Source, index: Index, tables: Sequence[Table]) -> None:
        self._source = source
        self._index = index
        self._parts = [range(table.first, table.last) for table in tables]
        self._ends = list(accumulate(len(part) for part in self._parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> Record: ...

    @overload
    def __getitem__(self, at: slice) -> list[Record]: ...

    def __getitem__(self, at: int | slice) -> Record | list[Record]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        row = at + len(self) if at < 0 else at
        if not 0 <= row < len(self):
            raise IndexError(f"row {at} of {len(self)}")
        number = self._number(row)
        begin, stop = self._begin(number), self._index.stops[number]
        return self._cut(self._source.read(begin, stop), begin, number, row)

    def __iter__(self) -> Iterator[Record]:
        row = 0
        for numbers, text, begin in self.windows():
            for number in numbers:
                yield self._cut(text, begin, number, row)
                row += 1

    def windows(self) -> Iterator[tuple[range, bytes, int]]:
        """Yield numbers of neighbouring documents, the text from the first's id to the last's end, and its offset."""
        stops = self._index.stops
        for part in self._parts:
            first = part.start
            while first < part.stop:
                begin = self._begin(first)
                last = max(bisect_right(stops, begin + WINDOW, first, part.stop), first + 1)
                yield range(first, last), self._source.read(begin, stops[last - 1]), begin
                first = last

    def keys(self) -> Iterator[str]:
        """Yield the key of every record without cutting out its document."""
        row = 0
        for numbers, text, begin in self.windows():
            for number in numbers:
                yield self._key(text, begin, number, row)
                row += 1

    def offset(self, row: int) -> int:
        """Return where in the text the document of *row* begins."""
        return self._index.starts[self._number(row)]

    def _number(self, row: int) -> int:
        part = bisect_right(self._ends, row)
        return self._parts[part][row - (self._ends[part - 1] if part else 0)]

    def _begin(self, number: int) -> int:
        named = self._index.ids[number]
        return named if named >= 0 else self._index.starts[number]

    def _cut(self, text: bytes, begin: int, number: int, row: int) -> Record:
        index = self._index
        raw = text[index.starts[number] - begin : index.stops[number] - begin]
        return Record(self._key(text, begin, number, row), raw=raw)

    def _key(self, text: bytes, begin: int, number: int, row: int) -> str:
        named, start = self._index.ids[number] - begin, self._index.starts[number] - begin
        if self._index.ids[number] < 0:
            return _key_in(text[start : self._index.stops[number] - begin], row)
        stop = start - 1
        while text[stop] != 0x22:  # the id's closing quote; between it and the document stand space and a colon
            stop -= 1
        bare = text[named + 1 : stop]
        return bare.decode("ascii") if bare.isdigit() else decode_name(text[named : stop + 1])


def _key_in(raw: bytes, row: int) -> str:
    """Return the id that TinyDB 1.x keeps inside the document, in the field ``_id``; else the row's number."""
    try:
        identifier = dict(values.members(values.parse(raw))).get("_id")
    except ValueError:
        identifier = None
    return str(identifier) if isinstance(identifier, int) else f"row {row + 1}"


@dataclass(frozen=True, slots=True)
class Layout:
    """A text that holds tables: the text in UTF-8, what was found in it, and what it was encoded in."""

    source: Source
    survey: Survey
    encoding: Encoding

    @property
    def index(self) -> Index:
        """The index of the state that is shown."""
        return self.survey.index


class TableStore:
    """An open database of tables. *find* gives the findings about a layout; it is asked once per state shown."""

    def __init__(
        self, path: Path, layout: Layout, *, info: StoreInfo, find: Callable[[TableStore], Sequence[Finding]]
    ) -> None:
        self.path = path
        self.layout = layout
        self._tables: dict[str, list[Table]] = {}
        for table in layout.index.tables:
            name = decode_name(layout.source.read(table.name_start, table.name_stop))
            self._tables.setdefault(name, []).append(table)
        self._find = find
        self._bare = info
        self.losses: Sequence[Loss] | None = None
        """What a look into every record found that a target cannot hold; kept because a file is looked into twice."""
        self.info = info._replace(findings=(*info.findings, *find(self)))

    @property
    def tables(self) -> dict[str, list[Table]]:
        """Spans of every table by exact name; more than one where the name is repeated."""
        return self._tables

    @property
    def collections(self) -> Sequence[CollectionInfo]:
        """Tables in file order; a repeated name is one collection with the records of all."""
        return [
            CollectionInfo(
                name,
                name,
                "table",
                sum(table.last - table.first for table in parts),
                sum(table.stop - table.start for table in parts),
            )
            for name, parts in self._tables.items()
        ]

    def rows(self, name: str) -> Rows:
        """Return the records of one table. Raises `InspectorError` if there is none of this name."""
        if name not in self._tables:
            raise InspectorError(f"{self.path.name} has no table {name!r}; it has {', '.join(self._tables) or 'none'}.")
        return Rows(self.layout.source, self.layout.index, self._tables[name])

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Return the records of one table, cut out when asked for. Raises `InspectorError`."""
        rows = self.rows(name)
        progress(len(rows), len(rows))
        return rows

    def history(self, name: str, progress: Progress) -> None:
        """Return None: these formats keep no history."""

    def whole_text(self) -> bytes | None:
        """Return the text of the state shown, or None if it is damaged or in TinyDB 1.x's layout."""
        index = self.layout.index
        if index.stop is None or not index.whole or self.layout.encoding.damage is not None:
            return None
        if any(table.is_array for table in index.tables):
            return None
        return self.layout.source.read(index.start, index.stop)

    @property
    def states(self) -> int:
        """Whole states in the file; the newest is shown."""
        return len(self.layout.survey.states)

    def state(self, number: int) -> TableStore:
        """Return a store that shows state *number*, 1 being the oldest. Raises `InspectorError`."""
        if not 1 <= number <= self.states:
            raise InspectorError(f"{self.path.name} holds {self.states} states; state {number} does not exist.")
        start, _ = self.layout.survey.states[number - 1]
        index = scan(self.layout.source, start, progress=silent)
        layout = replace(self.layout, survey=replace(self.layout.survey, index=index))
        return TableStore(self.path, layout, info=self._bare, find=self._find)

    def close(self) -> None:
        """Let go of nothing: no handle and no private file is kept."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
