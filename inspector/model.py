"""The nouns of the house: records, stored updates, stores, backends, codecs, findings, losses.

Slow calls (``open``, ``load``, ``history``) take a `Progress` and return an object; the object itself is fast.
Times are seconds since 1970 in UTC as a float, as pycrdt-store keeps them; text is made only at the edges.
Most nouns are named tuples: every command makes their classes, and a frozen dataclass takes six times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self, runtime_checkable

from inspector import values
from inspector.progress import Progress
from inspector.values import Value

Severity = Literal["error", "warning", "info"]
Kind = Literal["table", "document"]

DECODE_LIMIT = 1 << 31
"""Most bytes that one stored value may decode to, unless a caller says less."""


class InspectorError(Exception):
    """A refusal whose text is one sentence for the user: what, which file, where, what to do."""


class UsageError(InspectorError):
    """A codec spec or query that does not parse; *position* is the offset of the bad token in *text*."""

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.text = text
        self.position = position


class MissingLibrary(InspectorError):
    """A codec's library is not installed; the message holds the pip line that brings it."""


class StoreChanged(InspectorError):
    """The file was changed by another program since it was opened."""


class DecodeError(InspectorError):
    """Bytes that a codec or parser cannot read; the caller adds file and place."""


class Record:
    """One record of a collection: its key, and its exact value, parsed when first looked at.

    *raw* is the record's original JSON text in UTF-8, or None where the format holds none.
    Reading `value` raises `DecodeError` if *raw* is no JSON.
    """

    __slots__ = ("_value", "key", "raw")

    def __init__(self, key: str, value: Value | values.Unparsed = values.UNPARSED, raw: bytes | None = None) -> None:
        if raw is None and isinstance(value, values.Unparsed):
            raise TypeError("a record needs a value or its text")
        self.key = key
        self.raw = raw
        self._value = value

    @property
    def value(self) -> Value:
        """The exact JSON value, or bytes."""
        if isinstance(self._value, values.Unparsed):
            assert self.raw is not None
            try:
                self._value = values.parse(self.raw)
            except ValueError as error:
                raise DecodeError(f"record {self.key}: {error}") from error
        return self._value

    def text(self) -> str:
        """The value as exact JSON text, ASCII-escaped."""
        return values.write(self.value)

    def __repr__(self) -> str:
        return f"Record({self.key!r}, {self.raw if self.raw is not None else self._value!r})"


class Stored(NamedTuple):
    """One stored update as it lies in the file.

    *blob* is the stored bytes, *data* the update in it (None where it cannot be decoded),
    *codec* the spec of the codec it was found in (``none`` for plain).
    """

    path: str
    blob: bytes | None
    data: bytes | None
    codec: str
    time: float | None
    metadata: bytes | None
    rowid: int


@dataclass(frozen=True, slots=True)
class Update:
    """What one stored update did: a row of ``inspector history``.

    *index* is the version it makes (1…N); *size* the bytes of the decoded update, None if damaged;
    *inserted* and *deleted* count clock units (UTF-16 units of text, items otherwise).
    """

    index: int
    time: float | None
    size: int | None
    stored_bytes: int
    codec: str
    clients: tuple[int, ...]
    kind: Literal["edit", "no-op", "deletion", "full-state", "damaged"]
    inserted: int
    deleted: int


