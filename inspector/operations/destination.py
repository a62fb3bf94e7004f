"""The place that a job writes to: what stands against writing there, said before anything is written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from inspector import files, folders
from inspector.model import InspectorError


def refuse_destination(source: Path, target: Path | None) -> None:
    """Raise `InspectorError` if *target* (None: in place of *source*) is the source, is in use, or has side files."""
    place = target or source
    if target is not None and target.exists() and target.samefile(source):
        raise InspectorError(f"{target} is the source itself; choose another name, or compress it with --in-place.")
    if place.is_dir():
        _refuse_around(source, place)
    elif place.exists():
        refuse_if_in_use(place)
    refuse_side_files(place)


def _refuse_around(source: Path, folder: Path) -> None:
    if Path(os.path.realpath(folder)) in Path(os.path.realpath(source)).parents:
        raise InspectorError(f"{folder} is the folder that {source.name} lies in; name another one.")


def refuse_if_in_use(path: Path) -> None:
    """Raise `InspectorError` if another program has *path* open."""
    holders = files.open_by(path)
    if holders:
        raise InspectorError(
            f"{path} is open in {', '.join(holders)}; stop that program first, or write to another name. "
            "Nothing was changed."
        )


def refuse_side_files(path: Path) -> None:
    """Raise `InspectorError` if SQLite's side files lie beside *path*: they would be mixed into the new file."""
    real = Path(os.path.realpath(path))
    sides = [side for side in ("-wal", "-journal", "-shm") if real.with_name(real.name + side).exists()]
    if sides:
        raise InspectorError(
            f"{path} has a {sides[0]} file beside it: a program is writing it or was stopped while writing. "
            "Open and close it in that program first, or write to another name. Nothing was changed."
        )


def obstacles(source: Path, target: Path, *, folder: bool, overwrite: bool) -> Iterator[str]:
    """Yield what a run will say of *target*, so that a dry run does not promise what will be refused."""
    real = Path(os.path.realpath(target))
    try:
        refuse_destination(source, target)
        if folder:
            folders.refuse(real, overwrite=overwrite)
    except InspectorError as error:
        yield str(error)
    if not real.parent.is_dir():
        yield f"{real.parent} does not exist. Nothing was written; make the folder or choose another."
    elif not folder and real.exists() and not real.is_file():
        yield f"{real} is no regular file, so it is not replaced; choose another name."
    elif not folder and real.exists() and not overwrite:
        yield f"{real} exists already; choose another name or pass --overwrite."
