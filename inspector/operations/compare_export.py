"""A comparison of two stores as a file: JSON as the command line has it, CSV, or a report in Markdown."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Literal

from inspector import files, values
from inspector.model import InspectorError, Store
from inspector.operations.compare import (
    Compared,
    Match,
    change_entry,
    command,
    compare_stores,
    record_entry,
)
from inspector.operations.record_diff import RecordDifference, Tally, shown
from inspector.progress import Progress, part, silent
from inspector.values import Undefined, Value

Form = Literal["json", "csv", "md"]

IN_MEMORY = 8 << 20
"""Bytes of each part of a document that are kept in memory; more goes into a temporary file."""

MOST_REPORTED = 500
"""Differences that a report lists; the counts are of all."""

_LONGEST = 160
"""Most characters of a value in a report."""

_BLOCK = 1 << 20

COLUMNS = ("collection", "kind", "key", "path", "before", "after")


@dataclass(frozen=True, slots=True)
class Line:
    """One difference as a row of a table: exact JSON texts, None for a side that has nothing there."""

    kind: str
    key: str
    path: str
    before: str | None
    after: str | None


def lines(difference: RecordDifference) -> Iterator[Line]:
    """Yield one line for a record on one side only, else one for each value that differs."""
    if difference.kind != "changed":
        text = values.write(shown(difference.record))
        sides = (None, text) if difference.kind == "added" else (text, None)
        yield Line(difference.kind, difference.record.key, "", *sides)
    for change in difference.changes:
        yield Line("changed", change.key, change.path, _side(change.before), _side(change.after))


def _side(value: Value) -> str | None:
    return None if isinstance(value, Undefined) else values.write(value)


def write_comparison(
    first: Store, second: Store, target: Path, form: Form, *, progress: Progress = silent
) -> tuple[Compared, ...]:
    """Compare two stores and write all differences to *target*, whole or not at all; an older file is replaced. Slow.

    Memory is bounded however many there are. Raises `InspectorError`.
    """
    done: list[tuple[Compared, ...]] = []
    size = 0

    def write(path: Path) -> None:
        nonlocal size
        with path.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file:
            done.append(_WRITERS[form](first, second, file, part(progress, 0, 1)))
        size = path.stat().st_size

    def verify(path: Path) -> None:
        if path.stat().st_size != size:
            raise InspectorError(f"{target} is not what was written to it. Nothing was kept; check the disk.")

    files.replace(target, write, verify=verify, overwrite=True)
    return done[0]


def _write_json(first: Store, second: Store, file: IO[str], progress: Progress) -> tuple[Compared, ...]:
    """Write the document of ``inspector diff``: its three lists are gathered apart and joined at the end."""
    with _Part() as added, _Part() as removed, _Part() as changed:
        sides = {"added": added, "removed": removed}

        def take(match: Match, difference: RecordDifference) -> None:
            if difference.kind != "changed":
                sides[difference.kind].add(values.write(record_entry(match.name, difference.record)))
            for change in difference.changes:
                changed.add(values.write(change_entry(match.name, change)))

        compared = compare_stores(first, second, take, progress=progress)
        for opening, gathered in (('{"added": [', added), ('], "removed": [', removed), ('], "changed": [', changed)):
            file.write(opening)
            gathered.copy_to(file)
        counts = total(compared).counts if compared else {}
        file.write(f'], "counts": {values.write(dict(counts))}}}\n')
    return compared


class _Part:
    """The items of one list as text, in memory or in a temporary file."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY, mode="w+", encoding="utf-8", newline="")  # noqa: SIM115
        self._empty = True

    def add(self, text: str) -> None:
        self._file.write(text if self._empty else ", " + text)
        self._empty = False

    def copy_to(self, file: IO[str]) -> None:
        self._file.seek(0)
        while block := self._file.read(_BLOCK):
            file.write(block)

    def __enter__(self) -> _Part:
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()


def _write_csv(first: Store, second: Store, file: IO[str], progress: Progress) -> tuple[Compared, ...]:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)

    def take(match: Match, difference: RecordDifference) -> None:
        writer.writerows(
            (match.name, line.kind, line.key, line.path, line.before, line.after) for line in lines(difference)
        )

    return compare_stores(first, second, take, progress=progress)


