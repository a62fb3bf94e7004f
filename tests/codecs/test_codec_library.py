"""What is said where a library is missing; the import is really refused, in a child process."""

import subprocess
import sys
from pathlib import Path

import pytest
from codec_forms import classes

from inspector.codecs.recognise import available

BLOCKED = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"blosc2", "brotli", "lz4", "zstandard"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
from inspector import registry
from inspector.codecs.recognise import available
from inspector.model import DecodeError, MissingLibrary
"""


def run(code: str, *arguments: str) -> str:
    child = subprocess.run(
        [sys.executable, "-c", BLOCKED + code, *arguments], capture_output=True, text=True, check=True
    )
    return child.stdout


def test_here_everything_is_available():
    assert {kind.id: available(kind) for kind in classes().values()} == dict.fromkeys(classes())


def test_asking_imports_no_library():
    code = """
import sys
from inspector import registry
for kind in registry.codecs().values():
    registry.unavailable(kind)
print(*sorted({"blosc2", "brotli", "lz4", "zstandard", "numpy", "bz2", "lzma"} & set(sys.modules)))
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.strip() == ""


@pytest.mark.parametrize(
    ("name", "library"), [("blosc2", "blosc2"), ("brotli", "brotli"), ("lz4", "lz4"), ("zstd", "zstandard")]
)
def test_the_reason_has_the_pip_line(name: str, library: str):
    code = """
kind = registry.codecs()[sys.argv[1]]
print(available(kind))
for form in (lambda: kind().encode(b"x"), lambda: kind().decode(b"x" * 40, 100)):
    try:
        form()
    except MissingLibrary as error:
        print(error)
"""
    lines = run(code, name).splitlines()
    assert len(lines) == 3
    assert all(line.endswith(f"pip install {library}") for line in lines)


def test_the_standard_codecs_need_nothing():
    code = "print(*(name for name, kind in registry.codecs().items() if available(kind) is None))"
    assert run(code).split() == ["base64", "bz2", "deflate", "gzip", "lzma", "none", "zlib"]


def test_recognition_without_libraries(tmp_path: Path):
    (tmp_path / "zstd").write_bytes(classes()["zstd"]().encode(b"[1]"))
    (tmp_path / "brotli").write_bytes(classes()["brotli"]().encode(b"[1]"))
    (tmp_path / "zlib").write_bytes(classes()["zlib"]().encode(b"[1]"))
    (tmp_path / "plain").write_bytes(b"[1]")
    code = """
from pathlib import Path
for name in ("zstd", "brotli", "zlib", "plain"):
    data = (Path(sys.argv[1]) / name).read_bytes()
    try:
        print(registry.decoder().decode(data, lambda content: content == b"[1]").spec)
    except (DecodeError, MissingLibrary) as error:
        print(type(error).__name__, error)
"""
    zstd, brotli, zlib, plain = run(code, str(tmp_path)).splitlines()
    assert zstd.startswith("MissingLibrary Zstandard needs")
    assert zstd.endswith("pip install zstandard")
    assert brotli.startswith("MissingLibrary neither plain nor compressed")
    assert "pip install lz4" in brotli
    assert "pip install brotli" in brotli
    assert (zlib, plain) == ("zlib", "none")
