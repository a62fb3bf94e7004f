"""A notebook's cells with their outputs as cards, ready to be painted: text is only text, pictures are decoded here.

Nothing is fetched and nothing runs: HTML shows as its text, SVG and scripts only as a note of what they are.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, Qt
from PySide6.QtGui import QImage, QImageReader

from inspector import values
from inspector.files import readable_size
from inspector.gui.diff_cards import Card, Row, RowKind
from inspector.model import Record
from inspector.operations.cell_diff import source
from inspector.operations.diff import LineChange
from inspector.progress import Progress, silent, track

MOST_OUTPUT_LINES = 200
"""Lines of one output that are shown."""

MOST_IMAGE_BYTES = 16 << 20
"""Encoded pictures larger than this are only named."""

_MOST_PIXELS = 4000
_PNG = b"\x89PNG\r\n\x1a\n"
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_SILENT_TAGS = frozenset(("script", "style", "head", "title"))


def content_cards(records: Sequence[Record], progress: Progress = silent) -> tuple[tuple[Card, ...], list[Row]]:
    """Return the cards of a notebook's cells and the rows that show them. Slow: pictures are decoded."""
    cells = [r.value for r in records if r.key.startswith("cells[") and isinstance(r.value, dict)]
    cards: list[Card] = []
    rows: list[Row] = []
    for number, cell in enumerate(track(cells, progress, len(cells))):
        lines = tuple(LineChange(None, n, " ", text) for n, text in enumerate(source(cell).splitlines(), 1))
        count = cell.get("execution_count")
        shown = int(count) if isinstance(count, int | float) else None
        cards.append(Card(str(cell.get("cell_type", "code")), "", "unchanged", lines, shown))
        body = [Row(RowKind.LINE, number, line=line) for line in lines]
        for output in cell.get("outputs") or ():
            body += _output_rows(output, number) if isinstance(output, dict) else []
        rows.append(Row(RowKind.HEAD, number, last=not body))
        rows += body[:-1]
        if body:
            end = body[-1]
            rows.append(Row(end.kind, number, end.line, end.note, last=True, image=end.image))
    return tuple(cards), rows


def _output_rows(output: dict[str, Any], card: int) -> list[Row]:
    data = output.get("data")
    if isinstance(data, dict):
        return _bundle_rows(data, card)
    text = output.get("text")
    if text is None and output.get("traceback") is not None:
        text = "\n".join(map(str, output["traceback"])) if isinstance(output["traceback"], list) else ""
    if text is None:
        text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
    return _text_rows(_joined(text), card)


def _bundle_rows(data: dict[str, Any], card: int) -> list[Row]:
    """Return the richest form of an output that can be shown safely."""
    for kind in _PICTURES:
        if kind in data:
            return [_picture_row(kind, _joined(data[kind]), card)]
    for kind, readable in (("text/markdown", False), ("text/plain", False), ("text/html", True)):
        if kind in data:
            text = _joined(data[kind])
            return _text_rows(html_text(text) if readable else text, card)
    return [_note(f"{kind}, {readable_size(len(values.write(data[kind])))}", card) for kind in data]


def _picture_row(kind: str, text: str, card: int) -> Row:
    image = decode_image(text)
    if image is None and is_damaged_png(_blob(text)):
        return _note(f"{kind}, {readable_size(len(text))}, damaged", card)
    if image is None:
        return _note(f"{kind}, {readable_size(len(text))}, cannot be shown", card)
    return Row(RowKind.IMAGE, card, note=f"{kind}, {image.width()} × {image.height()}", image=image)


def decode_image(text: str) -> QImage | None:
    """Return the picture in a base64 text; None if it is none, or too large."""
    blob = _blob(text)
    # Qt's library for PNG writes what it finds wrong to the error stream.
    if not blob or is_damaged_png(blob):
        return None
    buffer = QBuffer()
    buffer.setData(QByteArray(blob))
    reader = QImageReader(buffer)
    size = reader.size()
    if not size.isValid() or max(size.width(), size.height()) > _MOST_PIXELS * 4:
        return None
    if max(size.width(), size.height()) > _MOST_PIXELS:
        reader.setScaledSize(size.scaled(_MOST_PIXELS, _MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else image


def _blob(text: str) -> bytes:
    """Return the bytes of a base64 text; none if it is none, or too large."""
    if len(text) > MOST_IMAGE_BYTES * 4 // 3:
        return b""
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        return b""


def is_damaged_png(blob: bytes) -> bool:
    """Say whether *blob* begins as PNG but has a chunk that is cut or whose CRC is wrong, or ends without IEND.

    Layout and CRC of chunks: PNG specification (third edition), 5.3.
    """
    if not blob.startswith(_PNG):
        return False
    at = len(_PNG)
    while at + 12 <= len(blob):
        length, kind = struct.unpack_from(">I4s", blob, at)
        end = at + 8 + length
        if end + 4 > len(blob) or zlib.crc32(blob[at + 4 : end]) != int.from_bytes(blob[end : end + 4], "big"):
            return True
        if kind == b"IEND":
            return False
        at = end + 4
    return True


def _text_rows(text: str, card: int) -> list[Row]:
    lines = _ANSI.sub("", text).splitlines()
    rows = [_note(line, card) for line in lines[:MOST_OUTPUT_LINES]]
    if len(lines) > MOST_OUTPUT_LINES:
        rows.append(_note(f"… {len(lines) - MOST_OUTPUT_LINES:,}", card))
    return rows


def _note(text: str, card: int) -> Row:
    return Row(RowKind.OUTPUT, card, note=text)


def _joined(text: Any) -> str:
    return "".join(map(str, text)) if isinstance(text, list) else str(text)


class _TextOfHtml(HTMLParser):
    """Collects the visible text of HTML; cells of a table row are set apart, blocks begin a line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT_TAGS:
            self._silent += 1
        elif tag in ("td", "th"):
            self.pieces.append("  ")
        elif tag in ("tr", "p", "div", "br", "li", "h1", "h2", "h3", "pre"):
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT_TAGS:
            self._silent = max(self._silent - 1, 0)

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.pieces.append(" ".join(data.split()))


def html_text(html: str) -> str:
    """Return the visible text of HTML, without scripts, styles and tags."""
    parser = _TextOfHtml()
    parser.feed(html)
    parser.close()
    return "\n".join(line.rstrip() for line in "".join(parser.pieces).split("\n") if line.strip())
