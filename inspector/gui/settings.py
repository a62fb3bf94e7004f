"""What the window remembers between two runs: looks, places, sizes and recently opened stores, in an INI file."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from inspector.gui.theme import MODES, Mode

MOST_RECENTS = 20

_NETWORK_SYSTEMS = {"9p", "afs", "cifs", "davfs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs"}
_MOUNTS = Path("/proc/self/mounts")


@dataclass(frozen=True, slots=True)
class Recent:
    """A store that was opened: absolute path, backend id, bytes on disk, seconds since 1970 in UTC."""

    path: str
    format: str
    size: int
    opened: float


def on_network(path: str) -> bool:
    """Say whether *path* lies on another computer, without asking that computer."""
    if path.startswith(("\\\\", "//")):
        return True
    if not sys.platform.startswith("linux") or not _MOUNTS.exists():
        return False
    best, system = "", ""
    for line in _MOUNTS.read_text(errors="surrogateescape").splitlines():
        _, place, kind, *_ = line.split(" ")
        place = place.replace("\\040", " ")
        if (path == place or path.startswith(place.rstrip("/") + "/")) and len(place) >= len(best):
            best, system = place, kind
    return system in _NETWORK_SYSTEMS


def is_missing(path: str) -> bool:
    """Say whether a recently opened file is known to be gone; files on a network are never asked for."""
    return not on_network(path) and not Path(path).exists()


class Settings:
    """Typed access to the settings file; a value that cannot be read counts as not set."""

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
            path = Path(folder) / "inspector.ini"
        self._file = QSettings(str(path), QSettings.Format.IniFormat)

    def sync(self) -> None:
        """Write to disk now."""
        self._file.sync()

    @property
    def mode(self) -> Mode:
        """System, light or dark."""
        saved = self._file.value("look/mode", "system")
        return next((mode for mode in MODES if mode == saved), "system")

    @mode.setter
    def mode(self, mode: Mode) -> None:
        self._file.setValue("look/mode", mode)

    @property
    def text_scale(self) -> float:
        """Factor on text and controls."""
        return self._number("look/text_scale", 1.0)

    @text_scale.setter
    def text_scale(self, scale: float) -> None:
        self._file.setValue("look/text_scale", f"{scale:g}")

    @property
    def reduced_motion(self) -> bool:
        """True if nothing may move."""
        return self._number("look/reduced_motion", 0.0) != 0

    @reduced_motion.setter
    def reduced_motion(self, reduced: bool) -> None:
        self._file.setValue("look/reduced_motion", int(reduced))

    @property
    def high_contrast(self) -> bool:
        """True for high contrast whatever the platform prefers."""
        return self._number("look/high_contrast", 0.0) != 0

    @high_contrast.setter
    def high_contrast(self, wanted: bool) -> None:
        self._file.setValue("look/high_contrast", int(wanted))

    @property
    def geometry(self) -> QByteArray:
        """What ``QWidget.saveGeometry`` gave; empty if never saved."""
        return self._bytes("window/geometry")

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._file.setValue("window/geometry", geometry)

    @property
    def state(self) -> QByteArray:
        """What ``QMainWindow.saveState`` gave; empty if never saved."""
        return self._bytes("window/state")

    @state.setter
    def state(self, state: QByteArray) -> None:
        self._file.setValue("window/state", state)

    def sizes(self, tool: str) -> list[int]:
        """Return the saved sizes of *tool*'s parts (splitter, columns) in design pixels; empty if never saved."""
        saved = self._json(f"sizes/{tool}", [])
        return [size for size in saved if isinstance(size, int)] if isinstance(saved, list) else []

    def set_sizes(self, tool: str, sizes: list[int]) -> None:
        """Save the sizes of *tool*'s parts."""
        self._file.setValue(f"sizes/{tool}", json.dumps(sizes))

    def recents(self) -> list[Recent]:
        """Return the recently opened stores, the newest first. Looks at no file."""
        saved = self._json("recents", [])
        recents = []
        for entry in saved if isinstance(saved, list) else []:
            try:
                recents.append(
                    Recent(str(entry["path"]), str(entry["format"]), int(entry["size"]), float(entry["opened"]))
                )
            except (KeyError, TypeError, ValueError):
                continue
        return recents

    def add_recent(self, recent: Recent) -> None:
        """Put *recent* first; an older entry of the same path goes, and so does the oldest beyond 20."""
        others = [known for known in self.recents() if known.path != recent.path]
        self._save_recents([recent, *others][:MOST_RECENTS])

    def remove_recent(self, path: str) -> None:
        """Take the entry of *path* out."""
        self._save_recents([known for known in self.recents() if known.path != path])

    def clear_recents(self) -> None:
        """Forget all recently opened stores."""
        self._file.remove("recents")

    def _save_recents(self, recents: list[Recent]) -> None:
        self._file.setValue("recents", json.dumps([asdict(recent) for recent in recents]))

    def _json(self, key: str, default: Any) -> Any:
        try:
            return json.loads(str(self._file.value(key, "")))
        except ValueError:
            return default

    def _number(self, key: str, default: float) -> float:
        try:
            return float(str(self._file.value(key, default)))
        except ValueError:
            return default

    def _bytes(self, key: str) -> QByteArray:
        value = self._file.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()
