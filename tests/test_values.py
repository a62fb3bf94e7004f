"""Exact values: nothing is rounded, merged or dropped by parsing and writing."""

import json
import math
import threading
import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import values
from inspector.values import UNDEFINED, NumberText, RepeatedKeys, parse, quick_parser, same, type_name, write

TRAPS = [
    ("1e400", NumberText("1e400")),
    ("-1e400", NumberText("-1e400")),
    ("1e-400", NumberText("1e-400")),
    ("0e-400", 0.0),
    ("-0", NumberText("-0")),
    ("123456789012345678901234567890", 123456789012345678901234567890),
    ("18446744073709551616", 1 << 64),
    ("1" * 5000, NumberText("1" * 5000)),
    ("Infinity", math.inf),
    ("-Infinity", -math.inf),
    ('"\\ud800"', "\ud800"),
    ('"\\u0000"', "\0"),
    ('{"a": 1, "a": 2}', RepeatedKeys((("a", 1), ("a", 2)))),
    ('{"": null}', {"": None}),
    ("[]", []),
]


@pytest.mark.parametrize(("text", "value"), TRAPS)
def test_trap_is_parsed_exactly_by_every_parser(text, value):
    for reader in (parse, quick_parser()):
        found = reader(text.encode())
        assert found == value
        assert type(found) is type(value)


@pytest.mark.parametrize("text", [text for text, _ in TRAPS] + ["NaN", "-0.0", "1e-07", "[1, NaN, -0.0]"])
def test_trap_is_written_as_it_was(text):
    expected = "0.0" if text == "0e-400" else text
    assert write(parse(text)) == expected


def test_nan_and_zero_signs_are_told_apart():
    assert same(parse("NaN"), parse("NaN"))
    assert not same(parse("0.0"), parse("-0.0"))
    assert not same(parse("0"), parse("-0"))


@pytest.mark.parametrize("pair", [("1", "1.0"), ("1", "true"), ("0", "false"), ("null", '""'), ("[]", "{}")])
def test_types_are_told_apart(pair):
    assert not same(parse(pair[0]), parse(pair[1]))


def test_key_order_counts():
    assert not same(parse('{"a": 1, "b": 2}'), parse('{"b": 2, "a": 1}'))


@pytest.mark.parametrize("depth", [900, 1100, 5000])
def test_deep_nesting_is_read_and_written(depth):
    text = '{"a": ' * depth + "[1, -0, 1e400]" + "}" * depth
    value = parse(text)
    assert write(value) == text
    assert max(level for level, _ in values.walk(value)) == depth + 1


def test_too_deep_is_an_error_and_not_a_crash():
    text = "[" * (values.MAX_DEPTH + 10) + "]" * (values.MAX_DEPTH + 10)
    with pytest.raises(ValueError, match="deeper"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "[1,]", '{"a"}', '{"a":}', "[1 2]", "01", "+1", ".5", "1.", "nul", '"\n"', "{} {}", "'a'", "[", '"'],
)
def test_what_is_no_json_is_refused_by_every_parser(text):
    for reader in (parse, lambda t: quick_parser()(t.encode()), values._parse_in_parts):
        with pytest.raises(ValueError, match=r"."):
            reader(text)


def test_bytes_and_undefined_are_marked():
    assert write({"b": b"\x00\xff", "u": UNDEFINED}) == '{"b": {"$bytes": "AP8="}, "u": {"$undefined": true}}'
    assert write([b"x", NumberText("1e999")]) == '[{"$bytes": "eA=="}, 1e999]'


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"), (True, "bool"), (1, "int"), (1.0, "float"), ("", "str"), (b"", "bytes"), ([], "array"),
        ({}, "object"), (RepeatedKeys(()), "object"), (NumberText("-0"), "int"), (NumberText("1e400"), "float"),
        (UNDEFINED, "undefined"),
    ],
)  # fmt: skip
def test_type_names(value, name):
    assert type_name(value) == name


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.text(st.characters(codec=None, exclude_categories=[]), max_size=20)
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner), max_leaves=20)


@given(JSON)
@settings(max_examples=300)
def test_any_value_survives(value):
    text = write(value)
    assert same(parse(text), value)
    assert same(quick_parser()(text.encode()), value)
    assert same(values._parse_in_parts(text), value)
    assert write(parse(text)) == text == json.dumps(value)


@given(st.from_regex(r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?", fullmatch=True))
@settings(max_examples=300)
def test_any_number_text_keeps_its_value(text):
    """A number is either the nearest double of its text, or its text is kept."""
    value = parse(text)
    if isinstance(value, NumberText):
        assert value.text == text
    elif isinstance(value, float):
        assert value == float(text)
        assert math.isfinite(value)
        assert value != 0 or Decimal(text) == 0
    else:
        assert str(value) == text


@given(st.text('{}[]":,\\ 0123456789eE+-.truefalsn\n', max_size=40))
@settings(max_examples=500)
def test_the_deep_parser_takes_exactly_what_the_standard_one_takes(text):
    try:
        expected = parse(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            values._parse_in_parts(text)
    else:
        assert same(values._parse_in_parts(text), expected)


_LONG_TEXTS = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(st.sampled_from('a,]}[{"\\ \n\ud800é'), max_size=9),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=9), st.dictionaries(st.text("ab,]", max_size=2), inner)),
    max_leaves=60,
)


@given(_LONG_TEXTS, st.integers(128, 300), st.booleans())
def test_a_long_text_parsed_in_parts_has_the_same_value(value, part, spaced):
    text = json.dumps([value, [value] * 3, 1, "end"], separators=None if spaced else (",", ":"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(values, "LONG", 10)
        patch.setattr(values, "PART", part)
        found = values.parse(text)
    assert values.same(found, values.parse(text))


@given(_LONG_TEXTS, st.data())
def test_a_long_text_that_is_broken_is_refused_too(value, data):
    text = json.dumps([value, {"key": [value, 2, 3]}])
    place = data.draw(st.integers(0, len(text) - 1))
    broken = text[:place] + data.draw(st.sampled_from(["", ",", "]", '"', "x"])) + text[place + 1 :]
    outcomes = []
    for long in (values.LONG, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(values, "LONG", long)
            patch.setattr(values, "PART", 128)
            try:
                outcomes.append(values.write(values.parse(broken)))
            except ValueError:
                outcomes.append("refused")
    assert outcomes[0] == outcomes[1]


def test_a_long_text_lets_other_threads_work():
    text = json.dumps({"rows": [{"number": number, "words": ["a", "b"]} for number in range(120_000)]})
    gaps, end = [], threading.Event()

    def beat():
        last = time.perf_counter()
        while not end.wait(0.001):
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    thread = threading.Thread(target=beat)
    thread.start()
    started = time.perf_counter()
    values.parse(text)
    spent = time.perf_counter() - started
    end.set()
    thread.join()
    assert max(gaps) < spent / 2
