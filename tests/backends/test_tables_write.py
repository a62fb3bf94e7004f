import json

import pytest
from hypothesis import given, settings
from table_cases import GOLDEN, Documents, contents, databases, open_with, spell, styles
from tinydb import TinyDB

from inspector import registry
from inspector.backends import betterjson
from inspector.backends._table_writer import COMPACT_STYLE, escaped, pieces, write_tables
from inspector.backends.tinydb import BACKEND
from inspector.model import CollectionInfo, InspectorError, Record
from inspector.progress import Cancelled, silent

NONE = registry.codec("none")


def test_the_default_style_is_tinydbs_own(tmp_path):
    source = Documents(
        "table", users=[Record("1", {"name": "Zoë", "n": [1, 2.0]}), Record("3", raw=b'{"a":1}')], none=[]
    )
    write_tables(tmp_path / "out.json", source, silent)
    assert (tmp_path / "out.json").read_bytes() == (
        b'{"users": {"1": {"name": "Zo\\u00eb", "n": [1, 2.0]}, "3": {"a":1}}, "none": {}}'
    )


def test_documents_become_a_table_of_keys_and_values(tmp_path):
    source = Documents("document", note=[Record("source", "text"), Record("cells[0]", {"a": b"\x00"})])
    write_tables(tmp_path / "out.json", source, silent)
    assert json.loads((tmp_path / "out.json").read_bytes()) == {
        "note": {
            "1": {"key": "source", "value": "text"},
            "2": {"key": "cells[0]", "value": {"a": {"$bytes": "AA=="}}},
        }
    }


def test_a_compact_style_keeps_the_records_own_text():
    source = [(CollectionInfo("t", "t", "table", 1, 0), [Record("1", raw='{"a" : "日"}'.encode())])]
    assert b"".join(pieces(source, COMPACT_STYLE)) == '{"t":{"1":{"a" : "日"}}}'.encode()


@pytest.mark.parametrize(
    "name", ["fmt-default.json", "fmt-separators.json", "fmt-indent4-sorted.json", "trap-strings.json", "dup-ids.json"]
)
def test_an_undamaged_ascii_text_is_carried_over_byte_for_byte(tmp_path, name):
    with open_with(BACKEND, GOLDEN / name) as store:
        BACKEND.write(tmp_path / "out.json", store, NONE, silent)
    assert (tmp_path / "out.json").read_bytes() == (GOLDEN / name).read_bytes().rstrip()


@pytest.mark.parametrize(
    "name",
    [
        "fmt-utf8.json",
        "enc-gbk.json",
        "enc-utf-16.json",
        "crash-trunc-middoc.json",
        "crash-stale-tail.json",
        "crash-concat.json",
        "tinydb-1.4.0.json",
        "trap-surrogates.json",
        "trap-bigint.json",
        "trap-1e400.json",
        "trap-intkeys-collide.json",
        "trap-deep2000.json",
        "ids-leading-zero.json",
    ],
)
def test_what_is_written_holds_the_same_records_and_is_sound_ascii(tmp_path, name):
    with open_with(BACKEND, GOLDEN / name) as store:
        BACKEND.write(tmp_path / "out.json", store, NONE, silent)
        expected = contents(store)
    assert (tmp_path / "out.json").read_bytes().isascii()
    with open_with(BACKEND, tmp_path / "out.json") as again:
        assert contents(again) == expected
        assert again.layout.index.whole
        assert not any(finding.severity == "error" for finding in again.info.findings)


def test_real_tinydb_opens_what_is_written(tmp_path):
    with open_with(BACKEND, GOLDEN / "tinydb-1.4.0.json") as store:
        BACKEND.write(tmp_path / "out.json", store, NONE, silent)
    with TinyDB(tmp_path / "out.json") as database:
        assert [doc.doc_id for doc in database] == [1, 3, 4]
        assert [doc["msg"] for doc in database.table("logs")] == ["hello", "日本"]
        assert database.insert({"new": True}) == 5


@settings(deadline=None)
@given(databases, styles)
def test_random_databases_survive_writing(tmp_path_factory, database, style):
    folder = tmp_path_factory.mktemp("write")
    (folder / "in.json").write_bytes(spell(database, style))
    with open_with(BACKEND, folder / "in.json") as store:
        expected = contents(store)
        BACKEND.write(folder / "whole.json", store, NONE, silent)
        rows = [(info, store.load(info.name, silent)) for info in store.collections]
        (folder / "pieces.json").write_bytes(b"".join(pieces(rows, COMPACT_STYLE)))
    for name in ("whole.json", "pieces.json"):
        with open_with(BACKEND, folder / name) as again:
            assert contents(again) == expected
    assert (folder / "whole.json").read_bytes().isascii()


def test_escaping_keeps_what_json_reads():
    raw = '{"é😀\u2028": "日本 \\" \\\\ /", "x": "\x7f"}'.encode()
    assert json.loads(escaped(raw)) == json.loads(raw)
    assert escaped(raw).isascii()
    assert json.loads(escaped(b'"\xed\xa0\x80"')) == "\ud800"


def test_large_texts_are_escaped_slice_by_slice(tmp_path):
    text = json.dumps({"t": {"1": {"text": "日本語" * 400_000}}}, ensure_ascii=False).encode()
    (tmp_path / "in.json").write_bytes(text)
    with open_with(BACKEND, tmp_path / "in.json") as store:
        BACKEND.write(tmp_path / "out.json", store, NONE, silent)
    assert json.loads((tmp_path / "out.json").read_bytes()) == json.loads(text)


def test_a_history_is_named_as_lost():
    source = Documents("document", 5, note=[Record("source", "text")], other=[])
    (loss,) = BACKEND.losses(source, NONE, silent)
    assert (loss.kind, loss.count, loss.where) == ("history", 8, ("note", "other"))


def test_values_deeper_than_json_reads_are_named_as_lost():
    deep = []
    for _ in range(950):
        deep = [deep]
    source = Documents("document", note=[Record("source", deep)])
    (loss,) = BACKEND.losses(source, NONE, silent)
    assert (loss.kind, loss.where) == ("depth", ("note/source",))


def test_writing_can_be_cancelled(tmp_path):
    def stop(done, total):
        raise Cancelled

    source = Documents("table", t=[Record(str(n), {"n": n}) for n in range(100)])
    with pytest.raises(Cancelled):
        write_tables(tmp_path / "out.json", source, stop)


def test_a_record_that_is_no_json_stops_the_losses_with_a_sentence(tmp_path):
    (tmp_path / "in.json").write_bytes(b'{"t": {"1": {"a" 1}}, "u": {"1": {}}}')
    with open_with(BACKEND, tmp_path / "in.json") as store, pytest.raises(InspectorError, match="Repair it first"):
        betterjson.BACKEND.losses(store, registry.codec("blosc2"), silent)
