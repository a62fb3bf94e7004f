"""What every codec promises, run over all modules of the package."""

import dataclasses
import os

import pytest
from codec_forms import FORMS, PACKED, classes, name, pack
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model import Codec, DecodeError

TEXT = ("Three stores, one reader: αβγ 🎉. " * 12).encode()
SAMPLES = {
    "empty": b"",
    "one byte": b"x",
    "text": TEXT,
    "random": os.urandom(100_000),
    "repetitive": b"0123456789abcdef" * (1 << 16),
}
JOINING = {"gzip", "bz2", "lzma", "lz4", "zstd"}

PROMISED = {
    "none": {},
    "zlib": {"level": 6},
    "gzip": {"level": 6},
    "bz2": {"level": 9},
    "lzma": {"preset": 6, "container": "xz"},
    "lz4": {"level": 0, "container": "frame"},
    "zstd": {"level": 3},
    "brotli": {"quality": 4},
    "blosc2": {"codec": "zstd", "level": 1, "blocksize": 1048576},
    "deflate": {},
    "base64": {},
}


def test_the_codecs_and_defaults_are_those_of_the_contract():
    assert {kind.id: kind.parameters() for kind in classes().values()} == PROMISED


def test_every_parameter_says_what_it_may_be():
    for kind in classes().values():
        for parameter, default in kind.parameters().items():
            if isinstance(default, int):
                least, most = kind.limits[parameter]
                assert least <= default <= most
            else:
                assert default in kind.choices[parameter]


def test_only_raw_deflate_and_base64_are_read_only():
    assert {kind.id for kind in classes().values() if not kind.writes} == {"deflate", "base64"}


@pytest.mark.parametrize("form", FORMS, ids=name)
@pytest.mark.parametrize("sample", SAMPLES)
def test_round_trip(form: Codec, sample: str):
    data = SAMPLES[sample]
    back = form.decode(pack(form, data), len(data))
    assert type(back) is bytes
    assert back == data


@pytest.mark.parametrize("form", FORMS, ids=name)
@settings(max_examples=25, deadline=None)
@given(data=st.binary(max_size=600))
def test_round_trip_of_any_bytes(form: Codec, data: bytes):
    assert form.decode(pack(form, data), 600) == data


@pytest.mark.parametrize("kind", [kind for kind in classes().values() if kind.limits], ids=lambda kind: kind.id)
def test_round_trip_at_the_ends_of_every_number(kind: type[Codec]):
    for parameter, ends in kind.limits.items():
        for end in ends:
            form = kind(**{parameter: end})
            for data in (b"", TEXT):
                assert form.decode(form.encode(data), len(data)) == data


@pytest.mark.parametrize("level", [0, 2, 3, 12])
def test_lz4_blocks_at_every_kind_of_level(level: int):
    form = classes()["lz4"](level=level, container="block")
    assert form.decode(form.encode(TEXT), len(TEXT)) == TEXT


@pytest.mark.parametrize("form", FORMS, ids=name)
def test_a_byte_more_than_the_limit_is_refused(form: Codec):
    packed = pack(form, TEXT)
    with pytest.raises(DecodeError, match="more than"):
        form.decode(packed, len(TEXT) - 1)


@pytest.mark.parametrize("form", PACKED, ids=name)
def test_a_few_bytes_that_decode_to_megabytes_are_whole(form: Codec):
    data = b"0" * 5_000_001
    packed = pack(form, data)
    assert form.decode(packed, len(data)) == data
    with pytest.raises(DecodeError):
        form.decode(packed[:-1], len(data))


@pytest.mark.parametrize("form", PACKED, ids=name)
def test_truncation_is_refused(form: Codec):
    packed = pack(form, TEXT)
    for length in [*range(0, len(packed), 7), len(packed) - 1]:
        with pytest.raises(DecodeError):
            form.decode(packed[:length], len(TEXT))


@pytest.mark.parametrize("form", PACKED, ids=name)
def test_trailing_garbage_is_refused(form: Codec):
    packed = pack(form, TEXT)
    for tail in (b"\x01", b"garbage after the end", b"\xff" * 40_000):
        with pytest.raises(DecodeError):
            form.decode(packed + tail, len(TEXT) * 4)


@pytest.mark.parametrize("form", PACKED, ids=name)
def test_of_single_bytes_only_the_empty_brotli_stream_decodes(form: Codec):
    for value in range(256):
        try:
            assert form.decode(bytes([value]), 100) == b""
            assert form.id == "brotli"
        except DecodeError as error:
            assert str(error)  # noqa: PT017 - which bytes are refused depends on the format


@pytest.mark.parametrize("form", PACKED, ids=name)
def test_two_streams_are_joined_where_the_tool_does(form: Codec):
    packed = pack(form, TEXT[:100]) + pack(form, TEXT[100:])
    if form.id in JOINING and form.spec not in ("lz4:container=block", "lzma:container=alone"):
        assert form.decode(packed, len(TEXT)) == TEXT
        with pytest.raises(DecodeError, match="more than"):
            form.decode(packed, len(TEXT) - 1)
    else:
        with pytest.raises(DecodeError):
            form.decode(packed, len(TEXT))


@pytest.mark.parametrize(("spec", "zeros"), [("gzip", 5), ("lzma", 4), ("lzma", 8)])
def test_zero_padding_is_taken_where_the_tool_does(spec: str, zeros: int):
    form = classes()[spec]()
    packed = form.encode(TEXT)
    assert form.decode(packed + bytes(zeros), len(TEXT)) == TEXT
    assert form.decode(packed + bytes(zeros) + packed, 2 * len(TEXT)) == TEXT * 2


@pytest.mark.parametrize(
    ("spec", "zeros"), [("zlib", 1), ("bz2", 1), ("lzma", 5), ("lzma:container=alone", 4), ("zstd", 4)]
)
def test_zero_padding_is_refused_elsewhere(spec: str, zeros: int):
    form = next(form for form in FORMS if form.spec == spec)
    with pytest.raises(DecodeError):
        form.decode(form.encode(TEXT) + bytes(zeros), len(TEXT))


@pytest.mark.parametrize("form", FORMS, ids=name)
def test_a_codec_is_a_value(form: Codec):
    same = dataclasses.replace(form)
    assert same == form
    assert hash(same) == hash(form)
    with pytest.raises(dataclasses.FrozenInstanceError):
        form.id = "other"


def test_codecs_differ_by_class_and_parameters():
    assert len(set(FORMS)) == len(FORMS)


def test_the_spec_names_what_was_given_and_what_differs():
    zstd, blosc2, lz4 = classes()["zstd"], classes()["blosc2"], classes()["lz4"]
    assert zstd().spec == "zstd"
    assert zstd(level=3, given=("level",)).spec == "zstd:level=3"
    assert zstd(level=9).spec == "zstd:level=9"
    assert lz4(container="block").spec == "lz4:container=block"
    assert blosc2(codec="lz4", level=5).spec == "blosc2:codec=lz4,level=5"


def test_plain_is_a_real_copy():
    form = classes()["none"]()
    assert form.encode(TEXT) is not TEXT
    assert form.decode(TEXT, len(TEXT)) is not TEXT
