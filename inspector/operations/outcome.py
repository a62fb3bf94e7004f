"""The result of a job that writes: one shape for command line, window and tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.model import Finding, InspectorError, Loss


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was verified by reading the result back: name, what was compared, how many."""

    name: str
    detail: str
    count: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a job did. *records* and *versions* are sums over the collections written, of their newest state."""

    source: Path
    target: Path
    format: str
    codec: str
    records: int
    versions: int
    bytes_before: int
    bytes_after: int
    seconds: float
    losses: tuple[Loss, ...] = ()
    written: bool = False
    verified: bool = False
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    opens_in: tuple[str, ...] = ()
    backup: Path | None = None
    command: str = ""
    warnings: tuple[Finding, ...] = ()
    """What was found wrong with the source when it was opened."""
    opens_here: bool = False
    """True if the target is one file of a format that can be opened."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape of the command line, with further keys."""
        return {
            "source": str(self.source),
            "target": str(self.target),
            "format": self.format,
            "codec": self.codec,
            "records": self.records,
            "versions": self.versions,
            "bytes_before": self.bytes_before,
            "bytes_after": self.bytes_after,
            "seconds": round(self.seconds, 6),
            "losses": [{"kind": loss.kind, "count": loss.count, "where": list(loss.where)} for loss in self.losses],
            "written": self.written,
            "verified": self.verified,
            "checks": [{"name": check.name, "detail": check.detail, "count": check.count} for check in self.checks],
            "notes": list(self.notes),
            "opens_in": list(self.opens_in),
            "backup": str(self.backup) if self.backup else None,
            "command": self.command,
        }


class LossesRefused(InspectorError):
    """A job that would lose something and was not told to; *outcome* lists the losses, nothing was written."""

    def __init__(self, outcome: Outcome) -> None:
        kinds = ", ".join(f"{loss.kind} ({loss.count:,})" for loss in outcome.losses)
        super().__init__(
            f"{outcome.target.name} in format {outcome.format} cannot hold all of {outcome.source.name}: {kinds}. "
            "Nothing was written; pass --accept-losses to write it without them."
        )
        self.outcome = outcome


class VerificationFailed(InspectorError):
    """What was read back is not what was to be written; the target was not put in place."""
