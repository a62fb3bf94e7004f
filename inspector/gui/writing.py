"""Runs a job that writes a store beside the window, and says how it ended: a tab with the outcome, or a toast."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import shiboken6
from PySide6.QtCore import QCoreApplication

from inspector.gui.shell import OpenStore, Shell
from inspector.gui.tasks import Task
from inspector.gui.texts import for_window, size_text
from inspector.model import InspectorError
from inspector.operations.outcome import Outcome
from inspector.progress import Progress

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of one kind of job: its *title* while it runs, then what is *done* or was *not_done*."""

    title: str
    done: str
    not_done: str


def write(
    shell: Shell,
    store: OpenStore,
    work: Callable[[Progress], Outcome],
    *,
    words: Words,
    again: Callable[[str], None],
) -> Task:
    """Start *work* on *store*; its outcome is shown in a tab. *again* is called with the sentence of an error.

    It has a key of its own, so that the store's pages stay alive while it writes, and two jobs never write at once.
    """
    task = shell.runner.run(work, key=f"write {store.key}", title=words.title)
    task.writes = True
    task.succeeded.connect(partial(_succeeded, shell, store, words))
    task.failed.connect(partial(_failed, shell, words, again))
    task.cancelled.connect(lambda: shell.toast(translate("Writing", "Stopped, nothing written"), tone="info"))
    return task


def _succeeded(shell: Shell, store: OpenStore, words: Words, outcome: Outcome) -> None:
    # The store may have been closed while its file was written.
    shell.show_outcome(outcome, store if shiboken6.isValid(store) else None)
    sizes = f"{size_text(outcome.bytes_before)} → {size_text(outcome.bytes_after)}"
    shell.toast(f"{words.done}: {sizes}")


def _failed(shell: Shell, words: Words, again: Callable[[str], None], error: BaseException) -> None:
    shell.toast(words.not_done, translate("Writing", "Show why"), partial(again, sentence(error)), tone="error")


def sentence(error: BaseException) -> str:
    """Return what to tell the user of *error*; a fault of our own also goes to the report of faults."""
    if isinstance(error, InspectorError):
        return for_window(str(error))
    sys.excepthook(type(error), error, error.__traceback__)
    return translate("Writing", "Inspector met a fault of its own; nothing was written: {error}").replace(
        "{error}", repr(error)
    )
