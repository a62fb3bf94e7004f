"""What the formats for other programs share: a store over collections that are known already, and losses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Self, overload

from inspector.model import CollectionInfo, InspectorError, Loss, Record, Store, StoreInfo
from inspector.progress import Progress, part, track

Loader = Callable[[str, Progress], Sequence[Record]]


class View:
    """A store of *collections* whose records *load* gives by name; it keeps no history and holds nothing open."""

    def __init__(self, path: Path, info: StoreInfo, collections: Sequence[CollectionInfo], load: Loader) -> None:
        self.path = path
        self.info = info
        self.collections = collections
        self._load = load

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Return the records of one collection. Raises `InspectorError` if there is none of this name."""
        if all(entry.name != name for entry in self.collections):
            known = ", ".join(entry.name for entry in self.collections[:8]) or "none"
            raise InspectorError(f"{self.path.name} has no collection {name!r}; it has {known}.")
        return self._load(name, progress)

    def history(self, name: str, progress: Progress) -> None:
        """Return None: these formats keep no history."""

    def close(self) -> None:
        """Let go of nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class Told(Sequence[Record]):
    """Records that report to a progress each time they are walked through."""

    def __init__(self, records: Sequence[Record], progress: Progress) -> None:
        self._records = records
        self._progress = progress

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, at: int) -> Record: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Record]: ...

    def __getitem__(self, at: int | slice) -> Record | Sequence[Record]:
        return self._records[at]

    def __iter__(self) -> Iterator[Record]:
        return track(self._records, self._progress, len(self._records))


def loaded(source: Store, progress: Progress) -> list[tuple[CollectionInfo, Sequence[Record]]]:
    """Return every collection of *source* with its records. Slow."""
    entries = source.collections
    return [
        (entry, source.load(entry.name, part(progress, number / len(entries), 1 / len(entries))))
        for number, entry in enumerate(entries)
    ]


def sole(source: Store, what: str) -> CollectionInfo:
    """Return the one collection of *source* for a file of *what*. Raises `InspectorError` for none or several."""
    if not source.collections:
        raise InspectorError(f"{source.path.name} is empty: it holds no collection, so there is no {what} to write.")
    if len(source.collections) > 1:
        raise InspectorError(f"A {what} file holds one collection and {source.path.name} has several; choose one.")
    return source.collections[0]


def named(kind: str, where: Sequence[str]) -> list[Loss]:
    """Return the loss of *kind* at the places *where*, nothing if there is none."""
    return [Loss(kind, len(where), tuple(where))] if where else []
