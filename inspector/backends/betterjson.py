"""BetterJSONStorage: TinyDB's layout as one JSON text in one blosc chunk, in every generation from 0.3 to 1.3.2.

Version 1.2.6 appends a chunk at every write and then reads the first, the oldest; the newest is the last.
Versions 1.3.1 and 1.3.2 never truncate: bytes of an older, longer chunk may follow. Chunks have no other mark than
their header, so what is found is judged by whether its sizes fit and its text is JSON.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from inspector.backends._chunk_store import evidence, open_chunks
from inspector.backends._chunks import (
    HEADER,
    MAX_TEXT,
    free_interpreter,
    read_header,
)
from inspector.backends._faults import BETTERJSON, checked
from inspector.backends._scan import Index, Memory
from inspector.backends._survey import Survey
from inspector.backends._table_writer import COMPACT_STYLE, history_losses, pieces, unreadable
from inspector.backends._tables import Layout, Rows, TableStore
from inspector.backends._text import Encoding
from inspector.backends._traps import carried, is_unicode, suspects, traps_in
from inspector.backends._work import watched
from inspector.files import Slices, readable_size
from inspector.model import (
    Codec,
    CollectionInfo,
    DecodeError,
    Decoder,
    Evidence,
    Finding,
    HasText,
    InspectorError,
    Loss,
    Record,
    Store,
    StoreInfo,
)
from inspector.progress import Progress, part, silent

WRITE = 4 << 20
"""Bytes written between two calls of the progress."""

_FRAME = b"\x9e\xa8b2frame\x00"


class BetterJSON:
    """The backend of BetterJSONStorage files."""

    id = "betterjson"
    label = "BetterJSON"
    suffixes = (".bjson", ".db")
    reads = True
    writes = True
    keeps_history = False
    codecs = ("blosc2",)
    default_codec = "blosc2"
    compress_codec = "blosc2:codec=zstd,level=3"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether a chunk header stands at the beginning whose sizes fit the file."""
        chunk = read_header(head[:HEADER], 0)
        return Evidence(evidence(chunk, _size(path, head))) if chunk else None

    def explain(self, path: Path, head: bytes) -> str | None:
        """Name a blosc2 frame, and what only begins like a chunk."""
        if head.startswith(_FRAME):
            return "a blosc2 frame (b2frame), not the single chunk that BetterJSONStorage writes"
        if len(head) >= HEADER and 2 <= head[0] <= 5 and head[1] == 1 and head[8:12] != b"\x00" * 4:
            return "no BetterJSONStorage file: it begins like a blosc chunk, but the sizes in its header do not fit"
        return None

    def open(self, path: Path, codec: Decoder, progress: Progress) -> TableStore:
        """Open *path* and show its newest whole chunk. Raises `InspectorError`."""
        slices = Slices(path)
        if not slices.size:
            layout = Layout(Memory(b""), Survey(Index(0, 0), [(0, None)]), Encoding())
            reason = "The file is empty, as a new BetterJSONStorage file is."
            return TableStore(path, layout, info=StoreInfo(self.id, self.default_codec, 0, (reason,)), find=_nothing)
        return open_chunks(slices, progress)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write *source* as one chunk; a text without losses is compressed verbatim. Raises `InspectorError`."""
        if codec.id != "blosc2":
            raise InspectorError(f"BetterJSONStorage reads only blosc2 chunks; {codec.spec} cannot be used.")
        text = _text_of(source, self.losses(source, codec, part(progress, 0, 0.4)), part(progress, 0.4, 0.3))
        if len(text) > MAX_TEXT:
            raise InspectorError(
                f"The text has {readable_size(len(text))}; BetterJSONStorage holds at most {MAX_TEXT:,} bytes in its "
                "one chunk. Nothing was written; convert fewer tables."
            )
        chunk = watched(lambda: _encoded(codec, text), progress)
        with open(path, "wb") as out:
            for start in range(0, len(chunk), WRITE):
                out.write(chunk[start : start + WRITE])
                progress(out.tell(), len(chunk))

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return what orjson, with which BetterJSONStorage reads, would see otherwise than it is stored.

        Nothing where it is stored in this format already: its text is carried over as it is.
        """
        if source.info.format == self.id and isinstance(source, HasText) and source.whole_text() is not None:
            return ()
        if isinstance(source, TableStore) and source.losses is not None:
            return source.losses
        found = _losses(source, progress)
        if isinstance(source, TableStore):
            source.losses = found
        return found

    def carried(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return *records* as `write` carries them over if their losses are accepted."""
        return [carried(record) for record in _last_of_each(records)]

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens the files written here."""
        return ("BetterJSONStorage 1.2.5 to 1.3.2, with every version of blosc2",)

    def compress_note(self, codec: Codec) -> str | None:
        """Say what BetterJSONStorage needs to write to the file again."""
        return (
            "BetterJSONStorage 1.3.2 reads this file with every version of blosc2, but itself writes only with "
            "`blosc2<3`."
        )

    def check(self, store: Store, progress: Progress) -> Iterable[Finding]:
        """Look into every id and document of a store opened here. Slow."""
        return checked(store, BETTERJSON, progress) if isinstance(store, TableStore) else ()


def _encoded(codec: Codec, text: bytes) -> bytes:
    with free_interpreter():
        return codec.encode(text)


def _nothing(store: TableStore) -> Sequence[Finding]:
    return ()


def _size(path: Path, head: bytes) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return len(head)


def _losses(source: Store, progress: Progress) -> list[Loss]:
    places: dict[str, list[str]] = {}
    share = 1 / max(len(source.collections), 1)
    for number, info in enumerate(source.collections):
        rows = source.load(info.name, silent)
        try:
            for place, kind in _record_losses(info, rows, part(progress, number * share, share)):
                places.setdefault(kind, []).append(place)
        except DecodeError as error:
            raise unreadable(source, error) from error
    found = [Loss(kind, len(where), tuple(where)) for kind, where in sorted(places.items())]
    return [*found, *history_losses(source)]


def _record_losses(info: CollectionInfo, rows: Sequence[Record], progress: Progress) -> Iterator[tuple[str, str]]:
    """Yield (place, kind) of every loss in one collection."""
    if not is_unicode(info.name):
        yield info.name, "lone-surrogate"
    if info.kind == "table":
        seen: set[str] = set()
        for row, key in enumerate(_keys(rows)):
            if key in seen:
                yield f"{info.name}/{key}", "duplicate-ids"
            elif not is_unicode(key):
                yield f"{info.name}/{key}", "lone-surrogate"
            seen.add(key)
            if not row % 10_000:
                progress(0, None)
    for _, record in suspects(rows, progress):
        for kind in traps_in(record.value, 3 if info.kind == "document" else 2):
            yield f"{info.name}/{record.key}", kind


def _keys(rows: Sequence[Record]) -> Iterator[str]:
    return rows.keys() if isinstance(rows, Rows) else (record.key for record in rows)


def _text_of(source: Store, losses: Sequence[Loss], progress: Progress) -> bytes:
    """Return the text to compress: verbatim where nothing is lost, else as orjson can read it."""
    changes = {loss.kind for loss in losses} - {"history"}
    if not changes and isinstance(source, HasText) and (text := source.whole_text()) is not None:
        return text
    collections = [(info, source.load(info.name, silent)) for info in source.collections]
    if not changes:
        return b"".join(pieces(collections, COMPACT_STYLE, progress=progress))
    kept = [(_clean_name(info), _last_of_each(records)) for info, records in collections]
    return b"".join(pieces(kept, COMPACT_STYLE, carry=carried, progress=progress))


def _clean_name(info: CollectionInfo) -> CollectionInfo:
    return replace(info, name=carried(Record(info.name, None)).key)


def _last_of_each(records: Sequence[Record]) -> Sequence[Record]:
    """Return the records with the last of a repeated id in the place of the first, as orjson would keep them."""
    last: dict[str, Record] = {}
    for record in records:
        last[carried(Record(record.key, None)).key] = record
    return records if len(last) == len(records) else list(last.values())


BACKEND = BetterJSON()
