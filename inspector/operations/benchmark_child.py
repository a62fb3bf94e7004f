"""Work under the clock in a child process of its own, in a folder that is gone afterwards, however the work ends.

A library that hangs, dies or leaks cannot take the caller along. The child leads a process group of its own where
the system has those, so that programs which it started end with it.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol, TypeVar

from inspector.operations.benchmark_model import Problem
from inspector.progress import Progress

Made = TypeVar("Made", covariant=True)

_ASK_EVERY = 0.04  # under the 50 ms that a progress may stay silent
_REMOVALS = 20  # tries, 50 ms apart: a killed program may write its last for a moment


class Begins(Protocol):
    """Is told the name of a step before the clock runs, and which share of the work is done, 0 to 1."""

    def __call__(self, step: str, share: float = 0.0) -> None: ...


class Work(Protocol[Made]):
    """What a child does in an empty folder; it must be picklable, and so must what it returns."""

    def __call__(self, folder: Path, begins: Begins) -> Made: ...


@dataclass(frozen=True, slots=True)
class _Began:
    step: str
    share: float


@dataclass(frozen=True, slots=True)
class _Raised:
    text: str


@dataclass(frozen=True, slots=True)
class _Done:
    made: Any


def ticking(progress: Progress) -> Callable[[float], None]:
    """Return what `run_in_child` calls, as reports to *progress*."""
    return lambda share: progress(round(1000 * share), 1000)


def run_in_child(name: str, work: Work[Made], *, time_limit: float, tick: Callable[[float], None]) -> Made | Problem:
    """Return what *work* returns, or why there is nothing: it raised, died, or took more than *time_limit* seconds.

    *tick* is called with the share of the work that is done, at least every 50 ms; what it raises ends the child.
    """
    context = multiprocessing.get_context("spawn")  # a fork would copy the window's or a test's threads and locks
    with _folder() as folder:
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_serve, args=(theirs, work, folder), daemon=True)
        try:
            child.start()
            theirs.close()
            outcome: Made | Problem = _listen(ours, name, time_limit, tick)
            return outcome
        finally:
            _end(child)
            ours.close()


@contextmanager
def _folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="inspector-bench-"))
    try:
        yield path
    finally:
        for _ in range(_REMOVALS):
            shutil.rmtree(path, ignore_errors=True)
            if not path.exists():
                break
            time.sleep(0.05)


def _listen(ours: Connection, name: str, time_limit: float, tick: Callable[[float], None]) -> Any:
    step, share = "start", 0.0
    deadline = time.monotonic() + time_limit
    while time.monotonic() < deadline:
        tick(share)
        if not ours.poll(_ASK_EVERY):
            continue
        try:
            message = ours.recv()
        except EOFError:
            return Problem(name, f"{name} ended its process in the step {step}; it is not measured.")
        if isinstance(message, _Raised):
            return Problem(name, f"{name} raised an error in the step {step}: {message.text}")
        if isinstance(message, _Done):
            return message.made
        step, share = message.step, message.share
    return Problem(name, f"{name} did not come back from the step {step} within {time_limit:g} s; it was ended.")


def _end(child: BaseProcess) -> None:
    if child.pid is None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # it has not come so far as to lead a group
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.join()
    child.close()


def _serve(connection: Connection, work: Work[Any], folder: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent too, which ends this process
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    _end_with_parent()
    try:
        made = work(folder, lambda step, share=0.0: connection.send(_Began(step, share)))
        connection.send(_Done(made))
    except Exception as error:
        connection.send(_Raised(f"{type(error).__name__}: {error}"))
    connection.close()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            if hasattr(os, "killpg"):
                os.killpg(0, signal.SIGKILL)
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
