"""Two stores compared: counts, matching, exactness, exports; the command line gives the same answer."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import values
from inspector.cli.main import main
from inspector.model import Record
from inspector.operations.compare import Match, command, compare_stores, matches
from inspector.operations.compare_export import total, verdict, write_comparison
from inspector.operations.convert import Job, convert
from inspector.operations.open import open_store
from inspector.operations.record_diff import RecordDifference, Tally, differences, steps, value_changes
from inspector.progress import Cancelled


def write(path: Path, tables: dict[str, dict[str, object]]) -> Path:
    path.write_text(json.dumps(tables), encoding="utf-8")
    return path


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two stores with one table in both and one on each side alone."""
    first = {"people": {"1": {"n": 1}, "2": {"n": 2}, "3": {"n": 3}}, "old": {"1": {}}}
    second = {"people": {"1": {"n": 1}, "3": {"n": 3.0}, "4": {"n": 4}}, "new": {"1": {}, "2": {}}}
    return write(tmp_path / "a.json", first), write(tmp_path / "b.json", second)


def compared(first: Path, second: Path):
    found: list[tuple[str, str, str]] = []

    def take(match: Match, difference: RecordDifference) -> None:
        found.append((match.name, difference.kind, difference.record.key))

    with open_store(first) as a, open_store(second) as b:
        return compare_stores(a, b, take), found


def test_collections_are_matched_by_name_and_records_by_key(pair):
    result, found = compared(*pair)
    assert [(one.match.name, tuple(one.tally.counts.values())) for one in result] == [
        ("people", (1, 1, 1, 1)),
        ("old", (0, 1, 0, 0)),
        ("new", (2, 0, 0, 0)),
    ]
    assert found == [
        ("people", "changed", "3"),
        ("people", "added", "4"),
        ("people", "removed", "2"),
        ("old", "removed", "1"),
        ("new", "added", "1"),
        ("new", "added", "2"),
    ]
    assert total(result) == Tally(3, 2, 1, 1)
    assert verdict(result) == "6 records differ, 1 is equal, in 3 collections"


def test_an_empty_collection_on_one_side_is_no_identity(tmp_path):
    first = write(tmp_path / "a.json", {"t": {"1": {}}})
    second = write(tmp_path / "b.json", {"t": {"1": {}}, "empty": {}})
    result, found = compared(first, second)
    assert found == []
    assert verdict(result) == "0 records differ, 1 is equal, in 2 collections"
    assert verdict(compared(first, first)[0]) == "Identical: 1 record in 1 collection"


@pytest.mark.parametrize("format", ["betterjson", "ystore", "tinydb"])
def test_a_table_store_is_identical_to_what_it_was_converted_to(samples, tmp_path, format):
    target = tmp_path / "out"
    convert(Job(samples / "shop.json", target, format))
    result, found = compared(samples / "shop.json", target)
    assert found == []
    assert verdict(result) == "Identical: 2,020 records in 3 collections"


def test_a_document_is_identical_to_the_table_it_was_converted_to(samples, tmp_path):
    source = samples / "notebook" / "notebook.ystore.db"
    convert(Job(source, tmp_path / "out.json", "tinydb", accept_losses=True))
    result, found = compared(source, tmp_path / "out.json")
    assert found == []
    assert verdict(result).startswith("Identical: ")
    assert total(result).unchanged > 0


@pytest.mark.parametrize(
    ("before", "after", "differs"),
    [
        ("1", "1.0", True),
        ("0.0", "-0.0", True),
        ("NaN", "NaN", False),
        ("true", "1", True),
        ("1e400", "1e400", False),
        ("1e400", "1e401", True),
        ('"\\ud800"', '"\\ud801"', True),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', False),
        ('{"a": 1, "a": 2}', '{"a": 2}', True),
        ("123456789012345678901234567890", "123456789012345678901234567891", True),
        ("null", '""', True),
        ("[]", "{}", True),
    ],
)
def test_values_are_compared_exactly(tmp_path, before, after, differs):
    paths = []
    for name, value in (("a.json", before), ("b.json", after)):
        paths.append(tmp_path / name)
        paths[-1].write_text(f'{{"t": {{"1": {{"v":  {value}}}}}}}')
    result, found = compared(*paths)
    assert bool(found) is differs
    assert total(result).unchanged == (not differs)


KEYS = st.lists(st.sampled_from("abcde"), max_size=8)


@given(KEYS, KEYS)
@settings(max_examples=300)
def test_records_are_counted_as_a_naive_comparison_counts_them(before, after):
    """Oracle: by key and occurrence in plain dicts."""

    def made(keys: list[str], extra: int) -> list[Record]:
        return [Record(key, {"n": place % (2 + extra)}) for place, key in enumerate(keys)]

    def naive(records: list[Record]) -> dict[tuple[str, int], object]:
        seen: Counter[str] = Counter()
        result = {}
        for record in records:
            result[record.key, seen[record.key]] = record.value
            seen[record.key] += 1
        return result

    first, second = made(before, 0), made(after, 1)
    old, new = naive(first), naive(second)
    both = old.keys() & new.keys()
    tally = Tally()
    found = list(differences(first, second, tally))
    changed = sum(old[key] != new[key] for key in both)
    assert tally == Tally(len(new) - len(both), len(old) - len(both), changed, len(both) - changed)
    for one in found:
        assert one.before is None or first[one.before.number] is one.before.record
        assert one.after is None or second[one.after.number] is one.after.record
    assert Counter(one.kind for one in found) == Counter(
        {kind: count for kind, count in tally.counts.items() if count and kind != "unchanged"}
    )


