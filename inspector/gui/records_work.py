"""The slow work of a records page: plain functions that take a progress and touch no widget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inspector import files, values
from inspector.gui import copying
from inspector.gui.cells import Missing
from inspector.gui.copying import Piece
from inspector.gui.exact_text import exact_text
from inspector.gui.record_columns import FIRST_SAMPLE, Column, Survey, survey
from inspector.gui.record_rows import Row, read
from inspector.model import DecodeError, InspectorError, Record, Store
from inspector.operations import export
from inspector.operations.query import Query
from inspector.operations.search import Hits, SortBy, search
from inspector.progress import Progress, part, track

MOST_COPIED = 64_000_000
"""Characters that are copied at most; more belongs into a file."""

FIRST_SECONDS = 0.3

Form = Literal["tsv", "csv", "json", "markdown", "python"]
FileForm = Literal["jsonl", "csv", "text", "ipynb"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The records of a collection, the columns of the first of them, and whether they are a notebook."""

    records: Sequence[Record]
    survey: Survey
    notebook: bool
    kept: int | None = None
    """Where the record is now that was to be kept."""


@dataclass(frozen=True, slots=True)
class Order:
    """By which column rows are sorted."""

    column: Column
    descending: bool = False

    @property
    def sort(self) -> SortBy:
        """The order as the search takes it."""
        if self.column.kind == "key":
            return SortBy(by_key=True, descending=self.descending)
        path = () if self.column.kind == "value" else (self.column.name,)
        return SortBy(path, descending=self.descending)


@dataclass(frozen=True, slots=True)
class Written:
    """What an export wrote: rows, and how many could not be read."""

    path: Path
    rows: int
    unreadable: int


def load(progress: Progress, store: Store, name: str, keep: tuple[int, str] | None = None) -> Loaded:
    """Load a collection, look at its first records, find the one to *keep*, known by number and key.

    Raises `InspectorError`.
    """
    records = store.load(name, part(progress, 0, 0.7))
    found = survey(part(progress, 0.7, 0.2), records, FIRST_SAMPLE, FIRST_SECONDS)
    kept = None
    if keep is not None:
        number, key = keep
        here = number < len(records) and records[number].key == key
        kept = number if here else find_key(part(progress, 0.9, 0.1), records, key)
        if kept is None and records:
            # The record is gone: what took its place is nearer than the first one.
            kept = min(number, len(records) - 1)
    # Only a document is small enough to be asked whether it is a notebook.
    is_document = any(entry.name == name and entry.kind == "document" for entry in store.collections)
    return Loaded(records, found, is_document and export.is_notebook(records), kept)


def arrange(progress: Progress, records: Sequence[Record], query: Query | None, order: Order | None) -> Hits:
    """Return the rows that *query* wants in the order wanted. Raises `UsageError` for an endless expression."""
    return search(records, query, sort=order.sort if order else None, progress=progress)


def find_key(progress: Progress, records: Sequence[Record], key: str) -> int | None:
    """Return the number of the record with this key, None if there is none."""
    guess = int(key) - 1 if key.isdigit() and len(key) < 18 else -1
    if 0 <= guess < len(records) and records[guess].key == key:
        return guess
    for number, record in enumerate(track(records, progress, len(records))):
        if record.key == key:
            return number
    return None


def piece(row: Row, column: Column) -> Piece | None:
    """Return a record's value in *column* with its exact text, None where it has none."""
    if column.kind == "key":
        # An id is a number to everybody but JSON, whose keys are texts.
        plain = row.key.isdigit() and row.key.isascii() and len(row.key) < 19 and str(int(row.key)) == row.key
        return Piece(int(row.key), row.key) if plain else Piece(row.key, values.write(row.key))
    if row.error:
        return None
    if column.kind == "value":
        text, _ = exact_text(row.raw, (), row.value)
        return Piece(row.value, text)
    value = row.member(column.name)
    if isinstance(value, Missing):
        return None
    text, _ = exact_text(row.raw, (row.ordinal(column.name),), value)
    return Piece(value, text)


def rows_as(form: Form, names: Sequence[str], rows: Sequence[Sequence[Piece | None]]) -> str:
    """Return rows in a notation for the clipboard."""
    if form == "tsv":
        return copying.tsv(rows)
    makers = {
        "csv": copying.csv,
        "json": copying.json_rows,
        "markdown": copying.markdown,
        "python": copying.python_rows,
    }
    return makers[form](names, rows)


def copy_rows(
    progress: Progress,
    records: Sequence[Record],
    numbers: Sequence[int],
    columns: Sequence[tuple[str, Column]],
    form: Form,
) -> str:
    """Return records as text, *columns* as (name, column). Raises `InspectorError` for more than a clipboard takes."""
    rows, size = [], 0
    for number in track(numbers, progress, len(numbers)):
        row = read(records[number])
        rows.append([piece(row, column) for _, column in columns])
        size += sum(len(found.text) for found in rows[-1] if found is not None)
        if size > MOST_COPIED:
            raise InspectorError(
                f"The selection is longer than {files.readable_size(MOST_COPIED)} as text. Nothing was copied; "
                "export the rows to a file."
            )
    return rows_as(form, [name for name, _ in columns], rows)


@dataclass(frozen=True, slots=True)
class Export:
    """What is written where: the rows of a collection in a form, for CSV with these (name, column)."""

    collection: str
    path: Path
    form: FileForm
    columns: tuple[tuple[str, Column], ...] = ()


def write_rows(progress: Progress, records: Sequence[Record], rows: Sequence[int], job: Export) -> Written:
    """Write rows to a file, whole or not at all. Raises `InspectorError`."""
    unreadable: list[int] = []
    size = 0

    def write(path: Path) -> None:
        nonlocal size
        with path.open("w", encoding="utf-8", newline="", errors="surrogatepass") as file:
            for line in _lines(records, track(rows, progress, len(rows)), job, unreadable):
                file.write(line)
        size = path.stat().st_size

    def verify(path: Path) -> None:
        if path.stat().st_size != size:
            raise InspectorError(f"{job.path} is not what was written to it. Nothing was kept; check the disk.")

    files.replace(job.path, write, verify=verify, overwrite=True)
    return Written(job.path, len(rows) - len(unreadable), len(unreadable))


def _lines(records: Sequence[Record], rows: Iterable[int], job: Export, unreadable: list[int]) -> Iterator[str]:
    if job.form in ("text", "ipynb"):
        chosen = [records[row] for row in rows]
        yield export.as_text(chosen) if job.form == "text" else export.notebook_text(export.as_notebook(chosen))
        return
    if job.form == "csv":
        yield copying.csv([name for name, _ in job.columns], [])
    for row in rows:
        record = records[row]
        try:
            if job.form == "jsonl":
                yield export.json_line(job.collection, record) + "\n"
                continue
            record.value  # noqa: B018  (parsed here so that a record that cannot be read is counted, not written)
        except DecodeError:
            unreadable.append(row)
            continue
        found = read(record)
        yield ",".join(copying.delimited(piece(found, column), ",") for _, column in job.columns) + "\n"
