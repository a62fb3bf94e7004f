"""What formats and collections look like: the one table from a format's id to its icon, and the labels for people."""

from __future__ import annotations

from functools import cache

from inspector.model import CollectionInfo, Store

_ICONS = {
    "tinydb": "braces",
    "betterjson": "file-archive",
    "ystore": "database",
    "yfile": "file-text",
    "archive": "package",
    "history": "git-commit-vertical",
    "docchi": "folder",
    "csv": "table-2",
    "ipynb": "notebook-text",
    "jsonl": "list",
    "sqlite": "database",
    "text": "type",
}
_UNKNOWN = "file"
_DOCUMENTS = {".ipynb": "notebook-text", ".json": "braces"}


def icon_for(what: Store | str) -> str:
    """Return the icon of a store, or of a format by its id; a plain file for one that an add-on brought."""
    return _ICONS.get(what if isinstance(what, str) else what.info.format, _UNKNOWN)


def collection_icon(entry: CollectionInfo) -> str:
    """Return the icon of a table, a notebook or another document."""
    if entry.kind == "table":
        return "table-2"
    return next((icon for suffix, icon in _DOCUMENTS.items() if entry.label.endswith(suffix)), "file-text")


def label_for(format: str) -> str:
    """Return what people call a format; its id if this installation does not know it."""
    return _labels().get(format, format)


def readable_formats() -> list[tuple[str, str]]:
    """Return (id, label) of the formats that can be opened here, by label."""
    from inspector.operations import describe

    rooms = [(room["id"], room["label"]) for room in describe.formats()["formats"] if room["reads"]]
    return sorted(rooms, key=lambda room: str(room[1]).casefold())


def keeps_history(entry: CollectionInfo) -> bool:
    """Say whether a collection has versions to move through."""
    return entry.kind == "document" or entry.versions is not None


@cache
def _labels() -> dict[str, str]:
    from inspector.operations import describe

    return describe.labels()
