"""Writing a store in another format or codec: plan (losses first), write beside, verify by reading back, replace."""

from __future__ import annotations

import os
import shlex
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inspector import files, folders, registry
from inspector.model import (
    Backend,
    Carries,
    Codec,
    Finding,
    InspectorError,
    Loss,
    Record,
    SpreadsheetSafe,
    Store,
    StoreChanged,
    UsageError,
    WritesNative,
)
from inspector.operations import undo
from inspector.operations.describe import count_records
from inspector.operations.destination import refuse_destination
from inspector.operations.open import open_store, recognise_source
from inspector.operations.outcome import LossesRefused, Outcome, VerificationFailed
from inspector.operations.parts import Writing
from inspector.operations.selection import Selection
from inspector.operations.verify import Counts
from inspector.progress import Progress, part, silent


@dataclass(frozen=True, slots=True)
class Job:
    """What to convert: *target* None means in place; *to* is a format id, *codec* a spec (None: the format's own).

    *native* stores tables as values of the format's own, *spreadsheet_safe* writes no cell that is taken for a formula.
    Without *undoable* neither a backup is kept nor the write noted; *only_smaller* refuses a result that is not.
    """

    source: Path
    target: Path | None
    to: str
    codec: str | None = None
    collections: tuple[str, ...] = ()
    at: str | None = None
    native: bool = False
    spreadsheet_safe: bool = False
    accept_losses: bool = False
    overwrite: bool = False
    backup: bool = True
    undoable: bool = True
    only_smaller: bool = False
    from_format: str | None = None
    from_codec: str | None = None
    state: int | None = None

    @property
    def destination(self) -> Path:
        """The file or folder that the job makes."""
        return self.target or self.source

    def command(self) -> str:
        """Return the command line that does the same."""
        words = ["inspector", "convert", str(self.source), str(self.destination), "--to", self.to]
        for option, value in (
            ("--codec", self.codec), ("--at", self.at), ("--from-format", self.from_format),
            ("--from-codec", self.from_codec), ("--state", self.state),
        ):  # fmt: skip
            words += [option, str(value)] if value is not None else []
        for name in self.collections:
            words += ["-c", name]
        switches = {
            "--native": self.native, "--spreadsheet-safe": self.spreadsheet_safe,
            "--accept-losses": self.accept_losses, "--overwrite": self.overwrite,
        }  # fmt: skip
        return shlex.join([*words, *(switch for switch, on in switches.items() if on)])


@dataclass(frozen=True, slots=True)
class Plan:
    """What a job would do, computed without writing: the losses, how much there is, the space there is for it.

    *folder* says that it makes a folder with one file for each collection.
    """

    job: Job
    format: str
    codec: str
    losses: tuple[Loss, ...]
    records: int
    versions: int
    bytes_before: int
    free: int
    keeps_history: bool
    folder: bool
    opens_in: tuple[str, ...]
    command: str
    warnings: tuple[Finding, ...] = ()

    def outcome(self, seconds: float) -> Outcome:
        """Return the plan as the outcome of a job that wrote nothing."""
        return Outcome(
            source=self.job.source, target=self.job.destination, format=self.format, codec=self.codec,
            records=self.records, versions=self.versions, bytes_before=self.bytes_before, bytes_after=0,
            seconds=seconds, losses=self.losses, opens_in=self.opens_in, command=self.command,
            warnings=self.warnings,
        )  # fmt: skip


def format_of(target: Path) -> str:
    """Return the format that *target*'s suffix names, if exactly one has it. Raises `UsageError`."""
    name = target.name.lower()
    writers = [room for room in registry.backends().values() if room.writes]
    lengths = {room.id: max((len(s) for s in room.suffixes if name.endswith(s)), default=0) for room in writers}
    best = max(lengths.values(), default=0)
    fitting = [format for format, length in lengths.items() if length == best and best]
    if len(fitting) == 1:
        return fitting[0]
    known = ", ".join(room.id for room in writers)
    raise UsageError(f"The name {target.name} does not say which format to write; add --to with one of {known}.")


def update_file_format() -> str:
    """Return the id of the format whose file is the stored updates of one document."""
    return registry.document_file().id


