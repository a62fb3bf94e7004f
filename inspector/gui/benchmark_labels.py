"""What lies over the scatter: labels in their places, the ring around the chosen point, and the card that explains it.

A transparent child of the plot paints it and follows the mouse, because pyqtgraph knows no label placement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.gui.paint import panel
from inspector.gui.tasks import Job, TaskRunner
from inspector.gui.theme import theme
from inspector.operations.charts_labels import Wish, crosses, place
from inspector.operations.charts_model import Scatter
from inspector.operations.charts_scene import Line, Rect, Text
from inspector.progress import Progress

_REACH = 16
"""Design pixels from a point within which the mouse is taken to mean it."""

_CARD = 214
_LINE = 20
_ROOMY = 260
_PAD = 12


@dataclass(frozen=True, slots=True)
class PointCard:
    """What the card of one point says: a title, a note beside it, and lines of (what, value)."""

    title: str
    note: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A label in its place near (*x*, *y*), where its point lay then."""

    x: float
    y: float
    text: Text
    leader: Line | None


def _placed(progress: Progress, wishes: list[Wish], room: Rect, barred: list[Rect], lines: list[Line]) -> list[_Placed]:
    """Find places for *wishes*. Slow: a tenth of a second and more."""
    progress(0, None)
    found = zip(wishes, place(wishes, area=room, barred=barred, lines=lines), strict=True)
    return [_Placed(wish.x, wish.y, *placed) for wish, placed in found if placed is not None]


