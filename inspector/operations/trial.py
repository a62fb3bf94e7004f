"""How large a store would be in another format or codec: measured by writing it once into a private folder."""

from __future__ import annotations

from pathlib import Path

from inspector import files, folders
from inspector.model import Backend, Codec, Store
from inspector.operations.convert import Job, open_source, target_of
from inspector.operations.parts import Writing
from inspector.progress import Progress, part, silent

LIMIT = 64_000_000
"""Bytes of the largest source that is written for a trial: about a second of work."""


def written_size(store: Store, backend: Backend, codec: Codec, progress: Progress = silent) -> int:
    """Return the bytes of *store* written by *backend* with *codec*. Slow. Raises `InspectorError`."""
    with files.private_folder() as folder:
        files.check_space(Path(folder), store.info.size)
        target = Path(folder) / "trial"
        writing = Writing.of(backend, codec, store)
        if writing.folder:
            target.mkdir()
        writing.write(target, progress)
        return folders.signature(target).size


def trial_size(job: Job, progress: Progress = silent) -> int | None:
    """Return the bytes of what *job* would write, None for a source too large to try. Slow.

    Losses count as accepted. Raises `InspectorError`.
    """
    if files.signature(job.source).size > LIMIT:
        return None
    backend, codec = target_of(job)
    with open_source(job, part(progress, 0, 0.3)) as source:
        return written_size(source, backend, codec, part(progress, 0.3, 0.7))
