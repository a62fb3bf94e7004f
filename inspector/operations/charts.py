"""Charts of a benchmark and their exports: SVG, PNG, CSV, Markdown, HTML, all from one report.

`scatter`, `size_bars`, `time_bars`, `storage_bars`, `storage_sizes` and `figure` make charts as data;
`svg` and `png` draw them.
"""

from __future__ import annotations

from inspector.model import InspectorError
from inspector.operations.benchmark_model import Report, Unit
from inspector.operations.charts_build import scatter, size_bars, storage_bars, storage_sizes, time_bars
from inspector.operations.charts_draw import natural_height, scene
from inspector.operations.charts_export import csv, footer, html_page, markdown, storage_notes
from inspector.operations.charts_history import comparison_bars, history_sizes, history_times
from inspector.operations.charts_model import Bars, Chart, Figure, Scatter, Way, cases, history_data, storage_data
from inspector.operations.charts_svg import svg_text
from inspector.resources import resource

__all__ = [
    "Bars",
    "Chart",
    "Figure",
    "Scatter",
    "Way",
    "csv",
    "figure",
    "html",
    "markdown",
    "natural_height",
    "png",
    "scatter",
    "size_bars",
    "storage_bars",
    "storage_sizes",
    "svg",
    "time_bars",
]

_MOST_BARS = 12
"""Bars of one chart in a figure; the table holds the rest."""


def figure(report: Report, *, way: Way = "write", current: str | None = None) -> Figure:
    """Return all charts of *report*: published figures beside ours; then for each data set what was measured on it.

    Raises `InspectorError` if nothing was measured.
    """
    rows: list[tuple[Scatter | Bars, ...]] = [(bars,) for bars in comparison_bars(report)]
    for case in cases(report):
        rows.append((scatter(report, way, case=case, current=current),))
        rows.append(
            (
                size_bars(report, case=case, current=current, most=_MOST_BARS),
                time_bars(report, "read", case=case, current=current, most=_MOST_BARS),
            )
        )
    rows += [(storage_bars(report, data=data), storage_sizes(report, data=data)) for data in storage_data(report)]
    rows += [(charts,) for d in history_data(report) for charts in (history_sizes(report, d), history_times(report, d))]
    if not rows:
        raise InspectorError("Nothing was measured, so there is no chart to draw; see the problems of the result.")
    return Figure(_title(report), tuple(rows), (*footer(report), *storage_notes(report)))


def _title(report: Report) -> str:
    found: tuple[tuple[str, Unit], ...] = cases(report)
    subject = "Codecs" if found else "Versions" if report.history else "Storages"
    if report.preset:
        return f"{report.preset}: published and measured"
    names = [data.path.replace("\\", "/").rpartition("/")[2] for data in report.data]
    return f"{subject} on {', '.join(names)}" if names else subject


def svg(chart: Chart, *, dark: bool = False, width: float | None = None, height: float | None = None) -> str:
    """Return *chart* as an SVG document, in its natural size unless *width* or *height* are given."""
    return svg_text(scene(chart, width=width, height=height), dark=dark)


def png(drawing: str, scale: float = 1) -> bytes:
    """Return the SVG document *drawing* as a PNG file, *scale* times as large, in the bundled fonts.

    Raises `InspectorError` if *scale* is not between 1 and 3.
    """
    import resvg_py

    if not 1 <= scale <= 3:
        raise InspectorError(f"The scale of a picture lies between 1 and 3, not {scale}.")
    # Fonts of the system are asked only for signs that Inter lacks: loading them takes long and varies by machine.
    latin = all(ord(sign) < 0x500 or 0x2000 <= ord(sign) < 0x2100 for sign in drawing)
    return resvg_py.svg_to_bytes(
        svg_string=drawing, zoom=scale, skip_system_fonts=latin, font_dirs=[str(resource("fonts"))]
    )


def html(report: Report, *, current: str | None = None) -> str:
    """Return a page that needs no other file: figure in light and dark, table, data, machine."""
    drawn = figure(report, current=current)
    return html_page(report, drawn.title, light=svg(drawn), dark=svg(drawn, dark=True))
