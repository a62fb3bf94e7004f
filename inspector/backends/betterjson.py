"""BetterJSONStorage: TinyDB's layout as one JSON text in one blosc chunk, in every generation from 0.3 to 1.3.2.

Version 1.2.6 appends a chunk at every write and then reads the first, the oldest; the newest is the last.
Versions 1.3.1 and 1.3.2 never truncate: bytes of an older, longer chunk may follow. Chunks have no other mark than
their header, so what is found is judged by whether its sizes fit and its text is JSON.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.backends._chunks import (
    HEADER,
    MAX_TEXT,
    Chunk,
    decode,
    decode_leading,
    free_interpreter,
    made_by,
    read_header,
)
from inspector.backends._faults import BETTERJSON, at_opening, checked, count
from inspector.backends._scan import Index, Memory, Survey
from inspector.backends._shape import lay_out, misfit, reasons
from inspector.backends._table_writer import COMPACT_STYLE, history_losses, pieces, unreadable
from inspector.backends._tables import Layout, Rows, TableStore, decode_name
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


@dataclass(frozen=True, slots=True)
class Walk:
    """The chunks of a file in order, and what follows the last whole one: *cut* is a chunk that does not end."""

    chunks: tuple[Chunk, ...]
    cut: Chunk | None
    tail: int


class BetterJSON:
    """The backend of BetterJSONStorage files."""

    id = "betterjson"
    label = "BetterJSON"
    suffixes = (".db", ".json")
    reads = True
    writes = True
    keeps_history = False
    codecs = ("blosc2",)
    default_codec = "blosc2"
    compress_codec = "blosc2:codec=zstd,level=3"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether a chunk header stands at the beginning whose sizes fit the file."""
        chunk = read_header(head[:HEADER], 0)
        return Evidence(_evidence(chunk, _size(path, head))) if chunk else None

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
        walk = _walk(slices, progress)
        if walk.chunks:
            return _ChunkStore.of(slices, walk, len(walk.chunks), progress)
        if walk.cut is None:
            raise InspectorError(f"{path} is no BetterJSONStorage file: no blosc chunk begins it.")
        return _cut_off(slices, walk.cut, progress)

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
        """Return what orjson, with which BetterJSONStorage reads, would see otherwise than it is stored."""
        if isinstance(source, TableStore) and source.losses is not None:
            return source.losses
        found = _losses(source, progress)
        if isinstance(source, TableStore):
            source.losses = found
        return found

    def carried(self, record: Record) -> Record:
        """Return *record* as `write` carries it over if its losses are accepted."""
        return carried(record)

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens the files written here."""
        return ("BetterJSONStorage 1.2.5 to 1.3.2, with every version of blosc2",)

    def compress_note(self, codec: Codec) -> str | None:
        """Say what BetterJSONStorage needs to write to the file again."""
        return (
            "BetterJSONStorage 1.3.2 reads this file with every version of blosc2, but itself writes only with "
            "blosc2 below 3."
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


def _spec(chunk: Chunk) -> str:
    return f"blosc2:codec={chunk.codec}"


def _evidence(chunk: Chunk, size: int) -> tuple[str, ...]:
    library = "blosc 1" if chunk.version == 2 else "blosc2"
    fit = "as the file has" if chunk.stop == size else f"of the file's {size:,}"
    return (
        f"A {library} chunk header stands at byte 0 (codec {chunk.codec}, typesize {chunk.typesize}).",
        f"The chunk takes {chunk.size:,} bytes, {fit}, and decodes to {chunk.decoded:,}.",
    )


def _walk(slices: Slices, progress: Progress) -> Walk:
    """Step from chunk to chunk by their sizes, as far as headers fit."""
    chunks: list[Chunk] = []
    position = 0
    while position < slices.size:
        chunk = read_header(slices.read(position, min(position + HEADER, slices.size)), position)
        if chunk is None or chunk.stop > slices.size:
            return _confirmed(slices, chunks, chunk, position)
        chunks.append(chunk)
        position = chunk.stop
        progress(position, slices.size)
    return Walk(tuple(chunks), None, position)


def _confirmed(slices: Slices, chunks: list[Chunk], cut: Chunk | None, tail: int) -> Walk:
    """Drop chunks from the end that were read out of garbage: a tail of an older chunk may look like a header."""
    while len(chunks) > 1 and not _is_json(slices, chunks[-1]):
        tail, cut = chunks.pop().start, None
    return Walk(tuple(chunks), cut, tail)


def _is_json(slices: Slices, chunk: Chunk) -> bool:
    try:
        return decode(slices.read(chunk.start, chunk.stop), chunk, silent).lstrip()[:1] == b"{"
    except DecodeError:
        return False


class _ChunkStore(TableStore):
    """A store over one chunk of a file that may hold several: a state each."""

    _slices: Slices
    _walk: Walk

    @classmethod
    def of(cls, slices: Slices, walk: Walk, number: int, progress: Progress) -> _ChunkStore:
        """Decode and index chunk *number* of the walk, counted from 1. Raises `InspectorError`."""
        chunk = walk.chunks[number - 1]
        path = slices.path
        data = slices.read(chunk.start, chunk.stop)
        faults = _file_findings(path, walk, slices.size)
        try:
            text = decode(data, chunk, part(progress, 0, 0.5))
        except DecodeError as error:
            text = decode_leading(data, chunk, part(progress, 0, 0.5))
            if not text:
                raise InspectorError(f"{path} is damaged, nothing in it can be read: {error}.") from error
            faults.append(_damaged_blocks(path, chunk, len(text)))
        layout = _laid_out(path, text, part(progress, 0.5, 0.5))
        info = _info(slices, chunk, layout, faults)
        store = cls(path, layout, info=info, find=lambda opened: at_opening(opened, BETTERJSON))
        store._slices, store._walk = slices, walk
        return store

    @property
    def states(self) -> int:
        """Whole states in the file: its chunks."""
        return max(len(self._walk.chunks), 1)

    def state(self, number: int) -> TableStore:
        """Return a store that shows chunk *number*, 1 being the oldest. Raises `InspectorError`."""
        if not 1 <= number <= self.states:
            raise InspectorError(f"{self.path.name} holds {self.states} states; state {number} does not exist.")
        return _ChunkStore.of(self._slices, self._walk, number, silent)


def _laid_out(path: Path, text: bytes, progress: Progress) -> Layout:
    layout = lay_out(Memory(text), progress, guess=False)
    clause = misfit(layout.source, layout.index)
    if clause:
        raise InspectorError(f"{path} is a blosc chunk, but its content is {clause}.")
    return layout


def _info(slices: Slices, chunk: Chunk, layout: Layout, faults: Sequence[Finding]) -> StoreInfo:
    index = layout.index
    names = (decode_name(layout.source.read(table.name_start, table.name_stop)) for table in index.tables)
    evidence = (*_evidence(chunk, slices.size), *reasons(layout.source, index, names))
    return StoreInfo(
        "betterjson",
        _spec(chunk),
        slices.size,
        evidence,
        decoded_size=chunk.decoded,
        maker=made_by(chunk),
        findings=tuple(faults),
    )


def _file_findings(path: Path, walk: Walk, size: int) -> list[Finding]:
    found: list[Finding] = []
    number = len(walk.chunks)
    if number > 1:
        found.append(
            Finding(
                "warning",
                "appended-chunks",
                f"{path.name} holds {number} chunks one after another, as BetterJSONStorage 1.2.6 writes them. The "
                "newest, the last, is shown; BetterJSONStorage itself shows the first, the oldest.",
                f"byte {walk.chunks[-1].start:,}",
                repairable=True,
            )
        )
    if walk.cut is not None:
        found.append(
            Finding(
                "error",
                "truncated",
                f"{path.name} ends in the middle of one more chunk, which begins at byte {walk.tail:,}. "
                "The whole chunk before it is shown.",
                f"byte {walk.tail:,}",
                repairable=True,
            )
        )
    elif walk.tail < size:
        found.append(
            Finding(
                "warning",
                "stale-tail",
                f"{count(size - walk.tail, 'byte')} of an older, longer state follow the chunk from byte "
                f"{walk.tail:,} on. They are dead weight; BetterJSONStorage 1.2.4 and older cannot open the file.",
                f"byte {walk.tail:,}",
                repairable=True,
            )
        )
    return found


def _damaged_blocks(path: Path, chunk: Chunk, read: int) -> Finding:
    good = read // chunk.block
    return Finding(
        "error",
        "bad-text",
        f"Block {good + 1:,} of {chunk.blocks:,} of {path.name} does not decompress. What the {count(good, 'block')} "
        "before it hold is readable.",
        f"block {good + 1:,}",
        repairable=True,
    )


def _cut_off(slices: Slices, chunk: Chunk, progress: Progress) -> TableStore:
    """Open a file that ends within its only chunk, as far as whole blocks go. Raises `InspectorError`."""
    path = slices.path
    text = decode_leading(slices.read_all(part(progress, 0, 0.3)), chunk, progress)
    place = f"ends at byte {slices.size:,} of {chunk.size:,}"
    if not text:
        raise InspectorError(f"{path} {place}, before its first block is whole, so nothing in it can be read.")
    layout = _laid_out(path, text, progress)
    records = len(layout.index.starts)
    cut = Finding(
        "error",
        "truncated",
        f"{path.name} {place}. {count(records)} in the whole blocks before it can be read. The file was not changed.",
        f"byte {slices.size:,}",
        repairable=True,
    )
    return TableStore(path, layout, info=_info(slices, chunk, layout, [cut]), find=_beyond_the_cut)


def _beyond_the_cut(store: TableStore) -> Sequence[Finding]:
    return [finding for finding in at_opening(store, BETTERJSON) if finding.code != "truncated"]


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
