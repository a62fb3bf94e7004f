"""Recognition of stored bytes, judged by the real pycrdt, on rows of every codec."""

import dataclasses
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import brotli
import pycrdt
import pytest
import zstandard
from codec_forms import PACKED, classes, name, pack

from inspector.codecs.recognise import Only, Recogniser, head_says
from inspector.model import Codec, DecodeError

GOLDEN = Path(__file__).parents[1] / "golden" / "codecs"
ROWS = json.loads((GOLDEN / "rows.json").read_text())
MADE = json.loads((GOLDEN / "made.json").read_text())
WITHOUT_HEAD = {"none", "lz4:container=block", "brotli", "deflate", "base64"}


def is_update(data: bytes) -> bool:
    try:
        pycrdt.Doc().apply_update(data)
    except ValueError:
        return False
    return True


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def recogniser(limit: int = 1 << 24) -> Recogniser:
    return Recogniser(classes, limit)


@dataclasses.dataclass(frozen=True)
class Untouchable(Codec):
    """Stands for a codec that must not be tried."""

    id: ClassVar[str] = "untouchable"
    label: ClassVar[str] = "Untouchable"
    container: str = ""

    def decode(self, data: bytes, limit: int) -> bytes:
        raise AssertionError("tried")


def update_of(clients: int, inserts: int = 1) -> bytes:
    """A real update of *clients* clients; the first in it has *inserts* structs that do not merge."""
    updates = []
    for client in range(1, clients + 1):
        doc = pycrdt.Doc(client_id=client)
        text = doc.get("source", type=pycrdt.Text)
        for _ in range(inserts if client == clients else 1):
            text.insert(0, "a")
        updates.append(doc.get_update())
    return pycrdt.merge_updates(*updates)


@pytest.mark.parametrize("entry", ROWS, ids=lambda entry: entry["from"])
def test_rows_of_stores_are_recognised(entry: dict[str, str]):
    decoded = recogniser().decode(bytes.fromhex(entry["stored"]), is_update)
    assert (decoded.spec, decoded.data.hex()) == (entry["codec"], entry["plain"])


@pytest.mark.parametrize("entry", MADE["made"], ids=lambda entry: entry["maker"])
def test_whatever_real_libraries_made_is_recognised(entry: dict[str, str]):
    content = entry.get("plain", MADE["text"]).encode()
    decoded = recogniser().decode(bytes.fromhex(entry["stored"]), lambda data: data == content)
    assert (decoded.spec, decoded.data) == (entry["codec"], content)


@pytest.mark.parametrize("form", PACKED, ids=name)
def test_json_in_every_form_is_recognised(form: Codec):
    text = json.dumps({"_default": {str(i): {"name": f"person {i}"} for i in range(40)}}).encode()
    decoded = recogniser().decode(pack(form, text), is_json)
    expected = form.id if "container" not in form.parameters() else form.spec
    assert (decoded.spec, decoded.data) == (expected, text)


@pytest.mark.parametrize("entry", ROWS, ids=lambda entry: entry["from"])
def test_the_head_of_a_row_names_its_codec_or_nothing(entry: dict[str, str]):
    stored = bytes.fromhex(entry["stored"])
    expected = None if entry["codec"] in WITHOUT_HEAD else entry["codec"].partition(":")[0]
    assert head_says(stored) == expected
    assert head_says(stored[:16], len(stored)) == expected


def test_no_head_says_nothing():
    for data in (b"", b"x", b"{}", b"\0\0", b"SQLite format 3\0", b"\x05\x01"):
        assert head_says(data) is None


def test_a_blosc_head_speaks_only_for_the_whole_chunk():
    stored = classes()["blosc2"]().encode(b"content")
    assert head_says(stored) == "blosc2"
    assert head_says(stored + b"tail") is None
    assert head_says(stored[:16]) is None


