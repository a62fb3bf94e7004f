"""Ratios of whole commands against the peers and the physical floors, all in one run (``make bench``).

Each row times our command and its rivals in turn (A B C, A B C, …), a warm-up first, and prints medians in seconds,
peak memory, and our time over each rival's; the rows of the window end when it has been painted, and need Xvfb.
``--mb N`` sets the size of the stores, ``--runs N`` the runs.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import window

PYTHON = sys.executable
MODULES = "import argparse, dataclasses, json, mmap, pathlib, re"

MAKE = """
import sys; sys.path.insert(0, sys.argv[1])
import data
from pathlib import Path
folder, megabytes = Path(sys.argv[2]), float(sys.argv[3])
data.tinydb_file(folder / "tables.json", megabytes)
data.ystore_file(folder / "store.ystore.db", megabytes / 2)
"""
LOAD = "import json, sys; d = json.load(open(sys.argv[1])); print(sum(len(t) for t in d.values()))"
PRINT = """
import json, sys
for name, table in json.load(open(sys.argv[1])).items():
    for key, value in table.items():
        print(json.dumps({"collection": name, "key": key, "value": value}))
"""
FILTER = """
import json, sys
for name, table in json.load(open(sys.argv[1])).items():
    for key, value in table.items():
        if value.get("age") == 44:
            print(json.dumps({"collection": name, "key": key, "value": value}))
"""
TO_BLOSC = """
import json, sys, os, blosc2, orjson
data = orjson.dumps(json.load(open(sys.argv[1])))
out = open(sys.argv[2], "wb")
out.write(blosc2.compress(data, typesize=1, clevel=9, codec=blosc2.Codec.BLOSCLZ)); out.flush(); os.fsync(out.fileno())
"""
FLOOR_BLOSC = """
import sys, os, blosc2
data = open(sys.argv[1], "rb").read()
zstd, plain = blosc2.Codec.ZSTD, [blosc2.Filter.NOFILTER]
params = blosc2.CParams(codec=zstd, clevel=1, typesize=1, filters=plain, blocksize=1 << 20)
out = open(sys.argv[2], "wb")
out.write(blosc2.compress2(data, cparams=params)); out.flush(); os.fsync(out.fileno())
"""
REPLAY = """
import sqlite3, sys
from pycrdt import Doc
c = sqlite3.connect(sys.argv[1])
for (path,) in c.execute("SELECT DISTINCT path FROM yupdates").fetchall():
    doc = Doc()
    with doc.transaction():
        for (u,) in c.execute("SELECT yupdate FROM yupdates WHERE path = ? ORDER BY timestamp, rowid", (path,)):
            doc.apply_update(u)
    print(path, len(doc.get_state()))
"""
ROWS = """
import shutil, sqlite3, sys, zstandard
shutil.copy(sys.argv[1], sys.argv[2])
c = sqlite3.connect(sys.argv[2]); z = zstandard.ZstdCompressor(level=3)
for rowid, u in c.execute("SELECT rowid, yupdate FROM yupdates").fetchall():
    c.execute("UPDATE yupdates SET yupdate = ? WHERE rowid = ?", (z.compress(u), rowid))
c.commit(); c.execute("VACUUM")
"""


Timed: TypeAlias = Callable[[list[str], dict[str, str]], tuple[float, int]]
"""Runs a command in an environment; seconds, and peak memory in kB."""


@dataclass
class Run:
    """One command's whole-process figures."""

    seconds: list[float]
    memory: int = 0


@dataclass
class Row:
    """Our command and its rivals, by name."""

    job: str
    ours: list[str]
    rivals: dict[str, list[str]]
    goal: str = ""


def script(code: str, *arguments: object) -> list[str]:
    """Return the command that runs *code*."""
    return [PYTHON, "-c", code, *map(str, arguments)]


def inspector(*words: object) -> list[str]:
    """Return the command that runs our program."""
    return [PYTHON, "-m", "inspector", *map(str, words)]


