"""The configuration works in the real Jupyter server extension, run in a Python that imports nothing of ours."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from crdt_cases import MemoryStore, Session, logged, rows

from inspector import registry
from inspector.backends.ystore import BACKEND
from inspector.backends.ystore.jupyter import configuration
from inspector.backends.ystore.writer import write_ystore
from inspector.model import Finding, InspectorError, StoreInfo
from inspector.progress import silent

SPECS = (
    "zlib",
    "zlib:level=9",
    "gzip",
    "bz2",
    "lzma",
    "lzma:container=alone,preset=1",
    "lz4",
    "lz4:container=block",
    "zstd:level=-1",
    "brotli:quality=1",
    "blosc2:codec=lz4",
)

# As jupyter_server loads a configuration file: executed with a Config named c, then the store class is made with it.
SERVER = """
import json, sys
import anyio, pycrdt
from traitlets.config import Config
from jupyter_server_ydoc.stores import SQLiteYStore

async def serve(path):
    c = Config()
    exec(compile(open(path).read(), path, "exec"), {"c": c, "__file__": path})
    kind = c.YDocExtension.get("ystore_class", SQLiteYStore)
    doc = pycrdt.Doc()
    async with kind(path="doc", config=c) as store:
        await store.apply_updates(doc)
        text = doc.get("source", type=pycrdt.Text)
        read = str(text)
        before = doc.get_state()
        text += " typed by the server" * 40
        await store.write(doc.get_update(before))
    again = pycrdt.Doc()
    async with kind(path="doc", config=c) as store:
        await store.apply_updates(again)
    return read, str(again.get("source", type=pycrdt.Text))

