"""The work behind ``show`` and ``diff``: versions of a document as JSON, text, notebook or updates."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from inspector import values
from inspector.cli import arguments
from inspector.cli.look import sole_collection, write_output
from inspector.cli.render import print_json, progress_bar, tone, visible, warn
from inspector.model import InspectorError, Record, Store, UsageError
from inspector.operations import export
from inspector.operations import history as histories
from inspector.operations.compare import document, whole_differences
from inspector.operations.convert import Job, convert, update_file_format
from inspector.operations.open import open_store
from inspector.operations.record_diff import Difference, compare
from inspector.progress import Progress, track

_SUFFIXES = {"json": "jsonl", "text": "txt", "ipynb": "ipynb", "raw": "y"}


def show(options: argparse.Namespace) -> int:
    """Print or write one version; with ``--all`` write every version into a folder."""
    if options.all and options.output is None:
        raise UsageError("--all writes many files; name their folder with -o.")
    bar = progress_bar("Reading")
    with arguments.reading(options, progress=bar) as store:
        name = sole_collection(store, options.collection)
        if options.all:
            _show_all(options, store, name, bar)
            return 0
        if options.form == "raw":
            content: str | bytes = _updates(options, name, options.at)
        else:
            content = _text(options.form, name, _records(store, name, options.at, bar))
    write_output(options.output, content, overwrite=options.overwrite)
    return 0


def _records(store: Store, name: str, at: str | None, progress: Progress) -> Sequence[Record]:
    if at is None:
        return store.load(name, progress)
    found = histories.history(store, name, progress)
    return found.at(histories.version_at(found, at), progress)


def _text(form: str, name: str, records: Sequence[Record]) -> str:
    if form == "ipynb":
        return export.notebook_text(export.as_notebook(records))
    if form == "text":
        return export.as_text(records)
    return "".join(export.json_line(name, record) + "\n" for record in records)


def _updates(options: argparse.Namespace, name: str, at: str | None) -> bytes:
    with tempfile.TemporaryDirectory(prefix="inspector-") as folder:
        target = Path(folder) / "updates"
        convert(
            Job(
                source=options.file, target=target, to=update_file_format(), collections=(name,), at=at,
                from_format=options.from_format, from_codec=options.from_codec, state=options.state,
            )
        )  # fmt: skip
        return target.read_bytes()


def _show_all(options: argparse.Namespace, store: Store, name: str, progress: Progress) -> None:
    found = histories.history(store, name, progress)
    folder: Path = options.output
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InspectorError(f"{folder} cannot be made: {error.strerror}.") from error
    count = len(found.updates)
    for version in track(range(count + 1), progress, count + 1):
        path = folder / f"{version:0{len(str(count))}d}.{_SUFFIXES[options.form]}"
        if options.form == "raw":
            content: str | bytes = _updates(options, name, str(version))
        else:
            content = _version_text(options.form, name, found.at(version, progress))
        write_output(path, content, overwrite=options.overwrite)


def _version_text(form: str, name: str, records: Sequence[Record]) -> str:
    """Return a version's text; the first versions of a notebook are not yet one and give an empty notebook."""
    if form == "ipynb" and not export.is_notebook(records):
        return export.notebook_text({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    return _text(form, name, records)


def diff(options: argparse.Namespace) -> int:
    """Print what changed, as JSON or as lines with + and -."""
    bar = progress_bar("Comparing", quiet=options.json)
    if options.other is None:
        if options.before is None or options.after is None:
            raise UsageError("diff compares two versions (-c NAME --from A --to B) or two files (FILE1 FILE2).")
        found = {options.collection: _between_versions(options, bar)}
    else:
        found = _between_files(options, bar)
    if options.json:
        print_json(document(found))
    else:
        _print(found)
    return 0


def _between_versions(options: argparse.Namespace, progress: Progress) -> Difference:
    with arguments.reading(options, progress=progress) as store:
        name = sole_collection(store, options.collection)
        options.collection = name
        return compare(
            _records(store, name, options.before, progress), _records(store, name, options.after, progress), progress
        )


def _between_files(options: argparse.Namespace, progress: Progress) -> dict[str, Difference]:
    with (
        arguments.reading(options, progress=progress, named=True) as first,
        open_store(options.other, progress=progress) as second,
    ):
        names = None if options.collection is None else [sole_collection(first, options.collection)]
        found = whole_differences(first, second, names=names, progress=progress)
        warn(second, named=True)
        return found


def _print(found: dict[str, Difference]) -> None:
    for name, difference in found.items():
        for record in difference.removed:
            print(tone(visible(f"- {name} {record.key}: {export.readable(record)}"), "error"))
        for record in difference.added:
            print(tone(visible(f"+ {name} {record.key}: {export.readable(record)}"), "good"))
        for change in difference.changed:
            print(
                visible(
                    f"~ {name} {change.key}{change.path}: {values.write(change.before)} → {values.write(change.after)}"
                )
            )
        counts = ", ".join(f"{amount:,} {word}" for word, amount in difference.counts.items())
        print(tone(visible(f"{name}: {counts}"), "faint"))
