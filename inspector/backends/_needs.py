"""Libraries that backends need: the sentence that says how to get one that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from inspector.model import MissingLibrary


@contextmanager
def needs(library: str, purpose: str) -> Iterator[None]:
    """Stand around the import of *library*, whose package has its name: its absence becomes `MissingLibrary`.

    *purpose* begins the sentence: ``Reading BetterJSON files``. Where *library* is there, but not what it needs
    itself, that is named.
    """
    try:
        yield
    except ImportError as error:
        missing = (error.name or library).partition(".")[0]
        raise MissingLibrary(
            f"{purpose} needs the library {missing}, which is not installed here: pip install {missing}"
        ) from error
