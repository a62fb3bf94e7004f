"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
from pathlib import Path

from inspector.model import Store
from inspector.operations.open import open_store
from inspector.progress import Progress, silent


def source(parser: argparse.ArgumentParser, name: str = "FILE", *, many: str | None = None) -> None:
    """Add the file to read and the options that override its recognition."""
    parser.add_argument("file", metavar=name, type=Path, nargs=many, help="the store; it is never changed by reading")
    parser.add_argument("--from-format", metavar="ID", help="the file's format, instead of recognising it")
    parser.add_argument("--from-codec", metavar="SPEC", help="the codec of its stored values, likewise")
    parser.add_argument("--state", metavar="K", type=int, help="which of several states in the file; 1 is the oldest")


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
