"""What a value looks like in one cell: at most 200 characters, nothing merged, nothing rounded.

`cell_text` turns any exact value into a `Cell`; `cell_data` answers a model's roles from it; `CellDelegate`
(in `cell_delegate`) paints it. Tables of millions of rows call these for every cell on screen: no step here looks at
more than the first few hundred characters or bytes of a value.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, Qt

from inspector.gui.texts import TOOLTIP_MOST, as_tooltip, count_text, size_text, visible
from inspector.values import NumberText, RepeatedKeys, Undefined

MOST = 200
"""Most characters that a cell shows."""

CELL_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""A model's `Cell` for the delegate."""
HITS_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
"""Search hits in the shown text: a list of (start, length)."""
STAGED_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3
"""``edit``, ``new`` or ``delete`` for staged changes; None otherwise."""

MINUS = "−"
_DATE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?")
_MAGIC: Final = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"%PDF-", "PDF"),
    (b"SQLite format 3\x00", "SQLite"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x04\x22\x4d\x18", "LZ4"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (b"PK\x03\x04", "ZIP"),
    (b"OggS", "Ogg"),
    (b"ID3", "MP3"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"BM", "BMP"),
)


class Missing:
    """The record has no such key."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class State(Enum):
    """Kinds of cells that are painted differently."""

    NULL = "null"
    MISSING = "missing"
    UNDEFINED = "undefined"
    EMPTY = "empty text"
    BLANK = "blank text"
    TEXT = "text"
    ARRAY = "array"
    OBJECT = "object"
    NUMBER = "number"
    SPECIAL = "special number"
    TRUE = "true"
    FALSE = "false"
    BINARY = "binary"
    BROKEN = "not decoded"
    LOADING = "loading"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: the shown text, how it is painted, its tooltip (HTML, ready for Qt) and its side.

    *suffix* is the size of a text that was cut; it is never elided. *faint* marks empty arrays and objects.
    """

    text: str
    state: State = State.TEXT
    tooltip: str = ""
    right: bool = False
    suffix: str = ""
    faint: bool = False

    @property
    def display(self) -> str:
        """Text and suffix together."""
        return f"{self.text} {self.suffix}" if self.suffix else self.text

    @property
    def spoken(self) -> str:
        """What a screen reader says: a word where the cell shows a sign."""
        return self.state.value if self.state in _SPOKEN_BY_STATE else self.display


_SPOKEN_BY_STATE = frozenset((State.NULL, State.MISSING, State.UNDEFINED, State.EMPTY, State.BLANK, State.LOADING))


def cell_text(value: object) -> Cell:
    """Return the cell of any exact value, of `MISSING`, or of an exception that stands for a value. Never raises."""
    try:
        return _cell(value)
    except Exception as error:  # a model's data() has nobody to raise to: the cell itself says what is wrong
        return _broken(error)


def cell_data(cell: Cell, role: int) -> Any:
    """Answer a model's *role* for *cell*; None for roles that are not the cell's."""
    if role == CELL_ROLE:
        return cell
    if role == Qt.ItemDataRole.DisplayRole:
        return cell.display
    if role == Qt.ItemDataRole.ToolTipRole:
        return cell.tooltip or None
    if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole):
        return cell.spoken if role == Qt.ItemDataRole.AccessibleTextRole else None
    if role == Qt.ItemDataRole.TextAlignmentRole:
        side = Qt.AlignmentFlag.AlignRight if cell.right else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)
    return None


def _cell(value: object) -> Cell:
    if value is None:
        return Cell("null", State.NULL)
    if isinstance(value, bool):
        return Cell("true", State.TRUE) if value else Cell("false", State.FALSE)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (int, float, NumberText)):
        return _number(value)
    if isinstance(value, (list, tuple)):
        return Cell(f"[{len(value)}]", State.ARRAY, faint=not value)
    if isinstance(value, dict):
        return Cell(f"{{{len(value)}}}", State.OBJECT, faint=not value)
    if isinstance(value, RepeatedKeys):
        tooltip = QCoreApplication.translate("Cell", "The object holds a key more than once.")
        return Cell(f"{{{len(value.pairs)}}}", State.OBJECT, tooltip)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _binary(bytes(value[:64]), len(value))
    if isinstance(value, Missing):
        return Cell("—", State.MISSING, QCoreApplication.translate("Cell", "The record has no such key."))
    if isinstance(value, Undefined):
        return Cell("undefined", State.UNDEFINED)
    if isinstance(value, BaseException):
        return _broken(value)
    return _broken(TypeError(type(value).__name__))


