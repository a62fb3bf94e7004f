"""Records as text for people and other programs: the door to `inspector.notation`, and a word on what is unreadable."""

from __future__ import annotations

from inspector.model import DecodeError, Record
from inspector.notation import as_notebook, as_text, is_notebook, json_line, notebook_text

__all__ = ["as_notebook", "as_text", "is_notebook", "json_line", "notebook_text", "readable"]


def readable(record: Record) -> str:
    """Return a record's value as text, or the reason why it cannot be read."""
    try:
        return record.text()
    except DecodeError as error:
        return f"not readable: {error}"
