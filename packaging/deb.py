"""The Debian package and the AppDir of the frozen program."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import time
from email.utils import formatdate
from pathlib import Path

import bundle
import manual

from inspector import __version__
from inspector.operations.register import lay
from inspector.program import APP_ID

ROOT = Path(__file__).resolve().parent.parent
NAME = "store-inspector"
HOME = Path("usr/lib") / NAME
"""Where the frozen program lies; ``usr/bin/inspector`` leads there."""

MAINTAINER = "The Inspector developers <inspector@localhost>"
"""The project has no mail address; a control file must name one."""

CONTROL = """Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: desktop-file-utils, hicolor-icon-theme, shared-mime-info
Section: database
Priority: optional
Description: look into document stores and move them between formats
 Inspector opens TinyDB, BetterJSONStorage and Jupyter ystore files in one
 window and on one command line, and never changes a file by looking at it.
 .
 It shows records with exact values, walks through the stored history of a
 notebook, converts between the formats, compresses a store with a way back,
 and measures what every codec gains on your own data.
"""


def build(folder: Path, into: Path) -> Path:
    """Return the package of the frozen program in *folder*, written into the folder *into*."""
    stage = ROOT / "build" / "deb"
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(folder, stage / HOME, symlinks=True)
    _leave_to_the_system(stage / HOME)
    _desktop(stage / "usr")
    _documents(stage / "usr" / "share")
    for path in stage.rglob("*"):
        if not path.is_symlink():
            runs = path.is_dir() or path == stage / HOME / "inspector"
            path.chmod(0o755 if runs else 0o644)
    _control(stage)
    into.mkdir(parents=True, exist_ok=True)
    package = into / f"{NAME}_{__version__}_{_architecture()}.deb"
    _run("dpkg-deb", "-Zgzip", "-z6", "--root-owner-group", "--build", str(stage), str(package))
    return package


def app_dir(folder: Path) -> Path:
    """Return an AppDir of the frozen program: what an AppImage is made of; it runs as it is."""
    made = ROOT / "build" / "Inspector.AppDir"
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(folder, made / HOME, symlinks=True)
    _desktop(made / "usr")
    share = made / "usr" / "share"
    shutil.copy(share / "applications" / f"{APP_ID}.desktop", made)
    shutil.copy(share / "icons" / "hicolor" / "256x256" / "apps" / f"{APP_ID}.png", made)
    (made / ".DirIcon").symlink_to(f"{APP_ID}.png")
    start = made / "AppRun"
    start.write_text(f'#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/{HOME}/inspector" "$@"\n', encoding="utf-8")
    start.chmod(0o755)
    return made


def _desktop(usr: Path) -> None:
    """Lay down the command, what `inspector register` lays down too, the manual and the completions."""
    (usr / "bin").mkdir(parents=True)
    (usr / "bin" / "inspector").symlink_to(os.path.relpath(HOME / "inspector", "usr/bin"))
    lay(usr / "share", ["inspector"])
    manual.lay(usr / "share")


def _leave_to_the_system(folder: Path) -> None:
    """Remove libraries that PyInstaller took from Debian packages: the package depends on those instead."""
    cache = _run("/sbin/ldconfig", "-p")
    places = dict(reversed(re.findall(r"^\s+(\S+) .*=> (\S+)", cache, re.MULTILINE)))
    for path in sorted((folder / "_internal").glob("lib*.so*")):
        place = places.get(path.name)
        # Python's own library must be of the very version that the standard library beside it is of.
        ours = path.is_symlink() or path.name.startswith("libpython")
        if place and not ours and _is_packaged(place):
            path.unlink()


def _is_packaged(path: str) -> bool:
    """Say whether an installed Debian package owns this file; packages and the loader spell ``/usr`` differently."""
    for spelling in (path, f"/usr{path}", path.removeprefix("/usr")):
        if subprocess.run(["dpkg", "-S", spelling], capture_output=True, check=False).returncode == 0:
            return True
    return False


def _control(stage: Path) -> None:
    debian = stage / "DEBIAN"
    debian.mkdir()
    control = CONTROL.format(
        name=NAME, version=__version__, architecture=_architecture(), maintainer=MAINTAINER,
        size=bundle.size(stage) // 1024, depends=_dependencies(stage / HOME),
    )  # fmt: skip
    (debian / "control").write_text(control, encoding="utf-8")
    files = (path for path in sorted((stage / "usr").rglob("*")) if path.is_file() and not path.is_symlink())
    sums = _run("md5sum", *(str(path.relative_to(stage)) for path in files), cwd=stage)
    (debian / "md5sums").write_text(sums, encoding="utf-8")


def _dependencies(folder: Path) -> str:
    """Return what the programs and libraries in *folder* need of Debian, with the versions that have the symbols."""
    work = ROOT / "build" / "shlibdeps"
    (work / "debian").mkdir(parents=True, exist_ok=True)
    (work / "debian" / "control").write_text(f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n")
    found = bundle.objects(folder)
    places = sorted({path.parent for path in found})
    words = [f"-l{place}" for place in places] + [f"-e{path}" for path in found]
    text = _run("dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0", *words, cwd=work)
    return text.strip().removeprefix("shlibs:Depends=")


def _documents(share: Path) -> None:
    doc = share / "doc" / NAME
    doc.mkdir(parents=True)
    (doc / "copyright").write_text(_copyright(), encoding="utf-8")
    entry = f"{NAME} ({__version__}) unstable; urgency=medium\n\n  * See the project's own list of changes.\n"
    date = formatdate(float(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    entry += f"\n -- {MAINTAINER}  {date}\n"
    (doc / "changelog.gz").write_bytes(gzip.compress(entry.encode(), 9, mtime=0))
    overrides = share / "lintian" / "overrides" / NAME
    overrides.parent.mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "debian" / "lintian-overrides", overrides)


def _copyright() -> str:
    """Return the licences of the program, and where those of the libraries in it lie."""
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    holder = next(line.strip() for line in licence.splitlines() if line.startswith("Copyright"))
    body = "".join(f" {line}\n" if line else " .\n" for line in licence.splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Inspector\n"
        "Comment: Libraries from other projects lie in /usr/lib/store-inspector/_internal; the licence of each is in\n"
        " the folder NAME.dist-info there. Fonts are under the SIL Open Font License, icons under ISC.\n\n"
        f"Files: *\nCopyright: {holder.removeprefix('Copyright (c) ')}\nLicense: Expat\n{body}"
    )


def _architecture() -> str:
    return _run("dpkg", "--print-architecture").strip()


def _run(*command: str, cwd: Path | None = None) -> str:
    """Return what *command* prints; if it ends badly, stop with what it complains of."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} ended with code {done.returncode}:\n{done.stderr[-8000:]}")
    return done.stdout
