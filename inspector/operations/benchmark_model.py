"""The nouns of a benchmark: machine, data sets, results, reports; medians and spreads; their JSON form.

Sizes are bytes, times seconds, speeds MB/s with MB = 10^6 decoded bytes over the median time.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from inspector.model import InspectorError

Unit: TypeAlias = Literal["whole", "block", "row"]
"""What is encoded on its own: all the data, blocks of 1 MiB, or single rows."""

UNITS: tuple[Unit, ...] = get_args(Unit)

MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and quartiles of samples, *count* their number."""

    median: float
    low: float
    high: float
    count: int

    @property
    def relative(self) -> float:
        """Half of the interquartile range as a share of the median: 0.04 is ±4 %."""
        return (self.high - self.low) / 2 / self.median if self.median else 0.0


def spread(samples: Sequence[float]) -> Spread:
    """Return median and quartiles (linear interpolation between samples). Raises ValueError without samples."""
    if not samples:
        raise ValueError("no samples")
    if len(samples) == 1:
        return Spread(samples[0], samples[0], samples[0], 1)
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    return Spread(median, low, high, len(samples))


@dataclass(frozen=True, slots=True)
class Machine:
    """What the figures were taken on; *libraries* maps distribution names to versions."""

    cpu: str
    cores: int
    memory: int | None
    python: str
    system: str
    libraries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DataSet:
    """Data that was measured: *bytes* decoded, *items* its records or updates (1 for a file that is no store).

    A store has its present *codec* and *stored*, its bytes on disk.
    """

    path: str
    bytes: int
    items: int
    description: str = ""
    codec: str = ""
    stored: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One codec on one data set (*data* is its path).

    *size*: encoded bytes; *ratio*: bytes over size; *encode_s* and *decode_s*: seconds of each pass over all the
    data; *grew*: pieces that came out larger than they went in.
    """

    data: str
    codec: str
    unit: Unit
    size: int
    ratio: float
    encode_s: tuple[float, ...]
    decode_s: tuple[float, ...]
    encode_mb_s: float
    decode_mb_s: float
    grew: int

    @property
    def encode(self) -> Spread:
        """Seconds to encode."""
        return spread(self.encode_s)

    @property
    def decode(self) -> Spread:
        """Seconds to decode."""
        return spread(self.decode_s)


@dataclass(frozen=True, slots=True)
class StorageResult:
    """One step (*insert*, *read*, …) of *count* operations on one storage of the real libraries, with one data set.

    *seconds*: each run's time for the whole step; *size*: bytes of the closed file; *notes*: what a reader must know.
    """

    storage: str
    step: str
    seconds: tuple[float, ...]
    size: int
    count: int = 0
    notes: tuple[str, ...] = ()
    data: str = ""

    @property
    def time(self) -> Spread:
        """Seconds of the step."""
        return spread(self.seconds)


@dataclass(frozen=True, slots=True)
class HistoryResult:
    """One way to keep all versions of a document (*data* is its path) that is changed and saved again and again.

    *size*: bytes on disk after the last save; *share*: that over whole JSON of every version; *save_s*: seconds of
    each save; *load_s*: seconds of each load of the deepest version, which has the most saves below it; *verified*:
    what was loaded is what was saved; *control*: it kept a smaller document, only to compare with.
    """

    data: str
    way: str
    size: int
    share: float
    saves: int
    save_s: tuple[float, ...]
    load_s: tuple[float, ...]
    verified: bool
    notes: tuple[str, ...] = ()
    control: bool = False

    @property
    def save(self) -> Spread:
        """Seconds of one save."""
        return spread(self.save_s)

    @property
    def load(self) -> Spread:
        """Seconds to load the deepest version."""
        return spread(self.load_s)

    @property
    def total(self) -> float:
        """Seconds of all saves of one run."""
        return sum(self.save_s) / (len(self.save_s) / self.saves)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A figure of *subject* measured here beside the one that *source* published, None where it published none.

    *unit* is ``bytes``, ``s``, ``MB/s`` or ``×``; *measured* is a median where it is a time or a speed.
    """

    data: str
    subject: str
    figure: str
    unit: str
    measured: float
    published: float | None = None
    source: str = ""

    @property
    def ratio(self) -> float | None:
        """Measured over published, None where nothing was published."""
        return self.measured / self.published if self.published else None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a codec or storage (*subject*) has no result, in one sentence."""

    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """All of one benchmark; *date* is UTC in ISO 8601; *preset* names the published table that was repeated, if any."""

    machine: Machine
    data: tuple[DataSet, ...] = ()
    results: tuple[Result, ...] = ()
    storages: tuple[StorageResult, ...] = ()
    problems: tuple[Problem, ...] = ()
    date: str = ""
    history: tuple[HistoryResult, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    preset: str = ""

    def data_of(self, path: str) -> DataSet:
        """Return the data set *path*. Raises KeyError if there is none."""
        for data in self.data:
            if data.path == path:
                return data
        raise KeyError(path)

    def bytes_of(self, path: str) -> int:
        """Return the decoded bytes of the data set *path*. Raises KeyError if there is none."""
        return self.data_of(path).bytes

    def to_json(self) -> dict[str, Any]:
        """Return the document that ``inspector bench --json`` prints and ``--save`` keeps."""
        return {
            "machine": machine_json(self.machine),
            "data": [fields_json(data) for data in self.data],
            "results": [fields_json(result) for result in self.results],
            "storages": [fields_json(result) for result in self.storages],
            "problems": [fields_json(problem) for problem in self.problems],
            "date": self.date,
            "history": [fields_json(result) for result in self.history],
            "comparisons": [fields_json(each) | {"ratio": each.ratio} for each in self.comparisons],
            "preset": self.preset,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Report:
        """Return the report of `to_json`. Raises KeyError, TypeError or ValueError if *document* is none."""
        return cls(
            machine=machine_from(document["machine"]),
            data=tuple(from_fields(DataSet, each) for each in document["data"]),
            results=tuple(from_fields(Result, each) for each in document["results"]),
            storages=tuple(from_fields(StorageResult, each) for each in document.get("storages", ())),
            problems=tuple(from_fields(Problem, each) for each in document.get("problems", ())),
            date=str(document.get("date", "")),
            history=tuple(from_fields(HistoryResult, each) for each in document.get("history", ())),
            comparisons=tuple(from_fields(Comparison, each) for each in document.get("comparisons", ())),
            preset=str(document.get("preset", "")),
        )


def machine_json(machine: Machine) -> dict[str, Any]:
    """Return the JSON object of *machine*."""
    return fields_json(machine) | {"libraries": dict(machine.libraries)}


def machine_from(document: Mapping[str, Any]) -> Machine:
    """Return the machine of `machine_json`."""
    machine: Machine = from_fields(Machine, document)
    return machine


def fields_json(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass of this module as a JSON object."""
    return {
        name: list(each) if isinstance(each := getattr(value, name), tuple) else each
        for name in type(value).__dataclass_fields__
    }


def from_fields(kind: Any, document: Mapping[str, Any]) -> Any:
    """Return a *kind* of the JSON object *document*; keys of later versions are passed over."""
    known = kind.__dataclass_fields__
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in document.items() if k in known})


def as_text(report: Report) -> str:
    """Return the text of a result file."""
    return json.dumps(report.to_json(), indent=1) + "\n"


def read_report(path: Path) -> Report:
    """Return the report that was saved as *path*. Raises `InspectorError` if there is none."""
    try:
        report = Report.from_json(json.loads(path.read_text("utf-8")))
        for result in report.results:
            report.bytes_of(result.data)
    except OSError as error:
        raise InspectorError(f"{path} cannot be read: {error.strerror}.") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InspectorError(f"{path} is no benchmark result; it is written by inspector bench --save.") from error
    return report
