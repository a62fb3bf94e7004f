"""CSV: every value comes back as itself, Python's csv module sees the same cells, no cell of the safe form is run."""

import csv
import json
from contextlib import suppress

import pytest
from export_cases import hard_rows, read, texts_of, write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector import registry
from inspector.model import InspectorError, Record

anywhere = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def cells(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, strict=True))


@pytest.mark.parametrize("safe", [False, True])
@given(rows=hard_rows)
@anywhere
def test_any_records_come_back(safe, rows, tmp_path_factory):
    path = write("csv", tmp_path_factory.mktemp("csv") / "t.csv", {"t": rows}, safe=safe)
    assert read("csv", path) == ({"t": texts_of(rows)}, [])
    table = cells(path)
    assert len(table) == len(rows) + 1
    assert {len(row) for row in table} == {len(table[0])}


@given(rows=hard_rows)
@anywhere
def test_no_cell_of_the_safe_form_begins_a_formula(rows, tmp_path_factory):
    path = write("csv", tmp_path_factory.mktemp("csv") / "t.csv", {"t": rows}, safe=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    for row in cells(path):
        for cell in row:
            if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")):
                assert isinstance(json.loads(cell), int | float)
                assert "Infinity" not in cell


def test_the_form_is_what_the_docstring_says(tmp_path):
    rows = [
        Record("1", {"a": "text", "n": 10**30, "x": None, "s": "null"}),
        Record("2", {"a": "", "x": [1, {"b": "é"}], "n": -0.0}),
        Record("3", {"$v": "12"}),
        Record("4", [1]),
    ]
    path = write("csv", tmp_path / "t.csv", {"t": rows})
    assert path.read_bytes().decode() == (
        '$key,$order,$value,a,n,x,s,"""$v"""\r\n'
        '1,,,text,1000000000000000000000000000000,null,"null",\r\n'
        '2,"[""a"", ""x"", ""n""]",,"",-0.0,"[1, {""b"": ""\\u00e9""}]",,\r\n'
        '3,,,,,,,"12"\r\n'
        "4,,[1],,,,,\r\n"
    )
    assert read("csv", path)[0] == {"t": texts_of(rows)}


def test_texts_are_cells_as_they_are_for_other_readers(tmp_path):
    words = ["plain", "12", "null", "a,b", 'say "x"', "two\r\nlines", "=1+1", "é日😀", " space ", "\x00"]
    path = write("csv", tmp_path / "t.csv", {"t": [Record(str(n), {"w": word}) for n, word in enumerate(words)]})
    assert [row[1] for row in cells(path)[1:]] == words


def test_null_missing_empty_and_the_word_stay_four_things(tmp_path):
    rows = [Record("1", {"a": None, "b": 0}), Record("2", {"b": 0}), Record("3", {"a": ""}), Record("4", {"a": "null"})]
    path = write("csv", tmp_path / "t.csv", {"t": rows})
    assert read("csv", path)[0] == {"t": texts_of(rows)}


def test_a_document_becomes_a_table(tmp_path):
    path = write("csv", tmp_path / "d.csv", {"d": [Record("source", "x"), Record("cells[0]", {"a": 1})]}, "document")
    assert cells(path) == [["$key", "key", "value"], ["1", "source", "x"], ["2", "cells[0]", '{"a": 1}']]


def test_other_csv_is_imported_with_its_quotes_respected(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text('\ufeffid,name,zip,1\n7,Ann,"00123",\n8,"",00123,null\n\n9\n=x,\'=y,true,1.50\n', encoding="utf-8")
    room = registry.backend("csv")
    assert room.recognises(path, path.read_bytes()) is None
    assert room.imports(path, path.read_bytes())
    assert read("csv", path) == (
        {
            "other": [
                ("1", '{"id": 7, "name": "Ann", "zip": "00123"}'),
                ("2", '{"id": 8, "name": "", "zip": "00123", "1": null}'),
                ("3", '{"id": 9}'),
                ("4", '{"id": "=x", "name": "\'=y", "zip": true, "1": 1.5}'),
            ]
        },
        [],
    )


@pytest.mark.parametrize(
    ("content", "found", "codes"),
    [
        (b"$key,a\r\n1,x\r\n2,", [("1", '{"a": "x"}')], ["truncated"]),
        (b'$key,a\r\n1,x\r\n2,"two\r\nlines', [("1", '{"a": "x"}')], ["truncated"]),
        (b"$key,a\r\n1,x\r\n2\r\n3,y\r\n", [("1", '{"a": "x"}'), ("3", '{"a": "y"}')], ["bad-text"]),
        (b"$key,a\r\n1,x\r\n2,\xff\r\n", [("1", '{"a": "x"}')], ["bad-text"]),
        (b'$key,a\r\n1,x"y"\r\n', [], ["bad-text"]),
        (b"a,a\n1,2\n", [("1", '{"a": 1, "a": 2}')], []),
        (b"a\n1,2\n", [], ["bad-text"]),
    ],
)
def test_damaged_rows_are_left_out_and_named(tmp_path, content, found, codes):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert read("csv", path) == ({"t": found}, codes)


@pytest.mark.parametrize("content", [b"", b'"never closed', b"\xff\xfe,\n", b'a"b,c\n'])
def test_a_header_that_cannot_be_read_is_one_sentence(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InspectorError, match="no CSV that can be read"):
        read("csv", path)


@given(head=st.binary(max_size=60))
@anywhere
def test_no_bytes_make_it_raise_anything_else(head, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_bytes(head)
    room = registry.backend("csv")
    room.recognises(path, head)
    room.imports(path, head)
    with suppress(InspectorError):
        read("csv", path)
