"""The deeper check of ystores: each known fault is found where it is, and nowhere else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pycrdt
import pytest
from ystore_cases import FILE, GOLDEN, NEWEST, NOTEBOOK, Row, checked, codes, golden, make, typed

from inspector.backends._crdt import updates
from inspector.backends._crdt.faults import Coverage, merge, overlap
from inspector.backends.ystore import BACKEND
from inspector.model import Finding


def rows(data: list[Any], name: str = "d", start: float = 1.0) -> list[Row]:
    return [(name, one, b"", start + number) for number, one in enumerate(data)]


def only(findings: list[Finding], code: str) -> Finding:
    (found,) = [finding for finding in findings if finding.code == code]
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("codec_none", ["deleted-text-stored"]),
        ("checkpoints_interval10", ["deleted-text-stored"]),
        ("checkpoints_zstd_interval10", ["compressed-rows", "deleted-text-stored"]),
        ("client_id_over_53bit", []),
        ("interleaved_same_timestamp", ["deleted-text-stored"]),
        ("unknown_nested_roots", []),
        ("zero_rows", []),
        ("no_checkpoint_table", ["deleted-text-stored", "missing-checkpoints-table"]),
        ("pending_missing_predecessor", ["deleted-text-stored", "pending-structs"]),
        ("squashed_lost_history", ["pending-structs", "squash-damage"]),
        ("sync_prefixed_messages", ["deleted-text-stored", "sync-prefixed"]),
        ("empty_and_null_rows", ["deleted-text-stored", "empty-rows"]),
        ("flip_in_header", ["deleted-text-stored", "pending-structs", "undecodable-update"]),
        ("zlib_row_damaged", ["compressed-rows", "deleted-text-stored", "pending-structs", "undecodable-update"]),
        ("truncated_60pct", ["truncated"]),
    ],
)
def test_faults_of_golden_stores(name: str, expected: list[str]) -> None:
    assert codes(checked(golden(name))) == expected


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.db")), ids=lambda path: path.name)
def test_codes_and_severities_are_those_of_the_contract(path: Path) -> None:
    severities = {
        "error": {"truncated", "damaged-page", "undecodable-update", "squash-damage"},
        "warning": {
            "missing-checkpoints-table",
            "schema-version",
            "pending-structs",
            "clock-step",
            "compressed-rows",
            "checkpoint-mismatch",
        },
        "info": {
            "deleted-text-stored",
            "free-pages",
            "duplicate-update",
            "sync-prefixed",
            "empty-rows",
            "times-invented",
        },
    }
    if BACKEND.recognises(path, path.read_bytes()[:65536]):
        for finding in checked(path):
            assert finding.code in severities[finding.severity]


def test_damaged_updates_are_numbered() -> None:
    finding = only(checked(golden("flip_in_header")), "undecodable-update")
    assert (finding.severity, finding.where, finding.repairable) == ("error", NOTEBOOK, False)
    assert finding.message.startswith("Update 4 cannot be decoded")


def test_pending_names_client_and_clock() -> None:
    findings = checked(golden("pending_missing_predecessor"))
    finding = only(findings, "pending-structs")
    assert (finding.severity, finding.where, finding.repairable) == ("warning", FILE, False)
    assert "client 3602365064321198 from clock 41 on" in finding.message


def test_an_update_that_refers_to_an_unknown_client_is_pending(tmp_path: Path) -> None:
    first = typed("hello", client=1)
    doc: pycrdt.Doc[Any] = pycrdt.Doc(client_id=2)
    doc.apply_update(first[0])
    before = doc.get_state()
    source = doc.get("source", type=pycrdt.Text)
    source += "x"
    reply = doc.get_update(before)
    assert codes(checked(make(tmp_path / "whole.db", rows([*first, reply])))) == []
    assert codes(checked(make(tmp_path / "part.db", rows([reply])))) == ["pending-structs"]


def test_squash_damage_is_curable_only_from_a_checkpoint(tmp_path: Path) -> None:
    first, second, third = typed("a", "b", "c")
    doc: pycrdt.Doc[Any] = pycrdt.Doc()
    doc.apply_update(first)
    doc.apply_update(second)
    damaged = rows([b"\0\0", third])
    without = only(checked(make(tmp_path / "x.db", damaged)), "squash-damage")
    assert (without.severity, without.repairable) == ("error", False)
    path = make(tmp_path / "y.db", damaged)
    _put_checkpoint(path, doc.get_update(), 0.5)
    findings = checked(path)
    assert only(findings, "squash-damage").repairable
    assert "holds more than the rows" in only(findings, "checkpoint-mismatch").message


def test_empty_updates_alone_are_no_damage(tmp_path: Path) -> None:
    assert codes(checked(make(tmp_path / "x.db", rows([b"\0\0", *typed("a", "b"), b"\0\0"])))) == []


def _put_checkpoint(path: Path, data: bytes, time: float) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO ycheckpoints VALUES ('d', ?, ?)", (data, time))


def _squashed(data: list[bytes]) -> bytes:
    doc: pycrdt.Doc[Any] = pycrdt.Doc()
    for one in data:
        doc.apply_update(one)
    return doc.get_update()


def test_a_checkpoint_of_the_rows_fits(tmp_path: Path) -> None:
    data = typed("a", "b", "c")
    path = make(tmp_path / "x.db", rows(data))
    _put_checkpoint(path, _squashed(data[:2]), 2.0)
    assert codes(checked(path)) == []


def test_a_checkpoint_that_lacks_older_rows(tmp_path: Path) -> None:
    data = typed("a", "b", "c")
    path = make(tmp_path / "x.db", rows(data))
    _put_checkpoint(path, _squashed(data[:1]), 2.5)
    finding = only(checked(path), "checkpoint-mismatch")
    assert (finding.severity, finding.where, finding.repairable) == ("warning", "d", True)
    assert "lacks updates that are older" in finding.message


@pytest.mark.parametrize(
    ("checkpoint", "words"), [("zlib", "stored as zlib while the rows are none"), ("bad", "decoded")]
)
def test_a_checkpoint_in_another_codec(tmp_path: Path, checkpoint: str, words: str) -> None:
    import zlib

    data = typed("a", "b", "c")
    path = make(tmp_path / "x.db", rows(data))
    _put_checkpoint(path, zlib.compress(_squashed(data)) if checkpoint == "zlib" else b"\xff\xfe\xfd", 3.0)
    findings = checked(path)
    assert codes(findings) == ["checkpoint-mismatch"]
    assert words in only(findings, "checkpoint-mismatch").message


def test_the_clock_that_went_back(tmp_path: Path) -> None:
    data = typed("a", "b", "c")
    stepped = [("d", one, b"", time) for one, time in zip(data, (100.0, 40.0, 50.0), strict=True)]
    finding = only(checked(make(tmp_path / "x.db", stepped)), "clock-step")
    assert (finding.severity, finding.where) == ("warning", "d")
    assert "1 times, by up to 60.0 s" in finding.message


def test_duplicates(tmp_path: Path) -> None:
    data = typed("aaaa", "b")
    finding = only(checked(make(tmp_path / "x.db", rows([*data, data[0]]))), "duplicate-update")
    assert (finding.severity, finding.message) == ("info", "Update 3 repeats an earlier one.")


def test_deleted_text_is_counted_once(tmp_path: Path) -> None:
    doc: pycrdt.Doc[Any] = pycrdt.Doc(client_id=3, skip_gc=True)
    made: list[bytes] = []
    doc.observe(lambda event: made.append(event.update))
    source = doc.get("source", type=pycrdt.Text)
    source += "secret 🎉 word"
    del source[0:7]
    made.append(doc.get_update())
    finding = only(checked(make(tmp_path / "x.db", rows(made))), "deleted-text-stored")
    assert finding.message == "7 characters of deleted text are still stored in clear."


def test_free_pages(tmp_path: Path) -> None:
    path = make(tmp_path / "x.db", rows(typed(*["x" * 3000] * 20)))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM yupdates WHERE rowid > 1")
    finding = only(checked(path), "free-pages")
    assert (finding.severity, finding.repairable) == ("info", True)


def test_integrity_check_speaks_of_a_broken_index(tmp_path: Path) -> None:
    path = make(tmp_path / "x.db", rows(typed("a", "b")))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'REAL NOT NULL)', 'REAL NOT NULL, CHECK (timestamp > 1.5))') "
            "WHERE name = 'yupdates'"
        )
    finding = only(checked(path), "damaged-page")
    assert (finding.severity, finding.repairable) == ("error", True)
    assert "CHECK constraint failed" in finding.message


def test_two_documents_keep_their_findings_apart(tmp_path: Path) -> None:
    first = typed("a", "b")
    path = make(tmp_path / "x.db", [*rows(first, "good"), *rows(first[1:], "bad", start=9.0)])
    assert [(finding.code, finding.where) for finding in checked(path)] == [("pending-structs", "bad")]


def test_sampled_stores_learn_of_compressed_rows_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zlib

    monkeypatch.setattr("inspector.backends.ystore.survey.DECODE_ALL_ROWS", 0)
    monkeypatch.setattr("inspector.backends.ystore.survey._sample", lambda connection: iter(()))
    path = make(tmp_path / "x.db", rows([zlib.compress(one) for one in typed("a", "b")]), NEWEST)
    assert codes(checked(path)) == ["compressed-rows"]


def test_ranges() -> None:
    assert merge([(5, 9), (0, 2), (2, 3), (8, 12)]) == [(0, 3), (5, 12)]
    assert overlap([(0, 10), (20, 30)], [(5, 25), (29, 40)]) == 5 + 5 + 1
    assert overlap([], [(0, 1)]) == 0


def test_coverage_does_not_depend_on_order() -> None:
    made = [updates.parse(one) for one in typed(*"abcdef")]
    coverage = Coverage()
    for parsed in reversed(made):
        coverage.add(parsed)
    assert (coverage.ends(), coverage.gaps()) == ({9: 6}, {})
