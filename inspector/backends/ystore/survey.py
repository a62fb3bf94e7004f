"""The first look at an open ystore: its documents, codecs and what is worth saying, without decoding everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.backends._crdt import crossing, faults, times, updates
from inspector.backends._sqlite import number
from inspector.backends.ystore import rows
from inspector.backends.ystore.layouts import CURRENT_VERSION, Layout
from inspector.model import Finding, MissingLibrary, Stored
from inspector.progress import Progress, track

if TYPE_CHECKING:
    import sqlite3

DECODE_ALL_ROWS = 10_000
DECODE_ALL_BYTES = 8 << 20
"""A store within both limits has every row's codec recognised at opening; of a larger one a sample is taken."""

_SPREAD = 1000  # rows of the sample that lie evenly spread over the store
_HEADS = 500  # rows of the sample that begin with different two bytes
_SHORT = 2000  # bytes of rows whose head is read without touching overflow pages
_CHECKPOINT_LIMIT = 1 << 20  # larger checkpoints are only compared by `check`
_FIRST_LIMIT = 64 << 20  # a larger first update is not decoded to see whether it is a table
_HEAD = 64  # enough for the first struct of a table's update


@dataclass(slots=True)
class Document:
    """What is known of one document without decoding it.

    *start* is its least rowid, *empty* counts rows without an update (NULL, no bytes, text), *untimed* those without
    a time; *crossed* says that it is a table in CRDT clothes.
    """

    key: rows.Key
    updates: int = 0
    stored: int = 0
    first: float | None = None
    last: float | None = None
    start: int = 0
    empty: int = 0
    untimed: int = 0
    crossed: bool = False


@dataclass(slots=True)
class Survey:
    """All documents in order of first appearance, the generation, and the findings of opening."""

    layout: Layout
    documents: dict[str, Document] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def take(
    connection: sqlite3.Connection, layout: Layout, *, reader: rows.RowReader, path: Path, progress: Progress
) -> Survey:
    """Survey an open store. Slow for a large one: one pass over the table, and a sample of rows decoded."""
    survey = Survey(layout)
    missing: MissingLibrary | None = None
    if layout.timestamp:
        _summarise(connection, survey)
        missing = _meet_codecs(connection, survey, reader=reader, progress=progress)
    else:
        missing = _scan(connection, survey, reader=reader, progress=progress)
    for document in track(survey.documents.values(), progress):
        document.crossed = _is_crossed(connection, document, reader)
    survey.findings += _generation_findings(layout, path)
    survey.findings += _row_findings(survey, reader, missing)
    survey.findings += _checkpoint_findings(connection, survey, reader, progress=progress)
    free = number(connection, "freelist_count") * number(connection, "page_size")
    if free:
        survey.findings.append(
            Finding("info", "free-pages", f"{free:,} bytes of free pages may still hold deleted content.", None, True)
        )
    return survey


def _summarise(connection: sqlite3.Connection, survey: Survey) -> None:
    found = connection.execute(
        "SELECT path, count(*), "
        "sum(CASE typeof(yupdate) WHEN 'text' THEN length(CAST(yupdate AS BLOB)) ELSE length(yupdate) END), "
        "min(timestamp), max(timestamp), min(_rowid_), "
        "sum(typeof(yupdate) <> 'blob' OR length(yupdate) = 0), sum(timestamp IS NULL) "
        "FROM main.yupdates GROUP BY path COLLATE BINARY ORDER BY min(_rowid_)"
    )
    for value, count, stored, first, last, start, empty, untimed in found:
        document = Document(rows.Key(value), count, stored or 0, start=start, empty=empty, untimed=untimed)
        document.first, document.last = times.seconds(first), times.seconds(last)
        _add(survey, document)


def _add(survey: Survey, document: Document) -> None:
    """File *document* under its name; a blob or NULL whose name a text already has gets a number."""
    name, count = document.key.name, 1
    while name in survey.documents:
        count += 1
        name = f"{document.key.name} ({count})"
    survey.documents[name] = document


