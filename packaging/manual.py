"""Manual page and shell completions, made from the parsers that the program itself reads its arguments with.

``python packaging/manual.py FOLDER`` writes them below FOLDER as a package lays them below ``share``.
"""

from __future__ import annotations

import argparse
import gzip
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector import __version__
from inspector.cli.main import COMPRESS, VERBS, parser_of
from inspector.operations.describe import formats


@dataclass(frozen=True, slots=True)
class Word:
    """An option (*names*) or, without names, a positional argument; *values* that can follow, *files* if paths do."""

    names: tuple[str, ...]
    metavar: str
    help: str
    values: tuple[str, ...]
    files: bool
    takes: bool
    again: bool


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with what its parser takes."""

    name: str
    about: str
    usage: str
    words: tuple[Word, ...]

    @property
    def options(self) -> list[Word]:
        return [word for word in self.words if word.names]


def verbs() -> list[Verb]:
    """Return all verbs in the order of the help."""
    known = formats()
    ids = {"ID": tuple(f["id"] for f in known["formats"]), "SPEC": tuple(c["id"] for c in known["codecs"])}
    found = []
    for name in VERBS:
        parser, _ = parser_of(name)
        words = tuple(_word(action, ids) for action in parser._actions)
        usage = " ".join(parser.format_usage().split()).removeprefix("usage: ")
        found.append(Verb(name, parser.description or "", usage, words))
    return found


def _word(action: argparse.Action, ids: dict[str, tuple[str, ...]]) -> Word:
    metavar = str(action.metavar or action.dest.upper())
    values = tuple(map(str, action.choices or ()))
    for part in metavar.split("|"):
        values += ids.get(part, () if part.isupper() else (part,) if "|" in metavar else ())
    return Word(
        names=tuple(action.option_strings),
        metavar="|".join(map(str, action.choices)) if action.choices else metavar,
        help=(action.help or "").replace("%%", "%"),
        values=values,
        files=action.type is Path,
        takes=action.nargs != 0,
        again=isinstance(action, argparse._AppendAction) or action.nargs in ("*", "+"),
    )


def bash(all_verbs: Sequence[Verb]) -> str:
    """Return the completion for bash."""
    followed = []
    offered = []
    for verb in all_verbs:
        offered.append(
            f"        {verb.name}) words={shlex.quote(' '.join(n for w in verb.options for n in w.names))} ;;"
        )
        for word in verb.options:
            if word.takes:
                place = "|".join(f'"{verb.name} {name}"' for name in word.names)
                reply = "_filedir" if word.files else f"_words {shlex.quote(' '.join(word.values))}"
                followed.append(f"        {place}) _inspector{reply}; return ;;")
    names = " ".join(verb.name for verb in all_verbs)
    return "\n".join((
        "# bash completion for inspector; made from its argument parsers",
        "_inspector_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }",
        "_inspector_filedir() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); }",
        "_inspector() {",
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=",
        "    COMPREPLY=()",
        "    if [ \"$COMP_CWORD\" = 1 ]; then",
        "        _inspector_filedir",
        f"        COMPREPLY+=($(compgen -W \"{names} --help --version {COMPRESS}\" -- \"$cur\"))",
        "        return",
        "    fi",
        "    case \"$verb $prev\" in",
        *followed,
        "    esac",
        "    case $verb in",
        *offered,
        "    esac",
        "    case $cur in",
        "        -*) _inspector_words \"$words\" ;;",
        "        *) _inspector_filedir ;;",
        "    esac",
        "}",
        "complete -F _inspector inspector",
        "",
    ))  # fmt: skip


def zsh(all_verbs: Sequence[Verb]) -> str:
    """Return the completion for zsh."""

    def plain(text: str) -> str:
        return "".join(f"\\{c}" if c in "[]:\\" else c for c in text)

    def specs(verb: Verb) -> Iterator[str]:
        for word in verb.words:
            action = "_files" if word.files else f"({' '.join(word.values)})" if word.values else " "
            value = f":{plain(word.metavar)}:{action}" if word.takes else ""
            if not word.names:
                yield f"{'*' if word.again else ''}{value}" if word.again else value
            for name in word.names:
                yield f"{'*' if word.again else ''}{name}[{plain(word.help)}]{value}"

    lines = ["#compdef inspector", "# made from the argument parsers of inspector", "", "_inspector() {"]
    lines += ["  local -a verbs", "  verbs=("]
    lines += [f"    {shlex.quote(f'{verb.name}:{plain(verb.about)}')}" for verb in all_verbs]
    lines += ["  )", "  if (( CURRENT == 2 )); then", "    _describe verb verbs", "    _files", "    return", "  fi"]
    lines += ["  local verb=$words[2]", "  shift words", "  (( CURRENT-- ))", "  case $verb in"]
    for verb in all_verbs:
        lines += [f"    {verb.name}) _arguments " + " ".join(map(shlex.quote, specs(verb))) + " ;;"]
    return "\n".join((*lines, "    *) _files ;;", "  esac", "}", "", '_inspector "$@"', ""))


def fish(all_verbs: Sequence[Verb]) -> str:
    """Return the completion for fish."""
    lines = ["# fish completion for inspector; made from its argument parsers"]
    for verb in all_verbs:
        lines.append(f"complete -c inspector -n __fish_use_subcommand -a {verb.name} -d {_fish(verb.about)}")
    for verb in all_verbs:
        for word in verb.options:
            flags = [f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in word.names]
            if word.takes:
                flags.append(
                    "-r -F" if word.files else f"-x -a {_fish(' '.join(word.values))}" if word.values else "-x"
                )
            where = f"-n '__fish_seen_subcommand_from {verb.name}'"
            lines.append(f"complete -c inspector {where} {' '.join(flags)} -d {_fish(word.help)}")
    return "\n".join((*lines, ""))


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def manual(all_verbs: Sequence[Verb]) -> str:
    """Return the manual page, in man(7)."""
    lines = [
        f'.TH INSPECTOR 1 "" "Inspector {__version__}" "User commands"',
        ".SH NAME", "inspector \\- look into document stores and move them between formats",
        ".SH SYNOPSIS", ".B inspector", ".RI [ PATH \\ .\\|.\\|.]", ".br", f".B inspector {_man(COMPRESS)}",
        ".IR PATH \\ .\\|.\\|.", ".br", ".B inspector", ".I VERB", ".RI [ OPTION \\ .\\|.\\|.]",
        ".SH DESCRIPTION",
        "Without a verb the window opens, with the stores that are named in it;",
        "a window that is open already takes them.",
        _man(f"{COMPRESS} shows there what compressing the first of them would gain."),
        "A verb does one job in the terminal.",
        _man("A file named like a verb is opened with a folder before it: inspector ./check."),
        ".SH VERBS",
    ]  # fmt: skip
    for verb in all_verbs:
        lines += [f".SS {_man(verb.name)}", _man(verb.about), ".PP", f".B {_man(verb.usage)}"]
        for word in verb.words:
            lines += [".TP", _term(word), _man(word.help or "\\&")]
    lines += [
        ".SH EXIT STATUS", "0 done, 1 refused or not possible (one line says why), 2 wrong usage, 130 stopped.",
        ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "No colours on a terminal.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _term(word: Word) -> str:
    if not word.names:
        return f".I {_man(word.metavar)}"
    names = ", ".join(f"\\fB{_man(name)}\\fR" for name in word.names)
    return f"{names} \\fI{_man(word.metavar)}\\fR" if word.takes else names


def _man(text: str) -> str:
    escaped = text if text == "\\&" else text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


FILES: dict[str, Callable[[Sequence[Verb]], str]] = {
    "bash-completion/completions/inspector": bash,
    "zsh/vendor-completions/_inspector": zsh,
    "fish/vendor_completions.d/inspector.fish": fish,
    "man/man1/inspector.1.gz": manual,
}


def lay(share: Path) -> None:
    """Write all of them below *share*."""
    found = verbs()
    for name, make in FILES.items():
        path = share / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = make(found).encode()
        path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)


if __name__ == "__main__":
    lay(Path(sys.argv[1]))
