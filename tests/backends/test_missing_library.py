"""What stores say where a library is missing; the import is really refused, in a child process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import blosc2
import brotli
import pytest
from ystore_cases import golden, make, typed

from inspector.backends._crdt.crossing import table_updates
from inspector.model import Record
from inspector.progress import silent

BLOCKED = """
import sys
from pathlib import Path
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
from inspector import registry
from inspector.model import MissingLibrary
from inspector.operations.open import open_store
from inspector.progress import silent
def told(work):
    try:
        return len(list(work()))
    except MissingLibrary as error:
        return str(error)
def load(path):
    with open_store(Path(path)) as store:
        return [record.value for info in store.collections for record in store.load(info.name, silent)]
"""


def run(library: str, code: str, *arguments: Path) -> list[str]:
    child = subprocess.run(
        [sys.executable, "-c", BLOCKED + code, library, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    return child.stdout.splitlines()


def brotli_beside_plain(folder: Path) -> Path:
    packed = [("packed", brotli.compress(row), b"", float(n)) for n, row in enumerate(typed("one ", "two"))]
    (table,) = table_updates([Record("1", raw=b'{"a": 1}')], silent)
    plain = [("plain", row, b"", float(n)) for n, row in enumerate(typed("text", client=2))]
    return make(folder / "two.ystore.db", [*packed, *plain, ("table", table, b"", 9.0)])


STORE = """
path = Path(sys.argv[2])
with open_store(path) as store:
    print([(info.name, info.kind) for info in store.collections])
    for name in ("packed", "plain", "table"):
        print(told(lambda: store.load(name, silent)), told(lambda: store.history(name, silent).updates), sep=" | ")
    findings = [*store.info.findings, *registry.backend("ystore").check(store, silent)]
    print([finding.where for finding in findings if "pip install brotli" in finding.message])
    print({finding.code for finding in findings if finding.severity == "error"})
"""


def test_documents_without_a_head_that_tells_are_refused_and_not_shown_empty(tmp_path: Path) -> None:
    kinds, packed, plain, table, named, found = run("brotli", STORE, brotli_beside_plain(tmp_path))
    assert kinds == "[('packed', 'document'), ('plain', 'document'), ('table', 'table')]"
    assert packed.count("pip install brotli") == 2
    assert packed.count("packed in ") == 2
    assert (plain, table) == ("1 | 1", "1 | 1")
    assert named == "[None, 'packed']"
    assert found == "{'undecodable-update'}"


def test_rows_that_nothing_reads_stay_damaged_where_all_libraries_are_there(tmp_path: Path) -> None:
    rows = [("d", typed("text")[0], b"", 1.0), ("d", b"\xff no update at all", b"", 2.0)]
    path = make(tmp_path / "damaged.ystore.db", rows)
    code = """
with open_store(Path(sys.argv[2])) as store:
    print([update.kind for update in store.history("d", silent).updates])
"""
    assert run("nothing", code, path) == ["['edit', 'damaged']"]


def test_metadata_between_updates_needs_no_library() -> None:
    old = golden("versions/ypy-websocket-0.2.0")
    code = """
with open_store(Path(sys.argv[2])) as store:
    print([info.versions for info in store.collections], told(lambda: load(sys.argv[2])))
"""
    assert run("brotli", code, old) == run("nothing", code, old)


def test_a_file_of_updates_is_refused_too(tmp_path: Path) -> None:
    row = brotli.compress(typed("text")[0])
    path = tmp_path / "d.y"
    path.write_bytes(b"VERSION:2\n" + bytes((len(row),)) + row + b"\0" + b"\x08" + bytes(8))
    (line,) = run("brotli", "print(told(lambda: load(sys.argv[2])))", path)
    assert line.startswith(str(path))
    assert line.endswith("pip install brotli")


@pytest.mark.parametrize("verb", ["load(sys.argv[2])", "open_store(Path(sys.argv[2])).history('d', silent).updates"])
def test_replaying_without_pycrdt(tmp_path: Path, verb: str) -> None:
    path = make(tmp_path / "d.ystore.db", [("d", typed("text")[0], b"", 1.0)])
    (line,) = run("pycrdt", f"print(told(lambda: {verb}))", path)
    assert line.endswith("pip install pycrdt")


def test_a_table_in_a_ystore_without_pycrdt(tmp_path: Path) -> None:
    (table,) = table_updates([Record("1", raw=b'{"a": 1}')], silent)
    path = make(tmp_path / "t.ystore.db", [("t", table, b"", 1.0)])
    (line,) = run("pycrdt", "print(told(lambda: load(sys.argv[2])))", path)
    assert line.endswith("pip install pycrdt")


@pytest.mark.parametrize("library", ["blosc2", "numpy"])
def test_betterjson_files_without_their_libraries(tmp_path: Path, library: str) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(blosc2.compress2(json.dumps({"t": {str(n): {"n": n} for n in range(100)}}).encode(), typesize=1))
    (line,) = run(library, "print(told(lambda: load(sys.argv[2])))", path)
    assert line.endswith(f"pip install {library}")


def test_tables_in_json_need_numpy_only_where_they_are_large(tmp_path: Path) -> None:
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    small.write_text(json.dumps({"t": {str(n): {} for n in range(5000)}}))
    large.write_text(json.dumps({"t": {str(n): {"text": "x" * 20} for n in range(5000)}}))
    code = """
for path in sys.argv[2:]:
    print(told(lambda: load(path)))
"""
    few, many = run("numpy", code, small, large)
    assert few == "5000"
    assert many.endswith("pip install numpy")
    assert "64 KiB" in many
