"""BetterJSONStorage: TinyDB's layout as one JSON text in one blosc chunk, in every generation from 0.3 to 1.3.2.

Version 1.2.6 appends a chunk at every write and then reads the first, the oldest; the newest is the last.
Versions 1.3.1 and 1.3.2 never truncate: bytes of an older, longer chunk may follow. Chunks have no other mark than
their header, so what is found is judged by whether its sizes fit and its text is JSON.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from inspector.files import Slices
from inspector.model import Codec, Decoder, Evidence, Finding, InspectorError, Loss, Record, Store
from inspector.progress import Progress

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
        if not _begins_like_a_chunk(head):
            return None
        from inspector.backends._chunk_store import evidence
        from inspector.backends._chunks import HEADER, read_header

        chunk = read_header(head[:HEADER], 0)
        return Evidence(evidence(chunk, _size(path, head))) if chunk else None

    def explain(self, path: Path, head: bytes) -> str | None:
        """Name a blosc2 frame, and what only begins like a chunk."""
        if head.startswith(_FRAME):
            return "a blosc2 frame (b2frame), not the single chunk that BetterJSONStorage writes"
        from inspector.backends._chunks import HEADER

        if len(head) >= HEADER and _begins_like_a_chunk(head) and head[8:12] != b"\x00" * 4:
            return "no BetterJSONStorage file: it begins like a blosc chunk, but the sizes in its header do not fit"
        return None

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open *path* and show its newest whole chunk. Raises `InspectorError`."""
        from inspector.backends._chunk_store import open_chunks

        return open_chunks(Slices(path), progress)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write *source* as one chunk; a text without losses is compressed verbatim. Raises `InspectorError`."""
        if codec.id != "blosc2":
            raise InspectorError(f"BetterJSONStorage reads only blosc2 chunks; {codec.spec} cannot be used.")
        from inspector.backends._chunk_writer import write_chunk

        write_chunk(path, source, codec, progress)

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return what orjson, with which BetterJSONStorage reads, would see otherwise than it is stored.

        Nothing where it is stored in this format already: its text is carried over as it is.
        """
        from inspector.backends._chunk_writer import losses_of

        return losses_of(source, progress)

    def carried(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return *records* as `write` carries them over if their losses are accepted."""
        from inspector.backends._chunk_writer import carried_over

        return carried_over(records)

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
        from inspector.backends._faults import BETTERJSON, checked
        from inspector.backends._tables import TableStore

        return checked(store, BETTERJSON, progress) if isinstance(store, TableStore) else ()


def _begins_like_a_chunk(head: bytes) -> bool:
    """Say whether the two version bytes of a chunk header stand at the beginning."""
    return len(head) > 1 and 2 <= head[0] <= 5 and head[1] == 1


def _size(path: Path, head: bytes) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return len(head)


BACKEND = BetterJSON()
