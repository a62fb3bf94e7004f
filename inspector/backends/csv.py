"""CSV for other programs: one collection a file, exact, and read back as what it was.

The file is RFC 4180 in UTF-8 with CRLF. The header is ``$key`` and the documents' fields in order of first appearance;
each row is a record's key and its values. A cell is

- nothing: the field is missing;
- bare: a number, ``true``, ``false``, ``null``, ``NaN`` in exact JSON with all digits, or a text that is none of these;
- in quotes: a text. ``""`` is the empty text, ``"null"`` and ``"12"`` are texts. Only where it begins with ``{``, ``[``
  or ``"`` and is JSON it is that JSON value: an array or object, or a text that would else be taken for one, or one
  with lone surrogates, which UTF-8 does not hold.

Keys and headers are always texts. Two more columns appear where they are needed: ``$order``, the names of a
document's fields as a JSON array where their order is not that of the columns; ``$value``, the exact JSON of a record
that is no object with each key once. A field whose own name begins with ``$`` stands in the header as a JSON string.
A document of a CRDT store becomes a table with the fields ``key`` and ``value`` and the keys 1, 2, …

*Safe for spreadsheets*: a byte order mark (Excel needs it to see UTF-8), and an apostrophe before every cell that
begins with ``=``, ``+``, ``-``, ``@``, tab or a line break and is no plain number, so that it is not run as a formula
(https://owasp.org/www-community/attacks/CSV_Injection). Reading takes one apostrophe away before such a sign, so that
nothing is lost; a text that begins so by itself is a JSON string in the plain form.

Any other CSV with a header is read as an import: columns are fields, keys are 1, 2, …, cells as above, but
apostrophes stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from inspector import files
from inspector.backends._csv import KEY, ORDER, WHOLE, BadRow, fields, name_field, value_field, whole_field
from inspector.backends._exports import View, sole
from inspector.backends._table_writer import history_losses, unreadable
from inspector.model import (
    Backend,
    Codec,
    CollectionInfo,
    DecodeError,
    Decoder,
    Evidence,
    InspectorError,
    Loss,
    Record,
    Store,
    StoreInfo,
)
from inspector.progress import Progress, part, track

_MARK = b"\xef\xbb\xbf"
_END = "\r\n"
_LOOKED_AT = 20
"""Rows that tell whether a file is CSV."""


class Csv:
    """The backend of CSV."""

    id = "csv"
    label = "CSV"
    suffixes: tuple[str, ...] = (".csv",)
    reads = True
    writes = True
    keeps_history = False
    one_collection = True
    is_export = True
    codecs: tuple[str, ...] = ("none",)
    default_codec = "none"
    safe = False

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether the header begins with our column of keys."""
        text = head.removeprefix(_MARK)
        key = KEY.encode()
        ours = text.startswith(key) and text[len(key) : len(key) + 1] in (b",", b"\r", b"\n", b"")
        return Evidence((f"a header that begins with {KEY}",)) if ours else None

    def imports(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether a file so named begins with a header and rows of no more cells."""
        if not path.name.lower().endswith(self.suffixes) or b"\0" in head:
            return None
        lines = head.removeprefix(_MARK).decode("utf-8", "replace").splitlines(keepends=True)
        whole = "".join(lines[: _LOOKED_AT * 2])
        try:
            rows = list(_first_rows(whole, cut=len(whole.encode()) < len(head)))
        except BadRow:
            return None
        return Evidence(("a header and rows",)) if rows and max(rows) == rows[0] else None

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open *path*. Raises `InspectorError` if its header cannot be read."""
        from inspector.backends._csv_read import Reader

        text = files.Slices(path).read_all(part(progress, 0, 0.2))
        try:
            reader = Reader(text)
        except ValueError as error:
            raise InspectorError(f"{path} is no CSV that can be read: {error}.") from error
        reader.read(part(progress, 0.2, 0.8))
        rows = reader.rows()
        kind = f"a header that begins with {KEY}" if reader.header.ours else "a header"
        info = StoreInfo(
            "csv", "none", len(text), (f"{kind}, and {len(rows):,} rows",), decoded_size=len(text),
            findings=tuple(reader.findings()),
        )  # fmt: skip
        entry = CollectionInfo(path.stem, path.stem, "table", len(rows), len(text))
        return View(path, info, [entry], lambda name, _: rows)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write the one collection of *source*. Slow. Raises `InspectorError` for several."""
        entry = sole(source, self.label)
        try:
            records = _as_table(entry, source.load(entry.name, part(progress, 0, 0.2)))
            columns = _Columns(records, part(progress, 0.2, 0.3))
            with open(path, "w", encoding="utf-8", newline="") as out:
                if self.safe:
                    out.write(_MARK.decode())
                out.writelines(columns.rows(records, safe=self.safe, progress=part(progress, 0.5, 0.5)))
        except DecodeError as error:
            raise unreadable(source, error) from error

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return histories that are dropped; everything else is kept. Raises `InspectorError` for an empty store."""
        if not source.collections:
            sole(source, self.label)
        return history_losses(source)

    def spreadsheet_safe(self) -> Backend:
        """Return a backend that guards cells against being run as formulas."""
        return _SafeCsv()

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens a file that was written."""
        return ("spreadsheets, pandas and any reader of CSV",)


class _SafeCsv(Csv):
    """Writes a byte order mark, and an apostrophe before what a spreadsheet would run."""

    safe = True


def _first_rows(text: str, *, cut: bool) -> Iterator[int]:
    """Yield the number of cells of the first rows of *text*; *cut*: the file goes on."""
    from inspector.backends._csv_read import Reader

    reader = Reader(text.encode())
    yield reader.header.width
    for number, (start, stop) in enumerate(reader.spans(), 1):
        if number == _LOOKED_AT or (cut and stop >= len(reader.text) - 1):
            return
        if stop > start:
            yield sum(1 for _ in fields(reader.text[start:stop].decode()))


def _as_table(entry: CollectionInfo, records: Sequence[Record]) -> Sequence[Record]:
    """Return the rows of a table as they are, of a document with ids and the fields ``key`` and ``value``."""
    if entry.kind == "table":
        return records
    return [Record(str(number), {"key": record.key, "value": record.value}) for number, record in enumerate(records, 1)]


class _Columns:
    """The columns that a collection needs, found by a look at every record. Raises `DecodeError`."""

    def __init__(self, records: Sequence[Record], progress: Progress) -> None:
        self._places: dict[str, int] = {}
        self._ordered = True
        self._whole = False
        for record in track(records, progress, len(records)):
            if isinstance(record.value, dict):
                for name in record.value:
                    self._places.setdefault(name, len(self._places))
                self._ordered = self._ordered and self._in_order(record.value)
            else:
                self._whole = True

    def _in_order(self, names: Iterable[str]) -> bool:
        places = [self._places[name] for name in names]
        return places == sorted(places)

    def rows(self, records: Sequence[Record], *, safe: bool, progress: Progress) -> Iterator[str]:
        """Yield the lines of the file."""
        special = [KEY, *([] if self._ordered else [ORDER]), *([WHOLE] if self._whole else [])]
        names = (name_field(name, safe=safe, header=True) for name in self._places)
        yield ",".join((*special, *names)) + _END
        for record in track(records, progress, len(records)):
            yield ",".join((name_field(record.key, safe=safe), *self._cells(record, safe=safe))) + _END

    def _cells(self, record: Record, *, safe: bool) -> Iterator[str]:
        document = record.value if isinstance(record.value, dict) else {}
        if not self._ordered:
            yield "" if self._in_order(document) else value_field(list(document), safe=safe)
        if self._whole:
            yield "" if isinstance(record.value, dict) else whole_field(record.value, safe=safe)
        for name in self._places:
            yield value_field(document[name], safe=safe) if name in document else ""


BACKEND = Csv()
