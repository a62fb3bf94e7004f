"""Converting to the formats of other programs and back: every source to every target, folders, losses, undo."""

import csv
import json
import os
import shutil
import sqlite3
from contextlib import closing

import nbformat
import pytest
from conversion_cases import contents, digest

from inspector import registry
from inspector.model import InspectorError
from inspector.operations import undo
from inspector.operations.convert import Job, convert, plan
from inspector.operations.outcome import LossesRefused, VerificationFailed
from inspector.operations.parts import file_name
from inspector.operations.trial import trial_size
from inspector.progress import Cancelled

EVERY = sorted(name for name, room in registry.backends().items() if room.writes)
SOURCES = [name for name in EVERY if registry.backend(name).reads]
NOTEBOOK = ".notebook:5b1d0c3e-7f7a-4a05-9a57-3f6a7f2f9b10.y"
NOTES = ".file:c4a1f0d2-6b1e-4d0f-8a7c-1de5b6a90e22.y"
TO_TABLES = {"tinydb", "betterjson"}


@pytest.fixture
def origins(samples, tmp_path):
    """Return a maker of a store of each format, with one table or document."""

    def make(start):
        keeps = registry.backend(start).keeps_history
        path = tmp_path / f"origin.{start}"
        source = samples / ("notebook/notebook.ystore.db" if keeps else "shop.json")
        convert(Job(source, path, start, collections=(NOTEBOOK if keeps else "products",)))
        return path

    return make


@pytest.mark.parametrize("to", EVERY)
@pytest.mark.parametrize("start", SOURCES)
def test_every_source_to_every_target_and_back_to_tables(origins, tmp_path, start, to):
    origin, target = origins(start), tmp_path / "target"
    job = Job(origin, target, to)
    if to == "ipynb" and not registry.backend(start).keeps_history:
        with pytest.raises(InspectorError, match="holds no notebook"):
            plan(job)
        return
    kinds = {loss.kind for loss in plan(job).losses}
    keeps = [registry.backend(name).keeps_history for name in (start, to)]
    assert ("history" in kinds) == (keeps == [True, False])
    assert kinds <= {"history", "not-text", "not-in-notebook"}
    if kinds:
        with pytest.raises(LossesRefused):
            convert(job)
        assert not target.exists()
    outcome = convert(Job(origin, target, to, accept_losses=True))
    assert outcome.written
    assert outcome.verified
    assert outcome.bytes_after == target.stat().st_size
    assert outcome.opens_here == registry.backend(to).reads
    if registry.backend(to).reads and not keeps[0]:
        back = tmp_path / "back.json"
        convert(Job(target, back, "tinydb"))
        assert list(contents(back).values()) == list(contents(origin).values())


@pytest.mark.parametrize("to", ["jsonl", "csv", "sqlite"])
def test_a_document_through_an_export_is_the_same_table_as_without(samples, tmp_path, to):
    source = samples / "notebook/notebook.ystore.db"
    straight, there, back = (tmp_path / name for name in ("straight.json", "there", "back.json"))
    for job in (Job(source, straight, "tinydb"), Job(source, there, to)):
        convert(Job(job.source, job.target, job.to, collections=(NOTES,), accept_losses=True))
    convert(Job(there, back, "tinydb"))
    assert list(contents(back).values()) == list(contents(straight).values())


def test_json_lines_are_what_records_prints(samples, tmp_path, inspect):
    target = tmp_path / "shop.jsonl"
    assert inspect("convert", samples / "shop.json", target).code == 0
    assert target.read_text() == inspect("records", samples / "shop.json").out


