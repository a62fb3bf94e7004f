import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_cases import GOLDEN, codes, contents, counts, databases, open_with, spell, styles
from tinydb import TinyDB
from tinydb.storages import JSONStorage

from inspector import registry
from inspector.backends import tinydb as backend_module
from inspector.backends._scan import Memory
from inspector.backends._text import Utf8Check, by_letters, decode_head, open_text
from inspector.backends.tinydb import BACKEND
from inspector.files import Slices
from inspector.model import Checks, DecodeError, Explains, HasStates, HasText, InspectorError
from inspector.progress import silent

SHOWN = {
    "crash-concat.json": {"test": 0},
    "crash-stale-tail.json": {"_default": 1},
    "crash-trunc-4096.json": {"_default": 44},
    "crash-trunc-instring.json": {"_default": 150},
    "crash-trunc-last.json": {"_default": 200},
    "crash-trunc-middoc.json": {"_default": 101},
    "custom-uuid-ids.json": {"_default": 5, "byname": 3},
    "dup-ids.json": {"_default": 4},
    "empty-default.json": {"_default": 0},
    "empty-object.json": {},
    "empty-tables.json": {"a": 0, "b": 0, "_default": 0},
    "enc-cp1252.json": {"_default": 1},
    "enc-cp932.json": {"_default": 1},
    "enc-gbk.json": {"_default": 1},
    "enc-latin-1.json": {"_default": 1},
    "enc-utf-16-le.json": {"_default": 2, "t2": 1},
    "enc-utf-16.json": {"_default": 2, "t2": 1},
    "enc-utf-8-sig.json": {"_default": 2, "t2": 1},
    "ext-serialization-tinydate.json": {"_default": 1},
    "fmt-default.json": {"_default": 2, "t2": 1},
    "fmt-indent4-sorted.json": {"_default": 2, "t2": 1},
    "fmt-separators.json": {"_default": 2, "t2": 1},
    "fmt-utf8.json": {"_default": 2, "t2": 1},
    "ids-leading-zero.json": {"_default": 4},
    "tinydb-1.0.0.json": {"_default": 1},
    "tinydb-1.4.0.json": {"_default": 3, "logs": 2},
    "tinydb-2.0.0.json": {"_default": 3, "logs": 2, "empty": 0},
    "tinydb-4.0.0.json": {"_default": 3, "logs": 2, "empty": 0},
    "tinydb-4.9.0.json": {"_default": 3, "logs": 2},
    "trailing-newline.json": {"_default": 1},
    "trap-1e400.json": {"_default": 3},
    "trap-bigint.json": {"_default": 9},
    "trap-deep2000.json": {"_default": 1},
    "trap-deep300.json": {"_default": 1},
    "trap-deep50.json": {"_default": 20},
    "trap-floats.json": {"_default": 18},
    "trap-intkeys-collide.json": {"_default": 1},
    "trap-nan-inf.json": {"_default": 4},
    "trap-strings.json": {"_default": 13},
    "trap-surrogates.json": {"_default": 4},
}
FOUND = {
    "crash-concat.json": {"concatenated-states"},
    "crash-stale-tail.json": {"stale-tail"},
    "crash-trunc-4096.json": {"truncated"},
    "crash-trunc-instring.json": {"truncated"},
    "crash-trunc-last.json": {"truncated"},
    "crash-trunc-middoc.json": {"truncated"},
    "custom-uuid-ids.json": {"custom-ids"},
    "dup-ids.json": {"duplicate-ids"},
    "enc-cp1252.json": {"encoding"},
    "enc-cp932.json": {"encoding"},
    "enc-gbk.json": {"encoding"},
    "enc-latin-1.json": {"encoding"},
    "enc-utf-16-le.json": {"encoding"},
    "enc-utf-16.json": {"encoding"},
    "enc-utf-8-sig.json": {"encoding"},
    "ext-serialization-tinydate.json": {"marker-text"},
    "ids-leading-zero.json": {"colliding-ids"},
    "tinydb-1.0.0.json": {"stale-tail"},
    "trap-1e400.json": {"not-a-number"},
    "trap-bigint.json": {"integer-beyond-64-bit"},
    "trap-deep2000.json": {"depth"},
    "trap-intkeys-collide.json": {"duplicate-ids"},
    "trap-nan-inf.json": {"not-a-number"},
    "trap-surrogates.json": {"lone-surrogate"},
}
REFUSED = {
    "empty-whitespace.json": "only white space",
    "json5-comments.json": "line 1, column 1: a comment",
    "not-array-root.json": "root is an array",
    "not-flat.json": "a number stands where a table should be",
    "not-geojson.json": "GeoJSON",
    "not-html.json": "no JSON",
    "not-ndjson.json": "JSON lines",
    "not-null.json": "only null",
    "not-text.json": "no JSON",
    "single-quotes.json": "line 1, column 2: single quotes",
}


