"""A part of a store as a store: some of its collections, their state at one version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Self

from inspector.model import (
    CollectionInfo,
    HasText,
    History,
    InspectorError,
    Record,
    Store,
    Stored,
    StoreInfo,
    Update,
    stored_rows,
)
from inspector.operations.history import version_at
from inspector.operations.open import chosen
from inspector.progress import Progress, silent


class Selection:
    """Shows *names* of *store* (all if empty) as they were at *at* (a version number or time; None: the newest).

    Closing it closes the store. Raises `InspectorError` for an unknown collection or version.
    """

    def __init__(self, store: Store, names: tuple[str, ...], at: str | None, progress: Progress = silent) -> None:
        self.path = store.path
        self._store = store
        self._at = at
        self._whole = not names and at is None
        entries = chosen(store, names)
        self._versions = {entry.name: self._version(entry, progress) for entry in entries}
        self.collections: Sequence[CollectionInfo] = [
            entry._replace(versions=self._versions[entry.name]) if at is not None else entry for entry in entries
        ]

    def _version(self, entry: CollectionInfo, progress: Progress) -> int | None:
        if self._at is None:
            return entry.versions
        history = self._store.history(entry.name, progress)
        if history is None:
            raise InspectorError(f"{self.path} keeps no history, so there is no version {self._at} of {entry.label}.")
        return version_at(history, self._at)

    @property
    def info(self) -> StoreInfo:
        """What is known of the whole store."""
        return self._store.info

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Return the records at the chosen version."""
        version = self._versions[name]
        if self._at is None or version is None:
            return self._store.load(name, progress)
        history = self._store.history(name, progress)
        return history.at(version, progress) if history is not None else self._store.load(name, progress)

    def history(self, name: str, progress: Progress) -> History | None:
        """Return the updates up to the chosen version."""
        history = self._store.history(name, progress)
        version = self._versions[name]
        return history if history is None or version is None or self._at is None else _Beginning(history, version)

    def stored_updates(self, name: str, progress: Progress) -> Sequence[Stored] | None:
        """Return the stored updates up to the chosen version, None if the store keeps none."""
        updates = stored_rows(self._store, name, progress)
        version = self._versions[name]
        return updates if updates is None or version is None or self._at is None else updates[:version]

    def whole_text(self) -> bytes | None:
        """Return the store's text if all of it is selected."""
        return self._store.whole_text() if self._whole and isinstance(self._store, HasText) else None

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class _Beginning:
    """The first *count* updates of a history."""

    def __init__(self, history: History, count: int) -> None:
        self._history = history
        self._count = count

    @property
    def updates(self) -> Sequence[Update]:
        return self._history.updates[: self._count]

    def at(self, version: int, progress: Progress) -> Sequence[Record]:
        return self._history.at(version, progress)

    def raw(self) -> Iterator[Stored]:
        return islice(self._history.raw(), self._count)
