"""The update reader against pycrdt: golden rows, random documents, mutants, and hostile input."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing
from typing import Any

import pycrdt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ystore_cases import GOLDEN, golden

from inspector.backends._crdt.updates import MAX_DEPTH, Parsed, accepts, first_root, parse, sync_payload
from inspector.model import DecodeError

ROOT_A = b"\x01\x01a"
STATE_MASK = (1 << 53) - 1


def one_struct(body: bytes, deletes: bytes = b"\0") -> bytes:
    return b"\x01\x01\x05\x00" + body + deletes


def pycrdt_takes(update: bytes) -> bool:
    try:
        pycrdt.Doc().apply_update(update)
    except ValueError:
        return False
    return True


def state_clocks(state: bytes) -> dict[int, int]:
    numbers, value, shift = [], 0, 0
    for byte in state:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value = shift = 0
    return dict(zip(numbers[1::2], numbers[2::2], strict=True))


def clocks(parsed: Parsed) -> dict[int, int]:
    """Per client how far the structs go without a gap from 0 on, as pycrdt's state counts."""
    ends: dict[int, int] = {}
    for struct in parsed.structs:
        client = struct.client & STATE_MASK  # pycrdt keeps 53 bits
        if struct.kind != "skip" and struct.clock == ends.get(client, 0):
            ends[client] = struct.clock + struct.length
    return {client: end for client, end in ends.items() if end}


def golden_rows() -> list[bytes]:
    chosen = [golden("codec_none"), golden("unknown_nested_roots"), golden("client_id_over_53bit")]
    rows = []
    for path in (*chosen, *sorted(GOLDEN.glob("versions/*.db"))):
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            rows += [row[0] for row in connection.execute("SELECT yupdate FROM yupdates")]
    return rows


def test_golden_rows_agree_with_pycrdt() -> None:
    rows = golden_rows()
    assert len(rows) > 200
    for row in rows:
        assert accepts(row) == pycrdt_takes(row), row.hex()
        if accepts(row):
            assert clocks(parse(row)) == state_clocks(pycrdt.get_state(row)), row.hex()


def test_struct_of_a_keystroke() -> None:
    (update, second) = _keystrokes("é🎉", "x")
    (struct,) = parse(update).structs
    assert (struct.client, struct.clock, struct.length) == (7, 0, 3)
    assert (struct.kind, struct.text, struct.parent, struct.origin) == ("string", "é🎉", "source", None)
    (struct,) = parse(second).structs
    assert (struct.clock, struct.origin, struct.parent, struct.text) == (3, (7, 2), None, "x")


def test_struct_of_a_map_entry_and_its_deletion() -> None:
    doc: pycrdt.Doc[Any] = pycrdt.Doc(client_id=7)
    made: list[bytes] = []
    doc.observe(lambda event: made.append(event.update))
    root = doc.get("state", type=pycrdt.Map)
    root["cell"] = pycrdt.Map({})
    del root["cell"]
    (struct,) = parse(made[0]).structs
    assert (struct.parent, struct.sub, struct.kind, struct.type_ref) == ("state", "cell", "type", 1)
    assert parse(made[1]).deletes == {7: ((0, 1),)}


def _keystrokes(*texts: str) -> list[bytes]:
    doc: pycrdt.Doc[Any] = pycrdt.Doc(client_id=7)
    made: list[bytes] = []
    doc.observe(lambda event: made.append(event.update))
    source = doc.get("source", type=pycrdt.Text)
    for text in texts:
        source += text
    return made


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
STEPS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.text(min_size=1, max_size=4), PLAIN), max_size=15)


