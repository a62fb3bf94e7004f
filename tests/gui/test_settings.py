from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from inspector.gui import settings as settings_module
from inspector.gui.settings import MOST_RECENTS, Recent, Settings, is_missing, on_network


def recent(name: str) -> Recent:
    return Recent(f"/home/me/{name}", "tinydb", 5_000_000_000, 1_700_000_000.5)


def test_everything_survives_a_restart(tmp_path: Path) -> None:
    first = Settings(tmp_path / "inspector.ini")
    first.mode = "dark"
    first.text_scale = 1.25
    first.reduced_motion = True
    first.geometry = QByteArray(b"\x00\x01geometry")
    first.state = QByteArray(b"\xff\x00state")
    first.set_sizes("history", [206, 400])
    first.add_recent(recent("ünïcode, comma.json"))
    first.sync()

    second = Settings(tmp_path / "inspector.ini")
    assert second.mode == "dark"
    assert second.text_scale == 1.25
    assert second.reduced_motion is True
    assert second.geometry == QByteArray(b"\x00\x01geometry")
    assert second.state == QByteArray(b"\xff\x00state")
    assert second.sizes("history") == [206, 400]
    assert second.recents() == [recent("ünïcode, comma.json")]


def test_an_empty_file_gives_defaults(settings: Settings) -> None:
    assert settings.mode == "system"
    assert settings.text_scale == 1.0
    assert settings.reduced_motion is False
    assert settings.geometry.isEmpty()
    assert settings.state.isEmpty()
    assert settings.sizes("history") == []
    assert settings.recents() == []


def test_nonsense_in_the_file_counts_as_not_set(tmp_path: Path) -> None:
    path = tmp_path / "inspector.ini"
    path.write_text(
        '[General]\nrecents=[{\\"path\\": 1}, 3]\n[look]\nmode=purple\ntext_scale=big\n'
        "[sizes]\nhistory={}\n[window]\ngeometry=text\n"
    )
    settings = Settings(path)
    assert settings.mode == "system"
    assert settings.text_scale == 1.0
    assert settings.sizes("history") == []
    assert settings.geometry.isEmpty()
    assert settings.recents() == []


def test_recents_are_newest_first_without_doubles_and_bounded(settings: Settings) -> None:
    for number in range(MOST_RECENTS + 5):
        settings.add_recent(recent(f"{number}.json"))
    settings.add_recent(recent("10.json"))
    names = [Path(known.path).name for known in settings.recents()]
    assert len(names) == MOST_RECENTS
    assert names[:3] == ["10.json", "24.json", "23.json"]
    assert names.count("10.json") == 1


def test_recents_can_be_removed_and_cleared(settings: Settings) -> None:
    settings.add_recent(recent("a.json"))
    settings.add_recent(recent("b.json"))
    settings.remove_recent("/home/me/a.json")
    assert settings.recents() == [recent("b.json")]
    settings.clear_recents()
    assert settings.recents() == []


def test_missing_files_are_known_and_network_files_never_asked_for(tmp_path: Path) -> None:
    there = tmp_path / "a.json"
    there.write_text("{}")
    assert not is_missing(str(there))
    assert is_missing(str(tmp_path / "b.json"))
    assert not is_missing("//server/share/gone.json")


def test_the_longest_mount_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\nhub:/home /srv/my\\040hub nfs4 rw 0 0\n/dev/sdb1 /srv/my\\040hub/local ext4 rw 0 0\n"
    )
    monkeypatch.setattr(settings_module, "_MOUNTS", mounts)
    assert on_network("/srv/my hub/a.json")
    assert not on_network("/srv/my hubcap/a.json")
    assert not on_network("/srv/my hub/local/a.json")
    assert not on_network("/home/me/a.json")
    assert not is_missing("/srv/my hub/gone.json")


def test_contrast_and_motion_are_remembered(tmp_path: Path) -> None:
    before = Settings(tmp_path / "inspector.ini")
    assert not before.high_contrast
    assert not before.reduced_motion
    before.high_contrast = before.reduced_motion = True
    before.sync()
    after = Settings(tmp_path / "inspector.ini")
    assert after.high_contrast
    assert after.reduced_motion
