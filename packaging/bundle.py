"""The frozen program: PyInstaller's folder, without what Inspector never loads and without debugging symbols."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

UNUSED_PLUGINS = (
    "egldeviceintegrations", "generic", "networkinformation", "tls", "imageformats/libqtiff.so",
    "platforms/libqeglfs.so", "platforms/libqlinuxfb.so", "platforms/libqminimal.so", "platforms/libqminimalegl.so",
    "platforms/libqvkkhrdisplay.so", "platforms/libqvnc.so", "platformthemes/libqgtk3.so",
)  # fmt: skip
"""Plugins for screens without a desktop, for network pages, and those that need libraries Debian 12 has not."""


def build(python: Path, into: Path) -> Path:
    """Return the folder of the frozen program, made below *into* with the environment of *python*."""
    shutil.rmtree(into, ignore_errors=True)
    # Isolated, and not in the checkout: what is frozen is the wheel, with the resources in it.
    command = [python, "-I", "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--distpath", into]
    command += ["--workpath", into.parent / "pyinstaller", HERE / "inspector.spec"]
    subprocess.run(command, check=True, cwd=into.parent)
    folder = into / "inspector"
    if sys.platform.startswith("linux"):
        trim(folder)
    return folder


def trim(folder: Path) -> None:
    """Remove unused plugins, the translations of other Qt libraries, libraries that nothing needs any more; strip."""
    inside = folder / "_internal"
    qt = inside / "PySide6" / "Qt"
    for name in UNUSED_PLUGINS:
        path = qt / "plugins" / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    for path in (qt / "translations").glob("*.qm"):
        if not path.name.startswith("qtbase_"):
            path.unlink()
    _drop_orphans(folder)
    for path in objects(folder):
        # Libraries of wheels were moved by patchelf, and strip tears some of them apart: those lie in NAME.libs.
        if not path.parent.name.endswith(".libs"):
            subprocess.run(["strip", "--strip-unneeded", path], check=True, capture_output=True)
        if _looks_elsewhere(path):
            subprocess.run(["chrpath", "--delete", path], check=True, capture_output=True)


def objects(folder: Path) -> list[Path]:
    """Return programs and libraries below *folder*, links left out."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    found.append(path)
    return found


def needed(paths: Sequence[Path]) -> Iterator[str]:
    """Yield the names of the libraries that *paths* are linked with."""
    command = ["objdump", "-p", *map(str, paths)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    yield from re.findall(r"^\s+NEEDED\s+(\S+)", text, re.MULTILINE)


def _looks_elsewhere(path: Path) -> bool:
    """Say whether a library is told to look for others at a place of the machine that it was built on."""
    text = subprocess.run(["objdump", "-p", path], check=True, capture_output=True, text=True).stdout
    return re.search(r"^\s+RU?N?PATH\s+/", text, re.MULTILINE) is not None


def _drop_orphans(folder: Path) -> None:
    """Remove shared libraries that no module, plugin or remaining library is linked with."""
    inside = folder / "_internal"
    while True:
        found = objects(folder)
        wanted = set(needed(found))
        # Python loads its own library by name, and blosc2 and numpy theirs from their folders.
        spare = [path for path in found if _is_library(path, inside) and path.name not in wanted]
        if not spare:
            break
        for path in spare:
            path.unlink()
    for path in inside.rglob("*"):
        if path.is_symlink() and not path.exists():
            path.unlink()


def _is_library(path: Path, inside: Path) -> bool:
    places = (inside, inside / "PySide6" / "Qt" / "lib")
    return path.parent in places and path.name.startswith("lib") and not path.name.startswith("libpython")


def size(folder: Path) -> int:
    """Return the bytes of all files below *folder*."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


if __name__ == "__main__":
    made = build(Path(sys.executable), ROOT / "build" / "bundle")
    print(f"{os.fspath(made)}  {size(made):,} bytes")
