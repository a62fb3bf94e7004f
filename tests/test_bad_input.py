"""Bad surroundings: no permission, a full disk, a store that changes while it is read. One sentence, nothing lost."""

from __future__ import annotations

import hashlib
import json
import os
import resource as limits
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.model import InspectorError
from inspector.operations.convert import Job, convert
from inspector.operations.open import open_store
from inspector.progress import silent

NOBODY = 65534


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="inspector-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up root's right to read and write everything, if we have it."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_file_without_permission_is_named(shared_folder: Path) -> None:
    path = shared_folder / "secret.json"
    path.write_text('{"_default": {}}')
    path.chmod(0)
    with as_nobody(), pytest.raises(InspectorError, match="permission denied"):
        open_store(path)


def test_a_folder_that_may_not_be_written_is_named(shared_folder: Path, samples: Path, tmp_path: Path) -> None:
    source = shared_folder / "shop.json"
    shutil.copy(samples / "shop.json", source)
    convert(Job(source, tmp_path / "out.db", "betterjson"))  # loads what another user may not be able to read
    with as_nobody(), pytest.raises(InspectorError, match=r"permission denied\. Nothing was written"):
        convert(Job(source, shared_folder / "out.db", "betterjson"))
    assert os.listdir(shared_folder) == ["shop.json"]


def run_limited(size: int, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the command line with files limited to *size* bytes: writing more is refused by the system."""

    def limit() -> None:
        limits.setrlimit(limits.RLIMIT_FSIZE, (size, size))

    command = [sys.executable, "-m", "inspector", *map(str, words)]
    return subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("to", ["tinydb", "betterjson", "ystore", "yfile", "jsonl", "csv", "sqlite", "text"])
def test_a_write_that_the_system_refuses_leaves_nothing(tmp_path: Path, samples: Path, to: str) -> None:
    source = tmp_path / "shop.json"
    shutil.copy(samples / "shop.json", source)
    before = digest(source)
    found = run_limited(20_000, "convert", source, tmp_path / "out", "--to", to, "-c", "orders")
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert found.stderr.startswith("error: ")
    assert os.listdir(tmp_path) == ["shop.json"]
    assert digest(source) == before


def test_a_folder_that_the_system_refuses_leaves_nothing(tmp_path: Path, samples: Path) -> None:
    source = tmp_path / "shop.json"
    shutil.copy(samples / "shop.json", source)
    found = run_limited(60_000, "convert", source, tmp_path / "out", "--to", "csv")
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == ["shop.json"]


def test_in_place_on_a_full_disk_keeps_the_store(tmp_path: Path, samples: Path) -> None:
    path = tmp_path / "shop.db"
    shutil.copy(samples / "shop.db", path)
    before = digest(path)
    found = run_limited(20_000, "compress", path, "--in-place")
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == ["shop.db"]
    assert digest(path) == before


def reading(path: Path) -> str:
    """Read a store whose writer writes 8999 records of state 1 or 399 of state 2; say what was seen."""
    try:
        with open_store(path) as store:
            records = list(store.load("_default", silent))
            seen = {record.value["state"] for record in records}
            if any(finding.severity != "info" for finding in store.info.findings):
                return "torn"
    except InspectorError:
        return "changed"
    assert (len(records), seen) in ((8999, {1}), (399, {2}))
    return "whole"


@pytest.mark.slow
def test_a_store_that_is_rewritten_while_it_is_read(tmp_path: Path) -> None:
    """Each reading is one whole state of the file, or a sentence that says it changed."""
    path = tmp_path / "busy.json"
    states = [
        json.dumps({"_default": {str(n): {"state": state} for n in range(1, size)}})
        for state, size in ((1, 9000), (2, 400))
    ]
    path.write_text(states[0])
    stop = threading.Event()

    def rewrite() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            with open(path, "r+", encoding="ascii") as file:  # as TinyDB does: in place, then cut
                file.write(states[turn % 2])
                file.flush()
                file.truncate()
            time.sleep(0.003)

    writer = threading.Thread(target=rewrite)
    writer.start()
    outcomes = {"whole": 0, "changed": 0, "torn": 0}
    try:
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            outcomes[reading(path)] += 1
    finally:
        stop.set()
        writer.join()
    assert outcomes["whole"] > 0
