"""What a short command does not import: it would take longer than the command itself."""

import ast
import json
import subprocess
import sys

import pytest

HEAVY = {
    "PySide6", "blosc2", "brotli", "lz4", "numpy", "orjson", "platformdirs", "pycrdt", "pyqtgraph", "regex",
    "resvg_py", "sqlite3", "tinydb", "zstandard",
}  # fmt: skip
SLOW = {"datetime", "importlib.metadata", "shutil", "tempfile", "threading"}
"""Modules of the standard library that take longer to import than a small file takes to read."""


def imported(*words):
    """Return the modules that are there after our command ran with *words* in a new Python."""
    code = (
        "import sys; from inspector.cli.main import main; code = main(sys.argv[1:]); "
        "print(sorted(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}", *map(str, words)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(ast.literal_eval(result.stderr))


@pytest.fixture(scope="module")
def after_info(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.json"
    path.write_text(json.dumps({"_default": {"1": {"name": "Ann"}, "2": {"name": "Bo"}}}))
    return imported("info", path)


def test_info_of_a_small_file_imports_nothing_heavy(after_info):
    assert not after_info & HEAVY
    assert not after_info & SLOW


def test_rooms_that_do_not_know_the_file_stay_light(after_info):
    """A backend that only looks at the first bytes must not bring its reader or writer; no codec is needed at all."""
    ours = {name for name in after_info if name.startswith("inspector.")}
    assert {"inspector.backends.betterjson", "inspector.backends.yfile", "inspector.backends.ystore"} <= ours
    parts = {name for name in ours if name.startswith(("inspector.backends._chunk", "inspector.backends._crdt"))}
    parts |= {name for name in ours if name.startswith(("inspector.backends.ystore.", "inspector.backends._update"))}
    assert not parts
    assert {name for name in ours if name.startswith("inspector.codecs.")} <= {
        "inspector.codecs._library",
        "inspector.codecs.recognise",
    }


def test_the_list_of_verbs_imports_no_verb():
    assert not {name for name in imported("--help") if name.startswith("inspector.operations")}