def opened(path):
    return open_with(BACKEND, path)


def written(tmp_path, data, name="db.json"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def findings(store):
    return [*store.info.findings, *BACKEND.check(store, silent)]


@pytest.mark.parametrize("name", SHOWN)
def test_every_group_of_the_corpus_shows_its_records_and_findings(name):
    path = GOLDEN / name
    assert BACKEND.recognises(path, path.read_bytes()[:65536])
    with opened(path) as store:
        assert counts(store) == SHOWN[name]
        assert codes(findings(store)) == FOUND.get(name, set())
        contents(store)


@pytest.mark.parametrize("name", REFUSED)
def test_other_files_are_refused_in_one_sentence_that_says_what_they_are(name):
    path = GOLDEN / name
    assert BACKEND.recognises(path, path.read_bytes()) is None
    with pytest.raises(InspectorError) as refusal:
        opened(path)
    assert REFUSED[name] in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["ext-msgpack.mpdb", "ext-torm.db", "ext-yaml-recipe.yaml", "bjs-1.3.2-many.db"])
def test_other_storages_are_not_taken_for_json(name):
    assert BACKEND.recognises(GOLDEN / name, (GOLDEN / name).read_bytes()) is None


def test_an_empty_file_is_explained_and_opens_on_request(tmp_path):
    path = written(tmp_path, b"")
    assert BACKEND.recognises(path, b"") is None
    assert "--from-format tinydb" in BACKEND.explain(path, b"")
    with opened(path) as store:
        assert counts(store) == {}
        assert store.states == 1
        assert store.whole_text() is None
        assert store.info.findings == ()


def test_the_capabilities_are_offered():
    assert isinstance(BACKEND, Checks)
    assert isinstance(BACKEND, Explains)
    with opened(GOLDEN / "fmt-default.json") as store:
        assert isinstance(store, HasText)
        assert isinstance(store, HasStates)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("enc-cp1252.json", "Zoë – “quotes” €"),
        ("enc-cp932.json", "日本語 表"),
        ("enc-gbk.json", "中文"),
        ("enc-latin-1.json", "Zoë"),
    ],
)
def test_code_pages_are_told_by_their_letters(name, text):
    with opened(GOLDEN / name) as store:
        assert store.load("_default", silent)[0].value == {"t": text}
        finding = store.info.findings[0]
    assert finding.severity == "info"
    assert "shown as" in finding.message


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Привет, мир, как дела"),
        ("cp1250", "Příliš žluťoučký kůň"),
        ("cp932", "こんにちは、世界"),
        ("big5", "繁體中文測試"),
        ("euc_jp", "日本語テスト"),
        ("gbk", "我爱北京天安门"),
    ],
)
def test_longer_texts_of_other_code_pages_too(encoding, text):
    data = json.dumps({"t": {"1": {"text": text}}}, ensure_ascii=False).encode(encoding)
    assert by_letters(data).name == encoding
    read, found = open_text(Memory(data), Utf8Check(Memory(data)))
    assert found.name == encoding
    assert text in read.read(0, read.size).decode()


