"""What a store can be written as: formats with the codecs they take, codecs with the parameters that make a form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from inspector import registry
from inspector.model import (
    CollectionInfo,
    History,
    HoldsOneDocument,
    IsExport,
    Record,
    SpreadsheetSafe,
    Store,
    StoreInfo,
    WritesNative,
)
from inspector.operations.jupyter import jupyter_config
from inspector.operations.parts import one_collection
from inspector.progress import Progress

_ANY_NUMBER = (-(1 << 31), (1 << 31) - 1)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a codec: a word out of *choices*, or a whole number from *least* to *most*."""

    name: str
    default: str | int
    choices: tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class CodecOffer:
    """A codec that a format takes; *reason* says why it cannot be used here, None if it can."""

    id: str
    label: str
    parameters: tuple[Parameter, ...]
    reason: str | None


@dataclass(frozen=True, slots=True)
class Target:
    """A format that can be written.

    *native* says that tables can be stored as values of its own, *one_document* that a file holds one document,
    *one_collection* that several make a folder with a file each, *spreadsheet_safe* that cells can be guarded against
    being run as formulas, *is_export* that its files are for other programs.
    """

    id: str
    label: str
    suffixes: tuple[str, ...]
    keeps_history: bool
    native: bool
    one_document: bool
    codecs: tuple[CodecOffer, ...]
    default_codec: str
    one_collection: bool = False
    spreadsheet_safe: bool = False
    is_export: bool = False


def targets() -> tuple[Target, ...]:
    """Return the formats that can be written here in the registry's order, those for other programs last."""
    found = (
        Target(
            id=room.id,
            label=room.label,
            suffixes=room.suffixes,
            keeps_history=room.keeps_history,
            native=isinstance(room, WritesNative),
            one_document=isinstance(room, HoldsOneDocument) and room.one_document,
            codecs=tuple(_offer(name) for name in room.codecs),
            default_codec=room.default_codec,
            one_collection=one_collection(room),
            spreadsheet_safe=isinstance(room, SpreadsheetSafe),
            is_export=isinstance(room, IsExport) and room.is_export,
        )
        for room in registry.backends().values()
        if room.writes
    )
    return tuple(sorted(found, key=lambda target: target.is_export))


def _offer(name: str) -> CodecOffer:
    kind = registry.codecs()[name]
    parameters = []
    for parameter, default in kind.parameters().items():
        least, most = kind.limits.get(parameter, _ANY_NUMBER)
        parameters.append(Parameter(parameter, default, tuple(kind.choices.get(parameter, ())), least, most))
    return CodecOffer(name, kind.label, tuple(parameters), registry.unavailable(kind))


def configuration_for(store: Store, path: Path, codec: str) -> str:
    """Return the configuration with which a server opens *store* once it is written to *path* with *codec*.

    Raises `InspectorError` if the format or codec has none.
    """
    return jupyter_config(_AsWritten(store, path, codec))


class _AsWritten:
    """A store as it will be after it was written again: another place, one codec, no faults of old."""

    def __init__(self, store: Store, path: Path, codec: str) -> None:
        self.path = path
        self._store = store
        about = store.info
        self.info = StoreInfo(about.format, codec, about.size, about.evidence, about.decoded_size, about.maker)

    @property
    def collections(self) -> Sequence[CollectionInfo]:
        return self._store.collections

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        return self._store.load(name, progress)

    def history(self, name: str, progress: Progress) -> History | None:
        return self._store.history(name, progress)

    def close(self) -> None:
        """Do nothing: the store belongs to another."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        return None
