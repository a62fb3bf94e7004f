from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from history_samples import MONDAY, notebook_session, write_store
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.theme import Theme
from inspector.gui.timeline_data import PAUSE, TimelineData
from inspector.gui.timeline_legend import TimelineLegend
from inspector.gui.timeline_plot import TimelinePlot
from inspector.model import Update
from inspector.operations.history import history
from inspector.operations.open import open_store


def update(index: int, moment: float | None, client: int = 7, **more: Any) -> Update:
    clients = (client,) if client else ()
    return Update(
        index,
        moment,
        20,
        20,
        "none",
        clients,
        more.get("kind", "edit"),
        more.get("inserted", 1),
        more.get("deleted", 0),
    )


def days() -> list[Update]:
    """Three days with an update each half an hour from 8 to 17:30, by three clients."""
    return [update(n + 1, MONDAY + (n // 20) * 86400 + (n % 20) * 1800, client=1 + n % 3) for n in range(60)]


def plotted(qtbot: QtBot, updates: Sequence[Update]) -> TimelinePlot:
    plot = TimelinePlot()
    qtbot.addWidget(plot)
    plot.resize(900, 210)
    plot.show()
    plot.set_data(TimelineData(updates))
    return plot


def test_bins_hold_every_update_once_by_author() -> None:
    data = TimelineData(days())
    bins = data.bins(*data.extent, 100)
    assert bins.heights.sum() == 60
    assert bins.heights.sum(axis=0).tolist() == [20, 20, 20, 0, 0]
    day = data.bins(MONDAY - 1, MONDAY + 36000, 50)
    assert day.heights.sum() == 20


def test_every_version_has_a_place_from_the_empty_one_to_the_last() -> None:
    data = TimelineData(days())
    places = [data.x(version) for version in range(data.last + 1)]
    assert places == sorted(places)
    assert len(set(places)) == 61
    assert [data.version_at(x) for x in places] == list(range(61))
    low, high = data.extent
    assert low < places[0]
    assert high > places[-1]


def test_authors_beyond_the_fourth_and_nobody_share_the_last_colour() -> None:
    updates = [
        update(n + 1, MONDAY + n, client=c) for n, c in enumerate([1] * 5 + [2] * 4 + [3] * 3 + [4] * 2 + [5, 6])
    ]
    data = TimelineData([*updates, update(17, MONDAY + 20, client=0)])
    named = [(author.client, author.updates) for author in data.authors if author.client]
    assert named == [(1, 5), (2, 4), (3, 3), (4, 2)]
    rest = [(author.clients, author.updates, author.series) for author in data.authors if author.client is None]
    assert rest == [(2, 2, 4), (0, 1, 4)]


@pytest.mark.parametrize(
    ("times", "axis"),
    [
        ([None, None, None], "no-times"),
        ([1.0, None, 3.0], "no-times"),
        ([5.0, 5.0, 5.0], "unordered"),
        ([5.0, 4.0, 6.0], "unordered"),
        ([1e300, 2e300, float("nan")], "no-times"),
        ([1.0, 2.0, 3.0], "time"),
    ],
)
def test_the_axis_counts_versions_where_times_do_not_order_them(times: list[float | None], axis: str) -> None:
    data = TimelineData([update(n, moment) for n, moment in enumerate(times, 1)])
    assert data.axis == axis
    if axis != "time":
        assert [data.x(version) for version in range(4)] == [0, 1, 2, 3]
        bins = data.bins(*data.extent, 100)
        assert bins.width == 1
        assert bins.heights.sum(axis=1).tolist()[:5] == [0, 0, 1, 1, 1]
        assert [text for _, text in data.ticks(0, 3, 10)] == ["0", "1", "2", "3"]


def test_an_empty_history_can_be_plotted(qtbot: QtBot) -> None:
    plot = plotted(qtbot, [])
    assert plot.flags.maximum() == 0
    plot.zoom(0.5)
    plot.reveal(0)
    assert not plot.grab().isNull()


def test_ticks_name_days_at_midnight_and_times_between() -> None:
    data = TimelineData(days())
    texts = [text for _, text in data.ticks(MONDAY, MONDAY + 2 * 86400, 4)]
    assert texts == ["12:00", "Tue 10 Mar", "12:00", "Wed 11 Mar"]
    texts = [text for _, text in data.ticks(MONDAY, MONDAY + 3600, 4)]
    assert texts == ["9 Mar 08:00", "08:15", "08:30", "08:45", "09:00"]


def test_a_session_begins_after_a_pause() -> None:
    data = TimelineData([update(1, 0.0), update(2, PAUSE), update(3, 2 * PAUSE + 1), update(4, 2 * PAUSE + 2)])
    assert data.session_start() == 2


def test_deletions_are_ranked_and_unusual_updates_marked() -> None:
    data = TimelineData(
        [
            update(1, 1.0, deleted=3),
            update(2, 2.0, deleted=9),
            update(3, 3.0, kind="damaged", inserted=0),
            update(4, 4.0, kind="full-state"),
        ]
    )
    assert data.deletions == (2, 1)
    assert dict(data.marks) == {1: "deletion", 2: "deletion", 3: "damaged", 4: "full-state"}


def test_dragging_the_flag_moves_through_versions_and_the_base_has_its_own(qtbot: QtBot) -> None:
    plot = plotted(qtbot, days())
    flags = plot.flags
    flags.setValue(60)
    moved: list[int] = []
    flags.valueChanged.connect(moved.append)
    middle = QPoint(round(plot._x_pixel(plot._data.x(30))), 80)  # type: ignore[union-attr]
    QTest.mouseClick(flags, Qt.MouseButton.LeftButton, pos=middle)
    assert flags.value() == 30
    assert moved == [30]
    flags.set_base(10)
    based: list[int] = []
    flags.base_moved.connect(based.append)
    start = QPoint(round(plot._x_pixel(plot._data.x(10))), 100)  # type: ignore[union-attr]
    flags.setValue(60)
    QTest.mousePress(flags, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(flags, middle)
    QTest.mouseRelease(flags, Qt.MouseButton.LeftButton, pos=middle)
    assert flags.base == 30
    assert based[-1] == 30
    assert flags.value() == 60


def test_zoom_keeps_the_place_of_the_flag_and_stays_inside_the_life(qtbot: QtBot) -> None:
    plot = plotted(qtbot, days())
    whole = plot.shown
    plot.flags.setValue(30)
    before = plot._x_pixel(plot._data.x(30))  # type: ignore[union-attr]
    plot.zoom(0.25)
    assert plot.shown[1] - plot.shown[0] == pytest.approx((whole[1] - whole[0]) / 4)
    assert plot._x_pixel(plot._data.x(30)) == pytest.approx(before, abs=2)  # type: ignore[union-attr]
    plot.zoom(100)
    assert plot.shown == pytest.approx(whole)
    plot.show_span(3600)
    plot.reveal(60)
    assert plot.shown[0] <= plot._data.x(60) <= plot.shown[1]  # type: ignore[union-attr]


def test_the_overview_moves_and_resizes_the_window(qtbot: QtBot) -> None:
    plot = plotted(qtbot, days())
    strip = plot.overview
    right = strip.width() - 2
    QTest.mousePress(strip, Qt.MouseButton.LeftButton, pos=QPoint(right, 10))
    QTest.mouseMove(strip, QPoint(right // 2, 10))
    QTest.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(right // 2, 10))
    low, high = plot.shown
    whole = plot._data.extent  # type: ignore[union-attr]
    assert low == pytest.approx(whole[0])
    assert high < whole[0] + (whole[1] - whole[0]) * 0.6
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(right - 20, 10))
    assert plot.shown[0] > low
    assert plot.shown[1] - plot.shown[0] == pytest.approx(high - low)


def test_the_wheel_zooms_where_the_pointer_is(qtbot: QtBot) -> None:
    plot = plotted(qtbot, days())
    span = plot.shown[1] - plot.shown[0]
    plot.flags.wheel_zoom.emit(0.5, 450.0)
    assert plot.shown[1] - plot.shown[0] == pytest.approx(span / 2)


def test_the_plot_says_itself_in_words(qtbot: QtBot, look: Theme) -> None:
    plot = plotted(qtbot, days())
    plot.flags.setValue(12)
    assert "60" in plot.summary()
    assert "12" in plot.summary()
    assert plot.flags.accessibleName() == "Version"
    assert plot.overview.accessibleName()
    light = plot.grab().toImage()
    look.set_mode("dark")
    dark = plot.grab().toImage()
    corner = QPointF(5, 5).toPoint()
    assert light.pixelColor(corner) != dark.pixelColor(corner)


def test_fifty_thousand_updates_zoom_within_a_frame(qtbot: QtBot) -> None:
    updates = [update(n + 1, MONDAY + n * 3.7 + (n // 5000) * 40000, client=1 + n % 6) for n in range(50_000)]
    plot = plotted(qtbot, updates)
    slowest = 0.0
    for step in range(20):
        start = time.perf_counter()
        plot.zoom(0.7 if step % 4 else 2.0)
        plot.flags.setValue(step * 2000)
        plot.repaint()
        slowest = max(slowest, time.perf_counter() - start)
    assert slowest < 0.1


@pytest.mark.parametrize("height", [200, 230, 300, 420])
def test_at_twice_the_text_no_part_covers_another(qtbot: QtBot, look: Theme, height: int) -> None:
    plot = plotted(qtbot, days())
    look.set_text_scale(2)
    plot.resize(900, height)
    assert plot._plot.geometry().bottom() <= plot.height()
    if plot.overview.isVisible():
        assert plot.overview.geometry().top() > plot._plot.geometry().bottom()
    assert plot.overview.isVisible() == (height > 200)
    assert plot.minimumSizeHint().height() <= 200


def test_only_the_flags_take_the_focus_and_all_has_a_name(qtbot: QtBot) -> None:
    plot = plotted(qtbot, days())
    stops = [part for part in plot.findChildren(QWidget) if part.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == [plot.flags]
    for part in (plot._plot, plot._plot.viewport(), plot.flags, plot.overview):
        assert part.accessibleName()


def test_the_legend_counts_what_has_no_room_and_names_it(qtbot: QtBot) -> None:
    updates = [*days(), update(61, MONDAY + 9e5, client=1, kind="deletion", inserted=0, deleted=500)]
    legend = TimelineLegend()
    qtbot.addWidget(legend)
    legend.set_data(TimelineData(updates))
    legend.resize(900, 24)
    legend.show()
    assert legend.folded == 0
    wide = legend.grab().toImage()
    legend.resize(230, 24)
    assert legend.folded == 2
    assert legend.grab().toImage() != wide.copy(670, 0, 230, 24)
    for name in ("client 1", "client 2", "client 3", "Large deletion"):
        assert name in legend.toolTip()
        assert name in legend.accessibleDescription()


def test_a_real_store_is_plotted(qtbot: QtBot, tmp_path: Any) -> None:
    path = write_store(tmp_path / "course.ystore.db", **{"notebook:a.ipynb.y": notebook_session()})
    with open_store(path) as store:
        updates = history(store, store.collections[0].name).updates
        plot = plotted(qtbot, updates)
    assert plot._data is not None
    assert plot._data.axis == "time"
    bins = plot._data.bins(*plot._data.extent, 80)
    assert bins.heights.sum() == len(updates)
    lost = plot._data.deletions[0]
    tip = plot._tip(plot._x_pixel(plot._data.x(lost)))
    assert tip.startswith(f"Version {lost} of {len(updates)} · 10 Mar 10:01 UTC · Deletion · ")
    assert updates[plot._data.deletions[0] - 1].deleted == max(u.deleted for u in updates)