def test_the_other_code_pages_that_fit_are_named():
    with opened(GOLDEN / "enc-cp932.json") as store:
        assert store.layout.encoding.others == ("gbk",)
        assert "gbk also fits" in store.info.findings[0].message


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig"]
)
def test_wide_encodings_open_with_and_without_mark(tmp_path, encoding):
    database = {"t": {"1": {"text": "Zoë 日本 😀"}}}
    path = written(tmp_path, json.dumps(database, ensure_ascii=False).encode(encoding))
    assert BACKEND.recognises(path, path.read_bytes())
    with opened(path) as store:
        assert store.load("t", silent)[0].value == database["t"]["1"]
        assert codes(store.info.findings) == {"encoding"}


def test_a_damaged_byte_in_utf_8_is_an_error_and_is_never_replaced(tmp_path):
    text = json.dumps({"t": {str(n): {"text": "Zoë 日本"} for n in range(50)}}, ensure_ascii=False).encode()
    place = text.index("日".encode(), 700)
    path = written(tmp_path, text[:place] + b"\xff" + text[place + 1 :])
    with opened(path) as store:
        assert counts(store) == {"t": 50}
        damaged = [finding for finding in findings(store) if finding.code == "bad-text"]
        assert damaged[0].where == f"byte {place:,}"
        bad = []
        for record in store.load("t", silent):
            try:
                assert record.value == {"text": "Zoë 日本"}
            except DecodeError:
                bad.append(record.key)
        assert len(bad) == 1


def test_the_head_of_a_text_may_end_within_a_character():
    data = '{"t": {"1": {"text": "日本'.encode()
    for cut in range(len(data) - 6, len(data) + 1):
        assert data.startswith(decode_head(data[:cut], whole=False))


@settings(deadline=None)
@given(databases, styles)
def test_random_databases_are_read_exactly(tmp_path_factory, database, style):
    path = written(tmp_path_factory.mktemp("db"), spell(database, style))
    if not path.stat().st_size:
        return
    with opened(path) as store:
        expected = {name: [(key, json.dumps(value)) for key, value in rows.items()] for name, rows in database.items()}
        assert {name: [(k, _as_json(v)) for k, v in rows] for name, rows in contents(store).items()} == {
            name: [(k, _as_json(v)) for k, v in rows] for name, rows in expected.items()
        }


def _as_json(text):
    """Return a text that json reads the same: numbers beyond Python's digit limit and -0 keep their spelling."""
    return json.dumps(json.loads(text))


def test_what_tinydb_itself_writes_is_read_back(tmp_path):
    path = tmp_path / "real.json"
    with TinyDB(path) as database:
        database.insert_multiple({"n": n, "text": "Zoë"} for n in range(30))
        database.remove(doc_ids=[2, 3])
        database.table("logs").insert({"nested": {"list": [1, 2.5, None]}})
    with opened(path) as store, TinyDB(path, access_mode="r") as database:
        rows = store.load("_default", silent)
        assert [(int(row.key), row.value) for row in rows] == [(doc.doc_id, dict(doc)) for doc in database]
        assert rows[-1].key == "30"
        assert [row.key for row in rows[1:3]] == ["4", "5"]
        assert store.load("logs", silent)[0].value == {"nested": {"list": [1, 2.5, None]}}
        assert findings(store) == []


def test_states_are_opened_by_number():
    with opened(GOLDEN / "crash-concat.json") as store:
        assert store.states == 2
        assert counts(store.state(1)) == {"test": 1}
        assert counts(store.state(2)) == {"test": 0}
        with pytest.raises(InspectorError, match="state 3 does not exist"):
            store.state(3)


def test_a_truncated_file_says_where_it_ends():
    with opened(GOLDEN / "crash-trunc-middoc.json") as store:
        (finding,) = store.info.findings
    assert finding.severity == "error"
    assert finding.repairable
    assert finding.message == (
        "crash-trunc-middoc.json ends in the middle of a record. Byte 9,462, in table _default. "
        "The 101 records before it are readable. The file was not changed."
    )


