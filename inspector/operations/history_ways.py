"""Ways to keep all versions of a document: files, compressed files, git, and every store here that keeps history.

Each is used as a program would that saves its whole document after a change. A way lives in a child process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from inspector import registry
from inspector.files import readable_size
from inspector.model import Record, SavesVersions
from inspector.operations.benchmark_child import Begins
from inspector.operations.history_data import Document, Source
from inspector.progress import silent

SHORT_SHARE = 0.17
"""Length of the shortened JSON: the share of whole JSON's bytes that the demo's author reports for his history."""

_COPY_CODEC = "zstd:level=3"
_UNSYNCED = "Nothing waits for the disk."


class Keeper(Protocol):
    """A way at work in a folder of its own."""

    def save(self, document: Document) -> None:
        """Keep *document* as the newest version."""

    def load(self) -> Document:
        """Return the newest version, read from disk."""

    def close(self) -> None:
        """Let go of files, before `load`."""

    def remarks(self) -> Iterator[str]:
        """Yield what to know beside the figures, after all is measured."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to keep versions: *make* starts it in a folder; *note* says what its save waits for.

    *share*: how long the documents are that it gets; *missing* says why it cannot be used here, empty if it can.
    """

    name: str
    make: Callable[[Path], Keeper]
    note: str = _UNSYNCED
    share: float = 1.0
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """What was measured of one way: seconds of each save and load; *size*: bytes on disk after the last save."""

    size: int
    save_s: tuple[float, ...]
    load_s: tuple[float, ...]
    verified: bool
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeepWork:
    """Saves *saves* versions of *source* one *way* and loads the last *loads* times, in a child process."""

    way: Way
    source: Source
    saves: int
    loads: int

    def __call__(self, folder: Path, begins: Begins) -> Kept:
        """Do it in the empty *folder*."""
        keeper = self.way.make(folder)
        save_s: list[float] = []
        load_s: list[float] = []
        document: Document = {}
        for number, document in enumerate(self.source.versions(self.saves), 1):
            begins(f"save {number}", (number - 1) / (self.saves + self.loads))
            start = time.perf_counter()
            keeper.save(document)
            save_s.append(time.perf_counter() - start)
        keeper.close()
        size = _size(folder)
        right = True
        for number in range(self.loads):
            begins("load", (self.saves + number) / (self.saves + self.loads))
            start = time.perf_counter()
            found = keeper.load()
            load_s.append(time.perf_counter() - start)
            right = right and found == document
        return Kept(size, tuple(save_s), tuple(load_s), right, tuple(keeper.remarks()))


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


class JsonFiles:
    """A JSON file for each version, encoded with *encode*."""

    def __init__(self, folder: Path) -> None:
        import orjson

        self._dumps, self._loads = orjson.dumps, orjson.loads
        self._folder = folder
        self._count = 0

    def save(self, document: Document) -> None:
        self._count += 1
        self._file().write_bytes(self._encode(self._dumps(document)))

    def load(self) -> Document:
        document: Document = self._loads(self._decode(self._file().read_bytes()))
        return document

    def close(self) -> None:
        """Nothing is open."""

    def remarks(self) -> Iterator[str]:
        yield from ()

    def _file(self) -> Path:
        return self._folder / f"{self._count:05}.json"

    def _encode(self, text: bytes) -> bytes:
        return text

    def _decode(self, stored: bytes) -> bytes:
        return stored


class CompressedFiles(JsonFiles):
    """A compressed JSON file for each version."""

    def __init__(self, spec: str, folder: Path) -> None:
        super().__init__(folder)
        self._codec = registry.writing_codec(spec)
        self._limit = 0

    def _encode(self, text: bytes) -> bytes:
        self._limit = max(self._limit, len(text))
        return self._codec.encode(text)

    def _decode(self, stored: bytes) -> bytes:
        return self._codec.decode(stored, self._limit)


class GitCommits:
    """A JSON file in a git repository, committed after each change; the user's own git settings are left out."""

    def __init__(self, folder: Path) -> None:
        import orjson

        self._dumps, self._loads = orjson.dumps, orjson.loads
        self._folder = folder
        who = {f"GIT_{part}_{field}": "bench" for part in ("AUTHOR", "COMMITTER") for field in ("NAME", "EMAIL")}
        alone = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = kept | who | alone
        self._git("init")
        self._git("config", "gc.auto", "0")  # it would go on in the background

    def save(self, document: Document) -> None:
        (self._folder / "document.json").write_bytes(self._dumps(document))
        self._git("add", "document.json")
        self._git("commit", "-m", "changed")

    def load(self) -> Document:
        document: Document = self._loads(self._git("show", "HEAD:document.json"))
        return document

    def close(self) -> None:
        """Nothing is open."""

    def remarks(self) -> Iterator[str]:
        start = time.perf_counter()
        self._git("gc")
        seconds = time.perf_counter() - start
        size = readable_size(_size(self._folder))
        yield f"After git gc, which took {seconds:.1f} s, it came to {size} with the file itself."

    def _git(self, verb: str, *words: str) -> bytes:
        quiet = () if verb in ("show", "config", "add") else ("-q",)
        command = ("git", verb, *quiet, *words)
        done = subprocess.run(command, cwd=self._folder, env=self._environment, capture_output=True, check=False)
        if done.returncode:
            raise OSError(f"git {verb} failed: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout


class StoreVersions:
    """One file of a store that keeps history, written and read by the backend *room*."""

    def __init__(self, room: str, folder: Path) -> None:
        import orjson

        self._dumps, self._loads = orjson.dumps, orjson.loads
        backend = registry.backend(room)
        assert isinstance(backend, SavesVersions)
        self._backend = backend
        self._file = folder / f"versions{backend.suffixes[0]}"
        self._saver = backend.saver(self._file)
        self._values: Document = {}
        self._records: dict[str, Record] = {}

    def save(self, document: Document) -> None:
        for key, value in document.items():
            if self._values.get(key) is not value:
                self._records[key] = Record(key, raw=self._dumps(value))
        self._values = document
        self._saver.save([self._records[key] for key in document])

    def load(self) -> Document:
        with self._backend.open(self._file, registry.decoder(), silent) as store:
            records = store.load(store.collections[0].name, silent)
            return {each.key: self._loads(each.raw or b"") for each in records}

    def close(self) -> None:
        self._saver.close()

    def remarks(self) -> Iterator[str]:
        yield from ()


def all_ways() -> tuple[Way, ...]:
    """Return the ways in the order of the table: whole JSON first, the stores found through the registry last."""
    codec = type(registry.codec(_COPY_CODEC))
    git = "" if shutil.which("git") else "git is not installed here, so it is not measured; install the program git"
    cut = f"Strings are cut to {SHORT_SHARE:.0%}, the bytes that Docchi's author reports: what fewer bytes alone bring."
    stores = [room for room in registry.backends().values() if isinstance(room, SavesVersions)]
    return (
        Way("JSON files", JsonFiles),
        Way("JSON, shortened", JsonFiles, f"{cut} {_UNSYNCED}", SHORT_SHARE),
        Way("zstd copies", partial(CompressedFiles, _COPY_CODEC), missing=registry.unavailable(codec) or ""),
        Way("git", GitCommits, f"Save: write, git add, git commit. {_UNSYNCED}", missing=git),
        *(Way(room.label, partial(StoreVersions, room.id), room.saving) for room in stores),
    )
