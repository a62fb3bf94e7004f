"""Encodings of JSON texts: which one a file is in, and the same text in UTF-8.

Python's text mode writes the encoding of the locale: UTF-8 on Linux and macOS, a code page on Windows before
Python 3.15. JSON begins with ASCII, so UTF-16 and UTF-32 show by where their zero bytes lie (RFC 4627, section 3).
A code page is told by evidence only: the whole text must decode strictly, and its letters must look like writing.
No byte is ever replaced.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import NamedTuple

from inspector.backends._scan import READ, Memory, Source
from inspector.progress import Progress, silent

SAMPLE = 4000
"""Characters beyond ASCII that are looked at to choose a code page."""

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_SILENT = {  # which of the first four bytes are zero
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
}
_BEYOND = re.compile(r"[^\x00-\x7f]")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


class Encoding(NamedTuple):
    """What a text is encoded in. *mark* is the length of its byte order mark.

    *others* are code pages that the bytes fit too; *damage* is the offset of the first byte that is not UTF-8 in a
    text that is UTF-8 elsewhere.
    """

    name: str = "utf-8"
    mark: int = 0
    others: tuple[str, ...] = ()
    damage: int | None = None

    @property
    def is_plain(self) -> bool:
        """True for undamaged UTF-8 without a mark, which needs no word."""
        return self == Encoding()


def by_marks(head: bytes) -> Encoding:
    """Return what the first bytes show: a byte order mark, zero bytes of a wide encoding, or else UTF-8."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, len(mark))
    zeros = tuple(byte == 0 for byte in head[:4])
    return Encoding(_SILENT.get(zeros, "utf-8"))  # type: ignore[arg-type]


def decode_head(head: bytes, whole: bool) -> bytes | None:
    """Return the beginning of a text in UTF-8, or None if it is no text. *whole*: it is all of it, not cut."""
    found = by_marks(head)
    try:
        text = codecs.getincrementaldecoder(found.name)("strict").decode(head[found.mark :], whole)
        return text.encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        if found.name != "utf-8":
            return None
    found = by_letters(head, cut=not whole)
    if found.name == "utf-8":
        return head[found.mark :]
    text = codecs.getincrementaldecoder(found.name)("strict").decode(head, whole)
    return text.encode("utf-8", "surrogatepass")


class Utf8Check:
    """A source that checks, while it is read from front to back, whether it is UTF-8.

    *fault* is the offset of the first byte that is not, None so far. Encoded surrogates pass: JSON texts hold them.
    """

    def __init__(self, source: Source) -> None:
        self.fault: int | None = None
        self._source = source
        self._seen = 0
        self._rest = b""

    @property
    def size(self) -> int:
        """Bytes of the text."""
        return self._source.size

    def read(self, start: int, stop: int) -> bytes:
        """Return bytes *start* to *stop*, and check those that were not read before."""
        data = self._source.read(start, stop)
        if self.fault is None and start <= self._seen < stop:
            fresh = data[self._seen - start :]
            self._seen = stop
            if self._rest or not fresh.isascii():
                self._check(fresh)
        return data

    def finish(self, progress: Progress = silent) -> int | None:
        """Read what was not read yet, and return the offset of the first fault or None.

        A character that the end of the text cuts off is no fault of the encoding.
        """
        while self._seen < self.size and self.fault is None:
            self.read(self._seen, min(self._seen + READ, self.size))
            progress(self._seen, self.size)
        return self.fault

    def _check(self, fresh: bytes) -> None:
        data = self._rest + fresh
        try:
            _, used = codecs.utf_8_decode(data, "surrogatepass", False)
        except UnicodeDecodeError as error:
            self.fault = self._seen - len(data) + error.start
        else:
            self._rest = data[used:]


def by_letters(data: bytes, *, cut: bool = False) -> Encoding:
    """Return the encoding of a text that is not valid UTF-8 throughout. *cut*: it may end within a character."""
    valid = len(_MULTIBYTE.findall(data))
    invalid = sum(byte >= 0x80 for byte in _MULTIBYTE.sub(b"", data))
    if valid >= 4 * invalid:
        return Encoding(damage=_first_fault(data))
    scores: dict[str, float] = {}
    for name, plausible in _CODE_PAGES.items():
        try:
            text = codecs.getincrementaldecoder(name)("strict").decode(data, not cut)
        except UnicodeDecodeError:
            continue
        if _quotes_close(text) or cut:
            scores[name] = plausible(text)
    if not scores:
        return Encoding(damage=_first_fault(data))
    ranked = sorted(scores, key=lambda name: -scores[name])
    same_text = data.decode(ranked[0], "replace")
    others = tuple(name for name in ranked[1:] if data.decode(name, "replace") != same_text)
    return Encoding(ranked[0], others=others)


def _first_fault(data: bytes) -> int | None:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        return error.start
    return None


_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def _quotes_close(text: str) -> bool:
    """Say whether strings end where they should; a wrong code page turns half a letter into a backslash."""
    return '"' not in _STRING.sub("", text)


