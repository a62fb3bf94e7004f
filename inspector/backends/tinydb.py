"""TinyDB's default storage: one JSON text ``{table: {id: document}}``, in every layout from 1.0 to 4.9.

TinyDB writes in place, without lock or temporary file, so files are met that end too early, that carry the tail of an
older state, or that hold several states: all open here, with a finding. Nothing is kept open and nothing is mapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from inspector import values
from inspector.backends._faults import JSON_DEPTH, TINYDB, at_opening, checked
from inspector.backends._mend import mend
from inspector.backends._scan import Index, Memory, Source, scan
from inspector.backends._shape import NO_JSON, lay_out, misfit, reasons
from inspector.backends._survey import Survey
from inspector.backends._tables import Layout, TableStore, decode_name
from inspector.backends._text import Encoding, decode_head
from inspector.files import Slices
from inspector.model import (
    Codec,
    DecodeError,
    Decoder,
    Evidence,
    Finding,
    InspectorError,
    Loss,
    Record,
    Store,
    StoreInfo,
)
from inspector.progress import Progress, part, track

HEAD = 1 << 16
"""Bytes that recognition is handed of a file."""

IN_MEMORY = 64 << 20
"""Files up to this size are read into memory; of larger ones rows are read when they are looked at."""

_EMPTY = (
    "empty (0 bytes): nothing was ever written to it; a new TinyDB file begins so. "
    "Open it as an empty store with --from-format tinydb"
)


class TinyDB:
    """The backend of TinyDB's JSON files."""

    id = "tinydb"
    label = "TinyDB JSON"
    suffixes = (".json", ".tinydb")
    reads = True
    writes = True
    keeps_history = False
    codecs = ("none",)
    default_codec = "none"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether the text begins as a database does; the whole is looked at by `open`."""
        text = _begin(head)
        if text is None or misfit(*text):
            return None
        source, index = text
        names = (decode_name(source.read(table.name_start, table.name_stop)) for table in index.tables)
        return Evidence(reasons(source, index, names))

    def explain(self, path: Path, head: bytes) -> str | None:
        """Return what a text is that is no database."""
        if not head:
            return _EMPTY
        text = _begin(head)
        clause = misfit(*text) if text else None
        return None if clause == NO_JSON else clause

    def open(self, path: Path, codec: Decoder, progress: Progress) -> TableStore:
        """Open *path*; an empty file is a database without tables. Raises `InspectorError`, also for other JSON."""
        slices = Slices(path)
        source: Source = slices
        if slices.size <= IN_MEMORY:
            source = Memory(slices.read_all(part(progress, 0, 0.2)))
        if not slices.size:
            return _store(path, Layout(source, Survey(Index(0, 0), [(0, None)]), Encoding()), 0)
        layout = lay_out(source, part(progress, 0.2, 0.8))
        clause = misfit(layout.source, layout.index)
        if clause:
            raise InspectorError(f"{path} is {clause}.")
        return _store(path, layout, slices.size)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write *source* in TinyDB's own style, ASCII-escaped so that it reads the same under every locale."""
        from inspector.backends._table_writer import write_tables

        write_tables(path, source, progress)

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return histories that are dropped, and records nested deeper than Python's json module reads."""
        from inspector.backends._table_writer import history_losses

        return [*history_losses(source), *_depth_losses(source, progress)]

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens the files written here."""
        return ("TinyDB 2.0 and later", "any JSON reader")

    def check(self, store: Store, progress: Progress) -> Iterable[Finding]:
        """Look into every id and document of a store opened here. Slow."""
        return checked(store, TINYDB, progress) if isinstance(store, TableStore) else ()


def _begin(head: bytes) -> tuple[Source, Index] | None:
    """Return the first bytes of a file as text, and its index; None if they are no text."""
    text = decode_head(head, len(head) < HEAD)
    if text is None:
        return None
    source = Memory(text)
    index = scan(source)
    mend(source, index)
    return source, index


def _store(path: Path, layout: Layout, size: int) -> TableStore:
    index = layout.index
    names = (decode_name(layout.source.read(table.name_start, table.name_stop)) for table in index.tables)
    info = StoreInfo(
        "tinydb",
        "none",
        size,
        reasons(layout.source, index, names) if size else ("The file is empty, as a new TinyDB database is.",),
        decoded_size=layout.source.size,
        maker="TinyDB 1.x" if any(table.is_array for table in index.tables) else None,
    )
    return TableStore(path, layout, info=info, find=lambda store: at_opening(store, TINYDB))


def _depth_losses(source: Store, progress: Progress) -> list[Loss]:
    """Return the loss of records that lie deeper than Python's json module reads."""
    if isinstance(source, TableStore) and source.layout.index.nesting.deepest <= JSON_DEPTH:
        return []
    from inspector.backends._table_writer import unreadable

    deep: list[str] = []
    for info in source.collections:
        around = 3 if info.kind == "document" else 2
        records = source.load(info.name, progress)
        try:
            deep += [f"{info.name}/{record.key}" for record in track(records, progress) if _is_deep(record, around)]
        except DecodeError as error:
            raise unreadable(source, error) from error
    return [Loss("depth", len(deep), tuple(deep))] if deep else []


def _is_deep(record: Record, around: int) -> bool:
    return any(level + around > JSON_DEPTH for level, _ in values.walk(record.value))


BACKEND = TinyDB()
