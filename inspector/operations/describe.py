"""What a store is, and what this installation reads and writes: the documents of ``info`` and ``formats``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from inspector import registry
from inspector.model import CollectionInfo, DecodeError, Finding, Store
from inspector.progress import Progress, part, silent


def time_text(time: float | None) -> str | None:
    """Return seconds since 1970 as ISO 8601 in UTC with microseconds and ``Z``; None where no date fits."""
    if time is None:
        return None
    try:
        moment = datetime.fromtimestamp(time, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def formats() -> dict[str, Any]:
    """Return the formats and codecs, and which can be read or written here."""
    return {
        "formats": [
            {
                "id": room.id,
                "label": room.label,
                "reads": room.reads,
                "writes": room.writes,
                "keeps_history": room.keeps_history,
                "suffixes": list(room.suffixes),
            }
            for room in registry.backends().values()
        ],
        "codecs": [
            {
                "id": kind.id,
                "label": kind.label,
                "parameters": kind.parameters(),
                "writes": kind.writes,
                "available": registry.unavailable(kind) is None,
                "reason": registry.unavailable(kind),
            }
            for kind in registry.codecs().values()
        ],
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return a finding in CLI.md's shape."""
    return {
        "severity": finding.severity,
        "code": finding.code,
        "message": finding.message,
        "where": finding.where,
        "repairable": finding.repairable,
    }


def info(store: Store, *, count: bool = True, progress: Progress = silent) -> dict[str, Any]:
    """Return what *store* is, in CLI.md's shape.

    With *count*, collections whose records are only known after decoding every update are counted: slow.
    """
    about = store.info
    number = max(len(store.collections), 1)
    collections = []
    for index, entry in enumerate(store.collections):
        share = part(progress, index / number, 1 / number)
        collections.append(_collection(store, entry, count=count, progress=share))
    return {
        "path": str(store.path),
        "format": about.format,
        "codec": about.codec,
        "evidence": list(about.evidence),
        "size": about.size,
        "decoded_size": about.decoded_size,
        "maker": about.maker,
        "collections": collections,
        "findings": [finding_json(finding) for finding in about.findings],
    }


def _collection(store: Store, entry: CollectionInfo, *, count: bool, progress: Progress) -> dict[str, Any]:
    return {
        "name": entry.name,
        "label": entry.label,
        "kind": entry.kind,
        "records": count_records(store, entry, progress) if count else entry.records,
        "versions": entry.versions,
        "stored_bytes": entry.stored_bytes,
        "first": time_text(entry.first),
        "last": time_text(entry.last),
    }


def count_records(store: Store, entry: CollectionInfo, progress: Progress = silent) -> int | None:
    """Return the number of records of a collection, decoding it if need be; None if it cannot be decoded."""
    if entry.records is not None:
        return entry.records
    try:
        return len(store.load(entry.name, progress))
    except DecodeError:
        return None
