"""What is written: a file, or a folder of files, handled alike. A folder is made beside its place and then renamed.

A folder cannot replace another in one step: the old one is moved away first, which is its backup at once.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from inspector import files
from inspector.files import Signature
from inspector.model import InspectorError


def signature(path: Path) -> Signature:
    """Return the signature of a file; of a folder the bytes in its files, the latest mtime and its inode.

    Raises `InspectorError` if it cannot be reached.
    """
    own = files.signature(path)
    if not path.is_dir():
        return own
    inside = [files.signature(entry) for entry in _entries(path)]
    return Signature(sum(one.size for one in inside), max([own.mtime, *(one.mtime for one in inside)]), own.inode)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.rglob("*") if not entry.is_dir() and not entry.is_symlink())
    except OSError as error:
        raise files.unreadable(folder, error) from error


def is_free(target: Path) -> bool:
    """Say whether a folder can be put at *target* without replacing anything: nothing or an empty folder is there."""
    try:
        return not os.listdir(target)
    except FileNotFoundError:
        return not target.is_symlink()
    except OSError:
        return False


def refuse(target: Path, *, overwrite: bool) -> None:
    """Raise `InspectorError` if a folder must not be put at *target*."""
    if target.exists() and not target.is_dir():
        raise InspectorError(f"{target} is a file, and several collections need a folder; choose another name.")
    if not overwrite and not is_free(target):
        raise InspectorError(f"{target} exists already; choose another name or pass --overwrite.")


def replace(
    target: Path,
    write: Callable[[Path], None],
    *,
    verify: Callable[[Path], None],
    overwrite: bool = False,
    before: Callable[[Path], None] | None = None,
) -> None:
    """Put a new folder at *target* whole or not at all; the arguments are those of `files.replace`.

    *before* must have moved away what is replaced (`back_up`). On any error, and on `Cancelled`, nothing remains.
    """
    target = Path(os.path.realpath(target))
    refuse(target, overwrite=overwrite)
    temporary = _temporary(target)
    try:
        write(temporary)
        for entry in (*_entries(temporary), temporary):
            files.sync(entry)
        verify(temporary)
        if before:
            before(temporary)
        os.rename(temporary, target)
    except OSError as error:
        raise files.unwritable(target, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    files.sync(target.parent)


def _temporary(target: Path) -> Path:
    files.remove_stale_temporaries(target.parent)
    path = target.parent / f".inspector-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    try:
        path.mkdir()
        if target.exists():
            path.chmod(stat.S_IMODE(target.stat().st_mode))
    except OSError as error:
        raise files.unwritable(target, error) from error
    return path


def back_up(path: Path) -> Path:
    """Keep what is at *path* as ``NAME.bak`` (``NAME.bak2``, …) and return that name; a folder is moved there."""
    if not path.is_dir():
        return files.back_up(path)
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.bak{'' if number == 1 else number}")
        if not os.path.lexists(backup):
            break
        number += 1
    try:
        os.rename(path, backup)
    except OSError as error:
        raise files.unwritable(path, error) from error
    return backup


def put_back(backup: Path, path: Path) -> None:
    """Undo `back_up`, because *path* was not replaced after all."""
    with suppress(OSError):
        if backup.is_dir() and not path.exists():
            os.rename(backup, path)
        else:
            backup.unlink()
