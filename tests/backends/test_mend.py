import json
from dataclasses import asdict

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from table_cases import codes, contents, open_with

from inspector.backends._mend import mend
from inspector.backends._scan import Memory, scan
from inspector.backends.tinydb import BACKEND
from inspector.model import DecodeError
from inspector.progress import silent


def database(changed=None, text=""):
    rows = {str(n): {"n": n, "text": f"row {n}", "geo": {"lat": n / 7, "tags": ["a", "b"]}} for n in range(1, 60)}
    if changed:
        rows[changed]["text"] = text
    return {"_default": rows, "logs": {str(n): {"m": f"x{n}"} for n in range(9)}}


def readable(store):
    """Return {(table, key)} of records that are valid, and their values."""
    found = {}
    for info in store.collections:
        for record in store.load(info.name, silent):
            try:
                found[info.name, record.key] = record.value
            except DecodeError:
                assert record.raw is not None
    return found


@settings(deadline=None, max_examples=150)
@given(st.integers(1, 9), st.text("q", max_size=30), st.data())
def test_documents_on_both_sides_of_a_seam_are_found(tmp_path_factory, changed, text, data):
    old, new = json.dumps(database()), json.dumps(database(str(changed), text))
    seam = data.draw(st.integers(1200, len(new) - 400))
    mixed = new[:seam] + old[seam:]
    # a seam that leaves a whole value, or leaves out brackets only, cannot be told from a stale tail or a cut
    assume(not any(begins_whole(mixed + "}" * missing) for missing in range(4)))
    path = tmp_path_factory.mktemp("seam") / "db.json"
    path.write_text(mixed)
    assert BACKEND.recognises(path, mixed.encode())
    with open_with(BACKEND, path) as store:
        found = readable(store)
        problems = codes([*store.info.findings, *BACKEND.check(store, silent)])
    states = database(), database(str(changed), text)
    sound = [
        (table, key)
        for (table, key), value in found.items()
        if any(value == state.get(table, {}).get(key) for state in states)
    ]
    assert len(sound) >= 59 + 9 - 3
    assert len(found) - len(sound) <= 1
    assert "bad-text" in problems


def begins_whole(text):
    try:
        json.JSONDecoder().raw_decode(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("cut", range(700, 1700, 37))
def test_a_text_that_is_merely_cut_is_left_alone(cut):
    text = json.dumps({"t": {str(n): {"m": {"1": {"a": n}, "2": {"b": 'x\\"'}}} for n in range(60)}}).encode()
    source = Memory(text[:cut])
    index, untouched = scan(source), scan(source)
    mend(source, index)
    assert asdict(index) == asdict(untouched)


@pytest.mark.parametrize(
    "text",
    [
        b'{"events": {"1": {}, "2": {}}, "names": {"3": "x", "4": {"5": {}}, "6": {"7": {}}}}',
        b'{"t": {"1": {"a": 1}, "2": "x"}, "u": {"1": {}, "2": {"b": {}}, "3": {"c": 1}}}',
    ],
)
def test_valid_json_of_another_layout_is_not_taken_for_damage(text):
    source = Memory(text)
    index = scan(source)
    mend(source, index)
    assert not index.has_shape


def test_a_seam_is_told_with_its_place(tmp_path):
    text = b'{"t": {"1": {"a": "x"}, "2": {"b": "te, "3": {"c": 1}, "4": {"d": 2}}, "u": {"5": {}}}'
    path = tmp_path / "db.json"
    path.write_bytes(text)
    with open_with(BACKEND, path) as store:
        assert [key for key, _ in contents(store)["t"]] == ["1", "4"]
        assert [key for key, _ in contents(store)["u"]] == ["5"]
        (finding,) = store.info.findings
        assert (finding.severity, finding.code) == ("error", "bad-text")
        assert finding.where == f"byte {text.index(b'3'):,}"
