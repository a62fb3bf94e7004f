"""Verbs that make the program known to the desktop, for those who installed it with pip: register, unregister."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from inspector.cli import arguments
from inspector.cli.render import print_json, visible

if TYPE_CHECKING:
    from inspector.operations.register import Registration

Action = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]


def register(options: argparse.Namespace) -> int:
    """Lay down menu entry and file types."""
    from inspector.operations.register import register as operation

    done = operation()
    return _report(done, f"registered: {len(done.files)} files in {done.folder}; unregister removes them", options)


def unregister(options: argparse.Namespace) -> int:
    """Take menu entry and file types away."""
    from inspector.operations.register import unregister as operation

    done = operation()
    said = f"removed: {len(done.files)} files in {done.folder}"
    return _report(done, said if done.files else f"nothing is registered in {done.folder}", options)


def _report(done: Registration, sentence: str, options: argparse.Namespace) -> int:
    for note in done.notes:
        print(f"note: {note}", file=sys.stderr)
    if options.json:
        print_json(done.to_json())
    else:
        print(visible(sentence))
    return 0


ACTIONS: dict[str, Action] = {
    "register": ("Put Inspector into your desktop's menu and file types.", arguments.as_json, register),
    "unregister": ("Take Inspector out of your desktop's menu and file types.", arguments.as_json, unregister),
}
