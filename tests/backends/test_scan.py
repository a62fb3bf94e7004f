import json
from array import array
from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_cases import GOLDEN, databases, spell, styles

from inspector.backends._scan import SMALL, Memory, follow, scan
from inspector.backends._survey import survey
from inspector.backends._tables import Rows, decode_name
from inspector.progress import Cancelled

TEXTS = sorted(path for path in GOLDEN.iterdir() if path.suffix == ".json")


def shape(index):
    return (
        index.root,
        index.stop,
        [astuple(table) for table in index.tables],
        index.ids.tolist(),
        index.starts.tolist(),
        index.stops.tolist(),
        index.faults,
        index.fault_count,
    )


def position_in_nesting(index):
    return index.nesting.depth, index.nesting.in_string


def rows(text, index, table):
    return [(record.key, record.raw) for record in Rows(Memory(text), index, [table])]


def pairs_of(text):
    """Return what json finds: [(table, [(id, document)])], repeated names and ids kept."""
    return json.loads(text.decode("utf-8", "surrogatepass"), object_pairs_hook=list)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
@pytest.mark.parametrize("size", [1, 7, 64])
def test_slices_of_any_size_find_the_same_as_the_plain_scan(path, size):
    text = path.read_bytes()[: 300 * size]
    plain, sliced = scan(Memory(text)), scan(Memory(text), slice_size=size)
    assert shape(sliced) == shape(plain)
    if plain.stop is None and plain.root == "{" and not plain.faults:
        assert position_in_nesting(sliced) == position_in_nesting(plain)
        assert sliced.nesting.deepest == plain.nesting.deepest


@settings(deadline=None)
@given(databases, styles, st.integers(16, 200))
def test_the_index_equals_what_json_parses(database, style, size):
    text = spell(database, style)
    expected = pairs_of(text)
    for index in (scan(Memory(text)), scan(Memory(text), slice_size=size)):
        assert index.whole
        assert [decode_name(text[t.name_start : t.name_stop]) for t in index.tables] == [name for name, _ in expected]
        for table, (_, documents) in zip(index.tables, expected, strict=True):
            found = rows(text, index, table)
            assert [key for key, _ in found] == [key for key, _ in documents]
            assert json.dumps([pairs_of(raw) for _, raw in found]) == json.dumps([value for _, value in documents])


@settings(deadline=None)
@given(st.binary(max_size=300), st.integers(1, 40))
def test_any_bytes_are_scanned_alike_in_slices_and_at_once(data, size):
    assert shape(scan(Memory(data), slice_size=size)) == shape(scan(Memory(data)))


@settings(deadline=None)
@given(st.lists(st.sampled_from(b'{}[]":,\\ a1'), max_size=60).map(bytes), st.integers(1, 9))
def test_any_signs_are_scanned_alike_in_slices_and_at_once(signs, size):
    data = b'{"t": {"1": {}, ' + signs
    plain, sliced = scan(Memory(data)), scan(Memory(data), slice_size=size)
    assert shape(sliced) == shape(plain)


def test_repeated_tables_and_ids_are_all_kept():
    text = (GOLDEN / "dup-ids.json").read_bytes()
    index = scan(Memory(text))
    assert [rows(text, index, table) for table in index.tables] == [
        [("1", b'{"a": 1}'), ("1", b'{"a": 2}'), ("2", b'{"b": 1, "b": 2}')],
        [("9", b'{"z": 1}')],
    ]


@pytest.mark.parametrize("slice_size", [None, 5])
def test_a_text_cut_at_every_byte_gives_the_documents_before_the_cut(slice_size):
    whole = (GOLDEN / "fmt-indent4-sorted.json").read_bytes()
    full = scan(Memory(whole))
    for cut in range(len(whole)):
        index = scan(Memory(whole[:cut]), slice_size=slice_size)
        expected = [stop for stop in full.stops if stop <= cut]
        assert index.stops.tolist() == expected
        assert index.starts.tolist() == full.starts.tolist()[: len(expected)]
        assert index.fault_count == 0
        assert (index.stop is None) == (cut < full.stop)


