"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from inspector.cli.render import warn
from inspector.model import Store, UsageError
from inspector.operations.open import open_store
from inspector.progress import Progress, silent


class _Formatter(argparse.HelpFormatter):
    """Lays out the help. argparse makes one for every argument, and asks shutil for the width, a slow import."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width() - 2)


def _width() -> int:
    """Return the columns of the terminal: what COLUMNS says, else what it says itself, else 80."""
    said = os.environ.get("COLUMNS", "")
    if said.isdigit() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:  # not a terminal
        return 80


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one sentence, raised as `UsageError`."""

    def __init__(self, prog: str, about: str) -> None:
        super().__init__(prog, description=about, allow_abbrev=False, formatter_class=_Formatter)

    def error(self, message: str) -> NoReturn:
        """Raise *message* with the way to the help."""
        raise UsageError(f"{message}; {self.prog} --help says what it takes")

    def print_help(self, file: Any = None) -> None:
        """Print the help; unlike argparse's own this does not pass over an output that cannot be written."""
        (file or sys.stdout).write(self.format_help())


def whole_number(text: str) -> int:
    """Return the number that an option's value says. Raises argparse's error."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number") from None


def count(text: str) -> int:
    """Return the number, 0 or more, that an option's value says. Raises argparse's error."""
    amount = whole_number(text)
    if amount < 0:
        raise argparse.ArgumentTypeError(f"a count is 0 or more, not {amount}")
    return amount


def seconds(text: str) -> float:
    """Return the number of seconds that an option's value says. Raises argparse's error."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number of seconds") from None


def source(parser: argparse.ArgumentParser, name: str = "FILE", *, many: str | None = None) -> None:
    """Add the file to read and the options that override its recognition."""
    parser.add_argument("file", metavar=name, type=Path, nargs=many, help="the store; it is never changed by reading")
    parser.add_argument("--from-format", metavar="ID", help="the file's format, instead of recognising it")
    parser.add_argument("--from-codec", metavar="SPEC", help="the codec of its stored values, likewise")
    parser.add_argument(
        "--state", metavar="K", type=whole_number, help="which of several states in the file; 1 is the oldest"
    )


def collection(parser: argparse.ArgumentParser, *, required: bool = False, many: bool = False) -> None:
    """Add ``-c``."""
    parser.add_argument(
        "-c", "--collection", metavar="NAME", required=required, action="append" if many else "store",
        help="a table or document: its exact name, or its label if only one has it",
    )  # fmt: skip


def as_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def target(parser: argparse.ArgumentParser) -> None:
    """Add where a job writes: ``-o`` or ``--in-place``, with backup and overwriting."""
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("-o", "--output", metavar="OUT", type=Path, help="the file to write")
    where.add_argument("--in-place", action="store_true", help="replace the file itself; a backup NAME.bak is kept")
    parser.add_argument("--no-backup", action="store_true", help="keep no backup of a file that is replaced")
    parser.add_argument("--overwrite", action="store_true", help="replace OUT if it exists")


def opened(options: argparse.Namespace, path: Path | None = None, progress: Progress = silent) -> Store:
    """Open the store that the options name. Raises `InspectorError`."""
    return open_store(
        path or options.file, format=options.from_format, codec=options.from_codec, state=options.state,
        progress=progress,
    )  # fmt: skip


@contextmanager
def reading(
    options: argparse.Namespace, path: Path | None = None, *, progress: Progress = silent, named: bool = False
) -> Iterator[Store]:
    """Open the store and say on stderr what is wrong with it, for verbs whose output does not carry findings.

    What only reading brings to light is said at the end; *named* adds the file's name. Raises `InspectorError`.
    """
    with opened(options, path, progress) as store:
        said = warn(store, named=named)
        yield store
        warn(store, said, named=named)
