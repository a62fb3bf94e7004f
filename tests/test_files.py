"""Files: sources stay as they are, targets are whole or absent."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest

from inspector import files
from inspector.model import InspectorError, StoreChanged
from inspector.progress import Cancelled


def listing(folder):
    return sorted(path.name for path in folder.iterdir())


def test_slices_read_the_same_bytes(tmp_path):
    path = tmp_path / "a"
    content = os.urandom(3 * files.SLICE + 17)
    path.write_bytes(content)
    slices = files.Slices(path)
    assert slices.read_all() == content
    assert slices.read(5, 25) == content[5:25]
    assert slices.size == len(content)


def test_reading_keeps_times(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"x" * 1000)
    os.utime(path, ns=(10**18, 10**18))
    before = path.stat()
    files.Slices(path).read_all()
    files.read_head(path)
    after = path.stat()
    assert (before.st_atime_ns, before.st_mtime_ns) == (after.st_atime_ns, after.st_mtime_ns)


@pytest.mark.parametrize("change", ["shorter", "longer", "other", "replaced", "gone"])
def test_a_change_is_noticed_before_bytes_are_used(tmp_path, change):
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    slices = files.Slices(path)
    if change == "shorter":
        os.truncate(path, 10)
    elif change == "longer":
        path.write_bytes(b"x" * 200)
    elif change == "other":
        path.write_bytes(b"y" * 100)
        os.utime(path, ns=(1, 1))
    elif change == "replaced":
        (tmp_path / "b").write_bytes(b"x" * 100)
        os.replace(tmp_path / "b", path)
    else:
        path.unlink()
    with pytest.raises(InspectorError, match=r"changed by another program|does not exist"):
        slices.read(0, 50)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda p: None, "does not exist"),
        (lambda p: p.mkdir(), "is a folder"),
        (lambda p: os.mkfifo(p), "not a regular file"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path, make, sentence):
    path = tmp_path / "it"
    make(path)
    with pytest.raises(InspectorError, match=sentence):
        files.read_head(path)


def test_private_copy_takes_side_files_and_vanishes(tmp_path):
    path = tmp_path / "s.db"
    path.write_bytes(b"main")
    (tmp_path / "s.db-wal").write_bytes(b"wal")
    with files.PrivateCopy(path, ("-wal", "-journal")) as copy:
        assert copy.path.read_bytes() == b"main"
        assert copy.path.with_name(copy.path.name + "-wal").read_bytes() == b"wal"
        assert not copy.path.with_name(copy.path.name + "-journal").exists()
        folder = copy.path.parent
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()
    assert listing(tmp_path) == ["s.db", "s.db-wal"]


def fill(content):
    return lambda path: path.write_bytes(content)


def nothing(path):
    return None


def test_replace_makes_a_new_file_whole(tmp_path):
    target = tmp_path / "t"
    seen = []
    files.replace(target, fill(b"new"), verify=lambda path: seen.append(path.read_bytes()))
    assert target.read_bytes() == b"new"
    assert seen == [b"new"]
    assert listing(tmp_path) == ["t"]


def test_replace_refuses_an_existing_target(tmp_path):
    target = tmp_path / "t"
    target.write_bytes(b"old")
    with pytest.raises(InspectorError, match="exists already"):
        files.replace(target, fill(b"new"), verify=nothing)
    assert target.read_bytes() == b"old"
    assert listing(tmp_path) == ["t"]


def test_a_target_that_appears_meanwhile_is_not_overwritten(tmp_path):
    target = tmp_path / "t"
    with pytest.raises(InspectorError, match="exists already"):
        files.replace(target, fill(b"new"), verify=lambda path: target.write_bytes(b"theirs"))
    assert target.read_bytes() == b"theirs"
    assert listing(tmp_path) == ["t"]


@pytest.mark.parametrize(
    "error", [Cancelled(), InspectorError("no"), OSError(errno.ENOSPC, "full"), KeyboardInterrupt()]
)
@pytest.mark.parametrize("stage", ["write", "verify", "before"])
def test_whatever_goes_wrong_nothing_remains(tmp_path, error, stage):
    target = tmp_path / "t"
    target.write_bytes(b"old")

    def fail(path):
        path.write_bytes(b"half")
        raise error

    hooks = {"write": fill(b"new"), "verify": nothing, "before": nothing, stage: fail}
    with pytest.raises((type(error), InspectorError)):
        files.replace(target, hooks["write"], verify=hooks["verify"], before=hooks["before"], overwrite=True)
    assert target.read_bytes() == b"old"
    assert listing(tmp_path) == ["t"]


def test_replace_keeps_mode_and_follows_a_link(tmp_path):
    real = tmp_path / "real"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(real)
    files.replace(link, fill(b"new"), verify=nothing, overwrite=True)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InspectorError, match="does not exist"):
        files.replace(tmp_path / "no" / "t", fill(b""), verify=nothing)


def test_backups_are_numbered_and_keep_times(tmp_path):
    path = tmp_path / "s.db"
    path.write_bytes(b"one")
    os.utime(path, ns=(5, 5))
    assert files.back_up(path).name == "s.db.bak"
    assert files.back_up(path).name == "s.db.bak2"
    assert files.back_up(path).name == "s.db.bak3"
    assert (tmp_path / "s.db.bak").stat().st_mtime_ns == 5


def test_temporary_files_of_dead_runs_are_removed(tmp_path):
    dead = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    old = tmp_path / f".inspector-{dead.stdout.strip()}-aa.tmp"
    old.write_bytes(b"half")
    ours = tmp_path / f".inspector-{os.getpid()}-bb.tmp"
    ours.write_bytes(b"in work")
    files.replace(tmp_path / "t", fill(b"x"), verify=nothing)
    assert listing(tmp_path) == [ours.name, "t"]


def test_no_space_is_said_with_figures(tmp_path):
    with pytest.raises(InspectorError, match=r"Not enough space on .*needed.*free"):
        files.check_space(tmp_path, 1 << 60)


@pytest.mark.parametrize(
    ("size", "text"),
    [(1, "1 byte"), (999, "999 bytes"), (4200, "4.2 kB"), (61_000_000, "61 MB"), (1_940_000_000, "1.9 GB")],
)
def test_sizes_for_people(size, text):
    assert files.readable_size(size) == text


def test_holders_of_a_file_are_named(tmp_path):
    path = tmp_path / "s.db"
    path.write_bytes(b"x")
    assert files.open_by(path) == []
    code = "import sys, time; f = open(sys.argv[1]); print('open', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"open\n"
        assert [str(holder.pid) in name for name in files.open_by(path)] == [True]
        holder.kill()


KILLED = """
import sys, time
from pathlib import Path
from inspector import files
def slow(path):
    with open(path, "wb") as f:
        for _ in range(50):
            f.write(b"new" * 1000); f.flush(); time.sleep(0.002)
print("go", flush=True)
target = Path(sys.argv[1])
files.replace(target, slow, verify=lambda p: None, overwrite=True, before=lambda p: files.back_up(target))
"""


@pytest.mark.slow
def test_killed_at_any_moment_the_target_is_whole(tmp_path):
    target = tmp_path / "t"
    for delay in (0.0, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2):
        target.write_bytes(b"old" * 999)
        with subprocess.Popen([sys.executable, "-c", KILLED, str(target)], stdout=subprocess.PIPE) as run:
            run.stdout.readline()
            time.sleep(delay)
            run.send_signal(signal.SIGKILL)
            run.wait()
        assert target.read_bytes() in (b"old" * 999, b"new" * 50_000)
    files.replace(target, fill(b"x"), verify=nothing, overwrite=True)
    assert not [name for name in listing(tmp_path) if name.endswith(".tmp")]


def test_a_store_that_never_holds_still_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "s.db"
    path.write_bytes(b"x")
    copy = files.copy_file

    def writer_beside(source, target, progress):
        copy(source, target, progress)
        source.write_bytes(source.read_bytes() + b"y")

    monkeypatch.setattr(files, "copy_file", writer_beside)
    with pytest.raises(StoreChanged, match="being written"):
        files.PrivateCopy(path)
