"""Tables as CRDT documents and back: without loss as exact text, with named losses as CRDT values."""

import json

import pycrdt
import pytest
from crdt_cases import MemoryStore, logged, rows, shown

from inspector import values
from inspector.backends._crdt import content, crossing, writing
from inspector.backends._crdt.native import DEEPEST, native_losses, native_updates
from inspector.backends._crdt.updates import parse
from inspector.model import DecodeError, Record
from inspector.progress import silent

TRAPS = [
    Record("1", raw=b'{"nan": NaN, "inf": [Infinity, -Infinity], "zero": -0.0, "minus": -0}'),
    Record("2", raw=b'{"big": 123456789012345678901234567890, "i64": 9223372036854775807, "e": 1e400, "t": 1e-400}'),
    Record("3", raw=b'{"twice": 1, "twice": {"x": 1, "x": 2}}'),
    Record("4", raw=b'{"escaped": "\\ud800 \\udc00\\ud83d\\ude00", "half": 1.50, "e": 1E2}'),
    Record("5", raw=b'{"raw surrogate": "\xed\xa0\x80"}'),
    Record("6", raw='{ "spaced" :\n[1 ,2], "ü": "🎉" }'.encode()),
    Record("7", {"no": "text", "only": [1, 1.0, None, True]}),
    Record("1", raw=b'"the id again, and no object"'),
    Record("custom id é", raw=b"{}"),
    Record("deep", raw=b'{"a":' * 3000 + b"null" + b"}" * 3000),
]


def document(updates: list[bytes]) -> pycrdt.Doc:
    doc = pycrdt.Doc()
    for update in updates:
        doc.apply_update(update)
    return doc


def read(updates: list[bytes]) -> list[Record]:
    return content.records(document(updates), content.evidence(map(parse, updates)))


def test_every_trap_comes_back_exactly() -> None:
    updates = list(crossing.table_updates(TRAPS, silent))
    got = read(updates)
    assert shown(got) == shown(TRAPS)
    for before, after in zip(TRAPS, got, strict=True):
        if before.raw is not None and b"\xed\xa0\x80" not in before.raw:
            assert after.raw == before.raw
    assert len(updates) == 1
    assert crossing.table_losses("t", TRAPS, silent) == []


def test_document_is_an_array_of_pairs_to_pycrdt() -> None:
    doc = document(list(crossing.table_updates([Record("1", {"a": 1}), Record("b", [2])], silent)))
    assert list(doc.keys()) == ["records"]
    assert doc.get("records", type=pycrdt.Array).to_py() == [["1", '{"a": 1}'], ["b", "[2]"]]


def test_same_table_gives_the_same_bytes_and_pycrdt_encodes_it_so_too() -> None:
    (update,) = crossing.table_updates(TRAPS, silent)
    assert list(crossing.table_updates(TRAPS, silent)) == [update]
    assert document([update]).get_update() == update


def test_empty_table_is_still_a_table() -> None:
    (update,) = crossing.table_updates([], silent)
    assert list(document([update]).keys()) == ["records"]
    assert crossing.holds_table(parse(update), update)
    assert read([update]) == []


def test_large_table_takes_several_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossing, "BATCH", 300)
    table = [Record(str(n), {"name": "x" * n}) for n in range(60)]
    updates = list(crossing.table_updates(table, silent))
    assert len(updates) > 5
    assert shown(read(updates)) == shown(table)
    assert shown(read(updates[::-1])) == shown(table)
    assert document(updates).get("records", type=pycrdt.Array).to_py()[59] == ["59", table[59].text()]
    native = list(native_updates(table, silent))
    assert len(native) == 1
    assert crossing.holds_table(parse(updates[0]), updates[0])


def test_id_with_a_lone_surrogate_is_a_loss() -> None:
    table = [Record("ok", 1), Record("bad\ud800", 2)]
    assert read(list(crossing.table_updates(table, silent)))[1].key == "bad\ufffd"
    (loss,) = crossing.table_losses("t", table, silent)
    assert (loss.kind, loss.count, loss.where) == ("lone-surrogate", 1, ("t/bad\ud800",))


@pytest.mark.parametrize(
    "change",
    [
        lambda doc: doc.__setitem__("records", pycrdt.Array([["1", "{}"], "else"])),
        lambda doc: doc.__setitem__("records", pycrdt.Array([["1", "no JSON"]])),
        lambda doc: doc.__setitem__("records", pycrdt.Array([["1", "{}", "more"]])),
        lambda doc: doc.__setitem__("records", pycrdt.Array([[1, "{}"]])),
        lambda doc: doc.__setitem__("records", pycrdt.Map({"1": "{}"})),
        lambda doc: doc.__setitem__("other", pycrdt.Array([["1", "{}"]])),
    ],
)
def test_other_documents_are_no_tables(change) -> None:
    updates = logged(change)
    assert not crossing.holds_table(parse(updates[0]), updates[0])
    assert read(updates)[0].key != "1"


def test_pairs_in_shared_arrays_are_a_table_too() -> None:
    updates = logged(lambda doc: doc.__setitem__("records", pycrdt.Array([pycrdt.Array(["1", '{"a": 1}'])])))
    assert shown(read(updates)) == [("1", '{"a": 1}')]


NATIVE = [
    Record("10", {"text": "hé🎉", "empty": "", "list": [1, "a", [], {}, [1.5, {"q": None}], True], "n": 1.5}),
    Record("2", {"big": (1 << 53) + 1, "bytes": None}),
]


