"""The ``inspector`` command: a verb runs headless, anything else opens the window with the paths in it."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from inspector import __version__
from inspector.model import InspectorError, UsageError
from inspector.progress import Cancelled

VERBS = {
    "formats": "look",
    "info": "look",
    "records": "look",
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
}
"""Verb to the module of this package that has it; only that module is imported, to start fast."""

_USAGE = """usage: inspector [PATH ...]            open the window, with these stores in it
       inspector VERB [OPTION ...]     run one job here, without a window
       inspector VERB --help           what a verb takes
       inspector --version

verbs: {verbs}

A file named like a verb is opened with a folder before it: inspector ./check
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 refused, 2 wrong usage, 130 stopped."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--version"]:
        print(f"inspector {__version__}")
        return 0
    if words[:1] in (["--help"], ["-h"]):
        print(_USAGE.format(verbs=" ".join(VERBS)), end="")
        return 0
    if words and words[0] in VERBS:
        return _run(words[0], words[1:])
    if words and words[0].startswith("-") and words[0] != "--":
        print(f"error: unknown option {words[0]}; inspector --help lists what there is", file=sys.stderr)
        return 2
    return window([word for word in words if word != "--"])


def window(paths: Sequence[str] | None = None) -> int:
    """Open the window with *paths* (default: the program's arguments) and return its exit code."""
    from inspector.gui.app import run

    return run(list(sys.argv[1:] if paths is None else paths))


def _run(verb: str, words: list[str]) -> int:
    module = importlib.import_module(f"inspector.cli.{VERBS[verb]}")
    about, add_arguments, action = module.ACTIONS[verb]
    parser = argparse.ArgumentParser(prog=f"inspector {verb}", description=about, allow_abbrev=False)
    add_arguments(parser)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        options = parser.parse_args(_joined(words))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    return _guarded(action, options)


def _joined(words: list[str]) -> list[str]:
    """Return *words* with ``--sort -FIELD`` as one word: argparse takes a value that begins with - for an option."""
    joined: list[str] = []
    for word in words:
        if joined[-1:] == ["--sort"] and word.startswith("-") and not word.startswith("--"):
            joined[-1] = f"--sort={word}"
        else:
            joined.append(word)
    return joined


def _guarded(action: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    try:
        code = action(options)
        sys.stdout.flush()
    except UsageError as error:
        _print_usage_error(error)
        return 2
    except InspectorError as error:
        print("error: " + " ".join(str(error).split()), file=sys.stderr)
        return 1
    except (KeyboardInterrupt, Cancelled):
        print("stopped; nothing half-written stays behind", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # the reader (head, less) has enough; Python must not complain about it while it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        print("error: there is not enough memory for this; nothing was written", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error: {error.filename or 'the system'}: {error.strerror or error}", file=sys.stderr)
        return 1
    return code


def _print_usage_error(error: UsageError) -> None:
    print("error: " + " ".join(str(error).split()), file=sys.stderr)
    if error.text:
        print(f"  {error.text}\n  {' ' * error.position}^", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
