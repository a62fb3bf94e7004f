"""Making the program known to the desktop: menu entry, file types, icons, file-manager actions.

The files lie in ``resources/desktop``, laid out like a data folder of the freedesktop.org base directory
specification; packages and ``inspector register`` lay down the same ones. Only the command in them differs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.model import InspectorError
from inspector.program import APP_ID
from inspector.resources import resource

ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
"""Edges of the icons in pixels."""

_LOGO = "icons/inspector.svg"

_ONLY_FOR_ONE_USER = "nautilus"
"""Nautilus reads scripts from a user's data folder alone."""

_CACHES = {
    "mime": (
        "XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic", "mime.cache", "subclasses",
        "treemagic", "types", "version",
    ),
    "applications": ("mimeinfo.cache",),
}  # fmt: skip
"""Files that the desktop's own programs make from what we lay down."""


@dataclass(frozen=True, slots=True)
class Registration:
    """What was laid down or taken away below *folder*; *notes* say what the desktop will not see yet, and why."""

    folder: Path
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the document of ``--json``."""
        return {"folder": str(self.folder), "files": [str(path) for path in self.files], "notes": list(self.notes)}


def register() -> Registration:
    """Lay menu entry, icons and file types into the user's data folder. A second time changes nothing.

    Raises `InspectorError` where desktops do not work so, or the folder cannot be written.
    """
    from inspector.program import launcher

    share = _data_folder()
    _remove(share)
    command = launcher()
    manifest = _manifest(share)
    names = [part.name for part in _parts(command, for_one_user=True)]
    noted = {"files": list(map(str, names)), "folders": list(map(str, _missing_folders(share, names)))}
    try:
        _written(manifest, json.dumps(noted, indent=1).encode(), 0o644)
        laid = lay(share, command, for_one_user=True)
    except OSError as error:
        raise InspectorError(f"{error.filename} cannot be written: {error.strerror}; nothing is registered.") from error
    return Registration(share, tuple(laid), tuple(_refresh(share)))


def unregister() -> Registration:
    """Take away what `register` laid down, and the folders that it made. Raises `InspectorError` as `register`."""
    share = _data_folder()
    return Registration(share, tuple(_remove(share)))


def lay(share: Path, command: Sequence[str], *, for_one_user: bool = False) -> list[Path]:
    """Write all files below the data folder *share*, starting *command*, and return them.

    Raises OSError.
    """
    parts = _parts(command, for_one_user=for_one_user)
    return [_written(share / part.name, part.content, part.mode) for part in parts]


@dataclass(frozen=True, slots=True)
class _Part:
    """One file: its place in the data folder, what is in it, and its permissions."""

    name: Path
    content: bytes
    mode: int


def _parts(command: Sequence[str], *, for_one_user: bool) -> Iterator[_Part]:
    source = resource("desktop")
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if path.is_dir() or (name.parts[0] == _ONLY_FOR_ONE_USER and not for_one_user):
            continue
        text = _with_command(path.read_text(encoding="utf-8"), command)
        # Of a user's own files KDE and Nautilus run only what is executable.
        runs = for_one_user and name.parts[0] in ("kio", "nautilus")
        yield _Part(name, text.encode(), 0o755 if runs else 0o644)
    icons = Path("icons", "hicolor")
    yield _Part(icons / "scalable" / "apps" / f"{APP_ID}.svg", resource(_LOGO).read_bytes(), 0o644)
    for size in ICON_SIZES:
        yield _Part(icons / f"{size}x{size}" / "apps" / f"{APP_ID}.png", icon(size), 0o644)


def icon(size: int) -> bytes:
    """Return the logo as a PNG with this edge in pixels."""
    import resvg_py

    svg = resource(_LOGO).read_text(encoding="utf-8")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))


def _written(path: Path, content: bytes, mode: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    return path


def _with_command(text: str, command: Sequence[str]) -> str:
    """Return a desktop file or script with *command* in the place of ``inspector``."""
    import shlex

    if list(command) == ["inspector"]:
        return text
    lines = []
    for line in text.splitlines(keepends=True):
        key, _, rest = line.partition("inspector")
        if key == "Exec=":
            line = key + " ".join(map(_exec_word, command)) + rest
        elif key == "TryExec=":
            line = key + command[0].replace("\\", "\\\\") + rest
        elif key == "exec ":
            line = key + shlex.join(command) + rest
        lines.append(line)
    return "".join(lines)


def _exec_word(word: str) -> str:
    """Return *word* quoted for the key Exec: for its own rules, then for those of every string of such a file."""
    if all(character.isalnum() or character in "/._-+" for character in word):
        return word
    quoted = "".join(f"\\{character}" if character in '"`$\\' else character for character in word)
    return f'"{quoted}"'.replace("\\", "\\\\").replace("%", "%%")


def _data_folder() -> Path:
    """Return the folder of the user's own data files. Raises `InspectorError` where desktops have none."""
    if sys.platform in ("win32", "darwin"):
        raise InspectorError(
            "Registering is for Linux and BSD desktops; here right-click a store, choose Open with and pick Inspector."
        )
    given = os.environ.get("XDG_DATA_HOME", "")
    try:
        return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    except RuntimeError as error:
        raise InspectorError("You have no home folder to register in; set XDG_DATA_HOME to a folder.") from error


