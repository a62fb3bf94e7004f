"""A report as tables for other programs and people: CSV, Markdown, HTML. Numbers in the C locale."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from csv import writer
from dataclasses import dataclass
from html import escape

from inspector.files import readable_size
from inspector.operations.benchmark_advice import advice, widest_spread
from inspector.operations.benchmark_model import Report, Result, Spread, StorageResult
from inspector.operations.charts_axis import digits3, size_text, time_text
from inspector.operations.charts_model import cases, frontier, label_of, results_of, storage_data, without_copies

_WIDE = 0.25
"""Half of the interquartile range over the median from which a reader is warned."""

_RESULT_COLUMNS = (
    "data",
    "codec",
    "unit",
    "bytes",
    "size",
    "ratio",
    "encode_median_s",
    "encode_q1_s",
    "encode_q3_s",
    "decode_median_s",
    "decode_q1_s",
    "decode_q3_s",
    "encode_runs",
    "decode_runs",
    "encode_mb_s",
    "decode_mb_s",
    "grew",
)
_STORAGE_COLUMNS = ("data", "storage", "step", "count", "median_s", "q1_s", "q3_s", "runs", "size", "notes")


def csv(report: Report) -> str:
    """Return the results as CSV with a header line; storages, if any, as a second table after an empty line."""
    tables = []
    if report.results or not report.storages:
        tables.append(_csv([_RESULT_COLUMNS, *_result_rows(report)]))
    if report.storages:
        tables.append(_csv([_STORAGE_COLUMNS, *_storage_rows(report)]))
    return "\n".join(tables)


def _csv(rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _result_rows(report: Report) -> Iterator[tuple[object, ...]]:
    for r in report.results:
        encode, decode = r.encode, r.decode
        times = (encode.median, encode.low, encode.high, decode.median, decode.low, decode.high)
        fixed = (r.data, r.codec, r.unit, report.bytes_of(r.data), r.size, f"{r.ratio:.4f}")
        speeds = (f"{r.encode_mb_s:.3f}", f"{r.decode_mb_s:.3f}")
        yield (*fixed, *(f"{time:.9f}" for time in times), encode.count, decode.count, *speeds, r.grew)


def _storage_rows(report: Report) -> Iterator[tuple[object, ...]]:
    for r in report.storages:
        time = r.time
        quartiles = (f"{value:.9f}" for value in (time.median, time.low, time.high))
        yield (r.data, r.storage, r.step, r.count, *quartiles, time.count, r.size, " ".join(r.notes))


@dataclass(frozen=True, slots=True)
class Table:
    """A table for people: the first column is text; rows of *bold* are those on the frontier."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bold: frozenset[int] = frozenset()


def tables(report: Report) -> Iterator[Table]:
    """Yield a table for each data set and unit, and one of the storages."""
    for data, unit in cases(report):
        results = sorted(results_of(report, (data, unit)), key=lambda r: (r.size, r.codec))
        rows = tuple(
            (
                label_of(r.codec),
                size_text(r.size),
                f"{r.ratio:.2f}",
                f"{digits3(r.encode_mb_s)} {_plus_minus(r.encode)}".rstrip(),
                f"{digits3(r.decode_mb_s)} {_plus_minus(r.decode)}".rstrip(),
                _samples(r),
                str(r.grew),
            )
            for r in results
        )
        header = ("Codec", "Size", "Ratio", "Write MB/s", "Read MB/s", "n", "Grew")
        drawn = without_copies(results)
        best = [drawn[n] for n in frontier([(r.encode_mb_s, r.ratio) for r in drawn])]
        bold = frozenset(n for n, r in enumerate(results) if r in best)
        yield Table(f"{data}, unit {unit}", header, rows, bold)
    for data in storage_data(report):
        header = ("Storage", "Step", "Count", "Median", "Spread", "n", "Size")
        yield Table(f"{data}, storages", header, tuple(_storage_row(r) for r in report.storages if r.data == data))


def _samples(r: Result) -> str:
    """Return the number of samples, of both ways where it differs."""
    writes, reads = len(r.encode_s), len(r.decode_s)
    return str(writes) if writes == reads else f"{writes}, {reads}"


def _storage_row(r: StorageResult) -> tuple[str, ...]:
    time = r.time
    return (
        r.storage,
        r.step,
        str(r.count),
        time_text(time.median),
        _plus_minus(time),
        str(time.count),
        size_text(r.size),
    )