def rows(folder: Path) -> list[Row]:
    """Return what is measured on the stores in *folder*."""
    small, tables, store, out = (
        folder / "small.json",
        folder / "tables.json",
        folder / "store.ystore.db",
        folder / "out",
    )
    return [
        Row("info, 1 KB", inspector("info", small), {"python + modules": script(MODULES)}, "<= 1.6 x modules"),
        Row("open JSON", inspector("info", tables), {"cat": ["cat", str(tables)], "json.load": script(LOAD, tables)}),
        Row(
            "first 50 records",
            inspector("records", tables, "-c", "people", "--limit", "50"),
            {"info, 1 KB": inspector("info", small), "json.load": script(LOAD, tables)},
        ),
        Row("all records", inspector("records", tables), {"json.load + print": script(PRINT, tables)}, "<= 0.25 x"),
        Row(
            "filter age == 44",
            inspector("records", tables, "--where", "age == 44"),
            {"json.load + filter": script(FILTER, tables)},
            "<= 0.2 x",
        ),
        Row(
            "JSON to BetterJSON",
            inspector("convert", tables, out, "--to", "betterjson", "--overwrite", "--no-backup"),
            {"read + zstd + fsync": script(FLOOR_BLOSC, tables, out), "obvious script": script(TO_BLOSC, tables, out)},
            "<= 2.2 x floor, <= 0.5 x script",
        ),
        Row(
            "open ystore",
            inspector("info", store),
            {"cat": ["cat", str(store)], "replay": script(REPLAY, store)},
            "<= 1.3 x replay",
        ),
        Row(
            "ystore rows to zstd",
            inspector("compress", store, "-o", out, "--codec", "zstd:level=3", "--overwrite", "--no-backup"),
            {"cat": ["cat", str(store)], "one-thread script": script(ROWS, store, out)},
        ),
        Row(
            "ystore rewritten",
            inspector("compress", store, "-o", out, "--codec", "none", "--overwrite", "--no-backup"),
            {"cat": ["cat", str(store)], "replay": script(REPLAY, store)},
        ),
    ]


def own_environment(folder: Path) -> dict[str, str]:
    """Return the environment of the commands: a state of their own, and modules compiled once.

    pip compiles what it installs; here the first turn does, into *folder*, for our modules and the rivals' alike.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONDONTWRITEBYTECODE", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
    }
    places = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("STATE", "CONFIG", "DATA", "CACHE")}
    return {**kept, **places, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def time_once(command: list[str], environment: dict[str, str]) -> tuple[float, int]:
    """Return (seconds, peak memory in kB) of one whole run."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    error = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command[:4])}…: {error.decode(errors='replace')[-300:]}")
    return seconds, usage.ru_maxrss


def window_rows(folder: Path) -> list[Row]:
    """Return what is measured of the window, each up to a moment and not to the end."""
    ours, tables = script(window.OURS), folder / "tables.json"
    return [
        Row("first paint", ours, {"PySide6 table window": script(window.RIVAL)}, "<= 1.6 x"),
        Row("first rows", script(window.ROWS, tables), {"first paint": ours}, "<= 1 s after it"),
    ]


def measure(row: Row, runs: int, environment: dict[str, str], *, timed: Timed = time_once) -> dict[str, Run]:
    """Run all commands of *row* in turn; the first turn warms up and is dropped."""
    commands = {"ours": row.ours, **row.rivals}
    found = {name: Run([]) for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            seconds, memory = timed(command, environment)
            if turn:
                found[name].seconds.append(seconds)
                found[name].memory = max(found[name].memory, memory)
    return found


def show(row: Row, found: dict[str, Run]) -> None:
    """Print one row of the table."""
    ours = statistics.median(found["ours"].seconds)
    parts = [f"{row.job:<20} {ours:7.3f} s {found['ours'].memory // 1024:5d} MB"]
    for name in row.rivals:
        other = statistics.median(found[name].seconds)
        parts.append(f"{ours / other:6.2f} x {name} ({other:.3f} s, {found[name].memory // 1024} MB)")
    if row.goal:
        parts.append(f"[goal {row.goal}]")
    print("  ".join(parts), flush=True)


def main() -> None:
    """Make the stores, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=40)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="inspector-bench-") as name:
        folder = Path(name)
        (folder / "small.json").write_text('{"_default": {"1": {"text": "' + "x" * 980 + '"}}}')
        # in a child: the memory of this process would count as that of the commands it starts
        subprocess.run(script(MAKE, Path(__file__).parent, folder, options.mb), check=True)
        environment = own_environment(folder)
        print(
            f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, n = {options.runs}, medians of whole processes"
        )
        print(f"tables.json {options.mb:g} MB, store.ystore.db {options.mb / 2:g} MB of updates; ours / rival")
        for row in rows(folder):
            show(row, measure(row, options.runs, environment))
        if reason := window.missing():
            print(reason)
            return
        with window.display() as name:
            for row in window_rows(folder):
                shown = {**environment, "DISPLAY": name}
                show(row, measure(row, options.runs, shown, timed=window.time_once))


if __name__ == "__main__":
    main()
