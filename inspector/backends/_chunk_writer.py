"""Writes BetterJSONStorage files: the one text, compressed as one chunk, and what orjson would see otherwise in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from inspector.backends._chunks import MAX_TEXT, free_interpreter
from inspector.backends._table_writer import COMPACT_STYLE, history_losses, pieces, unreadable
from inspector.backends._tables import Rows, TableStore
from inspector.backends._traps import carried, is_unicode, suspects, traps_in
from inspector.backends._work import watched
from inspector.files import readable_size
from inspector.model import Codec, CollectionInfo, DecodeError, HasText, InspectorError, Loss, Record, Store
from inspector.progress import Progress, part, silent

WRITE = 4 << 20
"""Bytes written between two calls of the progress."""


def write_chunk(path: Path, source: Store, codec: Codec, progress: Progress) -> None:
    """Write *source* as one chunk; a text without losses is compressed verbatim. Slow. Raises `InspectorError`."""
    text = _text_of(source, losses_of(source, part(progress, 0, 0.4)), part(progress, 0.4, 0.3))
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


def _encoded(codec: Codec, text: bytes) -> bytes:
    with free_interpreter():
        return codec.encode(text)


def losses_of(source: Store, progress: Progress) -> Sequence[Loss]:
    """Return what orjson, with which BetterJSONStorage reads, would see otherwise than *source* stores it. Slow.

    Nothing where it is stored in this format already: its text is carried over as it is.
    """
    if source.info.format == "betterjson" and isinstance(source, HasText) and source.whole_text() is not None:
        return ()
    if isinstance(source, TableStore) and source.losses is not None:
        return source.losses
    found = _found_losses(source, progress)
    if isinstance(source, TableStore):
        source.losses = found
    return found


def carried_over(records: Sequence[Record]) -> Sequence[Record]:
    """Return *records* as `write_chunk` carries them over if their losses are accepted."""
    return [carried(record) for record in _last_of_each(records)]


def _found_losses(source: Store, progress: Progress) -> list[Loss]:
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
    return info._replace(name=carried(Record(info.name, None)).key)


def _last_of_each(records: Sequence[Record]) -> Sequence[Record]:
    """Return the records with the last of a repeated id in the place of the first, as orjson would keep them."""
    last: dict[str, Record] = {}
    for record in records:
        last[carried(Record(record.key, None)).key] = record
    return records if len(last) == len(records) else list(last.values())
