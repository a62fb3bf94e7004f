"""The versions of everything that matters for a report of a fault."""

from __future__ import annotations

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from inspector import __version__

_PACKAGES = ("PySide6-Essentials", "tinydb", "orjson", "blosc2", "brotli", "pycrdt", "pyqtgraph", "lz4", "zstandard")


def version_text() -> str:
    """Return one line for each part, without a word about the user's files."""
    import platform
    from importlib import metadata

    lines = [
        f"Inspector {__version__}",
        f"Python {platform.python_version()} on {platform.platform()}",
        f"Qt {qVersion()} ({QGuiApplication.platformName()})",
    ]
    for package in _PACKAGES:
        try:
            lines.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            lines.append(f"{package} not installed")
    return "\n".join(lines)
