"""The ``inspector`` command: a verb runs headless, anything else opens the window with the paths in it."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from inspector import __version__
from inspector.cli.guard import guarded
from inspector.model import UsageError

if TYPE_CHECKING:
    import argparse

VERBS: Mapping[str, str] = MappingProxyType({
    "formats": "look",
    "info": "look",
    "records": "records",
    "history": "look",
    "show": "look",
    "diff": "look",
    "check": "look",
    "jupyter-config": "look",
    "convert": "change",
    "compress": "change",
    "undo": "change",
    "bench": "measure",
    "advise": "measure",
    "register": "desktop",
    "unregister": "desktop",
})  # fmt: skip
"""Verb to the module of this package that has it; only that module is imported, to start fast."""

PLANNED = frozenset(
    (
        "find", "deleted", "squash", "archive", "unarchive", "repair", "purge", "rekey", "merge", "extract", "drop",
        "bench-compare", "space", "schema", "snapshot", "prune", "verify", "edit", "batch",
    )
)  # fmt: skip
"""Verbs whose names are taken for later versions, so that they never open the window as paths."""

COMPRESS = "--compress"
"""Opens the window with the compress sheet of the store: what file managers offer."""

_USAGE = """usage: inspector [PATH ...]            open the window, with these stores in it
       inspector --compress PATH ...   the same, and show what compressing would gain
       inspector VERB [OPTION ...]     run one job here, without a window
       inspector VERB --help           what a verb takes
       inspector --version

verbs: {verbs}

A file named like a verb is opened with a folder before it: inspector ./check
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 refused, 2 wrong usage, 130 stopped."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    first = words[0] if words else ""
    if first in VERBS:
        if arguments is None:  # this is the whole program: no use in a search for garbage among all modules at its end
            atexit.register(gc.freeze)
        return guarded(lambda: _run(first, words[1:]))
    if first in _TEXTS:
        return guarded(lambda: _print(_TEXTS[first]()))
    if first in PLANNED:
        return guarded(lambda: _refuse(f"the verb {first} is not in this version"))
    if first == COMPRESS:
        return window(words[1:], compress=True)
    if first.startswith("-") and first != "--":
        return guarded(lambda: _refuse(f"unknown option {first}; inspector --help lists what there is"))
    if meant := _mistyped(first):
        return guarded(lambda: _refuse(f"there is no file and no verb {first!r}; did you mean {meant!r}?"))
    return window(words)


def _mistyped(word: str) -> str | None:
    """Return the verb that *word* nearly is, None if it is a file or like none."""
    if not word.isalpha() or os.path.exists(word):
        return None
    import difflib

    return next(iter(difflib.get_close_matches(word, VERBS, 1, 0.7)), None)


def _usage() -> str:
    return _USAGE.format(verbs=" ".join(VERBS))


_TEXTS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {"--version": lambda: f"inspector {__version__}\n", "--help": _usage, "-h": _usage}
)


def _print(text: str) -> int:
    sys.stdout.write(text)
    return 0


def _refuse(sentence: str) -> int:
    raise UsageError(sentence)


def window(paths: Sequence[str] | None = None, *, compress: bool = False) -> int:
    """Open the window with *paths* (default: the program's arguments) and return its exit code.

    With *compress* the first of them shows what compressing it would gain.
    """
    from inspector.gui.app import run

    words = sys.argv[1:] if paths is None else paths
    return run([word for word in words if word != "--"], compress=compress)


def parser_of(verb: str) -> tuple[argparse.ArgumentParser, Callable[[argparse.Namespace], int]]:
    """Return what reads the arguments of *verb*, and the function that runs it."""
    from inspector.cli.arguments import Parser

    module = importlib.import_module(f"inspector.cli.{VERBS[verb]}")
    about, add_arguments, action = module.ACTIONS[verb]
    parser = Parser(f"inspector {verb}", about)
    add_arguments(parser)
    return parser, action


def _run(verb: str, words: list[str]) -> int:
    parser, action = parser_of(verb)
    try:
        options = parser.parse_args(_joined(words))
    except SystemExit:  # only --help ends so
        return 0
    return action(options)


def _joined(words: list[str]) -> list[str]:
    """Return *words* with ``--sort -FIELD`` as one word: argparse takes a value that begins with - for an option."""
    joined: list[str] = []
    for word in words:
        if joined[-1:] == ["--sort"] and word.startswith("-") and not word.startswith("--"):
            joined[-1] = f"--sort={word}"
        else:
            joined.append(word)
    return joined


if __name__ == "__main__":
    sys.exit(main())
