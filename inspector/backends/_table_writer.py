"""Writes tables of documents as one JSON text, the form that TinyDB and BetterJSONStorage keep.

A record's own text is carried over byte for byte where there is one; nothing is parsed to be written again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector import values
from inspector.model import CollectionInfo, DecodeError, HasText, InspectorError, Loss, Record, Store
from inspector.progress import Progress, silent, track

BATCH = 1 << 18
"""Bytes that are gathered before they are handed on."""

WRITE = 1 << 20
"""Bytes of a text that is carried over whole, written between two calls of the progress."""

_BEYOND = re.compile(r"[^\x00-\x7f]+")


@dataclass(frozen=True, slots=True)
class Style:
    """How tables are written: what stands between members and after names, and whether only ASCII is used."""

    comma: bytes = b", "
    colon: bytes = b": "
    ascii_only: bool = True


DEFAULT_STYLE = Style()
"""What TinyDB writes by default."""

COMPACT_STYLE = Style(b",", b":", ascii_only=False)
"""What orjson writes."""


def pieces(
    source: Sequence[tuple[CollectionInfo, Sequence[Record]]],
    style: Style,
    *,
    carry: Callable[[Record, int], Record] | None = None,
    progress: Progress = silent,
) -> Iterator[bytes]:
    """Yield the text of a database with these collections.

    *carry* changes records on the way, as losses demand; it is told how many containers stand around a value.
    A document's own text is carried over verbatim. Records of CRDT documents become ``{"key": …, "value": …}`` with
    ids 1, 2, … Raises `DecodeError` for a record that is no JSON.
    """
    total = sum(len(records) for _, records in source)
    done = 0
    yield b"{"
    for number, (info, records) in enumerate(source):
        yield (style.comma if number else b"") + _quoted(info.name) + style.colon + b"{"
        batch = bytearray()
        base = done
        rows = track(records, lambda at, _, base=base: progress(base + at, total))  # type: ignore[misc]
        for row, record in enumerate(rows):
            kept = carry(record, 3 if info.kind == "document" else 2) if carry else record
            key = str(row + 1) if info.kind == "document" else kept.key
            batch += (style.comma if row else b"") + _quoted(key) + style.colon
            batch += _wrapped(kept, style) if info.kind == "document" else record_text(kept, style)
            if len(batch) > BATCH:
                yield bytes(batch)
                batch.clear()
        done += len(records)
        batch += b"}"
        yield bytes(batch)
    yield b"}"


def _quoted(name: str) -> bytes:
    return b'"%b"' % name.encode() if name.isalnum() and name.isascii() else values.write(name).encode("ascii")


def _wrapped(record: Record, style: Style) -> bytes:
    return b'{"key"%b%b%b"value"%b%b}' % (
        style.colon,
        _quoted(record.key),
        style.comma,
        style.colon,
        record_text(record, style),
    )


def record_text(record: Record, style: Style) -> bytes:
    """Return a record's JSON text: its original text where there is one, escaped if only ASCII is wanted."""
    if record.raw is None:
        return values.write(record.value).encode("ascii")
    return escaped(record.raw) if style.ascii_only and not record.raw.isascii() else record.raw


def escaped(raw: bytes) -> bytes:
    """Return JSON text with every character beyond ASCII as an escape, which any locale reads the same."""
    return _BEYOND.sub(lambda run: _units(run.group()), values.decode_utf8(raw)).encode("ascii")


def _units(run: str) -> str:
    digits = run.encode("utf-16-be", "surrogatepass").hex()
    return "".join("\\u" + digits[at : at + 4] for at in range(0, len(digits), 4))


def write_tables(path: Path, source: Store, progress: Progress, style: Style = DEFAULT_STYLE) -> None:
    """Write all of *source* to *path* as ``{table: {id: document}}``. Slow. Raises `InspectorError`.

    A source that is one undamaged text is carried over as it is, with only what lies beyond ASCII escaped.
    """
    text = source.whole_text() if isinstance(source, HasText) else None
    parts = _slices(text, style) if text is not None else pieces(_loaded(source, progress), style, progress=progress)
    total = len(text) if text is not None else None
    try:
        with open(path, "wb") as out:
            for part in parts:
                out.write(part)
                if total is not None:
                    progress(min(out.tell(), total), total)
    except DecodeError as error:
        raise unreadable(source, error) from error


def unreadable(source: Store, error: DecodeError) -> InspectorError:
    """Return the sentence for a record that cannot be carried over because it is no JSON."""
    return InspectorError(f"{source.path.name} cannot be carried over whole: {error}. Repair it first.")


def _loaded(source: Store, progress: Progress) -> list[tuple[CollectionInfo, Sequence[Record]]]:
    return [(info, source.load(info.name, progress)) for info in source.collections]


def _slices(text: bytes, style: Style) -> Iterator[bytes]:
    """Yield *text* in slices that end after an ASCII byte, so that no character is cut."""
    start = 0
    while start < len(text):
        stop = min(start + WRITE, len(text))
        while stop < len(text) and text[stop] >= 0x80:
            stop += 1
        piece = text[start:stop]
        yield escaped(piece) if style.ascii_only and not piece.isascii() else piece
        start = stop


def history_losses(source: Store) -> list[Loss]:
    """Return the versions that a format without history drops."""
    kept = [(info.name, info.versions) for info in source.collections if info.versions is not None]
    dropped = [(name, versions - 1) for name, versions in kept if versions > 1]
    if not dropped:
        return []
    return [Loss("history", sum(number for _, number in dropped), tuple(name for name, _ in dropped))]
