"""``make run``: the window on the sample stores, or without a display the same main job into demo-out/.

The samples are copied to demo-out/samples first, so that whatever is tried on them leaves the checkout as it is.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "demo-out"
PROBE = "from PySide6.QtGui import QGuiApplication; QGuiApplication([])"


def has_display() -> bool:
    """Say whether Qt can open a window here; asked in a child, because Qt aborts the process if it cannot."""
    if os.environ.get("QT_QPA_PLATFORM") in ("offscreen", "minimal"):
        return False
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return subprocess.run([sys.executable, "-c", PROBE], capture_output=True, check=False).returncode == 0


def copied_samples() -> Path:
    """Return a fresh copy of the samples in demo-out."""
    target = OUT / "samples"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "resources" / "samples", target)
    return target


def inspector(*words: object) -> None:
    """Run one verb and show the command; stops with its exit code if it is not done."""
    shown = [str(word).replace(f"{ROOT}{os.sep}", "") for word in words]
    print(f"\n$ inspector {shlex.join(shown)}", flush=True)
    code = subprocess.run([sys.executable, "-m", "inspector", *map(str, words)], cwd=ROOT, check=False).returncode
    if code:
        sys.exit(code)


def headless() -> None:
    """Do the main job without a window: look, move through history, convert, compress, measure, screenshots."""
    samples = copied_samples()
    for name in ("converted", "compressed", "charts", "screenshots"):
        shutil.rmtree(OUT / name, ignore_errors=True)
        (OUT / name).mkdir(parents=True)
    shop, better, notebook = samples / "shop.json", samples / "shop.db", samples / "notebook" / "notebook.ystore.db"
    for store in (shop, better, notebook):
        inspector("info", store)
    inspector("records", shop, "-c", "customers", "--where", 'city == "Rome" and age > 80', "--limit", "3")
    lost = OUT / "converted" / "lost-cell.ipynb"
    inspector("diff", notebook, "-c", "analysis.ipynb", "--from", "550", "--to", "551")
    inspector("show", notebook, "-c", "analysis.ipynb", "--at", "550", "--as", "ipynb", "-o", lost)
    inspector("convert", shop, OUT / "converted" / "shop.bjson", "--to", "betterjson")
    inspector("convert", notebook, OUT / "converted" / "notebook.json", "--to", "tinydb", "--accept-losses")
    inspector("compress", better, "-o", OUT / "compressed" / "shop.db")
    chart = OUT / "charts"
    forms = ("png", "svg", "csv", "html")
    inspector("bench", shop, "--min-time", "0.05", "--save", chart / "codecs.json", *_exports(chart / "codecs", forms))
    inspector(
        "bench", shop, "--what", "storages", "--runs", "1", "--save", chart / "storages.json",
        *_exports(chart / "storages", forms),
    )  # fmt: skip
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    script = ROOT / "packaging" / "screenshots.py"
    print("\nScreenshots of the real window, light and dark", flush=True)
    done = subprocess.run([sys.executable, script, samples, OUT / "screenshots"], env=environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    print(f"\nThere is no display here, so the main job was done without the window. See {OUT}/:")
    for path in sorted(OUT.rglob("*")):
        if path.is_file():
            print(f"  {path.relative_to(OUT)}  {path.stat().st_size:,} bytes")


def _exports(stem: Path, forms: tuple[str, ...]) -> list[str]:
    return [word for form in forms for word in (f"--{form}", f"{stem}.{form}")]


def main() -> None:
    """Open the window if there is a display, else do the main job headless."""
    if not has_display():
        headless()
        return
    samples = copied_samples()
    stores = [samples / "shop.json", samples / "shop.db", samples / "notebook" / "notebook.ystore.db"]
    sys.exit(subprocess.run([sys.executable, "-m", "inspector", *map(str, stores)], check=False).returncode)


if __name__ == "__main__":
    main()
