"""A report as tables for other programs and people: CSV, Markdown, HTML. Numbers in the C locale."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from csv import writer
from html import escape

from inspector.files import readable_size
from inspector.operations.benchmark_advice import advice, widest_spread
from inspector.operations.benchmark_model import Report
from inspector.operations.charts_tables import Table, tables

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
_HISTORY_COLUMNS = (
    "data",
    "way",
    "size",
    "share",
    "saves",
    "save_total_s",
    "save_median_s",
    "save_q1_s",
    "save_q3_s",
    "load_median_s",
    "load_q1_s",
    "load_q3_s",
    "loads",
    "verified",
    "notes",
)
_COMPARISON_COLUMNS = ("data", "subject", "figure", "unit", "published", "measured", "ratio", "source")


def csv(report: Report) -> str:
    """Return the results as CSV with a header line; each kind of result is a table, after an empty line."""
    kinds = (
        (_COMPARISON_COLUMNS, list(_comparison_rows(report))),
        (_RESULT_COLUMNS, list(_result_rows(report))),
        (_STORAGE_COLUMNS, list(_storage_rows(report))),
        (_HISTORY_COLUMNS, list(_history_rows(report))),
    )
    return "\n".join(_csv([columns, *rows]) for columns, rows in kinds if rows) or _csv([_RESULT_COLUMNS])


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


def _history_rows(report: Report) -> Iterator[tuple[object, ...]]:
    for r in report.history:
        save, load = r.save, r.load
        times = (r.total, save.median, save.low, save.high, load.median, load.low, load.high)
        seconds = (f"{value:.9f}" for value in times)
        yield (r.data, r.way, r.size, f"{r.share:.6f}", r.saves, *seconds, load.count, r.verified, " ".join(r.notes))


def _comparison_rows(report: Report) -> Iterator[tuple[object, ...]]:
    for r in report.comparisons:
        ratio = "" if r.ratio is None else f"{r.ratio:.6f}"
        published = "" if r.published is None else r.published
        yield (r.data, r.subject, r.figure, r.unit, published, f"{r.measured:.9g}", ratio, r.source)


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
    """Return each note of the storages and ways to keep versions once, with the one it is about."""
    said = [f"{r.storage}: {note}" for r in report.storages for note in r.notes]
    said += [f"{r.way}: {note}" for r in report.history for note in r.notes]
    return list(dict.fromkeys(said))


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
        lines.append("| " + " | ".join("---" if n in table.left else "---:" for n in range(len(table.header))) + " |")
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
th:first-child, td:first-child, .t { text-align: left; }
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
    left = ['<th class="t">' if n in table.left and n else "<th>" for n in range(len(table.header))]
    head = "".join(f"{begin}{escape(name)}</th>" for begin, name in zip(left, table.header, strict=True))
    lines = [f"<table>\n<caption>{escape(table.title)}</caption>\n<tr>{head}</tr>"]
    begins = [begin.replace("th", "td") for begin in left]
    for number, row in enumerate(table.rows):
        cells = [escape(cell) for cell in row]
        if number in table.bold:
            cells[0] = f"<b>{cells[0]}</b>"
        inside = "".join(f"{begin}{cell}</td>" for begin, cell in zip(begins, cells, strict=True))
        lines.append(f"<tr>{inside}</tr>")
    return "\n".join([*lines, "</table>"])
