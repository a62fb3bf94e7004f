"""``python -m inspector``: the same program as the ``inspector`` command."""

import sys

from inspector.cli.main import main

sys.exit(main())
