"""register and unregister in a user's data folder of their own."""

import configparser
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.operations.register import APP_ID, ICON_SIZES, lay


@pytest.fixture
def share():
    return Path(os.environ["XDG_DATA_HOME"])


def listing(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def entry_of(path):
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read_string(path.read_text(encoding="utf-8"))
    return parser["Desktop Entry"]


def test_a_round_trip_leaves_no_trace(inspect, share):
    share.mkdir(parents=True)
    done = inspect("register")
    assert done.code == 0, done.err
    assert (share / "applications" / f"{APP_ID}.desktop").is_file()
    assert (share / "mime" / "packages" / f"{APP_ID}.xml").is_file()
    assert inspect("unregister").code == 0
    assert listing(share) == {}


def test_registering_twice_changes_nothing(inspect, share):
    inspect("register")
    first = listing(share)
    assert inspect("register").code == 0
    again = listing(share)
    assert again.keys() == first.keys()
    manifest = share / "inspector" / "registered.json"
    assert json.loads(again[manifest]) == json.loads(first[manifest])
    inspect("unregister")
    assert not any(path.is_file() for path in share.rglob("*"))


def test_what_others_laid_down_stays(inspect, share):
    theirs = {
        "applications/other.desktop": "[Desktop Entry]\nType=Application\nName=Other\nExec=true\n",
        "mime/packages/other.xml": '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info"/>\n',
        "icons/hicolor/48x48/apps/other.png": "",
        "inspector/faults/fault.txt": "kept",
    }
    for name, text in theirs.items():
        (share / name).parent.mkdir(parents=True, exist_ok=True)
        (share / name).write_text(text, encoding="utf-8")
    inspect("register")
    inspect("unregister")
    for name, text in theirs.items():
        assert (share / name).read_text(encoding="utf-8") == text
    assert not [path for path in share.rglob("*") if APP_ID in path.name]


def test_unregister_without_register_says_so(inspect, share):
    done = inspect("unregister")
    assert (done.code, done.out) == (0, f"nothing is registered in {share}\n")
    assert not share.exists()


def test_the_menu_entry_starts_this_installation(inspect, share):
    inspect("register")
    entry = entry_of(share / "applications" / f"{APP_ID}.desktop")
    words = shlex.split(entry["Exec"])
    assert words.pop() == "%F"
    told = subprocess.run([*words, "--version"], capture_output=True, text=True, check=False)
    assert told.stdout.startswith("inspector "), told.stderr
    assert Path(entry["TryExec"]).is_file()


def test_a_command_with_strange_characters_is_quoted(tmp_path):
    """A path may hold blanks, quotes, dollars, per cent signs and backslashes; two levels of rules apply."""
    strange = tmp_path / 'a b"$x`%d\\' / "inspector"
    lay(tmp_path / "share", [str(strange)], for_one_user=True)
    entry = entry_of(tmp_path / "share" / "applications" / f"{APP_ID}.desktop")
    exec_line = entry["Exec"].replace("\\\\", "\\").replace("%%", "%")
    told = subprocess.run(["sh", "-c", f"printf %s {exec_line.removesuffix(' %F')}"], capture_output=True, check=True)
    assert os.fsdecode(told.stdout) == str(strange)  # inside double quotes the shell's rules are those of Exec
    script = (tmp_path / "share" / "nautilus" / "scripts" / "Compress with Inspector").read_text(encoding="utf-8")
    assert shlex.split(script.splitlines()[-1])[1] == str(strange)
    if shutil.which("desktop-file-validate"):
        path = tmp_path / "share" / "applications" / f"{APP_ID}.desktop"
        told = subprocess.run(["desktop-file-validate", path], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout


def test_a_package_gets_the_same_files_with_the_command_of_the_path(tmp_path):
    laid = lay(tmp_path, ["inspector"])
    assert not [path for path in laid if "nautilus" in path.parts]
    entry = entry_of(tmp_path / "applications" / f"{APP_ID}.desktop")
    assert (entry["Exec"], entry["TryExec"]) == ("inspector %F", "inspector")
    sizes = [int.from_bytes(path.read_bytes()[16:20], "big") for path in laid if path.suffix == ".png"]
    assert sizes == list(ICON_SIZES)


def test_other_platforms_are_told_what_to_do_instead(inspect, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    done = inspect("register")
    assert done.code == 1
    assert done.err.startswith("error: Registering is for Linux and BSD desktops;")


def test_a_folder_that_cannot_be_written_is_named(inspect, share):
    share.parent.mkdir(parents=True, exist_ok=True)
    share.write_text("a file in the way", encoding="utf-8")
    done = inspect("register")
    assert done.code == 1
    assert str(share) in done.err
    assert done.err.count("\n") == 1


def test_a_changed_manifest_removes_nothing_elsewhere(inspect, share, tmp_path):
    victim = tmp_path / "mine.txt"
    victim.write_text("kept", encoding="utf-8")
    inspect("register")
    manifest = share / "inspector" / "registered.json"
    noted = json.loads(manifest.read_text(encoding="utf-8"))
    noted["files"] += [str(victim), os.path.relpath(victim, share)]
    manifest.write_text(json.dumps(noted), encoding="utf-8")
    assert inspect("unregister").code == 0
    assert victim.read_text(encoding="utf-8") == "kept"