def target_of(job: Job) -> tuple[Backend, Codec]:
    """Return the backend and codec that write a job. Raises `InspectorError`, `UsageError`."""
    backend = registry.backend(job.to)
    if not backend.writes:
        raise InspectorError(f"Format {job.to} can be read but not written.")
    if job.native:
        if not isinstance(backend, WritesNative):
            raise InspectorError(f"Format {job.to} has no values of its own; --native does not apply to it.")
        backend = backend.native()
    if job.spreadsheet_safe:
        if not isinstance(backend, SpreadsheetSafe):
            raise InspectorError(f"Format {job.to} is not for spreadsheets; --spreadsheet-safe does not apply to it.")
        backend = backend.spreadsheet_safe()
    codec = registry.writing_codec(job.codec or backend.default_codec)
    if codec.id not in backend.codecs:
        raise InspectorError(_no_such_codec(job, backend, codec))
    if reason := registry.unavailable(type(codec)):
        raise InspectorError(reason)
    return backend, codec


def _no_such_codec(job: Job, backend: Backend, codec: Codec) -> str:
    if backend.codecs != ("none",):
        return f"Format {job.to} does not store with codec {codec.id}; it takes {', '.join(backend.codecs)}."
    return f"Format {job.to} has no codec: its files are plain text. {coded_alternative(backend, job.source)}"


def coded_alternative(backend: Backend, path: Path) -> str:
    """Return the sentence that offers a format of the same kind which compresses."""
    others = [
        room.id
        for room in registry.backends().values()
        if room.writes and room.reads and room.codecs != ("none",) and room.keeps_history == backend.keeps_history
    ]
    if not others:
        return ""
    command = shlex.join(["inspector", "convert", str(path), str(path.with_suffix(".db")), "--to", others[0]])
    return f"Convert it to a format that has one: {command}"


def open_source(job: Job, progress: Progress = silent) -> Store:
    """Return what the job reads: its source, or the chosen collections of it at the chosen version."""
    format = job.from_format or recognise_source(job.source)
    store = open_store(job.source, format=format, codec=job.from_codec, state=job.state, progress=progress)
    if not job.collections and job.at is None:
        return store
    try:
        return Selection(store, job.collections, job.at, progress)
    except BaseException:
        store.close()
        raise


def plan(job: Job, progress: Progress = silent) -> Plan:
    """Return what *job* would do, and lose, without writing anything. Slow. Raises `InspectorError`."""
    backend, codec = target_of(job)
    with open_source(job, part(progress, 0, 0.3)) as source:
        return _plan(job, Writing.of(backend, codec, source), part(progress, 0.3, 0.7))


def _plan(job: Job, writing: Writing, progress: Progress) -> Plan:
    backend, codec, source = writing.backend, writing.codec, writing.source
    folder = job.destination.parent
    losses = (*_damage(source, backend), *backend.losses(source, codec, progress))
    entries = writing.written(progress)
    counted = [count_records(source, entry, progress) or 0 for entry in entries]
    keeps = backend.keeps_history
    return Plan(
        job=job,
        format=job.to,
        codec=codec.spec,
        losses=losses,
        records=sum(counted),
        versions=sum(1 if entry.versions is None else entry.versions for entry in entries) if keeps else 0,
        bytes_before=files.signature(job.source).size,
        free=shutil.disk_usage(folder).free if folder.is_dir() else 0,
        keeps_history=keeps,
        folder=writing.folder,
        opens_in=backend.opens_in(codec),
        command=job.command(),
        warnings=tuple(finding for finding in source.info.findings if finding.severity != "info"),
    )


def _damage(source: Store, backend: Backend) -> list[Loss]:
    """Return what cannot be read of a damaged source: writing the rest makes it final."""
    carried = ("undecodable-update", "squash-damage") if backend.keeps_history else ()
    found: dict[str, list[str]] = {}
    for finding in source.info.findings:
        if finding.severity == "error" and finding.code not in carried:
            found.setdefault(finding.code, []).append(finding.where or finding.message)
    return [Loss(code, len(where), tuple(where)) for code, where in found.items()]