class ScatterOverlay(QWidget):
    """The layer over *plot*; *at* maps a speed and a ratio to pixels, *area* is where points may lie."""

    chosen = Signal(str)
    hovered = Signal(str)

    def __init__(
        self, plot: QWidget, runner: TaskRunner, *, at: Callable[[float, float], QPointF], area: Callable[[], QRectF]
    ) -> None:
        super().__init__(plot)
        self._runner = runner
        self._at = at
        self._area = area
        self._frontier = self.tr("Pareto frontier")
        self._task: Job | None = None
        self._stale = False
        self._anchors: dict[str, QPointF] = {}
        self._chart: Scatter | None = None
        self._cards: Mapping[str, PointCard] = {}
        self._placed: list[_Placed] = []
        self._spots: list[QPointF] = []
        self.chosen_key = ""
        self.hovered_key = ""
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)

    def set_chart(self, chart: Scatter | None, cards: Mapping[str, PointCard]) -> None:
        """Lie over another chart; *cards* by the points' labels."""
        self._chart, self._cards = chart, cards
        self.arrange()

    @property
    def labels(self) -> list[Text]:
        """The texts in their places, in pixels."""
        return [placed.text for placed in self._placed if placed.text.text in self._anchors]

    def arrange(self) -> None:
        """Find all places anew: the plot has another size, or another content.

        That takes a while, so a task does it; until it has, labels move with their points.
        """
        chart = self._chart
        self._spots, self._anchors = [], {}
        if chart is not None and not self._area().isEmpty():
            self._spots = [self._at(point.x, point.y) for point in chart.points]
            self._start(chart)
        self.update()

    def _start(self, chart: Scatter) -> None:
        area = self._area()
        room = Rect(area.left() + 2, area.top() + 2, area.right() - 2, area.bottom() - 2)
        wishes = list(self._wishes(chart, room))
        self._anchors = {wish.text.text: QPointF(wish.x, wish.y) for wish in wishes}
        # One at a time: a newer chart every moment would let none come to its end.
        self._stale = self._task is not None
        if self._task is None:
            self._task = self._runner.run(_placed, wishes, room, self._barred(chart), self._lines(chart, area))
            self._task.succeeded.connect(self._take)
            self._task.finished.connect(self._done)

    def _take(self, placed: list[_Placed]) -> None:
        self._placed = placed
        self.update()

    def _done(self) -> None:
        self._task = None
        if self._stale:
            self.arrange()

    def spot(self, key: str) -> QPointF | None:
        """Return where the point of *key* lies, None if it is not drawn."""
        points = self._chart.points if self._chart is not None else ()
        pairs = zip(points, self._spots, strict=False)
        return next((spot for point, spot in pairs if point.label == key), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hovered.emit(self._nearest(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self._nearest(event.position())
        if key:
            self.chosen.emit(key)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit("")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for placed in self._placed:
            anchor = self._anchors.get(placed.text.text)
            if anchor is not None:
                painter.save()
                painter.translate(anchor.x() - placed.x, anchor.y() - placed.y)
                self._paint_label(painter, placed)
                painter.restore()
        key = self.hovered_key or self.chosen_key
        for each in {self.chosen_key, key}:
            spot = self.spot(each) if each else None
            if spot is not None:
                painter.setPen(QPen(theme().color("accent"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(spot, theme().px(9), theme().px(9))
        spot = self.spot(key)
        # In a low plot the card of a point that is only chosen would hide the others.
        roomy = bool(self.hovered_key) or self._area().height() >= theme().px(_ROOMY)
        if spot is not None and key in self._cards and roomy:
            self._paint_card(painter, spot, self._cards[key])

    def _nearest(self, place: QPointF) -> str:
        assert self._chart is not None
        reach = theme().px(_REACH)
        near = [
            ((spot - place).manhattanLength(), point.label)
            for point, spot in zip(self._chart.points, self._spots, strict=False)
        ]
        distance, key = min(near, default=(reach + 1, ""))
        return key if distance <= reach else ""

    def _barred(self, chart: Scatter) -> list[Rect]:
        """Return what labels must not cover: points and error bars."""
        side = theme().px(6)
        barred = [Rect(s.x() - side, s.y() - side, s.x() + side, s.y() + side) for s in self._spots]
        for point in chart.points:
            low, high = self._at(point.x_low, point.y), self._at(point.x_high, point.y)
            barred.append(Rect(low.x() - 3, low.y() - 4, high.x() + 3, high.y() + 4))
        return barred

    def _wishes(self, chart: Scatter, room: Rect) -> Iterator[Wish]:
        """Yield what is to be named: the baseline first, then the frontier's points, then the others."""
        size = theme().px(11)
        if chart.baseline is not None:
            name, ratio = chart.baseline
            y = self._at(chart.points[0].x, ratio).y()
            yield Wish(room.left + 4, y, Text(0, 0, name, size, color="muted"))
        order = range(len(chart.points))
        for n in sorted(order, key=lambda n: (not chart.points[n].on_frontier, -chart.points[n].y, n)):
            point, spot = chart.points[n], self._spots[n]
            color = "text" if point.on_frontier else "muted"
            yield Wish(spot.x(), spot.y(), Text(0, 0, point.label, size, point.on_frontier, color))
        ends = pairwise(self._spots[n] for n in chart.frontier)
        start, end = max(ends, key=lambda pair: pair[1].x() - pair[0].x(), default=(QPointF(), QPointF()))
        if end.x() - start.x() > theme().px(64):
            x, y = (start.x() + end.x()) / 2, (start.y() + end.y()) / 2
            yield Wish(x, y, Text(0, 0, self._frontier, size, True))

    def _lines(self, chart: Scatter, area: QRectF) -> list[Line]:
        """Return the lines of the chart in pixels, which labels should not cover."""
        paths = [members for members in (*chart.families, chart.frontier) if len(members) > 1]
        lines = [Line(tuple(self._spots[n].toTuple() for n in members), "text") for members in paths]
        if chart.baseline is not None:
            y = self._at(chart.points[0].x, chart.baseline[1]).y()
            lines.append(Line(((area.left(), y), (area.right(), y)), "text"))
        return lines

    def _paint_label(self, painter: QPainter, placed: _Placed) -> None:
        text = placed.text
        if placed.leader is not None and text.text != self._frontier:
            painter.setPen(QPen(theme().color("faint"), 0.75))
            painter.drawPolyline([QPointF(x, y) for x, y in placed.leader.points])
        font = theme().font(11, 600 if text.bold else 400)
        painter.setFont(font)
        width = QFontMetrics(font).horizontalAdvance(text.text)
        # The lines behind keep clear of the letters.
        halo = QRectF(text.x - 1, text.y - text.size * 0.8, width + 2, text.size)
        ground = theme().color("surface")
        ground.setAlphaF(0.85)
        painter.fillRect(halo, ground)
        painter.setPen(theme().color(text.color))
        painter.drawText(QPointF(text.x, text.y), text.text)

    def _paint_card(self, painter: QPainter, spot: QPointF, card: PointCard) -> None:
        px, colours = theme().px, theme().color
        box = self._card_place(spot, px(_LINE) * (len(card.lines) + 1) + px(_PAD) * 2 - px(4))
        painter.setPen(QPen(colours("accent"), 1.5))
        painter.drawLine(_edge(box, spot), spot + _towards(spot, _edge(box, spot), px(9)))
        panel(painter, box, 8, fill=colours("raised"), line=colours("borderStrong"))
        left, right = round(box.left()) + px(_PAD), round(box.right()) - px(_PAD)
        row = QRect(left, round(box.top()) + px(_PAD) - px(2), right - left, px(_LINE))
        rows = ((card.title, card.note, 13, 600), *((what, value, 12, 400) for what, value in card.lines))
        for number, (what, value, size, weight) in enumerate(rows):
            end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.setFont(theme().font(size, weight))
            painter.setPen(colours("text" if number == 0 else "muted"))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, what)
            painter.setFont(theme().font(11 if number == 0 else 12, 500))
            painter.setPen(colours("accentText" if number == 0 else "text"))
            painter.drawText(row, int(end), value)
            row.translate(0, px(_LINE))

    def _card_place(self, spot: QPointF, height: int) -> QRectF:
        """Return where the card covers the fewest labels and points: beside its point or in a corner."""
        px, area = theme().px, self._area()
        width, gap = px(_CARD), px(26)
        across = [spot.x() + gap + share * (-width - 2 * gap) for share in (0, 0.25, 0.5, 0.75, 1)]
        down = [spot.y() + gap + share * (-height - 2 * gap) for share in (0, 0.25, 0.5, 0.75, 1)]
        across += [area.left() + 4, area.right() - width]
        down += [area.top() + 2, area.bottom() - height]
        boxes = [
            QRectF(min(max(x, area.left()), area.right() - width), min(max(y, area.top()), area.bottom() - height),
                   width, height)
            for y in down for x in across
        ]  # fmt: skip
        taken = [QRectF(b.left, b.top, b.right - b.left, b.bottom - b.top) for b in (t.bounds for t in self.labels)]

        def cost(box: QRectF) -> float:
            leader = Line((_edge(box, spot).toTuple(), spot.toTuple()), "accent")
            around = box.adjusted(-px(10), -px(10), px(10), px(10))
            hidden = sum(box.intersects(each) for each in taken)
            hidden += sum(crosses(leader, text.bounds) for text in self.labels)
            hidden += 2 * sum(around.contains(each) for each in self._spots)
            covers = 5000 if around.contains(spot) else 0
            return hidden * 40 + covers + (box.center() - spot).manhattanLength() * 0.7

        return min(boxes, key=cost)


def _edge(box: QRectF, spot: QPointF) -> QPointF:
    """Return the point of *box* that is nearest to *spot*."""
    return QPointF(min(max(spot.x(), box.left()), box.right()), min(max(spot.y(), box.top()), box.bottom()))


def _towards(start: QPointF, end: QPointF, length: float) -> QPointF:
    """Return the way from *start* to *end*, *length* pixels of it."""
    x, y = end.x() - start.x(), end.y() - start.y()
    share = length / max((x**2 + y**2) ** 0.5, 1e-9)
    return QPointF(x * share, y * share)
