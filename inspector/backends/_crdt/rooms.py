"""Names of documents as Jupyter's servers make them: ``{folder}/.{type}:{file name or file id}.y``."""

from __future__ import annotations

import re

_ROOM = re.compile(r"(?P<folder>(?:.*/)?)\.(?P<type>[^/:]+):(?P<file>[^/]+)\.y", re.DOTALL)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_room(name: str) -> bool:
    """Say whether *name* is one that a Jupyter server makes."""
    return _ROOM.fullmatch(name) is not None


def file_id(name: str) -> str | None:
    """Return the file id that a document's name holds, None if it holds none."""
    room = _ROOM.fullmatch(name)
    return room["file"] if room and _UUID.fullmatch(room["file"]) else None


def clean(name: str) -> str:
    """Return *name* without what Jupyter wraps around it: ``sub/.notebook:x.ipynb.y`` gives ``sub/x.ipynb``.

    A name that holds a file id keeps its type: ``cb83… (notebook)``. Any other name stays as it is.
    """
    room = _ROOM.fullmatch(name)
    if room is None:
        return name
    if file_id(name):
        return f"{room['file']} ({room['type']})"
    return room["folder"] + room["file"]
