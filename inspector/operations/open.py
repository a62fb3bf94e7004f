"""Opening a store: first bytes asked of each backend, exactly one must answer."""

from __future__ import annotations

from pathlib import Path

from inspector import files, registry
from inspector.model import CollectionInfo, Evidence, HasStates, Imports, InspectorError, Store, UsageError
from inspector.progress import Progress, silent


def recognise(path: Path) -> tuple[str, Evidence]:
    """Return the id of the one backend that takes *path* for its own, and why. Raises `InspectorError`."""
    return _recognised(path, files.read_head(path))


def recognise_source(path: Path) -> str:
    """Return the format that a conversion reads *path* in: the one that recognises it, else the one that imports it.

    Raises `InspectorError`.
    """
    head = files.read_head(path)
    if not _answers(path, head):
        rooms = registry.backends().items()
        taken = [name for name, room in rooms if isinstance(room, Imports) and room.imports(path, head)]
        if len(taken) == 1:
            return taken[0]
    return _recognised(path, head)[0]


def _answers(path: Path, head: bytes) -> dict[str, Evidence]:
    return {
        name: evidence
        for name, backend in registry.backends().items()
        if backend.reads and (evidence := backend.recognises(path, head))
    }


def _recognised(path: Path, head: bytes) -> tuple[str, Evidence]:
    answers = _answers(path, head)
    if len(answers) == 1:
        return next(iter(answers.items()))
    if answers:
        raise InspectorError(
            f"{path} could be {' or '.join(sorted(answers))}; say which with --from-format {min(answers)}."
        )
    if not head:
        raise InspectorError(
            f"{path} is empty (0 bytes): nothing was ever written to it, or its writer was stopped before it wrote. "
            "Open it as an empty store with --from-format tinydb."
        )
    raise InspectorError(f"{path} is no store that Inspector reads: it is {_what(path, head)}.")


def _what(path: Path, head: bytes) -> str:
    readable = ", ".join(backend.label for backend in registry.backends().values() if backend.reads)
    return registry.explain(path, head) or (
        f"of an unknown kind (it begins {head[:8].hex(' ')}); formats read here are {readable}; "
        "name one with --from-format to try it"
    )


def open_store(
    path: Path,
    *,
    format: str | None = None,
    codec: str | None = None,
    state: int | None = None,
    progress: Progress = silent,
) -> Store:
    """Open *path* read-only.

    *format* and *codec* override recognition, *state* picks one of several whole states in the file (1 is the
    oldest). Raises `InspectorError`; `UsageError` for an unknown format or codec.
    """
    if format is None:
        format, _ = recognise(path)
    else:
        files.read_head(path, 1)
    backend = registry.backend(format)
    if not backend.reads:
        raise UsageError(f"Files of format {format!r} cannot be opened, only written.", format, 0)
    store = backend.open(path, registry.decoder(codec), progress)
    if state is None:
        return store
    try:
        return _state(store, state)
    except BaseException:
        store.close()
        raise


def _state(store: Store, number: int) -> Store:
    states = store.states if isinstance(store, HasStates) else 1
    if not 1 <= number <= states:
        raise InspectorError(
            f"{store.path} holds {states} whole state{'s' if states != 1 else ''}; --state {number} is none."
        )
    return store.state(number) if isinstance(store, HasStates) and states > 1 else store


def collection(store: Store, name: str) -> CollectionInfo:
    """Return the collection of this exact name, or of this label if only one has it. Raises `InspectorError`."""
    for info in store.collections:
        if info.name == name:
            return info
    labelled = [info for info in store.collections if info.label == name]
    if len(labelled) == 1:
        return labelled[0]
    if labelled:
        raise InspectorError(
            f"{store.path} has {len(labelled)} collections labelled {name!r}; name one exactly: "
            f"{', '.join(repr(info.name) for info in labelled)}."
        )
    known = ", ".join(repr(info.name) for info in store.collections[:8]) or "none"
    more = f" and {len(store.collections) - 8} more" if len(store.collections) > 8 else ""
    raise InspectorError(f"{store.path} has no collection {name!r}; it has {known}{more}.")


def chosen(store: Store, names: tuple[str, ...]) -> list[CollectionInfo]:
    """Return the collections that *names* pick, all if there is none. Raises `InspectorError`."""
    return [collection(store, name) for name in names] if names else list(store.collections)
