"""Carries tables into CRDT documents and back without loss: a root Array of ``[id, exact JSON text]``.

The updates are written here rather than by pycrdt, whose Array takes quadratic time and memory to fill in one
transaction, and whose clients are random. They are plain Yjs v1 updates of client `CLIENT` (lib0 encoding,
https://github.com/yjs/yjs, ``src/utils/encoding.js``). `native` writes CRDT values instead of texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from inspector import values
from inspector.backends._crdt.updates import Parsed
from inspector.backends._needs import needs
from inspector.model import Loss, Record
from inspector.progress import Progress, silent, track

if TYPE_CHECKING:
    import pycrdt

ROOT = "records"
"""Name of the one root of a document that was a table."""

CLIENT = 1
"""Who wrote the updates: always the same, so that the same table always gives the same bytes."""

BATCH = 1 << 20
"""Bytes from which on an update ends and the next begins: one is read and applied well within a heartbeat."""

STRING, ARRAY_OF, NO_DELETES = b"\x77", b"\x75", b"\x00"
"""lib0's tags of a string and an array, and an empty delete set."""

_CONTENT_ANY, _HAS_ORIGIN = 0x08, 0x80


def integer(number: int) -> bytes:
    """Return lib0's variable-length form of an unsigned integer."""
    if number < 0x80:
        return bytes((number,))
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def string(text: str) -> bytes:
    """Return lib0's form of a text; what UTF-8 does not hold must have gone through `sound`."""
    raw = text.encode()
    return integer(len(raw)) + raw


def sound(text: str) -> str:
    """Return *text* with each lone surrogate, which UTF-8 and Yjs do not hold, replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def table_updates(records: Iterable[Record], progress: Progress) -> Iterator[bytes]:
    """Yield the updates that make the document of a table: one, or more where it is larger than `BATCH`.

    The text of a record is its own where UTF-8 holds it, else what `values.write` makes of it. A table without
    records leaves the trace of a deleted item, so that it is still known for a table.
    """
    clock = size = 0
    items: list[bytes] = []
    for record in track(records, progress):
        pair = ARRAY_OF + b"\x02" + STRING + string(sound(record.key)) + STRING + string(exact_text(record))
        items.append(pair)
        size += len(pair)
        if size >= BATCH:
            yield _array_update(clock, items)
            clock += len(items)
            size = 0
            items = []
    if items:
        yield _array_update(clock, items)
    elif not clock:
        yield b"\x01\x01" + integer(CLIENT) + b"\x00\x01\x01" + string(ROOT) + b"\x01" + NO_DELETES


def _array_update(clock: int, items: list[bytes]) -> bytes:
    if clock:
        place = bytes((_CONTENT_ANY | _HAS_ORIGIN,)) + integer(CLIENT) + integer(clock - 1)
    else:
        place = bytes((_CONTENT_ANY,)) + b"\x01" + string(ROOT)
    head = b"\x01\x01" + integer(CLIENT) + integer(clock) + place + integer(len(items))
    return head + b"".join(items) + NO_DELETES


def exact_text(record: Record) -> str:
    """Return the exact JSON text of a record. Raises `DecodeError` if it has none."""
    if record.raw is not None:
        try:
            return record.raw.decode()
        except UnicodeDecodeError:  # a surrogate in UTF-8: written again it is an escape
            pass
    return values.write(record.value)


def table_losses(name: str, records: Iterable[Record], progress: Progress) -> list[Loss]:
    """Return what `table_updates` cannot carry: ids with lone surrogates, as texts hold them escaped."""
    bad = [f"{name}/{record.key}" for record in track(records, progress) if sound(record.key) != record.key]
    return [Loss("lone-surrogate", len(bad), tuple(bad))] if bad else []


def holds_table(parsed: Parsed, data: bytes) -> bool:
    """Say whether *data*, the first update of a document, makes a table (*parsed* is the same, read).

    Raises `MissingLibrary`.
    """
    rooted = [struct for struct in parsed.structs if isinstance(struct.parent, str)]
    if {(struct.parent, struct.sub) for struct in rooted} != {(ROOT, None)}:
        return False
    with needs("pycrdt", "Telling a table from a document"):
        import pycrdt

    doc: pycrdt.Doc[Any] = pycrdt.Doc()
    try:
        doc.apply_update(data)
    except ValueError:
        return False
    return table_records(doc, silent) is not None


def table_records(doc: pycrdt.Doc[Any], progress: Progress) -> list[Record] | None:
    """Return the records of a document whose root Array `ROOT` holds nothing but ``[id, JSON text]``, else None.

    The items may be plain arrays, as written here, or shared Arrays of the same content.
    """
    import pycrdt

    read = values.quick_parser()
    found: list[Record] = []
    with doc.transaction():
        items = doc.get(ROOT, type=pycrdt.Array)
        for item in track(items, progress, len(items)):
            pair = list(item) if isinstance(item, list | pycrdt.Array) else []
            if len(pair) != 2 or not isinstance(pair[0], str) or not isinstance(pair[1], str):
                return None
            raw = pair[1].encode()
            try:
                read(raw)
            except ValueError:
                return None
            found.append(Record(pair[0], raw=raw))
    return found
