"""Fixtures for all tests: the sample stores, a command line in this process, a user state of its own."""

import json
from pathlib import Path

import pytest

from inspector.cli.main import main
from inspector.resources import resource


@pytest.fixture(autouse=True)
def own_user_folders(tmp_path_factory, monkeypatch):
    """Keep the undo journal, the trash and the settings of the user out of the tests."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name, folder in (("STATE", "state"), ("DATA", "data"), ("CONFIG", "config"), ("CACHE", "cache")):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / folder))


@pytest.fixture
def samples() -> Path:
    """The folder of the sample stores; never written to."""
    return resource("samples")


class Result:
    """What a command printed and returned."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def inspect(capfd):
    """Run ``inspector`` with these words in this process."""

    def run(*words):
        capfd.readouterr()
        code = main([str(word) for word in words])
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return run
