"""Reads stored bytes of any codec: by their first bytes where those tell, else by trying.

Heads from measured rows; zlib's first two bytes are RFC 1950's (method 8, divisible by 31, no dictionary).
What a head suggests is believed only when the content is accepted: ``02 01`` begins a blosc 1 chunk and a plain
update alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from inspector.codecs._library import available, missing_text
from inspector.model import DECODE_LIMIT, Codec, Decoded, DecodeError, MissingLibrary

__all__ = ["Only", "Recogniser", "available", "head_says"]

_HEADS = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\xfd7zXZ\0", "lzma"),
    (b"\x5d\0\0", "lzma:alone"),
    (b"BZh", "bz2"),
)
_BLIND = ("lz4:block", "brotli", "deflate", "base64")
"""Forms without a head, those first that fail soonest."""

_ROOM, _RATIO = 128 << 20, 64
"""A recognised value may decode to so many bytes, or to so many times its own: a larger one is taken for a bomb.

An update as large as that holds text or pictures, which do not shrink so far. One that does still opens once the
user names the codec.
"""


def _form(head: bytes, size: int) -> str | None:
    """Return the codec id, with ``:`` and a container other than the default, that *head* suggests."""
    if len(head) < 2:
        return None
    first, second = head[0], head[1]
    if 2 <= first <= 5 and second == 1:
        from inspector.codecs._blosc_header import read_header

        header = read_header(head)
        return "blosc2" if header is not None and header.cbytes == size else None
    if first & 0x0F == 8 and first >> 4 < 8 and not (first << 8 | second) % 31 and not second & 0x20:
        return "zlib"
    return next((form for magic, form in _HEADS if head.startswith(magic)), None)


def head_says(head: bytes, size: int | None = None) -> str | None:
    """Return the id of the codec that the first bytes suggest, or None. Nothing is decoded.

    *size*: bytes of the whole where *head* is only its beginning (16 are enough).
    """
    form = _form(head, len(head) if size is None else size)
    return form.partition(":")[0] if form else None


class Only:
    """Decodes with one codec, the one the user named; values that lie plain beside are taken as plain."""

    def __init__(self, codec: Codec, limit: int = DECODE_LIMIT) -> None:
        self._codec = codec
        self._limit = limit

    def decode(self, data: bytes, accepts: Callable[[bytes], bool]) -> Decoded:
        """Return the content. Raises `DecodeError` if *accepts* takes neither it nor *data* itself."""
        try:
            content = self._codec.decode(data, self._limit)
        except DecodeError:
            if accepts(data):
                return Decoded("none", data)
            raise
        if accepts(content):
            return Decoded(self._codec.spec, content)
        if accepts(data):
            return Decoded("none", data)
        raise DecodeError(f"{self._codec.label} data whose content cannot be read")


class Recogniser:
    """Decodes whatever it meets: what the head suggests, then plain, then the codecs without a head."""

    def __init__(self, codecs: Callable[[], Mapping[str, type[Codec]]], limit: int) -> None:
        """Ask *codecs* for the classes by id when the first value is decoded: many formats hold none."""
        self._codecs = codecs
        self._limit = limit

    @cached_property
    def _forms(self) -> dict[str, Codec]:
        """A codec for every form that stored bytes may have."""
        codecs = self._codecs()
        forms: dict[str, Codec] = {name: kind() for name, kind in codecs.items()}
        for name, container in (("lz4", "block"), ("lzma", "alone")):
            if name in codecs:
                arguments: dict[str, Any] = {"container": container}
                forms[f"{name}:{container}"] = codecs[name](**arguments)
        return forms

    def decode(self, data: bytes, accepts: Callable[[bytes], bool]) -> Decoded:
        """Return the first reading that *accepts* takes.

        Raises `DecodeError` if there is none, `MissingLibrary` if the library of a codec is missing that the head
        names, or that might be the one where there is no head.
        """
        suggested = self._forms.get(_form(data, len(data)) or "")
        refusal: DecodeError | MissingLibrary | None = None
        if suggested is not None:
            try:
                return self._accepted(suggested, data, accepts)
            except (DecodeError, MissingLibrary) as error:
                refusal = error.with_traceback(None)  # which would keep alive all that was decoded
        if accepts(data):
            return Decoded("none", data)
        missing: list[type[Codec]] = []
        for form in _BLIND:
            codec = self._forms.get(form)
            if codec is not None:
                try:
                    return self._accepted(codec, data, accepts)
                except DecodeError:
                    continue
                except MissingLibrary:
                    missing.append(type(codec))
        raise refusal or _unknown(missing)

    def _accepted(self, codec: Codec, data: bytes, accepts: Callable[[bytes], bool]) -> Decoded:
        content = codec.decode(data, min(self._limit, max(_ROOM, _RATIO * len(data))))
        if not accepts(content):
            raise DecodeError(f"{codec.label} data whose content cannot be read")
        return Decoded(codec.spec, content)


def _unknown(missing: list[type[Codec]]) -> DecodeError | MissingLibrary:
    text = "neither plain nor compressed with a codec known here"
    if missing:
        return MissingLibrary(f"{text}; not tried: {'; '.join(missing_text(kind) for kind in missing)}")
    return DecodeError(text)
