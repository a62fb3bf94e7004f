"""How the command line shows things: aligned tables, colours on a terminal only, progress on stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from inspector import values
from inspector.files import readable_size
from inspector.model import Finding, Store
from inspector.operations.describe import worst_first
from inspector.progress import Progress, silent

_TONES = {"error": "31", "warning": "33", "info": "36", "good": "32", "bold": "1", "faint": "2"}


def print_json(document: Any) -> None:
    """Print one JSON document, exact and ASCII."""
    print(values.write(document))


def visible(text: str) -> str:
    """Return *text* with control characters shown as escapes, so that a file cannot drive the terminal."""
    return "".join(
        c if c.isprintable() or c == " " else c.encode("unicode_escape", "backslashreplace").decode() for c in text
    )


def width(text: str) -> int:
    """Return the terminal cells that *text* takes."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def tone(text: str, name: str) -> str:
    """Return *text* coloured if stdout is a terminal and NO_COLOR is not set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\033[{_TONES[name]}m{text}\033[0m"


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> None:
    """Print rows under a header, aligned; columns whose number is in *right* to the right."""
    table = [[visible("" if cell is None else str(cell)) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(header, *table, strict=True)]
    for number, row in enumerate([list(header), *table]):
        cells = [
            " " * (widths[n] - width(cell)) + cell if n in right else cell + " " * (widths[n] - width(cell))
            for n, cell in enumerate(row)
        ]
        line = "  ".join(cells).rstrip()
        print(tone(line, "faint") if number == 0 else line)


def print_pairs(pairs: Iterable[tuple[str, object]]) -> None:
    """Print names and values in two columns."""
    shown = [(name, visible(str(value))) for name, value in pairs if value is not None]
    longest = max((width(name) for name, _ in shown), default=0)
    for name, value in shown:
        print(f"{tone(name, 'faint')}{' ' * (longest - width(name))}  {value}")


def print_findings(findings: Iterable[Finding], *, stream: Any = None) -> None:
    """Print findings to *stream*, by default those on stderr that a verb's JSON does not carry."""
    for finding in findings:
        place = f" ({finding.where})" if finding.where and finding.where not in finding.message else ""
        word = finding.severity if stream else "warning"
        print(visible(f"{word}: {finding.message}{place}"), file=stream or sys.stderr)


def warn(store: Store, said: Collection[Finding] = (), *, named: bool = False) -> tuple[Finding, ...]:
    """Print the errors and warnings found in *store*, except those *said* before, and return what has been said.

    For verbs whose JSON carries no findings; *named* says which file it is.
    """
    found = [f for f in worst_first(store.info.findings) if f.severity != "info" and f not in said]
    print_findings(f._replace(message=f"{store.path}: {f.message}") if named else f for f in found)
    return (*said, *found)


def size(amount: int | None) -> str:
    """Return bytes for people, or a dash."""
    return "–" if amount is None else readable_size(amount)


def number(amount: int | None) -> str:
    """Return a count with thousands marked, or a dash."""
    return "–" if amount is None else f"{amount:,}"


def progress_bar(title: str, *, quiet: bool = False) -> Progress:
    """Return a progress that draws on stderr if that is a terminal; nothing for the first half second."""
    if quiet or not sys.stderr.isatty():
        return silent
    started = time.monotonic()
    drawn = [0.0]

    def report(done: int, total: int | None) -> None:
        now = time.monotonic()
        if now - started < 0.5 or now - drawn[0] < 0.1:
            return
        drawn[0] = now
        share = f"{100 * done // total:3d} %" if total else f"{done:,}"
        print(f"\r{title}: {share}", end="\033[K\r", file=sys.stderr, flush=True)

    return report
