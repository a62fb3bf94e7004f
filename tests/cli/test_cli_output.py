"""Where the output goes wrong: closed, full, unread; and complaints that stay one line."""

import shlex
import subprocess
import sys

import pytest

from inspector.cli.main import PLANNED, VERBS

PROGRAM = shlex.join([sys.executable, "-m", "inspector"])


def shell(words, redirection, cwd=None):
    """Run the real program in a real shell, for what happens to the streams themselves."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{PROGRAM} {shlex.join(map(str, words))} {redirection}"],
        capture_output=True, text=True, timeout=60, cwd=cwd, check=False,
    )  # fmt: skip


WORDS = [
    ("--version",), ("--help",), ("info", "--help"), ("formats",), ("formats", "--json"), ("records", "FILE"),
    ("info", "FILE", "--json"), ("show", "FILE", "-c", "orders"),
]  # fmt: skip


@pytest.fixture(params=WORDS, ids=" ".join)
def words(request, samples):
    return [samples / "shop.json" if word == "FILE" else word for word in request.param]


def test_a_full_device_is_one_error_line(words):
    found = shell(words, "> /dev/full")
    assert found.returncode == 1
    assert found.stderr == "error: the output cannot be written: no space left on the device\n"


def test_a_closed_output_is_one_error_line(words):
    found = shell(words, ">&-")
    assert found.returncode == 1
    assert found.stderr == "error: the output cannot be written: it is closed\n"


def test_a_reader_that_reads_nothing_is_no_error(words):
    found = shell(words, "| true")
    assert (found.returncode, found.stderr) == (0, "")


def test_closed_stderr_keeps_warnings_out_of_the_records(tmp_path):
    path = tmp_path / "cut.json"
    path.write_text('{"t": {"1": {"a": 1}, "2": {"a"')
    found = shell(["records", path], "2>&-")
    assert found.stdout == '{"collection": "t", "key": "1", "value": {"a": 1}}\n'


def test_an_error_stays_an_error_where_the_device_is_full(tmp_path):
    path = tmp_path / "cut.json"
    path.write_text('{"t": {"1": {"a": 1}, "2": {"a"')
    found = shell(["check", path], "> /dev/full")
    assert found.returncode == 1
    assert [line for line in found.stderr.splitlines() if line.startswith("error: ")] == found.stderr.splitlines()
    assert found.stderr.count("\n") == 1


def test_a_deleted_working_directory_is_one_sentence(samples, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    convert = shlex.join(["convert", str(samples / "shop.json"), "x.db", "--to", "betterjson"])
    command = f"rmdir {shlex.quote(str(gone))}; {PROGRAM} {convert}"
    found = subprocess.run(["bash", "-c", command], cwd=gone, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 1
    assert found.stderr == "error: the working directory no longer exists; change to another folder first\n"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (("records", "x", "--limit", "abc"), "'abc' is no whole number"),
        (("records", "x", "--limit", "-1"), "a count is 0 or more"),
        (("records", "x", "--state", "1.5"), "'1.5' is no whole number"),
        (("bench", "x", "--min-time", "soon"), "'soon' is no number of seconds"),
        (("bench", "x", "--runs", "many"), "'many' is no whole number"),
        (("info",), "required: FILE"),
        (("info", "x", "--nope"), "--nope"),
        (("show", "x", "--as", "pdf"), "'ipynb'"),
        (("compress", "x"), "--in-place"),
        (("--nope",), "unknown option --nope"),
    ],
)
def test_wrong_usage_is_one_line(inspect, wrong, sentence):
    found = inspect(*wrong)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("error: ")
    assert found.err.count("\n") == 1
    assert sentence in found.err
    assert not any(f"_{name}" in found.err for name in ("count", "number", "seconds"))


@pytest.mark.parametrize("verb", sorted(PLANNED))
def test_a_verb_of_a_later_version_opens_no_window(inspect, verb):
    found = inspect(verb, "x.json")
    assert (found.code, found.err) == (2, f"error: the verb {verb} is not in this version\n")


def test_no_planned_verb_is_there_already():
    assert not PLANNED & VERBS.keys()


def test_the_caret_stays_near_in_a_long_query(inspect, samples):
    found = inspect("records", samples / "shop.json", "--where", "not " * 20_000 + "a == 1")
    assert found.code == 2
    error, query, caret = found.err.splitlines()
    assert error.startswith("error: More than 100 levels")
    assert len(query) < 200
    assert query[caret.index("^") :].startswith("not ")
