"""Jupyter notebooks ``.ipynb`` of nbformat 4 for other programs; only written.

A collection is a notebook if it holds ``cells[…]`` or ``meta.nbformat``. What the notebook format has no place for is
the loss ``not-in-notebook``, a collection that is none the loss ``not-a-notebook``: it gets no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspector import files, notation, values
from inspector.backends._exports import View, loaded, named, sole
from inspector.backends._table_writer import history_losses, unreadable
from inspector.model import (
    Codec,
    CollectionInfo,
    DecodeError,
    Decoder,
    Evidence,
    InspectorError,
    Loss,
    Store,
    StoreInfo,
)
from inspector.progress import Progress


class Notebook:
    """The backend of Jupyter notebooks."""

    id = "ipynb"
    label = "Jupyter notebook"
    suffixes = (".ipynb",)
    reads = False
    writes = True
    keeps_history = False
    one_collection = True
    is_export = True
    codecs = ("none",)
    default_codec = "none"

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Return None: a notebook is never taken for a store."""

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open a file that was just written, to verify it. Raises `InspectorError`."""
        raw = files.Slices(path).read_all(progress)
        try:
            records = notation.notebook_records(values.parse(raw))
        except ValueError as error:
            raise InspectorError(f"{path} is no notebook that can be read: {error}.") from error
        entry = CollectionInfo(path.stem, path.stem, "document", len(records), len(raw))
        return View(path, StoreInfo("ipynb", "none", len(raw)), [entry], lambda name, _: records)

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write the one notebook of *source*. Raises `InspectorError` for several, and for what is none."""
        entry = sole(source, self.label)
        try:
            notebook = notation.as_notebook(source.load(entry.name, progress))
        except DecodeError as error:
            raise unreadable(source, error) from error
        path.write_bytes(notation.notebook_text(notebook).encode("utf-8", "backslashreplace"))

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Return histories that are dropped, what has no place in a notebook, and what is none.

        Raises `InspectorError` if there is no notebook at all.
        """
        try:
            entries = loaded(source, progress)
            others = [entry.name for entry, records in entries if not notation.is_notebook(records)]
            if len(others) == len(entries):
                raise InspectorError(
                    f"{source.path.name} holds no notebook here; write it as text or jsonl, or choose another document."
                )
            absent = [
                f"{entry.name}/{record.key}"
                for entry, records in entries
                if entry.name not in others
                for record in notation.not_in_notebook(records)
            ]
        except DecodeError as error:
            raise unreadable(source, error) from error
        return [*history_losses(source), *named("not-a-notebook", others), *named("not-in-notebook", absent)]

    def promised(self, source: Store, progress: Progress) -> Store:
        """Return the notebooks of *source*, each with what the format has a place for."""
        shown = [
            entry._replace(kind="document")
            for entry, records in loaded(source, progress)
            if notation.is_notebook(records)
        ]
        return View(
            source.path, source.info, shown,
            lambda name, share: notation.notebook_records(
                values.parse(notation.notebook_text(notation.as_notebook(source.load(name, share))))
            ),
        )  # fmt: skip

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say what opens a file that was written."""
        return ("Jupyter and any program that opens notebooks",)


BACKEND = Notebook()
