"""What is wrong, or worth saying, about tables in a text: findings from the index, the ids and the documents.

Structure is told at opening for every size; ids up to `FEW` documents and contents of small texts too. `checked`
tells all for any size. Codes are those of the command line's contract.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from inspector.backends._scan import SMALL
from inspector.backends._survey import Survey
from inspector.backends._tables import Rows, TableStore
from inspector.backends._traps import ORJSON_DEPTH, ORJSON_SAVES, suspects, traps_in
from inspector.model import DecodeError, Finding, Record
from inspector.progress import Progress, part, silent

FEW = 20_000
"""Documents whose ids are compared already when a store is opened."""

JSON_DEPTH = 900
"""Nesting that Python's json module reads in every version; 3.11 stops at 994 levels."""

PLACES = 5
"""Places that a finding names; more are counted."""

_MARKER = re.compile(rb'"\{[A-Za-z_]\w*\}:|"\$(?:bytes|undefined)"')


class Reader(NamedTuple):
    """What the program that a file belongs to makes of traps: a phrase for each, and the depth it copes with."""

    verdicts: dict[str, str]
    depths: tuple[tuple[int, str], ...]
    looks_into: int
    """Bytes of text up to which contents are looked at already at opening."""


TINYDB = Reader(
    {
        "integer-beyond-64-bit": "TinyDB reads them exactly, BetterJSONStorage as floats",
        "not-a-number": "TinyDB reads them, BetterJSONStorage and most JSON readers refuse the file",
        "number-beyond-double": "TinyDB reads them as infinity or zero, BetterJSONStorage refuses the file",
        "lone-surrogate": "TinyDB reads them, BetterJSONStorage and most JSON readers refuse the file",
        "repeated-keys": "TinyDB keeps the last value only",
    },
    ((JSON_DEPTH, "Python's json module stops below 1,000 levels, so TinyDB may not open the file"),),
    SMALL,
)
BETTERJSON = Reader(
    {
        "integer-beyond-64-bit": "BetterJSONStorage reads them as floats",
        "not-a-number": "BetterJSONStorage cannot open the file",
        "number-beyond-double": "BetterJSONStorage cannot open the file, or reads zero",
        "lone-surrogate": "BetterJSONStorage cannot open the file",
        "repeated-keys": "BetterJSONStorage keeps the last value only",
    },
    (
        (ORJSON_DEPTH, "orjson stops at 1,024 levels, so BetterJSONStorage cannot open the file"),
        (ORJSON_SAVES, "BetterJSONStorage opens the file but cannot save it again: orjson writes at most 254 levels"),
    ),
    1 << 20,
)
_CODES = {"number-beyond-double": "not-a-number", "repeated-keys": "duplicate-ids"}
_THINGS = {
    "integer-beyond-64-bit": "integers beyond 64 bits",
    "not-a-number": "NaN or infinity",
    "number-beyond-double": "numbers beyond the range of a double",
    "lone-surrogate": "half of a surrogate pair",
    "repeated-keys": "a key more than once",
}


