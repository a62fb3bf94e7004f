"""The files that desktops read: parsed, and by the desktop's own checkers where they are installed."""

import configparser
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from inspector import __version__
from inspector.model import IsExport
from inspector.operations.register import lay
from inspector.program import APP_ID
from inspector.registry import backends
from inspector.resources import resource

ROOT = Path(__file__).resolve().parents[2]
DESKTOP = resource("desktop")
ENTRIES = sorted(DESKTOP.rglob("*.desktop"))
MIME = DESKTOP / "mime" / "packages" / f"{APP_ID}.xml"
INFO = DESKTOP / "metainfo" / f"{APP_ID}.metainfo.xml"
SPACE = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
FOREIGN = {"application/json", "application/vnd.sqlite3"}


def parsed(path):
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read_string(path.read_text(encoding="utf-8"))
    return parser


def own_types():
    return {kind.get("type") for kind in ET.parse(MIME).findall("m:mime-type", SPACE)} - FOREIGN


@pytest.mark.parametrize("path", ENTRIES, ids=lambda path: str(path.relative_to(DESKTOP)))
def test_entries_name_our_types_only(path):
    """A type of others in MimeType could make Inspector the first choice for it."""
    kinds = set(parsed(path)["Desktop Entry"]["MimeType"].strip(";").split(";"))
    assert kinds <= own_types()


@pytest.mark.parametrize("path", ENTRIES, ids=lambda path: str(path.relative_to(DESKTOP)))
def test_entries_start_what_the_command_line_knows(path, inspect):
    for section in parsed(path).values():
        if "Exec" in section:
            words = section["Exec"].split()
            assert words[0] == "inspector"
            assert words[-1] == "%F"
            assert all(word in inspect("--help").out for word in words[1:-1])


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils is not installed")
@pytest.mark.parametrize("name", [f"{APP_ID}.desktop", f"{APP_ID}Compress.desktop"])
def test_the_checker_of_entries_finds_nothing(name):
    command = ["desktop-file-validate", DESKTOP / "applications" / name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(not shutil.which("appstreamcli"), reason="appstream is not installed")
def test_the_checker_of_metainfo_finds_no_error():
    done = subprocess.run(["appstreamcli", "validate", "--no-net", INFO], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_metainfo_is_of_this_version_and_names_what_is_there():
    root = ET.parse(INFO).getroot()
    assert root.findtext("id") == APP_ID
    assert root.find("releases/release").get("version") == __version__
    assert (DESKTOP / "applications" / root.findtext("launchable")).is_file()
    assert len(root.findtext("summary")) <= 35
    assert {kind.text for kind in root.findall("provides/mediatype")} <= own_types()


def test_every_suffix_that_is_ours_alone_has_a_type():
    """``.json`` and ``.db`` belong to others, as do all suffixes of exports; ``.y`` is a parser generator's."""
    globs = {glob.get("pattern") for glob in ET.parse(MIME).iterfind(".//m:glob", SPACE)}
    stores = [room for room in backends().values() if not isinstance(room, IsExport)]
    suffixes = {suffix for room in stores for suffix in room.suffixes}
    assert {f"*{suffix}" for suffix in suffixes - {".json", ".db", ".y"}} <= globs


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A desktop of its own: the system's types, an editor that opens texts, and what we lay down."""
    types = Path("/usr/share/mime/packages/freedesktop.org.xml")
    programs = ("gio", "update-mime-database", "update-desktop-database")
    if not types.exists() or not all(map(shutil.which, programs)):
        pytest.skip("the desktop's own tools are not installed")
    share = tmp_path / "share"
    lay(share, [sys.executable])
    shutil.copy(types, share / "mime" / "packages")
    editor = "[Desktop Entry]\nType=Application\nName=Editor\nExec=true %f\nMimeType=text/plain;\n"
    (share / "applications" / "editor.desktop").write_text(editor, encoding="utf-8")
    for program, folder in zip(programs[1:], ("mime", "applications"), strict=True):
        subprocess.run([program, share / folder], check=True, capture_output=True)
    monkeypatch.setenv("XDG_DATA_DIRS", str(share))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "none"))

    def ask(*words):
        return subprocess.run(["gio", *words], check=True, capture_output=True, text=True).stdout

    return ask


@pytest.mark.slow
def test_json_keeps_its_editor_and_our_types_are_ours(desk):
    assert desk("mime", "application/json").splitlines()[0].endswith(": editor.desktop")
    assert f"{APP_ID}.desktop" in desk("mime", "application/json")
    assert f"{APP_ID}Compress.desktop" in desk("mime", "application/json")
    for kind in ("application/x-tinydb+json", "application/x-betterjsonstorage", "application/x-ystore+sqlite3"):
        assert desk("mime", kind).splitlines()[0].endswith(f": {APP_ID}.desktop")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sample", "kind"),
    [
        ("notes.json", "shop.json", "application/json"),
        ("notes.tinydb", "shop.json", "application/x-tinydb+json"),
        ("notes.tinydb.json", "shop.json", "application/x-tinydb+json"),
        ("shop.db", "shop.db", "application/x-betterjsonstorage"),
        ("shop.bjson", "shop.db", "application/x-betterjsonstorage"),
        ("a.ystore.db", "notebook/notebook.ystore.db", "application/x-ystore+sqlite3"),
        (".jupyter_ystore.db", "notebook/notebook.ystore.db", "application/x-ystore+sqlite3"),
        ("other.db", "notebook/file_id_manager.db", "application/vnd.sqlite3"),
    ],
)
def test_files_have_their_type(desk, tmp_path, samples, name, sample, kind):
    shutil.copy(samples / sample, tmp_path / name)
    told = desk("info", "-a", "standard::content-type", str(tmp_path / name))
    assert re.search(r"content-type: (\S+)", told)[1] == kind
