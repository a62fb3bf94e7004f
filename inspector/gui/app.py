"""Where the command line opens the window. Nothing of Qt is imported until then, so that its absence can be said."""

from __future__ import annotations

import gc
import os
import sys

NO_WINDOW = (
    "error: the window cannot open here: Qt's display libraries are missing or there is no display. On Debian and "
    "Ubuntu: sudo apt-get install libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libegl1 libgl1 libxkbcommon-x11-0 "
    "libdbus-1-3 libgssapi-krb5-2; without a display every job also runs as a verb, see inspector --help"
)


_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def run(paths: list[str], *, compress: bool = False) -> int:
    """Open the window with *paths* in it and return the exit code: 0, 1 if no window can open, 130 after Ctrl-C.

    A window that is open on this display already takes the paths instead.
    """
    if sys.platform.startswith("linux") and not any(map(os.environ.get, _DISPLAYS)):
        print(NO_WINDOW, file=sys.stderr)
        return 1
    gc.disable()  # nothing becomes garbage before the first picture; the application turns it on again
    try:
        from inspector.gui.handover import Handover, Request

        handover = Handover()
        request = Request.of(paths, compress=compress)
        if handover.taken(request):
            return 0
        from inspector.gui.application import start
    except ImportError as error:
        if "cannot open shared object file" not in str(error):
            raise
        print(f"{NO_WINDOW} ({error})", file=sys.stderr)
        return 1
    return start(request, handover)
