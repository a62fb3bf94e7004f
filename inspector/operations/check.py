"""Integrity and known faults: what opening found, and the format's deeper look."""

from __future__ import annotations

from inspector import registry
from inspector.model import Checks, Finding, Store
from inspector.operations.describe import worst_first
from inspector.progress import Progress, silent


def check(store: Store, progress: Progress = silent) -> list[Finding]:
    """Return all findings of *store*, errors first, each once. Slow."""
    backend = registry.backend(store.info.format)
    found = list(store.info.findings)
    if isinstance(backend, Checks):
        found += backend.check(store, progress)
    return worst_first(found)
