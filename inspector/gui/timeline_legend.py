"""The legend beside the view switch: a dot and a name for each author, a shape and a word for each kind of mark."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.gui.history_texts import author_text
from inspector.gui.paint import panel
from inspector.gui.texts import count_text
from inspector.gui.theme import theme
from inspector.gui.timeline_data import Author, TimelineData
from inspector.gui.timeline_flags import MARKS, mark_shape

_GAP = 16
_SIGN = 14
_CHIP = 20


class TimelineLegend(QWidget):
    """At the right of its room; what does not fit is counted in a chip, and the tooltip names all."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[tuple[str, str, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Legend"))
        theme().changed.connect(self.update)

    def set_data(self, data: TimelineData) -> None:
        """Name the authors and marks of a history."""
        words = {
            "deletion": self.tr("Large deletion"),
            "damaged": self.tr("Damaged"),
            "full-state": self.tr("Whole state"),
        }
        present = {kind for _, kind in data.marks}
        named = [author for author in data.authors if author.client is not None]
        others = [author for author in data.authors if author.client is None]
        self._entries = [
            *(_entry(author) for author in named),
            *((kind, MARKS[kind], words[kind]) for kind in MARKS if kind in present),
            *(_entry(author) for author in others),
        ]
        marks = [words[kind] for kind in MARKS if kind in present]
        self.setToolTip("\n".join([*(author_text(author) for author in data.authors), *marks]))
        self.setAccessibleDescription(", ".join(text for _, _, text in self._entries))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme().px(24))

    @property
    def folded(self) -> int:
        """How many entries only the chip stands for."""
        return len(self._entries) - self._fitting()[0]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        QToolTip.showText(event.globalPosition().toPoint(), self.toolTip(), self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        px = theme().px
        fitting, chip = self._fitting()
        widths = self._widths()[:fitting]
        left = self.width() - sum(widths) - chip + (0 if chip else px(_GAP))
        painter.setFont(theme().font(12))
        for (sign, token, text), width in zip(self._entries, widths, strict=False):
            self._sign(painter, QPointF(left + px(4), self.height() / 2), sign, token)
            painter.setPen(theme().color("muted"))
            room = QRectF(left + px(_SIGN), 0, width, self.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
            left += width
        if chip:
            box = QRectF(left + 0.5, (self.height() - px(_CHIP)) / 2, chip - 1, px(_CHIP))
            panel(painter, box, 4, fill=theme().color("sunken"), line=theme().color("border"))
            painter.setPen(theme().color("muted"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._chip_text(fitting))

    def _chip_text(self, fitting: int) -> str:
        return f"+{count_text(len(self._entries) - fitting)}"

    def _widths(self) -> list[int]:
        """Return the width of each entry with the gap after it."""
        metrics, px = QFontMetrics(theme().font(12)), theme().px
        return [px(_SIGN) + metrics.horizontalAdvance(text) + px(_GAP) for _, _, text in self._entries]

    def _fitting(self) -> tuple[int, int]:
        """Return how many entries fit, and the width of the chip that counts the others, 0 if there are none."""
        metrics, px, widths = QFontMetrics(theme().font(12)), theme().px, self._widths()
        if sum(widths) - px(_GAP) <= self.width():
            return len(widths), 0
        for fitting in range(len(widths) - 1, 0, -1):
            chip = metrics.horizontalAdvance(self._chip_text(fitting)) + 2 * px(6)
            if sum(widths[:fitting]) + chip <= self.width():
                return fitting, chip
        return 0, metrics.horizontalAdvance(self._chip_text(0)) + 2 * px(6)

    def _sign(self, painter: QPainter, centre: QPointF, sign: str, token: str) -> None:
        half = theme().px(4)
        if sign == "dot":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color(token))
            painter.drawEllipse(centre, half, half)
        else:
            painter.setPen(QPen(theme().color(token), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolygon(mark_shape(sign, centre, half))


def _entry(author: Author) -> tuple[str, str, str]:
    return "dot", f"s{author.series + 1}", author_text(author, short=True)