class Finding(NamedTuple):
    """Something worth saying about a store; *code* is a fixed word, *where* a place in words."""

    severity: Severity
    code: str
    message: str
    where: str | None = None
    repairable: bool = False


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that a target cannot hold exactly; *where* names records as ``collection/key``."""

    kind: str
    count: int
    where: tuple[str, ...] = ()


class Evidence(NamedTuple):
    """Why a backend takes a file for its own: one sentence each."""

    reasons: tuple[str, ...]


class CollectionInfo(NamedTuple):
    """A table or document: what is known of it without decoding it.

    *name* is exact, *label* for people; *records* and *versions* are None where unknown or where no
    history is kept; *first* and *last* are the least and greatest time of its updates.
    """

    name: str
    label: str
    kind: Kind
    records: int | None
    stored_bytes: int
    versions: int | None = None
    first: float | None = None
    last: float | None = None


class StoreInfo(NamedTuple):
    """What is known of an open store as a whole.

    *format* is a backend id; *codec* a spec, ``none`` or ``mixed``; *size* the bytes on disk,
    *decoded_size* the bytes after decoding where that is known.
    """

    format: str
    codec: str
    size: int
    evidence: tuple[str, ...] = ()
    decoded_size: int | None = None
    maker: str | None = None
    findings: tuple[Finding, ...] = ()


class History(Protocol):
    """The updates of one document."""

    @property
    def updates(self) -> Sequence[Update]:
        """One for each stored update, in order of time and rowid."""

    def at(self, version: int, progress: Progress) -> Sequence[Record]:
        """Return the records after the first *version* updates; 0 is the empty state. Slow."""

    def raw(self) -> Iterator[Stored]:
        """Yield the stored updates, to carry over byte for byte."""


class Store(Protocol):
    """An open file; a context manager that never writes."""

    path: Path

    @property
    def info(self) -> StoreInfo:
        """What is known of the whole."""

    @property
    def collections(self) -> Sequence[CollectionInfo]:
        """Tables or documents, in file order."""

    def load(self, name: str, progress: Progress) -> Sequence[Record]:
        """Return the records of one collection in order. Slow; the result is fast and may be lazy."""

    def history(self, name: str, progress: Progress) -> History | None:
        """Return the collection's history, or None where the format keeps none. Slow."""

    def close(self) -> None:
        """Let go of private files."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class Decoded(NamedTuple):
    """What a `Decoder` made of stored bytes: *spec* names the codec (``none`` for plain)."""

    spec: str
    data: bytes


class Decoder(Protocol):
    """What a backend is handed to read stored values with: one codec, or one that recognises."""

    def decode(self, data: bytes, accepts: Callable[[bytes], bool]) -> Decoded:
        """Return the first reading of *data* that *accepts* takes.

        Raises `DecodeError` if there is none, `MissingLibrary` if a library is needed that is not there.
        """


@runtime_checkable
class Backend(Protocol):
    """One format. Stateless; a module of ``inspector.backends`` ends with ``BACKEND = …``."""

    id: str
    label: str
    suffixes: tuple[str, ...]
    reads: bool
    writes: bool
    keeps_history: bool
    codecs: tuple[str, ...]
    """Ids of the codecs it can write with; ``("none",)`` if the format has none."""
    default_codec: str
    """Spec that `convert` uses when none is named."""

    def recognises(self, path: Path, head: bytes) -> Evidence | None:
        """Say by content, never by suffix alone, whether this is ours. *head*: the first 64 KiB. Never raises."""

    def open(self, path: Path, codec: Decoder, progress: Progress) -> Store:
        """Open *path* without changing anything. Slow. Raises `InspectorError`."""

    def write(self, path: Path, source: Store, codec: Codec, progress: Progress) -> None:
        """Write all of *source* to the new file *path*. Slow. Raises `InspectorError`."""

    def losses(self, source: Store, codec: Codec, progress: Progress) -> Sequence[Loss]:
        """Compute what `write` could not carry over exactly, before anything is written. Slow."""

    def opens_in(self, codec: Codec) -> tuple[str, ...]:
        """Say which programs open a file that `write` made with *codec*, and under which conditions."""


@runtime_checkable
class Checks(Protocol):
    """Capability of a backend: a deeper look for known faults than opening takes."""

    def check(self, store: Store, progress: Progress) -> Iterable[Finding]:
        """Return findings beyond those of opening. Slow."""


@runtime_checkable
class Compresses(Protocol):
    """Capability of a backend: what ``compress --codec auto`` writes."""

    compress_codec: str

    def compress_note(self, codec: Codec) -> str | None:
        """Return the sentence a user of the result must know, or None."""


@runtime_checkable
class Configures(Protocol):
    """Capability of a backend: a configuration with which a server opens this store."""

    def configuration(self, store: Store) -> str:
        """Return the whole text of a configuration file; it imports nothing of ours."""


@runtime_checkable
class Explains(Protocol):
    """Capability of a backend: names a file that is near to its own but is not."""

    def explain(self, path: Path, head: bytes) -> str | None:
        """Return what the file is, as one clause (``a SQLite database of another program``), or None. Never raises."""


@runtime_checkable
class Carries(Protocol):
    """Capability of a backend: what it writes of records when losses are accepted, so that it can be verified."""

    def carried(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return the records as a reader of the result will see them; those without loss unchanged."""


@runtime_checkable
class HoldsOneDocument(Protocol):
    """Capability of a backend: its file is the stored updates of one document, in their plain form."""

    one_document: bool


@runtime_checkable
class HoldsOneCollection(Protocol):
    """Capability of a backend: its file holds one collection; several make a folder with one file each."""

    one_collection: bool


