"""Plain text for other programs: the text of a document, in UTF-8; only written.

A document of text roots gives their texts, a notebook the sources of its cells, anything else a line ``key: JSON`` for
each record. What has no place in it is the loss ``not-text``; a lone surrogate, which UTF-8 does not hold, is written
as its escape and is the loss ``lone-surrogate``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspector import files, notation
from inspector.backends._exports import Told, View, loaded, named, sole
from inspector.backends._table_writer import history_losses, unreadable
from inspector.model import (
    Codec,
    CollectionInfo,
    DecodeError,
    Decoder,
    Evidence,
    InspectorError,
    Loss,
    Record,
    Store,
    StoreInfo,
)
from inspector.progress import Progress, part


class Text:
    """The backend of plain texts."""

    id = "text"
    label = "Text"
    suffixes = (".txt",)
    reads = False
    writes = True
    keeps_history = False
    one_collection = True
    is_export = True
    codecs = ("none",)
    default_codec = "none"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Return None: a text is never taken for a store."""

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open a file that was just written, to verify it: one record, the text. Raises `InspectorError`."""
        try:
            text = files.Slices(path).read_all(progress).decode()
        except UnicodeDecodeError as error:
            raise InspectorError(f"{path} is no text in UTF-8: byte {error.start:,} is not.") from error
        entry = CollectionInfo(path.stem, path.stem, "document", 1, len(text))
        return View(path, StoreInfo("text", "none", len(text)), [entry], lambda name, _: [Record("text", text)])

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write the one collection of *source*. Raises `InspectorError` for several."""
        entry = sole(source, self.label)
        path.write_bytes(_text(source, entry, progress).encode())

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return histories that are dropped, records that the text does not hold whole, and lone surrogates."""
        if not source.collections:
            sole(source, self.label)
        absent: list[str] = []
        broken: list[str] = []
        try:
            for entry, found in loaded(source, progress):
                records = Told(found, progress)
                absent += [f"{entry.name}/{record.key}" for record in notation.not_in_text(records)]
                text = notation.as_text(records)
                if _sound(text) != text:
                    broken.append(entry.name)
        except DecodeError as error:
            raise unreadable(source, error) from error
        return [*history_losses(source), *named("not-text", absent), *named("lone-surrogate", broken)]

    def promised(self, source: Store, progress: Progress) -> Store:
        """Return *source* with one record for each collection: its text."""
        entries = {entry.name: entry for entry in source.collections}
        shown = [entry._replace(kind="document", records=1) for entry in entries.values()]
        return View(
            source.path, source.info, shown, lambda name, share: [Record("text", _text(source, entries[name], share))]
        )

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens a file that was written."""
        return ("any editor",)


def _text(source: Store, entry: CollectionInfo, progress: Progress) -> str:
    """Return the text of a collection as it is written. Raises `InspectorError`."""
    try:
        records = source.load(entry.name, part(progress, 0, 0.5))
        return _sound(notation.as_text(Told(records, part(progress, 0.5, 0.5))))
    except DecodeError as error:
        raise unreadable(source, error) from error


def _sound(text: str) -> str:
    """Return *text* with each lone surrogate as its escape."""
    return text.encode("utf-8", "backslashreplace").decode()


BACKEND = Text()
