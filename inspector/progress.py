"""Progress and cancelling: one callable serves the command line, the window and the tests.

An operation calls ``progress(done, total)`` at least every 50 ms of work, between library calls;
the call may raise `Cancelled`, and that is the only way an operation is stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Progress = Callable[[int, int | None], None]
"""``progress(done, total)``; total is None while it is unknown. May raise `Cancelled`."""

Item = TypeVar("Item")

REPORT_EVERY = 0.02
"""Seconds between two reports of `track`; under the 50 ms that the heartbeat allows."""


class Cancelled(Exception):
    """The user stopped the work; nothing half-written stays behind."""


def silent(done: int, total: int | None) -> None:
    """Report to nobody."""


def track(items: Iterable[Item], progress: Progress, total: int | None = None) -> Iterator[Item]:
    """Yield *items* and report how many were handed out, by time rather than by count.

    Raises `Cancelled` when *progress* does.
    """
    progress(0, total)
    due = time.monotonic() + REPORT_EVERY
    done = 0
    for item in items:
        yield item
        done += 1
        now = time.monotonic()
        if now >= due:
            progress(done, total)
            due = now + REPORT_EVERY
    progress(done, total if total is not None else done)


def part(progress: Progress, start: float, share: float, whole: int = 1000) -> Progress:
    """Return a progress whose 0 to total fills *share* of *progress*, beginning at *start* (both 0 to 1)."""

    def report(done: int, total: int | None) -> None:
        fraction = min(done / total, 1.0) if total else 0.0
        progress(round((start + share * fraction) * whole), whole)

    return report
