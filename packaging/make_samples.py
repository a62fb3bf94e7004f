"""Makes the sample stores in resources/samples with the real libraries.

Contents, sizes and times are the same each time; some bytes are not, as pycrdt orders the keys of a new Map at random.

Run in an environment of its own, because BetterJSONStorage writes only with an old blosc2:
pip install tinydb==4.9.0 BetterJSONStorage==1.3.2 "blosc2<3" pycrdt-store==0.1.5 jupyter-ydoc==4.2.1 \
    jupyter_server_fileid==0.10.0
"""

from __future__ import annotations

import json
import logging
import random
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import anyio
from BetterJSONStorage import BetterJSONStorage
from jupyter_server_fileid.manager import ArbitraryFileIdManager
from jupyter_ydoc import YNotebook, YUnicode
from pycrdt import Doc, Map, Text, merge_updates
from pycrdt.store import SQLiteYStore
from tinydb import TinyDB

CITIES = ("Rome", "Milan", "Naples", "Turin", "Bari", "Bologna", "Genoa", "Palermo", "Trieste", "Verona")
FIRST = ("Giulia", "Marco", "Chiara", "Luca", "Elena", "Davide", "Sofia", "Matteo", "Alice", "Andrea", "Irene", "Paolo")
LAST = ("Conti", "Ferrari", "Greco", "Rinaldi", "De Luca", "Marchetti", "Bianchi", "Lombardi", "Moretti", "Serra")
GOODS = ("lamp", "chair", "table", "shelf", "rug", "vase", "clock", "mirror", "stool", "desk", "basket", "frame")
NOTES = (
    "Prefers invoices by post",
    "VIP",
    "",
    "Moved\nask for the new street",
    "Refund of 12.50 € still open",
    "日本語も可",
)


def shop(draw: random.Random) -> dict[str, list[dict[str, object]]]:
    """Return the tables of a shop: mixed types, missing fields, integers past 2^53."""
    customers = []
    for _ in range(400):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        customer: dict[str, object] = {
            "name": f"{first} {last}",
            "age": draw.randint(18, 90),
            "city": draw.choice(CITIES),
            "active": draw.random() < 0.7,
            "account": draw.randint(10**8, 10**11)
            if draw.random() < 0.5
            else 9007199254740992 + draw.randint(1, 10**6),
            "address": {"street": f"Via {last} {draw.randint(1, 90)}", "zip": f"{draw.randint(0, 99999):05d}"},
            "joined": f"20{draw.randint(10, 25)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}T09:12:00",
        }
        if draw.random() < 0.9:
            customer["email"] = (
                None if draw.random() < 0.05 else f"{first}.{last}@posta.example".lower().replace(" ", "")
            )
        if draw.random() < 0.4:
            customer["note"] = draw.choice(NOTES)
        if draw.random() < 0.3:
            customer["address"]["geo"] = {"lat": round(draw.uniform(38, 46), 5), "lon": round(draw.uniform(7, 18), 5)}
        customers.append(customer)
    products = [
        {
            "sku": f"{good[:3].upper()}-{number:03d}",
            "title": f"{draw.choice(('Oak', 'Steel', 'Glass', 'Wool'))} {good}",
            "price": draw.choice((9.9, 12.5, 19, 24.99, 39, 59.0, 129, 1e-07, -0.0)),
            "stock": None if draw.random() < 0.1 else draw.randint(0, 300),
            "tags": draw.sample(("new", "sale", "heavy", "fragile", "set"), draw.randint(0, 3)),
        }
        for number, good in enumerate(GOODS * 10)
    ]
    orders = []
    for _ in range(1500):
        lines = [{"sku": draw.choice(products)["sku"], "count": draw.randint(1, 5)} for _ in range(draw.randint(1, 4))]
        order: dict[str, object] = {
            "customer": draw.randint(1, 400),
            "placed": f"2026-{draw.randint(1, 10):02d}-{draw.randint(1, 28):02d}T{draw.randint(8, 20):02d}:15:00Z",
            "lines": lines,
            "total": round(draw.uniform(9, 900), 2),
            "state": draw.choice(("open", "paid", "sent", "returned")),
        }
        if draw.random() < 0.2:
            order["gift"] = {"from": draw.choice(FIRST), "text": "Auguri!"}
        orders.append(order)
    return {"customers": customers, "products": products, "orders": orders}


def write_shop(folder: Path) -> None:
    """Write the shop as default JSONStorage and as BetterJSONStorage, through TinyDB."""
    tables = shop(random.Random(2026))
    with TinyDB(folder / "shop.json") as database:
        for name, rows in tables.items():
            database.table(name).insert_multiple(rows)
    with TinyDB(folder / "shop.db", access_mode="r+", storage=BetterJSONStorage) as database:
        for name, rows in tables.items():
            database.table(name).insert_multiple(rows)


