"""Icons: the bundled line drawings, recoloured from a token and drawn at the screen's pixel ratio."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QAction, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from inspector.gui.tokens import LIGHT
from inspector.resources import resource

if TYPE_CHECKING:
    from inspector.gui.theme import Theme

LOGO = "inspector"
"""Name of our own logo: a white drawing on a square of the light accent."""

_STROKE = re.compile(rb'stroke-width="[^"]*"')
_LOGO_SQUARE, _LOGO_LINES = LIGHT.accent.encode(), LIGHT.onAccent.encode()
_LINE = 1.75
"""Width of the lines on the drawings' own grid of 24: a little finer than Lucide's 2."""


class Drawings:
    """The texts of the bundled icons, each read from the disk once, and recoloured for whoever draws them."""

    def __init__(self) -> None:
        self._texts: dict[str, bytes] = {}

    def recoloured(self, name: str, colour: str, stroke: float = _LINE) -> bytes:
        """Return the SVG of icon *name* in *colour* (``#RRGGBB``), *stroke* wide on its 24 px grid.

        Raises FileNotFoundError if there is no such icon.
        """
        text = self._text(name)
        return _STROKE.sub(f'stroke-width="{stroke:g}"'.encode(), text).replace(b"currentColor", colour.encode())

    def logo(self, square: str, lines: str) -> bytes:
        """Return the SVG of the logo with its square and its lines in these colours."""
        return self._text(LOGO).replace(_LOGO_SQUARE, square.encode()).replace(_LOGO_LINES, lines.encode())

    def _text(self, name: str) -> bytes:
        found = self._texts.get(name)
        if found is None:
            found = self._texts[name] = resource(f"icons/{name}.svg").read_bytes()
        return found


class Icons:
    """Drawn icons by name, colour, size and pixel ratio; the theme owns one and clears it when colours change."""

    def __init__(self) -> None:
        self.drawings = Drawings()
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
        self._icons: dict[tuple[str, str, str, int], QIcon] = {}

    def clear(self) -> None:
        """Forget the drawn icons; the texts that they are drawn from stay."""
        self._pixmaps.clear()
        self._icons.clear()

    def pixmap(self, name: str, colour: str, size: int, ratio: float) -> QPixmap:
        """Return icon *name* at *size* device-independent pixels. Raises FileNotFoundError for an unknown name."""
        key = (name, colour, size, ratio)
        found = self._pixmaps.get(key)
        if found is None:
            found = self._pixmaps[key] = _draw(self.drawings.recoloured(name, colour), size, ratio)
        return found

    def logo(self, square: str, lines: str, *, size: int, ratio: float) -> QPixmap:
        """Return the logo with its square and its lines in these colours."""
        key = (LOGO, square, size, ratio)
        found = self._pixmaps.get(key)
        if found is None:
            found = self._pixmaps[key] = _draw(self.drawings.logo(square, lines), size, ratio)
        return found

    def icon(self, name: str, colour: str, disabled: str, size: int) -> QIcon:
        """Return an icon that is *disabled*-coloured where it is disabled, drawn for every screen's pixel ratio."""
        key = (name, colour, disabled, size)
        found = self._icons.get(key)
        if found is None:
            found = self._icons[key] = QIcon()
            ratios = {1.0, 2.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}
            for ratio in sorted(ratios):
                found.addPixmap(self.pixmap(name, colour, size, ratio), QIcon.Mode.Normal)
                found.addPixmap(self.pixmap(name, disabled, size, ratio), QIcon.Mode.Disabled)
        return found


def _draw(text: bytes, size: int, ratio: float) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(text))
    side = max(round(size * ratio), 1)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _theme() -> Theme:
    from inspector.gui.theme import theme  # theme.py imports this module

    return theme()


def icon(name: str, token: str = "muted", size: float = 16) -> QIcon:
    """Return icon *name* in colour *token*, *size* design pixels, in today's colours; `set_icon` follows the theme.

    Raises FileNotFoundError for an unknown name.
    """
    look = _theme()
    tokens = look.tokens
    return look.icons.icon(name, getattr(tokens, token), tokens.faint, look.px(size))


def pixmap(name: str, token: str = "muted", size: float = 16, ratio: float = 1.0) -> QPixmap:
    """Return icon *name* as a picture for a painter whose device has that pixel *ratio*.

    Raises FileNotFoundError for an unknown name.
    """
    look = _theme()
    if name == LOGO:
        return look.icons.logo(look.tokens.accent, look.tokens.onAccent, size=look.px(size), ratio=ratio)
    return look.icons.pixmap(name, getattr(look.tokens, token), look.px(size), ratio)


class _Follower(QObject):
    """Child of an icon's owner that draws the icon anew when the theme changes; it dies with its parent."""

    def __init__(self, target: QAction | QAbstractButton) -> None:
        super().__init__(target)
        self.setObjectName("iconFollower")
        _theme().changed.connect(self.refresh)

    def follow(self, name: str, token: str, size: float) -> None:
        self._wanted = (name, token, size)
        self.refresh()

    def refresh(self) -> None:
        cast("QAction | QAbstractButton", self.parent()).setIcon(icon(*self._wanted))


def set_icon(target: QAction | QAbstractButton, name: str, token: str = "muted", size: float = 16) -> None:
    """Give *target* an icon that follows the theme for as long as *target* lives.

    Raises FileNotFoundError for an unknown name.
    """
    follower = target.findChild(_Follower, "iconFollower", Qt.FindChildOption.FindDirectChildrenOnly)
    (follower or _Follower(target)).follow(name, token, size)
