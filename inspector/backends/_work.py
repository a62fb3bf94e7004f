"""One long library call in a thread, so that progress is reported while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from inspector.progress import REPORT_EVERY, Progress

Result = TypeVar("Result")


def watched(work: Callable[[], Result], progress: Progress) -> Result:
    """Return what *work* returns, and report ``progress(0, None)`` while it runs in a thread.

    This helps only where *work* lets go of the interpreter. A cancelled call is waited for: it cannot be stopped.
    """
    import threading

    outcome: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # handed on to the caller below
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(REPORT_EVERY)
            progress(0, None)
    finally:
        thread.join()
    if errors:
        raise errors[0]
    return outcome[0]
