"""A document's update history: rows for ``history``, and which version a text names."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from inspector.model import History, InspectorError, Store, Update
from inspector.operations.describe import time_text
from inspector.operations.open import collection
from inspector.progress import Progress, silent


def history(store: Store, name: str, progress: Progress = silent) -> History:
    """Return the history of the collection that *name* picks. Raises `InspectorError` if none is kept."""
    info = collection(store, name)
    found = store.history(info.name, progress)
    if found is None:
        raise InspectorError(
            f"{store.path} keeps no history: its format {store.info.format!r} holds only the newest state."
        )
    return found


def update_json(update: Update) -> dict[str, Any]:
    """Return an update in the JSON shape of the command line."""
    return {
        "index": update.index,
        "time": time_text(update.time),
        "size": update.size,
        "stored_bytes": update.stored_bytes,
        "codec": update.codec,
        "clients": list(update.clients),
        "kind": update.kind,
        "inserted": update.inserted,
        "deleted": update.deleted,
    }


def version_at(found: History, text: str | None) -> int:
    """Return the version that *text* names: a number, or the last one at an ISO 8601 time (UTC unless it says).

    None is the newest. Raises `InspectorError` if there is no such version.
    """
    count = len(found.updates)
    if text is None:
        return count
    try:
        number = int(text)
    except ValueError:
        return _version_at_time(found, text)
    if not 0 <= number <= count:
        raise InspectorError(f"There is no version {number}; the versions are 0 to {count}.")
    return number


def _version_at_time(found: History, text: str) -> int:
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise InspectorError(f"{text!r} is neither a version number nor a time like 2026-03-12T14:07:31Z.") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    limit = moment.timestamp()
    earlier = [update.index for update in found.updates if update.time is not None and update.time <= limit]
    return max(earlier, default=0)