def test_several_collections_make_a_folder_of_csv(samples, tmp_path, inspect):
    target = tmp_path / "shop"
    found = inspect("convert", samples / "shop.json", target, "--to", "csv", "--json").json
    assert sorted(os.listdir(target)) == ["customers.csv", "orders.csv", "products.csv"]
    assert found["bytes_after"] == sum(path.stat().st_size for path in target.iterdir())
    assert (found["records"], found["verified"], found["losses"]) == (2020, True, [])
    with open(target / "orders.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    orders = contents(samples / "shop.json")["orders"]
    assert [row["$key"] for row in rows] == [key for key, _ in orders]
    assert [json.loads(row["lines"]) for row in rows] == [json.loads(text)["lines"] for _, text in orders]
    assert contents(target / "orders.csv")["orders"] == orders
    assert sorted(os.listdir(tmp_path)) == ["shop"]


def test_notebooks_are_valid_and_what_is_none_is_a_loss(samples, tmp_path, inspect):
    target = tmp_path / "notebooks"
    source = samples / "notebook/notebook.ystore.db"
    outcome = convert(Job(source, target, "ipynb", accept_losses=True))
    assert [(loss.kind, loss.count) for loss in outcome.losses] == [("history", 666), ("not-a-notebook", 1)]
    assert os.listdir(target) == ["analysis.ipynb"]
    assert outcome.records == 11  # of the collections that are written
    notebook = nbformat.read(target / "analysis.ipynb", as_version=4)
    nbformat.validate(notebook)
    shown = inspect("show", source, "-c", "analysis.ipynb", "--as", "ipynb").out
    assert (target / "analysis.ipynb").read_text(encoding="utf-8") == shown


def test_text_is_what_show_prints(samples, tmp_path, inspect):
    source, target = samples / "notebook/notebook.ystore.db", tmp_path / "notes.txt"
    assert inspect("convert", source, target, "-c", "notes.md", "--accept-losses").code == 0
    assert target.read_text() == inspect("show", source, "-c", "notes.md", "--as", "text").out


def test_one_version_is_exported(samples, tmp_path):
    source, target = samples / "notebook/notebook.ystore.db", tmp_path / "early.ipynb"
    outcome = convert(Job(source, target, "ipynb", collections=(NOTEBOOK,), at="550", accept_losses=True))
    assert [(loss.kind, loss.count) for loss in outcome.losses] == [("history", 549)]
    assert "the only copy of the discount model" in target.read_text(encoding="utf-8")


def test_what_a_text_cannot_hold_is_named(tmp_path):
    source = tmp_path / "t.jsonl"
    lines = [("source", "half \ud800"), ("meta.a", 1)]
    source.write_text("".join(json.dumps({"collection": "d", "key": k, "value": v}) + "\n" for k, v in lines))
    job = Job(source, tmp_path / "t.txt", "text", accept_losses=True)
    assert {loss.kind: loss.where for loss in plan(job).losses} == {"not-text": ("d/meta.a",), "lone-surrogate": ("d",)}
    convert(job)
    assert (tmp_path / "t.txt").read_bytes() == b"half \\ud800"


def test_what_a_notebook_cannot_hold_is_named_and_the_rest_is_valid(tmp_path):
    source, target = tmp_path / "t.jsonl", tmp_path / "t.ipynb"
    cell = {"cell_type": "code", "id": "a1", "metadata": {}, "source": ["x = ", "1"], "outputs": [], "mine": 1}
    lines = [("cells[0]", cell), ("cells[1]", {**cell, "id": "b2", "mine": None}), ("other", "x")]
    del lines[1][1]["mine"]
    text = "".join(json.dumps({"collection": "d", "key": k, "value": v}) + "\n" for k, v in lines)
    source.write_text(text + '{"collection": "d", "key": "meta.metadata", "value": {"big": 1e400, "s": "\\ud800"}}\n')
    outcome = convert(Job(source, target, "ipynb", accept_losses=True))
    assert {loss.kind: loss.where for loss in outcome.losses} == {
        "not-in-notebook": ("d/cells[0]", "d/other", "d/meta.metadata")
    }
    notebook = nbformat.read(target, as_version=4)
    nbformat.validate(notebook)
    assert [one.source for one in notebook.cells] == ["x = 1", "x = 1"]


def test_a_table_with_no_record_is_a_named_loss_of_json_lines_only(tables, tmp_path):
    job = Job(tables, tmp_path / "t.jsonl", "jsonl")
    with pytest.raises(LossesRefused, match="empty-collection"):
        convert(job)
    assert convert(Job(tables, tmp_path / "t.jsonl", "jsonl", accept_losses=True)).verified
    convert(Job(tables, tmp_path / "t.sqlite", "sqlite"))
    convert(Job(tables, tmp_path / "t", "csv"))
    assert contents(tmp_path / "t.sqlite") == contents(tables)
    assert contents(tmp_path / "t" / "empty.csv") == {"empty": []}


def test_spreadsheet_safe(tmp_path, inspect):
    source, target = tmp_path / "t.json", tmp_path / "t.csv"
    source.write_text('{"t": {"1": {"f": "=HYPERLINK(1)", "n": -5, "t": "-5", "@": "\'=x", "i": -Infinity}}}')
    before = contents(source)["t"]
    found = inspect("convert", source, target, "--spreadsheet-safe", "--json")
    assert found.json["losses"] == []
    assert "--spreadsheet-safe" in found.json["command"]
    assert target.read_bytes().decode("utf-8-sig") == (
        '$key,f,n,t,"\'@",i\r\n1,"\'=HYPERLINK(1)",-5,"\'-5","\'\'=x",\'-Infinity\r\n'
    )
    assert contents(target)["t"] == before
    refused = inspect("convert", source, tmp_path / "x.sqlite", "--spreadsheet-safe")
    assert refused.code == 1
    assert "--spreadsheet-safe does not apply" in refused.err


def test_other_programs_files_are_converted_but_not_opened(tmp_path, inspect):
    (tmp_path / "a.csv").write_text("name,age\nAnn,7\n")
    (tmp_path / "b.ndjson").write_text('{"name": "Ann", "age": 7}\n')
    with closing(sqlite3.connect(tmp_path / "c.db")) as connection:
        connection.executescript("CREATE TABLE c (name, age); INSERT INTO c VALUES ('Ann', 7)")
    for name, words in (("a.csv", ()), ("b.ndjson", ()), ("c.db", ("--from-format", "sqlite"))):
        refused = inspect("info", tmp_path / name)
        assert refused.code == 1
        assert "is no store that Inspector reads" in refused.err
        target = tmp_path / f"{name}.json"
        assert inspect("convert", tmp_path / name, target, *words).code == 0
        assert contents(target) == {name[0]: [("1", '{"name": "Ann", "age": 7}')]}
    foreign = inspect("convert", tmp_path / "c.db", tmp_path / "x.json")
    assert foreign.code == 1
    assert "a SQLite database of another program (table c)" in foreign.err


@pytest.mark.parametrize("name", ["t.txt", "t.ipynb"])
def test_formats_that_are_only_written_cannot_be_sources(tmp_path, inspect, name):
    (tmp_path / name).write_text("{}")
    format = "text" if name == "t.txt" else "ipynb"
    found = inspect("convert", tmp_path / name, tmp_path / "x.json", "--from-format", format)
    assert found.code == 2
    assert "cannot be opened, only written" in found.err


def test_a_damaged_export_is_imported_only_when_that_is_accepted(tmp_path, inspect):
    source = tmp_path / "cut.csv"
    source.write_bytes(b"$key,a\r\n1,x\r\n2,")
    found = inspect("convert", source, tmp_path / "t.json")
    assert found.code == 1
    assert found.err.count("error: ") == 1
    assert "truncated (1)" in found.err
    assert inspect("convert", source, tmp_path / "t.json", "--accept-losses").code == 0
    assert contents(tmp_path / "t.json") == {"cut": [("1", '{"a": "x"}')]}


@pytest.mark.parametrize("to", EVERY)
def test_a_trial_tells_the_size_that_is_then_written(samples, tmp_path, to):
    name = "analysis.ipynb" if to in ("ipynb", "yfile") else None
    source = samples / ("notebook/notebook.ystore.db" if name else "shop.json")
    job = Job(source, tmp_path / "out", to, collections=(name,) if name else (), accept_losses=True)
    assert trial_size(job) == convert(job).bytes_after


# Folders


@pytest.fixture
def shop(samples, tmp_path):
    return shutil.copy(samples / "shop.json", tmp_path / "shop.json")


def test_a_folder_with_files_is_replaced_only_when_told_and_is_kept(shop, tmp_path, inspect):
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    refused = inspect("convert", shop, target, "--to", "csv")
    assert refused.code == 1
    assert "exists already" in refused.err
    assert inspect("convert", shop, target, "--to", "csv", "--overwrite", "--no-backup").code == 1
    assert os.listdir(target) == ["mine.txt"]
    outcome = convert(Job(shop, target, "csv", overwrite=True))
    assert os.listdir(outcome.backup) == ["mine.txt"]
    assert len(os.listdir(target)) == 3
    undo.undo(target)
    assert os.listdir(target) == ["mine.txt"]
    assert sorted(os.listdir(tmp_path)) == ["out", "shop.json"]


def test_an_empty_folder_is_filled_and_undone_into_the_trash(shop, tmp_path, inspect):
    target = tmp_path / "out"
    target.mkdir()
    convert(Job(shop, target, "csv"))
    assert undo.can_undo(target)
    assert inspect("undo", target).code == 0
    assert not target.exists()


@pytest.mark.parametrize("change", ["edit", "add", "remove"])
def test_undo_refuses_a_folder_that_was_changed_since(shop, tmp_path, change):
    target = tmp_path / "out"
    convert(Job(shop, target, "csv"))
    if change == "edit":
        (target / "orders.csv").write_text("mine")
    elif change == "add":
        (target / "new").mkdir()
    else:
        (target / "orders.csv").unlink()
    with pytest.raises(InspectorError, match="changed since"):
        undo.undo(target)
    assert target.exists()


def test_places_that_cannot_become_a_folder(shop, tmp_path, inspect):
    (tmp_path / "file").write_text("mine")
    for target in (tmp_path / "file", tmp_path, tmp_path / "nowhere" / "x"):
        for words in ((), ("--overwrite",)):
            found = inspect("convert", shop, target, "--to", "csv", *words)
            assert found.code == 1
            assert found.err.count("\n") == 1
    warned = inspect("convert", shop, tmp_path / "file", "--to", "csv", "--dry-run")
    assert warned.code == 0
    assert "warning: " in warned.err
    assert sorted(os.listdir(tmp_path)) == ["file", "shop.json"]


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9])
def test_cancelled_anywhere_no_folder_remains(shop, tmp_path, share):
    calls = []
    convert(Job(shop, tmp_path / "whole", "csv"), lambda done, total: calls.append(done))
    shutil.rmtree(tmp_path / "whole")
    after = int(len(calls) * share)
    calls.clear()

    def progress(done, total):
        calls.append(done)
        if len(calls) > after:
            raise Cancelled

    before = digest(shop)
    with pytest.raises(Cancelled):
        convert(Job(shop, tmp_path / "out", "csv"), progress)
    assert os.listdir(tmp_path) == ["shop.json"]
    assert digest(shop) == before


