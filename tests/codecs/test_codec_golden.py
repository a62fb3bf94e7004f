"""Bytes that the real libraries made, and real libraries that read what is written here."""

import bz2
import gzip
import json
import lzma
import zlib
from pathlib import Path

import blosc2
import brotli
import lz4.block
import lz4.frame
import numcodecs
import pytest
import zstandard
from BetterJSONStorage import BetterJSONStorage
from codec_forms import FORMS, classes, name

from inspector import registry
from inspector.model import Codec

GOLDEN = Path(__file__).parents[1] / "golden" / "codecs"
MADE = json.loads((GOLDEN / "made.json").read_text())
ROWS = json.loads((GOLDEN / "rows.json").read_text())
TEXT = MADE["text"].encode()

READERS = {
    "none": bytes,
    "zlib": zlib.decompress,
    "gzip": gzip.decompress,
    "bz2": bz2.decompress,
    "lzma": lzma.decompress,
    "lz4": lz4.frame.decompress,
    "lz4:container=block": lz4.block.decompress,
    "zstd": zstandard.decompress,
    "brotli": brotli.decompress,
    "blosc2": blosc2.decompress,
}


@pytest.mark.parametrize("entry", MADE["made"], ids=lambda entry: entry["maker"])
def test_what_real_libraries_made_is_read(entry: dict[str, str]):
    content = entry.get("plain", MADE["text"]).encode()
    form = registry.codec(entry["codec"])
    assert form.decode(bytes.fromhex(entry["stored"]), len(content)) == content


@pytest.mark.parametrize("entry", ROWS, ids=lambda entry: entry["from"])
def test_stored_rows_are_read(entry: dict[str, str]):
    content = bytes.fromhex(entry["plain"])
    assert registry.codec(entry["codec"]).decode(bytes.fromhex(entry["stored"]), len(content)) == content


@pytest.mark.parametrize("form", [form for form in FORMS if form.writes], ids=name)
def test_real_libraries_read_what_is_written(form: Codec):
    read = READERS.get(form.spec) or READERS[form.id]
    for content in (b"x", TEXT, TEXT * 1000):
        assert read(form.encode(content)) == content


def test_numcodecs_reads_what_is_written():
    kinds = classes()
    pairs = [
        (numcodecs.Zstd(), kinds["zstd"]()),
        (numcodecs.LZ4(), kinds["lz4"](container="block")),
        (numcodecs.Zlib(), kinds["zlib"]()),
        (numcodecs.GZip(), kinds["gzip"]()),
        (numcodecs.BZ2(), kinds["bz2"]()),
    ]
    for real, ours in pairs:
        assert bytes(real.decode(ours.encode(TEXT))) == TEXT


def test_gzip_has_no_time_and_no_name():
    stream = classes()["gzip"]().encode(b"hello")
    assert stream.hex() == "1f8b0800000000000003cb48cdc9c9070086a6103605000000"
    assert stream == classes()["gzip"]().encode(b"hello")


def test_an_lz4_block_begins_with_its_length():
    assert classes()["lz4"](container="block").encode(b"hello").hex() == "0500000050" + b"hello".hex()


def test_a_blosc_chunk_has_one_byte_items_and_no_filter():
    stream = classes()["blosc2"]().encode(TEXT * 10)
    assert stream[3] == 1
    assert stream[16:22] == bytes(6)
    assert stream[22] == 5  # zstd
    assert int.from_bytes(stream[12:16], "little") == len(stream)


def test_the_block_size_is_kept():
    stream = classes()["blosc2"](blocksize=8192).encode(TEXT * 100)
    assert int.from_bytes(stream[8:12], "little") == 8192
    whole = classes()["blosc2"]().encode(TEXT * 9000)
    assert int.from_bytes(whole[8:12], "little") == 1 << 20


@pytest.mark.parametrize("form", [form for form in FORMS if form.id == "blosc2"], ids=name)
def test_betterjsonstorage_opens_what_is_written(form: Codec, tmp_path: Path):
    content = {"_default": {"1": {"name": "Ada"}, "2": {"name": "Grace"}}}
    path = tmp_path / f"{form.codec}.db"
    path.write_bytes(form.encode(json.dumps(content).encode()))
    storage = BetterJSONStorage(path, access_mode="r")
    try:
        assert storage.read() == content
    finally:
        storage.close()
