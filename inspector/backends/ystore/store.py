"""An open ystore: documents with their histories, read from SQLite without changing the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from inspector.backends._crdt import times
from inspector.backends._crdt.faults import Checkpoint
from inspector.backends._sqlite import Damaged, Database
from inspector.backends.ystore import names, rows, salvage, survey
from inspector.backends.ystore.layouts import Layout, read_layout
from inspector.files import readable_size
from inspector.model import (
    CollectionInfo,
    Decoder,
    Finding,
    History,
    InspectorError,
    MissingLibrary,
    Record,
    Stored,
    StoreInfo,
)
from inspector.progress import Progress, part, silent, track

_KEEP_BYTES = 64 << 20
"""Largest document whose rows stay in memory between loading it and asking for its history."""


class YStore:
    """A SQLite store of CRDT updates, one document per path, in order of first appearance.

    Where SQLite finds the file malformed, the rows that can be salvaged are shown and a finding says so.
    Raises `InspectorError` if nothing can be read.
    """

    def __init__(self, path: Path, decoder: Decoder, progress: Progress = silent) -> None:
        self.path = path
        self._stack = ExitStack()
        self._decoder = decoder
        self._kept: tuple[str, Sequence[Stored]] = ("", ())
        self._damage: Finding | None = None
        try:
            self._size = path.stat().st_size
            self._database = self._stack.enter_context(Database(path, part(progress, 0, 0.3)))
            self._guarded_survey(part(progress, 0.3, 0.6))
            files_table = names.read_files(path, part(progress, 0.9, 0.1))
        except BaseException:
            self._stack.close()
            raise
        self._labels = names.labels(self._survey.documents, files_table)
        self.files_table = files_table

    def _guarded_survey(self, progress: Progress) -> None:
        try:
            self._take_survey(progress)
        except Damaged as reason:
            self._salvage(reason, progress)

    def _take_survey(self, progress: Progress) -> None:
        reader = rows.RowReader(self._decoder)
        with self._database.connect(progress) as connection:
            layout = read_layout(connection, self.path)
            self._survey = survey.take(connection, layout, reader=reader, path=self.path, progress=progress)
        self._reader = reader

    def _salvage(self, reason: Damaged, progress: Progress) -> None:
        """Read from a private database of what can be recovered. Raises *reason* again if that is nothing."""
        if self._damage:
            raise reason
        folder = self._stack.enter_context(TemporaryDirectory(prefix="inspector-"))
        target = Path(folder) / "salvaged"
        found = salvage.recover(self._database.readable, target, progress)
        if not found.updates:
            raise InspectorError(
                f"{self.path} is damaged and no update in it can be read; look for a copy of it."
            ) from reason
        self._damage = _damage(found)
        self._database = Database(self.path, instead=target)
        self._take_survey(progress)

    @property
    def layout(self) -> Layout:
        """The generation of the file."""
        return self._survey.layout

    @property
    def database(self) -> Database:
        """The database that is read, for deeper checks."""
        return self._database

    @property
    def salvaged(self) -> bool:
        """True where SQLite cannot read the file and its pages were searched instead."""
        return self._damage is not None

    @property
    def info(self) -> StoreInfo:
        """What is known of the whole; the codec is as exact as what has been read so far."""
        compressed = sorted(self._reader.specs - {"none"})
        plain = not compressed
        stored = sum(document.stored for document in self._survey.documents.values())
        return StoreInfo(
            format="ystore",
            codec="none" if plain else compressed[0] if len(compressed) == 1 else "mixed",
            size=self._size,
            evidence=tuple(self._evidence()),
            decoded_size=stored if plain else None,
            maker=self.layout.maker,
            findings=(*((self._damage,) if self._damage else ()), *self._survey.findings),
        )

    def _evidence(self) -> Iterator[str]:
        yield "a SQLite database with a table yupdates of path and yupdate"
        columns = [name for name in ("metadata", "timestamp") if getattr(self.layout, name)]
        tables = "with" if self.layout.checkpoints else "without"
        yield (
            f"schema version {self.layout.user_version}, {' and '.join(columns) or 'no further'} columns, "
            f"{tables} ycheckpoints"
        )
        if self.layout.pairs:
            yield "every second row of a document is metadata, not an update"
        if self._reader.specs:
            yield f"rows read as {', '.join(sorted(self._reader.specs))}, each checked to be a whole Yjs update"

    @property
    def collections(self) -> Sequence[CollectionInfo]:
        """The documents, in order of their first rows."""
        return [
            CollectionInfo(
                name=name,
                label=self._labels[name],
                kind="table" if document.crossed else "document",
                records=None,
                stored_bytes=document.stored,
                versions=document.updates,
                first=document.first,
                last=document.last,
            )
            for name, document in self._survey.documents.items()
        ]

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Replay all updates of a document and return its records. Slow."""
        from inspector.backends._crdt import timeline

        stored = self.stored_updates(name, part(progress, 0, 0.5))
        return timeline.state(stored, len(stored), part(progress, 0.5, 0.5))

    def history(self, name: str, progress: Progress) -> History:
        """Return the history of a document. Slow."""
        from inspector.backends._crdt import timeline

        stored = self.stored_updates(name, part(progress, 0, 0.5))
        return timeline.Timeline(stored, part(progress, 0.5, 0.5))

    def stored_updates(self, name: str, progress: Progress = silent) -> Sequence[Stored]:
        """Return the stored updates of a document in order of time and rowid, decoded. Slow.

        Raises `MissingLibrary` naming what to install where rows need a codec that is not there.
        """
        if self._kept[0] == name and self._kept[1]:
            return self._kept[1]
        document = self._document(name)
        try:
            stored = self._read_rows(name, document, progress)
        except Damaged as reason:
            self._salvage(reason, progress)
            stored = self._read_rows(name, self._document(name), progress)
        if document.stored <= _KEEP_BYTES:
            self._kept = (name, stored)
        return stored

    def _document(self, name: str) -> survey.Document:
        document = self._survey.documents.get(name)
        if document is None:
            raise InspectorError(f"{self.path} holds no document {name!r}; `inspector info` lists those it holds.")
        return document

    def _read_rows(self, name: str, document: survey.Document, progress: Progress) -> list[Stored]:
        condition, arguments = document.key.condition()
        order = "timestamp, _rowid_" if self.layout.timestamp else "_rowid_"
        query = f"SELECT {rows.columns(self.layout)} FROM main.yupdates WHERE {condition} ORDER BY {order}"
        with self._database.connect(progress) as connection:
            found = track(connection.execute(query, arguments), progress, document.updates)
            try:
                stored = [self._reader.read(name, row, any_content=self.layout.pairs) for row in found]
            except MissingLibrary as error:
                raise MissingLibrary(f"{self._labels[name]} in {self.path} cannot be read: {error}") from error
        return list(rows.join_pairs(stored)) if self.layout.pairs else stored

    def checkpoints(self, progress: Progress = silent) -> Iterator[tuple[str, Checkpoint]]:
        """Yield documents' names with their checkpoints, decoded."""
        if not self.layout.checkpoints:
            return
        by_key = {document.key: name for name, document in self._survey.documents.items()}
        with self._database.connect(progress) as connection:
            for path, blob, time in connection.execute("SELECT path, checkpoint, timestamp FROM main.ycheckpoints"):
                key = rows.Key(path)
                data: bytes | None = None
                spec = "none"
                specs = set(self._reader.specs)
                with suppress(MissingLibrary):
                    data, spec = self._reader.decode(rows.as_bytes(blob) or b"")
                self._reader.specs = specs  # a store's codec is that of its rows
                yield by_key.get(key, key.name), Checkpoint(data, spec, times.seconds(time))

    def late_findings(self) -> Iterator[Finding]:
        """Yield what all rows that were read since opening tell about the store as a whole."""
        return survey.reader_findings(self._reader)

    def close(self) -> None:
        """Let go of private files and rows in memory."""
        self._kept = ("", ())
        self._database.close()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _damage(found: salvage.Recovered) -> Finding:
    lost = f" {found.broken:,} rows with pieces missing were left out." if found.broken else ""
    if found.size < found.expected_size:
        return Finding(
            "error",
            "truncated",
            f"The file is cut off: {readable_size(found.size)} of {readable_size(found.expected_size)} are there. "
            f"{found.updates:,} updates can be read.{lost}",
            f"byte {found.size:,}",
            True,
        )
    return Finding(
        "error",
        "damaged-page",
        f"SQLite cannot read the file, its pages were searched instead: {found.updates:,} updates can be read.{lost}",
        None,
        True,
    )
