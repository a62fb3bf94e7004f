"""Makes the stores that the benchmark measures: reproducible, of any size, with the libraries their users have."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

WORDS = (
    "order", "invoice", "customer", "total", "delivery", "street", "price", "stock", "return", "refund", "window",
    "table", "chair", "lamp", "shelf", "rug", "payment", "account", "verified", "pending", "shipped", "remark",
    "urgent", "gift", "paper", "colour", "blue", "green", "red", "oak", "steel", "glass",
)  # fmt: skip


def tinydb_file(path: Path, megabytes: float, seed: int = 1) -> None:
    """Write a default JSONStorage file of about *megabytes* million bytes in three tables."""
    draw = random.Random(seed)
    left = int(megabytes * 1e6)
    with open(path, "w", encoding="ascii") as file:
        file.write("{")
        for number, table in enumerate(("people", "orders", "log")):
            file.write(f'{", " if number else ""}"{table}": {{')
            budget = left // 3
            row = 0
            while budget > 0:
                row += 1
                text = json.dumps(_document(draw, row))
                entry = f'{", " if row > 1 else ""}"{row}": {text}'
                file.write(entry)
                budget -= len(entry)
            file.write("}")
        file.write("}")


def _document(draw: random.Random, number: int) -> dict[str, object]:
    document: dict[str, object] = {
        "name": " ".join(draw.choices(WORDS, k=2)),
        "age": draw.randint(1, 99),
        "email": f"{draw.choice(WORDS)}{number}@shop.example",
        "active": draw.random() < 0.5,
        "score": round(draw.random() * 100, 3),
        "account": draw.randint(1, 1 << 60),
        "tags": draw.sample(WORDS, 3),
        "address": {"street": draw.choice(WORDS), "zip": f"{draw.randint(0, 99999):05d}"},
        "text": " ".join(draw.choices(WORDS, k=draw.randint(5, 40))),
    }
    if draw.random() < 0.2:
        document["note"] = None
    return document


def ystore_file(path: Path, megabytes: float, seed: int = 1) -> None:
    """Write a store in pycrdt-store 0.1.5's layout with about *megabytes* million bytes of updates.

    Half of the rows are keystrokes, the bytes are mostly outputs, as in a Jupyter session.
    """
    from pycrdt import Array, Doc, Map, Text

    draw = random.Random(seed)
    database = sqlite3.connect(path)
    database.executescript(
        "PRAGMA auto_vacuum = FULL; VACUUM;"
        "CREATE TABLE yupdates (path TEXT NOT NULL, yupdate BLOB, metadata BLOB, timestamp REAL NOT NULL);"
        "CREATE INDEX idx_yupdates_path_timestamp ON yupdates (path, timestamp);"
        "CREATE TABLE ycheckpoints (path TEXT NOT NULL, checkpoint BLOB NOT NULL, timestamp REAL NOT NULL, "
        "PRIMARY KEY(path)); PRAGMA user_version = 2"
    )
    left, clock = int(megabytes * 1e6), 1_750_000_000.0
    number = 0
    while left > 0:
        number += 1
        doc = Doc(client_id=number)
        cells = doc.get("cells", type=Array)
        rows: list[bytes] = []
        doc.observe(lambda event, rows=rows: rows.append(event.update))
        while sum(map(len, rows)) < min(2_000_000, left + 1000):
            cells.append(Map({"source": Text(), "outputs": Array()}))
            source, outputs = cells[-1]["source"], cells[-1]["outputs"]
            for word in draw.choices(WORDS, k=40):
                source += word[:2]
                source += word[2:] + " "
            lines = (
                f"epoch {n:04d} loss {draw.random():.6f} {draw.choice(WORDS)}" for n in range(draw.randint(50, 2000))
            )
            outputs.append("\n".join(lines))
        name = f".notebook:{number:08d}-0000-4000-8000-000000000000.y"
        stamped = [(name, row, b"", clock + n * 0.5) for n, row in enumerate(rows)]
        database.executemany("INSERT INTO yupdates VALUES (?, ?, ?, ?)", stamped)
        left -= sum(map(len, rows))
        clock += len(rows)
    database.commit()
    database.close()
