"""Stopping the survey of a store: nothing reads from a connection that is closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.backends._sqlite import Database
from inspector.backends.ystore import survey
from inspector.operations.open import open_store
from inspector.progress import Cancelled

STORE = Path(__file__).parent.parent / "golden" / "ystore" / "codec_zlib.ystore.db"


@pytest.mark.parametrize("taken", [1, 2, 5])
def test_a_sample_that_is_left_behind_outlives_its_connection(taken: int) -> None:
    with Database(STORE) as database:
        with database.connect() as connection:
            sample = survey._sample(connection)
            assert [len(next(sample)) for _ in range(taken)] == [1] * taken
        sample.close()


@pytest.mark.parametrize("calls", range(1, 6))
def test_opening_can_be_stopped_at_every_step(calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "DECODE_ALL_ROWS", 0)
    left = calls

    def progress(done: int, total: int | None) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        open_store(STORE, progress=progress)