def _write_markdown(first: Store, second: Store, file: IO[str], progress: Progress) -> tuple[Compared, ...]:
    report = _Report()
    compared = compare_stores(first, second, report.take, progress=progress)
    file.write(report.text(first, second, compared))
    return compared


@dataclass(slots=True)
class _Report:
    """The first differences of a comparison, and how many there are."""

    rows: list[tuple[str, Line]] = field(default_factory=list)
    count: int = 0

    def take(self, match: Match, difference: RecordDifference) -> None:
        for line in lines(difference):
            self.count += 1
            if len(self.rows) < MOST_REPORTED:
                self.rows.append((match.name, line))

    def text(self, first: Store, second: Store, compared: Sequence[Compared]) -> str:
        out = io.StringIO()
        out.write(f"# {_cell(first.path.name)} and {_cell(second.path.name)} compared\n\n")
        out.write(f"**{verdict(compared)}**\n\n")
        _table(out, ("", "File", "Format", "Bytes", "Changed"), [_file("A", first), _file("B", second)])
        names = ("Collection", "Equal", "Changed", "Only in A", "Only in B")
        counted = [_counts(_cell(one.match.label), one.tally) for one in compared]
        _table(out, names, [*counted, _counts("**All**", total(compared))])
        if self.rows:
            _table(out, ("Collection", "Key", "Field", "A", "B"), [self._row(*row) for row in self.rows])
        if self.count > len(self.rows):
            out.write(f"{self.count - len(self.rows):,} more differences are not listed.\n\n")
        out.write(
            "Every key and value was compared exactly, value and type. The order of records and of the keys in "
            f"an object was not compared.\n\n    {command(first.path, second.path)}\n"
        )
        return out.getvalue()

    def _row(self, name: str, line: Line) -> tuple[str, ...]:
        field_name = _code(line.path) if line.path else f"*{line.kind}*"
        return _cell(name), _cell(line.key), field_name, _code(line.before), _code(line.after)


def total(compared: Sequence[Compared]) -> Tally:
    """Return the counts of all collections together."""
    return sum((one.tally for one in compared), Tally())


def verdict(compared: Sequence[Compared]) -> str:
    """Return in a few words whether two stores hold the same."""
    tally = total(compared)
    alone = sum(one.match.before is None or one.match.after is None for one in compared)
    different = tally.added + tally.removed + tally.changed
    where = f"{len(compared):,} {'collection' if len(compared) == 1 else 'collections'}"
    if not different and not alone:
        return f"Identical: {tally.unchanged:,} {'record' if tally.unchanged == 1 else 'records'} in {where}"
    differ = "record differs" if different == 1 else "records differ"
    return f"{different:,} {differ}, {tally.unchanged:,} {'is' if tally.unchanged == 1 else 'are'} equal, in {where}"


def _file(name: str, store: Store) -> tuple[str, ...]:
    info = store.info
    try:
        changed = f"{datetime.fromtimestamp(store.path.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"
    except OSError:
        changed = ""
    coded = "" if info.codec == "none" else f" · {info.codec}"
    return name, _cell(str(store.path)), _cell(info.format + coded), f"{info.size:,}", changed


def _counts(name: str, tally: Tally) -> tuple[str, ...]:
    return name, *(f"{number:,}" for number in (tally.unchanged, tally.changed, tally.removed, tally.added))


def _table(out: IO[str], header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for row in (header, ["---"] * len(header), *rows):
        out.write("| " + " | ".join(row) + " |\n")
    out.write("\n")


def _cell(text: str) -> str:
    shown_text = "".join(c if c.isprintable() else " " for c in text)
    for sign in "\\`*_[]<>|":
        shown_text = shown_text.replace(sign, "\\" + sign)
    return shown_text


def _code(text: str | None) -> str:
    if not text:
        return ""
    cut = text[:_LONGEST] + ("…" if len(text) > _LONGEST else "")
    fence = "``" if "`" in cut else "`"
    return f"{fence}{cut.replace('|', chr(92) + '|')}{fence}"


_WRITERS: dict[Form, Callable[[Store, Store, IO[str], Progress], tuple[Compared, ...]]] = {
    "json": _write_json,
    "csv": _write_csv,
    "md": _write_markdown,
}
