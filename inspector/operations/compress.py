"""The one-click job: the same format, smaller."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from inspector import registry
from inspector.model import Compresses, InspectorError
from inspector.operations.convert import Job, coded_alternative, convert
from inspector.operations.open import recognise
from inspector.operations.outcome import LossesRefused, Outcome
from inspector.progress import Progress, silent

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class CompressJob:
    """What to compress: *target* None means in place; *codec* a spec, or ``auto`` for what unchanged readers open."""

    source: Path
    target: Path | None
    codec: str = AUTO
    backup: bool = True
    overwrite: bool = False
    from_format: str | None = None
    from_codec: str | None = None
    state: int | None = None

    def command(self) -> str:
        """Return the command line that does the same."""
        where = ["--in-place"] if self.target is None else ["-o", str(self.target)]
        words = ["inspector", "compress", str(self.source), *where, "--codec", self.codec]
        words += [] if self.backup else ["--no-backup"]
        return shlex.join([*words, "--overwrite"] if self.overwrite else words)


def compress_spec(source: Path, format: str, codec: str) -> str:
    """Return the codec that *codec* (``auto`` or a spec) means for a store of *format*.

    Raises `InspectorError` with the way out if the format has no codec.
    """
    backend = registry.backend(format)
    if codec != AUTO:
        registry.writing_codec(codec)
    if backend.codecs == ("none",) and not isinstance(backend, Compresses):
        raise InspectorError(
            f"{source} is in format {format}, which has no codec, so it cannot be made smaller as it is. "
            f"{coded_alternative(backend, source)}"
        )
    if codec != AUTO:
        return codec
    if isinstance(backend, Compresses):
        return backend.compress_codec
    return backend.default_codec


def compress(job: CompressJob, progress: Progress = silent) -> Outcome:
    """Write *job*'s store again in its own format, smaller, and verify it. Raises `InspectorError`."""
    format = job.from_format or recognise(job.source)[0]
    spec = compress_spec(job.source, format, job.codec)
    try:
        outcome = convert(
            Job(
                source=job.source, target=job.target, to=format, codec=spec, overwrite=job.overwrite,
                backup=job.backup, from_format=job.from_format, from_codec=job.from_codec, state=job.state,
                only_smaller=job.codec == AUTO,
            ),
            progress,
        )  # fmt: skip
    except LossesRefused as refusal:
        kinds = ", ".join(loss.kind for loss in refusal.outcome.losses)
        way_out = shlex.join(["inspector", "convert", str(job.source), "OUT", "--to", format, "--accept-losses"])
        raise InspectorError(
            f"{job.source} is damaged ({kinds}); compressing it would make final what is missing. Nothing was written; "
            f"{way_out} writes what is readable."
        ) from refusal
    return replace(outcome, command=job.command())
