"""``make test-package``: the Debian package in a root of its own, used as a person would.

A bare Debian is made with debootstrap (root and a package mirror are needed), the package is installed there with what
it depends on, and a screen is put beside it. Then: is there a menu entry with an icon, does every kind of file open
from its type with the right store in the window, does a second start hand its files to the first, do the verbs, the
benchmark's children and the completions work, and does nothing stay behind when it is removed.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.operations.register import ICON_SIZES
from inspector.program import APP_ID

ROOT = Path(__file__).resolve().parent.parent
CLEAN = ROOT / "build" / "root"
BASE = ROOT / "build" / "root-base.tar"
"""The bare Debian with a desktop's own tools, kept for the next run."""
DISPLAY = ":79"
TOOLS = "libglib2.0-bin,xdg-utils,desktop-file-utils,shared-mime-info,hicolor-icon-theme,bash-completion"
OTHER_PROGRAM = "[Desktop Entry]\nType=Application\nName=Editor\nExec=true %f\nMimeType=text/plain;\n"
USER = {
    "HOME": "/home/user", "XDG_RUNTIME_DIR": "/run/user", "DISPLAY": DISPLAY, "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
}  # fmt: skip

STORES = {"shop.json": "tinydb", "shop.db": "betterjson", "notebook.ystore.db": "ystore"}
TITLES = {"shop.json": "customers", "shop.db": "customers", "notebook.ystore.db": "analysis.ipynb"}
TYPES = {
    "shop.json": "application/json",
    "shop.db": "application/x-betterjsonstorage",
    "notebook.ystore.db": "application/x-ystore+sqlite3",
}


def main() -> None:
    """Run everything; the first thing that is not as it must be ends it."""
    packages = sorted((ROOT / "dist").glob("*.deb"))
    if not packages:
        sys.exit("There is no package in dist/; run `make package` first.")
    if os.geteuid() != 0:
        sys.exit("A clean root can only be made as root; run `sudo make test-package`.")
    if "--mounts" not in sys.argv:  # what is mounted in the clean root goes away with this process
        os.execvp("unshare", ["unshare", "--mount", sys.executable, __file__, "--mounts"])
    bare_debian()
    before = listing()
    with screen():
        checks = (menu_entry, types, verbs, frozen_children, completions)
        checks += (double_clicks, second_start, several_files, app_dir)
        step("installed, with what it depends on", lambda: install(packages[-1]))
        for check in checks:
            step(check.__doc__ or "", check)
    step("removed without a trace", lambda: removed(before))


def step(name: str, check: Callable[[], str | None]) -> None:
    """Run one check and say that it held, with what it tells."""
    started = time.monotonic()
    told = check()
    print(f"ok  {name.rstrip('.')}{f': {told}' if told else ''}  ({time.monotonic() - started:.1f} s)", flush=True)


def expect(fact: object, sentence: str) -> None:
    """End with *sentence* if *fact* does not hold."""
    if not fact:
        sys.exit(f"FAILED  {sentence}")


def bare_debian() -> None:
    """Make a clean root, from what an earlier run kept if there is one."""
    shutil.rmtree(CLEAN, ignore_errors=True)
    CLEAN.mkdir(parents=True)
    if not BASE.exists():
        names = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
        suite = names["VERSION_CODENAME"]
        command = ["apt-get", "indextargets", "--format", "$(CODENAME) $(SITE)", "Created-By: Packages"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        mirror = next(line.split()[1] for line in lines if line.startswith(f"{suite} "))
        command = ["debootstrap", "--variant=minbase", f"--include={TOOLS}", suite, str(CLEAN), mirror]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"debootstrap: {done.stdout[-1000:]}")
        subprocess.run(["tar", "-C", CLEAN, "-cf", BASE, "."], check=True)
    else:
        subprocess.run(["tar", "-C", CLEAN, "-xf", BASE], check=True)
    for name in ("etc/apt/apt.conf.d", "etc/resolv.conf"):
        source, target = Path("/", name), CLEAN / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, target)
    subprocess.run(["mount", "-t", "proc", "proc", CLEAN / "proc"], check=True)
    for folder in (USER["HOME"], USER["XDG_RUNTIME_DIR"]):
        (CLEAN / folder.lstrip("/")).mkdir(parents=True, mode=0o700)
    other = CLEAN / "usr/share/applications/editor.desktop"
    other.parent.mkdir(exist_ok=True)
    other.write_text(OTHER_PROGRAM, encoding="utf-8")
    inside("update-desktop-database")
    stores = CLEAN / "home/user/stores"
    stores.mkdir()
    samples = ROOT / "resources" / "samples"
    for name in ("shop.json", "shop.db", "notebook/notebook.ystore.db", "notebook/file_id_manager.db"):
        shutil.copy(samples / name, stores)