def test_a_rename_that_fails_puts_the_old_folder_back(shop, tmp_path, monkeypatch):
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    honest = os.rename

    def rename(source, place):
        if str(source).endswith(".tmp"):
            raise OSError(5, "Input/output error")
        honest(source, place)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(InspectorError, match="Input/output error"):
        convert(Job(shop, target, "csv", overwrite=True))
    assert os.listdir(target) == ["mine.txt"]
    assert sorted(os.listdir(tmp_path)) == ["out", "shop.json"]
    assert not undo.can_undo(target)


@pytest.mark.parametrize("to", ["jsonl", "csv", "sqlite", "text"])
def test_verification_can_fail_and_then_nothing_is_put_in_place(shop, tmp_path, monkeypatch, to):
    """A writer that drops one record is caught by reading back."""
    room = type(registry.backend(to))
    honest = room.write

    class Half:
        def __init__(self, source):
            self.source = source

        def __getattr__(self, name):
            return getattr(self.source, name)

        def load(self, name, progress):
            return list(self.source.load(name, progress))[:-1]

    monkeypatch.setattr(room, "write", lambda self, path, source, *rest: honest(self, path, Half(source), *rest))
    with pytest.raises(VerificationFailed, match="was not written"):
        convert(Job(shop, tmp_path / "out", to, accept_losses=True))
    assert os.listdir(tmp_path) == ["shop.json"]


def test_names_of_files_suit_every_system():
    used = set()
    labels = ["a/b", "A/B", "analysis.ipynb", "..", "", "x" * 300, "é:日", "tab\there", "\ud800"]
    names = [file_name(label, ".ipynb", used) for label in labels]
    assert names[:5] == ["a_b.ipynb", "A_B-2.ipynb", "analysis.ipynb", "_.ipynb", "_-2.ipynb"]
    assert all(len(name.encode()) < 200 for name in names)
    assert names[6:] == ["é_日.ipynb", "tab_here.ipynb", "_-3.ipynb"]
