"""JSON Lines: every value comes back, Python's json reads the same, other programs' lines are imported."""

import json

import pytest
from export_cases import hard_tables, promised, read, write
from hypothesis import HealthCheck, given, settings

from inspector import registry
from inspector.model import Record
from inspector.progress import silent

anywhere = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(tables=hard_tables)
@anywhere
def test_any_records_come_back(tables, tmp_path_factory):
    path = write("jsonl", tmp_path_factory.mktemp("jsonl") / "t.jsonl", tables)
    assert read("jsonl", path) == (promised("jsonl", tables), [])
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    assert [(line["collection"], line["key"]) for line in lines] == [
        (name, row.key) for name, rows in tables.items() for row in rows
    ]


def test_a_collection_without_records_is_a_loss(tmp_path):
    from export_cases import InMemory

    found = registry.backend("jsonl").losses(
        InMemory({"a": [], "b": [Record("1", {})]}), registry.codec("none"), silent
    )
    assert [(loss.kind, loss.count, loss.where) for loss in found] == [("empty-collection", 1, ("a",))]


def test_lines_of_our_kind_are_read_in_any_spacing_and_order(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"collection":"a","key":"1","value":{"x": 1}}\r\n\n'
        b' { "collection" : "b" , "key" : "\\u00e9" , "value" : [1] } \n{"collection":"a","key":"2","value":{}}'
    )
    assert read("jsonl", path) == ({"a": [("1", '{"x": 1}'), ("2", "{}")], "b": [("\xe9", "[1]")]}, [])
    with registry.backend("jsonl").open(path, registry.decoder(), silent) as store:
        assert [entry.kind for entry in store.collections] == ["table", "document"]


def test_other_lines_are_imported(tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"a": 1}\n\n{"a": 100000000000000000000}\n')
    room = registry.backend("jsonl")
    assert room.recognises(path, path.read_bytes()) is None
    assert room.imports(path, path.read_bytes())
    assert read("jsonl", path) == ({"events": [("1", '{"a": 1}'), ("3", '{"a": 100000000000000000000}')]}, [])


@pytest.mark.parametrize(
    ("content", "keys", "codes"),
    [
        (b'{"collection": "a", "key": "1", "value": 1}\n{"collection": "a", "key": "2", "va', ["1"], ["truncated"]),
        (b'{"collection": "a", "key": "1", "value": 1}\n{"x": 1}\n{"collection": "a", "key": "3", "value": 1}\n',
         ["1", "3"], ["bad-text"]),
        (b'{"collection": "a", "key": "1", "value": 1, "more": 2}\n', [], ["bad-text"]),
        (b'{"collection": "a", "key": "1", "value": "\xff"}\n', [], ["bad-text"]),
        (b'{"a": 1}\n{"a": \n', ["1"], ["bad-text"]),
        (b'{"a": 1}\n{"a": ', ["1"], ["truncated"]),
    ],
)  # fmt: skip
def test_damaged_lines_are_left_out_and_named(tmp_path, content, keys, codes):
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    found, said = read("jsonl", path)
    assert ([key for rows in found.values() for key, _ in rows], said) == (keys, codes)


def test_many_bad_lines_are_counted(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a": 1}\n' + b"x\n" * 50)
    assert read("jsonl", path)[1] == ["bad-text"] * 21


@pytest.mark.parametrize("content", [b'{"a": 1}', b"[1]\n[2]\n", b"x\ny\n", b'{"_default": {}}\n', b'{"a":\n1}\n'])
def test_what_is_no_json_lines_is_not_imported(tmp_path, content):
    assert registry.backend("jsonl").imports(tmp_path / "x.json", content) is None
