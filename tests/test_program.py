"""The command lines that start the program again."""

import json
import subprocess
import sys
from pathlib import Path

from inspector.program import launcher, own_command


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_our_own_command_runs_a_verb_of_this_installation(tmp_path, samples):
    done = run(own_command("info", str(samples / "shop.json"), "--json"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["format"] == "tinydb"


def test_what_lies_in_the_working_directory_is_not_run(tmp_path, samples):
    """A store's folder may hold a file that is named like a module of ours."""
    for name in ("inspector.py", "orjson.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit('a stranger was imported')\n", encoding="utf-8")
    done = run(own_command("info", str(samples / "shop.json"), "--json"), tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_frozen_program_is_its_own_command(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_command("formats") == [sys.executable, "formats"]
    assert launcher() == [sys.executable]


def test_a_frozen_program_on_windows_has_a_twin_for_terminals(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "executable", str(Path("programs", "inspector-window.exe")))
    assert own_command("formats") == [str(Path("programs", "inspector.exe")), "formats"]


def test_the_launcher_starts_the_program(tmp_path):
    done = run([*launcher(), "--version"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("inspector ")
