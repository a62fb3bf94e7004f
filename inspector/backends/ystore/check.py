"""The deeper look at a ystore: SQLite's own check of the file, then every document's rows and checkpoint."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.backends._crdt import faults
from inspector.backends.ystore.store import YStore
from inspector.model import Finding, MissingLibrary
from inspector.progress import Progress, part

_SHOWN_FAULTS = 5


def check(store: YStore, progress: Progress) -> Iterator[Finding]:
    """Yield findings beyond those of opening; what is not readable at all is left to them. Slow."""
    known = {(finding.code, finding.where) for finding in store.info.findings}
    for finding in _all_findings(store, progress):
        if (finding.code, finding.where) not in known:
            yield finding


def _all_findings(store: YStore, progress: Progress) -> Iterator[Finding]:
    if not store.salvaged:
        yield from _integrity(store, part(progress, 0, 0.2))
    checkpoints = dict(store.checkpoints())
    names = [collection.name for collection in store.collections]
    no_blobs = _rows_without_blob(store)
    for number, name in enumerate(names):
        share = part(progress, 0.2 + 0.8 * number / len(names), 0.8 / len(names))
        try:
            stored = store.stored_updates(name, part(share, 0, 0.5))
        except MissingLibrary as error:
            yield Finding("error", "undecodable-update", str(error), name, False)
            continue
        yield from faults.find(name, stored, part(share, 0.5, 0.5), checkpoint=checkpoints.get(name), ignored=no_blobs)
    yield from store.late_findings()


def _integrity(store: YStore, progress: Progress) -> Iterator[Finding]:
    with store.database.connect(progress) as connection:
        lines = [str(row[0]) for row in connection.execute(f"PRAGMA main.integrity_check({_SHOWN_FAULTS})")]
    if lines != ["ok"]:
        yield Finding(
            "error", "damaged-page", f"SQLite's integrity check found faults: {'; '.join(lines)}.", None, True
        )


def _rows_without_blob(store: YStore) -> set[int]:
    """Return the rowids of rows that hold no bytes: they are counted as empty, not as undecodable."""
    with store.database.connect() as connection:
        query = "SELECT _rowid_ FROM main.yupdates WHERE typeof(yupdate) <> 'blob'"
        return {rowid for (rowid,) in connection.execute(query)}
