"""Differences: records, fields, lines, notebook cells."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model import Record
from inspector.operations.diff import cells, lines
from inspector.operations.record_diff import compare, value_changes
from inspector.values import UNDEFINED


def records(**documents):
    return [Record(key, value) for key, value in documents.items()]


def test_records_are_matched_by_key():
    found = compare(records(a=1, b=2, c=3), records(b=2, c=4, d=5))
    assert [r.key for r in found.added] == ["d"]
    assert [r.key for r in found.removed] == ["a"]
    assert [(c.key, c.path, c.before, c.after) for c in found.changed] == [("c", "", 3, 4)]
    assert found.counts == {"added": 1, "removed": 1, "changed": 1, "unchanged": 1}


def test_a_key_that_occurs_twice_is_matched_in_order():
    before = [Record("1", {"a": 1}), Record("1", {"a": 2})]
    after = [Record("1", {"a": 1}), Record("1", {"a": 3})]
    assert [(c.path, c.before, c.after) for c in compare(before, after).changed] == [(".a", 2, 3)]


def test_items_with_ids_are_matched_by_them():
    before = [Record(f"cells[{n}]", {"id": i, "source": i}) for n, i in enumerate("abcd")]
    after = [Record(f"cells[{n}]", {"id": i, "source": i.upper() if i == "d" else i}) for n, i in enumerate("acd")]
    found = compare(before, after)
    assert [(r.key, r.value["id"]) for r in found.removed] == [("cells[1]", "b")]
    assert found.added == ()
    assert [(c.key, c.path, c.before, c.after) for c in found.changed] == [("cells[2]", ".source", "d", "D")]


def test_items_are_matched_by_place_if_an_id_is_missing_or_repeated():
    before = [Record("x[0]", {"id": "a", "n": 1}), Record("x[1]", {"id": "a", "n": 2})]
    after = [Record("x[0]", {"id": "a", "n": 1}), Record("x[1]", {"n": 3})]
    assert [c.key for c in compare(before, after).changed] == ["x[1]", "x[1]"]


def test_changes_are_the_smallest_parts_that_differ():
    before = {"address": {"city": "Rome", "zip": "1"}, "tags": [1, 2], "odd name": 1, "gone": 0}
    after = {"address": {"city": "Bari", "zip": "1"}, "tags": [1, 2, 3], "odd name": 2, "new": 0}
    assert list(value_changes(before, after)) == [
        (".address.city", "Rome", "Bari"),
        (".tags[2]", UNDEFINED, 3),
        ('["odd name"]', 1, 2),
        (".gone", 0, UNDEFINED),
        (".new", UNDEFINED, 0),
    ]


def test_types_and_signs_are_changes():
    assert len(list(value_changes([1, 0.0, None], [1.0, -0.0, ""]))) == 3


def test_an_unreadable_record_is_compared_by_its_text():
    found = compare([Record("1", raw=b"{broken")], [Record("1", raw=b'{"a": 1}')])
    assert [(c.before, c.after) for c in found.changed] == [("{broken", '{"a": 1}')]


VALUES = st.recursive(
    st.none() | st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
)


@given(VALUES, VALUES)
def test_no_change_is_reported_exactly_when_values_are_the_same_but_for_key_order(before, after):
    assert (list(value_changes(before, after)) == []) == (before == after)
    assert list(value_changes(before, before)) == []


TEXTS = st.lists(st.sampled_from(["a", "b", "c c", "", "long line of words"]), max_size=12).map("\n".join)


@given(TEXTS, TEXTS)
@settings(max_examples=200)
def test_lines_give_both_texts_back(before, after):
    found = lines(before, after)
    assert [c.text for c in found if c.sign != "+"] == before.splitlines()
    assert [c.text for c in found if c.sign != "-"] == after.splitlines()
    assert [c.old for c in found if c.old] == list(range(1, len(before.splitlines()) + 1))
    assert [c.new for c in found if c.new] == list(range(1, len(after.splitlines()) + 1))


def test_the_words_that_differ_are_marked():
    removed, added = lines("df = clean(raw, 1)", "df = clean(raw, 2)")
    assert [removed.text[a:b] for a, b in removed.words] == ["1"]
    assert [added.text[a:b] for a, b in added.words] == ["2"]


def test_a_huge_difference_ends_soon():
    before, after = ("\n".join(f"{side}{n}" for n in range(20_000)) for side in "ab")
    assert sum(change.sign == "-" for change in lines(before, after)) == 20_000


def notebook(*sources, **more):
    return [
        Record(f"cells[{n}]", {"id": source[0], "cell_type": "code", "source": source[1:], **more})
        for n, source in enumerate(sources)
    ]


def states(before, after):
    return [(change.state, change.identity) for change in cells(before, after)]


def test_cells_added_removed_changed_and_unchanged():
    before = notebook("ax = 1", "by = 2", "cz = 3")
    after = notebook("ax = 1", "cz = 4", "dnew")
    assert states(before, after) == [("unchanged", "a"), ("removed", "b"), ("changed", "c"), ("added", "d")]


def test_a_moved_cell_is_moved_and_not_added_and_removed():
    before, after = notebook("a1", "b2", "c3", "d4"), notebook("b2", "c3", "d4", "a1")
    assert states(before, after) == [("unchanged", "b"), ("unchanged", "c"), ("unchanged", "d"), ("moved", "a")]


def test_cells_without_ids_are_matched_by_source():
    before = [Record("cells[0]", {"cell_type": "code", "source": "x"}), Record("cells[1]", {"source": "y"})]
    assert [c.state for c in cells(before, before[1:])] == ["removed", "unchanged"]


def test_outputs_are_compared_by_content_and_size():
    def with_image(data):
        return notebook("ax", outputs=[{"output_type": "display_data", "data": {"image/png": data}}])

    (change,) = cells(with_image("A" * 84_000), with_image("B" * 91_000))
    assert change.state == "changed"
    assert change.outputs == ("image/png changed, 84 kB → 91 kB",)
    assert change.lines[0].sign == " "
