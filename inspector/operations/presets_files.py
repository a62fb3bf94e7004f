"""Data of a preset that come from a JSON file of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inspector.files import Slices
from inspector.model import InspectorError
from inspector.progress import Progress, silent


def read_json(path: Path, progress: Progress = silent) -> Any:
    """Return what the JSON file *path* holds. Raises `InspectorError` if it is none or cannot be read."""
    content = Slices(path).read_all(progress)
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InspectorError(f"{path} is no JSON that the preset can store: {error}; name a JSON file.") from error
