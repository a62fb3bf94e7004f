"""Taking back what was written: backups, the trash, the journal of writes."""

import pytest
from conversion_cases import contents, digest

from inspector import files
from inspector.model import InspectorError
from inspector.operations import undo
from inspector.operations.compress import CompressJob, compress
from inspector.operations.convert import Job, convert


def test_overwriting_keeps_a_backup_and_undo_puts_it_back(tables, tmp_path):
    target = tmp_path / "t.db"
    target.write_bytes(b"mine")
    outcome = convert(Job(tables, target, "betterjson", overwrite=True))
    assert outcome.backup.read_bytes() == b"mine"
    assert undo.can_undo(target)
    undo.undo(target)
    assert target.read_bytes() == b"mine"
    assert not outcome.backup.exists()
    assert not undo.can_undo(target)


def test_undo_of_a_new_file_moves_it_to_the_trash(tables, tmp_path, inspect):
    target = tmp_path / "t.db"
    convert(Job(tables, target, "betterjson"))
    assert inspect("undo", target).code == 0
    assert not target.exists()


def test_undo_refuses_when_the_file_was_changed_since(tables, tmp_path, inspect):
    target = tmp_path / "t.db"
    convert(Job(tables, target, "betterjson"))
    target.write_bytes(target.read_bytes() + b"x")
    found = inspect("undo", target)
    assert found.code == 1
    assert "changed since" in found.err
    assert target.exists()


def test_undo_of_a_stranger_is_refused(tables, inspect):
    assert "not written by Inspector" in inspect("undo", tables).err


def test_compress_in_place_keeps_a_backup_and_can_be_undone(notebook):
    before = digest(notebook)
    content = contents(notebook)
    outcome = compress(CompressJob(notebook, None, codec="zlib"))
    assert digest(outcome.backup) == before
    assert contents(notebook) == content
    undo.undo(notebook)
    assert digest(notebook) == before


def test_without_a_place_for_the_journal_the_work_is_done_and_said(tables, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked / "state"))
    target = tmp_path / "t.db"
    target.write_bytes(b"mine")
    outcome = convert(Job(tables, target, "betterjson", overwrite=True))
    assert outcome.backup.read_bytes() == b"mine"
    assert any("cannot be undone" in note for note in outcome.notes)


def test_a_run_killed_between_backup_and_rename_does_not_bury_the_undo_before(samples, tmp_path):
    path = tmp_path / "shop.db"
    path.write_bytes((samples / "shop.db").read_bytes())
    before = digest(path)
    compress(CompressJob(path, None))
    backup = files.back_up(path)  # what such a run leaves: a backup of the present file, and a note
    other = tmp_path / "never"
    other.write_bytes(b"never renamed")
    undo.remember(path, other, backup=backup, format="betterjson", source=path)
    undo.undo(path)
    assert digest(path) == before
    assert not backup.exists()


def test_undo_goes_back_step_by_step_to_nothing(tables, tmp_path):
    target = tmp_path / "t.db"
    convert(Job(tables, target, "betterjson"))
    first = digest(target)
    convert(Job(tables, target, "betterjson", codec="blosc2:level=9", overwrite=True))
    undo.undo(target)
    assert digest(target) == first
    undo.undo(target)
    assert not target.exists()


def test_undo_through_a_link_takes_the_file(tables, tmp_path):
    real, link = tmp_path / "real.db", tmp_path / "link.db"
    link.symlink_to(real)
    convert(Job(tables, link, "betterjson"))
    undo.undo(link)
    assert not real.exists()
    assert link.is_symlink()


@pytest.mark.parametrize("journal", ["[{}]", "{}", "null", "[1]", "garbage"])
def test_a_journal_of_another_shape_is_no_undo(tables, journal):
    place = undo._journal(tables)
    place.parent.mkdir(parents=True)
    place.write_text(journal)
    with pytest.raises(InspectorError, match="not written by Inspector"):
        undo.undo(tables)


def test_a_backup_under_a_name_used_before_is_kept(samples, tmp_path):
    """The user takes file and backup away and puts the first file back: the next backup is not the earlier one."""
    path = tmp_path / "shop.db"
    original = (samples / "shop.db").read_bytes()
    path.write_bytes(original)
    first = compress(CompressJob(path, None)).backup
    path.unlink()
    first.unlink()
    path.write_bytes(original)
    second = compress(CompressJob(path, None)).backup
    assert second.read_bytes() == original
    undo.undo(path)
    assert path.read_bytes() == original
