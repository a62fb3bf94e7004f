"""Verbs that measure: bench, advise."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from inspector.cli import arguments
from inspector.cli.look import write_output
from inspector.cli.render import print_json, print_table, progress_bar, size, tone, visible
from inspector.operations import benchmark
from inspector.operations.benchmark_model import UNITS, Report
from inspector.operations.presets import PRESETS

Action = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]


def _bench_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", type=Path, nargs="*", help="a store, or any other file as bytes")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--what", choices=benchmark.WHATS, default="codecs", help="what to measure on the data")
    what.add_argument("--preset", metavar="NAME", help="repeat a published table here: " + ", ".join(PRESETS))
    parser.add_argument("--codec", metavar="SPEC", action="append", default=[], help="a codec; repeat for more")
    parser.add_argument("--unit", choices=UNITS, default="whole", help="what is encoded on its own")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--runs", metavar="N", type=arguments.count, help="exactly N samples of each")
    effort.add_argument(
        "--min-time", metavar="S", type=arguments.seconds, default=0.5, help="seconds of samples of each"
    )
    for name in ("save", "csv", "markdown", "html", "png", "svg"):
        parser.add_argument(f"--{name}", metavar="F", type=Path, help=f"write the result to F as {name.upper()}")
    parser.add_argument("--dark", action="store_true", help="draw PNG and SVG in the dark theme")
    parser.add_argument("--overwrite", action="store_true", help="replace files that exist")
    parser.add_argument("--stream", action="store_true", help="print each event as a line of JSON as it comes")
    arguments.as_json(parser)
    about = (f"{name}: {preset.about}." for name, preset in PRESETS.items())
    parser.epilog = f"Presets repeat published tables. {' '.join(about)}"


def bench(options: argparse.Namespace) -> int:
    """Measure codecs, storages or ways to keep versions on this data, or repeat a published table."""
    job = benchmark.BenchJob(
        paths=tuple(options.files), what=options.what, specs=tuple(options.codec), unit=options.unit,
        runs=options.runs, min_time=options.min_time, preset=options.preset,
    )  # fmt: skip
    if options.stream:
        for event in benchmark.bench_stream(job):
            print(benchmark.event_line(event), flush=True)
        return 0
    report = benchmark.measure(job, progress_bar("Measuring", quiet=options.json))
    for path, content in _exports(report, options):
        write_output(path, content, overwrite=options.overwrite)
    if options.json:
        print_json(report.to_json())
    else:
        _print(report)
    return 0


def _exports(report: Report, options: argparse.Namespace) -> Iterator[tuple[Path, str | bytes]]:
    from inspector.operations import charts, charts_export

    if options.save:
        yield options.save, json.dumps(report.to_json(), indent=1) + "\n"
    if options.csv:
        yield options.csv, charts_export.csv(report)
    if options.markdown:
        yield options.markdown, charts_export.markdown(report)
    if options.html:
        yield options.html, charts.html(report)
    if options.svg or options.png:
        drawing = charts.svg(charts.figure(report), dark=options.dark)
        if options.svg:
            yield options.svg, drawing
        if options.png:
            yield options.png, charts.png(drawing, 2)


def _print(report: Report) -> None:
    from inspector.operations import charts_export, charts_tables

    for table in charts_tables.tables(report):
        print(tone(visible(table.title), "bold"))
        print_table(table.header, table.rows, right=[n for n in range(len(table.header)) if n not in table.left])
        print()
    for line in (*charts_export.notes(report), *charts_export.footer(report)):
        print(visible(line))


def _advise_arguments(parser: argparse.ArgumentParser) -> None:
    from inspector.operations.advise import GOALS

    arguments.source(parser)
    parser.add_argument("--goal", choices=GOALS, default="balanced", help="what matters most")
    arguments.as_json(parser)


def advise(options: argparse.Namespace) -> int:
    """Measure what compressing this store would gain, on a sample of it."""
    from inspector.operations.advise import advise as operation

    bar = progress_bar("Measuring", quiet=options.json)
    with arguments.reading(options, progress=bar) as store:
        advice = operation(store, goal=options.goal, progress=bar)
    if options.json:
        print_json(advice.to_json())
        return 0
    rows = [
        (
            "→" if candidate.recommended else "", candidate.label, size(candidate.estimate),
            f"{candidate.estimate / max(advice.size, 1) - 1:+.0%}", _speed(candidate.encode_mb_s),
            _speed(candidate.decode_mb_s), candidate.detail,
        )
        for candidate in advice.candidates
    ]  # fmt: skip
    print_table(("", "method", "size", "saves", "write MB/s", "read MB/s", ""), rows, right=(2, 3, 4, 5))
    print(f"\n{advice.recommended.reason}")
    pieces = f"{advice.pieces:,} of {advice.total_pieces:,} pieces ({size(advice.sample_bytes)})"
    print(tone(f"Measured on {pieces} in {advice.seconds:.1f} s.", "faint"))
    return 0


def _speed(speed: float | None) -> str:
    return "" if speed is None else f"{speed:,.0f}"


ACTIONS: dict[str, Action] = {
    "bench": ("Sizes and timings of codecs, storages or kept versions on this data.", _bench_arguments, bench),
    "advise": ("What compressing this store would gain, measured on a sample.", _advise_arguments, advise),
}
