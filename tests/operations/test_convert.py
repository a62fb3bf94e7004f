"""Converting and compressing: every pair of formats, losses before writing, verification that can fail, undo."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conversion_cases import GOLDEN, TABLES, contents, digest, updates

from inspector import registry
from inspector.model import InspectorError, StoreChanged, UsageError
from inspector.operations import parts
from inspector.operations.compress import CompressJob, compress
from inspector.operations.convert import Job, convert, plan
from inspector.operations.open import open_store
from inspector.operations.outcome import LossesRefused, VerificationFailed
from inspector.operations.trial import trial_size
from inspector.progress import Cancelled, silent

PAIRED = ("tinydb", "betterjson", "ystore", "yfile")


@pytest.mark.parametrize("middle", ["tinydb", "betterjson", "ystore"])
def test_tables_come_back_byte_for_byte(tables, tmp_path, middle):
    there, back = tmp_path / "there", tmp_path / "back.json"
    outcome = convert(Job(tables, there, middle))
    assert outcome.written
    assert outcome.verified
    assert outcome.losses == ()
    assert (outcome.records, outcome.bytes_before, outcome.bytes_after) == (
        2,
        len(TABLES.encode()),
        there.stat().st_size,
    )
    convert(Job(there, back, "tinydb"))
    assert contents(back) == contents(tables)


@pytest.mark.parametrize("to", PAIRED)
@pytest.mark.parametrize("start", PAIRED)
def test_every_pair_of_formats(notebook, tables, tmp_path, start, to):
    """Each format is made from what it holds best, then converted to each; what is lost is said before."""
    keeps = registry.backend(start).keeps_history
    origin = tmp_path / "origin"
    name = ".file:c4a1f0d2-6b1e-4d0f-8a7c-1de5b6a90e22.y"
    convert(Job(notebook, origin, start, collections=(name,)) if keeps else Job(tables, origin, start))
    target = tmp_path / "target"
    chosen = () if keeps or to != "yfile" else ("_default",)
    job = Job(origin, target, to, collections=chosen)
    planned = plan(job)
    if keeps and not registry.backend(to).keeps_history:
        assert [loss.kind for loss in planned.losses] == ["history"]
        with pytest.raises(LossesRefused):
            convert(job)
        assert not target.exists()
        job = Job(origin, target, to, collections=chosen, accept_losses=True)
    else:
        assert planned.losses == ()
    outcome = convert(job)
    assert outcome.written
    assert outcome.verified
    with open_store(target) as store:
        assert store.info.format == to
        assert sum(len(store.load(entry.name, silent)) for entry in store.collections) == outcome.records
    if keeps and registry.backend(to).keeps_history:
        names = [next(iter(contents(path))) for path in (origin, target)]
        assert updates(origin, names[0]) == updates(target, names[1])


def test_updates_are_carried_byte_for_byte_through_a_codec(notebook, tmp_path):
    coded, plain = tmp_path / "coded.db", tmp_path / "plain.db"
    convert(Job(notebook, coded, "ystore", codec="zstd:level=9"))
    convert(Job(coded, plain, "ystore"))
    for name in contents(notebook):
        assert updates(notebook, name) == updates(coded, name) == updates(plain, name)


def test_losses_are_named_and_nothing_is_written(traps, tmp_path):
    target = tmp_path / "t.db"
    with pytest.raises(LossesRefused, match="--accept-losses") as caught:
        convert(Job(traps, target, "betterjson"))
    found = {loss.kind: (loss.count, loss.where) for loss in caught.value.outcome.losses}
    assert found == {
        "not-a-number": (1, ("t/1",)),
        "integer-beyond-64-bit": (1, ("t/2",)),
        "lone-surrogate": (1, ("t/3",)),
    }
    assert caught.value.outcome.written is False
    assert sorted(os.listdir(tmp_path)) == ["traps.json"]


def test_accepted_losses_are_written_and_the_real_library_opens_the_result(traps, tmp_path):
    from BetterJSONStorage import BetterJSONStorage
    from tinydb import TinyDB

    target = tmp_path / "t.db"
    outcome = convert(Job(traps, target, "betterjson", accept_losses=True))
    assert outcome.verified
    with TinyDB(target, access_mode="r", storage=BetterJSONStorage) as database:
        rows = {row.doc_id: dict(row) for row in database.table("t")}
    assert rows[1] == {"v": None}
    assert rows[4] == {"ok": 1}


@pytest.mark.parametrize("to", PAIRED)
def test_a_trial_tells_the_size_that_is_then_written(tables, tmp_path, to):
    job = Job(tables, tmp_path / "out", to, collections=("_default",))
    size = trial_size(job)
    assert sorted(os.listdir(tmp_path)) == ["tables.json"]
    assert convert(job).bytes_after == size


NATIVE = (
    '{"t": {"2": {"b": 1, "a": [1.5, 2.0, -0.0, -0, true, null, "x", ""], "c": {"z": {}, "y": []}}, '
    '"10": {"n": NaN, "i": 9007199254740993, "j": 18446744073709551616, "k": 1e400, "s": "\\ud800é"}, '
    '"1": {"k": 1, "k": 2}, "2": {"again": 1}}}'
)


@pytest.mark.parametrize("to", ["ystore", "yfile"])
def test_native_values_are_verified_against_what_was_promised(tmp_path, to):
    from pycrdt import Doc, Map

    source = tmp_path / "native.json"
    source.write_text(NATIVE)
    job = Job(source, tmp_path / "t", to, native=True)
    kinds = {loss.kind for loss in plan(job).losses}
    assert kinds >= {"record-order", "key-order", "number-type", "repeated-keys", "duplicate-ids", "lone-surrogate"}
    with pytest.raises(LossesRefused):
        convert(job)
    assert convert(Job(source, tmp_path / "t", to, native=True, accept_losses=True)).verified
    ((rows),) = contents(tmp_path / "t").values()
    assert [key for key, _ in rows] == ["records.1", "records.10", "records.2"]
    doc = Doc()
    for data, _, _ in updates(tmp_path / "t", next(iter(contents(tmp_path / "t")))):
        doc.apply_update(data)
    assert doc.get("records", type=Map)["2"].to_py() == {"again": 1.0}


def test_the_sample_is_converted_to_native_values(samples, tmp_path):
    outcome = convert(Job(samples / "shop.json", tmp_path / "t", "ystore", native=True, accept_losses=True))
    assert outcome.records == 2020


def test_one_collection_and_one_version(notebook, tmp_path):
    target = tmp_path / "early.y"
    name = ".file:c4a1f0d2-6b1e-4d0f-8a7c-1de5b6a90e22.y"
    outcome = convert(Job(notebook, target, "yfile", collections=(name,), at="10"))
    assert outcome.versions == 10
    assert updates(target, "early") == updates(notebook, name)[:10]


def test_a_dry_run_writes_nothing(notebook, tmp_path, inspect):
    found = inspect("convert", notebook, tmp_path / "n.json", "--dry-run", "--json")
    assert found.code == 0
    assert (found.json["written"], found.json["verified"]) == (False, False)
    assert [loss["kind"] for loss in found.json["losses"]] == ["history"]
    assert sorted(os.listdir(tmp_path)) == [notebook.name]


def test_refused_losses_print_the_outcome_and_exit_with_1(notebook, tmp_path, inspect):
    found = inspect("convert", notebook, tmp_path / "n.json", "--json")
    assert found.code == 1
    assert found.json["written"] is False
    assert found.json["losses"][0]["count"] == 666
    assert found.err.count("\n") == 1


def test_documents_without_an_update_are_refused_before_anything_is_written(notebook, tmp_path):
    job = Job(notebook, tmp_path / "x.ystore.db", "ystore", at="0")
    for step in (plan, convert):
        with pytest.raises(InspectorError, match=r"none here of .+ \(and 1 more\).*--at"):
            step(job)
    with open_store(notebook) as store:
        name = store.collections[0].name
    convert(Job(notebook, tmp_path / "x.y", "yfile", at="0", collections=(name,)))
    with pytest.raises(InspectorError, match=r"none here of x in x\.y"):
        convert(Job(tmp_path / "x.y", tmp_path / "x.ystore.db", "ystore"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notebook.ystore.db", "x.y"]


def test_a_target_that_exists_is_refused(tables, tmp_path):
    target = tmp_path / "t.db"
    target.write_bytes(b"mine")
    with pytest.raises(InspectorError, match="exists already"):
        convert(Job(tables, target, "betterjson"))
    assert target.read_bytes() == b"mine"


def test_compress_auto_of_betterjson_is_smaller_and_opens_in_the_real_library(samples, tmp_path):
    from BetterJSONStorage import BetterJSONStorage
    from tinydb import TinyDB

    target = tmp_path / "small.db"
    outcome = compress(CompressJob(samples / "shop.db", target))
    assert outcome.bytes_after < outcome.bytes_before * 0.7
    assert any("blosc2<3" in note for note in outcome.notes)
    with TinyDB(target, access_mode="r", storage=BetterJSONStorage) as database:
        assert len(database.table("orders")) == 1500


def test_compress_of_a_format_without_codec_offers_the_way_out(tables, inspect):
    found = inspect("compress", tables, "-o", tables.with_name("x"))
    assert found.code == 1
    assert "has no codec" in found.err
    assert "--to betterjson" in found.err


def test_a_codec_that_the_format_does_not_take_is_refused(tables, tmp_path):
    with pytest.raises(InspectorError, match="does not store with codec zstd"):
        convert(Job(tables, tmp_path / "x", "betterjson", codec="zstd"))


def test_a_codec_that_is_only_read_is_wrong_usage(tables, tmp_path):
    with pytest.raises(UsageError, match="not written"):
        convert(Job(tables, tmp_path / "x", "ystore", codec="deflate"))


def test_verification_can_fail_and_then_nothing_is_put_in_place(tables, tmp_path, monkeypatch):
    """A writer that drops one record is caught by reading back."""
    room = registry.backend("betterjson")
    honest = type(room).write

    class Half:
        def __init__(self, source):
            self.source = source

        def __getattr__(self, name):
            return getattr(self.source, name)

        def whole_text(self):
            return None

        def load(self, name, progress):
            return list(self.source.load(name, progress))[:-1]

    monkeypatch.setattr(type(room), "write", lambda self, path, source, *rest: honest(self, path, Half(source), *rest))
    target = tmp_path / "t.db"
    with pytest.raises(VerificationFailed, match="was not written"):
        convert(Job(tables, target, "betterjson"))
    assert not target.exists()


def test_a_source_that_changes_meanwhile_stops_the_job(tables, tmp_path, monkeypatch):
    verify = parts.verify

    def writer_beside(*arguments, **named):
        counts = verify(*arguments, **named)
        tables.write_text(TABLES + " ")
        return counts

    monkeypatch.setattr(parts, "verify", writer_beside)
    with pytest.raises(StoreChanged):
        convert(Job(tables, tmp_path / "t.db", "betterjson"))
    assert not (tmp_path / "t.db").exists()


@pytest.mark.parametrize("after", [1, 3, 10, 30])
def test_cancelled_anywhere_nothing_remains(notebook, tmp_path, after):
    calls = []

    def progress(done, total):
        calls.append(done)
        if len(calls) > after:
            raise Cancelled

    before = digest(notebook)
    with pytest.raises(Cancelled):
        convert(Job(notebook, tmp_path / "out.db", "ystore", codec="zlib"), progress)
    assert sorted(os.listdir(tmp_path)) == [notebook.name]
    assert digest(notebook) == before


def test_a_store_that_another_process_has_open_is_not_changed_in_place(notebook):
    code = "import sys, time; f = open(sys.argv[1]); print('open', flush=True); time.sleep(60)"
    before = digest(notebook)
    with subprocess.Popen([sys.executable, "-c", code, str(notebook)], stdout=subprocess.PIPE) as holder:
        holder.stdout.readline()
        with pytest.raises(InspectorError, match="is open in"):
            compress(CompressJob(notebook, None))
        holder.kill()
    assert digest(notebook) == before


def test_a_folder_without_permission_is_named(tables, inspect):
    found = inspect("convert", tables, "/proc/nope/t.db", "--to", "betterjson")
    assert found.code == 1
    assert "Nothing was written" in found.err


@pytest.mark.parametrize("side", ["-wal", "-journal", "-shm"])
def test_side_files_beside_a_target_are_not_mixed_into_it(tables, tmp_path, side):
    target = tmp_path / "new.ystore.db"
    (tmp_path / f"new.ystore.db{side}").write_bytes(b"left by another program")
    with pytest.raises(InspectorError, match=f"has a {side} file beside it"):
        convert(Job(tables, target, "ystore"))
    assert sorted(os.listdir(tmp_path)) == [f"new.ystore.db{side}", "tables.json"]


@pytest.mark.parametrize("name", ["source", "link", "loop", "pipe"])
def test_targets_that_are_not_replaced(tables, tmp_path, name):
    before = digest(tables)
    target = tmp_path / name
    if name == "source":
        target = tables
    elif name == "link":
        target.symlink_to(tables)
    elif name == "loop":
        target.symlink_to(target)
    else:
        os.mkfifo(target)
    with pytest.raises(InspectorError):
        convert(Job(tables, target, "betterjson", overwrite=name != "loop"))
    assert digest(tables) == before
    assert target.is_fifo() == (name == "pipe")


def test_a_damaged_source_is_written_only_when_that_is_accepted(tmp_path):
    source = tmp_path / "cut.json"
    source.write_text('{"t": {"1": {"a": 1}, "2": {"a"')
    assert [loss.kind for loss in plan(Job(source, tmp_path / "x", "tinydb")).losses] == ["truncated"]
    with pytest.raises(LossesRefused, match="truncated"):
        convert(Job(source, tmp_path / "x", "betterjson"))
    outcome = convert(Job(source, tmp_path / "x", "betterjson", accept_losses=True))
    assert [finding.code for finding in outcome.warnings] == ["truncated"]
    assert list(contents(tmp_path / "x")["t"]) == [("1", '{"a": 1}')]


def test_a_damaged_store_is_not_compressed(tmp_path):
    path = tmp_path / "cut.ystore.db"
    path.write_bytes((GOLDEN / "ystore" / "truncated_60pct.ystore.db").read_bytes())
    before = digest(path)
    with pytest.raises(InspectorError, match="damaged"):
        compress(CompressJob(path, None, backup=False))
    assert digest(path) == before


def test_what_does_not_get_smaller_is_left_as_it_is(notebook):
    before = digest(notebook)
    with pytest.raises(InspectorError, match="already as small"):
        compress(CompressJob(notebook, None))
    assert digest(notebook) == before
    assert os.listdir(notebook.parent) == [notebook.name]


def test_compress_takes_the_state_that_is_named(samples, tmp_path):
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text('{"t": {"1": {"state": "old", "text": "' + "x" * 500 + '"}}}')
    second.write_text('{"t": {"1": {"state": "new", "text": "' + "x" * 500 + '"}}}')
    both = tmp_path / "both.db"
    for path in (first, second):
        convert(Job(path, path.with_suffix(".bjson"), "betterjson"))
    both.write_bytes(first.with_suffix(".bjson").read_bytes() + second.with_suffix(".bjson").read_bytes())
    compress(CompressJob(both, tmp_path / "old.db", codec="blosc2", state=1))
    assert '"old"' in contents(tmp_path / "old.db")["t"][0][1]


def test_a_version_of_a_format_without_history_is_refused(tables, tmp_path):
    with pytest.raises(InspectorError, match="keeps no history"):
        convert(Job(tables, tmp_path / "x", "betterjson", at="1"))


@pytest.mark.slow
def test_in_place_survives_sigkill_at_any_moment(notebook):
    """After each kill the store is the old or the new one, whole, and the next run cleans up."""
    content = contents(notebook)
    command = [sys.executable, "-m", "inspector", "compress", str(notebook), "--in-place", "--codec", "zstd"]
    started = time.monotonic()
    copying = [*command[:-3], "-o", str(notebook.with_name("x.db")), "--codec", "zstd"]
    subprocess.run(copying, check=True, capture_output=True)
    whole = time.monotonic() - started
    for step in range(12):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            time.sleep(whole * (0.3 + 0.06 * step))
            run.send_signal(signal.SIGKILL)
        assert contents(notebook) == content
    subprocess.run(command, check=True, capture_output=True)
    assert [name for name in os.listdir(notebook.parent) if name.endswith(".tmp")] == []
    assert contents(notebook) == content


def test_what_the_format_holds_already_is_no_new_loss(tmp_path):
    source = tmp_path / "big.json"
    source.write_text('{"t": {"1": {"n": 123456789012345678901234567890, "text": "' + "x" * 2000 + '"}}}')
    first = tmp_path / "first.bjson"
    convert(Job(source, first, "betterjson", codec="blosc2:level=0", accept_losses=True))
    compress(CompressJob(first, tmp_path / "second.bjson"))
    assert contents(tmp_path / "second.bjson") == contents(source)
