"""Documents as records: against sidecars written by the real packages, and value by value."""

import json
from pathlib import Path

import pycrdt
import pytest
from crdt_cases import GOLDEN, logged, rows

from inspector import registry
from inspector.backends._crdt import content
from inspector.backends._crdt.timeline import Timeline, state
from inspector.backends._crdt.updates import Parsed, Struct, parse
from inspector.backends.ystore import BACKEND
from inspector.model import Record
from inspector.progress import silent

NOTEBOOKS = sorted(GOLDEN.glob("nb_*.db"))


def expected(path: Path) -> dict:
    return json.loads(path.with_name(path.name + ".expected.json").read_text())


def loaded(path: Path, name: str | None = None) -> dict[str, object]:
    with BACKEND.open(path, registry.decoder(), silent) as store:
        name = name or store.collections[0].name
        return {record.key: record.value for record in store.load(name, silent)}


def of(updates: list[bytes]) -> list[Record]:
    return list(state(rows(updates), len(updates), silent))


def values(updates: list[bytes]) -> dict[str, object]:
    return {record.key: record.value for record in of(updates)}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_of_every_generation_equals_its_sidecar(path: Path) -> None:
    (document,) = expected(path)["docs"].values()
    want = document["source"]
    got = loaded(path)
    cells = [value for key, value in got.items() if key.startswith("cells[")]
    for cell in cells:
        cell.pop("execution_state", None)
    assert cells == want["cells"]
    assert got["meta.metadata"] == want["metadata"]
    assert (got["meta.nbformat"], got["meta.nbformat_minor"]) == (want["nbformat"], want["nbformat_minor"])
    assert type(got["meta.nbformat"]) is int


def test_session_of_a_real_server_ends_as_its_clients_saw_it() -> None:
    path = GOLDEN / "session1.ystore.db"
    for room, want in expected(path)["final"].items():
        _, kind, identifier = room.split(":")
        got = loaded(path, f".{kind}:{identifier}.y")
        if kind == "file":
            assert got["source"] == want
            continue
        cells = [value for key, value in got.items() if key.startswith("cells[")]
        for cell in cells:
            cell.pop("execution_state", None)
        assert cells == want["cells"]
        assert got["meta.metadata"] == want["metadata"]


def test_unknown_roots_equal_the_sidecar() -> None:
    want = expected(GOLDEN / "unknown_nested_roots.ystore.db")["expected"]
    got = loaded(GOLDEN / "unknown_nested_roots.ystore.db")
    assert got["rich"] == want["rich"]
    assert got["prosemirror"] == want["prosemirror"]
    meta = want["whiteboard"]["meta"]
    assert got["whiteboard.meta"] == {**meta, "bin": bytes(meta["bin"]), "v": float(meta["v"])}
    assert got["whiteboard.shapes"] == want["whiteboard"]["shapes"]
    assert [got[f"log[{n}]"] for n in range(4)] == [*json.loads(want["log_json"])[:3], b"raw"]


@pytest.mark.parametrize("name", ["pending_missing_predecessor", "shuffled_rows", "empty_and_null_rows"])
def test_text_equals_the_sidecar(name: str) -> None:
    path = GOLDEN / f"{name}.ystore.db"
    document, text = next(iter(expected(path)["expected"].items()))
    assert loaded(path, document)["source"] == text


def test_order_of_records() -> None:
    def change(doc: pycrdt.Doc) -> None:
        doc["b"] = pycrdt.Map({"z": 1, "a": 2})
        doc["a"] = pycrdt.Array([10, 20])
        doc["c"] = pycrdt.Text("t")

    assert [record.key for record in of(logged(change))] == ["a[0]", "a[1]", "b.a", "b.z", "c"]


def test_values_are_exact() -> None:
    given = {
        "whole": 3.0,
        "minus zero": -0.0,
        "half": 0.5,
        "largest": float((1 << 53) - 1),
        "beyond": float(1 << 53),
        "bigint": (1 << 60) + 1,
        "infinite": float("-inf"),
        "bytes": b"\x00\xff",
        "none": None,
        "true": True,
        "nested": {"b": [1, {"x": b"y"}], "a": 2},
    }
    got = values(logged(lambda doc: doc.__setitem__("m", pycrdt.Map(given))))
    texts = {key.removeprefix("m."): repr(value) for key, value in got.items()}
    assert texts == {
        "whole": "3",
        "minus zero": "-0.0",
        "half": "0.5",
        "largest": "9007199254740991",
        "beyond": "9007199254740992.0",
        "bigint": "1152921504606846977",
        "infinite": "-inf",
        "bytes": "b'\\x00\\xff'",
        "none": "None",
        "true": "True",
        "nested": "{'a': 2, 'b': [1, {'x': b'y'}]}",
    }


