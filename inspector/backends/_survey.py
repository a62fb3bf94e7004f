"""What a whole file holds: one state of a database, several after one another, and what is none."""

from __future__ import annotations

from dataclasses import dataclass

from inspector.backends._mend import mend
from inspector.backends._scan import Index, Source, follow, scan
from inspector.progress import Progress, silent


@dataclass(slots=True, eq=False)
class Survey:
    """The whole values in a text and what follows them. *index* is of the one shown: at first the newest.

    *states*: start and stop of each; the stop of a value that does not end is None.
    *tail*: offset of what follows the last whole value and is none itself, None if only space follows.
    *unfinished* says that the tail is the beginning of one more state.
    """

    index: Index
    states: list[tuple[int, int | None]]
    tail: int | None = None
    unfinished: bool = False

    @property
    def shown(self) -> int:
        """Number of the state that `index` is of, 1 being the oldest."""
        return next(number for number, (start, _) in enumerate(self.states, 1) if start == self.index.start)


def survey(source: Source, start: int = 0, *, progress: Progress = silent) -> Survey:
    """Index the newest whole state of a text from *start* on; writers that append put it last. Slow."""
    first = scan(source, start, progress=progress)
    mend(source, first)
    found = Survey(first, [(start, first.stop)])
    if not first.has_shape:
        return found
    if first.stop is None:
        return found
    following = follow(source, first.stop, progress=progress)
    if following.spans:
        found.states += following.spans
        found.index = scan(source, following.spans[-1][0], progress=progress, strict=True)
    if following.rest is not None:
        found.tail = following.rest.start
        found.unfinished = following.rest.has_shape and not following.rest.fault_count
    return found
