"""The verb that streams records: JSON Lines, or a table on a terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from inspector.cli import arguments
from inspector.cli.render import print_findings, progress_bar, visible
from inspector.model import CollectionInfo, DecodeError, InspectorError, MissingLibrary, Record, Store
from inspector.operations import query, search
from inspector.operations.describe import unreadable
from inspector.operations.export import json_line, readable
from inspector.operations.open import chosen
from inspector.progress import Progress

Action = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]

BATCH = 1000
"""Lines that are written in one call: a call for each costs more than the line itself."""


def _records_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)
    arguments.collection(parser)
    parser.add_argument("--where", metavar="QUERY", help="an expression over fields, or words that must occur")
    parser.add_argument("--sort", metavar="FIELD", help="sort by this field; -FIELD descends")
    parser.add_argument("--limit", metavar="N", type=arguments.count, help="at most N records")
    arguments.as_json(parser)


def records(options: argparse.Namespace) -> int:
    """Stream records as JSON Lines, or as a table on a terminal."""
    wanted = query.parse(options.where) if options.where is not None else None
    sort = search.SortBy.parse(options.sort) if options.sort is not None else None
    lines = _Lines(_row if sys.stdout.isatty() and not options.json else json_line)
    bar = progress_bar("Reading", quiet=options.json)
    with arguments.reading(options, progress=bar) as store:
        entries = chosen(store, (options.collection,) if options.collection is not None else ())
        stream = _Stream(store, lines, wanted, sort)
        stream.run(entries, options.limit, bar)
        lines.flush()
        print_findings(search.findings_of(stream.hits))
    if stream.unread:
        raise InspectorError(
            f"{stream.unread} of {len(entries)} collections of {options.file} cannot be read; the others are printed."
        )
    if lines.failures:
        what = "1 record" if lines.failures == 1 else f"{lines.failures:,} records"
        raise InspectorError(f"{what} of {options.file} cannot be read; the others are printed.")
    return 0


class _Stream:
    """One search over the collections of a store, printed as it goes."""

    def __init__(self, store: Store, lines: _Lines, wanted: query.Query | None, sort: search.SortBy | None) -> None:
        self.store = store
        self.lines = lines
        self.wanted = wanted
        self.sort = sort
        self.hits: dict[str, search.Hits] = {}
        self.unread = 0

    def run(self, entries: Sequence[CollectionInfo], limit: int | None, progress: Progress) -> None:
        left = limit
        for entry in entries:
            if left == 0:
                break
            try:
                found = self.store.load(entry.name, progress)
            except (DecodeError, MissingLibrary) as error:
                if len(entries) == 1:
                    raise
                self.unread += 1
                self.lines.flush()
                print_findings((unreadable(entry, error),))
                continue
            hits = search.search(found, self.wanted, sort=self.sort, limit=left, progress=progress)
            for row in hits.rows:
                self.lines.add(entry.name, found[row])
            left = left - len(hits.rows) if left is not None else None
            self.hits[entry.name] = hits


class _Lines:
    """Lines of stdout, written in batches; a warning comes after the lines before it."""

    def __init__(self, form: Callable[[str, Record], str]) -> None:
        self.failures = 0
        self._form = form
        self._lines: list[str] = []

    def add(self, name: str, record: Record) -> None:
        try:
            self._lines.append(self._form(name, record))
        except DecodeError as error:
            self.flush()
            print(visible(f"warning: {name}: {error}"), file=sys.stderr)
            self.failures += 1
        if len(self._lines) >= BATCH:
            self._write()

    def _write(self) -> None:
        if self._lines:
            lines, self._lines = self._lines, []
            sys.stdout.write("\n".join(lines) + "\n")

    def flush(self) -> None:
        self._write()
        sys.stdout.flush()


def _row(name: str, record: Record) -> str:
    columns = os.get_terminal_size().columns
    line = visible(f"{name}  {record.key}  {readable(record)}")
    return line if len(line) <= columns else line[: columns - 1] + "…"


ACTIONS: dict[str, Action] = {
    "records": ("Stream the records of a store.", _records_arguments, records),
}
