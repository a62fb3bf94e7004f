"""Manual page, completions and icons are made from the program itself."""

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImageReader

from inspector.cli.main import VERBS, parser_of

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture(scope="module")
def share(tmp_path_factory):
    """What the package lays below share."""
    folder = tmp_path_factory.mktemp("share")
    subprocess.run([sys.executable, PACKAGING / "manual.py", folder], check=True)
    return folder


def options_of(verb):
    parser, _ = parser_of(verb)
    return {name for action in parser._actions for name in action.option_strings}


def bash(share, *words):
    """What bash offers for the last word."""
    script = share / "bash-completion" / "completions" / "inspector"
    line = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); compopt() { :; }; _inspector; echo "${COMPREPLY[@]}"'
    told = subprocess.run(["bash", "-c", line, script, *words], capture_output=True, text=True, check=True)
    return set(told.stdout.split())


def test_bash_completes_every_verb_and_option(share):
    assert set(VERBS) <= bash(share, "inspector", "")
    for verb in VERBS:
        assert verb in bash(share, "inspector", verb[:-1])
        assert options_of(verb) - {"-h"} <= bash(share, "inspector", verb, "-") | {"-h"}


def test_bash_completes_formats_codecs_and_choices(share):
    assert bash(share, "inspector", "convert", "--to", "tiny") == {"tinydb"}
    assert bash(share, "inspector", "compress", "--codec", "z") == {"zlib", "zstd"}
    assert {"json", "ipynb", "raw", "text"} == bash(share, "inspector", "show", "--as", "")


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish_completes_every_verb_and_option(share):
    script = share / "fish" / "vendor_completions.d" / "inspector.fish"

    def offered(line):
        words = ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"]
        told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return {line.partition("\t")[0] for line in told.splitlines()}

    assert set(VERBS) <= offered("inspector ")
    for verb in VERBS:
        assert options_of(verb) <= offered(f"inspector {verb} -") | offered(f"inspector {verb} --")


def test_zsh_knows_every_verb_and_option(share):
    script = share / "zsh" / "vendor-completions" / "_inspector"
    text = script.read_text(encoding="utf-8")
    for verb in VERBS:
        line = re.search(rf"^    {verb}\) _arguments (.*) ;;$", text, re.MULTILINE)[1]
        assert options_of(verb) <= set(re.findall(r"'\*?(--?[\w-]+)\[", line))
    if shutil.which("zsh"):
        assert subprocess.run(["zsh", "-n", script], check=False).returncode == 0


def test_the_manual_names_every_verb_and_option(share):
    text = gzip.decompress((share / "man" / "man1" / "inspector.1.gz").read_bytes()).decode().replace("\\-", "-")
    for verb in VERBS:
        part = text.split(f".SS {verb}\n")[1].split("\n.S")[0]
        assert all(f"\\fB{name}\\fR" in part for name in options_of(verb))


@pytest.mark.skipif(not shutil.which("man"), reason="man is not installed")
def test_the_manual_is_set_without_a_warning(share):
    command = ["man", "--warnings", "-E", "UTF-8", "-Tutf8", "-Z", "-l", share / "man" / "man1" / "inspector.1.gz"]
    done = subprocess.run(command, capture_output=True, check=False, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    assert (done.returncode, done.stderr) == (0, b"")


def test_icons_of_other_systems_hold_all_sizes(tmp_path):
    code = f"import sys; sys.path.insert(0, {str(PACKAGING)!r}); import icons; from pathlib import Path; "
    subprocess.run([sys.executable, "-c", f"{code}icons.lay(Path({str(tmp_path)!r}))"], check=True)
    for name, largest in (("inspector.ico", 256), ("inspector.icns", 1024)):
        reader = QImageReader(str(tmp_path / name))
        edges = set()
        for number in range(reader.imageCount()):
            reader.jumpToImage(number)
            edges.add(reader.read().width())
        assert max(edges) == largest
        assert len(edges) > 4
