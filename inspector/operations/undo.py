"""Taking back what a job wrote: a journal of our writes, and the backup or the trash."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from inspector import files, folders
from inspector.model import InspectorError
from inspector.operations.open import recognise
from inspector.operations.outcome import Outcome


def _journal(path: Path) -> Path:
    """Return where writes of *path* are noted. Raises OSError where this system knows no such place."""
    import platformdirs

    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    try:
        folder = platformdirs.user_state_path("inspector", appauthor=False)
    except RuntimeError as error:  # a user without a home folder
        raise OSError(str(error)) from error
    return folder / "undo" / f"{name}.json"


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(_journal(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    whole = {"target", "backup", "format", "source", "signature"}
    if not isinstance(entries, list):
        return []
    return [entry for entry in entries if isinstance(entry, dict) and entry.keys() >= whole]


def _save(path: Path, entries: list[dict[str, Any]]) -> None:
    journal = _journal(path)
    if not entries:
        journal.unlink(missing_ok=True)
        return
    journal.parent.mkdir(parents=True, exist_ok=True)
    temporary = journal.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(entries), encoding="utf-8")
    os.replace(temporary, journal)


def remember(target: Path, written: Path, *, backup: Path | None, format: str, source: Path) -> bool:
    """Note that *written* is about to become *target*; *backup* is what it replaces, None where that is nothing.

    Returns False where the journal cannot be written: the job goes on, without undo.
    """
    mark = folders.signature(written)
    entry = {
        "target": os.path.realpath(target),
        "backup": os.path.realpath(backup) if backup else None,
        "format": format,
        "source": str(source),
        "signature": [mark.size, mark.mtime, mark.inode],
    }
    try:
        _save(target, [*_read(target), entry])
    except OSError:
        return False
    return True


def settle(target: Path) -> None:
    """Remove notes and backups of runs that were killed before they wrote; call this before a new backup is made."""
    before = _read(target)
    with suppress(OSError):
        if len(after := _happened(target)) != len(before):
            _save(target, after)


def forget(target: Path, backup: Path) -> None:
    """Take back a note and its backup, because *target* was not replaced after all."""
    with suppress(OSError):
        _save(target, [entry for entry in _read(target) if entry["backup"] != os.path.realpath(backup)])
    folders.put_back(backup, target)


def _happened(path: Path) -> list[dict[str, Any]]:
    """Return the noted writes that took place; of a run killed just before, the backup goes too."""
    entries = _read(path)
    while entries and not _is(path, entries[-1]["signature"]) and _same(path, entries[-1]["backup"]):
        backup = entries.pop()["backup"]
        with suppress(OSError):
            Path(backup).unlink()
    return entries


def _is(path: Path, mark: list[int]) -> bool:
    try:
        now = folders.signature(path)
    except InspectorError:
        return False
    return [now.size, now.mtime, now.inode] == mark


def _same(path: Path, backup: str | None) -> bool:
    """Say whether *backup* is the present file itself or a copy of it with its time."""
    try:
        now, kept = os.stat(path), os.stat(backup or "")
    except OSError:
        return False
    return os.path.samestat(now, kept) or (now.st_size, now.st_mtime_ns) == (kept.st_size, kept.st_mtime_ns)


def can_undo(path: Path) -> bool:
    """Say whether `undo` would find something to take back."""
    try:
        _last(path)
    except InspectorError:
        return False
    return True


def _last(path: Path) -> dict[str, Any]:
    entries = _happened(path)
    if not entries:
        raise InspectorError(f"{path} was not written by Inspector, or its undo was already used; nothing was changed.")
    entry = entries[-1]
    folders.signature(path)
    if not _is(path, entry["signature"]):
        raise InspectorError(f"{path} was changed since Inspector wrote it; undo would lose that. Nothing was changed.")
    if entry["backup"] and not Path(entry["backup"]).exists():
        raise InspectorError(f"The backup {entry['backup']} is gone: {path} cannot be put back. Nothing was changed.")
    return entry


def undo(path: Path) -> Outcome:
    """Put the backup of *path* back, or move a new file or folder to the trash.

    Refused with `InspectorError` if it is no longer what we wrote.
    """
    entry = _last(path)
    size = folders.signature(path).size
    if entry["backup"]:
        backup = Path(entry["backup"])
        after = folders.signature(backup).size
        _restore(path, backup)
        note = f"The original is back at {path}."
    else:
        after = 0
        _trash(path)
        note = f"{path} is in the trash."
    with suppress(OSError):
        _save(path, _happened(path)[:-1])
    return Outcome(
        source=Path(entry["source"]), target=path, format=_format(path), codec="", records=0, versions=0,
        bytes_before=size, bytes_after=after, seconds=0.0, written=True, notes=(note,),
        command=f"inspector undo {path}",
    )  # fmt: skip


def _format(path: Path) -> str:
    """Return the format of the file that is there now, nothing if there is none."""
    try:
        return recognise(path)[0]
    except InspectorError:
        return ""


def _restore(path: Path, backup: Path) -> None:
    real = Path(os.path.realpath(path))
    if real.is_dir():
        _trash(path)  # a folder is not replaced by another in one step
    try:
        os.replace(backup, real)
        files.sync(real.parent)
    except OSError as error:
        raise InspectorError(f"{path} cannot be put back: {error.strerror}. Its backup is {backup}.") from error


def _trash(path: Path) -> None:
    import send2trash

    try:
        send2trash.send2trash(os.path.realpath(path))
    except OSError as error:
        raise InspectorError(f"{path} cannot be moved to the trash: {error}. Nothing was changed.") from error
