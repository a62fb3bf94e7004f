"""Matches the cells of two versions of a notebook: by cell id, else by the same source, else by place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from inspector import values
from inspector.files import readable_size
from inspector.model import Record
from inspector.operations.diff import CellChange, CellState, LineChange, fingerprint, lines
from inspector.operations.record_diff import value_changes
from inspector.progress import Progress, track

Cell = dict[str, Any]


def match_cells(before: Sequence[Record], after: Sequence[Record], progress: Progress) -> list[CellChange]:
    """Return the cells of *after* in order, with those removed from *before* where they stood."""
    old, new = _cells(before), _cells(after)
    partner = _partners(old, new)
    used = set(partner.values())
    kept = _in_order([partner[n] for n in sorted(partner)])
    changes: list[CellChange] = []
    position = 0
    for number, cell in enumerate(track(new, progress, len(new))):
        former = partner.get(number)
        if former is not None and former in kept:
            changes += [_removed(old[n], n) for n in range(position, former) if n not in used]
            position = max(position, former + 1)
        changes.append(_changed(old, former, cell, number, moved=former is not None and former not in kept))
    return changes + [_removed(old[n], n) for n in range(position, len(old)) if n not in used]


def _cells(records: Sequence[Record]) -> list[Cell]:
    return [r.value for r in records if r.key.startswith("cells[") and isinstance(r.value, dict)]


def _partners(old: list[Cell], new: list[Cell]) -> dict[int, int]:
    """Return for each new cell the old one that it continues."""
    found: dict[int, int] = {}
    free = set(range(len(old)))
    for identify in (_by_id, _by_source):
        places: dict[Any, list[int]] = {}
        for number in sorted(free):
            if (mark := identify(old[number])) is not None:
                places.setdefault(mark, []).append(number)
        for number, cell in enumerate(new):
            mark = identify(cell)
            if number not in found and mark is not None and places.get(mark):
                found[number] = places[mark].pop(0)
                free.discard(found[number])
    return found


def _by_id(cell: Cell) -> Any:
    return cell.get("id")


def _by_source(cell: Cell) -> Any:
    text = source(cell)
    return (cell.get("cell_type"), text) if text else None


def _in_order(numbers: list[int]) -> set[int]:
    """Return the longest rising run of *numbers*: the cells that did not move."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        place = bisect_left(tails, number)
        before[number] = tails[place - 1] if place else None
        tails[place : place + 1] = [number]
    run: set[int] = set()
    last = tails[-1] if tails else None
    while last is not None:
        run.add(last)
        last = before[last]
    return run


def source(cell: Cell) -> str:
    """Return a cell's source text; a list of pieces is joined."""
    text = cell.get("source", "")
    return "".join(map(str, text)) if isinstance(text, list) else str(text)


def _count(cell: Cell) -> int | None:
    count = cell.get("execution_count")
    return int(count) if isinstance(count, int | float) else None


def _removed(cell: Cell, number: int) -> CellChange:
    gone = tuple(LineChange(n + 1, None, "-", line) for n, line in enumerate(source(cell).splitlines()))
    return CellChange(
        "removed", str(cell.get("cell_type", "code")), _count(cell), str(cell.get("id", "")), gone,
        before=number, removed=len(gone),
    )  # fmt: skip


def _changed(old: list[Cell], former: int | None, cell: Cell, number: int, *, moved: bool) -> CellChange:
    kind, identity = str(cell.get("cell_type", "code")), str(cell.get("id", ""))
    if former is None:
        fresh = tuple(LineChange(None, n + 1, "+", line) for n, line in enumerate(source(cell).splitlines()))
        return CellChange("added", kind, _count(cell), identity, fresh, after=number, added=len(fresh))
    was = old[former]
    compared = tuple(lines(source(was), source(cell)))
    added, removed = (sum(line.sign == sign for line in compared) for sign in "+-")
    outputs, metadata = _outputs(was, cell), _metadata(was, cell)
    touched = added or removed or outputs or metadata or was.get("cell_type") != cell.get("cell_type")
    state: CellState = "changed" if touched else "moved" if moved else "unchanged"
    return CellChange(
        state, kind, _count(cell), identity, compared, outputs, metadata,
        before=former, after=number, added=added, removed=removed,
    )  # fmt: skip


def _metadata(was: Cell, cell: Cell) -> tuple[str, ...]:
    changes = value_changes(was.get("metadata"), cell.get("metadata"))
    return tuple(f"metadata{path}: {values.write(a)} → {values.write(b)}" for path, a, b in changes)


def _outputs(was: Cell, cell: Cell) -> tuple[str, ...]:
    before, after = _contents(was), _contents(cell)
    notes = []
    for number in range(max(len(before), len(after))):
        old, new = before[number : number + 1], after[number : number + 1]
        if old and new:
            if old[0][2] != new[0][2]:
                sizes = f"{readable_size(old[0][1])} → {readable_size(new[0][1])}"
                notes.append(f"{new[0][0]} changed, {sizes}")
        elif new:
            notes.append(f"{new[0][0]} added, {readable_size(new[0][1])}")
        else:
            notes.append(f"{old[0][0]} removed, {readable_size(old[0][1])}")
    return tuple(notes)


def _contents(cell: Cell) -> list[tuple[str, int, str]]:
    """Return (kind, bytes, hash) for each output, one for each MIME type of it."""
    found = []
    for output in cell.get("outputs") or ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        parts = data if isinstance(data, dict) else {str(output.get("name") or output.get("output_type")): output}
        for name, value in parts.items():
            found.append((str(name), len(values.write(value)), fingerprint(value)))
    return found