def test_native_values_are_shared_types() -> None:
    doc = document(list(native_updates(NATIVE, silent)))
    record = doc.get("records", type=pycrdt.Map)["10"]
    assert isinstance(record, pycrdt.Map)
    assert isinstance(record["text"], pycrdt.Text)
    assert isinstance(record["list"], pycrdt.Array)
    assert isinstance(record["list"][4], pycrdt.Array)
    record["text"].insert(0, "new ")
    assert str(record["text"]) == "new hé🎉"


def test_native_content_comes_back_by_key() -> None:
    got = {record.key: record.value for record in read(list(native_updates(NATIVE, silent)))}
    assert got == {f"records.{record.key}": record.value for record in NATIVE}


def test_native_updates_can_be_read_by_pycrdt_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.backends._crdt.native.BATCH", 50)
    table = [Record(str(n), {"a": ["x", n, n + 0.5], "b": {"c": "é"}}) for n in range(40)]
    updates = list(native_updates(table, silent))
    assert len(updates) > 3
    got = {record.key: record.value for record in read(updates[::-1])}
    assert got == {f"records.{record.key}": record.value for record in table}


def test_native_losses_are_named_and_counted() -> None:
    losses = {loss.kind: (loss.count, loss.where) for loss in native_losses("t", TRAPS, silent)}
    assert losses == {
        "record-order": (10, ("t",)),
        "key-order": (6, ("t/1", "t/2", "t/3", "t/4", "t/6", "t/7")),
        "not-a-number": (1, ("t/1",)),
        "number-type": (5, ("t/1", "t/3", "t/4", "t/6", "t/7")),
        "integer-beyond-64-bit": (1, ("t/2",)),
        "number-beyond-double": (1, ("t/2",)),
        "repeated-keys": (1, ("t/3",)),
        "lone-surrogate": (2, ("t/4", "t/5")),
        "duplicate-ids": (1, ("t/1",)),
        "depth": (1, ("t/deep",)),
    }


@pytest.mark.parametrize(
    ("text", "kinds", "stored"),
    [
        ('"plain"', [], '"plain"'),
        ("null", [], "null"),
        ("1.5", [], "1.5"),
        ('{"a": true}', [], '{"a": true}'),
        ("9007199254740993", [], "9007199254740993"),
        ("1", ["number-type"], "1"),
        ("1.0", ["number-type"], "1"),
        ("-0", ["number-type"], "-0.0"),
        ("-0.0", [], "-0.0"),
        ("NaN", ["not-a-number"], "NaN"),
        ("1e400", ["number-beyond-double"], '"1e400"'),
        ("9223372036854775808", ["integer-beyond-64-bit"], "9.223372036854776e+18"),
        ("1" + "0" * 400, ["integer-beyond-64-bit"], '"1' + "0" * 400 + '"'),
        ('"\\ud800"', ["lone-surrogate"], '"\\ufffd"'),
        ('{"\\ud800": null}', ["lone-surrogate"], '{"\\ufffd": null}'),
        ('{"a": null, "a": true}', ["key-order", "repeated-keys"], '{"a": true}'),
        ('{"b": null, "a": true}', ["key-order"], '{"a": true, "b": null}'),
    ],
)
def test_what_native_does_with_a_value(text: str, kinds: list[str], stored: str) -> None:
    table = [Record("1", raw=text.encode())]
    assert [loss.kind for loss in native_losses("t", table, silent)] == kinds
    assert shown(read(list(native_updates(table, silent)))) == [("records.1", stored)]


def test_what_lies_deep_is_native_text() -> None:
    value: list = []
    for _ in range(DEEPEST + 5):
        value = [value]
    (record,) = read(list(native_updates([Record("1", value)], silent)))
    inner = record.value
    for _ in range(DEEPEST):
        (inner,) = inner
    assert json.loads(inner) == [[[[[[]]]]]]
    assert [loss.kind for loss in native_losses("t", [Record("1", value)], silent)] == ["depth"]


def test_of_equal_ids_the_last_is_native() -> None:
    table = [Record("1", {"a": None}), Record("1", {"b": None})]
    assert shown(read(list(native_updates(table, silent)))) == [("records.1", '{"b": null}')]


def test_losses_of_a_store(tmp_path) -> None:
    path = tmp_path / "s"
    history = {"doc": rows(logged(lambda doc: doc.__setitem__("t", pycrdt.Text("a"))))}
    store = MemoryStore(path, history, {"one": [Record("1", 1)], "two": [Record("1", 2), Record("2", 3)]})
    assert writing.losses(store, silent) == ()
    native = {loss.kind: (loss.count, loss.where) for loss in writing.losses(store, silent, writing.NATIVE)}
    assert native == {"number-type": (3, ("one/1", "two/1", "two/2")), "record-order": (2, ("two",))}


def test_record_that_is_no_json_is_not_written_natively() -> None:
    with pytest.raises(DecodeError, match="record 1"):
        list(native_updates([Record("1", raw=b"{")], silent))


def test_exact_text_is_the_records_own() -> None:
    assert crossing.exact_text(Record("1", raw=b'{"a":1.50}')) == '{"a":1.50}'
    assert crossing.exact_text(Record("1", {"a": 1.5, "b": values.NumberText("1e400")})) == '{"a": 1.5, "b": 1e400}'
