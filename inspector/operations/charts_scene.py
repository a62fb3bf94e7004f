"""A drawing as lines, boxes, marks and texts in pixels, with colours by token; and how wide a text is in Inter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from inspector.operations.charts_model import Look

Anchor: TypeAlias = Literal["start", "middle", "end"]

# Advances of Inter 4 in thousandths of the font size for U+0020 to U+007E: regular, and semibold, which is wider.
_REGULAR = (
    281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 625, 464, 605, 636, 642, 608, 624,
    571, 616, 624, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598, 587, 743, 740, 264, 543, 652, 562, 889,
    753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642, 665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621,
    582, 361, 609, 591, 237, 237, 544, 237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 812, 540, 557, 541, 362,
    327, 362, 659,
)  # fmt: skip
_SEMIBOLD = 1.06  # the widest strings of letters and digits grow by less
_OTHER = 820  # the widest of the signs × µ ± … ·; wide enough for Latin letters with accents
_FULL_WIDTH = 1000  # an ideograph


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Rect) -> bool:
        """Say whether the two have an area in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: Rect) -> bool:
        """Say whether *other* lies wholly inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )

    def grown(self, by: float) -> Rect:
        """Return the rectangle with *by* pixels more on each side."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline; *dash* is an SVG dash pattern, empty for a solid line."""

    points: tuple[tuple[float, float], ...]
    color: str
    width: float = 1.0
    dash: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle with rounded corners."""

    rect: Rect
    color: str
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Mark:
    """A filled shape around a point."""

    x: float
    y: float
    look: Look
    radius: float = 4.5


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; *y* is its baseline; *halo*: lines behind it keep clear of its letters."""

    x: float
    y: float
    text: str
    size: float = 11.0
    bold: bool = False
    color: str = "text"
    anchor: Anchor = "start"
    halo: bool = False

    @property
    def bounds(self) -> Rect:
        """The rectangle that the text fills, ascenders and descenders included."""
        width = text_width(self.text, self.size, bold=self.bold)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return Rect(left, self.y - self.size * 0.78, left + width, self.y + self.size * 0.22)


Item: TypeAlias = Line | Box | Mark | Text


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole drawing: *summary* says it in words."""

    width: float
    height: float
    items: tuple[Item, ...]
    summary: str


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of *text* in pixels in Inter at *size*; what is not ASCII is taken as wide as it may be."""
    units = sum(_advance(ord(sign)) for sign in text)
    return units * size / 1000 * (_SEMIBOLD if bold else 1.0)


def _advance(code: int) -> int:
    if 32 <= code < 127:
        return _REGULAR[code - 32]
    return _FULL_WIDTH if code >= 0x1100 else _OTHER


def shortened(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return *text*, cut in its middle with an ellipsis if it is wider than *width*."""
    if text_width(text, size, bold=bold) <= width:
        return text
    for kept in range(len(text) - 1, 1, -1):
        head, tail = kept - kept // 2, kept // 2
        cut = text[:head] + "…" + (text[-tail:] if tail else "")
        if text_width(cut, size, bold=bold) <= width:
            return cut
    return "…"


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Return *text* in lines no wider than *width*, broken at spaces; a longer word is cut in its middle."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(shortened(word, size, width))
    return lines
