"""FileYStore files ``*.y``: the updates of one document, one after the other, with their lengths before them.

How the generations are told apart and read is in `_update_file`, which is imported when a file is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from inspector.model import Backend, Codec, Decoder, Evidence, Finding, Loss, Record, Store
from inspector.progress import Progress

_HEADER = re.compile(rb"VERSION:(\d{1,9})\n")
_VERSIONS = (b"1", b"2")
"""Those that released packages write."""

_LOOKED_AT = 64
"""First bytes that tell text from updates."""


class YFileBackend:
    """Reads every generation, writes ``VERSION:2``."""

    id = "yfile"
    label = "FileYStore file"
    suffixes: tuple[str, ...] = (".y",)
    reads = True
    writes = True
    keeps_history = True
    one_document = True
    codecs: tuple[str, ...] = ("none",)
    default_codec = "none"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say whether *path* begins with a header, or holds nothing but updates after their lengths."""
        header = _HEADER.match(head)
        if header and header[1] in _VERSIONS:
            return Evidence((f"the header {header[0].decode().strip()}",))
        if _is_text(head[:_LOOKED_AT]):
            return None
        from inspector.backends._update_file import is_headerless

        return Evidence(("updates after their lengths, without a header",)) if is_headerless(path, head) else None

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open *path*. Raises `InspectorError` if nothing in it can be read."""
        from inspector.backends._update_file import YFile

        return YFile(path, codec, progress)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write the one document of *source*, updates byte for byte. Raises `InspectorError` for several."""
        from inspector.backends._crdt import writing

        writing.write_yfile(path, source, codec, progress)

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return what the file cannot hold of *source*. Raises `InspectorError` for several documents."""
        from inspector.backends._crdt import writing

        return writing.losses(source, progress, one_document=True)

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens a file that was written."""
        return ("FileYStore of pycrdt-store and pycrdt-websocket, ypy-websocket from 0.8 on",)

    def check(self, store: Store, progress: Progress) -> Iterable[Finding]:
        """Look at every update for known faults. Slow."""
        from inspector.backends._crdt import faults
        from inspector.backends._update_file import YFile

        if isinstance(store, YFile):
            yield from faults.find(store.path.stem, store.stored_updates(store.path.stem), progress)

    def explain(self, path: Path, head: bytes) -> str | None:
        """Name a file with a header of a version that no package writes."""
        header = _HEADER.match(head)
        return f"a FileYStore file of version {int(header[1])}, which no released package writes" if header else None

    def native(self) -> Backend:
        """Return a backend that writes tables as CRDT values."""
        return _NativeYFile()


class _NativeYFile(YFileBackend):
    """Writes tables as CRDT values, which other programs can work on."""

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write the one collection of *source*."""
        from inspector.backends._crdt import writing

        writing.write_yfile(path, source, codec, progress, writing.NATIVE)

    def carried(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return *records* as a reader of the result sees them."""
        from inspector.backends._crdt import native

        return native.native_carried(records)

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return what CRDT values cannot hold of *source*."""
        from inspector.backends._crdt import writing

        return writing.losses(source, progress, writing.NATIVE, one_document=True)


def _is_text(head: bytes) -> bool:
    """Say whether no control byte stands in *head*: updates begin with small counts and clocks, which are such."""
    return not any(byte < 0x20 and byte not in b"\t\n\r" for byte in head)


BACKEND = YFileBackend()
