"""What a whole file holds: one state of a database, several after one another, and what is none."""

from __future__ import annotations

from dataclasses import dataclass

from inspector.backends._mend import mend
from inspector.backends._scan import Index, Source, scan
from inspector.progress import Progress, silent


@dataclass(slots=True)
class Survey:
    """The whole values in a text and what follows them. *index* is of the newest, `states[-1]`.

    *states*: start and stop of each; the stop of a value that does not end is None.
    *tail*: offset of what follows the last whole value and is none itself, None if only space follows.
    *unfinished* says that the tail is the beginning of one more state.
    """

    index: Index
    states: list[tuple[int, int | None]]
    tail: int | None = None
    unfinished: bool = False


def survey(source: Source, start: int = 0, *, progress: Progress = silent) -> Survey:
    """Index the newest whole state of a text from *start* on; writers that append put it last. Slow."""
    first = scan(source, start, progress=progress)
    mend(source, first)
    found = Survey(first, [(start, first.stop)])
    if not first.has_shape:
        return found
    position = first.stop
    while position is not None:
        begin = _skip_space(source, position)
        if begin == source.size:
            return found
        following = scan(source, begin, progress=progress, strict=True)
        if not following.whole:
            found.tail = begin
            found.unfinished = following.has_shape and not following.fault_count
            return found
        found.states.append((begin, following.stop))
        found.index = following
        position = following.stop
    return found


def _skip_space(source: Source, position: int) -> int:
    while position < source.size:
        piece = source.read(position, min(position + 4096, source.size))
        rest = piece.lstrip(b" \t\n\r")
        if rest:
            return position + len(piece) - len(rest)
        position += len(piece)
    return position
