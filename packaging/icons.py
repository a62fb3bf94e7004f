"""The logo as the icon files of Windows (``.ico``) and macOS (``.icns``); both hold PNG images."""

from __future__ import annotations

import struct
from pathlib import Path

from inspector.operations.register import icon

ICO_SIZES = (16, 24, 32, 48, 64, 256)
ICNS_KINDS = {b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}


def ico() -> bytes:
    """Return the icon for Windows."""
    images = [icon(size) for size in ICO_SIZES]
    place = 6 + 16 * len(images)
    entries = b""
    for size, image in zip(ICO_SIZES, images, strict=True):
        edge = size % 256  # 256 is written as 0
        entries += struct.pack("<BBBBHHII", edge, edge, 0, 0, 1, 32, len(image), place)
        place += len(image)
    return struct.pack("<HHH", 0, 1, len(images)) + entries + b"".join(images)


def icns() -> bytes:
    """Return the icon for macOS."""
    parts = []
    for kind, size in ICNS_KINDS.items():
        image = icon(size)
        parts.append(kind + struct.pack(">I", len(image) + 8) + image)
    body = b"".join(parts)
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def lay(folder: Path) -> None:
    """Write both into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "inspector.ico").write_bytes(ico())
    (folder / "inspector.icns").write_bytes(icns())
