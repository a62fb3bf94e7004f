"""Queries: what they mean, and where they are wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model import InspectorError, Record, UsageError
from inspector.operations.query import parse
from inspector.operations.search import SortBy, search
from inspector.values import NumberText, RepeatedKeys

DOCUMENT = {
    "age": 44, "score": 1.5, "sku": "AXB", "address": {"city": "Rome", "geo": {"lat": 41.9}}, "tags": ["x", "y"],
    "name": "Anna", "items": [1, 2, 3, 4], "nothing": None, "active": True, "note": "",
    "joined": "2021-04-18T09:12:00Z",
    "big": 123456789012345678901234567890, "huge": NumberText("1e400"), "twice": RepeatedKeys((("k", 1), ("k", 2))),
}  # fmt: skip

TRUE = [
    "age == 44", "age == 44.0", "44 == age", "age != 45", "age >= 44", "age > 43 and age < 45", "43 < age < 45",
    "'X' in sku", "'x' in tags", "'city' in address", "age in [1, 44]", "age in (1, 44)", "age not in [1, 2]",
    'address.city == "Rome"', "address.geo.lat > 41", "tags[0] == 'x'", "tags[-1] == 'y'", 'address["city"] == "Rome"',
    'address.city == "Rome" and not tags is missing', 'name matches "^A"', "name matches 'n{2}'", 'tags contains "x"',
    'sku contains "XB"', "len(items) > 3", "len(note) == 0", "len(address) == 2", "nothing is null", "age is not null",
    "zip is missing", "age is not missing", "address.zip is missing", "lower(name) == 'anna'", "upper(sku) == 'AXB'",
    "date(joined) == '2021-04-18'", "active == true", "active", "not note", "not zip",
    "(age == 1 or age == 44) and active",
    "big == 123456789012345678901234567890", "big > 1e20", "huge > big", "twice.k == 2", "key == '7'",
    "value is not null", "tags == ['x', 'y']", "score == 1.5", "anna", "ANNA rome", '"na"', "44", "true", "1.5",
    "city", "7",
]  # fmt: skip

FALSE = [
    "age == '44'", "age == 45", "age < 'a'", "name < 3", "active == 1", "1 == active", "nothing == 0", "zip == 1",
    "zip != 1", "zip > 1", "zip in [1]", "age is missing", "zip is null", "age matches '4'", "tags contains 'z'",
    "len(age) > 0", "lower(age) == '44'", "date(name) == 'x'", "not age == 44", "big == 123456789012345678901234567891",
    "anna paris", "note == null", "items[9] == 1", "date(zip) == '2021'",
]  # fmt: skip


@pytest.mark.parametrize("text", TRUE)
def test_true(text):
    assert parse(text).matches("7", DOCUMENT) is True


@pytest.mark.parametrize("text", FALSE)
def test_false(text):
    assert parse(text).matches("7", DOCUMENT) is False


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("age = 4", 4, "=="),
        ("age ==", 6, "the end"),
        ("(age == 4", 9, r"'\)'"),
        ("age == 4)", 8, "operator"),
        ("foo bar == 3", 4, "operator"),
        ("leng(x) > 2", 0, "'len'"),
        ('name matches "("', 13, "regular expression"),
        ("age is 4", 7, "null"),
        ("a. == 1", 3, "field name"),
        ("a[b] == 1", 2, "position"),
        ("and == 1", 0, "'and'"),
        ("(" * 500 + "a" + ")" * 500, 100, "levels"),
    ],
)
def test_error_points_at_the_token(text, position, words):
    with pytest.raises(UsageError, match=words) as caught:
        parse(text)
    assert caught.value.position == position
    assert caught.value.text == text


def test_own_fields_named_key_and_value_come_first():
    assert parse("key == 'mine'").matches("7", {"key": "mine", "value": 3})
    assert parse("value == 3").matches("7", {"key": "mine", "value": 3})


def test_a_slow_expression_is_stopped():
    query = parse(r"name matches '(?:a|aa)+$'")
    with pytest.raises(InspectorError, match="too long"):
        query.matches("1", {"name": "a" * 60 + "!"})


@given(st.text(max_size=30))
@settings(max_examples=500)
def test_any_text_is_a_query_or_a_usage_error(text):
    try:
        answer = parse(text).matches("1", DOCUMENT)
    except UsageError as error:
        answer = error.text != text or not 0 <= error.position <= len(text)
        assert answer is False
    assert answer in (True, False)


def people(*documents):
    return [Record(str(number), document) for number, document in enumerate(documents, 1)]


def test_search_gives_row_numbers_and_time():
    hits = search(people({"a": 1}, {"a": 2}, {"a": 1}), parse("a == 1"))
    assert list(hits.rows) == [0, 2]
    assert hits.total == 3
    assert hits.seconds > 0


def test_sorting_puts_missing_last_in_both_directions():
    records = people({"a": 2}, {}, {"a": "x"}, {"a": 1}, {"a": None}, {"a": True}, {"a": 1.5})
    assert list(search(records, None, sort=SortBy.parse("a")).rows) == [4, 5, 3, 6, 0, 2, 1]
    assert list(search(records, None, sort=SortBy.parse("-a")).rows) == [2, 0, 6, 3, 5, 4, 1]


def test_limit_is_applied_after_sorting():
    records = people({"a": 3}, {"a": 1}, {"a": 2})
    assert list(search(records, None, sort=SortBy.parse("a"), limit=2).rows) == [1, 2]
    assert list(search(records, parse("a > 1"), limit=1).rows) == [0]


def test_an_unknown_field_is_named_with_its_neighbour():
    (finding,) = search(people({"city": "Rome"}), parse('ctiy == "Rome"')).findings
    assert (finding.code, finding.where) == ("unknown-field", "ctiy")
    assert '"city"' in finding.message


def test_an_unreadable_record_is_left_out_and_counted():
    hits = search([Record("1", raw=b"{broken"), Record("2", raw=b'{"a": 1}')], parse("a == 1"))
    assert list(hits.rows) == [1]
    assert [finding.code for finding in hits.findings] == ["bad-text"]


def test_keys_sort_by_number_and_fields_with_odd_names_by_path():
    records = [Record(key, {"odd name": 3 - n}) for n, key in enumerate(("10", "9", "x"))]
    assert list(search(records, None, sort=SortBy(by_key=True)).rows) == [1, 0, 2]
    assert list(search(records, None, sort=SortBy.parse("key")).rows) == [1, 0, 2]
    assert list(search(records, None, sort=SortBy(("odd name",))).rows) == [2, 1, 0]


def test_sorting_many_rows_is_stable():
    records = people(*({"a": n % 7} for n in range(20_000)))
    rows = list(search(records, None, sort=SortBy.parse("-a")).rows)
    assert rows == sorted(range(20_000), key=lambda n: -(n % 7))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not " * 20_000 + "a == 1", "levels"),
        ("len(" * 3000 + "a" + ")" * 3000 + " > 1", "levels"),
        ("[" * 3000 + "1" + "]" * 3000 + " == a", "levels"),
        ("a in " + "(" * 3000 + "1, 2" + ")" * 3000, "levels"),
        ('name matches "' + "(" * 5000 + '"', "nested too deep"),
        ('name matches "(?R)"', "without end"),
        ('name matches "((a{1000}){1000}){1000}"', "multiply"),
        ("a[" + "9" * 100_000 + "] == 1", "position"),
    ],
)
def test_a_hostile_query_is_a_usage_error(text, words):
    with pytest.raises(UsageError, match=words):
        parse(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("age < " + "9" * 100_000, True), ("age == 0044", True), ("score == 01.5", True), ("score == 1.005", False),
        ("age < 1e99999999999999999999", True), ("age > -1e99999999999999999999", True), ("0 == -0", True),
        ("not " * 99 + "age == 44", False), ("age == 44 " * 1 + "and age == 44 " * 5000, True),
    ],
)  # fmt: skip
def test_numbers_and_long_queries(text, found):
    assert parse(text).matches("7", DOCUMENT) is found


def test_deep_values_are_compared():
    def nested(innermost):
        for _ in range(50_000):
            innermost = [innermost]
        return innermost

    document = {"a": nested(1), "b": nested(1.0), "c": nested(2), "d": [nested(1)]}
    assert parse("a == b").matches("1", document)
    assert parse("a != c").matches("1", document)
    assert parse("a in d").matches("1", document)


def test_repeated_keys_are_compared_member_by_member():
    document = {"a": RepeatedKeys((("k", 1), ("k", True))), "b": RepeatedKeys((("k", 1.0), ("k", 1)))}
    assert parse("a == a").matches("1", document)
    assert not parse("a == b").matches("1", document)


def test_a_text_of_the_record_that_is_no_expression_matches_nothing():
    assert not parse("name matches pattern").matches("1", {"name": "x", "pattern": "("})
    assert parse("name matches pattern").matches("1", {"name": "x", "pattern": "^x"})
