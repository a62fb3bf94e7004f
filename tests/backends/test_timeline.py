"""Any version of a document equals what pycrdt replays, and each update is told for what it did."""

import pycrdt
import pytest
from crdt_cases import GOLDEN, Session, logged, rows, shown
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import registry
from inspector.backends._crdt import content, timeline
from inspector.backends._crdt.analysis import Analysis, Ranges
from inspector.backends._crdt.timeline import Timeline, state
from inspector.backends._crdt.updates import parse
from inspector.backends.ystore import BACKEND
from inspector.model import InspectorError
from inspector.progress import Cancelled, silent

EMPTY = b"\x00\x00"


def replayed(updates: list[bytes], version: int) -> list[tuple[str, str]]:
    """What a fresh pycrdt document shows after the first *version* updates."""
    doc = pycrdt.Doc()
    for update in updates[:version]:
        doc.apply_update(update)
    return shown(content.records(doc, content.evidence(map(parse, updates))))


def kinds(updates: list[bytes | None]) -> list[str]:
    return [update.kind for update in Timeline(rows(updates), silent).updates]


@pytest.mark.parametrize("name", ["session1", "shuffled_rows", "pending_missing_predecessor", "nb_jupyter-ydoc-4.2.1"])
def test_every_version_of_stored_documents_equals_a_replay(name: str) -> None:
    path = GOLDEN / f"{name}.ystore.db"
    with BACKEND.open(path, registry.decoder(), silent) as store:
        for info in store.collections:
            history = store.history(info.name, silent)
            updates = [row.data for row in history.raw()]
            versions = range(0, len(updates) + 1, 7 if len(updates) > 100 else 1)
            forward = [shown(history.at(version, silent)) for version in versions]
            assert forward == [replayed(updates, version) for version in versions]
            assert [shown(history.at(version, silent)) for version in reversed(versions)] == forward[::-1]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), steps=st.integers(1, 40), disorder=st.randoms(use_true_random=False))
def test_versions_of_made_documents_equal_a_replay(seed: int, steps: int, disorder) -> None:
    updates = Session(seed).play(steps)
    updates += disorder.sample(updates, len(updates) // 4)  # duplicates
    for _ in range(len(updates) // 3):  # out of order: some wait for what comes later
        i, j = disorder.randrange(len(updates)), disorder.randrange(len(updates))
        updates[i], updates[j] = updates[j], updates[i]
    if len(updates) > 4:
        del updates[disorder.randrange(len(updates))]  # some wait for ever
    history = Timeline(rows(updates), silent)
    versions = [disorder.randint(0, len(updates)) for _ in range(8)] + [len(updates)]
    for version in versions:
        assert shown(history.at(version, silent)) == replayed(updates, version)
        assert shown(state(rows(updates), version, silent)) == replayed(updates, version)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), steps=st.integers(1, 60))
def test_kinds_agree_with_what_is_seen(seed: int, steps: int) -> None:
    updates = Session(seed).play(steps)
    history = Timeline(rows(updates), silent)
    for update in history.updates:
        if update.kind == "no-op":
            before, after = (replayed(updates, update.index - back) for back in (1, 0))
            assert before == after
        if update.kind == "deletion":
            assert update.deleted > 0
            assert update.clients == ()


def test_units_inserted_and_deleted_leave_the_length_of_the_text() -> None:
    doc = pycrdt.Doc(client_id=3)
    updates: list[bytes] = []
    doc.observe(lambda event: updates.append(event.update))
    doc["t"] = text = pycrdt.Text("hello 🎉")
    text += " world"
    del text[0:3]
    text.insert(0, "é")
    history = Timeline(rows(updates), silent)
    assert [(u.inserted, u.deleted, u.clients) for u in history.updates] == [
        (8, 0, (3,)),
        (6, 0, (3,)),
        (0, 3, ()),
        (1, 0, (3,)),
    ]
    left = sum(u.inserted - u.deleted for u in history.updates)
    assert left == len(str(text).encode("utf-16-le")) // 2


def test_kinds() -> None:
    doc = pycrdt.Doc(client_id=1)
    updates: list[bytes] = []
    doc.observe(lambda event: updates.append(event.update))
    doc["t"] = text = pycrdt.Text("abc")
    text += "def"
    text += "ghi"
    del text[0]
    deletion = updates[-1]
    text += "x"
    whole = doc.get_update()
    assert kinds([*updates, EMPTY, deletion, whole, None]) == [
        "edit",
        "edit",
        "edit",
        "deletion",
        "edit",
        "no-op",
        "no-op",  # deleted already
        "no-op",  # the whole state, but nothing in it is new
        "damaged",
    ]


