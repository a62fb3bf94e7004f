"""Damaged ystores: what is readable opens, the rest is named, nothing crashes."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from ystore_cases import (
    NOTEBOOK,
    codes,
    copied,
    golden,
    make,
    opened,
    recognised,
    typed,
    updates_of,
)

from inspector.backends.ystore import BACKEND
from inspector.model import InspectorError
from inspector.progress import silent


def test_truncated_store_shows_what_is_left() -> None:
    assert recognised(golden("truncated_60pct"))
    with opened(golden("truncated_60pct")) as store:
        (finding,) = store.info.findings
        assert (finding.severity, finding.code) == ("error", "truncated")
        assert "54 updates" in finding.message
        whole = updates_of(golden("codec_none"))[NOTEBOOK]
        assert {one.data for one in store.stored_updates(NOTEBOOK)} <= set(whole)
        assert len(store.stored_updates(NOTEBOOK)) == 54
        assert store.info.maker == "pycrdt-store 0.1.3–0.1.5"


def _root_page(path: Path, table: str) -> tuple[int, int]:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (root,) = connection.execute(query, (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return root, size


def test_broken_tree_gives_all_rows(tmp_path: Path) -> None:
    path = copied("codec_none", tmp_path)
    root, size = _root_page(path, "yupdates")
    with open(path, "r+b") as file:
        file.seek((root - 1) * size)
        assert file.read(1) == b"\x05"
        file.seek((root - 1) * size)
        file.write(bytes(size))
    with opened(path) as store:
        assert codes(store.info.findings) == ["damaged-page"]
        found = {info.name: [one.data for one in store.stored_updates(info.name)] for info in store.collections}
    assert found == updates_of(golden("codec_none"))


def test_broken_first_page_gives_all_rows(tmp_path: Path) -> None:
    path = copied("codec_none", tmp_path)
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 8)
    assert recognised(path)
    with opened(path) as store:
        assert codes(store.info.findings) == ["damaged-page", "missing-checkpoints-table"]
        assert sum(info.versions or 0 for info in store.collections) == 110


def test_damage_met_only_while_loading_is_salvaged_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.backends.ystore.survey.DECODE_ALL_ROWS", 0)
    monkeypatch.setattr("inspector.backends.ystore.survey._sample", lambda connection: iter(()))
    path = tmp_path / "x.db"
    first, long, last = typed("y", "x" * 20_000, "z")
    make(path, [("d", first, b"", 1.0), ("d", long, b"", 2.0), ("d", last, b"", 3.0)])
    content = bytearray(path.read_bytes())
    overflow = next(n for n in range(len(content) // 4096) if content[n * 4096 + 4 : n * 4096 + 12] == b"xxxxxxxx")
    content[overflow * 4096 : overflow * 4096 + 4] = b"\x7f\xff\xff\xff"
    path.write_bytes(content)
    with opened(path) as store:
        assert (store.info.findings, store.collections[0].versions) == ((), 3)
        assert [one.data for one in store.stored_updates("d")] == [first, last]
        assert store.collections[0].versions == 2
        (finding,) = store.info.findings
        assert finding.code == "damaged-page"
        assert "1 rows with pieces missing" in finding.message


def test_random_damage_opens_or_refuses_with_a_sentence(tmp_path: Path) -> None:
    chance = random.Random(7)
    whole = golden("codec_none").read_bytes()
    known = {update for found in updates_of(golden("codec_none")).values() for update in found}
    intact = 0
    for number in range(60):
        path = tmp_path / f"{number}.db"
        path.write_bytes(_damaged(chance, whole, cut=number % 3 == 0))
        head = path.read_bytes()[:65536]
        BACKEND.recognises(path, head)
        BACKEND.explain(path, head)
        found, refusal = _looked_through(path)
        intact += sum(data in known for data in found)
        assert refusal is None or refusal.startswith(str(path))
    assert intact > 60 * 30


def _damaged(chance: random.Random, whole: bytes, *, cut: bool) -> bytes:
    content = bytearray(whole)
    for _ in range(chance.choice((1, 20, 400))):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content[: chance.randrange(len(content))] if cut else content)


def _looked_through(path: Path) -> tuple[list[bytes | None], str | None]:
    found: list[bytes | None] = []
    try:
        with opened(path) as store:
            for info in store.collections:
                found += [one.data for one in store.stored_updates(info.name)]
            list(BACKEND.check(store, silent))
    except InspectorError as error:
        return found, str(error)
    return found, None
