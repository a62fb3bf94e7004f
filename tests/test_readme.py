"""The README's commands do what it says, as they stand there."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^inspector (.+?)(?:\s+#.*)?$", README.split("## On the command line")[1], re.MULTILINE)


@pytest.mark.slow
def test_the_commands_run_one_after_another(tmp_path, samples):
    folder = tmp_path / "samples"
    shutil.copytree(samples, folder)
    assert len(COMMANDS) > 10
    for command in COMMANDS:
        words = shlex.split(re.sub(r" > [\w./]+$", "", command))
        run = subprocess.run(
            [sys.executable, "-m", "inspector", *words], cwd=folder, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, f"{command}: {run.stderr}"
    assert "the only copy of the discount model" in (folder / "recovered.ipynb").read_text(encoding="utf-8")


def test_what_the_readme_names_is_there():
    root = Path(__file__).resolve().parent.parent
    for name in re.findall(r"\]\((\S+?)\)", README):
        assert name.startswith("http") or (root / name).exists(), name
    for room in re.findall(r"`(inspector/\w+(?:/|\.py)?)`", README):
        assert (root / room).exists(), room
