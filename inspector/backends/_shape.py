"""Whether a JSON text is a TinyDB database, and what it is if it is not.

All must hold: the root is an object; every value in it is an object of objects, or (TinyDB 1.x) an array of objects
with a whole-number ``_id``. Names of files say nothing: json-server, lowdb and others also write ``db.json``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from inspector import values
from inspector.backends._scan import Index, Source
from inspector.backends._survey import Survey, survey
from inspector.backends._tables import Layout, decode_name
from inspector.backends._text import Encoding, Utf8Check, by_marks, open_text
from inspector.progress import Progress

_PLAIN_NUMBER = re.compile(r"[0-9]+")
_TYPES = {'"': "text", "t": "true", "f": "false", "n": "null", "[": "an array", "{": "an object"}
_HAND_WRITTEN = {
    "'": "single quotes, as Python prints a dict",
    "/": "a comment, as JSON5 allows",
    "#": "a comment",
    ",": "a comma before a closing bracket or another comma",
    "}": "a comma before a closing bracket",
    "]": "a comma before a closing bracket",
}
NO_JSON = "no JSON text"
"""The clause for what does not even begin as JSON; others may know better what it is."""

ITEMS_LOOKED_AT = 100
"""Documents of a TinyDB 1.x table whose ``_id`` is looked at."""


def lay_out(source: Source, progress: Progress, *, guess: bool = True) -> Layout:
    """Index *source*, in whatever encoding it is. Slow. Never raises for bad content.

    Without *guess* it is UTF-8, and bytes that are not are damage.
    """
    found = by_marks(source.read(0, min(4, source.size)))
    check = Utf8Check(source)
    if found.name == "utf-8":
        surveyed = survey(check, found.mark, progress=progress)
        check.finish(progress)
        if check.fault is None or _behind(surveyed, check.fault):
            return Layout(source, surveyed, found)
        if not guess:
            return Layout(source, surveyed, Encoding(damage=check.fault))
    text, encoding = open_text(source, check, progress)
    return Layout(text, survey(text, encoding.mark if text is source else 0, progress=progress), encoding)


def _behind(surveyed: Survey, fault: int) -> bool:
    """Say whether a byte that is no UTF-8 lies only in the garbage behind the newest state."""
    stop = surveyed.states[-1][1]
    return stop is not None and fault >= stop


def misfit(source: Source, index: Index) -> str | None:
    """Return what a text is, as one clause, if it is no TinyDB database; None if it is one."""
    if index.root == "":
        return f"only white space ({source.size:,} bytes); TinyDB does not read it"
    if index.root != "{":
        return _other_root(source, index)
    fault = index.faults[0] if index.faults else None
    if fault and fault.kind == "damage" and (not len(index.starts) or _is_hand_written(source, fault.position)):
        return _not_json(source, index, fault.position)
    if fault and fault.kind == "table":
        return _other_values(source, index, fault.position)
    if fault and fault.kind == "document":
        table = _name(source, index)
        found = _type_at(source, fault.position)
        return f"JSON, but no TinyDB database: in {table} stands {found} where a document should be"
    if not index.has_shape:
        return f"the beginning of a JSON text that ends after {index.end - index.start:,} bytes, before any table"
    return _arrays_without_ids(source, index)


def _is_hand_written(source: Source, position: int) -> bool:
    """Say whether a comment or a single quote stands here, which no damage makes but an editor does."""
    return source.read(position, position + 1) in (b"'", b"/", b"#")


def _name(source: Source, index: Index) -> str:
    table = index.tables[-1]
    return f"table {decode_name(source.read(table.name_start, table.name_stop))}"


def _type_at(source: Source, position: int) -> str:
    first = source.read(position, position + 1).decode("latin-1")
    return _TYPES.get(first, "a number" if first in "-0123456789" else f"{first!r}")


def _other_root(source: Source, index: Index) -> str:
    text = source.read(index.start, min(index.start + 64, index.end))
    if index.root == "[":
        return "a JSON text whose root is an array, not an object of tables"
    try:
        value = values.parse(text)
    except ValueError:
        if text.lstrip()[:2] in (b"//", b"/*"):
            return _not_json(source, index, index.start + len(text) - len(text.lstrip()))
        return NO_JSON
    return f"a JSON text that is only {values.write(value)[:40]}"


def _not_json(source: Source, index: Index, position: int) -> str:
    before = source.read(index.start, position)
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    sign = source.read(position, position + 1).decode("utf-8", "replace")
    why = _HAND_WRITTEN.get(sign, f"{sign!r} is not expected there")
    line = before.count(b"\n") + 1
    return f"no valid JSON: line {line}, column {column}: {why}"


def _other_values(source: Source, index: Index, position: int) -> str:
    text = source.read(index.start, min(index.start + 65536, index.end))
    lines = text.split(b"\n", 2)
    if len(lines) > 1 and all(_is_json_object(line) for line in lines[:2]):
        return "JSON lines, one JSON text on each line"
    if re.search(rb'"type"\s*:\s*"(Feature|FeatureCollection|Topology)"', text):
        return "a GeoJSON text"
    return f"a JSON object, but no TinyDB database: {_type_at(source, position)} stands where a table should be"


def _is_json_object(line: bytes) -> bool:
    try:
        return isinstance(values.parse(line), dict)
    except ValueError:
        return False


def _arrays_without_ids(source: Source, index: Index) -> str | None:
    """Return what a text is whose tables are arrays without whole-number ids, as json-server and lowdb write."""
    arrays = [table for table in index.tables if table.is_array]
    numbers = [n for table in arrays for n in range(table.first, min(table.last, table.first + ITEMS_LOOKED_AT))]
    clause = "a JSON object of arrays, as json-server and lowdb write, without TinyDB 1.x's _id"
    if arrays and not numbers:
        names = {source.read(table.name_start, table.name_stop) for table in arrays}
        return None if b'"_default"' in names else clause
    for number in numbers:
        try:
            members = dict(values.members(values.parse(source.read(index.starts[number], index.stops[number]))))
        except ValueError:
            continue
        if not isinstance(members.get("_id"), int):
            return clause
    return None


def reasons(source: Source, index: Index, names: Iterable[str]) -> tuple[str, ...]:
    """Return the evidence that a text is a TinyDB database, one sentence each."""
    shown = ", ".join(list(names)[:3])
    tables = f"The root of the JSON text is an object of tables ({shown})." if shown else "The root is an empty object."
    if any(table.is_array for table in index.tables):
        return (tables, "Tables are arrays of documents with a whole-number _id, the layout of TinyDB 1.x.")
    ids = [number for number in index.ids[:ITEMS_LOOKED_AT] if number >= 0]
    if not ids:
        return (tables,)
    keys = [_first_key(source, number) for number in ids]
    plain = all(_PLAIN_NUMBER.fullmatch(key) for key in keys)
    return (
        tables,
        "Every document is an object.",
        "Document ids are whole numbers." if plain else "Document ids are not all whole numbers (custom ids).",
    )


def _first_key(source: Source, position: int) -> str:
    head = source.read(position, min(position + 256, source.size))
    match = re.match(rb'"[^"\\]*(?:\\.[^"\\]*)*"', head, re.DOTALL)
    return decode_name(match.group()) if match else ""