def test_whole_state_that_adds_a_little_is_a_full_state() -> None:
    doc = pycrdt.Doc(client_id=1)
    updates: list[bytes] = []
    doc.observe(lambda event: updates.append(event.update))
    doc["m"] = pycrdt.Map({"a": 1})
    for key in "bcd":
        doc["m"][key] = key
    known = list(updates)
    doc["m"]["e"] = 5
    assert kinds([doc.get_update()]) == ["edit"]  # the first
    joined = Timeline(rows([*known, doc.get_update()]), silent).updates[-1]
    assert (joined.kind, joined.inserted, joined.deleted) == ("full-state", 1, 0)
    assert Timeline(rows(updates), silent).updates[-1].kind == "edit"


def test_what_waits_is_shown_when_all_has_arrived() -> None:
    first, second, deletion = logged(_type_and_delete)
    history = Timeline(rows([second, deletion, first]), silent)
    assert [u.kind for u in history.updates] == ["edit", "deletion", "edit"]
    assert [[(r.key, r.value) for r in history.at(v, silent)] for v in (1, 2, 3)] == [[], [], [("t", "a")]]


def _type_and_delete(doc: pycrdt.Doc) -> None:
    doc["t"] = pycrdt.Text("a")
    doc["t"].insert(1, "b")
    del doc["t"][1]


def test_deletion_that_arrives_before_its_content_counts_when_that_arrives() -> None:
    first, second, deletion = logged(_type_and_delete)
    history = Timeline(rows([first, deletion, second]), silent)
    assert [(u.kind, u.inserted, u.deleted) for u in history.updates] == [
        ("edit", 1, 0),
        ("no-op", 0, 0),
        ("edit", 1, 1),
    ]


def test_sizes_times_and_codecs_come_from_the_rows() -> None:
    stored = rows([*logged(lambda doc: doc.__setitem__("t", pycrdt.Text("a"))), None, b"junk"])
    updates = Timeline(stored, silent).updates
    assert [u.index for u in updates] == [1, 2, 3]
    assert [u.size for u in updates] == [len(stored[0].data), None, None]
    assert [u.stored_bytes for u in updates] == [len(stored[0].blob), 0, 4]
    assert [u.time for u in updates] == [row.time for row in stored]


def test_versions_beyond_the_last_are_refused() -> None:
    history = Timeline(rows([EMPTY]), silent)
    for version in (-1, 2):
        with pytest.raises(InspectorError, match="versions 0 to 1"):
            history.at(version, silent)


def test_kept_states_shorten_the_way_back_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "KEEP_EVERY", 20 * timeline.ROW_WORK)
    updates = Session(5).play(300)
    history = Timeline(rows(updates), silent)
    history.at(300, silent)
    kept = sorted(history._kept)
    assert len(kept) > 5
    for version in (299, 150, 151, 3, 290, kept[2], kept[2] - 1):
        assert shown(history.at(version, silent)) == replayed(updates, version)
    steps: list[int] = []
    history.at(kept[3] + 1, lambda done, total: steps.append(done))
    assert history._live.version == kept[3] + 1


def test_no_state_is_kept_while_something_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "KEEP_EVERY", 1)
    updates = Session(5).play(60)
    hidden = updates.pop(10)
    updates.append(hidden)
    history = Timeline(rows(updates), silent)
    assert shown(history.at(60, silent)) == replayed(updates, 60)
    assert shown(history.at(30, silent)) == replayed(updates, 30)
    assert shown(history.at(60, silent)) == replayed(updates, 60)


def test_budget_of_kept_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "KEEP_EVERY", 1)
    monkeypatch.setattr(timeline, "BUDGET", 20_000)
    updates = Session(8).play(400)
    history = Timeline(rows(updates), silent)
    history.at(400, silent)
    assert history._kept
    assert sum(map(len, history._kept.values())) <= 20_000
    assert shown(history.at(200, silent)) == replayed(updates, 200)


def test_cancelling_leaves_a_timeline_that_goes_on() -> None:
    updates = Session(2).play(50)
    history = Timeline(rows(updates), silent)

    def stop(done: int, total: int | None) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        history.at(50, stop)
    assert shown(history.at(50, silent)) == replayed(updates, 50)