def count(number: int, thing: str = "record") -> str:
    """Return ``1 record``, ``2,000 records``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def at_opening(store: TableStore, reader: Reader) -> list[Finding]:
    """Return what is known about *store* once it is indexed."""
    found = [*_encoding(store), *_states(store), *_damage(store), *_depth(store, reader)]
    if len(store.layout.index.starts) <= FEW:
        found += _identities(store, silent)
    if store.layout.source.size <= reader.looks_into:
        found += _contents(store, reader, silent)
    return found


def checked(store: TableStore, reader: Reader, progress: Progress) -> Iterator[Finding]:
    """Yield the findings beyond those of opening: ids and contents of every record. Slow."""
    if len(store.layout.index.starts) > FEW:
        yield from _identities(store, part(progress, 0, 0.2))
    if store.layout.source.size > reader.looks_into:
        yield from _contents(store, reader, part(progress, 0.2, 0.8))


def _encoding(store: TableStore) -> Iterator[Finding]:
    encoding, name = store.layout.encoding, store.path.name
    if encoding.damage is not None:
        yield Finding(
            "error",
            "bad-text",
            f"{name} is not valid {encoding.name.upper()} at byte {encoding.damage:,}. "
            "Records with such bytes cannot be shown; the others are readable.",
            f"byte {encoding.damage:,}",
            repairable=True,
        )
    elif encoding.name != "utf-8":
        others = f"; {', '.join(encoding.others)} also {'fit' if len(encoding.others) > 1 else 'fits'}"
        yield Finding(
            "info",
            "encoding",
            f"The text is shown as {encoding.name}{others if encoding.others else ''}.",
        )
    elif encoding.mark:
        yield Finding(
            "info", "encoding", "The text begins with a UTF-8 byte order mark, which TinyDB reads only as utf-8-sig."
        )


def _states(store: TableStore) -> Iterator[Finding]:
    survey, name = store.layout.survey, store.path.name
    if len(survey.states) > 1:
        yield Finding(
            "warning",
            "concatenated-states",
            f"{name} holds {len(survey.states)} whole states one after another; {_shown_of(survey)}",
            repairable=True,
        )
    if survey.tail is None:
        return
    left = store.layout.source.size - survey.tail
    if survey.unfinished:
        yield Finding(
            "error",
            "truncated",
            f"{name} ends in the middle of one more state, which begins at byte {survey.tail:,}. "
            f"{_whole_state(survey)} is shown.",
            f"byte {survey.tail:,}",
            repairable=True,
        )
    else:
        yield Finding(
            "warning",
            "stale-tail",
            f"{count(left, 'byte')} of an older state follow the database from byte {survey.tail:,} on. "
            "The database before them is whole and is the newest state, but TinyDB cannot open the file.",
            f"byte {survey.tail:,}",
            repairable=True,
        )


def _whole_state(survey: Survey) -> str:
    older = survey.shown < len(survey.states)
    return f"State {survey.shown:,}, which is whole," if older else "The whole state before it"


def _shown_of(survey: Survey) -> str:
    """Say which of several states is shown, and how to see the others."""
    newest = len(survey.states)
    if survey.shown < newest:
        return f"state {survey.shown} is shown; the newest, the last, is state {newest}."
    older = "--state 1 shows" if newest == 2 else f"--state 1 to --state {newest - 1:,} show"
    return f"the newest, the last, is shown. {older} what was there before."


def _damage(store: TableStore) -> Iterator[Finding]:
    index, name = store.layout.index, store.path.name
    if index.fault_count:
        place = index.faults[0].position
        more = f" and at {count(index.fault_count - 1, 'more place')}" if index.fault_count > 1 else ""
        yield Finding(
            "error",
            "bad-text",
            f"{name} is no valid JSON at {line_and_column(store, place)}{more}. "
            f"{count(len(index.starts))} outside the damage {'is' if len(index.starts) == 1 else 'are'} readable.",
            f"byte {place:,}",
            repairable=True,
        )
    if index.root and index.stop is None:
        yield Finding("error", "truncated", _cut_off(store), f"byte {index.end:,}", repairable=True)


def _cut_off(store: TableStore) -> str:
    """Say where a text without end stops: within a record, between two, or after a table."""
    index = store.layout.index
    records = len(index.starts)
    open_table = bool(index.tables) and not index.tables[-1].closed
    if open_table and (index.nesting.depth > 2 or index.nesting.in_string):
        place = "in the middle of a record"
    else:
        place = "inside a table" if open_table else "before its closing brace"
    table = f", in table {list(store.tables)[-1]}" if index.tables else ""
    if not records:
        return f"{store.path.name} ends {place}. Byte {index.end:,}{table}. There is no whole record before it."
    before = "record before it is" if records == 1 else f"{records:,} records before it are"
    return (
        f"{store.path.name} ends {place}. Byte {index.end:,}{table}. The {before} readable. The file was not changed."
    )


def line_and_column(store: TableStore, position: int) -> str:
    """Return ``line 3, column 14`` of a byte of the text."""
    before = store.layout.source.read(store.layout.index.start, position)
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return f"line {line:,}, column {column:,}"


def _depth(store: TableStore, reader: Reader) -> Iterator[Finding]:
    deepest = store.layout.index.nesting.deepest
    for limit, verdict in reader.depths:
        if deepest > limit:
            yield Finding("warning", "depth", f"The text is nested {deepest:,} levels deep; {verdict}.")
            return


def _identities(store: TableStore, progress: Progress) -> list[Finding]:
    """Compare the ids of each table: repeated ones, ones that TinyDB takes for the same, ones that are no numbers."""
    repeated: list[str] = [f"table {name}" for name, tables in store.tables.items() if len(tables) > 1]
    colliding: list[str] = []
    custom: list[str] = []
    done, total = 0, len(store.layout.index.starts)
    for name in store.tables:
        seen: set[str] = set()
        numbers: dict[int, str] = {}
        for key in store.rows(name).keys():  # noqa: SIM118 - rows is a sequence of records, not a mapping
            place = f"{name}/{key}"
            if key in seen:
                repeated.append(place)
            else:
                seen.add(key)
                number = _as_int(key)
                if number is None:
                    custom.append(place)
                elif numbers.setdefault(number, key) != key:
                    colliding.append(place)
            done += 1
            if not done % 10_000:
                progress(done, total)
    return list(_identity_findings(repeated, colliding, custom))


def _as_int(key: str) -> int | None:
    try:
        return int(key)
    except ValueError:
        return None


def _identity_findings(repeated: list[str], colliding: list[str], custom: list[str]) -> Iterator[Finding]:
    if repeated:
        yield Finding(
            "warning",
            "duplicate-ids",
            f"Repeated: {_places(repeated)}. All records are shown; TinyDB and BetterJSONStorage keep only the last.",
            _places(repeated),
            repairable=True,
        )
    if colliding:
        yield Finding(
            "warning",
            "colliding-ids",
            f"Ids that spell the same number as another id: {_places(colliding)}. "
            "TinyDB takes them for the same and drops one at the next write.",
            _places(colliding),
            repairable=True,
        )
    if custom:
        yield Finding(
            "info",
            "custom-ids",
            f"Ids that are no whole numbers: {_places(custom)}. "
            "TinyDB reads such tables only with a document_id_class of its own.",
            _places(custom),
        )


def _places(places: list[str]) -> str:
    shown = ", ".join(places[:PLACES])
    return shown if len(places) <= PLACES else f"{shown} and {len(places) - PLACES:,} more"


def _contents(store: TableStore, reader: Reader, progress: Progress) -> list[Finding]:
    """Look into every document for what a library reads otherwise than it is written."""
    kinds: dict[str, list[str]] = {}
    damaged: list[tuple[str, int, str]] = []
    marked: list[str] = []
    small = store.layout.source.size <= SMALL
    share = 1 / max(len(store.tables), 1)
    for number, name in enumerate(store.tables):
        rows = store.rows(name)
        step = part(progress, number * share, share)
        candidates: Iterable[tuple[int, Record]] = enumerate(rows) if small else suspects(rows, step)
        for row, record in candidates:
            try:
                traps = traps_in(record.value, 2)
            except DecodeError as error:
                damaged.append((f"{name}/{record.key}", rows.offset(row), str(error)))
                continue
            for kind in traps - {"depth"}:
                kinds.setdefault(kind, []).append(f"{name}/{record.key}")
        if _has_marker(rows, step):
            marked.append(name)
    return [*_content_findings(kinds, reader), *_damaged_records(damaged), *_marker_findings(marked)]


def _content_findings(kinds: dict[str, list[str]], reader: Reader) -> Iterator[Finding]:
    for kind, places in sorted(kinds.items()):
        holds = "holds" if len(places) == 1 else "hold"
        yield Finding(
            "warning",
            _CODES.get(kind, kind),
            f"{count(len(places))} {holds} {_THINGS[kind]} ({_places(places)}); {reader.verdicts[kind]}.",
            _places(places),
        )


def _damaged_records(damaged: list[tuple[str, int, str]]) -> Iterator[Finding]:
    if damaged:
        _, offset, reason = damaged[0]
        cannot = "record cannot be read: it is" if len(damaged) == 1 else "records cannot be read: they are"
        yield Finding(
            "error",
            "bad-text",
            f"{len(damaged):,} {cannot} no valid JSON ({_places([place for place, _, _ in damaged])}). "
            f"The first, at byte {offset:,}: {reason}.",
            _places([place for place, _, _ in damaged]),
            repairable=True,
        )


def _has_marker(rows: Rows, progress: Progress) -> bool:
    for _, text, _ in rows.windows():
        if (b"}:" in text or b'"$' in text) and _MARKER.search(text):
            return True
        progress(1, 1)
    return False


def _marker_findings(marked: list[str]) -> Iterator[Finding]:
    if marked:
        yield Finding(
            "info",
            "marker-text",
            f"Table {_places(marked)}: texts begin with a marker such as {{TinyDate}}: of tinydb-serialization, "
            "or keys are named $bytes. They are shown and carried over as the text they are.",
            _places(marked),
        )