@runtime_checkable
class IsExport(Protocol):
    """Capability of a backend: its files are for other programs, and no store that is proposed to work on."""

    is_export: bool


@runtime_checkable
class Imports(Protocol):
    """Capability of a backend: files of other programs that a conversion takes although they are no stores."""

    def imports(self, path: Path, head: bytes) -> Evidence | None:
        """Say why a conversion may read *path*, which no backend recognises. Never raises."""


@runtime_checkable
class Promises(Protocol):
    """Capability of a backend: what becomes of a source, so that what was written can be verified against it."""

    def promised(self, source: Store, progress: Progress) -> Store:
        """Return *source* as a reader of the result will see it. Slow."""


@runtime_checkable
class SpreadsheetSafe(Protocol):
    """Capability of a backend: can write so that no spreadsheet takes a cell for a formula."""

    def spreadsheet_safe(self) -> Backend:
        """Return a backend that writes so."""


@runtime_checkable
class WritesNative(Protocol):
    """Capability of a backend: writes tables as values of its own instead of exact JSON text."""

    def native(self) -> Backend:
        """Return a backend that writes so, with the losses this brings."""


@runtime_checkable
class HasText(Protocol):
    """Capability of a store: its whole content is one JSON text, which may be carried over verbatim."""

    def whole_text(self) -> bytes | None:
        """Return the text in UTF-8, or None where it is damaged or not the whole content."""


@runtime_checkable
class HasStates(Protocol):
    """Capability of a store: the file holds several whole states; the newest is shown."""

    states: int

    def state(self, number: int) -> Store:
        """Return a store that shows state *number* (1 is the oldest)."""


@runtime_checkable
class HasUpdates(Protocol):
    """Capability of a store: its stored updates as they lie, without learning what each of them did."""

    def stored_updates(self, name: str, progress: Progress) -> Sequence[Stored] | None:
        """Return a collection's stored updates in order, None where the format keeps none. Slow."""


class Saver(Protocol):
    """A new store file that grows by a version with each save."""

    def save(self, records: Sequence[Record]) -> None:
        """Add *records*, all there are now, as the newest version. A record that did not change is the same object."""

    def close(self) -> None:
        """Let go of the file."""


@runtime_checkable
class SavesVersions(Protocol):
    """Capability of a backend: keeps each saved state of one table, its newest last, as `open` then shows them."""

    saving: str
    """What one save writes and waits for, in a sentence."""

    def saver(self, path: Path) -> Saver:
        """Return what saves to the new file *path*. Raises `InspectorError`."""


def stored_rows(store: Store, name: str, progress: Progress) -> Sequence[Stored] | None:
    """Return a collection's stored updates in order, None where the format keeps none. Slow."""
    if isinstance(store, HasUpdates):
        return store.stored_updates(name, progress)
    history = store.history(name, progress)
    return None if history is None else list(history.raw())


@dataclass(frozen=True)
class Codec:
    """A compression method with its parameters: a value. Its fields are its parameters.

    A module of ``inspector.codecs`` ends with ``CODEC = …``, the class. Libraries are imported in the methods.
    """

    id: ClassVar[str]
    label: ClassVar[str]
    library: ClassVar[str | None] = None
    """Module that must be importable, None for the standard library."""
    package: ClassVar[str | None] = None
    """What ``pip install`` brings it with."""
    writes: ClassVar[bool] = True
    """False: read where met, not offered for writing."""
    choices: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Allowed words of text parameters."""
    limits: ClassVar[Mapping[str, tuple[int, int]]] = {}
    """Least and greatest value of whole-number parameters."""
    given: tuple[str, ...] = field(default=(), compare=False, repr=False, kw_only=True)
    """Names of the parameters that the spec named, so that results print it as it was given."""

    def encode(self, data: bytes) -> bytes:
        """Return *data* compressed."""
        raise NotImplementedError

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return the original bytes. Raises `DecodeError` if *data* is not ours or exceeds *limit* bytes."""
        raise NotImplementedError

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Return parameter names with their defaults."""
        return {f.name: f.default for f in fields(cls) if f.name != "given" and f.default is not MISSING}

    @property
    def spec(self) -> str:
        """The text that names this codec: ``zstd:level=3``. Parameters at their default appear only if given."""
        shown = [
            f"{name}={getattr(self, name)}"
            for name, default in self.parameters().items()
            if name in self.given or getattr(self, name) != default
        ]
        return self.id + (":" + ",".join(shown) if shown else "")
