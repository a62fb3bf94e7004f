"""The command line as scripts rely on it: exit codes, JSON shapes, exact values, one line of error."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from inspector import __version__

NOTEBOOK = "notebook/notebook.ystore.db"


def test_version(inspect):
    assert inspect("--version").out == f"inspector {__version__}\n"


def test_help_names_every_verb(inspect):
    assert "verbs: formats info records history show diff check" in inspect("--help").out


def test_formats(inspect):
    found = inspect("formats", "--json").json
    formats = {entry["id"]: entry for entry in found["formats"]}
    assert {"tinydb", "betterjson", "ystore", "yfile"} <= formats.keys()
    assert formats["ystore"]["keeps_history"] is True
    assert formats["tinydb"]["keeps_history"] is False
    assert set(formats["tinydb"]) >= {"id", "label", "reads", "writes", "keeps_history", "suffixes"}
    codecs = {entry["id"]: entry for entry in found["codecs"]}
    assert {"none", "zlib", "gzip", "bz2", "lzma", "lz4", "zstd", "brotli", "blosc2"} <= codecs.keys()
    assert codecs["zstd"]["parameters"] == {"level": 3}
    assert codecs["blosc2"]["parameters"] == {"codec": "zstd", "level": 1, "blocksize": 1048576}
    assert codecs["lzma"]["parameters"] == {"preset": 6, "container": "xz"}
    assert (codecs["zstd"]["available"], codecs["zstd"]["reason"]) == (True, None)


def test_info_of_a_table_store(inspect, samples):
    found = inspect("info", samples / "shop.json", "--json").json
    assert (found["format"], found["codec"]) == ("tinydb", "none")
    assert found["size"] == (samples / "shop.json").stat().st_size
    assert [(c["name"], c["records"], c["versions"]) for c in found["collections"]] == [
        ("customers", 400, None), ("products", 120, None), ("orders", 1500, None),
    ]  # fmt: skip
    assert found["evidence"]
    assert [f for f in found["findings"] if f["severity"] != "info"] == []
    assert set(found) >= {"path", "decoded_size", "maker"}


def test_info_of_a_ystore(inspect, samples):
    found = inspect("info", samples / NOTEBOOK, "--json").json
    notebook = found["collections"][0]
    assert notebook["label"] == "analysis.ipynb"
    assert (notebook["records"], notebook["versions"]) == (11, 581)
    assert notebook["first"] == "2026-03-09T09:40:00.000000Z"
    assert notebook["stored_bytes"] > 10_000
    uncounted = inspect("info", samples / NOTEBOOK, "--json", "--no-count").json
    assert [c["records"] for c in uncounted["collections"]] == [None, None]


def test_records_are_json_lines(inspect, samples):
    lines = inspect("records", samples / "shop.json", "-c", "products").lines
    assert len(lines) == 120
    assert lines[0].keys() == {"collection", "key", "value"}
    assert (lines[0]["collection"], lines[0]["key"]) == ("products", "1")


def test_records_where_sort_limit(inspect, samples):
    words = (
        "records",
        samples / "shop.json",
        "-c",
        "customers",
        "--where",
        "age > 80",
        "--sort",
        "-age",
        "--limit",
        "3",
    )
    ages = [line["value"]["age"] for line in inspect(*words).lines]
    assert len(ages) == 3
    assert ages == sorted(ages, reverse=True)
    assert min(ages) > 80


def test_an_unknown_field_gives_no_rows_and_a_hint(inspect, samples):
    found = inspect("records", samples / "shop.json", "-c", "customers", "--where", 'ctiy == "Rome"')
    assert (found.code, found.out) == (0, "")
    assert 'warning: Unknown field "ctiy"' in found.err
    assert 'Did you mean "city"?' in found.err


EXACT = (
    '{"t": {"1": {"a": 123456789012345678901234567890, "b": 1e400, "c": NaN, '
    '"d": -0.0, "e": "\\ud800", "f": Infinity, "g": 1e-07}}}'
)


def test_values_are_printed_exactly(inspect, tmp_path):
    path = tmp_path / "exact.json"
    path.write_text(EXACT)
    value = EXACT.removeprefix('{"t": {"1": ').removesuffix("}}")
    assert inspect("records", path).out == f'{{"collection": "t", "key": "1", "value": {value}}}\n'


def test_repeated_keys_are_printed_as_stored(inspect, tmp_path):
    path = tmp_path / "twice.json"
    path.write_text('{"t": {"1": {"k": 1, "k": 2}}}')
    assert inspect("records", path).out.endswith('"value": {"k": 1, "k": 2}}\n')


def test_history(inspect, samples):
    found = inspect("history", samples / NOTEBOOK, "-c", "analysis.ipynb", "--json").json
    assert found["versions"] == 581 == len(found["updates"])
    assert [update["index"] for update in found["updates"]] == list(range(1, 582))
    assert set(found["updates"][0]) >= {
        "index", "time", "size", "stored_bytes", "codec", "clients", "kind", "inserted", "deleted",
    }  # fmt: skip
    assert {update["kind"] for update in found["updates"]} <= {"edit", "no-op", "deletion", "full-state", "damaged"}
    assert {client for update in found["updates"] for client in update["clients"]} == {
        2839104177,
        911402635,
        3350018842,
    }


def test_history_of_a_table_is_refused(inspect, samples):
    found = inspect("history", samples / "shop.json", "-c", "orders")
    assert found.code == 1
    assert "keeps no history" in found.err


def test_show_at_a_version_and_at_a_time(inspect, samples):
    store = samples / NOTEBOOK
    assert inspect("show", store, "-c", "analysis.ipynb", "--at", "0").out == ""
    last = inspect("show", store, "-c", "analysis.ipynb").out
    assert inspect("show", store, "-c", "analysis.ipynb", "--at", "581").out == last
    assert inspect("show", store, "-c", "analysis.ipynb", "--at", "2030-01-01").out == last
    early = inspect("show", store, "-c", "analysis.ipynb", "--at", "2026-03-09T09:40:00Z").lines
    assert [line["key"] for line in early][:1] == ["cells[0]"]
    assert inspect("show", store, "-c", "analysis.ipynb", "--at", "582").code == 1


def test_the_lost_cell_is_in_an_earlier_version(inspect, samples):
    store = samples / NOTEBOOK
    assert "discount model" not in inspect("show", store, "-c", "analysis.ipynb", "--as", "text").out
    updates = inspect("history", store, "-c", "analysis.ipynb", "--json").json["updates"]
    largest = max(updates, key=lambda update: update["deleted"])
    before = inspect("show", store, "-c", "analysis.ipynb", "--at", largest["index"] - 1, "--as", "text").out
    assert "the only copy of the discount model" in before


def test_show_as_notebook_is_valid(inspect, samples):
    import nbformat

    out = inspect("show", samples / NOTEBOOK, "-c", "analysis.ipynb", "--as", "ipynb").out
    nbformat.validate(nbformat.reads(out, as_version=4))


def test_show_as_raw_is_an_update_file(inspect, samples, tmp_path):
    target = tmp_path / "part.y"
    assert inspect("show", samples / NOTEBOOK, "-c", "notes.md", "--as", "raw", "--at", "5", "-o", target).code == 0
    assert inspect("info", target, "--json").json["collections"][0]["versions"] == 5


def test_show_all_writes_every_version(inspect, samples, tmp_path):
    folder = tmp_path / "all"
    assert inspect("show", samples / NOTEBOOK, "-c", "notes.md", "--as", "text", "--all", "-o", folder).code == 0
    files = sorted(folder.iterdir())
    assert len(files) == 88
    assert files[0].read_text() == ""
    assert "password manager" in files[-1].read_text()


def test_diff_of_versions(inspect, samples):
    found = inspect("diff", samples / NOTEBOOK, "-c", "analysis.ipynb", "--from", "1", "--to", "2", "--json").json
    assert found.keys() == {"added", "removed", "changed", "counts"}
    assert found["changed"][0].keys() >= {"key", "path", "before", "after"}


def test_diff_of_files(inspect, tmp_path):
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text('{"t": {"1": {"a": 1}, "2": {"a": 1}}}')
    second.write_text('{"t": {"2": {"a": 1.0}, "3": {"a": 1}}}')
    found = inspect("diff", first, second, "--json").json
    assert [r["key"] for r in found["added"]] == ["3"]
    assert [r["key"] for r in found["removed"]] == ["1"]
    assert [(c["key"], c["path"], c["before"], c["after"]) for c in found["changed"]] == [("2", ".a", 1, 1.0)]
    assert found["counts"] == {"added": 1, "removed": 1, "changed": 1, "unchanged": 0}


def test_check_of_a_sound_store(inspect, samples):
    found = inspect("check", samples / "shop.json", "--json")
    assert found.code == 0
    assert [f for f in found.json["findings"] if f["severity"] != "info"] == []


def test_check_prints_its_document_and_exits_with_1_on_an_error(inspect, tmp_path):
    path = tmp_path / "cut.json"
    path.write_text('{"t": {"1": {"a": 1}, "2": {"a"')
    found = inspect("check", path, "--json")
    assert found.code == 1
    assert [f["code"] for f in found.json["findings"] if f["severity"] == "error"] == ["truncated"]
    assert found.err.count("\n") == 1
    assert found.err.startswith("error: ")


@pytest.mark.parametrize(
    ("words", "position"),
    [
        (("records", "FILE", "--where", "age = 4"), 4),
        (("convert", "FILE", "x.ystore.db", "--codec", "zstd:level=99"), 11),
        (("convert", "FILE", "x.ystore.db", "--codec", "zstd:lvl=1"), 5),
        (("compress", "FILE", "-o", "x", "--codec", "nope"), 0),
    ],
)
def test_wrong_usage_is_2_with_a_caret(inspect, samples, words, position):
    found = inspect(*(samples / NOTEBOOK if word == "FILE" else word for word in words))
    assert found.code == 2
    assert found.err.splitlines()[-1] == "  " + " " * position + "^"


@pytest.mark.parametrize("words", [("info",), ("records", "a", "--nope"), ("--nope",), ("show", "a", "--all")])
def test_wrong_words_are_2(inspect, words):
    assert inspect(*words).code == 2


@pytest.mark.parametrize("verb", ["info", "records", "check"])
@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda p: None, "does not exist"),
        (lambda p: p.mkdir(), "is a folder"),
        (lambda p: p.write_bytes(b""), r"is empty (0 bytes)"),
        (lambda p: p.write_text("<!DOCTYPE html><html></html>"), "HTML"),
        (lambda p: p.write_bytes(b"SQLite format 3\0" + b"\0" * 50), "SQLite"),
    ],
)
def test_bad_input_is_one_line_and_1(inspect, tmp_path, verb, make, sentence):
    path = tmp_path / "it is ‘odd’\n.db"
    make(path)
    found = inspect(verb, path)
    assert found.code == 1
    assert found.out == ""
    assert found.err.count("\n") == 1
    assert found.err.startswith("error: ")
    assert sentence in found.err


def test_control_characters_do_not_reach_the_terminal(inspect, tmp_path):
    path = tmp_path / "evil.json"
    path.write_text('{"\\u001b[31mred": {"1": {"a": 1}}}')
    assert "\x1b" not in inspect("info", path).out


def test_a_reader_that_stops_early_is_no_error(samples):
    command = [sys.executable, "-m", "inspector", "records", str(samples / "shop.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        run.stdout.read(10)
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait() == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_ends_with_130_and_leaves_nothing(tmp_path, how):
    path = tmp_path / "big.json"
    documents = ", ".join(f'"{n}": {{"text": "{"word " * 20}{n}"}}' for n in range(150_000))
    path.write_text('{"_default": {' + documents + "}}")
    command = [sys.executable, "-m", "inspector", "convert", str(path), str(tmp_path / "out.ystore.db")]
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    own = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=own) as run:
        time.sleep(1.5)
        run.send_signal(how)
        _, err = run.communicate(timeout=20)
    assert run.returncode == 130
    assert "Traceback" not in err
    assert sorted(os.listdir(tmp_path)) == ["big.json", "scratch"]
    assert os.listdir(scratch) == []


def test_json_documents_are_ascii(inspect, samples):
    out = inspect("records", samples / "shop.json", "-c", "customers").out
    assert out.isascii()
    assert all(json.loads(line) for line in out.splitlines())