def _broken(error: BaseException) -> Cell:
    reason = str(error) or type(error).__name__
    shown = visible(reason, MOST)
    return Cell(shown, State.BROKEN, as_tooltip(reason))


def _number(value: int | float | NumberText) -> Cell:
    if isinstance(value, float):
        if not math.isfinite(value):
            word = "NaN" if math.isnan(value) else "Infinity" if value > 0 else f"{MINUS}Infinity"
            return Cell(word, State.SPECIAL, right=True)
        text = repr(value)
    elif isinstance(value, NumberText):
        text = value.text
    else:
        bits = value.bit_length()
        if bits > 13_000:
            # Python refuses to write integers this long: it takes quadratic time.
            digits = count_text(int(bits * math.log10(2)) + 1)
            pattern = QCoreApplication.translate("Cell", "integer of about {digits} digits")
            return Cell(pattern.replace("{digits}", digits), State.NUMBER, right=True)
        text = str(value)
    if len(text) > MOST:
        digits = QCoreApplication.translate("Cell", "{count} digits").replace("{count}", count_text(len(text)))
        text, suffix = text[: MOST - len(digits) - 2] + "…", digits
        return Cell(text.replace("-", MINUS), State.NUMBER, right=True, suffix=suffix)
    return Cell(text.replace("-", MINUS), State.NUMBER, right=True)


def _text(value: str) -> Cell:
    if not value:
        return Cell('""', State.EMPTY)
    if len(value) <= MOST:
        if value.isspace() and len(value) <= MOST - 2:
            return Cell(f'"{visible(value, MOST - 2)}"', State.BLANK)
        return Cell(visible(value, MOST), State.TEXT, _text_tooltip(value))
    suffix = _text_size(value)
    shown = visible(value[:MOST], MOST - len(suffix) - 2) + "…"
    return Cell(shown, State.TEXT, _text_tooltip(value), suffix=suffix)


def _text_size(value: str) -> str:
    """Return the bytes of *value* in UTF-8; of long texts that are not ASCII the number is estimated."""
    if value.isascii():
        return size_text(len(value))
    sample = value[:10_000]
    size = len(sample.encode("utf-8", "surrogatepass"))
    if len(sample) == len(value):
        return size_text(size)
    return "≈ " + size_text(round(size / len(sample) * len(value)))


def _text_tooltip(value: str) -> str:
    if len(value) <= 40 and _DATE.fullmatch(value):
        return _date_tooltip(value)
    if len(value) <= 30 and value.isprintable():
        return ""
    cut = value[:TOOLTIP_MOST]
    return as_tooltip(cut + "…" if len(value) > len(cut) else cut)


def _date_tooltip(value: str) -> str:
    """Return UTC and local time of a text that names a moment; a time without a zone names none."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return ""
    if moment.tzinfo is None:
        return as_tooltip(QCoreApplication.translate("Cell", "Date and time without a time zone"))
    lines = []
    for zone, name in ((UTC, "UTC"), (None, "")):
        there = moment.astimezone(zone)
        lines.append(f"{there:%Y-%m-%d %H:%M:%S} {name or there.tzname()}")
    return as_tooltip("\n".join(lines))


def _binary(head: bytes, size: int) -> Cell:
    kind = next((name for magic, name in _MAGIC if head.startswith(magic)), "")
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        kind = "WebP"
    kind = kind or QCoreApplication.translate("Cell", "binary")
    return Cell(f"{size_text(size)} {kind}", State.BINARY)
