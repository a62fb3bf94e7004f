"""Stored times of updates, in the forms that the stores of all generations keep them."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

_ISO_TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:?\d\d)?")
_LIMIT = 1e12  # seconds; year 33 658, beyond which nothing is a time


def seconds(value: Any) -> float | None:
    """Return a stored time as seconds since 1970: a number, or ISO text, which is UTC where it names no zone."""
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) and abs(value) < _LIMIT else None
    if isinstance(value, str):
        value = value.encode("utf-8", "replace")
    if isinstance(value, bytes) and _ISO_TIME.fullmatch(value):
        try:
            moment = datetime.fromisoformat(value.decode("ascii"))
        except ValueError:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None