def test_repeated_keys_are_matched_in_order():
    first = [Record("x", 0), Record("1", 1), Record("1", 2), Record("1", 3)]
    second = [Record("1", 1), Record("1", 2), Record("x", 0)]
    tally = Tally()
    found = list(differences(first, second, tally))
    assert [(one.kind, one.before.number) for one in found if one.before] == [("removed", 3)]
    assert tally.unchanged == 3


NAMES = st.text('ab.[]"\\ é0', max_size=4)
TREES = st.recursive(
    st.integers(0, 2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(TREES, TREES)
@settings(max_examples=300)
def test_the_steps_of_a_path_lead_to_the_value(before, after):
    def at(value, path):
        for step in steps(path):
            try:
                value = value[step]
            except (KeyError, IndexError):
                return values.UNDEFINED
        return value

    for path, old, new in value_changes(before, after):
        assert values.same(at(before, path), old)
        assert values.same(at(after, path), new)


def test_a_large_record_is_compared_as_a_small_one(tmp_path):
    big = {"rows": [{"n": number, "text": "x" * 50} for number in range(40_000)]}
    first = tmp_path / "a.json"
    first.write_text(json.dumps({"t": {"1": big}}))
    second = tmp_path / "b.json"
    second.write_text(json.dumps({"t": {"1": big}}, separators=(",", ":")))
    assert compared(first, second)[1] == []
    big["rows"][7]["n"] = 7.0
    second.write_text(json.dumps({"t": {"1": big}}))
    with open_store(first) as a, open_store(second) as b:
        taken: list[RecordDifference] = []
        compare_stores(a, b, lambda _, one: taken.append(one))
    assert [(c.path, c.before, c.after) for c in taken[0].changes] == [(".rows[7].n", 7, 7.0)]


def test_it_is_cancelled_where_it_stands(pair):
    def stop(done: int, total: int | None) -> None:
        raise Cancelled

    with open_store(pair[0]) as a, open_store(pair[1]) as b, pytest.raises(Cancelled):
        compare_stores(a, b, lambda *_: None, progress=stop)


@pytest.fixture
def odd(tmp_path: Path) -> tuple[Path, Path]:
    """Values that no careless writer keeps."""
    first = tmp_path / "a.json"
    first.write_text('{"t|x": {"1": {"v": NaN, "w": 1e400, "s": "\\ud800"}, "2": {"a": 1, "a": 2}, "=3": {"x": 1}}}')
    second = tmp_path / "b.json"
    second.write_text('{"t|x": {"1": {"v": NaN, "w": 1e401, "s": "`"}, "2": {"a": 2}, "4": {"line": "a\\nb"}}}')
    return first, second


@pytest.mark.parametrize("which", ["pair", "odd"])
def test_the_json_export_is_what_the_command_line_prints(request, capsys, tmp_path, which):
    first, second = request.getfixturevalue(which)
    target = tmp_path / "out.json"
    with open_store(first) as a, open_store(second) as b:
        write_comparison(a, b, target, "json")
    assert command(first, second).split()[0] == "inspector"
    assert main(command(first, second).split()[1:]) == 0
    assert target.read_text() == capsys.readouterr().out


def test_a_large_export_goes_through_temporary_files(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("inspector.operations.compare_export.IN_MEMORY", 64)
    first = write(tmp_path / "a.json", {"t": {str(n): {"n": n} for n in range(200)}})
    second = write(tmp_path / "b.json", {"t": {str(n): {"n": n + n % 2} for n in range(100, 300)}})
    with open_store(first) as a, open_store(second) as b:
        write_comparison(a, b, tmp_path / "out.json", "json")
    main(command(first, second).split()[1:])
    assert (tmp_path / "out.json").read_text() == capsys.readouterr().out


def test_the_csv_export_holds_every_difference(odd, tmp_path):
    with open_store(odd[0]) as a, open_store(odd[1]) as b:
        write_comparison(a, b, tmp_path / "out.csv", "csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["collection", "kind", "key", "path", "before", "after"],
        ["t|x", "changed", "1", ".w", "1e400", "1e401"],
        ["t|x", "changed", "1", ".s", '"\\ud800"', '"`"'],
        ["t|x", "changed", "2", "", '{"a": 1, "a": 2}', '{"a": 2}'],
        ["t|x", "added", "4", "", "", '{"line": "a\\nb"}'],
        ["t|x", "removed", "=3", "", '{"x": 1}', ""],
    ]


def test_the_report_says_what_was_compared_and_how_much_is_not_listed(odd, tmp_path, monkeypatch):
    monkeypatch.setattr("inspector.operations.compare_export.MOST_REPORTED", 2)
    with open_store(odd[0]) as a, open_store(odd[1]) as b:
        write_comparison(a, b, tmp_path / "out.md", "md")
    text = (tmp_path / "out.md").read_text()
    assert "**4 records differ, 0 are equal, in 1 collection**" in text
    assert "| t\\|x | 0 | 2 | 1 | 1 |" in text
    assert "| t\\|x | 1 | `.w` | `1e400` | `1e401` |" in text
    assert "3 more differences are not listed." in text
    assert command(*odd) in text


def test_an_export_that_is_stopped_leaves_nothing(pair, tmp_path):
    def stop(done: int, total: int | None) -> None:
        raise Cancelled

    with open_store(pair[0]) as a, open_store(pair[1]) as b, pytest.raises(Cancelled):
        write_comparison(a, b, tmp_path / "out.json", "json", progress=stop)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.json"]


def test_chosen_collections_keep_their_order(pair):
    with open_store(pair[0]) as a, open_store(pair[1]) as b:
        assert [match.name for match in matches(a, b, ["new", "people"])] == ["new", "people"]
        assert [match.after is None for match in matches(a, b)] == [False, True, False]
