"""What a damaged, half readable or doubtful store says: findings on stderr or in the JSON, never silence."""

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

GOLDEN = Path(__file__).parent.parent / "golden"
NOTEBOOK = "notebook/notebook.ystore.db"
WITHOUT_ZSTANDARD = "import sys; sys.modules['zstandard'] = None; from inspector.cli.main import main; sys.exit(main())"
PIP_LINE = "pip install zstandard"


@pytest.fixture
def half_packed(samples, tmp_path):
    """A ystore whose first document has zstd rows and whose second has plain ones."""
    path = tmp_path / "half.ystore.db"
    shutil.copy(samples / NOTEBOOK, path)
    pack = zstandard.ZstdCompressor().compress
    with sqlite3.connect(path) as connection:
        (first,) = connection.execute("SELECT path FROM yupdates ORDER BY rowid LIMIT 1").fetchone()
        for rowid, blob in connection.execute(
            "SELECT rowid, yupdate FROM yupdates WHERE path = ?", (first,)
        ).fetchall():
            connection.execute("UPDATE yupdates SET yupdate = ? WHERE rowid = ?", (pack(blob), rowid))
    connection.close()
    return path


def without_zstandard(*words):
    command = [sys.executable, "-c", WITHOUT_ZSTANDARD, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_records_of_other_documents_are_printed(half_packed):
    found = without_zstandard("records", half_packed)
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    assert lines
    assert len({line["collection"] for line in lines}) == 1
    warnings, errors = found.stderr.splitlines()[:-1], found.stderr.splitlines()[-1:]
    assert any("(notebook)" in line and PIP_LINE in line for line in warnings)
    assert all(line.startswith("warning: ") for line in warnings)
    assert errors == [f"error: 1 of 2 collections of {half_packed} cannot be read; the others are printed."]
    assert found.returncode == 1


def test_info_has_no_number_for_it_and_a_finding(half_packed):
    found = without_zstandard("info", half_packed, "--json")
    assert (found.returncode, found.stderr) == (0, "")
    document = json.loads(found.stdout)
    packed, plain = document["collections"]
    assert packed["records"] is None
    assert plain["records"] > 0
    (finding,) = [f for f in document["findings"] if f["where"] == packed["name"]]
    assert (finding["severity"], finding["code"]) == ("error", "undecodable-update")
    assert PIP_LINE in finding["message"]
    assert PIP_LINE in without_zstandard("info", half_packed).stdout


def test_check_reports_it_as_an_error(half_packed):
    found = without_zstandard("check", half_packed, "--json")
    assert found.returncode == 1
    findings = json.loads(found.stdout)["findings"]
    assert any(f["severity"] == "error" and PIP_LINE in f["message"] for f in findings)


@pytest.mark.parametrize(
    "words",
    [
        ("records", "FILE"), ("history", "FILE", "-c", "NAME", "--json"), ("show", "FILE", "-c", "NAME"),
        ("diff", "FILE", "-c", "NAME", "--from", "0", "--to", "3", "--json"),
    ],
)  # fmt: skip
def test_a_verb_without_findings_in_its_output_warns_once(inspect, words):
    path = GOLDEN / "ystore" / "no_checkpoint_table.ystore.db"
    info = inspect("info", path, "--json").json
    name = info["collections"][0]["name"]
    wanted = [f["message"] for f in info["findings"] if f["severity"] != "info"]
    assert wanted
    found = inspect(*({"FILE": path, "NAME": name}.get(word, word) for word in words))
    assert found.code == 0
    assert [found.err.count(message) for message in wanted] == [1] * len(wanted)
    assert all(line.startswith("warning: ") for line in found.err.splitlines())


def test_diff_of_files_says_which_file_a_warning_is_of(inspect, tmp_path):
    sound, cut = tmp_path / "sound.json", tmp_path / "cut.json"
    sound.write_text('{"t": {"1": {"a": 1}}}')
    cut.write_text('{"t": {"1": {"a": 1}, "2": {"a"')
    for words in ((sound, cut), (cut, sound)):
        assert inspect("diff", *words).err.startswith(f"warning: {cut}: ")


def test_convert_and_compress_print_the_findings_of_the_source(inspect, tmp_path):
    path = GOLDEN / "ystore" / "no_checkpoint_table.ystore.db"
    jobs = (
        ("convert", path, tmp_path / "a.ystore.db", "--json"),
        ("compress", path, "-o", tmp_path / "b.ystore.db", "--codec", "zstd", "--json"),
    )
    for words in jobs:
        found = inspect(*words)
        assert found.code == 0
        assert found.err.count("warning: There is no table ycheckpoints") == 1


def test_info_shows_errors_first(half_packed):
    with sqlite3.connect(half_packed) as connection:
        connection.execute("DROP TABLE ycheckpoints")
    connection.close()
    lines = without_zstandard("info", half_packed).stdout.splitlines()
    words = [line.partition(":")[0] for line in lines if line.startswith(("error:", "warning:", "info:"))]
    assert words.count("error") == 2
    assert "warning" in words
    assert words == sorted(words, key=("error", "warning", "info").index)


def test_an_unknown_field_names_its_collection(inspect, samples):
    found = inspect("records", samples / "shop.json", "-c", "customers", "--where", "ctiy == 1").err
    assert found == 'warning: Unknown field "ctiy": no record has it. Did you mean "city"? (in customers)\n'


def test_a_field_is_unknown_only_if_no_collection_has_it(inspect, samples):
    assert inspect("records", samples / "shop.json", "--where", "city == 1").err == ""
    found = inspect("records", samples / "shop.json", "--where", "ctiy == 1").err
    assert found.count("\n") == 1
    assert 'Did you mean "city"?' in found
    assert "any of the 3 collections" in found


def test_warnings_and_records_keep_their_order(tmp_path):
    path = tmp_path / "broken.json"
    rows = [f'"{n}": ' + ("{broken" if n == 1500 else f'{{"a": {n}}}') for n in range(3000)]
    path.write_text('{"t": {' + ", ".join(rows) + "}}")
    command = [sys.executable, "-m", "inspector", "records", str(path)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60)
    lines = run.stdout.splitlines()
    keys = [json.loads(line)["key"] for line in lines if line.startswith("{")]
    assert keys == sorted(keys, key=int)
    for number, line in enumerate(lines):
        if line.startswith("warning: t: record"):
            assert json.loads(lines[number - 1])["key"] == "1499"


def test_records_beyond_a_batch_are_all_printed(inspect, tmp_path):
    path = tmp_path / "many.json"
    path.write_text(json.dumps({"t": {str(n): {"a": n} for n in range(1, 2501)}}))
    assert [line["value"]["a"] for line in inspect("records", path).lines] == list(range(1, 2501))
    assert len(inspect("records", path, "--limit", "1001").lines) == 1001


@pytest.mark.parametrize("target", ["missing/x.db", "there.db", "folder.db"])
def test_a_dry_run_warns_of_what_the_run_will_refuse(inspect, samples, tmp_path, target):
    (tmp_path / "there.db").write_text("mine")
    (tmp_path / "folder.db").mkdir()
    words = ("convert", samples / "shop.json", tmp_path / target, "--to", "betterjson")
    planned, run = inspect(*words, "--dry-run", "--json"), inspect(*words)
    assert planned.code == 0
    assert planned.json["written"] is False
    assert run.code == 1
    assert planned.err == run.err.replace("error: ", "warning: ")


def test_state_is_passed_on_to_compress(inspect, tmp_path):
    source = tmp_path / "twice.json"
    source.write_text('{"t": {"1": {"a": "first"}}}{"t": {"1": {"a": "second, longer"}}}')
    path = tmp_path / "twice.db"
    assert inspect("convert", source, path, "--to", "betterjson", "--json").code == 0
    found = inspect("compress", path, "-o", tmp_path / "out.db", "--state", "7")
    assert found.code == 1
    assert "--state 7" in found.err
