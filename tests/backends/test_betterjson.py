import json
import os
import struct
from pathlib import Path

import blosc2
import orjson
import pytest
from BetterJSONStorage import BetterJSONStorage
from hypothesis import given, settings
from hypothesis import strategies as st
from table_cases import GOLDEN, Documents, codes, contents, counts, databases, open_with, spell, styles
from tinydb import TinyDB

from inspector import registry, values
from inspector.backends import tinydb
from inspector.backends._chunks import read_header
from inspector.backends._traps import proven
from inspector.backends.betterjson import BACKEND
from inspector.model import Checks, Compresses, DecodeError, Explains, HasStates, InspectorError, Record
from inspector.progress import Cancelled, silent

CODEC = registry.codec("blosc2")
BASIC = {"_default": 2, "other": 1}
MANY = {"_default": 5}
BIG = {"people": 5000, "orders": 5000, "log": 5000}
OLD, NEW = "BetterJSONStorage 0.3–1.2.4 (blosc 1)", "BetterJSONStorage 1.2.5 or later (blosc2)"
CORPUS = [
    ("bjs-0.4-basic.db", BASIC, "blosclz", OLD, set()),
    ("bjs-0.4-many.db", MANY, "blosclz", OLD, set()),
    ("bjs-1.1-basic.db", BASIC, "blosclz", OLD, set()),
    ("bjs-1.2.4-basic.db", BASIC, "blosclz", OLD, set()),
    ("bjs-1.2.5-basic.db", BASIC, "blosclz", NEW, set()),
    ("bjs-1.2.5-many.db", MANY, "blosclz", NEW, set()),
    ("bjs-1.2.5-shrink.db", {"_default": 3}, "blosclz", NEW, set()),
    ("bjs-1.2.6-basic.db", BASIC, "blosclz", NEW, set()),
    ("bjs-1.2.6-shrink.db", {"_default": 3}, "blosclz", NEW, {"stale-tail"}),
    ("bjs-1.3.0-many.db", MANY, "blosclz", NEW, set()),
    ("bjs-1.3.2-basic.db", BASIC, "blosclz", NEW, set()),
    ("bjs-1.3.2-many.db", MANY, "blosclz", NEW, set()),
    ("bjs-1.3.2-shrink.db", {"_default": 3}, "blosclz", NEW, {"stale-tail"}),
    ("bjs-blosc1-zstd.db", BIG, "zstd", OLD, set()),
    ("bjs-codec-zstd-1.db", BIG, "zstd", None, set()),
    ("bjs-codec-lz4-5.db", BIG, "lz4", None, set()),
    ("bjs-blosc2-4-default-ts8.db", BIG, "zstd", "BetterJSONStorage 1.2.5 or later (blosc2 3 or later)", set()),
    ("bjs-indent-option.db", {"_default": 2}, "blosclz", NEW, set()),
    ("bjs-inner-nan.db", {"_default": 4}, "zstd", None, {"not-a-number"}),
    ("bjs-verbatim-tinydb-json.db", {"_default": 2, "t2": 1}, "zstd", None, set()),
    ("bjs-bitflip-blosclz.db", {"_default": 2000}, "blosclz", NEW, set()),
]
SOURCES = [
    "fmt-default.json",
    "fmt-utf8.json",
    "fmt-indent4-sorted.json",
    "tinydb-1.4.0.json",
    "tinydb-4.9.0.json",
    "trap-strings.json",
    "trap-floats.json",
    "trap-deep300.json",
    "custom-uuid-ids.json",
    "enc-utf-16.json",
    "empty-tables.json",
]
TRAPS = {
    "trap-bigint.json": {"integer-beyond-64-bit": 5},
    "trap-nan-inf.json": {"not-a-number": 3},
    "trap-1e400.json": {"number-beyond-double": 3},
    "trap-surrogates.json": {"lone-surrogate": 3},
    "trap-intkeys-collide.json": {"repeated-keys": 1},
    "trap-deep2000.json": {"depth": 1},
    "dup-ids.json": {"duplicate-ids": 1, "repeated-keys": 1},
}


def opened(path):
    return open_with(BACKEND, path)


def source_of(name):
    return open_with(tinydb.BACKEND, GOLDEN / name)


