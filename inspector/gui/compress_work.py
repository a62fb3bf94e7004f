"""The slow work of the compress sheet: plain functions that take a progress and touch no widget."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from inspector.model import InspectorError, Store
from inspector.operations.advise import Advice, advise, needs_configuration
from inspector.operations.compress import CompressJob, compress
from inspector.operations.destination import refuse_if_in_use
from inspector.operations.outcome import Outcome
from inspector.progress import Progress


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found out about a store: *needs* holds the codecs whose result needs a configuration.

    *free* is the space in its folder, *hindrance* why it cannot be replaced in place now, empty if it can.
    """

    advice: Advice
    needs: frozenset[str]
    free: int
    hindrance: str


def measure(progress: Progress, store: Store) -> Measured:
    """Measure the candidates and look whether the store can be replaced. Slow. Raises `InspectorError`."""
    advice = advise(store, progress=progress)
    return Measured(
        advice=advice,
        needs=frozenset(c.codec for c in advice.candidates if needs_configuration(store, c)),
        free=shutil.disk_usage(store.path.parent).free,
        hindrance=_hindrance(store.path),
    )


def _hindrance(path: Path) -> str:
    try:
        refuse_if_in_use(path)
    except InspectorError as error:
        return str(error)
    if os.access(path.parent, os.W_OK):
        return ""
    text = QCoreApplication.translate(
        "CompressSheet", "{folder} cannot be written to: permission denied. Write a copy to another folder."
    )
    return text.replace("{folder}", str(path.parent))


def compressed(job: CompressJob, progress: Progress) -> Outcome:
    """Do *job*; the progress comes last, so that a task can bring it."""
    return compress(job, progress)
