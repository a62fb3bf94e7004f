"""Reads CSV of ours and of other programs: a look at every row once, then each record when it is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from inspector.backends._csv import KEY, ORDER, ROW, WHOLE, BadRow, Field, fields, name_of, value_of
from inspector.model import Finding, Record
from inspector.progress import Progress, track
from inspector.values import RepeatedKeys, Value

_MARK = b"\xef\xbb\xbf"

_SHOWN = 20
"""Bad rows that are named one by one."""


@dataclass(slots=True)
class Header:
    """The columns of a file: *special* by name to number, *names* of the fields by number."""

    ours: bool
    special: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, cells: Sequence[Field]) -> Header:
        """Return the columns that a file's first row names."""
        made = cls(ours=bool(cells) and cells[0][0] == KEY)
        for number, (content, _) in enumerate(cells):
            if made.ours and content in (KEY, ORDER, WHOLE) and content not in made.special:
                made.special[content] = number
            else:
                made.names[number] = name_of(content) if made.ours else content
        return made

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.special) + len(self.names)

    def record(self, number: int, cells: Sequence[Field]) -> Record:
        """Return the record of a row; *number* counts them from 1."""
        if not self.ours:
            return Record(str(number), self._document(cells))
        key = name_of(cells[self.special[KEY]][0])
        whole = self.special.get(WHOLE)
        if whole is not None and cells[whole] != ("", False):
            content, quoted = cells[whole]
            return Record(key, value_of(content, quoted=quoted, ours=True))
        document = self._document(cells)
        order = self.special.get(ORDER)
        if order is not None and cells[order][0] and isinstance(document, dict):
            document = _ordered(document, value_of(cells[order][0], quoted=False, ours=True))
        return Record(key, document)

    def _document(self, cells: Sequence[Field]) -> dict[str, Any] | RepeatedKeys:
        pairs = [
            (self.names[number], value_of(content, quoted=quoted, ours=self.ours))
            for number, (content, quoted) in enumerate(cells)
            if number in self.names and (content or quoted)
        ]
        document = dict(pairs)
        return document if len(document) == len(pairs) else RepeatedKeys(tuple(pairs))


def _ordered(document: dict[str, Any], order: Value) -> dict[str, Any]:
    """Return *document* in *order*, as it is if someone changed one and not the other."""
    names = [name for name in order if isinstance(name, str)] if isinstance(order, list) else []
    if sorted(names) != sorted(document):
        return document
    return {name: document[name] for name in names}


class Rows(Sequence[Record]):
    """The records of a file, read when they are asked for."""

    def __init__(self, text: bytes, header: Header, spans: tuple[array[int], array[int]]) -> None:
        self._text = text
        self._header = header
        self._spans = spans

    def __len__(self) -> int:
        return len(self._spans[0])

    @overload
    def __getitem__(self, at: int) -> Record: ...

    @overload
    def __getitem__(self, at: slice) -> list[Record]: ...

    def __getitem__(self, at: int | slice) -> Record | list[Record]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        row = at + len(self) if at < 0 else at
        start, stop = self._spans[0][row], self._spans[1][row]
        return self._header.record(row + 1, list(fields(self._text[start:stop].decode())))


class Reader:
    """Looks at every row of a text: where it lies, and whether it can be read. Raises `BadRow` for a bad header."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.starts, self.stops = array("q"), array("q")
        self._bad: list[tuple[int, str]] = []
        self._cut: int | None = None
        self._at = 0
        spans = self._spans()
        first = next(spans, None)
        if first is None:
            raise BadRow("it holds no header" if not text else "a quote is never closed")
        self.header = Header.of(list(fields(text[slice(*first)].decode())))
        self._rest = spans

    def read(self, progress: Progress) -> None:
        """Look at every row below the header. Slow."""
        total = len(self.text)
        for number, (start, stop) in enumerate(track(self._rest, lambda _, __: progress(self._at, total)), 2):
            if start == stop:
                continue
            try:
                self._check(self.text[start:stop])
            except ValueError as error:
                self._bad.append((number, str(error)))
            else:
                self.starts.append(start)
                self.stops.append(stop)

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield where the rows below the header lie that were not looked at yet."""
        return self._rest

    def rows(self) -> Rows:
        """Return the records."""
        return Rows(self.text, self.header, (self.starts, self.stops))

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with the text."""
        for number, reason in self._bad[:_SHOWN]:
            message = f"Row {number:,} cannot be read: {reason}; it is left out."
            yield Finding("error", "bad-text", message, f"row {number:,}")
        if len(self._bad) > _SHOWN:
            more = len(self._bad) - _SHOWN
            yield Finding("error", "bad-text", f"{more:,} more rows cannot be read; they are left out.")
        if self._cut is not None:
            message = f"The file ends within a row, which begins at byte {self._cut:,}; it is left out."
            yield Finding("error", "truncated", message, f"byte {self._cut:,}")

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Yield where each row begins and ends, without the end of its line."""
        at = len(_MARK) if self.text.startswith(_MARK) else 0
        whole = self.text.startswith(KEY.encode(), at)  # what we wrote ends with the end of a line
        while at < len(self.text):
            self._at = at
            match = ROW.match(self.text, at)
            if match is None or (whole and match.end() == len(self.text) and self.text[-1] not in b"\r\n"):
                self._cut = at
                return
            stop = match.end()
            while stop > at and self.text[stop - 1] in b"\r\n":
                stop -= 1
            yield at, stop
            at = match.end()

    def _check(self, row: bytes) -> None:
        text = row.decode()
        found = sum(1 for _ in fields(text)) if '"' in text else text.count(",") + 1
        width = self.header.width
        if found > width or (self.header.ours and found < width):
            raise BadRow(f"it has {found} cells, the header {width}")
