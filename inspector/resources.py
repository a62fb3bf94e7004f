"""Where the files that come with the program lie: icons, fonts, samples, help, translations.

In a checkout they lie in ``resources/`` beside the package; a wheel carries them inside as ``_resources``.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """Return the path of resource *name* (``fonts/Inter-Regular.ttf``, ``samples``).

    Raises FileNotFoundError if the installation lacks it.
    """
    for root in (_PACKAGE / "_resources", _PACKAGE.parent / "resources"):
        path = root / name
        if path.exists():
            return path
    raise FileNotFoundError(f"the installation of Inspector lacks its file resources/{name}; install it again")
