"""The updates that bring a table's document from each saved state to the next, one update a save."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from inspector.backends._crdt.crossing import ROOT, exact_text, sound, table_updates
from inspector.backends._needs import needs
from inspector.model import Record
from inspector.progress import silent

if TYPE_CHECKING:
    import pycrdt


class SavedTable:
    """A table in a real pycrdt document: a root Array of ``[id, exact JSON text]``, as `crossing` writes it.

    A record that changed is replaced whole. Raises `MissingLibrary` without pycrdt.
    """

    def __init__(self) -> None:
        with needs("pycrdt", "Saving versions as updates"):
            import pycrdt

        self._made: list[bytes] = []
        self._doc: pycrdt.Doc[Any] = pycrdt.Doc()
        self._items: pycrdt.Array[Any] = self._doc.get(ROOT, type=pycrdt.Array)
        self._observed = self._doc.observe(lambda event: self._made.append(event.update))
        self._records: list[Record] = []
        self._filled = False

    def update(self, records: Sequence[Record]) -> bytes | None:
        """Return the update that makes the table hold *records*, None if it does already."""
        if not self._filled:
            return self._first(records)
        self._made.clear()
        with self._doc.transaction():
            self._remove({record.key for record in records})
            for place, record in enumerate(records):
                self._put(place, record)
        return self._made[0] if self._made else None

    def _first(self, records: Sequence[Record]) -> bytes:
        import pycrdt

        # filled by pycrdt, an Array takes quadratic time
        update = pycrdt.merge_updates(*table_updates(records, silent))
        self._doc.apply_update(update)
        self._filled = True
        self._records = list(records)
        return update

    def _remove(self, kept: set[str]) -> None:
        for place in reversed(range(len(self._records))):
            if self._records[place].key not in kept:
                del self._records[place], self._items[place]

    def _put(self, place: int, record: Record) -> None:
        """Make *record* the one at *place*; all before it are right."""
        before = self._records[place] if place < len(self._records) else None
        if before is record:
            return
        if before is not None and before.key == record.key:
            if exact_text(before) == exact_text(record):
                return
            del self._records[place], self._items[place]
        else:
            old = next((n for n in range(place, len(self._records)) if self._records[n].key == record.key), None)
            if old is not None:  # it moved
                del self._records[old], self._items[old]
        self._records.insert(place, record)
        self._items.insert(place, [sound(record.key), sound(exact_text(record))])
