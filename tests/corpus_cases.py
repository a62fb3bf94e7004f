"""What a correct reader must show of each corpus file; shared by the corpus tests and the golden copies."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"

REFUSED = {
    r"(0byte\.(json|db)|^zero_length\.ystore\.db)$": r"is empty \(0 bytes\)",
    r"^empty-whitespace\.json$": r"only white ?space",
    r"^not-array-root\.json$": r"array",
    r"^not-flat\.json$": r"no store|not a",
    r"^not-geojson\.json$": r"GeoJSON",
    r"^not-html\.json$": r"HTML",
    r"^not-ndjson\.json$": r"JSON [Ll]ines|NDJSON",
    r"^not-null\.json$": r"null",
    r"^not-text\.json$": r"text|JSON",
    r"^json5-comments\.json$": r"comment|JSON5|line 1",
    r"^single-quotes\.json$": r"single quotes|Python",
    r"^not-blosc2-cframe\.b2frame$": r"frame",
    r"^ext-encrypted-jsonstorage\.db$": r"encrypted or",
    r"^ext-(msgpack\.mpdb|torm\.db)$": r"[Mm]essage ?[Pp]ack|msgpack",
    r"^ext-yaml-recipe\.yaml$": r"YAML",
    r"^bjs-inner-notjson\.db$": r"no JSON|not JSON",
    r"^bjs-garbage-like-header\.db$": r"chunk|blosc|header|decompress",
    r"^bjs-crash-trunc\.db$": r"ends|cut|truncated|30,000",
    r"^bjs-bitflip-blosclz\.db$": r"damaged|JSON",
    r"^truncated_header_only\.ystore\.db$": r"SQLite|truncated|ends|header",
    r"^file_id_manager\.db$": r"file.?id|Files|SQLite",
}
"""File names that are refused, and what the sentence must say. `bjs-bitflip` may open in part instead."""

COUNTS = {
    "real-02-T1.json": {"players": 8, "matches": 24},
    "dup-ids.json": {"_default": 4},
    "crash-concat.json": {"test": 0},
    "tinydb-1.0.0.json": {"_default": 1},
    "crash-stale-tail.json": {"_default": 1},
    "empty-object.json": {},
}
"""Where the manifest's count column is prose, or names another reader's answer."""


def refusal(name: str) -> str | None:
    """Return what the sentence must say if a file of this name is refused."""
    return next((sentence for pattern, sentence in REFUSED.items() if re.search(pattern, name)), None)


def tinydb_cases(folder: Path = CORPUS / "tinydb") -> Iterator[tuple[Path, dict[str, int] | None]]:
    """Yield (file, records by table); None where the file is refused or the manifest gives no count."""
    with open(folder / "MANIFEST.tsv", encoding="utf-8", newline="") as manifest:
        for row in csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE):
            path = folder / row["file"]
            yield path, COUNTS.get(path.name, _counts(row["tables and doc counts"]))


def _counts(text: str) -> dict[str, int] | None:
    found = {name: int(number) for name, number in re.findall(r"(\S+)=(\d+)", text)}
    return found or None


def ystore_cases(folder: Path = CORPUS / "ystore") -> Iterator[tuple[Path, dict[str, object]]]:
    """Yield (file, sidecar) for every store and update file."""
    for sidecar in sorted(folder.rglob("*.expected.json")):
        path = sidecar.with_name(sidecar.name.removesuffix(".expected.json"))
        yield path, json.loads(sidecar.read_text(encoding="utf-8"))