def inside(*command: str, **more: str) -> str:
    """Return what *command* prints in the clean root."""
    done = subprocess.run(
        ["chroot", CLEAN, "env", "-i", *(f"{k}={v}" for k, v in {**USER, **more}.items()), *command],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    expect(done.returncode == 0, f"{shlex.join(command)}: {done.stdout[-600:]}{done.stderr[-1500:]}")
    return done.stdout


def started(*command: str) -> subprocess.Popen[bytes]:
    """Start *command* in the clean root and return at once."""
    words = ["chroot", str(CLEAN), "env", "-i", *(f"{k}={v}" for k, v in USER.items()), *command]
    return subprocess.Popen(words, start_new_session=True)


def listing() -> set[str]:
    """Return all paths in the clean root but those that installing any package changes."""
    found = set()
    for folder, folders, files in os.walk(CLEAN):
        place = f"/{os.path.relpath(folder, CLEAN)}/"
        if place.startswith(("/var/cache/", "/var/lib/", "/var/log/", "/home/user/stores/", "/proc/", "/dev/")):
            continue
        found |= {place + name for name in (*folders, *files)}
    return found


def install(package: Path) -> None:
    """Install the package as apt does, with its dependencies."""
    shutil.copy(package, CLEAN / "tmp" / package.name)
    inside("apt-get", "update", "-qq")
    inside(
        "apt-get",
        "install",
        "-y",
        "-qq",
        "--no-install-recommends",
        f"/tmp/{package.name}",
        DEBIAN_FRONTEND="noninteractive",
    )
    (CLEAN / "tmp" / package.name).unlink()
    expect(not (CLEAN / "usr/bin/python3").exists(), "the root has a Python, so it is no proof that none is needed")


def entry() -> dict[str, str]:
    """Return the keys of the menu entry."""
    text = (CLEAN / "usr/share/applications" / f"{APP_ID}.desktop").read_text(encoding="utf-8")
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def menu_entry() -> None:
    """The menu entry names a program that is there and an icon in every size."""
    keys = entry()
    expect(inside("which", keys["TryExec"]).strip() == "/usr/bin/inspector", "the menu entry's program is not found")
    for folder in (*(f"{size}x{size}" for size in ICON_SIZES), "scalable"):
        icons = list((CLEAN / "usr/share/icons/hicolor" / folder / "apps").glob(f"{keys['Icon']}.*"))
        expect(len(icons) == 1, f"there is no icon of {folder}")


def types() -> None:
    """Every kind of store has its type and its program; JSON and SQLite keep theirs."""
    for name, kind in TYPES.items():
        told = inside("gio", "info", "-a", "standard::content-type", f"/home/user/stores/{name}")
        expect(f"content-type: {kind}\n" in told, f"{name} is not taken for {kind} but: {told}")
        expect(f"{APP_ID}.desktop" in inside("gio", "mime", kind), f"Inspector is not offered for {kind}")
    for kind in (TYPES["shop.db"], TYPES["notebook.ystore.db"], "application/x-tinydb+json"):
        expect(default_of(kind) == f"{APP_ID}.desktop", f"the first choice for {kind} is {default_of(kind)}")
        expect(inside("xdg-mime", "query", "default", kind).strip() == f"{APP_ID}.desktop", f"xdg-mime: {kind}")
    expect(default_of("application/json") == "editor.desktop", f"JSON opens in {default_of('application/json')}")
    expect(f"{APP_ID}Compress.desktop" in inside("gio", "mime", "application/json"), "Compress is not offered")


def default_of(kind: str) -> str:
    """Return the program that a double click on a file of this type starts."""
    first = inside("gio", "mime", kind).splitlines()[0]
    return first.rpartition(": ")[2]


def verbs() -> str:
    """The verbs know every format and codec, and say what a store is."""
    ours = subprocess.run(
        [sys.executable, "-m", "inspector", "formats", "--json"], cwd=ROOT, capture_output=True, check=True
    )
    theirs = inside("inspector", "formats", "--json")
    expect(json.loads(theirs) == json.loads(ours.stdout), "the package knows other formats or codecs than the checkout")
    for name, format in STORES.items():
        found = json.loads(inside("inspector", "info", f"/home/user/stores/{name}", "--json"))
        expect(found["format"] == format, f"{name} is taken for {found['format']}")
    times = []
    for _ in range(5):
        began = time.monotonic()
        inside("inspector", "info", "/home/user/stores/shop.json")
        times.append(time.monotonic() - began)
    return f"`inspector info` takes {sorted(times)[2]:.2f} s"


def frozen_children() -> None:
    """Benchmarks start children of the program itself, and charts find their fonts."""
    store = "/home/user/stores/shop.json"
    words = ("bench", store, "--runs", "1", "--codec", "zstd", "--png", "/tmp/chart.png", "--json")
    expect(json.loads(inside("inspector", *words))["results"], "the codec benchmark measured nothing")
    expect((CLEAN / "tmp/chart.png").read_bytes().startswith(b"\x89PNG"), "there is no chart")
    words = ("bench", store, "--what", "storages", "--runs", "1", "--json")
    found = json.loads(inside("inspector", *words))
    measured = {result["storage"] for result in found["storages"]}
    expect(len(measured) > 1, f"the storage benchmark measured {measured or 'nothing'}")
    (CLEAN / "tmp/chart.png").unlink()


def completions() -> None:
    """The shell completes verbs and options."""
    script = "source /usr/share/bash-completion/completions/inspector; COMP_WORDS=(inspector conv); COMP_CWORD=1; "
    told = inside("bash", "-c", script + "_inspector 2>/dev/null; echo ${COMPREPLY[@]}")
    expect(told.strip() == "convert", f"`inspector conv` is completed to {told!r}")


@contextmanager
def screen() -> Iterator[None]:
    """Put a screen beside the clean root for the time of the test."""
    words = ["Xvfb", DISPLAY, "-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    server = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    time.sleep(2)
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def windows() -> dict[str, str]:
    """Return the titles of the windows on the screen by their ids."""
    env = {**os.environ, "DISPLAY": DISPLAY}
    words = ["xdotool", "search", "--onlyvisible", "--class", "inspector"]
    ids = subprocess.run(words, env=env, capture_output=True, text=True, check=False).stdout.split()
    found = {}
    for number in ids:
        words = ["xdotool", "getwindowname", number]
        found[number] = subprocess.run(words, env=env, capture_output=True, text=True, check=False).stdout.strip()
    return found


def shown(title: str, seconds: float = 20) -> float:
    """Wait for a window with *title* in its name and return how long it took."""
    began = time.monotonic()
    while not any(title in name for name in windows().values()):
        expect(time.monotonic() - began < seconds, f"no window shows {title!r}; there are {list(windows().values())}")
        time.sleep(0.05)
    return time.monotonic() - began


def opened_from_entry(*names: str) -> subprocess.Popen[bytes]:
    """Start what the menu entry's Exec says for these files, as a file manager does."""
    words = []
    for word in shlex.split(entry()["Exec"]):
        words += [f"/home/user/stores/{name}" for name in names] if word == "%F" else [word]
    return started(*words)


def close() -> None:
    """Ask the program whose window is on the screen to end, and wait until the window is gone."""
    env = {**os.environ, "DISPLAY": DISPLAY}
    for number in windows():
        words = ["xdotool", "getwindowpid", number]
        pid = subprocess.run(words, env=env, capture_output=True, text=True, check=False).stdout.strip()
        if pid:
            os.kill(int(pid), signal.SIGINT)
    gone = time.monotonic() + 20
    while windows():
        expect(time.monotonic() < gone, "the window does not close")
        time.sleep(0.05)


def double_clicks() -> str:
    """A double click opens each kind of file and shows its store."""
    took = []
    for name in STORES:
        process = opened_from_entry(name)
        took.append(shown(TITLES[name]))
        close()
        expect(process.wait(timeout=20) == 130, "the program did not end as it was asked to")
    for name in ("shop.db", "notebook.ystore.db"):  # by its type: what a file manager asks the desktop for
        process = started("gio", "open", f"/home/user/stores/{name}")
        took.append(shown(TITLES[name]))
        close()
        process.wait(timeout=20)
    return f"first window {took[0]:.1f} s, then {', '.join(f'{seconds:.1f}' for seconds in took[1:])} s"


def second_start() -> str:
    """A second start hands its file to the window that is open, and ends."""
    first = opened_from_entry("shop.json")
    shown(TITLES["shop.json"])
    began = time.monotonic()
    second = opened_from_entry("notebook.ystore.db")
    expect(second.wait(timeout=20) == 0, "the second start ended with an error")
    took = time.monotonic() - began
    shown(TITLES["notebook.ystore.db"])
    expect(len(windows()) == 1, f"there are {len(windows())} windows")
    close()
    first.wait(timeout=20)
    return f"{took:.2f} s"


def several_files() -> None:
    """A double click on several files opens all of them."""
    process = opened_from_entry(*STORES)
    recents = CLEAN / "home/user/.config/inspector/inspector.ini"
    recents.unlink()
    late = time.monotonic() + 20
    while not (recents.exists() and all(f"stores/{name}" in recents.read_text(encoding="utf-8") for name in STORES)):
        expect(time.monotonic() < late, "not all files are among those opened last")
        time.sleep(0.1)
    expect(len(windows()) == 1, f"there are {len(windows())} windows")
    close()
    process.wait(timeout=20)


def app_dir() -> None:
    """The AppDir runs as it is, through a link too."""
    place = CLEAN / "opt" / "Inspector.AppDir"
    subprocess.run(["cp", "-a", "--link", ROOT / "build" / "Inspector.AppDir", place], check=True)
    (CLEAN / "opt" / "inspector").symlink_to("Inspector.AppDir/AppRun")
    process = started("/opt/inspector", "/home/user/stores/shop.db")
    shown(TITLES["shop.db"])
    close()
    process.wait(timeout=20)
    shutil.rmtree(place)
    (CLEAN / "opt" / "inspector").unlink()


def removed(before: set[str]) -> None:
    """Remove the package with what came with it and look for what stayed."""
    for name in (".config", ".cache", ".local"):
        shutil.rmtree(CLEAN / "home/user" / name, ignore_errors=True)
    inside("apt-get", "purge", "-y", "-qq", "store-inspector", DEBIAN_FRONTEND="noninteractive")
    inside("apt-get", "autoremove", "-y", "-qq", "--purge", DEBIAN_FRONTEND="noninteractive")
    stayed = {path for path in listing() - before if "inspector" in path.lower() or "inspectable" in path}
    expect(not stayed, f"these stayed: {sorted(stayed)[:10]}")
    told = inside("gio", "mime", "application/x-ystore+sqlite3")
    expect(APP_ID not in told, "the file type is still connected")


if __name__ == "__main__":
    main()