class Author:
    """One browser tab: a replica of the document with a client id of its own."""

    def __init__(self, client: int, kind: type) -> None:
        self.doc = Doc(client_id=client)
        self.shared = kind(self.doc)


class Session:
    """A document that several authors edit in turn; collects each update with its time."""

    def __init__(self, kind: type, clients: dict[str, int], start: float, draw: random.Random) -> None:
        self.authors = {name: Author(client, kind) for name, client in clients.items()}
        self.log: list[tuple[bytes, float]] = []
        self.clock = start
        self.draw = draw

    def edit(self, name: str, change) -> None:
        """Let *name* make *change* (a function of its document); everybody gets the update."""
        author = self.authors[name]
        made: list[bytes] = []
        watching = author.doc.observe(lambda event: made.append(event.update))
        with author.doc.transaction():
            change(author.shared)
        author.doc.unobserve(watching)
        update = merge_updates(*made)
        self.log.append((update, self.clock))
        for other in self.authors.values():
            if other is not author:
                other.doc.apply_update(update)
        self.clock += self.draw.uniform(0.4, 9)

    def type(self, name: str, find, text: str) -> None:
        """Let *name* type *text* word by word at the end of the Text that *find* gives."""
        piece = ""
        for character in text:
            piece += character
            if character in " \n" or len(piece) >= 2:
                self.edit(name, lambda shared, piece=piece: find(shared).__iadd__(piece))
                piece = ""
        if piece:
            self.edit(name, lambda shared: find(shared).__iadd__(piece))

    def pause(self, hours: float) -> None:
        """Let time pass."""
        self.clock += hours * 3600


def cell(identity: str, kind: str, source: str = "") -> dict[str, object]:
    """Return a notebook cell as Jupyter makes it."""
    made: dict[str, object] = {"id": identity, "cell_type": kind, "source": source, "metadata": {}}
    return made | {"outputs": [], "execution_count": None} if kind == "code" else made


ANALYSIS = (
    ("title", "markdown", "Ana", "# Prices of the autumn sale\n\nShared notebook of the pricing group.\n"),
    ("load", "code", "Ana", "import pandas as pd\n\norders = pd.read_json('orders.json')\norders.head()\n"),
    ("clean", "code", "Ana", "def clean(df):\n    df = df.dropna()\n    return df[df.price > 0]\n"),
    ("plot", "code", "Bruno", "orders.groupby('state').total.sum().plot.barh()\n"),
    (
        "notes",
        "markdown",
        "Chen",
        "### Outliers\nRows above the 99.9th percentile are data-entry errors;\nsee 11 March.\n",
    ),
    (
        "model",
        "code",
        "Chen",
        "# the only copy of the discount model\ndef discount(total, returns):\n"
        "    base = 0.12 if total > 250 else 0.05\n"
        "    return max(base - 0.03 * returns, 0.0)\n\norders['discount'] = [\n    discount(t, r) for t, r in "
        "zip(orders.total, orders.returns)\n]\norders.discount.describe()\n",
    ),
    ("check", "code", "Bruno", "assert orders.discount.between(0, 0.12).all()\nprint('ok', len(orders))\n"),
    ("end", "markdown", "Ana", "## Result\nTwelve per cent for large orders, five for all others.\n"),
)


def find_cell(identity: str):
    return lambda shared: next(c for c in shared.ycells if c["id"] == identity)["source"]


def position(shared: YNotebook, identity: str) -> int:
    return next(n for n, c in enumerate(shared.ycells) if c["id"] == identity)