def convert(job: Job, progress: Progress = silent) -> Outcome:
    """Do *job* and return what came of it. On error and on `Cancelled` nothing remains.

    Raises `LossesRefused` if something would be lost and the job does not accept it, `VerificationFailed` if what
    was read back differs, `InspectorError` for everything else that hinders it.
    """
    started = time.perf_counter()
    backend, codec = target_of(job)
    refuse_destination(job.source, job.target)
    guard = files.signature(job.source)
    with open_source(job, part(progress, 0, 0.1)) as source:
        writing = Writing.of(backend, codec, source)
        planned = _plan(job, writing, part(progress, 0.1, 0.2))
        if planned.losses and not job.accept_losses:
            raise LossesRefused(planned.outcome(time.perf_counter() - started))
        work = _Work(planned, writing, guard)
        backup = work.run(part(progress, 0.3, 0.7))
        counts = work.counts
    return replace(
        planned.outcome(time.perf_counter() - started),
        versions=counts.updates or planned.versions,
        bytes_after=folders.signature(job.destination).size,
        written=True,
        verified=True,
        opens_here=backend.reads and not planned.folder,
        checks=counts.checks(lossy=bool(planned.losses)),
        notes=work.notes(),
        backup=backup,
    )


class _Work:
    """One run of a job: write, verify, keep a backup, replace."""

    def __init__(self, planned: Plan, writing: Writing, guard: files.Signature) -> None:
        self.job = planned.job
        self.lossy = bool(planned.losses)
        self.writing = writing
        self.guard = guard
        self.counts = Counts()
        self.kept: Path | None = None
        self.said: list[str] = []

    def run(self, progress: Progress) -> Path | None:
        put = folders.replace if self.writing.folder else files.replace
        try:
            put(
                self.job.destination,
                lambda path: self.writing.write(path, part(progress, 0, 0.6)),
                verify=lambda path: self._verify(path, part(progress, 0.6, 0.4)),
                overwrite=self.job.target is None or self.job.overwrite,
                before=self._before,
            )
        except BaseException:
            if self.kept is not None:
                undo.forget(Path(os.path.realpath(self.job.destination)), self.kept)
            raise
        return self.kept

    def _verify(self, path: Path, progress: Progress) -> None:
        try:
            self.counts = self.writing.verify(path, carry=self._carry(), progress=progress)
        except VerificationFailed as error:
            raise VerificationFailed(
                f"{self.job.destination} was not written: reading it back gave something else. {error}"
            ) from error

    def _carry(self) -> Callable[[Sequence[Record]], Sequence[Record]]:
        backend = self.writing.backend
        if (self.lossy or self.job.native) and isinstance(backend, Carries):
            return backend.carried
        return lambda records: records

    def _before(self, written: Path) -> None:
        """Keep what is replaced and note it for undo, after a last look that the source is still the one read."""
        if self.job.only_smaller and files.signature(written).size >= self.guard.size:
            raise InspectorError(_not_smaller(self.job.source, self.guard.size, files.signature(written).size))
        if files.signature(self.job.source) != self.guard:
            raise StoreChanged(f"{self.job.source} was changed by another program meanwhile; nothing was written.")
        refuse_destination(self.job.source, self.job.target)
        target = Path(os.path.realpath(self.job.destination))
        self._keep(target, written, folders.is_free(target) if self.writing.folder else not target.exists())

    def _keep(self, target: Path, written: Path, new: bool) -> None:
        if target.is_dir() and not new and not self.job.backup:
            raise InspectorError(f"{target} is a folder with files in it, which is replaced only with a backup.")
        if not self.job.undoable:
            return
        undo.settle(target)
        if not new and self.job.backup:
            self.kept = folders.back_up(target)
        if self.kept or new:
            noted = undo.remember(target, written, backup=self.kept, format=self.job.to, source=self.job.source)
            if not noted:
                self.said.append("The undo journal cannot be written here, so this cannot be undone by Inspector.")

    def notes(self) -> tuple[str, ...]:
        kept = (f"The original is kept as {self.kept}.",) if self.kept else ()
        note = registry.note(self.writing.backend, self.writing.codec)
        return (*kept, *self.said, *((note,) if note else ()))


def _not_smaller(path: Path, before: int, after: int) -> str:
    return (
        f"{path} is already as small as it gets without another codec ({files.readable_size(before)}, rewritten "
        f"{files.readable_size(after)}). Nothing was written."
    )