class Clients:
    """Clients of one document that use every shared type pycrdt has."""

    def __init__(self) -> None:
        self.docs: list[pycrdt.Doc[Any]] = [pycrdt.Doc(client_id=client) for client in (1, 2**31, 2**52 + 5)]
        self.updates: list[bytes] = []
        for doc in self.docs:
            doc.observe(lambda event: self.updates.append(event.update))

    def step(self, who: int, what: int, text: str, value: Any) -> None:
        doc = self.docs[who]
        source, meta, cells, tree = (doc.get(name, type=kind) for name, kind in ROOTS)
        actions = (
            lambda: source.insert(0, text),
            lambda: source.insert_embed(0, {"image": text}),
            lambda: source.format(0, len(source), {"bold": True}) if len(source) else None,
            lambda: source.clear(),
            lambda: meta.__setitem__(text, value),
            lambda: meta.__setitem__(text, pycrdt.Text(text)),
            lambda: cells.append(pycrdt.Map({"source": pycrdt.Array([value])})),
            lambda: cells.append(pycrdt.Doc()),
            lambda: tree.children.append(pycrdt.XmlElement("p", {"class": text}, [pycrdt.XmlText(text)])),
            lambda: [other.apply_update(doc.get_update()) for other in self.docs],
        )
        actions[what]()


ROOTS = (("t", pycrdt.Text), ("m", pycrdt.Map), ("a", pycrdt.Array), ("x", pycrdt.XmlFragment))


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_random_documents_agree_with_pycrdt(steps: list[tuple[int, int, str, Any]]) -> None:
    clients = Clients()
    for step in steps:
        clients.step(*step)
    for update in [*clients.updates, *(doc.get_update() for doc in clients.docs)]:
        assert clocks(parse(update)) == state_clocks(pycrdt.get_state(update))


def test_roots_found_are_those_pycrdt_names() -> None:
    clients = Clients()
    for what in range(9):
        clients.step(0, what, "k", 1)
    update = clients.docs[0].get_update()
    roots = {struct.parent for struct in parse(update).structs if isinstance(struct.parent, str)}
    fresh: pycrdt.Doc[Any] = pycrdt.Doc()
    fresh.apply_update(update)
    assert roots == set(fresh.keys()) == {"t", "m", "a", "x"}


ON_PURPOSE = ("follow the update", "too large", "longer than ten bytes", "that is not UTF-8")


def test_mutants_raise_only_decode_error_and_differ_from_pycrdt_only_on_purpose() -> None:
    chance = random.Random(20261130)
    sound = [row for row in golden_rows() if 0 < len(row) < 600]
    refused = 0
    for _ in range(6000):
        mutant = _mutant(chance, chance.choice(sound))
        reason = _refusal(mutant)
        refused += reason is not None
        on_purpose = any(words in (reason or "") for words in ON_PURPOSE)
        assert pycrdt_takes(mutant) == (reason is None) or on_purpose, (reason, mutant.hex())
    assert refused > 1000


def _refusal(update: bytes) -> str | None:
    try:
        parse(update)
    except DecodeError as error:
        return str(error)
    return None


