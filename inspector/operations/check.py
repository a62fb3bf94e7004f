"""Integrity and known faults: what opening found, and the format's deeper look."""

from __future__ import annotations

from inspector import registry
from inspector.model import Checks, Finding, Store
from inspector.progress import Progress, silent

_ORDER = {"error": 0, "warning": 1, "info": 2}


def check(store: Store, progress: Progress = silent) -> list[Finding]:
    """Return all findings of *store*, errors first, each once. Slow."""
    backend = registry.backend(store.info.format)
    found = list(store.info.findings)
    if isinstance(backend, Checks):
        found += backend.check(store, progress)
    return sorted(dict.fromkeys(found), key=lambda finding: _ORDER[finding.severity])
