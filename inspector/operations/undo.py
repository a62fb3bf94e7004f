"""Taking back what a job wrote: a journal of our writes, and the backup or the trash."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from inspector import files
from inspector.model import InspectorError
from inspector.operations.outcome import Outcome


def _journal(path: Path) -> Path:
    import platformdirs

    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    return platformdirs.user_state_path("inspector", appauthor=False) / "undo" / f"{name}.json"


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(_journal(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return entries if isinstance(entries, list) else []


def _save(path: Path, entries: list[dict[str, Any]]) -> None:
    journal = _journal(path)
    if not entries:
        journal.unlink(missing_ok=True)
        return
    journal.parent.mkdir(parents=True, exist_ok=True)
    temporary = journal.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(entries), encoding="utf-8")
    os.replace(temporary, journal)


def remember(target: Path, written: Path, *, backup: Path | None, format: str, source: Path) -> None:
    """Note that *written* is about to become *target*; *backup* is what it replaces, None for a new file.

    Raises `InspectorError` if the journal cannot be written.
    """
    mark = files.signature(written)
    entry = {
        "target": os.path.realpath(target),
        "backup": os.path.realpath(backup) if backup else None,
        "format": format,
        "source": str(source),
        "signature": [mark.size, mark.mtime, mark.inode],
    }
    try:
        _save(target, [*(old for old in _read(target) if old.get("backup")), entry])
    except OSError as error:
        raise InspectorError(
            f"The undo journal {_journal(target)} cannot be written: {error.strerror}. Nothing was written."
        ) from error


def can_undo(path: Path) -> bool:
    """Say whether `undo` would find something to take back."""
    try:
        _last(path)
    except InspectorError:
        return False
    return True


def _last(path: Path) -> dict[str, Any]:
    entries = _read(path)
    if not entries:
        raise InspectorError(f"{path} was not written by Inspector, or its undo was already used; nothing was changed.")
    entry: dict[str, Any] = entries[-1]
    now = files.signature(path)
    if [now.size, now.mtime, now.inode] != entry["signature"]:
        raise InspectorError(f"{path} was changed since Inspector wrote it; undo would lose that. Nothing was changed.")
    if entry["backup"] and not Path(entry["backup"]).exists():
        raise InspectorError(
            f"The backup {entry['backup']} is gone, so {path} cannot be put back. Nothing was changed."
        )
    return entry


def undo(path: Path) -> Outcome:
    """Put the backup of *path* back, or move a new file to the trash.

    Refused with `InspectorError` if the file is no longer what we wrote.
    """
    entry = _last(path)
    size = path.stat().st_size
    if entry["backup"]:
        backup = Path(entry["backup"])
        after = backup.stat().st_size
        _restore(path, backup)
        note = f"The file of before is back at {path}."
    else:
        after = 0
        _trash(path)
        note = f"{path} is in the trash."
    _save(path, _read(path)[:-1])
    return Outcome(
        source=Path(entry["source"]), target=path, format=entry["format"], codec="none", records=0, versions=0,
        bytes_before=size, bytes_after=after, seconds=0.0, written=True, verified=True, notes=(note,),
        command=f"inspector undo {path}",
    )  # fmt: skip


def _restore(path: Path, backup: Path) -> None:
    real = Path(os.path.realpath(path))
    try:
        os.replace(backup, real)
        files.sync(real.parent)
    except OSError as error:
        raise InspectorError(f"{path} cannot be put back: {error.strerror}. Its backup is {backup}.") from error


def _trash(path: Path) -> None:
    import send2trash

    try:
        send2trash.send2trash(os.fspath(path))
    except OSError as error:
        raise InspectorError(f"{path} cannot be moved to the trash: {error}. Nothing was changed.") from error