def _manifest(share: Path) -> Path:
    return share / "inspector" / "registered.json"


def _missing_folders(share: Path, names: Sequence[Path]) -> list[Path]:
    """Return the folders that laying *names* will make, so that only these are removed again; the deepest first."""
    made_by_others = Path("mime", "application", "x")
    folders = {folder for name in (*names, made_by_others) for folder in name.parents}
    folders.add(_manifest(share).parent.relative_to(share))
    missing = [folder for folder in folders if not (share / folder).exists()]
    return sorted(missing, key=lambda folder: (-len(folder.parts), folder))


def _remove(share: Path) -> list[Path]:
    """Remove what an earlier run laid down below *share* and return it; nothing if there was none."""
    manifest = _manifest(share)
    try:
        noted = json.loads(manifest.read_text(encoding="utf-8"))
        files, folders = list(map(str, noted["files"])), list(map(str, noted["folders"]))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InspectorError(f"{manifest} cannot be read: {error}; remove what it names by hand.") from error
    removed = []
    try:
        for path in _inside(share, files):
            with suppress(FileNotFoundError):
                path.unlink()
                removed.append(path)
        _refresh(share)
        for name, caches in _CACHES.items():
            if not _has_sources(share / name):
                for cache in caches:
                    (share / name / cache).unlink(missing_ok=True)
        manifest.unlink()
    except OSError as error:
        raise InspectorError(f"{error.filename} cannot be removed: {error.strerror}.") from error
    for path in _inside(share, folders):
        with suppress(OSError):  # somebody else's files are in it
            path.rmdir()
    return removed


def _inside(share: Path, names: Sequence[str]) -> Iterator[Path]:
    """Yield the paths that *names* mean below *share*; what a changed manifest points to elsewhere is left alone."""
    for name in names:
        path = Path(os.path.normpath(share / name))
        if path.is_relative_to(share):
            yield path


def _has_sources(folder: Path) -> bool:
    return any(folder.glob("packages/*.xml")) or any(folder.glob("**/*.desktop"))


def _refresh(share: Path) -> list[str]:
    """Let the desktop's programs read the folders anew; returns what stays unseen because one is not installed."""
    jobs = (
        ("update-mime-database", share / "mime", "shared-mime-info", "file types"),
        ("update-desktop-database", share / "applications", "desktop-file-utils", "programs for a file type"),
    )
    unseen = []
    for program, folder, package, what in jobs:
        if not folder.is_dir():
            continue
        if shutil.which(program) is None:
            unseen.append(f"{program} is not installed: {what} stay as they were; install {package}, register again")
        else:
            subprocess.run([program, str(folder)], capture_output=True, check=False, timeout=60)
    return unseen