def _scan(
    connection: sqlite3.Connection, survey: Survey, *, reader: rows.RowReader, progress: Progress
) -> MissingLibrary | None:
    """Survey a generation without times, whose rows must be read to tell updates from metadata.

    Return what is missing where an update is unreadable.
    """
    total = number_of_rows(connection)
    query = f"SELECT path, {rows.columns(survey.layout)} FROM main.yupdates ORDER BY _rowid_"
    found: dict[rows.Key, list[Stored]] = {}
    for value, *row in track(connection.execute(query), progress, total):
        key = rows.Key(value)
        one = reader.read(key.name, (row[0], row[1], row[2], row[3]), any_content=True)
        found.setdefault(key, []).append(one)
    if not survey.layout.metadata:
        sample = [one for stored in found.values() for one in stored]
        survey.layout = survey.layout.with_pairs(rows.looks_paired(sample))
    for key, stored in found.items():
        kept = list(rows.join_pairs(stored)) if survey.layout.pairs else stored
        _add(survey, _summary(key, kept, stored[0].rowid))
    return None if survey.layout.pairs else reader.missing


def _summary(key: rows.Key, stored: list[Stored], start: int) -> Document:
    times = [one.time for one in stored if one.time is not None]
    return Document(
        key,
        len(stored),
        sum(len(one.blob or b"") for one in stored),
        first=min(times, default=None),
        last=max(times, default=None),
        start=start,
        empty=sum(not one.blob for one in stored),
        untimed=len(stored) - len(times),
    )


def number_of_rows(connection: sqlite3.Connection) -> int:
    """Return how many rows the store has."""
    (count,) = connection.execute("SELECT count(*) FROM main.yupdates").fetchone()
    return int(count)


def _meet_codecs(
    connection: sqlite3.Connection, survey: Survey, *, reader: rows.RowReader, progress: Progress
) -> MissingLibrary | None:
    """Let *reader* decode enough rows to know the store's codecs; return what is missing where one is unreadable."""
    count = sum(document.updates for document in survey.documents.values())
    stored = sum(document.stored for document in survey.documents.values())
    missing = None
    if count <= DECODE_ALL_ROWS and stored <= DECODE_ALL_BYTES:
        sample: Iterable[tuple[object]] = connection.execute("SELECT yupdate FROM main.yupdates")
    else:
        sample = _sample(connection)
    for (blob,) in track(sample, progress):
        if isinstance(blob, bytes):
            try:
                reader.decode(blob)
            except MissingLibrary as error:
                missing = error
    return missing


