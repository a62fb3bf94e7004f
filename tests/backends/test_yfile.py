"""FileYStore files of every generation, cut and hostile ones."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from ystore_cases import GOLDEN, replayed_text, typed

from inspector import registry
from inspector.backends._update_file import YFile
from inspector.backends.yfile import BACKEND
from inspector.model import InspectorError
from inspector.progress import silent


def opened(path: Path) -> YFile:
    store = BACKEND.open(path, registry.decoder(), silent)
    assert isinstance(store, YFile)
    return store


def recognised(path: Path) -> bool:
    return BACKEND.recognises(path, path.read_bytes()[:65536]) is not None


def chunk(data: bytes) -> bytes:
    assert len(data) < 128
    return bytes([len(data)]) + data


@pytest.mark.parametrize(
    ("name", "maker", "timed"),
    [
        ("ypy-websocket-0.1.13", "ypy-websocket 0.1", False),
        ("ypy-websocket-0.2.0", "ypy-websocket 0.2–0.6", False),
        ("ypy-websocket-0.5.0", "ypy-websocket 0.2–0.6", False),
        ("ypy-websocket-0.7.2", "ypy-websocket 0.7", False),
        ("ypy-websocket-0.12.4", "ypy-websocket 0.8–0.12, pycrdt-websocket or pycrdt-store", True),
        ("pycrdt-store-0.1.5", "ypy-websocket 0.8–0.12, pycrdt-websocket or pycrdt-store", True),
    ],
)
def test_every_generation(name: str, maker: str, timed: bool) -> None:
    path = GOLDEN / "versions" / f"{name}.fileystore.y"
    assert recognised(path)
    store = opened(path)
    (info,) = store.collections
    assert (info.name, info.versions, info.records) == (f"{name}.fileystore", 7, None)
    assert store.info.maker == maker
    assert (info.first is not None and info.first > 1.7e9) == timed
    stored = store.stored_updates(info.name)
    assert replayed_text(stored) == "# head\nprint('hello')\ny = 2\n"
    assert info.stored_bytes == sum(len(one.blob or b"") for one in stored)
    found = {finding.code for finding in store.info.findings}
    assert found == (set() if timed else {"schema-version", "times-invented"})


def test_metadata_and_time_are_exact() -> None:
    stored = opened(GOLDEN / "filestore_v2.y").stored_updates("filestore_v2")
    assert {one.metadata for one in stored} == {b"bob"}
    assert [one.rowid for one in stored] == list(range(1, 15))
    raw = (GOLDEN / "filestore_v2.y").read_bytes()
    assert stored[0].time == struct.unpack("<d", bytes.fromhex("f2bc1f0970c3da41"))[0]
    assert b"".join(one.blob or b"" for one in stored[:1]) in raw


def test_a_cut_last_record_is_left_out_and_said() -> None:
    store = opened(GOLDEN / "filestore_cut.y")
    assert store.collections[0].versions == 13
    (finding,) = store.info.findings
    assert (finding.severity, finding.code, finding.repairable) == ("error", "truncated", True)
    assert "13 updates" in finding.message


def test_header_only_is_an_empty_document() -> None:
    store = opened(GOLDEN / "filestore_header_only.y")
    assert [(info.name, info.versions) for info in store.collections] == [("filestore_header_only", 0)]
    assert store.load("filestore_header_only", silent) == []


def test_a_giant_length_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "giant.y"
    path.write_bytes(b"VERSION:2\n" + b"\xff" * 9 + b"\x01" + b"abc")
    with pytest.raises(InspectorError, match=r"byte 10, is longer than the file"):
        opened(path)


def test_damaged_records_are_updates_too(tmp_path: Path) -> None:
    first, second = typed("a", "b")
    path = tmp_path / "x.y"
    time = b"\x08" + struct.pack("<d", 5.0)
    records = [chunk(first) + b"\0" + time, chunk(b"\xff\xff\xff") + b"\0" + time, chunk(b"") + b"\0" + time]
    path.write_bytes(b"VERSION:2\n" + b"".join(records) + chunk(second) + b"\0" + time)
    store = opened(path)
    assert [one.data for one in store.stored_updates("x")] == [first, None, None, second]
    assert {finding.code for finding in store.info.findings} == {"empty-rows"}
    assert [finding.code for finding in BACKEND.check(store, silent)] == ["undecodable-update"]


def test_updates_are_ordered_by_time(tmp_path: Path) -> None:
    updates = typed("a", "b", "c")
    path = tmp_path / "x.y"
    times = (3.0, 1.0, 2.0)
    parts = [chunk(u) + b"\0\x08" + struct.pack("<d", t) for u, t in zip(updates, times, strict=True)]
    path.write_bytes(b"VERSION:2\n" + b"".join(parts))
    assert [one.rowid for one in opened(path).stored_updates("x")] == [2, 3, 1]
    assert [finding.code for finding in BACKEND.check(opened(path), silent)] == ["clock-step"]


def test_sync_messages_are_opened(tmp_path: Path) -> None:
    update = typed("hello")[0]
    path = tmp_path / "x.y"
    path.write_bytes(b"VERSION:1\n" + chunk(b"\0\x02" + chunk(update)) + b"\0")
    store = opened(path)
    assert store.stored_updates("x")[0].data == update
    assert "sync-prefixed" in {finding.code for finding in store.info.findings}


def test_jupyter_names_are_cleaned(tmp_path: Path) -> None:
    path = tmp_path / ".notebook:Untitled.ipynb.y"
    path.write_bytes((GOLDEN / "filestore_v2.y").read_bytes())
    (info,) = opened(path).collections
    assert (info.name, info.label) == (".notebook:Untitled.ipynb", "Untitled.ipynb")


@pytest.mark.parametrize(
    "content", [b"", b"hello world", b'{"_default": {}}', b"\x02\x01", b"\x00" * 50, bytes(range(256))]
)
def test_other_files_are_not_ours(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.y"
    path.write_bytes(content)
    assert not recognised(path)
    with pytest.raises(InspectorError):
        opened(path)


def test_a_version_nobody_wrote_is_named(tmp_path: Path) -> None:
    assert BACKEND.explain(tmp_path / "x.y", b"VERSION:9\n...") == (
        "a FileYStore file of version 9, which no released package writes"
    )


def test_an_unknown_document_is_a_sentence() -> None:
    with pytest.raises(InspectorError, match="holds one document"):
        opened(GOLDEN / "filestore_v2.y").stored_updates("other")
