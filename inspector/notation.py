"""Records as text for other programs: JSON Lines, plain text, a notebook."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from inspector import values
from inspector.model import InspectorError, Record
from inspector.values import NumberText, RepeatedKeys, Undefined, Value

_CELL = re.compile(r"cells\[\d+\]")


def json_line(collection: str, record: Record) -> str:
    """Return the record as one line of JSON: collection, key and exact value, ASCII. Raises `DecodeError`."""
    head = f'{{"collection": {values.write(collection)}, "key": {values.write(record.key)}, "value": '
    return head + record.text() + "}"


def as_text(records: Sequence[Record]) -> str:
    """Return a document as plain text: its text roots, or the sources of its cells, else its records as JSON."""
    cells = _cells(records)
    if cells:
        return "\n\n".join(_joined(cell.get("source", "")) for cell in cells) + "\n"
    texts = [str(record.value) for record in records if _is_text(record)]
    if texts:
        return "\n".join(texts)
    return "".join(f"{record.key}: {record.text()}\n" for record in records)


def not_in_text(records: Sequence[Record]) -> list[Record]:
    """Return the records that `as_text` does not give whole: what is no text, and cells with more than a source."""
    if _cells(records):
        return [
            record
            for record in records
            if not (_is_cell(record) and dict(values.members(record.value)).keys() == {"source"})
        ]
    texts = [record for record in records if _is_text(record)]
    if not texts:
        return []
    return [record for record in records if len(texts) > 1 or not _is_text(record)]


def is_notebook(records: Sequence[Record]) -> bool:
    """Say whether the records are those of a Jupyter notebook."""
    return any(record.key.startswith("meta.nbformat") for record in records) or bool(_cells(records))


def as_notebook(records: Sequence[Record]) -> dict[str, Any]:
    """Return a notebook document as the content of an ``.ipynb`` file of nbformat 4.

    Only what the document holds, without Jupyter's own bookkeeping (``execution_state``). Raises `InspectorError`
    if the document is no notebook.
    """
    if not is_notebook(records):
        raise InspectorError("This document is no notebook; show it as json or text.")
    meta = {record.key.partition(".")[2]: record.value for record in records if record.key.startswith("meta.")}
    major = _number(meta.get("nbformat"), 4)
    minor = _number(meta.get("nbformat_minor"), 5)
    cells = [_cell(cell, with_id=(major, minor) >= (4, 5), number=n) for n, cell in enumerate(_cells(records))]
    metadata = meta.get("metadata")
    return {
        "cells": cells,
        "metadata": metadata if isinstance(metadata, dict) else {},
        "nbformat": major,
        "nbformat_minor": minor,
    }


def notebook_text(notebook: dict[str, Any]) -> str:
    """Return the text of an ``.ipynb`` file as Jupyter writes it: one space of indent, keys sorted, UTF-8."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True, default=_plain) + "\n"


def _plain(value: Any) -> Any:
    """Return the nearest that JSON as others read it has for a value that it does not hold exactly."""
    if isinstance(value, RepeatedKeys):
        return dict(value.pairs)
    if isinstance(value, NumberText):
        return float(value.text)
    return values.parse(values.write(value))  # bytes and undefined have a marker


def notebook_records(notebook: Value) -> list[Record]:
    """Return the content of an ``.ipynb`` file as the records of a notebook document: none if it is no object."""
    content = notebook if isinstance(notebook, dict) else {}
    cells = content.get("cells")
    rest = [Record(f"meta.{name}", value) for name, value in content.items() if name != "cells"]
    return [*(Record(f"cells[{n}]", cell) for n, cell in enumerate(cells if isinstance(cells, list) else [])), *rest]


def not_in_notebook(records: Sequence[Record]) -> list[Record]:
    """Return the records of a notebook that `as_notebook` does not give whole.

    What Jupyter itself leaves out when it saves the file is not missed: its root ``state``, the ``execution_state`` of
    cells, and their ids before nbformat 4.5.
    """
    return [record for record in records if record.key.partition(".")[0] != "state" and not _is_kept(record)]


def _is_kept(record: Record) -> bool:
    if any(isinstance(value, bytes | NumberText | RepeatedKeys | Undefined) for _, value in values.walk(record.value)):
        return False
    if not _is_cell(record):
        shapes = {"meta.nbformat": int | float, "meta.nbformat_minor": int | float, "meta.metadata": dict}
        return record.key in shapes and isinstance(record.value, shapes[record.key])
    if not isinstance(record.value, dict):
        return False
    made = _cell(record.value, with_id=True, number=0)
    outputs = record.value.get("outputs") or ()
    whole = all(isinstance(output, dict) for output in outputs) and isinstance(record.value.get("metadata", {}), dict)
    return whole and record.value.keys() - made.keys() <= {"execution_state"}


def _cells(records: Sequence[Record]) -> list[dict[str, Any]]:
    return [record.value for record in records if _is_cell(record) and isinstance(record.value, dict)]


def _is_cell(record: Record) -> bool:
    return _CELL.fullmatch(record.key) is not None


def _is_text(record: Record) -> bool:
    return isinstance(record.value, str) and "." not in record.key


def _number(value: Value | None, default: int) -> int:
    return int(value) if isinstance(value, int | float) else default


def _joined(text: Any) -> str:
    return "".join(str(piece) for piece in text) if isinstance(text, list) else str(text)


def _cell(cell: dict[str, Any], *, with_id: bool, number: int) -> dict[str, Any]:
    kind = cell.get("cell_type", "code")
    metadata = cell.get("metadata")
    made: dict[str, Any] = {
        "cell_type": kind,
        "metadata": metadata if isinstance(metadata, dict) else {},
        "source": _joined(cell.get("source", "")),
    }
    if with_id:
        made["id"] = str(cell.get("id") or f"cell-{number}")
    if kind == "code":
        count = cell.get("execution_count")
        made["execution_count"] = int(count) if isinstance(count, int | float) else None
        made["outputs"] = [_output(output) for output in cell.get("outputs") or () if isinstance(output, dict)]
    elif cell.get("attachments"):
        made["attachments"] = cell["attachments"]
    return made


def _output(output: dict[str, Any]) -> dict[str, Any]:
    made = dict(output)
    if "text" in made:  # jupyter_ydoc 3.0.0 stores one item a character
        made["text"] = _joined(made["text"])
    if isinstance(made.get("execution_count"), float):
        made["execution_count"] = int(made["execution_count"])
    return made
