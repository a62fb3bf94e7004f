from __future__ import annotations

import pytest
from history_samples import MONDAY
from PySide6.QtCore import Qt, QTimeZone
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.history_texts import client_text, local_text, short_utc_text, utc_text
from inspector.gui.transport import TICK, WHOLE_SECONDS, Transport, span_text


@pytest.fixture
def transport(qtbot: QtBot) -> Transport:
    """A transport over 3,917 versions, at 3,284, that goes where it wants."""
    row = Transport()
    qtbot.addWidget(row)
    row.set_history(3917, deletions=True, timed=True)
    row.set_position(3284, MONDAY)
    row.version_wanted.connect(lambda version: row.set_position(version, MONDAY + version))
    row.resize(1000, 50)
    row.show()
    return row


def button(row: Transport, name: str) -> QAbstractButton:
    return next(b for b in row.findChildren(QAbstractButton) if b.accessibleName() == name)


def test_first_previous_next_last_reach_every_version(transport: Transport) -> None:
    wanted: list[int] = []
    transport.version_wanted.connect(wanted.append)
    for name in ("Previous version", "Next version", "First version", "Last version"):
        button(transport, name).click()
    assert wanted == [3283, 3284, 0, 3917]
    assert not button(transport, "Next version").isEnabled()
    assert button(transport, "Previous version").isEnabled()
    button(transport, "First version").click()
    assert not button(transport, "Previous version").isEnabled()


def test_position_and_times_are_said_with_their_zones(transport: Transport) -> None:
    transport.set_position(3284, MONDAY)
    assert transport._number.text() == "3,284"
    assert transport._of.text() == "of 3,917"
    assert transport._utc.text() == "2026-03-09 08:00:00 UTC"
    assert transport._local.text() == local_text(MONDAY)
    transport.set_position(0, None)
    assert transport._utc.text() == "Before the first update"
    transport.set_position(5, None)
    assert transport._utc.text() == "No time stored"
    assert not transport._local.isVisibleTo(transport)


def test_the_local_time_is_said_only_where_it_is_another_one(transport: Transport) -> None:
    assert local_text(MONDAY, QTimeZone(b"Europe/Rome")) == "Mon 9 March, 09:00:00 in Rome"
    assert local_text(MONDAY, QTimeZone(b"UTC")) == ""


def test_times_that_no_calendar_has_are_no_text() -> None:
    for time in (None, -1.0, 1e300, float("nan"), float("inf")):
        assert utc_text(time) == short_utc_text(time) == local_text(time) == ""


def test_long_client_ids_are_shortened_only_where_asked() -> None:
    assert client_text(2839104177, short=True) == "client 2839104177"
    assert client_text(4601872195008572) == "client 4601872195008572"
    assert client_text(4601872195008572, short=True) == "client …8572"


def test_play_moves_forward_in_time_and_stops_at_the_end(qtbot: QtBot, transport: Transport) -> None:
    transport.set_history(60, deletions=True, timed=True)
    transport.set_position(40, MONDAY)
    transport.player.set_speed(16)
    with qtbot.waitSignal(transport.version_wanted, timeout=2000):
        transport.play.click()
    assert transport.player.playing
    assert transport.play.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: not transport.player.playing, timeout=3000)
    assert transport._version == 60


def test_play_at_the_end_begins_again(qtbot: QtBot, transport: Transport) -> None:
    transport.set_position(3917, MONDAY)
    wanted: list[int] = []
    transport.version_wanted.connect(wanted.append)
    transport.toggle_play()
    assert wanted[0] == 0
    transport.toggle_play()
    assert not transport.player.playing


def test_speed_goes_1_4_16_and_a_long_history_takes_larger_steps(qtbot: QtBot, transport: Transport) -> None:
    for expected in ("4×", "16×", "1×"):
        transport.speed.click()
        assert transport.speed.text() == expected
    steps: list[int] = []
    transport.player.stepped.connect(steps.append)
    transport.player.set_speed(16)
    transport.set_history(260_000, deletions=True, timed=True)
    transport.player.start(260_000)
    qtbot.waitUntil(lambda: len(steps) > 2, timeout=2000)
    transport.player.stop()
    assert max(steps) >= 16 * 260_000 / WHOLE_SECONDS * TICK / 1000 - 1


def test_the_row_is_one_tab_stop_and_arrows_move_inside(qtbot: QtBot, transport: Transport) -> None:
    transport.activateWindow()
    stops = [b for b in transport.findChildren(QAbstractButton) if b.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == [transport.play]
    transport.play.setFocus()
    QTest.keyClick(transport.play, Qt.Key.Key_Right)
    assert QApplication.focusWidget() is button(transport, "Next version")
    QTest.keyClick(button(transport, "Next version"), Qt.Key.Key_Left)
    assert QApplication.focusWidget() is transport.play


def test_every_button_has_a_name_and_a_size_to_hit(transport: Transport) -> None:
    for found in transport.findChildren(QAbstractButton):
        assert found.accessibleName() or found.text()
        if found.isVisible():
            assert found.height() >= 24
            assert found.width() >= 24


def test_narrow_rows_leave_out_words_before_they_clip(qtbot: QtBot, transport: Transport) -> None:
    for width in (620, 700, 850, 1000):
        transport.resize(width, 50)
        right = max(b.geometry().right() for b in transport.findChildren(QAbstractButton) if b.isVisible())
        assert right <= width
        assert button(transport, "Largest deletion").isVisible()


def test_the_length_is_in_sight_before_the_words_of_the_deletion(transport: Transport) -> None:
    transport.set_span("3 days")
    transport.resize(1100, 50)
    assert button(transport, "Largest deletion").text() == "Largest deletion"
    transport.resize(870, 50)
    QApplication.processEvents()
    assert transport._spans.isVisible()
    assert button(transport, "Largest deletion").text() == ""
    for width in range(760, 1100, 20):
        transport.resize(width, 50)
        for version in (0, 3284):
            transport.set_position(version, MONDAY)
            QApplication.processEvents()
            assert transport._utc.width() >= transport._utc.sizeHint().width()


def test_zoom_fit_and_deletion_ask_the_page(qtbot: QtBot, transport: Transport) -> None:
    factors: list[float] = []
    transport.zoomed.connect(factors.append)
    button(transport, "Zoom in").click()
    button(transport, "Zoom out").click()
    assert factors == [0.5, 2.0]
    with qtbot.waitSignals([transport.fitted, transport.largest_deletion]):
        transport._fit.click()
        button(transport, "Largest deletion").click()
    spans: list[float] = []
    transport.span_wanted.connect(spans.append)
    transport._spans.menu().actions()[1].trigger()
    assert spans == [3600.0]


def test_spans_are_said_in_their_largest_unit() -> None:
    assert span_text(4 * 86400).startswith("4 day")
    assert span_text(3600).startswith("1 hour")
    assert span_text(90).startswith("2 minute")
    assert span_text(14).startswith("14 second")
    assert span_text(0.1).startswith("1 second")