@pytest.mark.parametrize("name", ["fmt-utf8.json", "tinydb-1.4.0.json", "trap-surrogates.json", "dup-ids.json"])
def test_a_file_cut_at_every_byte_opens_with_its_whole_documents(tmp_path, name):
    whole = (GOLDEN / name).read_bytes()
    with opened(GOLDEN / name) as store:
        stops, end = store.layout.index.stops, store.layout.index.stop
        complete = contents(store)
    for cut in range(1, len(whole)):
        path = written(tmp_path, whole[:cut])
        before = sum(stop <= cut for stop in stops)
        try:
            store = opened(path)
        except InspectorError:
            assert before == 0
            assert BACKEND.recognises(path, whole[:cut]) is None
            continue
        assert sum(counts(store).values()) == before
        assert all(rows == complete[table][: len(rows)] for table, rows in contents(store).items() if rows)
        assert ("truncated" in codes(store.info.findings)) == (cut < end)


def test_a_wide_text_cut_at_every_byte_opens_or_is_refused(tmp_path):
    whole = (GOLDEN / "enc-utf-16.json").read_bytes()
    with opened(GOLDEN / "enc-utf-16.json") as store:
        complete = contents(store)
    shown = 0
    for cut in range(1, len(whole)):
        try:
            store = opened(written(tmp_path, whole[:cut]))
        except InspectorError:
            assert cut < 60
            continue
        assert all(rows == complete[table][: len(rows)] for table, rows in contents(store).items() if rows)
        assert codes(store.info.findings) & {"truncated", "bad-text"}
        shown = max(shown, sum(counts(store).values()))
    assert shown == 3


def test_damage_between_documents_is_told_with_line_and_column(tmp_path):
    path = written(tmp_path, b'{"t": {\n "1": {"a": 1},\n "2" {"b": 2},\n "3": {"c": 3}\n}}')
    with opened(path) as store:
        assert [key for key, _ in contents(store)["t"]] == ["1", "3"]
        (finding,) = store.info.findings
    assert (finding.severity, finding.code) == ("error", "bad-text")
    assert "line 3, column 2" in finding.message


def test_damage_within_a_document_is_found_and_the_others_are_readable(tmp_path):
    path = written(tmp_path, b'{"t": {"1": {"a": 1}, "2": {"b" 2}, "3": {"c": 3}}}')
    with opened(path) as store:
        (finding,) = findings(store)
        assert (finding.code, finding.where) == ("bad-text", "t/2")
        rows = store.load("t", silent)
        assert rows[2].value == {"c": 3}
        with pytest.raises(DecodeError):
            _ = rows[1].value


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('{"posts": [{"id": 1}], "profile": []}', "json-server"),
        ('{"a": {"1": 5}}', "a number where a document"),
        ("[]", "root is an array"),
        ('"text"', "only"),
        ('{"na', "before any table"),
        ('{"type": "Feature", "geometry": {}}', "GeoJSON"),
    ],
)
def test_near_misses_are_explained(tmp_path, text, clause):
    path = written(tmp_path, text)
    assert BACKEND.recognises(path, text.encode()) is None
    assert clause in BACKEND.explain(path, text.encode())
    with pytest.raises(InspectorError, match=r"\.$"):
        opened(path)


def test_tinydb_1_ids_are_taken_from_the_documents():
    with opened(GOLDEN / "tinydb-1.4.0.json") as store:
        assert [key for key, _ in contents(store)["_default"]] == ["1", "3", "4"]
        assert store.info.maker == "TinyDB 1.x"


def test_large_files_are_read_by_slices_and_a_change_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(backend_module, "IN_MEMORY", 1000)
    database = {"t": {str(n): {"n": n, "text": "日本"} for n in range(3000)}}
    path = written(tmp_path, json.dumps(database, ensure_ascii=False))
    with opened(path) as store:
        assert isinstance(store.layout.source, Slices)
        rows = store.load("t", silent)
        assert rows[2999].value == database["t"]["2999"]
        assert [row.value for row in rows] == list(database["t"].values())
        assert store.whole_text() == path.read_bytes()
        path.write_bytes(path.read_bytes() + b" ")
        with pytest.raises(InspectorError, match="changed by another program"):
            _ = rows[5]


