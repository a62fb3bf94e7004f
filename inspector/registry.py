"""Finds backends and codecs: the modules of the two packages, then entry points of other packages.

Entry point groups are ``inspector.backends`` (an object like ``BACKEND``) and ``inspector.codecs`` (a class like
``CODEC``). They are asked for only when no built-in room has the name, because asking costs a tenth of a second.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import inspector.backends
import inspector.codecs
from inspector.codecs.recognise import Only, Recogniser, available
from inspector.model import (
    DECODE_LIMIT,
    Backend,
    Codec,
    Compresses,
    Decoder,
    Explains,
    HoldsOneDocument,
    InspectorError,
    UsageError,
)


def _rooms(package: Any, name: str) -> dict[str, Any]:
    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            room = getattr(importlib.import_module(f"{package.__name__}.{module.name}"), name, None)
            if room is not None:
                found[room.id] = room
    return found


@cache
def _from_entry_points(group: str) -> Mapping[str, Any]:
    from importlib.metadata import entry_points

    found = {}
    for point in entry_points(group=group):
        try:
            found[point.name] = point.load()
        except Exception as error:
            raise InspectorError(f"The add-on {point.value} does not load: {error}; update or remove it.") from error
    return MappingProxyType(found)


@cache
def backends() -> Mapping[str, Backend]:
    """Return the built-in backends by id, in alphabetical order."""
    return MappingProxyType(_rooms(inspector.backends, "BACKEND"))


@cache
def codecs() -> Mapping[str, type[Codec]]:
    """Return the built-in codec classes by id, in alphabetical order."""
    return MappingProxyType(_rooms(inspector.codecs, "CODEC"))


def backend(name: str) -> Backend:
    """Return the backend with this id. Raises `UsageError` naming those that exist."""
    found = backends().get(name) or _from_entry_points("inspector.backends").get(name)
    if found is None:
        raise UsageError(f"Unknown format {name!r}; formats are {', '.join(backends())}.", name, 0)
    return found


def document_file() -> Backend:
    """Return the backend whose file is the updates of one document: what ``show --as raw`` writes."""
    return next(room for room in backends().values() if isinstance(room, HoldsOneDocument) and room.one_document)


def codec(spec: str) -> Codec:
    """Return the codec that ``id[:key=value[,key=value]]`` names. Raises `UsageError` with the bad token's place."""
    name, _, rest = spec.partition(":")
    kind = codecs().get(name) or _from_entry_points("inspector.codecs").get(name)
    if kind is None:
        raise UsageError(f"Unknown codec {name!r}; codecs are {', '.join(codecs())}.", spec, 0)
    arguments: dict[str, Any] = {}
    position = len(name) + 1
    for part in rest.split(",") if rest or spec.endswith(":") else ():
        key, value = _argument(kind, part, spec, position)
        arguments[key] = value
        position += len(part) + 1
    made: Codec = kind(**arguments, given=tuple(arguments))
    return made


def writing_codec(spec: str) -> Codec:
    """Return the codec of *spec* to write with. Raises `UsageError` as `codec`, and for one that is only read."""
    made = codec(spec)
    if not made.writes:
        raise UsageError(f"Codec {made.id} is read where it is met but not written.", spec, 0)
    return made


def _argument(kind: type[Codec], part: str, spec: str, position: int) -> tuple[str, Any]:
    key, equals, text = part.partition("=")
    defaults = kind.parameters()
    if not equals or key not in defaults:
        known = ", ".join(defaults) or "none"
        raise UsageError(f"{kind.id} has no parameter {key!r}; its parameters: {known}.", spec, position)
    position += len(key) + 1
    if isinstance(defaults[key], int):
        least, most = kind.limits.get(key, (-(1 << 31), 1 << 31))
        try:
            number = int(text)
        except ValueError:
            raise UsageError(f"{key} of {kind.id} is a whole number, not {text!r}.", spec, position) from None
        if not least <= number <= most:
            raise UsageError(f"{key} of {kind.id} lies between {least} and {most}.", spec, position)
        return key, number
    words = kind.choices.get(key, ())
    if text not in words:
        raise UsageError(f"{key} of {kind.id} is one of {', '.join(words)}, not {text!r}.", spec, position)
    return key, text


def unavailable(kind: type[Codec]) -> str | None:
    """Return why a codec cannot be used here, with the pip line that brings it; None if it can."""
    return available(kind)


def decoder(spec: str | None = None) -> Decoder:
    """Return what backends read stored values with: the codec of *spec*, or one that recognises any."""
    return Only(codec(spec)) if spec else Recogniser(codecs, DECODE_LIMIT)


def note(room: Backend, chosen: Codec) -> str | None:
    """Return what a user of a file written so must know, or None."""
    return room.compress_note(chosen) if isinstance(room, Compresses) else None


def explain(path: Path, head: bytes) -> str | None:
    """Return what a file is that no backend takes for its own, or None."""
    from inspector.backends import _foreign

    for room in backends().values():
        if isinstance(room, Explains) and (clause := room.explain(path, head)):
            return clause
    return _foreign.explain(path, head)
