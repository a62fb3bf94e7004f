"""What the frozen program starts with: children of multiprocessing turn off here, all else is the command line."""

import multiprocessing
import os
import sys

# The loader was pointed at the bundle's own libraries; the desktop's programs that we start must find theirs.
_before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if _before is not None:
    os.environ["LD_LIBRARY_PATH"] = _before
elif sys.platform.startswith("linux"):
    os.environ.pop("LD_LIBRARY_PATH", None)

multiprocessing.freeze_support()

from inspector.cli.main import main  # noqa: E402 - a child of multiprocessing never comes here

sys.exit(main())