def _mutant(chance: random.Random, update: bytes) -> bytes:
    changed = bytearray(update)
    if chance.random() < 0.3:
        return bytes(changed[: chance.randrange(len(changed))])
    for _ in range(chance.choice((1, 1, 2))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


@given(st.binary(max_size=200))
def test_any_bytes_raise_only_decode_error(data: bytes) -> None:
    assert accepts(data) in (True, False)
    assert sync_payload(data) is None or accepts(sync_payload(data) or b"")


@pytest.mark.parametrize(
    "body",
    [
        b"\x00\x05",
        b"\x0a\x05",
        b"\x01" + ROOT_A + b"\x03",
        b"\x03" + ROOT_A + b"\x02\xff\x00",
        b"\x04" + ROOT_A + b"\x00",
        b"\x05" + ROOT_A + b"\x02{}",
        b"\x06" + ROOT_A + b"\x04bold\x04true",
        b"\x07" + ROOT_A + b"\x03\x01p",
        b"\x07" + ROOT_A + b"\x09",
        b"\x08" + ROOT_A + b"\x07\x7f\x7e\x7a" + bytes(8) + b"\x7b" + bytes(8) + b"\x7c" + bytes(4) + b"\x79\x78",
        b"\x08" + ROOT_A + b"\x01\x7d" + b"\xff" * 8 + b"\x01",
        b"\x09" + ROOT_A + b"\x01g\x76\x01\x01k\x7e",
        b"\x14" + ROOT_A + b"\x01x",
        b"\x24" + ROOT_A + b"\x01k\x01x",
    ],
)
def test_each_content_is_taken_as_pycrdt_takes_it(body: bytes) -> None:
    assert pycrdt_takes(one_struct(body))
    assert accepts(one_struct(body))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\x02" + ROOT_A + b"\x02\x011\x04null", "json"),
        (b"\x07" + ROOT_A + b"\x05\x01h", "type"),
        (b"\x07" + ROOT_A + b"\x07\x00\x09\x00", "type"),
        (b"\x07" + ROOT_A + b"\x07\x01\x09\x00\x09\x01", "type"),
    ],
)
def test_what_yjs_writes_and_pycrdt_cannot_read_is_read(body: bytes, kind: str) -> None:
    assert parse(one_struct(body)).structs[0].kind == kind


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"\0\0\0",
        one_struct(b"\x04" + ROOT_A + b"\x01x") + b"z",
        one_struct(b"\x0c" + ROOT_A),
        one_struct(b"\x07" + ROOT_A + b"\x08"),
        one_struct(b"\x05" + ROOT_A + b"\x01{"),
        one_struct(b"\x05" + ROOT_A + b"\x03NaN"),
        one_struct(b"\x04" + ROOT_A + b"\x01\xff"),
        b"\xff\xff\xff\xff\x0f" + bytes(40),
        b"\x01\xff\xff\xff\xff\x0f\x05\x00" + bytes(40),
        one_struct(b"\x08" + ROOT_A + b"\xff\xff\xff\xff\x0f" + b"\x7e" * 40),
        one_struct(b"\x08" + ROOT_A + b"\x01\x76\xff\xff\xff\xff\x0f"),
        one_struct(b"\x04" + ROOT_A + b"\xff\xff\xff\xff\x0fx"),
        one_struct(b"\x04" + ROOT_A + b"\x01x", b"\xff\xff\xff\xff\x0f"),
        b"\x01\x02\x05\x00\x00\xff\xff\xff\xff\x0f\x00\x01\x00",
        b"\x80" * 12 + b"\x00",
    ],
)
def test_what_is_no_update_is_refused_at_once(data: bytes) -> None:
    start = time.perf_counter()
    with pytest.raises(DecodeError):
        parse(data)
    assert time.perf_counter() - start < 0.1


def test_depth_that_kills_pycrdt_is_refused() -> None:
    def nested(depth: int) -> bytes:
        return one_struct(b"\x08" + ROOT_A + b"\x01" + b"\x75\x01" * depth + b"\x7e")

    assert accepts(nested(MAX_DEPTH - 1))
    assert pycrdt_takes(nested(MAX_DEPTH - 1))
    with pytest.raises(DecodeError, match="nested deeper"):
        parse(nested(300_000))


def test_sync_message_gives_the_update_inside() -> None:
    update = _keystrokes("hello")[0]
    for kind in (1, 2):
        assert sync_payload(bytes([0, kind, len(update)]) + update) == update
    assert sync_payload(update) is None
    assert sync_payload(b"\x00\x02" + bytes([len(update) + 1]) + update) is None
    assert sync_payload(b"\x00\x00\x01\x00") is None  # a state vector asked for, no update


def test_first_root_needs_only_the_beginning() -> None:
    update = _keystrokes("x" * 1000)[0]
    assert first_root(update[:40]) == "source"
    assert first_root(b"\0\0") is None
    assert first_root(b"\x01") is None


def test_a_large_update_is_read_in_linear_time() -> None:
    item = b"\x76\x01\x01k\x75\x14" + b"\x7d\x05" * 20
    update = one_struct(b"\x08" + ROOT_A + b"\xa0\x9c\x01" + item * 20_000)
    start = time.perf_counter()
    assert parse(update).structs[0].length == 20_000
    assert time.perf_counter() - start < 5