def test_update_that_only_pycrdt_refuses_is_damaged_and_changes_nothing() -> None:
    weak_link = b"\x01\x01\x05\x00\x07\x01\x01u\x07\x00\x01\x00\x00"  # its build has no weak links
    parse(weak_link)
    with pytest.raises(ValueError, match="decode"):
        pycrdt.Doc().apply_update(weak_link)
    updates = logged(lambda doc: doc.__setitem__("t", pycrdt.Text("a")))
    history = Timeline(rows([*updates, weak_link]), silent)
    assert [(r.key, r.value) for r in history.at(2, silent)] == [("t", "a")]
    assert [(u.kind, u.size) for u in history.updates][1] == ("damaged", None)


def test_update_that_does_not_fit_the_document_is_damaged_and_changes_nothing() -> None:
    start = logged(lambda doc: doc.__setitem__("t", pycrdt.Text("ab")), client=1)
    misfit = b"\x01\x01\x02\x00\x27\x00\x01\x00\x01k\x01\x00"  # a Map inside a character
    end = logged(lambda doc: doc.__setitem__("u", pycrdt.Text("z")), client=3)
    parse(misfit)
    history = Timeline(rows([*start, misfit, *end]), silent)
    for _ in range(2):
        assert [(r.key, r.value) for r in history.at(3, silent)] == [("t", "ab"), ("u", "z")]
        assert [u.kind for u in history.updates] == ["edit", "damaged", "edit"]
        history.at(1, silent)


def test_update_that_makes_pycrdt_panic_is_damaged_and_changes_nothing() -> None:
    start = logged(lambda doc: doc.__setitem__("t", pycrdt.Text("a")), client=100)
    panic = b"\x01\x01\x64\x02\x28\x00\x04\x6d\x01k\x00\x00"  # no value at all, in a parent that has not arrived
    parse(panic)
    history = Timeline(rows([*start, panic]), silent)
    assert [(r.key, r.value) for r in history.at(2, silent)] == [("t", "a")]
    assert [u.kind for u in history.updates] == ["edit", "damaged"]
    assert shown(state(rows([*start, panic]), 2, silent)) == [("t", '"a"')]


def test_many_updates_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "RESTARTS", 3)
    start = logged(lambda doc: doc.__setitem__("t", pycrdt.Text("ab")), client=1)
    misfits = [b"\x01\x01" + bytes((n,)) + b"\x00\x27\x00\x01\x00\x01k\x01\x00" for n in range(2, 9)]
    history = Timeline(rows([*start, *misfits]), silent)
    assert [(r.key, r.value) for r in history.at(8, silent)] == [("t", "ab")]
    assert [u.kind for u in history.updates] == ["edit"] + ["damaged"] * 7


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12)), max_size=30), st.integers(0, 60), st.integers(0, 9))
def test_ranges_equal_a_set(pieces: list[tuple[int, int]], start: int, length: int) -> None:
    ranges, model = Ranges(), set()
    for begin, size in pieces:
        wanted = set(range(begin, begin + size)) - model
        gaps = ranges.add(begin, begin + size)
        assert {clock for gap in gaps for clock in range(*gap)} == wanted
        assert sum(stop - first for first, stop in gaps) == len(wanted)
        model |= wanted
    assert ranges.covered(start, start + length) == len(model & set(range(start, start + length)))
    assert all(a < b for a, b in zip(ranges.starts, ranges.stops, strict=True))
    assert all(stop < begin for stop, begin in zip(ranges.stops, ranges.starts[1:], strict=False))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), steps=st.integers(1, 40))
def test_settled_state_is_pycrdts_state(seed: int, steps: int) -> None:
    doc, analysis = pycrdt.Doc(), Analysis()
    for update in Session(seed).play(steps):
        doc.apply_update(update)
        analysis.step(parse(update))
        settled = analysis.settled_state()
        if settled is not None:
            assert timeline._clocks(doc.get_state()) == settled


def test_progress_is_called_between_rows() -> None:
    calls: list[tuple[int, int | None]] = []
    history = Timeline(rows(Session(1).play(20)), lambda *call: calls.append(call))
    assert calls
    calls.clear()
    history.at(20, lambda *call: calls.append(call))
    assert calls[-1] == (1000, 1000)
