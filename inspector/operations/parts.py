"""What a job writes: one file, or a folder with a file for each collection where a file holds only one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from inspector import registry
from inspector.model import (
    Backend,
    Codec,
    CollectionInfo,
    History,
    HoldsOneCollection,
    IsExport,
    Promises,
    Record,
    Store,
    StoreInfo,
)
from inspector.operations.outcome import VerificationFailed
from inspector.operations.selection import Selection
from inspector.operations.verify import Carry, Counts, verify
from inspector.progress import Progress, part

_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\ud800-\udfff]')
"""Characters that a file's name cannot have on some system."""

_LONGEST = 180
"""Bytes of a file's name in UTF-8; file systems take 255, and a backup's name is longer."""


class _Remembered:
    """A source whose documents are replayed once and then kept, because an export looks at them several times."""

    def __init__(self, store: Store) -> None:
        self.path = store.path
        self.collections = store.collections
        self._store = store
        self._kept: dict[str, Sequence[Record]] = {}
        self._replayed = {entry.name for entry in store.collections if entry.versions is not None}

    @property
    def info(self) -> StoreInfo:
        """What is known of the whole store."""
        return self._store.info

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Return the records of one collection."""
        if name not in self._replayed:
            return self._store.load(name, progress)
        if name not in self._kept:
            self._kept[name] = self._store.load(name, progress)
        return self._kept[name]

    def history(self, name: str, progress: Progress) -> History | None:
        """Return the collection's history."""
        return self._store.history(name, progress)

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Writing:
    """How *source* is written with *backend*: *folder* says that it becomes a folder of files."""

    backend: Backend
    codec: Codec
    source: Store

    @classmethod
    def of(cls, backend: Backend, codec: Codec, source: Store) -> Writing:
        """Return how *source* is written, such that no document is replayed more often than needed."""
        exported = isinstance(backend, IsExport) and backend.is_export
        return cls(backend, codec, _Remembered(source) if exported else source)

    @property
    def folder(self) -> bool:
        """True if several collections go into a format whose file holds one."""
        return one_collection(self.backend) and len(self.source.collections) > 1

    def written(self, progress: Progress) -> Sequence[CollectionInfo]:
        """Return the collections of the source that will be in the result. Slow."""
        if not isinstance(self.backend, Promises):
            return self.source.collections
        names = {entry.name for entry in self.backend.promised(self.source, progress).collections}
        return [entry for entry in self.source.collections if entry.name in names]

    def write(self, path: Path, progress: Progress) -> None:
        """Write all of the source to the new file, or into the new empty folder, *path*. Slow."""
        if not self.folder:
            self.backend.write(path, self.source, self.codec, progress)
            return
        for name, single, share in self._parts(part(progress, 0.1, 0.9), part(progress, 0.0, 0.1)):
            self.backend.write(path / name, single, self.codec, share)

    def verify(self, path: Path, *, carry: Carry, progress: Progress) -> Counts:
        """Compare what is at *path* with the source. Slow. Raises `VerificationFailed` naming the first difference."""
        if not self.folder:
            return self._compare(path, self.source, carry=carry, progress=progress)
        counts = Counts()
        for name, single, share in self._parts(part(progress, 0.1, 0.9), part(progress, 0.0, 0.1)):
            counts.add(self._compare(path / name, single, carry=carry, progress=share))
        return counts

    def _compare(self, path: Path, source: Store, *, carry: Carry, progress: Progress) -> Counts:
        wanted = source
        if isinstance(self.backend, Promises):
            wanted = self.backend.promised(source, part(progress, 0.0, 0.2))
        with self.backend.open(path, registry.decoder(), part(progress, 0.2, 0.3)) as target:
            if wanted is not source and not one_collection(self.backend):
                _same_names(wanted, target)
            history = self.backend.keeps_history
            return verify(wanted, target, history=history, carry=carry, progress=part(progress, 0.5, 0.5))

    def _parts(self, progress: Progress, before: Progress) -> Iterator[tuple[str, Store, Progress]]:
        """Yield the name of each file, what it holds, and the share of *progress* that it has."""
        taken = self.written(before)
        suffix = self.backend.suffixes[0]
        used: set[str] = set()
        count = len(taken)
        for number, entry in enumerate(taken):
            name = file_name(entry.label, suffix, used)
            yield name, Selection(self.source, (entry.name,), None), part(progress, number / count, 1 / count)


def _same_names(wanted: Store, found: Store) -> None:
    for before, after in zip(wanted.collections, found.collections, strict=False):
        if before.name != after.name:
            raise VerificationFailed(f"the collection {before.name!r} is not where it was to be written.")


def one_collection(backend: Backend) -> bool:
    """Say whether a file of this format holds one collection, so that several make a folder."""
    return isinstance(backend, HoldsOneCollection) and backend.one_collection


def file_name(label: str, suffix: str, used: set[str]) -> str:
    """Return a name for the file of a collection that every system takes and that is not *used*, and mark it used."""
    stem = label[: -len(suffix)] if label.lower().endswith(suffix) else label
    stem = _UNFIT.sub("_", stem).strip(". ") or "_"
    while len(stem.encode()) > _LONGEST:
        stem = stem[:-1]
    name, number = stem + suffix, 1
    while name.casefold() in used:
        number += 1
        name = f"{stem}-{number}{suffix}"
    used.add(name.casefold())
    return name