@pytest.mark.parametrize("name", ["fmt-default.json", "crash-stale-tail.json", "enc-gbk.json", "tinydb-1.4.0.json"])
def test_opening_changes_nothing(tmp_path, name):
    path = written(tmp_path, (GOLDEN / name).read_bytes(), name)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    os.chmod(path, 0o444)
    before = (path.read_bytes(), sorted(os.listdir(tmp_path)))
    os.utime(path, (1_600_000_000, 1_600_000_000))
    with opened(path) as store:
        contents(store)
        findings(store)
    status = path.stat()
    assert (status.st_mtime, status.st_atime) == (1_600_000_000, 1_600_000_000)
    assert (path.read_bytes(), sorted(os.listdir(tmp_path))) == before


def test_rows_behave_as_a_sequence():
    with opened(GOLDEN / "fmt-default.json") as store:
        rows = store.load("_default", silent)
        assert [row.key for row in reversed(rows)] == ["2", "1"]
        assert rows[-2].key == "1"
        with pytest.raises(IndexError):
            _ = rows[2]
        with pytest.raises(InspectorError, match="no table 'nothing'"):
            store.load("nothing", silent)


def test_progress_is_reported_at_least_every_50_ms(tmp_path):
    row = {"name": "Zoë", "tags": ["a", "b"], "n": 1.5, "text": "x" * 200}
    text = json.dumps({"t": {str(n): {**row, "id": n} for n in range(40_000)}})
    path = written(tmp_path, text)
    list(open_with(BACKEND, path).load("t", silent))  # libraries are loaded
    gaps, last = [], [time.perf_counter()]

    def report(done, total):
        now = time.perf_counter()
        gaps.append(now - last[0])
        last[0] = now

    with open_with(BACKEND, path, progress=report) as store:
        list(BACKEND.check(store, report))
    assert len(text) > 10_000_000
    assert max(gaps) < 0.25  # a loaded machine pauses processes; the target of 0.05 is measured in tests/perf
    assert sorted(gaps)[-3] < 0.06


def test_opens_in_and_losses_of_the_format_itself():
    codec = registry.codec("none")
    assert any("TinyDB" in program for program in BACKEND.opens_in(codec))
    with opened(GOLDEN / "trap-deep2000.json") as store:
        (loss,) = BACKEND.losses(store, codec, silent)
        assert (loss.kind, loss.count, loss.where) == ("depth", 1, ("_default/1",))
    with opened(GOLDEN / "trap-nan-inf.json") as store:
        assert list(BACKEND.losses(store, codec, silent)) == []


def test_stock_tinydb_agrees_on_sound_files():
    for name in (
        "fmt-default.json",
        "fmt-separators.json",
        "trap-strings.json",
        "trap-floats.json",
        "tinydb-4.9.0.json",
    ):
        storage = JSONStorage(str(GOLDEN / name), access_mode="r")
        try:
            read = storage.read()
        finally:
            storage.close()
        with opened(GOLDEN / name) as store:
            assert {t: {k: json.loads(v) for k, v in rows} for t, rows in contents(store).items()} == read


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_damaged_files_never_crash(tmp_path_factory, data):
    whole = (GOLDEN / data.draw(st.sampled_from(["fmt-utf8.json", "dup-ids.json", "tinydb-1.4.0.json"]))).read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    stop = data.draw(st.integers(start, len(whole)))
    damaged = whole[:start] + data.draw(st.binary(max_size=6)) + whole[stop:]
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
    assert all(finding.message for finding in findings(store))


def test_a_small_file_opens_without_the_heavy_libraries():
    program = (
        "import sys; from pathlib import Path; from inspector.backends.tinydb import BACKEND; "
        "from inspector.progress import silent; path = Path(sys.argv[1]); "
        "BACKEND.recognises(path, path.read_bytes()); BACKEND.open(path, None, silent); "
        "print([name for name in ('numpy', 'orjson', 'blosc2', 'sqlite3') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(GOLDEN / "trap-nan-inf.json")], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