def notebook_session(draw: random.Random, start: float) -> Session:
    """Return four days of a notebook by three authors; one cell is lost on the last day."""
    clients = {"Ana": 2839104177, "Bruno": 911402635, "Chen": 3350018842}
    session = Session(YNotebook, clients, start, draw)

    def begin(shared: YNotebook) -> None:
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        cells = [cell("title", "markdown")]
        shared.set({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
        shared.path = "analysis.ipynb"

    session.edit("Ana", begin)
    for number, (identity, kind, name, text) in enumerate(ANALYSIS):
        if number:
            session.edit(name, lambda shared, i=identity, k=kind: shared.append_cell(cell(i, k)))
        session.type(name, find_cell(identity), text)
        if kind == "code":
            session.edit(name, lambda shared, n=number, i=identity: run_cell(shared, i, n + 1))
        session.pause((0.2, 3, 0.1, 20, 0.5, 24, 0.3, 0.2)[number])
    session.type("Bruno", find_cell("title"), "Owner: Ana. Please keep the order of cells.\n")
    rewrite(session, "Bruno")
    session.pause(15)
    session.edit("Bruno", lambda shared: shared.ycells.pop(position(shared, "model")))  # the lost cell
    session.pause(0.1)
    session.type("Ana", find_cell("end"), "\nNext: compare with spring.\n")
    session.type("Chen", find_cell("notes"), "Checked again on 12 March.\n")
    return session


def run_cell(shared: YNotebook, identity: str, count: int) -> None:
    """Give a cell an output and a number, as a kernel does."""
    found = shared.ycells[position(shared, identity)]
    found["execution_count"] = count
    rows = zip(("open", "paid", "sent", "returned"), (119.0, 20.5, 812.25, 64.0), strict=True)
    text = "\n".join(f"{state:<9} {total:9.2f}" for state, total in rows)
    found["outputs"].append(Map({"output_type": "stream", "name": "stdout", "text": Text(text + "\n")}))


def rewrite(session: Session, name: str) -> None:
    """Change the cleaning cell line by line, as somebody who knows better does."""
    new = "def clean(df, *, drop_na=True):\n    if drop_na:\n        df = df.dropna(subset=['price', 'date'])\n" \
          "    keep = df.price.between(0, df.price.quantile(.999))\n    return df.loc[keep]\n"  # fmt: skip
    session.edit(name, lambda shared: find_cell("clean")(shared).clear())
    session.type(name, find_cell("clean"), new)


def text_session(draw: random.Random, start: float) -> Session:
    """Return a text file that two authors wrote, with a paragraph typed and taken back."""
    session = Session(YUnicode, {"Ana": 2839104178, "Chen": 3350018843}, start, draw)
    session.edit("Ana", lambda shared: setattr(shared, "path", "notes.md"))
    body = lambda shared: shared._ysource  # noqa: E731
    session.type("Ana", body, "# Notes\n\n- ask Bruno about the spring data\n- prices with 4 decimals?\n")
    session.type("Chen", body, "- the supplier password is tulip-4711\n")
    session.edit("Chen", lambda shared: remove_line(shared._ysource, "tulip"))
    session.type("Chen", body, "- moved to the password manager\n- café opens at 9\n")
    return session


def remove_line(text: Text, word: str) -> None:
    """Delete the line with *word*; positions are UTF-8 bytes, and the text before it is ASCII."""
    whole = str(text)
    start = whole.rindex("\n", 0, whole.index(word)) + 1
    del text[start : whole.index("\n", start) + 1]


async def write_ystore(path: Path, documents: dict[str, Session]) -> None:
    """Write each session's updates through the real store, at the times they were made."""

    class Store(SQLiteYStore):
        db_path = str(path)

    for name, session in documents.items():
        async with Store(path=name, log=logging.getLogger("samples")) as store:
            for update, moment in session.log:
                with mock.patch("pycrdt.store.sqlite.time.time", return_value=moment):
                    await store.write(update)


def write_notebook(folder: Path) -> None:
    """Write the shared notebook's store and the table of its file names."""
    start = datetime(2026, 3, 9, 9, 40, tzinfo=UTC).timestamp()
    files = {"analysis.ipynb": notebook_session, "notes.md": text_session}
    with mock.patch(
        "uuid.uuid4", side_effect=["5b1d0c3e-7f7a-4a05-9a57-3f6a7f2f9b10", "c4a1f0d2-6b1e-4d0f-8a7c-1de5b6a90e22"]
    ):
        manager = ArbitraryFileIdManager(db_path=str(folder / "file_id_manager.db"), root_dir="/home/ana/course")
        ids = {name: manager.index(name) for name in files}
    manager.con.close()
    sessions = {}
    for number, (name, make) in enumerate(files.items()):
        kind = "notebook" if name.endswith(".ipynb") else "file"
        sessions[f".{kind}:{ids[name]}.y"] = make(random.Random(number), start + 3600 * number)
    anyio.run(write_ystore, folder / "notebook.ystore.db", sessions)


MANIFEST = [
    {
        "file": "shop.json",
        "icon": "braces",
        "title": "A shop",
        "kind_line": "TinyDB JSON, 2,020 records",
        "text": "Mixed types, missing fields and integers past 2⁵³.",
    },
    {
        "file": "shop.db",
        "icon": "file-archive",
        "title": "The same shop, binary",
        "kind_line": "BetterJSON, 2,020 records",
        "text": "Written by the real library; compress it in two clicks.",
    },
    {
        "file": "notebook/notebook.ystore.db",
        "icon": "notebook-text",
        "title": "A shared notebook",
        "kind_line": "pycrdt ystore, 2 documents",
        "text": "Three authors, 668 versions and one lost cell to recover.",
    },
]


def main(folder: Path) -> None:
    """Make all samples anew."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notebook").mkdir(parents=True)
    write_shop(folder)
    write_notebook(folder / "notebook")
    text = json.dumps(MANIFEST, ensure_ascii=False, indent=1)
    (folder / "samples.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "resources" / "samples")
