"""Pictures of the window for tests: taken, with what changes from run to run covered, and compared with kept ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

KEPT = Path(__file__).parent.parent / "golden" / "screens"
RENEW = "INSPECTOR_NEW_SCREENS"
"""Set in the environment, pictures are kept anew instead of being compared."""

MOST_MEAN = 0.4
"""Greatest mean difference of a picture, of 255."""
BLOCK = 24
"""Side of the squares that a picture is divided into: what moves shows in a few of them."""
MOST_SHARE = 0.1
"""Greatest share of pixels of a square that differ by more than `SEEN`; other drawing of the same letters does not."""
SEEN = 40


@dataclass(frozen=True, slots=True)
class Difference:
    """Of two pictures: the mean over all pixels, of 255, and the share of pixels that differ in the worst square."""

    mean: float
    share: float

    @property
    def visible(self) -> bool:
        """True if somebody would see it."""
        return self.mean > MOST_MEAN or self.share > MOST_SHARE


def take(window: QWidget, covered: Sequence[QWidget] = ()) -> QImage:
    """Return a picture of *window* at half its size; *covered* widgets are painted over."""
    focused = QApplication.focusWidget()
    if focused is not None:
        # A cursor that blinks would be in one picture and not in the other.
        focused.clearFocus()
    picture = window.grab().toImage()
    painter = QPainter(picture)
    for widget in covered:
        painter.fillRect(QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()), QColor("gray"))
    painter.end()
    half = QSize(picture.width() // 2, picture.height() // 2)
    scaled = picture.scaled(half, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return scaled.convertToFormat(QImage.Format.Format_RGB888)


def difference(first: QImage, second: QImage) -> Difference:
    """Compare two pictures; of different sizes they differ in everything."""
    if first.size() != second.size():
        return Difference(255, 1)
    apart = numpy.abs(_pixels(first) - _pixels(second)).max(axis=2)
    rows, columns = (length // BLOCK for length in apart.shape)
    squares = (apart > SEEN)[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK)
    return Difference(float(apart.mean()), float(squares.mean(axis=(1, 3)).max()))


def kept(name: str) -> QImage:
    """Return the kept picture of a screen."""
    picture = QImage(str(KEPT / f"{name}.png"))
    assert not picture.isNull(), f"{name}.png is missing: run with {RENEW}=1, and look at it"
    return picture.convertToFormat(QImage.Format.Format_RGB888)


def check(name: str, picture: QImage, folder: Path) -> None:
    """Compare *picture* with the kept one of that *name*; where they differ, it is left in *folder*."""
    if os.environ.get(RENEW):
        KEPT.mkdir(exist_ok=True)
        assert picture.save(str(KEPT / f"{name}.png"), "PNG", 0)  # type: ignore[call-overload]
        return
    found = difference(picture, kept(name))
    if found.visible:
        picture.save(str(folder / f"{name}.png"))
    assert not found.visible, f"{name} looks different: {found}; see {folder / name}.png"


def _pixels(picture: QImage) -> numpy.ndarray:
    rows = numpy.frombuffer(picture.constBits(), numpy.uint8).reshape(picture.height(), picture.bytesPerLine())
    return rows[:, : picture.width() * 3].reshape(picture.height(), picture.width(), 3).astype(numpy.int16)