found = [anyio.run(serve, path) for path in sys.argv[1:]]
assert not any(name.partition(".")[0] == "inspector" for name in sys.modules)
print(json.dumps(found))
"""


def served(folder: Path, configs: list[str]) -> list[tuple[str, str]]:
    """What a server with each configuration reads, and what it reads after it wrote."""
    paths = [folder / f"config{number}.py" for number in range(len(configs))]
    for path, text in zip(paths, configs, strict=True):
        path.write_text(text)
    command = [sys.executable, "-I", "-c", SERVER, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    assert "xception" not in done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def compressed(path: Path, spec: str) -> tuple[list[bytes], str]:
    """Write a store of one document and return its updates and text."""
    updates = Session(4).play(150)
    updates += logged(lambda doc: doc.__setitem__("other", pycrdt_text("long " * 500)), client=9)
    source = MemoryStore(path.parent, {"doc": rows(updates, "doc")})
    write_ystore(path, source, registry.codec(spec), silent)
    (text,) = (r.value for r in source.history("doc", silent).at(len(updates), silent) if r.key == "source")
    return updates, str(text)


def pycrdt_text(text: str):
    import pycrdt

    return pycrdt.Text(text)


def test_server_opens_and_writes_stores_of_every_codec(tmp_path: Path) -> None:
    specs = ["none", *SPECS]
    paths = [tmp_path / f"{number}.ystore.db" for number in range(len(specs))]
    made = [compressed(path, spec) for path, spec in zip(paths, specs, strict=True)]
    found = served(tmp_path, [_configured(path) for path in paths])
    for path, spec, (updates, text), (read, again) in zip(paths, specs, made, found, strict=True):
        assert (spec, read) == (spec, text)
        assert again == text + " typed by the server" * 40
        with BACKEND.open(path, registry.decoder(), silent) as store:
            stored = list(store.history("doc", silent).raw())
        assert [row.data for row in stored[:-1]] == updates
        assert stored[-1].codec.partition(":")[0] == spec.partition(":")[0]


def _configured(path: Path) -> str:
    with BACKEND.open(path, registry.decoder(), silent) as store:
        return configuration(store)


def test_configuration_imports_only_what_the_codec_needs(tmp_path: Path) -> None:
    compressed(tmp_path / "my.ystore.db", "zlib")
    imports = [line for line in _configured(tmp_path / "my.ystore.db").splitlines() if "import " in line]
    assert imports == [
        "import zlib",
        "import pycrdt",
        "from jupyter_server_ydoc.stores import SQLiteYStore",
        "from pycrdt.store import BaseYStore",
    ]


def test_plain_store_needs_only_its_place(tmp_path: Path) -> None:
    compressed(tmp_path / "my.ystore.db", "none")
    text = _configured(tmp_path / "my.ystore.db")
    assert text.splitlines()[1:] == ["", f"c.SQLiteYStore.db_path = {str(tmp_path / 'my.ystore.db')!r}"]


def test_mixed_store_reads_all_and_writes_the_most_frequent(tmp_path: Path) -> None:
    path = tmp_path / "my.ystore.db"
    _, text = compressed(path, "zlib")
    _recode(path, every=9, spec="zlib")
    _recode(path, every=25, spec="brotli")
    with BACKEND.open(path, registry.decoder(), silent) as store:
        codecs = {row.codec for row in store.history("doc", silent).raw()}
        config = configuration(store)
    assert codecs >= {"none", "zlib", "brotli"}
    assert "zlib.compress(update, 6)" in config
    assert "brotli.compress" not in config
    assert served(tmp_path, [config])[0][0] == text


def _recode(path: Path, every: int, spec: str) -> None:
    """Encode each row whose rowid *every* divides again, with the codec *spec*, smaller or not."""
    import sqlite3
    from contextlib import closing

    recogniser, codec = registry.decoder(), registry.codec(spec)
    from inspector.backends._crdt.updates import accepts

    with closing(sqlite3.connect(path)) as connection, connection:
        found = connection.execute("SELECT rowid, yupdate FROM yupdates WHERE rowid % ? = 0", (every,)).fetchall()
        for rowid, blob in found:
            data = recogniser.decode(blob, accepts).data
            connection.execute("UPDATE yupdates SET yupdate = ? WHERE rowid = ?", (codec.encode(data), rowid))


def test_read_only_forms(tmp_path: Path) -> None:
    for spec in ("deflate", "base64"):
        store = _Described(tmp_path / "s.db", StoreInfo("ystore", spec, 0))
        scope = _functions(configuration(store))
        update = b"\x01\x01\x05\x00\x04\x01\x01t\xc8\x01" + b"x" * 200 + b"\x00"
        row = scope["compress"](update)
        assert len(row) < len(update)
        assert registry.codec(spec).decode(row, 1 << 20) == update
        assert scope["decompress"](row) == scope["decompress"](update) == update


def _functions(config: str) -> dict:
    from traitlets.config import Config

    scope: dict = {"c": Config()}
    start, stop = config.index("READINGS"), config.index("class CompressedYStore")
    exec("import base64, zlib, pycrdt\n" + config[start:stop], scope)
    return scope


class _Described(MemoryStore):
    """A store of which only the description matters."""

    def __init__(self, path: Path, info: StoreInfo) -> None:
        super().__init__(path, {})
        self._info = info

    @property
    def info(self) -> StoreInfo:
        return self._info


def test_unknown_codec_is_refused(tmp_path: Path) -> None:
    store = _Described(tmp_path / "s.db", StoreInfo("ystore", "numcodecs:name=pcodec", 0))
    with pytest.raises(InspectorError, match=r"codec numcodecs, which s\.db has; convert"):
        configuration(store)


@pytest.mark.parametrize("code", ["schema-version", "missing-checkpoints-table"])
def test_store_that_a_server_cannot_use_says_so(tmp_path: Path, code: str) -> None:
    finding = Finding("warning", code, "…")
    for codec in ("none", "zlib"):
        text = configuration(_Described(tmp_path / "s.db", StoreInfo("ystore", codec, 0, findings=(finding,))))
        assert "# Run `inspector repair` on the store first" in text
        compile(text, "config", "exec")


def test_odd_file_names_stay_python(tmp_path: Path) -> None:
    for name in ('quote"""and\\.db', "new\nline.db", "数据'.db"):
        store = _Described(tmp_path / name, StoreInfo("ystore", "none", 0))
        text = configuration(store)
        scope: dict = {"c": type("C", (), {"SQLiteYStore": type("S", (), {})})}
        exec(text, scope)
        assert scope["c"].SQLiteYStore.db_path == str(tmp_path / name)