def test_damage_is_placed_and_the_documents_around_it_are_found():
    text = b'{"t": {"1": {"a": 1}, "2" {"b": 2}, "3": {"c": 3}, "4": {"d": 4}}, "u": {"1": {}}}'
    index = scan(Memory(text))
    assert [fault.position for fault in index.faults] == [text.index(b'"2"')]
    assert [rows(text, index, table) for table in index.tables] == [
        [("1", b'{"a": 1}'), ("3", b'{"c": 3}'), ("4", b'{"d": 4}')],
        [("1", b"{}")],
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b'{"a": 1}', "table"),
        (b'{"a": "text"}', "table"),
        (b'{"a": null, "b": {}}', "table"),
        (b'{"a": {"1": 5}}', "document"),
        (b'{"a": {"1": [1, 2]}}', "document"),
        (b'{"a": [1]}', "document"),
        (b'{"a": {"1": {}, "2": "x"}}', "document"),
    ],
)
def test_values_of_another_type_end_the_scan(text, kind):
    index = scan(Memory(text))
    assert [fault.kind for fault in index.faults] == [kind]
    assert not index.has_shape


def test_states_one_after_another_are_told_from_a_tail():
    state = b'{"t": {"1": {"n": %d}}}'
    three = survey(Memory(b"\n".join(state % n for n in range(3))))
    assert (len(three.states), three.tail, three.unfinished) == (3, None, False)
    assert three.index.start == three.states[-1][0]
    cut = survey(Memory(state % 1 + state % 2 + state[:12]))
    assert (len(cut.states), cut.tail, cut.unfinished) == (2, 44, True)
    stale = survey(Memory(state % 1 + b'1": {"n": 1}}}'))
    assert (len(stale.states), stale.tail, stale.unfinished) == (1, 22, False)


def followed_one_by_one(text):
    """Return what `follow` should find, by a scan of its own for each value."""
    spans = []
    position = 0
    while text[position:].strip(b" \t\n\r"):
        begin = len(text) - len(text[position:].lstrip(b" \t\n\r"))
        index = scan(Memory(text), begin, strict=True)
        if not index.whole:
            return spans, (begin, index.has_shape, index.fault_count)
        spans.append((begin, index.stop))
        position = index.stop
    return spans, None


@settings(deadline=None)
@given(
    st.lists(st.tuples(databases, styles), max_size=5),
    st.sampled_from([b"", b" ", b"\n\t"]),
    st.sampled_from([b"", b"\n", b"{", b'{"t": {"1": {}, ', b'{"t": 5}', b'"1": {}}}', b'{"t"{}}', b"\\"]),
    st.integers(1, 90),
)
def test_values_one_after_another_are_found_in_one_pass(values, space, tail, size):
    text = space.join(spell(database, style) for database, style in values) + tail
    expected = followed_one_by_one(text)
    for found in (follow(Memory(text), 0), follow(Memory(text), 0, slice_size=size)):
        rest = found.rest and (found.rest.start, found.rest.has_shape, found.rest.fault_count)
        assert (found.spans, rest) == expected


def test_many_states_are_read_a_fixed_number_of_times():
    class Counting(Memory):
        count = 0

        def read(self, start, stop):
            self.count += stop - start
            return super().read(start, stop)

    state = b'{"_default": {"1": {"n": %d}}}'
    source = Counting(b"".join(state % n for n in range(20_000)))
    found = survey(source)
    assert len(found.states) == 20_000
    assert found.shown == 20_000
    assert source.read(*found.states[-1]) == state % 19_999
    assert source.count < 4 * source.size


def test_a_large_text_is_indexed_in_slices_under_progress():
    database = {"t": {str(n): {"text": 'a "quoted" \\ {brace'} for n in range(20_000)}}
    text = json.dumps(database).encode()
    assert len(text) > SMALL
    reports: list[tuple[int, int]] = []
    index = scan(Memory(text), progress=lambda done, total: reports.append((done, total)))
    assert isinstance(index.starts, array)
    assert len(index.starts) == 20_000
    assert index.whole
    assert reports[-1] == (len(text), len(text))


def test_a_scan_can_be_cancelled():
    text = json.dumps({"t": {str(n): {} for n in range(20_000)}}).encode()

    def stop(done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        scan(Memory(text), progress=stop)
