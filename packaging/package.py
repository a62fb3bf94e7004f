"""``make package``: wheel, source distribution, the frozen program, and on Debian the package and the AppDir of it.

The frozen program is made in an environment of its own that holds the wheel and nothing else, so that what it can do
does not depend on what else is installed here. Each step says how long it took and how large its result is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
DIST = ROOT / "dist"
CLEAN = BUILD / "venv"
CLEAN_PYTHON = CLEAN / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def wheel() -> Path:
    """Return the wheel; the source distribution lies beside it."""
    for old in DIST.glob("store_inspector-*"):
        old.unlink()
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "build"], check=True)
    subprocess.run([sys.executable, "-m", "build", "--outdir", DIST], check=True, cwd=ROOT, capture_output=True)
    return next(DIST.glob("store_inspector-*.whl"))


def clean_environment() -> Path:
    """Return an environment that holds the wheel, what it needs, and PyInstaller."""
    if not CLEAN_PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", CLEAN], check=True)
    pip = [CLEAN_PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    made = next(DIST.glob("store_inspector-*.whl"))
    subprocess.run([*pip, made, "pyinstaller>=6.10,<7"], check=True)
    # The version may be the same as before although the files are not.
    subprocess.run([*pip, "--no-deps", "--force-reinstall", made], check=True)
    return CLEAN


def frozen() -> Path:
    """Return the folder of the frozen program; called in the clean environment."""
    import bundle
    import icons

    icons.lay(BUILD)
    return bundle.build(CLEAN_PYTHON, BUILD / "bundle")


def debian() -> Path:
    """Return the Debian package; called in the clean environment."""
    import deb

    return deb.build(BUILD / "bundle" / "inspector", DIST)


def app_dir() -> Path:
    """Return the AppDir; called in the clean environment."""
    import deb

    return deb.app_dir(BUILD / "bundle" / "inspector")


def checks() -> None:
    """Stop if a checker of Debian's finds an error in what was made."""
    share = BUILD / "deb" / "usr" / "share"
    for entry in sorted((share / "applications").glob("*.desktop")):
        _check("desktop-file-validate", entry)
    for info in (share / "metainfo").glob("*.xml"):
        _check("appstreamcli", "validate", "--no-net", info)
    # Lintian says more that is for Debian's own archive; only its errors are about the package.
    _check("lintian", "--allow-root", "--fail-on", "error", "--tag-display-limit", "0", *DIST.glob("*.deb"))


def _check(program: str, *words: object) -> None:
    started = time.monotonic()
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout + done.stderr)
        sys.exit(f"{program} finds errors")
    print(f"  {program}: no error ({time.monotonic() - started:.0f} s)", flush=True)


def step(name: str, make: Callable[[], Path]) -> None:
    """Run one step and say what it made."""
    started = time.monotonic()
    path = make()
    seconds = time.monotonic() - started
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file() and not p.is_symlink()]
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    print(f"{name}: {path.relative_to(ROOT)}  {megabytes:,.1f} MB  ({seconds:.0f} s)", flush=True)


def main() -> None:
    """Run all steps that can be done on this system."""
    if sys.argv[1:] == ["frozen"]:
        step("frozen program", frozen)
        if shutil.which("dpkg-shlibdeps"):
            step("Debian package", debian)
            step("AppDir", app_dir)
            checks()
        elif sys.platform.startswith("linux"):
            print("No Debian package is made: dpkg-shlibdeps is missing; on Debian: apt-get install dpkg-dev")
        return
    step("wheel", wheel)
    step("environment", clean_environment)
    os.environ.pop("PYTHONPATH", None)  # what is frozen is the wheel
    sys.exit(subprocess.run([CLEAN_PYTHON, __file__, "frozen"], check=False).returncode)


if __name__ == "__main__":
    main()
