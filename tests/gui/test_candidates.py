"""The candidates of the compress sheet: their model, texts and bars."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot
from sheets import candidate

from inspector.gui.candidate_table import CandidateModel, Column
from inspector.gui.candidate_text import change_text, interval_text, rows_of, speed_text
from inspector.operations.advise import Advice


def test_the_model_keeps_qts_rules_and_speaks(qtbot: QtBot) -> None:
    model = CandidateModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    leave = candidate(action="leave", codec="none", label="Leave as it is", estimate=192_000_000, low=192_000_000,
                      high=192_000_000, encode_mb_s=None, decode_mb_s=None, opens_in=(), recommended=False)  # fmt: skip
    drops = candidate(codec="x", label="Squash", drops_versions=True, recommended=False)
    advice = Advice((candidate(), drops, leave), 19_000_000, 2.8, 1840, 18204, 192_000_000)
    model.set_advice(advice, frozenset({"zstd"}))
    shown = [[model.index(row, column).data() for column in Column] for row in range(model.rowCount())]
    assert shown[0] == ["zstd 3", "61.0 MB", "\N{MINUS SIGN}68 %", "410", "1,150"]
    assert shown[2] == ["Leave as it is", "192 MB", "", "", ""]
    spoken = model.index(0, Column.METHOD).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "zstd 3, recommended, needs a configuration, 61.0 MB, \N{MINUS SIGN}68 %"
    assert model.row(0).interval == "59.0–63.0 MB"
    assert model.row(1).warning == "drops versions"
    assert model.headerData(Column.SIZE, Qt.Orientation.Horizontal) == "Estimated size, 95 % interval"
    model.set_advice(advice, frozenset())
    assert tester.model() is model


def test_bars_never_leave_their_track() -> None:
    grown = candidate(estimate=131_000, low=131_000, high=140_000)
    (row,) = rows_of(Advice((grown,), 1, 1.0, 1, 1, 109_000), frozenset())
    assert 0 < row.low <= row.share < row.high == 1
    assert change_text(grown, 109_000) == "+20 %"
    assert row.grows


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(59_000_000, 63_000_000, "59.0–63.0 MB"), (990_000, 1_200_000, "990 kB–1.2 MB"), (99_010, 99_020, "")],
)
def test_intervals_say_the_unit_once(low: int, high: int, text: str) -> None:
    assert interval_text(low, high) == text


def test_speeds_have_two_or_three_digits() -> None:
    speeds = (None, 0.0004, 0.053, 6.69, 71.5, 1083.1)
    assert [speed_text(speed) for speed in speeds] == ["", "< 0.01", "0.05", "6.7", "71.5", "1,083"]
