"""The legend beside the view switch: a dot and a name for each author, a shape and a word for each kind of mark."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.history_texts import author_text
from inspector.gui.theme import theme
from inspector.gui.timeline_data import Author, TimelineData
from inspector.gui.timeline_flags import MARKS, mark_shape

_GAP = 16
_SIGN = 14


class TimelineLegend(QWidget):
    """Painted from right to left; what has no room is left out, the panel at the right names all."""

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
        whole = [author_text(author) for author in data.authors]
        self.setToolTip("\n".join(whole))
        self.setAccessibleDescription(", ".join(text for _, _, text in self._entries))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme().px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = theme().font(12)
        metrics = QFontMetrics(font)
        px = theme().px
        widths = [px(_SIGN) + metrics.horizontalAdvance(text) + px(_GAP) for _, _, text in self._entries]
        fitting = next((n for n in range(len(widths), 0, -1) if sum(widths[:n]) - px(_GAP) <= self.width()), 0)
        left = self.width() - sum(widths[:fitting]) + px(_GAP)
        for (sign, token, text), width in zip(self._entries[:fitting], widths, strict=False):
            self._sign(painter, QPointF(left + px(4), self.height() / 2), sign, token)
            painter.setFont(font)
            painter.setPen(theme().color("muted"))
            room = QRectF(left + px(_SIGN), 0, width, self.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
            left += width

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
