"""Strokes that all painted controls share: rounded panels, the focus ring, icons."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from inspector.gui.icons import pixmap
from inspector.gui.theme import theme


def panel(painter: QPainter, rect: QRectF, radius: float, *, fill: QColor | None, line: QColor | None) -> None:
    """Paint a rounded rectangle inside *rect*: filled, with a line of one pixel, or both. *radius* in design pixels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(line, 1) if line is not None else Qt.PenStyle.NoPen)
    inset = 0.5 if line is not None else 0.0
    corner = theme().px(radius)
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), corner, corner)
    painter.restore()


def ring(painter: QPainter, rect: QRectF, radius: float, *, token: str = "accent", width: float = 0.0) -> None:
    """Paint a focus ring inside *rect*; *width* 0 is the theme's."""
    thickness = width or theme().ring
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme().color(token), thickness))
    inset = thickness / 2
    corner = max(theme().px(radius) - inset, 0)
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), corner, corner)
    painter.restore()


def picture(painter: QPainter, rect: QRect, name: str, *, token: str, size: float = 16) -> None:
    """Paint icon *name* of *size* design pixels in the middle of *rect*."""
    side = theme().px(size)
    x = rect.x() + (rect.width() - side) // 2
    y = rect.y() + (rect.height() - side) // 2
    painter.drawPixmap(x, y, pixmap(name, token, size, painter.device().devicePixelRatioF()))


def keyboard_focus(event: QFocusEvent) -> bool:
    """Say whether a focus that *event* brings deserves a ring: any but one by the mouse."""
    return event.reason() != Qt.FocusReason.MouseFocusReason


def contents(widget: QWidget) -> QRectF:
    """Return the whole of *widget* as a painter's rectangle."""
    return QRectF(widget.rect())
