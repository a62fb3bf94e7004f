"""What stands around every verb: exit codes, one line of complaint, an output that may be closed, full or unread."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from inspector.model import InspectorError, UsageError
from inspector.progress import Cancelled

_SHOWN = 60
"""Characters of a long query that are shown on either side of its bad token."""


def guarded(job: Callable[[], int]) -> int:
    """Run *job* and return its exit code; what goes wrong becomes one line on stderr, never a traceback."""
    if sys.stderr is None:  # closed by the caller; without this the warnings would be printed among the records
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it stands in for a stream as long as the program runs
    if sys.stdout is None:
        print("error: the output cannot be written: it is closed", file=sys.stderr)
        return 1
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code, complaint = _attempt(job)
    try:
        sys.stdout.flush()
    except OSError as error:
        _drop_output()
        if not complaint and not isinstance(error, BrokenPipeError):
            code, complaint = 1, _output_error(error)
    if complaint:
        print(complaint, file=sys.stderr)
    return code


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let a request to end (SIGTERM) stop the work as Ctrl-C does, so that private files are removed."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # only the main thread is told of signals
        before = None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


def _attempt(job: Callable[[], int]) -> tuple[int, str]:
    try:
        with _stoppable():
            code = job()
        sys.stdout.flush()
    except UsageError as error:
        return 2, _usage_error(error)
    except InspectorError as error:
        return 1, f"error: {' '.join(str(error).split())}"
    except (KeyboardInterrupt, Cancelled):
        return 130, "stopped; nothing half-written stays behind"
    except BrokenPipeError:  # the reader (head, less) has enough
        return 0, ""
    except MemoryError:
        return 1, "error: there is not enough memory for this; nothing was written"
    except OSError as error:
        return 1, _system_error(error)
    return code, ""


def _drop_output() -> None:
    """Let what is left in the buffer go nowhere: Python must not complain about it while it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _output_error(error: OSError) -> str:
    reason = "no space left on the device" if error.errno == errno.ENOSPC else (error.strerror or str(error)).lower()
    return f"error: the output cannot be written: {reason}"


def _system_error(error: OSError) -> str:
    if error.filename:
        return f"error: {error.filename}: {error.strerror or error}"
    try:
        os.getcwd()
    except OSError:
        return "error: the working directory no longer exists; change to another folder first"
    return _output_error(error)


def _usage_error(error: UsageError) -> str:
    line = f"error: {' '.join(str(error).split())}"
    if not error.text:
        return line
    start = max(error.position - _SHOWN, 0) if len(error.text) > 2 * _SHOWN else 0
    end = error.position + _SHOWN if len(error.text) > 2 * _SHOWN else len(error.text)
    shown = "".join(c if c.isprintable() else " " for c in error.text[start:end])
    return f"{line}\n  {shown}\n  {' ' * (error.position - start)}^"