@pytest.mark.parametrize("entry", [e for e in ROWS if e["codec"] == "none"], ids=lambda entry: entry["from"])
def test_plain_rows_try_no_codec(entry: dict[str, str]):
    kinds: Mapping[str, type[Codec]] = dict.fromkeys(classes(), Untouchable)
    stored = bytes.fromhex(entry["stored"])
    assert Recogniser(lambda: kinds, 1 << 20).decode(stored, is_update).data is stored


@pytest.mark.parametrize(
    ("clients", "inserts", "head", "says"),
    [(2, 1, "0201", None), (5, 1, "0501", None), (8, 29, "081d", "zlib"), (3, 1, "0301", None)],
)
def test_plain_updates_that_begin_like_a_codec_stay_plain(clients: int, inserts: int, head: str, says: str | None):
    update = update_of(clients, inserts)
    assert update[:2].hex() == head
    assert head_says(update) == says
    decoded = recogniser().decode(update, is_update)
    assert (decoded.spec, decoded.data) == ("none", update)


def test_what_nothing_reads_is_refused():
    for data in (b"", b"\xff", b"garbage that is no update", bytes(range(256))):
        with pytest.raises(DecodeError, match="neither plain nor compressed"):
            recogniser().decode(data, lambda content: False)


def test_a_damaged_row_is_refused_with_the_reason_of_its_codec():
    damaged = bytearray(zlib.compress(b"content " * 30))
    damaged[-1] ^= 1
    with pytest.raises(DecodeError, match=r"zlib data: .*incorrect data check"):
        recogniser().decode(bytes(damaged), is_json)


def test_sound_data_with_wrong_content_is_refused():
    with pytest.raises(DecodeError, match="content cannot be read"):
        recogniser().decode(zlib.compress(b"no json"), is_json)


def test_the_limit_holds_for_heads_and_for_trials():
    for bomb in (zstandard.compress(b" " * 10_000), brotli.compress(b" " * 10_000)):
        with pytest.raises(DecodeError):
            recogniser(limit=9_999).decode(bomb, lambda data: len(data) > 1_000)
        assert len(recogniser(limit=10_000).decode(bomb, lambda data: len(data) > 1_000).data) == 10_000


def test_a_bomb_ends_at_a_size_that_fits_what_is_stored(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("inspector.codecs.recognise._ROOM", 1000)
    for content in (bytes(1000), bytes(range(256)) * 8 + bytes(2000)):
        assert recogniser().decode(zlib.compress(content), lambda data, content=content: data == content).spec == "zlib"
    bomb = zlib.compress(bytes(1 << 20))
    with pytest.raises(DecodeError, match=f"more than {64 * len(bomb):,} bytes"):
        recogniser().decode(bomb, is_json)
    named = Only(classes()["zlib"](), 1 << 24).decode(bomb, lambda data: len(data) == 1 << 20)
    assert named.spec == "zlib"


def test_only_reads_its_codec_and_plain_beside():
    decoder = Only(classes()["zstd"](level=9, given=("level",)))
    packed = zstandard.compress(b"[1, 2]")
    decoded = decoder.decode(packed, is_json)
    assert (decoded.spec, decoded.data) == ("zstd:level=9", b"[1, 2]")
    assert decoder.decode(b"[3]", is_json).spec == "none"
    with pytest.raises(DecodeError, match="Zstandard"):
        decoder.decode(zlib.compress(b"[1, 2]"), is_json)
    with pytest.raises(DecodeError, match="content cannot be read"):
        decoder.decode(zstandard.compress(b"no json"), is_json)


def test_only_plain():
    decoder = Only(classes()["none"]())
    assert decoder.decode(b"[3]", is_json).spec == "none"
    with pytest.raises(DecodeError):
        decoder.decode(zstandard.compress(b"[1, 2]"), is_json)


def test_only_keeps_its_limit():
    decoder = Only(classes()["zlib"](), limit=100)
    with pytest.raises(DecodeError, match="more than 100 bytes"):
        decoder.decode(zlib.compress(b" " * 101), is_json)
