"""Libraries that codecs need: is one there, and the sentence that says how to get it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from inspector.model import Codec, MissingLibrary


def missing_text(kind: type[Codec]) -> str:
    """Return the sentence for a user who lacks the library of *kind*."""
    return f"{kind.label} needs the library {kind.library}, which is not installed here: pip install {kind.package}"


def available(kind: type[Codec]) -> str | None:
    """Return why a codec cannot be used here, with the pip line that helps; None if it can.

    The library is looked for, not imported: importing all of them takes over a second.
    """
    if kind.library is None:
        return None
    try:
        found = importlib.util.find_spec(kind.library) is not None
    except (ImportError, ValueError):  # an import hook refuses it, or it was put into sys.modules without a spec
        found = False
    return None if found else missing_text(kind)


@contextmanager
def needs(kind: type[Codec]) -> Iterator[None]:
    """Stand around the import of a codec's library: its absence becomes `MissingLibrary`."""
    try:
        yield
    except ImportError as error:
        raise MissingLibrary(missing_text(kind)) from error
