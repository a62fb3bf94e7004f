"""The state of a document after any number of its updates.

Going forward applies what lies between. Going back starts from the nearest state that was kept on the way, which
costs the time of applying it; a state is only kept where nothing waits for missing updates, because encoding a
document drops what waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from inspector.backends._crdt import content
from inspector.backends._crdt.analysis import Analysis
from inspector.backends._crdt.updates import Parsed, parse
from inspector.backends._needs import needs
from inspector.model import DecodeError, InspectorError, Record, Stored, Update
from inspector.progress import Progress, part, track

if TYPE_CHECKING:
    import pycrdt

ROW_WORK = 1500
"""Bytes of one large update that take as long to apply as the overhead of one update."""

KEEP_EVERY = 4 << 20
"""Work, in bytes, after which a state is kept: some 20 ms."""

BUDGET = 64 << 20
"""Bytes of kept states."""

RESTARTS = 30
"""Refused updates for whose sake the document is replayed; of more, what was integrated before the refusal stays."""


def state(stored: Sequence[Stored], version: int, progress: Progress) -> Sequence[Record]:
    """Return the records after the first *version* updates, without learning what each update did."""
    replay = _Replay(stored)
    roots = content.Evidence()
    for row in track(stored[:version], part(progress, 0.0, 0.3), version):
        if (parsed := _parsed(row)) is not None:
            roots.add(parsed)
    for _ in track(replay.forward(version), part(progress, 0.3, 0.5), version):
        pass
    return content.records(replay.doc, roots.roots, part(progress, 0.8, 0.2))


def _parsed(row: Stored) -> Parsed | None:
    """Return the update in *row*, None where it is damaged."""
    if row.data is None:
        return None
    try:
        return parse(row.data)
    except DecodeError:
        return None


class _Replay:
    """A document to which the first `version` updates have been applied."""

    def __init__(self, stored: Sequence[Stored], version: int = 0, state: bytes | None = None) -> None:
        self._stored = stored
        self.refused: set[int] = set()
        """Places of updates that pycrdt does not take."""
        self._restart()
        if state is not None:
            self.doc.apply_update(state)
            self.version = version

    def _restart(self) -> None:
        with needs("pycrdt", "Replaying a CRDT document"):
            import pycrdt

        self.doc: pycrdt.Doc[Any] = pycrdt.Doc()
        self.version = 0

    def forward(self, version: int) -> Iterator[int]:
        """Apply updates until *version* is reached; yield after each."""
        while self.version < version:
            data = self._stored[self.version].data
            if data is not None and self.version not in self.refused:
                self._apply(data)
            self.version += 1
            yield self.version

    def _apply(self, data: bytes) -> None:
        """Apply one update, or refuse it and go on as if it were not there."""
        try:
            self.doc.apply_update(data)
        except ValueError:  # it cannot be read: nothing was changed
            self.refused.add(self.version)
        except RuntimeError:  # it does not fit the document, and a part of it may have been integrated
            self._do_without(self.version, again=len(self.refused) < RESTARTS)
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # the class, no Exception, cannot be imported
                raise
            self._do_without(self.version, again=True)  # the document may be locked

    def _do_without(self, version: int, *, again: bool) -> None:
        self.refused.add(version)
        if again:
            self._restart()
            for _ in self.forward(version):
                pass


class Timeline:
    """The history of one document (`inspector.model.History`): its updates in order, and any version of it."""

    def __init__(self, stored: Sequence[Stored], progress: Progress) -> None:
        """Read what each of the *stored* updates did. Slow: some 60 000 updates a second."""
        self._stored = stored
        self._updates: list[Update] = []
        self._settled: dict[int, dict[int, int]] = {}
        self._kept: dict[int, bytes] = {}
        self._work = list(accumulate((len(row.data or b"") + ROW_WORK for row in stored), initial=0))
        self._analyse(progress)
        self._live = _Replay(stored)

    @property
    def updates(self) -> Sequence[Update]:
        """One for each stored update."""
        return self._updates

    def raw(self) -> Iterator[Stored]:
        """Yield the stored updates."""
        return iter(self._stored)

    def _analyse(self, progress: Progress) -> None:
        analysis, roots = Analysis(), content.Evidence()
        marked = 0
        for number, row in enumerate(track(self._stored, progress, len(self._stored)), 1):
            parsed = _parsed(row)
            if parsed is None:
                self._updates.append(_damaged(number, row))
            else:
                roots.add(parsed)
                deed = analysis.step(parsed)
                self._updates.append(
                    replace(
                        _damaged(number, row),
                        size=len(row.data or b""),
                        clients=deed.clients,
                        kind=deed.kind,
                        inserted=deed.inserted,
                        deleted=deed.deleted,
                    )
                )
            if self._work[number] - marked >= KEEP_EVERY:
                marked = self._work[number]
                settled = analysis.settled_state()
                if settled is not None:
                    self._settled[number] = settled
        self._roots = roots.roots

    def at(self, version: int, progress: Progress) -> Sequence[Record]:
        """Return the records after the first *version* updates. Raises `InspectorError` beyond the last."""
        if not 0 <= version <= len(self._stored):
            raise InspectorError(f"There is no version {version}; this document has versions 0 to {len(self._stored)}.")
        self._approach(version)
        steps = self._live.forward(version)
        for number in track(steps, part(progress, 0.0, 0.7), version - self._live.version):
            self._keep(number)
        for place in self._live.refused:
            self._updates[place] = _damaged(place + 1, self._stored[place])
        return content.records(self._live.doc, self._roots, part(progress, 0.7, 0.3))

    def _approach(self, version: int) -> None:
        """Begin at whatever reaches *version* with the least work: the live document, a kept state, or nothing."""
        costs = {kept: len(state) + self._work[version] - self._work[kept] for kept, state in self._kept.items()}
        costs = {kept: cost for kept, cost in costs.items() if kept <= version}
        costs[0] = self._work[version]
        best = min(costs, key=costs.__getitem__)
        live = self._live
        if live.version > version or self._work[version] - self._work[live.version] > costs[best]:
            self._live = _Replay(self._stored, best, self._kept.get(best))
            self._live.refused |= live.refused

    def _keep(self, number: int) -> None:
        """Keep the state of the live document, now at version *number*, if that is due and loses nothing."""
        settled = self._settled.get(number)
        if settled is None or number in self._kept:
            return
        before = max((kept for kept in self._kept if kept < number), default=0)
        if self._work[number] - self._work[before] < len(self._kept.get(before, b"")):
            return  # a large document: encoding it takes longer than the updates since
        if _clocks(self._live.doc.get_state()) == settled:
            self._kept[number] = self._live.doc.get_update()
        while sum(map(len, self._kept.values())) > BUDGET:
            for thinned in sorted(self._kept)[::2]:
                del self._kept[thinned]


def _damaged(number: int, row: Stored) -> Update:
    stored_bytes = len(row.blob or b"")
    return Update(number, row.time, None, stored_bytes, row.codec, (), "damaged", inserted=0, deleted=0)


def _clocks(state: bytes) -> dict[int, int]:
    """Return the next clock of each client in a state vector: a count, then client and clock, all lib0 integers."""
    numbers: list[int] = []
    value = shift = 0
    for byte in state:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value = shift = 0
    return dict(zip(numbers[1::2], numbers[2::2], strict=True))
