"""Files that are no stores but are met beside them, named by their first bytes so that a refusal can say what they are.

Magic numbers are those of each format's specification. The sentence that uses a clause begins with the file's name.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "gzip-compressed data; decompress it first"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"BZh", "bzip2-compressed data; decompress it first"),
    (b"\xfd7zXZ\x00", "xz-compressed data; decompress it first"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data; decompress it first"),
    (b"\x04\x22\x4d\x18", "lz4-compressed data; decompress it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"SQLite format 3\x00", "a SQLite database of another program"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"PAR1", "a Parquet table"),
    (b"ARROW1", "an Arrow table"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x7fELF", "a Linux program"),
    (b"MZ", "a Windows program"),
    (b"\x80\x04\x95", "a Python pickle, which is not opened because reading one runs code"),
    (b"\x80\x05\x95", "a Python pickle, which is not opened because reading one runs code"),
)
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_XML = re.compile(rb"\s*<\?xml\b")
_YAML = re.compile(
    rb"(?:---[^\n]*\n|#[^\n]*\n|\s)*[\"']?[A-Za-z_][\w -]*[\"']?:(?:[ \t]*\n[ \t]+\S|[ \t]*\{\}[ \t]*\n)"
)
_MSGPACK_MAP = re.compile(rb"[\x81-\x8f][\xa1-\xbf][ -~]")  # fixmap, then a fixstr of ASCII
_MSGPACK_BINARY = {0xC4: 2, 0xC5: 3, 0xC6: 5}  # bin 8, 16, 32: bytes before the content
ENTROPY = 7.0
"""Bits a byte; compressed or encrypted data of some kilobytes come near 8, text and programs stay below 6.5."""


def explain(path: Path, head: bytes) -> str | None:
    """Return what the file is, as one clause, or None. Never raises. *head*: its first bytes."""
    if not head:
        return "empty (0 bytes)"
    for magic, clause in _MAGIC:
        if head.startswith(magic):
            return clause
    if _HTML.match(head):
        return "an HTML page"
    if _XML.match(head):
        return "an XML document"
    return _msgpack(head) or _lines(head) or _yaml(head) or _text_or_noise(head)


def _msgpack(head: bytes) -> str | None:
    """Name the MessagePack forms of TinyDB storages: tinymp's map of tables, torm-storage's binary of JSON."""
    if _MSGPACK_MAP.match(head):
        return "a MessagePack map, as tinymp's MsgPackStorage writes it; convert it to JSON first"
    begin = _MSGPACK_BINARY.get(head[0])
    if begin is not None and head[begin : begin + 1] in (b"{", b"["):
        return "JSON inside a MessagePack binary, as torm-storage writes it; convert it to JSON first"
    return None


def _lines(head: bytes) -> str | None:
    lines = [line for line in head.split(b"\n")[:3] if line.strip()]
    if len(lines) < 2:
        return None
    try:
        parsed = [json.loads(line) for line in lines[:2]]
    except (ValueError, RecursionError):
        return None
    return "JSON lines, one JSON text on each line" if all(isinstance(item, dict | list) for item in parsed) else None


def _yaml(head: bytes) -> str | None:
    if not _YAML.match(head):
        return None
    if head.lstrip(b"-\n ").startswith(b"_default:"):
        return "a TinyDB database in YAML, as the YAMLStorage recipe writes it; convert it to JSON first"
    return "a YAML text"


def _text_or_noise(head: bytes) -> str | None:
    if _is_text(head):
        return "a plain text, no JSON"
    if len(head) >= 128 and _entropy(head) >= _expected_entropy(len(head)):
        return "encrypted or of an unknown kind: its bytes show no structure"
    return None


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:
            return False
        text = head[: error.start].decode("utf-8")
    return all(sign.isprintable() or sign in "\t\n\r\f" for sign in text)


def _entropy(data: bytes) -> float:
    return -sum(n / len(data) * math.log2(n / len(data)) for n in Counter(data).values())


def _expected_entropy(length: int) -> float:
    """Return the bits a byte that separate noise from structure: few bytes cannot show all 256 values."""
    return min(ENTROPY, math.log2(length) * 0.85)