def test_shared_types_and_subdocuments_inside() -> None:
    child = pycrdt.Doc(guid="abc")

    def change(doc: pycrdt.Doc) -> None:
        doc["a"] = pycrdt.Array([pycrdt.Map({"t": pycrdt.Text("hi"), "l": pycrdt.Array([1])}), child])

    assert values(logged(change)) == {"a[0]": {"t": "hi", "l": [1]}, "a[1]": {"$subdoc": "abc"}}


def test_xml_is_what_pycrdt_prints() -> None:
    xml = pycrdt.XmlFragment(
        [
            pycrdt.XmlElement("p", {"class": "c"}, [pycrdt.XmlText("a < b"), pycrdt.XmlElement("br")]),
            pycrdt.XmlText("end"),
        ]
    )
    doc = pycrdt.Doc()
    doc["x"] = xml
    assert values([doc.get_update()]) == {"x": str(doc["x"])}
    assert "<p" in str(doc["x"])


def test_deep_xml_does_not_overflow_the_stack() -> None:
    depth = 20_000
    first = b"\x07\x01\x01x\x03\x01p"
    inner = b"".join(b"\x07\x00\x01" + _integer(n) + b"\x03\x01p" for n in range(depth - 1))
    update = b"\x01" + _integer(depth) + b"\x01\x00" + first + inner + b"\x00"
    assert values([update]) == {"x": "<p>" * depth + "</p>" * depth}


def _integer(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number))


def test_text_with_formats_is_plain_text() -> None:
    def change(doc: pycrdt.Doc) -> None:
        doc["t"] = pycrdt.Text("hello")
        doc["t"].format(0, 2, {"bold": True})
        doc["t"].insert_embed(5, {"image": "u"})

    assert values(logged(change)) == {"t": "hello"}


def test_emptied_roots() -> None:
    def change(doc: pycrdt.Doc) -> None:
        doc["t"] = pycrdt.Text("gone")
        doc["l"] = pycrdt.Array([1])
        doc["t"].clear()
        doc["l"].clear()

    assert values(logged(change)) == {"t": ""}


def test_jupyters_source_that_was_emptied_before_a_squash_is_still_a_text() -> None:
    doc = pycrdt.Doc()
    doc["source"] = pycrdt.Text("gone")
    doc["other"] = pycrdt.Array([1])
    doc["source"].clear()
    doc["other"].clear()
    update = doc.get_update()
    assert {struct.kind for struct in parse(update).structs} == {"deleted"}
    assert values([update]) == {"source": ""}


def test_text_whose_beginning_was_deleted_before_a_squash() -> None:
    doc = pycrdt.Doc()
    doc["body"] = pycrdt.Text("ab")
    del doc["body"][0]
    assert values([doc.get_update()]) == {"body": "b"}


def test_root_used_as_several_kinds_shows_all() -> None:
    first, second = pycrdt.Doc(client_id=1), pycrdt.Doc(client_id=2)
    first["r"] = pycrdt.Text("text")
    second["r"] = pycrdt.Map({"k": 1})
    got = values([first.get_update(), second.get_update()])
    assert got == {"r(map).k": 1, "r(text)": "text"}


@pytest.mark.parametrize("text", ["🎉", "éa"])
def test_text_that_damage_put_into_an_array_does_not_hang(text: str) -> None:
    updates = logged(lambda doc: doc.__setitem__("a", pycrdt.Array([pycrdt.Map({})])), client=100)
    raw = text.encode()
    astray = b"\x01\x01\x65\x00\x84\x64\x00" + bytes((len(raw),)) + raw + b"\x00"  # a text after the Map
    assert values([*updates, astray]) == {"a": text}


def test_evidence_of_every_kind() -> None:
    def one(kind: str, **more: object) -> Struct:
        fields = {"origin": None, "right_origin": None, "sub": None, "type_ref": None, "text": None} | more
        return Struct(client=1, clock=0, length=1, kind=kind, parent="r", **fields)

    cases = [
        (one("any", sub="k"), "map"),
        (one("string", text="s"), "text"),
        (one("embed"), "text"),
        (one("format"), "text"),
        (one("type", type_ref=3), "xml"),
        (one("type", type_ref=6), "xml"),
        (one("type", type_ref=1), "array"),
        (one("binary"), "array"),
        (one("deleted"), "deleted"),
    ]
    for struct, view in cases:
        assert content.evidence([Parsed((struct,), {})]) == {"r": {view}}
    assert content.evidence([Parsed((case[0],), {}) for case in cases])["r"] == {case[1] for case in cases}


def test_nothing_is_shown_of_a_root_that_has_not_arrived() -> None:
    updates = logged(lambda doc: (doc.__setitem__("a", pycrdt.Text("x")), doc["a"].insert(1, "y")))
    timeline = Timeline(rows(list(reversed(updates))), silent)
    assert timeline.at(1, silent) == []
    assert [(r.key, r.value) for r in timeline.at(2, silent)] == [("a", "xy")]
