"""A scene as SVG text: valid XML, texts as text, the same bytes for the same scene."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from inspector.operations.charts_model import Shape
from inspector.operations.charts_palette import palette
from inspector.operations.charts_scene import Box, Item, Line, Mark, Scene, Text

FONTS = "Inter, 'DejaVu Sans', Arial, sans-serif"

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg_text(scene: Scene, *, dark: bool = False) -> str:
    """Return *scene* as an SVG document in the light or dark theme."""
    colors = palette(dark=dark)
    width, height = number(scene.width), number(scene.height)
    summary = _clean(scene.summary)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label={quoteattr(summary)}>\n<title>{escape(summary)}</title>\n<g font-family="{FONTS}">'
    )
    body = "\n".join(line for item in scene.items for line in _item(item, colors))
    return f"{head}\n{body}\n</g>\n</svg>\n"


def number(value: float) -> str:
    """Return a coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def _item(item: Item, colors: Mapping[str, str]) -> Iterator[str]:
    if isinstance(item, Text):
        weight = ' font-weight="600"' if item.bold else ""
        anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
        halo = f' paint-order="stroke" stroke="{colors["surface"]}" stroke-width="3"' if item.halo else ""
        yield (
            f'<text x="{number(item.x)}" y="{number(item.y)}" font-size="{number(item.size)}"{weight}{anchor}{halo} '
            f'fill="{colors[item.color]}">{escape(_clean(item.text))}</text>'
        )
    elif isinstance(item, Line):
        dash = f' stroke-dasharray="{item.dash}"' if item.dash else ""
        yield (
            f'<polyline points="{_points(item.points)}" fill="none" stroke="{colors[item.color]}" '
            f'stroke-width="{number(item.width)}"{dash}/>'
        )
    elif isinstance(item, Box):
        radius = f' rx="{number(item.radius)}"' if item.radius else ""
        rect = item.rect
        yield (
            f'<rect x="{number(rect.left)}" y="{number(rect.top)}" width="{number(rect.right - rect.left)}" '
            f'height="{number(rect.bottom - rect.top)}"{radius} fill="{colors[item.color]}"/>'
        )
    else:
        yield _mark(item, colors)


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _mark(mark: Mark, colors: Mapping[str, str]) -> str:
    fill = colors[mark.look.color]
    if mark.look.shape == "circle":
        return f'<circle cx="{number(mark.x)}" cy="{number(mark.y)}" r="{number(mark.radius)}" fill="{fill}"/>'
    corners = OUTLINES[mark.look.shape]()
    points = tuple((mark.x + x * mark.radius, mark.y + y * mark.radius) for x, y in corners)
    return f'<polygon points="{_points(points)}" fill="{fill}"/>'


Corners = tuple[tuple[float, float], ...]


def _regular(corners: int, size: float = 1.1, turn: float = -90.0) -> Corners:
    angles = [math.radians(turn + 360 * n / corners) for n in range(corners)]
    return tuple((size * math.cos(angle), size * math.sin(angle)) for angle in angles)


def _star() -> Corners:
    outer, inner = _regular(5, 1.3), _regular(5, 0.55, -54.0)
    return tuple(corner for pair in zip(outer, inner, strict=True) for corner in pair)


def _plus(turn: float = 0.0) -> Corners:
    arm = ((-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35), (1.1, 0.35), (0.35, 0.35),
           (0.35, 1.1), (-0.35, 1.1), (-0.35, 0.35), (-1.1, 0.35), (-1.1, -0.35), (-0.35, -0.35))  # fmt: skip
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in arm)


OUTLINES: Mapping[Shape, Callable[[], Corners]] = {
    "square": lambda: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "triangle": lambda: ((0.0, -1.05), (1.05, 0.85), (-1.05, 0.85)),
    "diamond": lambda: ((0.0, -1.2), (0.85, 0.0), (0.0, 1.2), (-0.85, 0.0)),
    "pentagon": lambda: _regular(5),
    "down": lambda: ((0.0, 1.05), (1.05, -0.85), (-1.05, -0.85)),
    "cross": lambda: _plus(45.0),
    "star": _star,
    "hexagon": lambda: _regular(6),
    "plus": _plus,
}
"""Corners of each shape but the circle, in radii around the point, y downwards."""
