"""Verbs that write: convert, compress, undo."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from inspector.cli import arguments
from inspector.cli.render import (
    number,
    print_findings,
    print_json,
    print_pairs,
    progress_bar,
    size,
    tone,
    visible,
)
from inspector.operations.outcome import LossesRefused, Outcome

Action = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]


def _convert_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser, "SRC")
    parser.add_argument(
        "target",
        metavar="DST",
        type=Path,
        help="the file to write, or the folder for a file each",
    )
    parser.add_argument("--to", metavar="ID", help="the format to write; by default what DST's suffix says")
    parser.add_argument("--codec", metavar="SPEC", help="the codec to write with, like zstd:level=3")
    arguments.collection(parser, many=True)
    parser.add_argument("--at", metavar="I|TIME", help="the version to convert; the newest by default")
    parser.add_argument("--native", action="store_true", help="store a table as CRDT values instead of exact JSON text")
    parser.add_argument(
        "--spreadsheet-safe", action="store_true", help="write no CSV cell that a spreadsheet takes for a formula"
    )
    parser.add_argument("--dry-run", action="store_true", help="compute losses and sizes, write nothing")
    parser.add_argument("--accept-losses", action="store_true", help="write although something is lost")
    parser.add_argument("--overwrite", action="store_true", help="replace DST if it exists; a backup is kept")
    parser.add_argument("--no-backup", action="store_true", help="keep no backup of a file that is replaced")
    arguments.as_json(parser)


def convert(options: argparse.Namespace) -> int:
    """Write a store in another format or codec."""
    from inspector.operations import convert as operation
    from inspector.operations.destination import obstacles

    job = operation.Job(
        source=options.file, target=options.target, to=options.to or operation.format_of(options.target),
        codec=options.codec, collections=tuple(options.collection or ()), at=options.at, native=options.native,
        spreadsheet_safe=options.spreadsheet_safe,
        accept_losses=options.accept_losses, overwrite=options.overwrite, backup=not options.no_backup,
        from_format=options.from_format, from_codec=options.from_codec, state=options.state,
    )  # fmt: skip
    bar = progress_bar("Converting", quiet=options.json)
    if options.dry_run:
        started = time.perf_counter()
        planned = operation.plan(job, bar)
        for obstacle in obstacles(job.source, job.destination, folder=planned.folder, overwrite=job.overwrite):
            print(f"warning: {visible(obstacle)}", file=sys.stderr)
        return _report(planned.outcome(time.perf_counter() - started), options)
    return _finish(lambda: operation.convert(job, bar), options)


def _compress_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)
    arguments.target(parser)
    parser.add_argument("--codec", metavar="auto|SPEC", default="auto", help="auto: what unchanged readers open")
    arguments.as_json(parser)


def compress(options: argparse.Namespace) -> int:
    """Write a store again in its own format, smaller."""
    from inspector.operations import compress as operation

    job = operation.CompressJob(
        source=options.file, target=None if options.in_place else options.output, codec=options.codec,
        backup=not options.no_backup, overwrite=options.overwrite, from_format=options.from_format,
        from_codec=options.from_codec, state=options.state,
    )  # fmt: skip
    bar = progress_bar("Compressing", quiet=options.json)
    return _finish(lambda: operation.compress(job, bar), options)


def _undo_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a file that Inspector wrote")
    arguments.as_json(parser)


def undo(options: argparse.Namespace) -> int:
    """Put a backup back, or a new file into the trash."""
    from inspector.operations.undo import undo as operation

    return _report(operation(options.file), options)


def _finish(job: Callable[[], Outcome], options: argparse.Namespace) -> int:
    try:
        outcome = job()
    except LossesRefused as refusal:
        print_findings(refusal.outcome.warnings)
        if options.json:
            print_json(refusal.outcome.to_json())
        raise
    return _report(outcome, options)


def _report(outcome: Outcome, options: argparse.Namespace) -> int:
    print_findings(outcome.warnings)
    for note in outcome.notes:
        print(f"note: {visible(note)}", file=sys.stderr)
    if options.json:
        print_json(outcome.to_json())
        return 0
    after = size(outcome.bytes_after) if outcome.written else "not written"
    counted = bool(outcome.codec)  # an undo puts a file back and counts nothing in it
    print_pairs((
        ("target", outcome.target), ("format", outcome.format or None), ("codec", outcome.codec or None),
        ("records", number(outcome.records) if counted else None),
        ("versions", number(outcome.versions) if outcome.versions else None),
        ("size", f"{size(outcome.bytes_before)} → {after}"),
        ("opens in", "; ".join(outcome.opens_in) or None),
        ("backup", outcome.backup),
    ))  # fmt: skip
    for check in outcome.checks:
        print(f"{tone('verified', 'good')}  {check.name}: {number(check.count)}, {check.detail}")
    for loss in outcome.losses:
        where = ", ".join(loss.where[:5]) + ("…" if len(loss.where) > 5 else "")
        print(f"{tone('loss', 'warning')}  {visible(f'{loss.kind}: {loss.count:,} ({where})')}")
    return 0


ACTIONS: dict[str, Action] = {
    "convert": ("Write a store in another format or codec, verified.", _convert_arguments, convert),
    "compress": ("Write a store again in its own format, smaller, verified.", _compress_arguments, compress),
    "undo": ("Take back what Inspector wrote, as long as the file is still that.", _undo_arguments, undo),
}
