"""The slow work behind the history: reading it, comparing versions, writing one to a file. Runs in tasks, no widget."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inspector import files
from inspector.gui.content_view import Content, content
from inspector.gui.diff_cards import Card, compare, document_kind
from inspector.gui.timeline_data import TimelineData
from inspector.model import History, InspectorError, Record, Store
from inspector.operations import export
from inspector.operations import history as histories
from inspector.progress import Progress, part

Form = Literal["notebook", "text", "records"]
"""What a version is written as: ``.ipynb``, plain text, or JSON Lines as ``inspector show`` prints them."""

MOST_RAW = 64 << 10
"""Bytes of an update that are shown as a hex dump."""

_PER_LINE = 16


@dataclass(frozen=True, slots=True)
class Loaded:
    """A history that was read; *stored* and *decoded* are the bytes of all its updates."""

    history: History
    data: TimelineData
    stored: int
    decoded: int


@dataclass(frozen=True, slots=True)
class Compared:
    """Two versions and what differs; *text* is how many characters the newer one's text has."""

    base: int
    version: int
    before: Sequence[Record]
    after: Sequence[Record]
    cards: tuple[Card, ...]
    text: int | None

    def known(self) -> dict[int, Sequence[Record]]:
        """Return both versions by number, so that the next comparison need not compute them again."""
        return {self.base: self.before, self.version: self.after}


def load(progress: Progress, store: Store, name: str) -> Loaded:
    """Read the history of a document. Raises `InspectorError`."""
    found = histories.history(store, name, part(progress, 0, 0.8))
    data = TimelineData(found.updates, part(progress, 0.8, 0.2))
    stored = sum(update.stored_bytes for update in found.updates)
    return Loaded(found, data, stored, sum(update.size or 0 for update in found.updates))


def compare_versions(
    progress: Progress, history: History, base: int, version: int, known: Mapping[int, Sequence[Record]]
) -> Compared:
    """Compare two versions of a document; those in *known* are not computed again. Raises `InspectorError`."""
    wanted = sorted({base, version} - known.keys())  # in rising order, so that the second continues the first
    states = dict(known)
    for number, missing in enumerate(wanted):
        states[missing] = history.at(missing, part(progress, number * 0.3, 0.3))
    before, after = states[base], states[version]
    cards = compare(before, after, part(progress, 0.6, 0.4))
    text = None if document_kind(after) == "data" else len(export.as_text(after))
    return Compared(base, version, before, after, cards, text)


def content_at(progress: Progress, history: History, version: int, known: Mapping[int, Sequence[Record]]) -> Content:
    """Return the document at *version*, ready for the screen. Raises `InspectorError`."""
    records = known.get(version)
    if records is None:
        records = history.at(version, part(progress, 0, 0.7))
    return content(version, records, part(progress, 0.7, 0.3))


def raw_at(progress: Progress, history: History, version: int) -> str:
    """Return the stored bytes of the update that made *version* as a hex dump; empty for version 0."""
    progress(0, 1)
    stored = next(itertools.islice(history.raw(), version - 1, None), None) if version else None
    return "" if stored is None else hex_dump(stored.blob or b"")


def hex_dump(data: bytes) -> str:
    """Return the first `MOST_RAW` bytes as lines of offset, 16 bytes in hex and their ASCII signs."""
    lines = []
    for offset in range(0, min(len(data), MOST_RAW), _PER_LINE):
        piece = data[offset : offset + _PER_LINE]
        signs = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in piece)
        lines.append(f"{offset:08x}  {piece.hex(' '):<{3 * _PER_LINE}} {signs}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a version goes: a new file, what it is written as, and the collection that records name."""

    path: Path
    form: Form
    collection: str


def write_version(progress: Progress, history: History, version: int, target: Target) -> Path:
    """Write one version to a new file and read it back. Raises `InspectorError`, also where the file exists."""
    path = target.path
    if path.exists():
        raise InspectorError(f"{path} exists already; choose another name. Nothing was written.")
    records = history.at(version, part(progress, 0, 0.9))
    data = version_text(records, target).encode("utf-8", "surrogatepass")

    def verify(written: Path) -> None:
        if written.read_bytes() != data:
            raise InspectorError(f"{path} did not read back as it was written. Nothing was kept; check the disk.")

    files.replace(path, lambda temporary: _write(temporary, data), verify=verify)
    return path


def version_text(records: Sequence[Record], target: Target) -> str:
    """Return a version as the text of a file. Raises `InspectorError` if the form does not fit it."""
    if target.form == "notebook":
        return export.notebook_text(export.as_notebook(records))
    if target.form == "text":
        return export.as_text(records)
    return "".join(export.json_line(target.collection, record) + "\n" for record in records)


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def version_forms(progress: Progress, history: History, version: int) -> tuple[Form, ...]:
    """Return the forms that a version can be written as, the one that restores it first. Raises `InspectorError`."""
    kind = document_kind(history.at(version, progress))
    by_kind: dict[str, tuple[Form, ...]] = {
        "notebook": ("notebook", "text", "records"),
        "text": ("text", "records"),
        "data": ("records", "text"),
    }
    return by_kind[kind]
