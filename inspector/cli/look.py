"""Verbs that look: formats, info, history, show, diff, check, jupyter-config; ``records`` has its own room."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector import files
from inspector.cli import arguments
from inspector.cli.render import (
    number,
    print_findings,
    print_json,
    print_pairs,
    print_table,
    progress_bar,
    size,
    tone,
    visible,
)
from inspector.model import Finding, InspectorError, Store
from inspector.operations import describe
from inspector.operations.open import collection

Action = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]


def _formats_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.as_json(parser)


def formats(options: argparse.Namespace) -> int:
    """Print what can be read and written here."""
    document = describe.formats()
    if options.json:
        print_json(document)
        return 0
    rows = [
        (f["id"], f["label"], _yes(f["reads"]), _yes(f["writes"]), _yes(f["keeps_history"]))
        for f in document["formats"]
    ]
    print_table(("format", "", "reads", "writes", "history"), rows)
    print()
    codec_rows = [
        (c["id"], c["label"], " ".join(f"{k}={v}" for k, v in c["parameters"].items()), c["reason"] or "")
        for c in document["codecs"]
    ]
    print_table(("codec", "", "parameters", "missing"), codec_rows)
    return 0


def _yes(flag: bool) -> str:
    return "yes" if flag else "–"


def _info_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)
    parser.add_argument("--no-count", action="store_true", help="do not count records where that needs decoding")
    arguments.as_json(parser)


def info(options: argparse.Namespace) -> int:
    """Print what a file is, and why we think so."""
    bar = progress_bar("Reading", quiet=options.json)
    with arguments.opened(options, progress=bar) as store:
        document = describe.info(store, count=not options.no_count, progress=bar)
        if options.json:
            print_json(document)
            return 0
        about = store.info
        sizes = size(about.size)
        if about.decoded_size is not None:
            sizes += f" on disk, {size(about.decoded_size)} decoded"
        print_pairs((
            ("file", store.path), ("format", about.format), ("codec", about.codec), ("size", sizes),
            ("made by", about.maker), ("because", "; ".join(about.evidence)),
        ))  # fmt: skip
        print()
        _print_collections(document["collections"])
        if document["findings"]:
            print()
            print_findings((Finding(**finding) for finding in document["findings"]), stream=sys.stdout)
    return 0


def _print_collections(collections: list[dict[str, Any]]) -> None:
    rows = [
        (c["label"], number(c["records"]), number(c["versions"]), size(c["stored_bytes"]), c["last"] or "")
        for c in collections
    ]
    print_table(("collection", "records", "versions", "stored", "last update"), rows, right=(1, 2, 3))


def _history_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)
    arguments.collection(parser, required=True)
    arguments.as_json(parser)


def history(options: argparse.Namespace) -> int:
    """Print the stored updates of a document."""
    from inspector.operations import history as operation

    bar = progress_bar("Reading", quiet=options.json)
    with arguments.reading(options, progress=bar) as store:
        found = operation.history(store, options.collection, bar)
        updates = [operation.update_json(update) for update in found.updates]
        if options.json:
            name = collection(store, options.collection).name
            print_json({"collection": name, "versions": len(updates), "updates": updates})
            return 0
        header = ("version", "time", "kind", "inserted", "deleted", "bytes", "stored", "codec", "clients")
        rows = [
            (u["index"], u["time"] or "", u["kind"], u["inserted"], u["deleted"], number(u["size"]),
             number(u["stored_bytes"]), u["codec"], " ".join(map(str, u["clients"])))
            for u in updates
        ]  # fmt: skip
        print_table(header, rows, right=(0, 3, 4, 5, 6))
    return 0


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)
    arguments.as_json(parser)


def check(options: argparse.Namespace) -> int:
    """Print integrity and known faults; 1 if there is an error among them."""
    from inspector.operations.check import check as operation

    bar = progress_bar("Checking", quiet=options.json)
    with arguments.opened(options, progress=bar) as store:
        findings = operation(store, bar)
    if options.json:
        print_json({"findings": [describe.finding_json(finding) for finding in findings]})
    elif findings:
        print_findings(findings, stream=sys.stdout)
    else:
        print(tone(f"{visible(str(options.file))}: nothing to remark", "good"))
    errors = sum(finding.severity == "error" for finding in findings)
    if errors:
        raise InspectorError(f"{options.file} has {errors} error{'s' if errors > 1 else ''}; the findings name them.")
    return 0


def _config_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)


def jupyter_config(options: argparse.Namespace) -> int:
    """Print the configuration with which a Jupyter server opens this store."""
    from inspector.operations.jupyter import jupyter_config as operation

    with arguments.reading(options) as store:
        print(operation(store), end="")
    return 0


def _show_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)
    arguments.collection(parser)
    parser.add_argument("--at", metavar="I|TIME", help="the version: its number, or the last one at a time")
    parser.add_argument("--as", dest="form", choices=("json", "text", "ipynb", "raw"), default="json")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="write here instead of to the terminal")
    parser.add_argument("--all", action="store_true", help="every version, one file each in the folder OUT")
    parser.add_argument("--overwrite", action="store_true", help="replace OUT if it exists")


def show(options: argparse.Namespace) -> int:
    """Print one version of a document, or write every version."""
    from inspector.cli.show import show as action

    return action(options)


def _diff_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.source(parser)
    parser.add_argument("other", metavar="FILE2", type=Path, nargs="?", help="a second store to compare with")
    arguments.collection(parser)
    parser.add_argument("--from", dest="before", metavar="A", help="the version that is compared with")
    parser.add_argument("--to", dest="after", metavar="B", help="the version that is looked at")
    arguments.as_json(parser)


def diff(options: argparse.Namespace) -> int:
    """Print what changed between two versions or two stores."""
    from inspector.cli.show import diff as action

    return action(options)


def sole_collection(store: Store, name: str | None) -> str:
    """Return the collection that *name* picks, or the only one there is. Raises `InspectorError`."""
    if name is not None:
        return collection(store, name).name
    if not store.collections:
        raise InspectorError(f"{store.path} is empty: it holds no collection.")
    if len(store.collections) != 1:
        raise InspectorError(f"{store.path} has {len(store.collections)} collections; name one with -c.")
    return store.collections[0].name


def write_output(path: Path | None, text: str | bytes, *, overwrite: bool) -> None:
    """Write to the file *path* whole or not at all, or to the terminal. Raises `InspectorError`."""
    content = text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return

    def same(written: Path) -> None:
        if written.read_bytes() != content:
            raise InspectorError(f"{path} was not written: reading it back gave something else.")

    files.replace(path, lambda temporary: _fill(temporary, content), verify=same, overwrite=overwrite)


def _fill(path: Path, content: bytes) -> None:
    path.write_bytes(content)


ACTIONS: dict[str, Action] = {
    "formats": ("The formats and codecs, and which can be read or written here.", _formats_arguments, formats),
    "info": ("What a file is, and why we think so.", _info_arguments, info),
    "history": ("The stored updates of a document.", _history_arguments, history),
    "show": ("One version of a document, or every version.", _show_arguments, show),
    "diff": ("What changed between two versions or two stores.", _diff_arguments, diff),
    "check": ("Integrity, schema generation and known faults of a store.", _check_arguments, check),
    "jupyter-config": ("The configuration with which Jupyter opens this store.", _config_arguments, jupyter_config),
}
