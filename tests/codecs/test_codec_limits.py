"""Hostile input: bombs, heads that lie, and Blosc chunks that would kill or mislead the library."""

import struct
import subprocess
import sys
from pathlib import Path

import blosc2
import lz4.block
import lz4.frame
import pytest
import zstandard
from codec_forms import PACKED, classes, name, pack

from inspector.model import Codec, DecodeError, InspectorError

BOMB = 64 << 20
LIMIT = 1 << 20
MOST_GROWTH = 16 << 20

CHILD = """
import sys
from pathlib import Path
from inspector.model import DecodeError
from inspector.registry import codec
form, limit = codec(sys.argv[1]), int(sys.argv[2])
small, bomb = (Path(path).read_bytes() for path in sys.argv[3:])
form.decode(small, 1000)
def peak():  # of this process: getrusage's would still be that of its parent
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024
before = peak()
try:
    form.decode(bomb, limit)
except DecodeError as error:
    print(peak() - before, error)
"""


def assert_bomb_is_met(spec: str, small: bytes, bomb: bytes, folder: Path) -> None:
    (folder / "small").write_bytes(small)
    (folder / "bomb").write_bytes(bomb)
    command = [sys.executable, "-c", CHILD, spec, str(LIMIT), folder / "small", folder / "bomb"]
    child = subprocess.run(command, capture_output=True, text=True, check=True)
    growth, _, message = child.stdout.partition(" ")
    assert "more than 1,048,576 bytes" in message
    assert int(growth) <= MOST_GROWTH


@pytest.mark.parametrize("form", PACKED, ids=name)
def test_a_bomb_fills_no_memory(form: Codec, tmp_path: Path):
    assert_bomb_is_met(form.spec, pack(form, b"small"), pack(form, bytes(BOMB)), tmp_path)


@pytest.mark.parametrize("spec", ["zstd", "lz4"])
def test_a_bomb_without_a_stated_size_fills_no_memory(spec: str, tmp_path: Path):
    makers = {
        "zstd": zstandard.ZstdCompressor(write_content_size=False).compress,
        "lz4": lambda data: lz4.frame.compress(data, store_size=False, block_size=lz4.frame.BLOCKSIZE_MAX4MB),
    }
    assert_bomb_is_met(spec, makers[spec](b"small"), makers[spec](bytes(BOMB)), tmp_path)


def test_an_lz4_block_whose_length_lies_is_refused():
    form = classes()["lz4"](container="block")
    block = lz4.block.compress(b"short", store_size=False)
    for length in (4, 6):
        with pytest.raises(DecodeError, match=r"corrupt|expected"):
            form.decode(struct.pack("<I", length) + block, 1 << 31)
    for length in (1 << 20, (1 << 31) - 1, (1 << 32) - 1):
        with pytest.raises(DecodeError, match="longer by its head"):
            form.decode(struct.pack("<I", length) + block, 1 << 31)


def test_a_zstd_frame_whose_size_lies_is_refused():
    frame = bytearray(zstandard.compress(bytes(300)))  # magic, descriptor with a two-byte size, size - 256
    assert frame[4] & 0xC0 == 0x40
    frame[5:7] = (0xFFFF).to_bytes(2, "little")
    with pytest.raises(DecodeError):
        classes()["zstd"]().decode(bytes(frame), 1 << 31)
    huge = zstandard.MAGIC_NUMBER.to_bytes(4, "little") + bytes([0xE0]) + (1 << 30).to_bytes(8, "little") + b"\x01\0\0"
    with pytest.raises(DecodeError, match="blocks can hold"):
        classes()["zstd"]().decode(huge, 1 << 31)


def test_a_damaged_zstd_checksum_is_refused():
    frame = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(b"checked content"))
    frame[-1] ^= 1
    with pytest.raises(DecodeError):
        classes()["zstd"]().decode(bytes(frame), 1000)


def test_a_zstd_frame_that_needs_a_dictionary_is_refused():
    samples = [b"common beginning of every sample %d" % i * 20 for i in range(300)]
    dictionary = zstandard.train_dictionary(2000, samples)
    frame = zstandard.ZstdCompressor(dict_data=dictionary).compress(samples[0])
    with pytest.raises(DecodeError):
        classes()["zstd"]().decode(frame, 10_000)


def chunk(data: bytes = b"some content that is stored " * 200) -> bytearray:
    return bytearray(classes()["blosc2"]().encode(data))


def test_a_damaged_block_offset_does_not_kill_the_process():
    damaged = chunk()
    for offset in (0, 5, len(damaged), 0x20000024, 0x7FFFFFFF, 0xFFFFFFFF):
        damaged[32:36] = struct.pack("<I", offset)
        with pytest.raises(DecodeError):
            classes()["blosc2"]().decode(bytes(damaged), 1 << 20)


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (31, 4 << 4, "no data"),  # "uninitialised": decodes to whatever was in memory
        (31, 5 << 4, "no data"),
        (31, 0x08, "no data"),  # lazy: the data is in another file
        (22, 32, "plug-in"),
        (22, 255, "plug-in"),
        (16, 160, "plug-in"),
        (2, 0b110_10101, "plug-in"),
        (2, 0b10111, "contradicts"),  # said to be stored, yet shorter than its content
        (30, 1, "contradicts"),
    ],
)
def test_blosc_chunks_the_library_must_not_see(place: int, value: int, reason: str):
    made = chunk()
    made[place] = value
    with pytest.raises(DecodeError, match=reason):
        classes()["blosc2"]().decode(bytes(made), 1 << 20)


def test_a_blosc_chunk_that_repeats_a_value_it_does_not_hold_is_refused():
    made = chunk()[:32]
    made[12:16] = struct.pack("<I", 32)
    made[31] = 3 << 4
    with pytest.raises(DecodeError, match="contradicts"):
        classes()["blosc2"]().decode(bytes(made), 1 << 20)


def test_a_blosc_head_with_more_blocks_than_bytes_is_refused():
    made = chunk()
    made[4:8] = struct.pack("<I", 1 << 30)
    made[8:12] = struct.pack("<I", 1 << 12)
    with pytest.raises(DecodeError, match="contradicts"):
        classes()["blosc2"]().decode(bytes(made), 1 << 31)


def test_special_blosc_chunks_are_read():
    form = classes()["blosc2"]()
    zeros = blosc2.compress2(bytes(5000), typesize=1)
    assert len(zeros) == 32
    assert form.decode(zeros, 5000) == bytes(5000)
    repeated = bytearray(blosc2.compress2(bytes(4000), typesize=4)) + struct.pack("<I", 7)
    repeated[12:16] = struct.pack("<I", len(repeated))
    repeated[31] = blosc2.SpecialValue.VALUE.value << 4
    assert form.decode(bytes(repeated), 4000) == struct.pack("<I", 7) * 1000


def test_content_beyond_what_a_blosc_chunk_holds_is_an_error_of_the_user(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(blosc2, "MAX_BUFFERSIZE", 10)
    with pytest.raises(InspectorError, match="at most 10 bytes"):
        classes()["blosc2"]().encode(b"eleven byte")
