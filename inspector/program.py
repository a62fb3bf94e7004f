"""What this program is called on a desktop, and the command lines that start it again, wherever it is installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

APP_ID = "org.store_inspector.Inspector"
"""The name of the program for desktops: of its menu entry, its icon and its metadata."""

_START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from inspector.cli.main import main; sys.exit(main())"


def own_command(*arguments: str) -> list[str]:
    """Return the command line that runs our own CLI with *arguments*.

    It is the running installation wherever it is started: ``-P`` keeps Python from importing what lies in the working
    directory, which may be a folder with somebody else's data.
    """
    if getattr(sys, "frozen", False):
        return [_command_line_twin(), *arguments]
    return [sys.executable, "-P", "-c", _START, str(Path(__file__).parent.parent), *arguments]


def launcher() -> list[str]:
    """Return what a menu entry starts: the installed ``inspector`` script where there is one, else `own_command`."""
    if not getattr(sys, "frozen", False):
        script = Path(sys.executable).with_name("inspector")
        if os.access(script, os.X_OK):
            return [str(script)]
    return own_command()


def _command_line_twin() -> str:
    """Return the bundle's program for terminals; only on Windows is it another one than that with the window."""
    if sys.platform != "win32":
        return sys.executable
    return str(Path(sys.executable).with_name("inspector.exe"))