def written(tmp_path, data, name="store.db"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def findings(store):
    return [*store.info.findings, *BACKEND.check(store, silent)]


def as_the_library_reads(path):
    """Return what real BetterJSONStorage hands to TinyDB."""
    storage = BetterJSONStorage(Path(path), access_mode="r")
    try:
        return storage.read()
    finally:
        storage.close()


def chunk(text, **how):
    return bytes(blosc2.compress2(text, **{"typesize": 1, "filters": [blosc2.Filter.NOFILTER], **how}))


@pytest.mark.parametrize(("name", "tables", "codec", "maker", "expected"), CORPUS, ids=[case[0] for case in CORPUS])
def test_every_generation_opens_with_its_records(name, tables, codec, maker, expected):
    path = GOLDEN / name
    assert BACKEND.recognises(path, path.read_bytes()[:65536])
    assert tinydb.BACKEND.recognises(path, path.read_bytes()[:65536]) is None
    with opened(path) as store:
        assert counts(store) == tables
        assert store.info.codec == f"blosc2:codec={codec}"
        assert store.info.maker == maker
        assert store.info.decoded_size == struct.unpack_from("<i", path.read_bytes(), 4)[0]
        assert codes(findings(store)) == expected
        contents(store)


def test_the_capabilities_are_offered():
    for capability in (Checks, Compresses, Explains):
        assert isinstance(BACKEND, capability)
    with opened(GOLDEN / "bjs-1.3.2-basic.db") as store:
        assert isinstance(store, HasStates)
    assert registry.codec(BACKEND.compress_codec).spec == BACKEND.compress_codec
    assert "`blosc2<3`" in BACKEND.compress_note(CODEC)
    assert "1.3.2" in BACKEND.opens_in(CODEC)[0]


@pytest.mark.parametrize("how", [{"codec": c} for c in (blosc2.Codec.BLOSCLZ, blosc2.Codec.LZ4, blosc2.Codec.ZLIB)] + [
    {"clevel": 0},
    {"typesize": 8, "filters": [blosc2.Filter.SHUFFLE], "codec": blosc2.Codec.BLOSCLZ},
    {"typesize": 4, "filters": [blosc2.Filter.BITSHUFFLE]},
    {"blocksize": 4096},
])  # fmt: skip
def test_other_parameters_of_chunks_open(tmp_path, how):
    text = json.dumps({"t": {str(n): {"n": n, "text": "lorem ipsum"} for n in range(2000)}}).encode()
    text += b" " * (-len(text) % 8)
    with opened(written(tmp_path, chunk(text, **how))) as store:
        assert counts(store) == {"t": 2000}
        assert store.whole_text() == text.rstrip()


def test_appended_chunks_show_the_newest_and_open_by_number(tmp_path):
    states = [json.dumps({"t": {str(n): {"n": n} for n in range(k)}}).encode() for k in (1, 5, 3)]
    path = written(tmp_path, b"".join(chunk(text) for text in states))
    with opened(path) as store:
        assert counts(store) == {"t": 3}
        assert store.states == 3
        assert [counts(store.state(k)) for k in (1, 2, 3)] == [{"t": 1}, {"t": 5}, {"t": 3}]
        assert codes(store.info.findings) == {"appended-chunks"}
        assert [store.state(k).info.findings[0].message.split(". ")[1].partition(";")[0] for k in (1, 3)] == [
            "Chunk 1 is shown, the newest is the last",
            "The newest, the last, is shown",
        ]
        with pytest.raises(InspectorError, match="state 4 does not exist"):
            store.state(4)
    assert as_the_library_reads(path) == {"t": {"0": {"n": 0}}}


def test_an_appended_chunk_that_is_cut_off_leaves_the_one_before(tmp_path):
    path = written(tmp_path, chunk(b'{"t": {"1": {"a": 1}}}') + chunk(b'{"t": {"1": {"a": 2}, "2": {}}}')[:-9])
    with opened(path) as store:
        assert contents(store) == {"t": [("1", '{"a": 1}')]}
        assert codes(store.info.findings) == {"truncated"}


def test_a_tail_that_looks_like_a_chunk_but_holds_no_json_is_no_state(tmp_path):
    path = written(tmp_path, chunk(b'{"t": {"1": {"a": 1}}}') + chunk(b"no json in here at all") + b"rest")
    with opened(path) as store:
        assert counts(store) == {"t": 1}
        assert codes(store.info.findings) == {"stale-tail"}


def test_a_cut_chunk_opens_with_the_records_of_its_whole_blocks(tmp_path):
    database = {"t": {str(n): {"n": n, "hash": f"{n * 7919:x}" * 4} for n in range(8000)}}
    whole = chunk(json.dumps(database).encode(), blocksize=32768, nthreads=1)
    path = written(tmp_path, whole[: len(whole) // 2])
    assert BACKEND.recognises(path, path.read_bytes()[:65536])
    with opened(path) as store:
        rows = store.load("t", silent)
        assert 2000 < len(rows) < 6000
        assert [(row.key, row.value) for row in rows] == list(database["t"].items())[: len(rows)]
        (finding,) = store.info.findings
        assert (finding.severity, finding.code) == ("error", "truncated")
        assert f"{len(rows):,} records" in finding.message


def test_a_cut_stored_chunk_opens_up_to_the_cut(tmp_path):
    text = json.dumps({"t": {str(n): {"n": n} for n in range(100)}}).encode()
    path = written(tmp_path, chunk(text, clevel=0)[:700])
    with opened(path) as store:
        assert 30 < counts(store)["t"] < 60
        assert codes(store.info.findings) == {"truncated"}


def test_a_single_block_that_is_cut_is_refused_with_its_place():
    with pytest.raises(InspectorError, match=r"ends at byte 30,000 of 50,294"):
        opened(GOLDEN / "bjs-crash-trunc.db")


def test_a_damaged_block_leaves_those_before_it(tmp_path):
    database = {"t": {str(n): {"n": n, "hash": f"{n * 7919:x}" * 4} for n in range(8000)}}
    whole = bytearray(chunk(json.dumps(database).encode(), blocksize=32768, nthreads=1))
    frame = whole.index(b"\x28\xb5\x2f\xfd", len(whole) // 2)  # a zstd frame begins a block
    whole[frame : frame + 4] = b"\0\0\0\0"
    with opened(written(tmp_path, bytes(whole))) as store:
        rows = store.load("t", silent)
        assert [(row.key, row.value) for row in rows] == list(database["t"].items())[: len(rows)]
        assert len(rows) > 1000
        assert "bad-text" in codes(store.info.findings)


def test_a_flipped_bit_that_breaks_the_json_is_found_with_its_place(tmp_path):
    text = b'{"t": {"1": {"a": 1}, "2": {"b": 2}, "3": {"c": 3}}}'
    flipped = text.replace(b'"b":', b'"b"z')
    with opened(written(tmp_path, chunk(flipped))) as store:
        damaged = [finding for finding in findings(store) if finding.code == "bad-text"]
        assert damaged[0].where == "t/2"
        assert store.load("t", silent)[2].value == {"c": 3}


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("bjs-garbage-like-header.db", "sizes in its header do not fit"),
        ("not-blosc2-cframe.b2frame", "b2frame"),
    ],
)
def test_near_misses_are_explained(name, clause):
    path = GOLDEN / name
    assert BACKEND.recognises(path, path.read_bytes()) is None
    assert clause in BACKEND.explain(path, path.read_bytes())
    with pytest.raises(InspectorError, match="no BetterJSONStorage file"):
        opened(path)


def test_a_chunk_without_json_is_refused():
    with pytest.raises(InspectorError, match="its content is no JSON text"):
        opened(GOLDEN / "bjs-inner-notjson.db")


@pytest.mark.parametrize("name", ["bjs-1.3.2-crash-0byte.db", "bjs-1.3.2-typesize8-hang-0byte.db"])
def test_empty_files_open_on_request(name):
    with opened(GOLDEN / name) as store:
        assert counts(store) == {}
        assert list(findings(store)) == []


@pytest.mark.parametrize(
    ("place", "value"), [(4, 1 << 30), (8, 0), (8, 1 << 30), (12, 15), (16, 200), (31, 0x10), (31, 8)]
)
def test_headers_that_contradict_themselves_are_no_chunks(place, value):
    data = bytearray((GOLDEN / "bjs-1.2.5-many.db").read_bytes())
    if place < 16:
        struct.pack_into("<i", data, place, value)
    else:
        data[place] = value
    assert read_header(bytes(data[:32]), 0) is None


@pytest.mark.parametrize("name", SOURCES)
def test_real_betterjsonstorage_reads_what_is_written(tmp_path, name):
    path = tmp_path / "out.db"
    with source_of(name) as store:
        assert list(BACKEND.losses(store, CODEC, silent)) == []
        BACKEND.write(path, store, CODEC, silent)
        expected = contents(store)
    with opened(path) as again:
        assert contents(again) == expected
        assert "stale-tail" not in codes(again.info.findings)
    read = as_the_library_reads(path)
    assert read == {t: {k: json.loads(v) for k, v in rows} for t, rows in expected.items()}


def test_tinydb_on_real_betterjsonstorage_finds_the_documents(tmp_path):
    path = tmp_path / "out.db"
    with source_of("fmt-default.json") as store:
        BACKEND.write(path, store, CODEC, silent)
    with TinyDB(path, access_mode="r", storage=BetterJSONStorage) as database:
        assert [doc.doc_id for doc in database] == [1, 2]
        assert database.table("t2").get(doc_id=1) == {"ok": True}


def test_a_text_without_losses_is_compressed_verbatim(tmp_path):
    path = tmp_path / "out.db"
    with source_of("fmt-indent4-sorted.json") as store:
        BACKEND.write(path, store, registry.codec("blosc2:codec=lz4"), silent)
    assert blosc2.decompress(path.read_bytes()) == (GOLDEN / "fmt-indent4-sorted.json").read_bytes()


@pytest.mark.parametrize("name", TRAPS)
def test_losses_are_counted_placed_and_carried_as_promised(tmp_path, name):
    path = tmp_path / "out.db"
    with source_of(name) as store:
        losses = BACKEND.losses(store, CODEC, silent)
        assert {loss.kind: loss.count for loss in losses} == TRAPS[name]
        assert all(len(loss.where) == loss.count and "/" in loss.where[0] for loss in losses)
        BACKEND.write(path, store, CODEC, silent)
        promised = {}
        for info in store.collections:
            kept = BACKEND.carried(store.load(info.name, silent))
            promised[info.name] = [(record.key, record.text()) for record in kept]
    with opened(path) as again:
        assert contents(again) == promised
    assert set(as_the_library_reads(path)) == set(promised)


def test_what_is_carried_instead():
    def kept(text):
        return BACKEND.carried([Record("1", raw=text)])[0].text()

    assert kept(b'{"v": [NaN, -Infinity, 1e400, 1.10]}') == '{"v": [null, null, null, 1.1]}'
    assert kept(b'{"v": 36893488147419103232}') == '{"v": 36893488147419103232}'
    assert kept(b'{"\\ud800": "a\\udc00b"}') == '{"\\ufffd": "a\\ufffdb"}'
    assert kept(b'{"a": 1, "b": 2, "a": 3}') == '{"a": 3, "b": 2}'
    assert kept(b'{"v": 1e-400}') == '{"v": 1e-400}'
    assert kept(b'{"v": ' + b"9" * 5000 + b"}") == '{"v": null}'
    deep = orjson.loads(b"[" * 2 + kept(b'{"v": ' + b"[" * 1500 + b"]" * 1500 + b"}").encode() + b"]" * 2)
    for _ in range(2):
        deep = deep[0]
    deep = deep["v"]
    while isinstance(deep, list):
        deep = deep[0]
    assert set(deep) == {"[", "]"}


def test_a_record_that_orjson_reads_exactly_is_carried_as_it_is():
    record = Record("1", raw=b'{"a" : 1.10}')
    assert BACKEND.carried([record])[0] is record


def test_documents_and_histories(tmp_path):
    source = Documents("document", 4, note=[Record("source", "Zoë \ud800"), Record("n", 2**70), Record("x", [1])])
    losses = {loss.kind: (loss.count, loss.where) for loss in BACKEND.losses(source, CODEC, silent)}
    assert losses == {
        "lone-surrogate": (1, ("note/source",)),
        "integer-beyond-64-bit": (1, ("note/n",)),
        "history": (3, ("note",)),
    }
    BACKEND.write(tmp_path / "out.db", source, CODEC, silent)
    assert as_the_library_reads(tmp_path / "out.db") == {
        "note": {
            "1": {"key": "source", "value": "Zoë \ufffd"},
            "2": {"key": "n", "value": float(2**70)},
            "3": {"key": "x", "value": [1]},
        }
    }


def test_other_codecs_are_refused(tmp_path):
    with source_of("fmt-default.json") as store, pytest.raises(InspectorError, match="only blosc2"):
        BACKEND.write(tmp_path / "out.db", store, registry.codec("zlib"), silent)


def test_work_on_chunks_can_be_cancelled():
    def stop(done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        open_with(BACKEND, GOLDEN / "bjs-1.3.2-basic.db", progress=stop)


@settings(deadline=None)
@given(databases, styles)
def test_random_databases_reach_the_library_exactly_or_with_named_losses(tmp_path_factory, database, style):
    folder = tmp_path_factory.mktemp("better")
    (folder / "in.json").write_bytes(spell(database, style))
    with open_with(tinydb.BACKEND, folder / "in.json") as store:
        losses = BACKEND.losses(store, CODEC, silent)
        BACKEND.write(folder / "out.db", store, CODEC, silent)
        before = contents(store)
    read = as_the_library_reads(folder / "out.db")
    with opened(folder / "out.db") as again:
        after = contents(again)
    if not losses:
        assert after == before
        assert _as_seen(read) == _as_seen({t: {k: json.loads(v) for k, v in rows} for t, rows in before.items()})
    assert len(read) <= len(before)


def _as_seen(database):
    return json.dumps(database).replace("-0.0", "0.0").replace("-0,", "0,")


@given(st.binary(max_size=80), st.integers(0, 200), st.integers(0, 200))
@settings(deadline=None, max_examples=150)
def test_damaged_chunks_never_crash(tmp_path_factory, noise, start, length):
    whole = (GOLDEN / "bjs-1.2.6-shrink.db").read_bytes()[138:500]
    base = (GOLDEN / "bjs-verbatim-tinydb-json.db").read_bytes()
    damaged = base[:start] + noise + base[start + length :] + whole[: length % 7]
    path = written(tmp_path_factory.mktemp("damage"), damaged)
    BACKEND.recognises(path, damaged)
    BACKEND.explain(path, damaged)
    try:
        store = opened(path)
    except InspectorError:
        return
    for info in store.collections:
        for record in store.load(info.name, silent):
            try:
                record.text()
            except DecodeError:
                assert record.raw is not None


@pytest.mark.parametrize(
    "text",
    [b'[{"a":1}]', b'[{"a": 1, "b": {"a": "x\\":"}}]', b'[{"n": 9007199254740993, "f": 0.1, "s": "\\ud83d\\ude00"}]'],
)
def test_exact_texts_are_proven(text):
    assert proven(text)
    assert proven(b"[" + b",".join([text] * 5000) + b"]")


@pytest.mark.parametrize(
    "text",
    [
        b'[{"a":1,"a":2}]',
        b'[{"a" :1,"b":2,"b":3}]',
        b'[{"a":"\\u0022:","b":2,"b":3}]',
        b'[{"n":18446744073709551616}]',
        b'[{"n":-9223372036854775809}]',
        b'[{"n":1e400}]',
        b'[{"n":1.5E-400}]',
        b'[{"n":12e-0400}]',
        b'[{"n":NaN}]',
        b'[{"s":"\\ud800"}]',
        b'[{"s":"\xed\xa0\x80"}]',
        b'[{"s":"\xff"}]',
        b"[" * 1025 + b"]" * 1025,
        b"[{]",
    ],
)
def test_inexact_texts_are_never_proven(text):
    assert not proven(text)
    assert not proven(b"[" + b",".join([b'{"k":"filler"}'] * 9000 + [text] + [b'{"k":"filler"}'] * 9000) + b"]")


@settings(deadline=None)
@given(databases, styles)
def test_a_proven_text_is_read_by_orjson_exactly(database, style):
    text = spell(database, style)
    if proven(text):
        assert (
            values.same(values.parse(orjson.dumps(orjson.loads(text), option=0)), values.parse(text)) or b"-0" in text
        )


@pytest.mark.parametrize("name", ["bjs-1.3.2-shrink.db", "bjs-0.4-basic.db", "bjs-codec-zstd-1.db"])
def test_opening_changes_nothing(tmp_path, name):
    path = written(tmp_path, (GOLDEN / name).read_bytes(), name)
    os.chmod(path, 0o444)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    with opened(path) as store:
        contents(store)
        findings(store)
    status = path.stat()
    assert (status.st_mtime, status.st_atime) == (1_600_000_000, 1_600_000_000)
    assert path.read_bytes() == (GOLDEN / name).read_bytes()
    assert os.listdir(tmp_path) == [name]