def to_utf8(data: bytes, encoding: Encoding) -> bytes:
    """Return the text in UTF-8 without mark. Raises UnicodeDecodeError with the place of a byte that does not fit."""
    body = data[encoding.mark :] if encoding.mark else data
    if encoding.name == "utf-8":
        return body
    return body.decode(encoding.name, "surrogatepass" if encoding.name.startswith("utf") else "strict").encode(
        "utf-8", "surrogatepass"
    )


def _mean(text: str, weigh: Callable[[str, re.Match[str]], float]) -> float:
    total = count = 0.0
    for match in _BEYOND.finditer(text):
        total += weigh(text, match)
        count += 1
        if count == SAMPLE:
            break
    return total / count if count else 0.0


_PUNCTUATION = frozenset("‘’“”„–—…€«»°§·©®£ ")


def _western(text: str) -> float:
    """Weigh Latin letters: an accent stands alone among plain letters, signs stand alone."""

    def weigh(text: str, match: re.Match[str]) -> float:
        letter, at = match.group(), match.start()
        if letter in _PUNCTUATION:
            return 0.9
        if not letter.isalpha() or letter in "ƒªºµ":
            return 0.2 if letter.isprintable() else 0.0
        company = sum(not c.isascii() and c.isalpha() for c in (*text[max(at - 1, 0) : at], *text[at + 1 : at + 2]))
        return (1.0 if letter.islower() else 0.8, 0.4, 0.1)[company]

    return _mean(text, weigh)


def _latin_1(text: str) -> float:
    return _western(text) * 0.99  # the same letters as cp1252, which Windows writes


def _central(text: str) -> float:
    return _western(text) * 0.95  # accents alone do not tell cp1250 from cp1252, which is met more often


def _cyrillic(text: str) -> float:
    """Weigh Cyrillic words: runs of letters, capitals only in front or throughout."""

    def weigh(text: str, match: re.Match[str]) -> float:
        letter, at = match.group(), match.start()
        if letter in _PUNCTUATION:
            return 0.9
        if not "Ё" <= letter <= "ё":
            return 0.1
        before = text[max(at - 1, 0) : at]
        joined = "Ё" <= before <= "ё"
        if letter.islower():
            return 0.92 if joined or "Ё" <= text[at + 1 : at + 2] <= "ё" else 0.5
        return 0.1 if joined and before.islower() else 0.6 if joined else 0.9

    return _mean(text, weigh)


def _lead(letter: str, encoding: str) -> int:
    """Return the first byte of *letter* in *encoding*, 0 if it has only one."""
    encoded = letter.encode(encoding)
    return encoded[0] if len(encoded) > 1 else 0


def _rows(encoding: str, common: tuple[range, ...], best: float) -> Callable[[str], float]:
    """Return a measure for an East Asian code page: how many letters lie in the rows of common letters."""

    def weigh(text: str, match: re.Match[str]) -> float:
        lead = _lead(match.group(), encoding)
        return best if any(lead in row for row in common) else 0.2

    return lambda text: _mean(text, weigh)


_CODE_PAGES: dict[str, Callable[[str], float]] = {
    "cp1252": _western,
    "gbk": _rows("gbk", (range(0xA1, 0xA4), range(0xB0, 0xD8)), 0.97),  # GB 2312 level 1 and punctuation
    "cp932": _rows("cp932", (range(0x81, 0x84), range(0x88, 0x98)), 0.98),  # kana and JIS level 1
    "big5": _rows("big5", (range(0xA1, 0xA4), range(0xA4, 0xC7)), 0.9),
    "cp949": _rows("cp949", (range(0xB0, 0xC9),), 0.93),  # Hangul syllables in common use
    "euc_jp": _rows("euc_jp", (range(0xA4, 0xA6), range(0xB0, 0xD0)), 0.91),
    "cp1251": _cyrillic,
    "cp1250": _central,
    "latin-1": _latin_1,
}


def open_text(source: Source, check: Utf8Check, progress: Progress = silent) -> tuple[Source, Encoding]:
    """Return *source* in UTF-8 and what it was encoded in, once *check* has found a fault or not. Slow if it has.

    The source itself is returned where it is UTF-8 already; offsets then count its mark.
    """
    found = by_marks(source.read(0, 4))
    if found.name == "utf-8":
        if check.finish(progress) is None:
            return source, found
        data = source.read(0, source.size)
        found = by_letters(data)
        if found.name == "utf-8":
            return source, Encoding(damage=check.fault)
    else:
        data = source.read(0, source.size)
    try:
        return Memory(to_utf8(data, found)), found
    except UnicodeDecodeError as error:
        return _leading(data, found, error.start), Encoding(found.name, found.mark, damage=error.start + found.mark)


def _leading(data: bytes, encoding: Encoding, fault: int) -> Memory:
    """Return what can be decoded before a fault: half a character at the end of a cut UTF-16 text."""
    return Memory(to_utf8(data[: encoding.mark + fault], encoding))
