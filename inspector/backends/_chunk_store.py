"""Opens BetterJSONStorage files: which chunk is the newest whole one, what it holds, what else lies in the file.

Version 1.2.6 appends a chunk at every write; 1.3.1 and 1.3.2 leave the tail of a longer, older chunk behind. A crash
leaves part of a chunk, of which the leading whole blocks are still right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.backends._chunks import HEADER, Chunk, decode, decode_leading, made_by, read_header
from inspector.backends._faults import BETTERJSON, at_opening, count
from inspector.backends._scan import Index, Memory
from inspector.backends._shape import lay_out, misfit, reasons
from inspector.backends._survey import Survey
from inspector.backends._tables import Layout, TableStore, decode_name
from inspector.backends._text import Encoding
from inspector.files import Slices
from inspector.model import DecodeError, Finding, InspectorError, StoreInfo
from inspector.progress import Progress, part, silent


@dataclass(frozen=True, slots=True)
class Walk:
    """The chunks of a file in order, and what follows the last whole one: *cut* is a chunk that does not end."""

    chunks: tuple[Chunk, ...]
    cut: Chunk | None
    tail: int


def open_chunks(slices: Slices, progress: Progress) -> TableStore:
    """Return a store over the newest whole chunk of a file, without tables if it is empty. Slow.

    Raises `InspectorError`.
    """
    if not slices.size:
        layout = Layout(Memory(b""), Survey(Index(0, 0), [(0, None)]), Encoding())
        reason = "The file is empty, as a new BetterJSONStorage file is."
        return TableStore(slices.path, layout, info=StoreInfo("betterjson", "blosc2", 0, (reason,)), find=_nothing)
    walk = _walk(slices, progress)
    if walk.chunks:
        return _ChunkStore.of(slices, walk, len(walk.chunks), progress)
    if walk.cut is None:
        raise InspectorError(f"{slices.path} is no BetterJSONStorage file: no blosc chunk begins it.")
    return _cut_off(slices, walk.cut, progress)


def _nothing(store: TableStore) -> Sequence[Finding]:
    return ()


def _spec(chunk: Chunk) -> str:
    return f"blosc2:codec={chunk.codec}"


def evidence(chunk: Chunk, size: int) -> tuple[str, ...]:
    """Return why a file that begins with *chunk* and has *size* bytes is taken for a BetterJSONStorage file."""
    library = "blosc 1" if chunk.version == 2 else "blosc2"
    fit = "as the file has" if chunk.stop == size else f"of the file's {size:,}"
    return (
        f"A {library} chunk header stands at byte 0 (codec {chunk.codec}, typesize {chunk.typesize}).",
        f"The chunk takes {chunk.size:,} bytes, {fit}, and decodes to {chunk.decoded:,}.",
    )


def _walk(slices: Slices, progress: Progress) -> Walk:
    """Step from chunk to chunk by their sizes, as far as headers fit."""
    chunks: list[Chunk] = []
    position = 0
    while position < slices.size:
        chunk = read_header(slices.read(position, min(position + HEADER, slices.size)), position)
        if chunk is None or chunk.stop > slices.size:
            return _confirmed(slices, chunks, chunk, position)
        chunks.append(chunk)
        position = chunk.stop
        progress(position, slices.size)
    return Walk(tuple(chunks), None, position)


def _confirmed(slices: Slices, chunks: list[Chunk], cut: Chunk | None, tail: int) -> Walk:
    """Drop chunks from the end that were read out of garbage: a tail of an older chunk may look like a header."""
    while len(chunks) > 1 and not _is_json(slices, chunks[-1]):
        tail, cut = chunks.pop().start, None
    return Walk(tuple(chunks), cut, tail)


def _is_json(slices: Slices, chunk: Chunk) -> bool:
    try:
        return decode(slices.read(chunk.start, chunk.stop), chunk, silent).lstrip()[:1] == b"{"
    except DecodeError:
        return False


class _ChunkStore(TableStore):
    """A store over one chunk of a file that may hold several: a state each."""

    _slices: Slices
    _walk: Walk

    @classmethod
    def of(cls, slices: Slices, walk: Walk, number: int, progress: Progress) -> _ChunkStore:
        """Decode and index chunk *number* of the walk, counted from 1. Raises `InspectorError`."""
        chunk = walk.chunks[number - 1]
        path = slices.path
        data = slices.read(chunk.start, chunk.stop)
        faults = _file_findings(path, walk, slices.size, shown=number)
        try:
            text = decode(data, chunk, part(progress, 0, 0.5))
        except DecodeError as error:
            text = decode_leading(data, chunk, part(progress, 0, 0.5))
            if not text:
                raise InspectorError(f"{path} is damaged, nothing in it can be read: {error}.") from error
            faults.append(_damaged_blocks(path, chunk, len(text)))
        layout = _laid_out(path, text, part(progress, 0.5, 0.5))
        info = _info(slices, chunk, layout, faults)
        store = cls(path, layout, info=info, find=lambda opened: at_opening(opened, BETTERJSON))
        store._slices, store._walk = slices, walk
        return store

    @property
    def states(self) -> int:
        """Whole states in the file: its chunks."""
        return max(len(self._walk.chunks), 1)

    def state(self, number: int) -> TableStore:
        """Return a store that shows chunk *number*, 1 being the oldest. Raises `InspectorError`."""
        if not 1 <= number <= self.states:
            raise InspectorError(f"{self.path.name} holds {self.states} states; state {number} does not exist.")
        return _ChunkStore.of(self._slices, self._walk, number, silent)


def _laid_out(path: Path, text: bytes, progress: Progress) -> Layout:
    layout = lay_out(Memory(text), progress, guess=False)
    clause = misfit(layout.source, layout.index)
    if clause:
        raise InspectorError(f"{path} is a blosc chunk, but its content is {clause}.")
    return layout


def _info(slices: Slices, chunk: Chunk, layout: Layout, faults: Sequence[Finding]) -> StoreInfo:
    index = layout.index
    names = (decode_name(layout.source.read(table.name_start, table.name_stop)) for table in index.tables)
    why = (*evidence(chunk, slices.size), *reasons(layout.source, index, names))
    return StoreInfo(
        "betterjson",
        _spec(chunk),
        slices.size,
        why,
        decoded_size=chunk.decoded,
        maker=made_by(chunk),
        findings=tuple(faults),
    )


def _file_findings(path: Path, walk: Walk, size: int, *, shown: int) -> list[Finding]:
    found: list[Finding] = []
    number = len(walk.chunks)
    if number > 1:
        which = (
            "The newest, the last, is shown" if shown == number else f"Chunk {shown} is shown, the newest is the last"
        )
        found.append(
            Finding(
                "warning",
                "appended-chunks",
                f"{path.name} holds {number} chunks one after another, as BetterJSONStorage 1.2.6 writes them. "
                f"{which}; BetterJSONStorage itself shows the first, the oldest.",
                f"byte {walk.chunks[-1].start:,}",
                repairable=True,
            )
        )
    if walk.cut is not None:
        found.append(
            Finding(
                "error",
                "truncated",
                f"{path.name} ends in the middle of one more chunk, which begins at byte {walk.tail:,}. "
                f"{'The whole chunk before it' if shown == number else f'Chunk {shown}, which is whole,'} is shown.",
                f"byte {walk.tail:,}",
                repairable=True,
            )
        )
    elif walk.tail < size:
        found.append(
            Finding(
                "warning",
                "stale-tail",
                f"{count(size - walk.tail, 'byte')} of an older, longer state follow the chunk from byte "
                f"{walk.tail:,} on. They are dead weight; BetterJSONStorage 1.2.4 and older cannot open the file.",
                f"byte {walk.tail:,}",
                repairable=True,
            )
        )
    return found


def _damaged_blocks(path: Path, chunk: Chunk, read: int) -> Finding:
    good = read // chunk.block
    return Finding(
        "error",
        "bad-text",
        f"Block {good + 1:,} of {chunk.blocks:,} of {path.name} does not decompress. What the {count(good, 'block')} "
        "before it hold is readable.",
        f"block {good + 1:,}",
        repairable=True,
    )


def _cut_off(slices: Slices, chunk: Chunk, progress: Progress) -> TableStore:
    """Open a file that ends within its only chunk, as far as whole blocks go. Raises `InspectorError`."""
    path = slices.path
    text = decode_leading(slices.read_all(part(progress, 0, 0.3)), chunk, progress)
    place = f"ends at byte {slices.size:,} of {chunk.size:,}"
    if not text:
        raise InspectorError(f"{path} {place}, before its first block is whole, so nothing in it can be read.")
    layout = _laid_out(path, text, progress)
    records = len(layout.index.starts)
    cut = Finding(
        "error",
        "truncated",
        f"{path.name} {place}. {count(records)} in the whole blocks before it can be read. The file was not changed.",
        f"byte {slices.size:,}",
        repairable=True,
    )
    return TableStore(path, layout, info=_info(slices, chunk, layout, [cut]), find=_beyond_the_cut)


def _beyond_the_cut(store: TableStore) -> Sequence[Finding]:
    return [finding for finding in at_opening(store, BETTERJSON) if finding.code != "truncated"]