def _plus_minus(samples: Spread) -> str:
    """Return the spread in per cent, nothing where one sample tells nothing of it."""
    return f"±{samples.relative * 100:.0f} %" if samples.count > 1 else ""


def footer(report: Report, *, words: Callable[[str], str] = str, date: Callable[[str], str] = str) -> Iterator[str]:
    """Yield lines that say on what data, on which machine, with which versions and when it was measured.

    *words* and *date* put what is said of the data, and the date, into another form than that of files.
    """
    for data in report.data:
        yield f"{data.path}: {words(data.description or f'{data.bytes} bytes')}"
    machine = report.machine
    memory = f", {readable_size(machine.memory)} memory" if machine.memory else ""
    yield f"{machine.cpu}, {machine.cores} cores{memory}, {machine.system}, Python {machine.python}"
    versions = ", ".join(f"{name} {version}" for name, version in sorted(machine.libraries.items()))
    if versions or report.date:
        yield ", ".join(part for part in (versions, report.date and date(report.date)) if part)


def storage_notes(report: Report) -> list[str]:
    """Return each note of the storages once, with the storage it is about."""
    return list(dict.fromkeys(f"{r.storage}: {note}" for r in report.storages for note in r.notes))


def notes(report: Report) -> list[str]:
    """Return what a reader must know beside the figures: advice, notes of storages, what was not measured."""
    found = [advice(report)]
    widest = widest_spread(report)
    if widest and widest[1] > _WIDE:
        found.append(f"Wide spread: {widest[0]} ±{widest[1] * 100:.0f} %; the machine was busy, so measure again.")
    return [*found, *storage_notes(report), *(f"Not measured: {p.reason}" for p in report.problems)]


def markdown(report: Report) -> str:
    """Return tables, notes and machine as Markdown; codecs on the frontier of writing are bold."""
    lines: list[str] = []
    for table in tables(report):
        lines += [f"### {_md(table.title)}", "", "| " + " | ".join(table.header) + " |"]
        lines.append("| " + " | ".join("---" if n == 0 else "---:" for n in range(len(table.header))) + " |")
        for number, (name, *cells) in enumerate(table.rows):
            first = f"**{_md(name)}**" if number in table.bold else _md(name)
            lines.append("| " + " | ".join([first, *map(_md, cells)]) + " |")
        lines.append("")
    lines += [f"{_md(note)}\n" for note in notes(report)]
    lines += [f"- {_md(line)}" for line in footer(report)]
    return "\n".join(lines) + "\n"


def _md(text: str) -> str:
    return "".join("\\" + sign if sign in "\\`*_<>|[]" else sign for sign in text.replace("\n", " "))


_STYLE = """
body { font: 14px/1.5 Inter, system-ui, sans-serif; max-width: 1000px; margin: 28px auto; padding: 0 16px;
  color: #1A1F29; background: #FFFFFF; }
table { border-collapse: collapse; margin: 16px 0; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px; text-align: right; border-bottom: 1px solid #E1E5EB; }
th:first-child, td:first-child { text-align: left; }
caption { text-align: left; font-weight: 600; padding: 4px 12px; }
svg { max-width: 100%; height: auto; }
.dark { display: none; }
footer { color: #4E586A; font-size: 12px; }
@media (prefers-color-scheme: dark) {
  body { color: #E6E9EF; background: #1B1F26; }
  th, td { border-color: #2B313B; }
  footer { color: #A4ADBB; }
  .light { display: none; }
  .dark { display: block; }
}
"""


def html_page(report: Report, title: str, *, light: str, dark: str) -> str:
    """Return a self-contained page: *light* and *dark* are SVG documents, of which the reader's theme shows one."""
    parts = [
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>',
        f"<style>{_STYLE}</style>\n</head>\n<body>",
        f'<div class="light">\n{light}</div>\n<div class="dark">\n{dark}</div>',
        *(f"<p>{escape(note)}</p>" for note in notes(report)),
        *(_html_table(table) for table in tables(report)),
        "<footer>" + "<br>\n".join(escape(line) for line in footer(report)) + "</footer>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.header)
    lines = [f"<table>\n<caption>{escape(table.title)}</caption>\n<tr>{head}</tr>"]
    for number, (name, *cells) in enumerate(table.rows):
        first = f"<b>{escape(name)}</b>" if number in table.bold else escape(name)
        lines.append(f"<tr><td>{first}</td>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    return "\n".join([*lines, "</table>"])
