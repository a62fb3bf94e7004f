"""The slow work of the convert sheet, the names it proposes, and what a loss is called."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from inspector import folders
from inspector.gui.file_field import free_name
from inspector.model import CollectionInfo, InspectorError
from inspector.operations.convert import Job, Plan, convert, plan
from inspector.operations.outcome import Outcome
from inspector.operations.targets import Target
from inspector.operations.trial import trial_size
from inspector.progress import Progress

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Place:
    """Where a job would write: *exists* says that there is something to replace, *free* is the space beside it.

    *folder* says that it is a folder with several files.
    """

    target: Path
    exists: bool
    free: int
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """What a job would do, and where it would write."""

    plan: Plan
    place: Place


def looked(progress: Progress, target: Path, source: Path, folder: bool = False) -> Place:
    """Look at the place of *target*, a file or a *folder*: what is there, and how much space.

    Raises `InspectorError` if it cannot be written.
    """
    if not target.parent.is_dir():
        text = translate("Convert", "{folder} does not exist; make the folder or choose another.")
        raise InspectorError(text.replace("{folder}", str(target.parent)))
    if folder and target.exists() and not target.is_dir():
        text = translate("Convert", "{path} is a file; several tables or documents need a folder.")
        raise InspectorError(text.replace("{path}", str(target)))
    if target.is_dir() and not folder:
        raise InspectorError(
            translate("Convert", "{path} is a folder; choose a file name.").replace("{path}", str(target))
        )
    if target.exists() and os.path.samefile(target, source):
        text = translate("Convert", "{path} is the store itself; choose another name, or compress it in place.")
        raise InspectorError(text.replace("{path}", str(target)))
    if not os.access(target.parent, os.W_OK):
        text = translate("Convert", "{folder} cannot be written to: permission denied; choose another folder.")
        raise InspectorError(text.replace("{folder}", str(target.parent)))
    exists = not folders.is_free(target) if folder else target.exists()
    return Place(target, exists, shutil.disk_usage(target.parent).free, folder)


def planned(progress: Progress, job: Job) -> Plan:
    """Compute losses and sizes of *job*, wherever it would write. Slow. Raises `InspectorError`."""
    return plan(job, progress)


def measured(progress: Progress, job: Job) -> int | None:
    """Return the bytes that *job* would write, None if the source is too large to try or cannot be tried. Slow."""
    try:
        return trial_size(job, progress)
    except InspectorError:
        # The job itself says what is wrong when it is done; a size that is not known hinders nobody.
        return None


def converted(job: Job, progress: Progress) -> Outcome:
    """Do *job*; the progress comes last, so that a task can bring it."""
    return convert(job, progress)


def first_target(targets: tuple[Target, ...], source: str, picked: int) -> int:
    """Return which of *targets* to propose for a store of format *source*, of which *picked* collections are taken.

    Another format of the same kind is better than one that drops the history, as long as it holds all that is picked.
    """
    own = next((target for target in targets if target.id == source), None)
    fitting = [target for target in targets if target.id != source and not (target.one_document and picked > 1)]
    others = [target for target in fitting if not target.is_export] or fitting
    same = [target for target in others if own is not None and target.keeps_history == own.keeps_history]
    best = next(iter(same or others), targets[0])
    return targets.index(best)


def proposed(source: Path, target: Target, known: tuple[Target, ...], *, folder: bool = False) -> Path:
    """Return a free name beside *source* with *target*'s suffix in place of the suffix of its own format.

    For a *folder* the name ends with the format's: ``shop-csv``.
    """
    suffixes = sorted({suffix for room in known for suffix in room.suffixes}, key=len, reverse=True)
    name = source.name
    stem = next((name[: -len(s)] for s in suffixes if name.lower().endswith(s) and len(name) > len(s)), source.stem)
    suffix = f"-{target.id}" if folder else target.suffixes[0] if target.suffixes else ""
    return free_name(source.with_name(stem + suffix))


def loss_text(kind: str) -> str:
    """Return what is lost, in words; the kind itself where it has none."""
    words = {
        "history": translate("Convert", "Versions before the newest"),
        "integer-beyond-64-bit": translate("Convert", "Integers beyond 64 bits"),
        "number-beyond-double": translate("Convert", "Numbers beyond a double"),
        "not-a-number": translate("Convert", "NaN and infinities"),
        "lone-surrogate": translate("Convert", "Lone surrogates in texts"),
        "repeated-keys": translate("Convert", "Repeated keys of an object"),
        "duplicate-ids": translate("Convert", "Repeated document ids"),
        "depth": translate("Convert", "Records nested too deep"),
        "record-order": translate("Convert", "Order of the records"),
        "key-order": translate("Convert", "Order of the keys"),
        "number-type": translate("Convert", "Integer or float"),
        "empty-collection": translate("Convert", "Tables without a record"),
        "not-text": translate("Convert", "What a text does not hold"),
        "not-in-notebook": translate("Convert", "What a notebook has no place for"),
        "not-a-notebook": translate("Convert", "Documents that are no notebook"),
    }
    return words.get(kind, kind.replace("-", " ").capitalize())


def place_text(where: str, labels: dict[str, str]) -> str:
    """Return a loss's place with the label of its collection; *labels* is by name."""
    if where in labels:
        return labels[where]
    name, _, key = where.rpartition("/")
    return f"{labels[name]}/{key}" if name in labels else where


def labels_of(entries: tuple[CollectionInfo, ...]) -> dict[str, str]:
    """Return the labels of collections by name."""
    return {entry.name: entry.label for entry in entries}
