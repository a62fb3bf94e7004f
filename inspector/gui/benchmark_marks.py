"""The marks of families: the shapes of the charts' model as painter paths, in the colours of the theme."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPainterPath, QPolygonF

from inspector.gui.theme import theme
from inspector.operations.charts_model import Look, Shape
from inspector.operations.charts_svg import OUTLINES


@cache
def outline(shape: Shape) -> QPainterPath:
    """Return *shape* around the origin, its radius 1, y downwards, as the exports draw it."""
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QPointF(0, 0), 1.0, 1.0)
        return path
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in OUTLINES[shape]()]))
    path.closeSubpath()
    return path


def paint_mark(painter: QPainter, centre: QPointF, look: Look, radius: float) -> None:
    """Paint the mark of a family; *radius* in pixels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(centre)
    painter.scale(radius, radius)
    painter.fillPath(outline(look.shape), theme().color(look.color))
    painter.restore()