def _sample(connection: sqlite3.Connection) -> Iterator[tuple[object]]:
    """Yield rows that begin differently, then rows evenly spread."""
    chosen = connection.execute(
        "SELECT min(_rowid_) FROM main.yupdates WHERE typeof(yupdate) = 'blob' "
        f"AND length(yupdate) BETWEEN 1 AND {_SHORT} GROUP BY substr(yupdate, 1, 2) LIMIT {_HEADS}"
    ).fetchall()
    for (rowid,) in chosen:
        # Not the cursor: a generator that is left behind would close it after the connection.
        yield from connection.execute("SELECT yupdate FROM main.yupdates WHERE _rowid_ = ?", (rowid,)).fetchall()
    least, greatest = connection.execute("SELECT min(_rowid_), max(_rowid_) FROM main.yupdates").fetchone()
    for rowid in range(least, greatest + 1, max((greatest - least) // _SPREAD, 1)):
        found = connection.execute("SELECT yupdate FROM main.yupdates WHERE _rowid_ >= ? LIMIT 1", (rowid,))
        yield from found.fetchall()


def _is_crossed(connection: sqlite3.Connection, document: Document, reader: rows.RowReader) -> bool:
    """Say whether the document is a table in CRDT clothes: by its first bytes, then by replaying its first update."""
    query = "SELECT typeof(yupdate), length(yupdate), substr(yupdate, 1, ?) FROM main.yupdates WHERE _rowid_ = ?"
    kind, length, head = connection.execute(query, (_HEAD, document.start)).fetchone()
    plain = kind == "blob" and updates.first_root(head) == crossing.ROOT
    unknown = kind == "blob" and length <= _FIRST_LIMIT and bool(reader.specs - {"none"})
    if not plain and not unknown:
        return False
    (blob,) = connection.execute("SELECT yupdate FROM main.yupdates WHERE _rowid_ = ?", (document.start,)).fetchone()
    try:
        data, _ = reader.decode(blob)
    except MissingLibrary:
        return False
    if data is None or updates.first_root(data[:_HEAD]) != crossing.ROOT:
        return False
    return crossing.holds_table(updates.parse(data), data)


def _generation_findings(layout: Layout, path: Path) -> Iterator[Finding]:
    if layout.user_version != CURRENT_VERSION:
        yield Finding(
            "warning",
            "schema-version",
            f"pycrdt-store expects schema version {CURRENT_VERSION} and this store has {layout.user_version}: "
            f"a server would rename it to {path.stem}(1){path.suffix} and start empty.",
            None,
            True,
        )
    elif not layout.checkpoints:
        yield Finding(
            "warning",
            "missing-checkpoints-table",
            "There is no table ycheckpoints: pycrdt-store 0.1.3–0.1.5 finds no document in this store and loses every "
            "write after the 99th of a session.",
            None,
            True,
        )


def _row_findings(survey: Survey, reader: rows.RowReader, missing: MissingLibrary | None) -> Iterator[Finding]:
    if missing:
        yield Finding("error", "undecodable-update", f"Some updates cannot be read here: {missing}", None, False)
    yield from reader_findings(reader)
    for name, document in survey.documents.items():
        if document.empty:
            yield Finding("info", "empty-rows", f"{document.empty:,} rows hold no update.", name, True)
    untimed = sum(document.untimed for document in survey.documents.values())
    if untimed:
        yield Finding(
            "info",
            "times-invented",
            f"{untimed:,} updates have no time; where a target needs one it is this file's own.",
        )


def reader_findings(reader: rows.RowReader) -> Iterator[Finding]:
    """Yield what the rows read so far tell about the store as a whole."""
    compressed = sorted(reader.specs - {"none"})
    if compressed:
        yield Finding(
            "warning",
            "compressed-rows",
            f"Rows are compressed with {' and '.join(compressed)}: unchanged Jupyter ignores them and takes the "
            "file on disk instead; `inspector jupyter-config` prints the configuration that opens this store.",
            None,
            True,
        )
    if reader.synced:
        yield Finding(
            "info", "sync-prefixed", "Rows hold whole sync messages; the update inside each is read.", None, True
        )


def _checkpoint_findings(
    connection: sqlite3.Connection, survey: Survey, reader: rows.RowReader, *, progress: Progress
) -> Iterator[Finding]:
    """Compare the codec of small checkpoints with that of the rows."""
    if not survey.layout.checkpoints:
        return
    row_specs = frozenset(reader.specs)
    query = "SELECT path, checkpoint FROM main.ycheckpoints WHERE length(checkpoint) <= ?"
    for path, checkpoint in track(connection.execute(query, (_CHECKPOINT_LIMIT,)), progress):
        try:
            data, spec = reader.decode(rows.as_bytes(checkpoint) or b"")
        except MissingLibrary:
            continue
        name = rows.Key(path).name
        if data is None:
            yield faults.mismatch(name, "cannot be decoded")
        elif row_specs and spec not in row_specs:
            met = " and ".join(sorted(row_specs))
            yield faults.mismatch(name, f"is stored as {spec} while the rows are {met}")
    reader.specs &= row_specs
