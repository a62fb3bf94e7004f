"""Says what each update of a document did, from its structs alone, without replaying the document.

A clock is known once a struct with it has arrived, whether it could be integrated or still waits for another.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from inspector.backends._crdt.updates import Parsed

_NEVER_VISIBLE = frozenset(("gc", "deleted"))


class Ranges:
    """A set of clocks as half-open ranges in ascending order that neither overlap nor touch."""

    __slots__ = ("starts", "stops")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.stops: list[int] = []

    def add(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Cover *start* to *stop* and return the parts that were not covered before."""
        if stop <= start:
            return []
        first = bisect_left(self.stops, start)
        last = bisect_right(self.starts, stop)
        gaps = []
        position = start
        for index in range(first, last):
            if self.starts[index] > position:
                gaps.append((position, min(self.starts[index], stop)))
            position = max(position, self.stops[index])
        if position < stop:
            gaps.append((position, stop))
        if gaps:
            start = min(start, self.starts[first]) if first < last else start
            self.starts[first:last] = [start]
            self.stops[first:last] = [max(position, stop)]
        return gaps

    def covered(self, start: int, stop: int) -> int:
        """Return how many clocks from *start* to *stop* are covered."""
        first = bisect_right(self.stops, start)
        last = bisect_left(self.starts, stop)
        return sum(min(self.stops[i], stop) - max(self.starts[i], start) for i in range(first, last))


@dataclass(frozen=True, slots=True)
class Deed:
    """What one update did; *clients* in ascending order."""

    kind: Literal["edit", "no-op", "deletion", "full-state"]
    clients: tuple[int, ...]
    inserted: int
    deleted: int


class Analysis:
    """The clocks that a document's updates have brought and deleted so far."""

    def __init__(self) -> None:
        self._known: defaultdict[int, Ranges] = defaultdict(Ranges)
        self._deleted: defaultdict[int, Ranges] = defaultdict(Ranges)

    def step(self, parsed: Parsed) -> Deed:
        """Take in the next update and say what it did.

        *clients* are those whose structs it holds, new or re-sent; a delete set does not say who deletes, so an
        update that holds nothing else has none. *inserted* counts new clock units that arrive as content,
        *deleted* known units that were not deleted before, also where content arrives after its deletion.
        The kinds are those of `Update`; what only deletes beside re-sent structs is a deletion, unless it is the
        whole state.
        """
        new = resent = inserted = deleted = 0
        firsts: dict[int, int] = {}
        for struct in parsed.structs:
            if struct.kind == "skip":
                continue
            firsts.setdefault(struct.client, struct.clock)
            gaps = self._known[struct.client].add(struct.clock, struct.clock + struct.length)
            if not gaps:
                resent += 1
                continue
            new += 1
            gone = self._deleted[struct.client]
            for start, stop in gaps:
                if struct.kind in _NEVER_VISIBLE:
                    gone.add(start, stop)
                else:
                    inserted += stop - start
                    deleted += gone.covered(start, stop)
        deleted += self._delete(parsed)
        whole = bool(firsts) and not any(firsts.values()) and resent > new
        return Deed(_kind(new, deleted, whole), tuple(sorted(firsts)), inserted, deleted)

    def _delete(self, parsed: Parsed) -> int:
        """Return how many known units the delete set newly deletes; unknown ones are remembered."""
        count = 0
        for client, ranges in parsed.deletes.items():
            known, gone = self._known[client], self._deleted[client]
            for clock, length in ranges:
                count += sum(known.covered(start, stop) for start, stop in gone.add(clock, clock + length))
        return count

    def settled_state(self) -> dict[int, int] | None:
        """Return each client's next clock, or None where something still waits for what has not arrived."""
        state = {}
        for client, known in self._known.items():
            if known.starts and (known.starts[0] or len(known.starts) > 1):
                return None
            end = known.stops[0] if known.starts else 0
            gone = self._deleted.get(client)
            if gone and gone.stops and gone.stops[-1] > end:
                return None
            if end:
                state[client] = end
        return state


def _kind(new: int, deleted: int, whole: bool) -> Literal["edit", "no-op", "deletion", "full-state"]:
    if not new and not deleted:
        return "no-op"
    if whole:
        return "full-state"
    return "edit" if new else "deletion"
