"""What a store is, and what this installation reads and writes: the documents of ``info`` and ``formats``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector import registry
from inspector.model import CollectionInfo, DecodeError, Finding, MissingLibrary, Store
from inspector.progress import Progress, part, silent

_ORDER = {"error": 0, "warning": 1, "info": 2}


def time_text(time: float | None) -> str | None:
    """Return seconds since 1970 as ISO 8601 in UTC with microseconds and ``Z``; None where no date fits."""
    if time is None:
        return None
    from datetime import UTC, datetime

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


def labels() -> dict[str, str]:
    """Return what people call each format, by its id."""
    return {room.id: room.label for room in registry.backends().values()}


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return a finding in the JSON shape of the command line."""
    return {
        "severity": finding.severity,
        "code": finding.code,
        "message": finding.message,
        "where": finding.where,
        "repairable": finding.repairable,
    }


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return *findings* each once, errors before warnings before the rest."""
    return sorted(dict.fromkeys(findings), key=lambda finding: _ORDER[finding.severity])


def unreadable(entry: CollectionInfo, error: Exception) -> Finding:
    """Return what is said of a collection that cannot be decoded here; *error* names the reason and the way out."""
    return Finding("error", "undecodable-update", str(error), entry.name)


def info(store: Store, *, count: bool = True, progress: Progress = silent) -> dict[str, Any]:
    """Return what *store* is, in the JSON shape of the command line.

    With *count*, collections whose records are only known after decoding every update are counted: slow. One that
    cannot be decoded here has no number and is named in a finding.
    """
    number = max(len(store.collections), 1)
    collections = []
    unread: list[Finding] = []
    for index, entry in enumerate(store.collections):
        share = part(progress, index / number, 1 / number)
        try:
            records = count_records(store, entry, share) if count else entry.records
        except MissingLibrary as error:
            records = None
            unread.append(unreadable(entry, error))
        collections.append(_collection(entry, records))
    about = store.info  # asked last: its findings and codec grow with what is read
    return {
        "path": str(store.path),
        "format": about.format,
        "codec": about.codec,
        "evidence": list(about.evidence),
        "size": about.size,
        "decoded_size": about.decoded_size,
        "maker": about.maker,
        "collections": collections,
        "findings": [finding_json(finding) for finding in worst_first((*about.findings, *unread))],
    }


def _collection(entry: CollectionInfo, records: int | None) -> dict[str, Any]:
    return {
        "name": entry.name,
        "label": entry.label,
        "kind": entry.kind,
        "records": records,
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
