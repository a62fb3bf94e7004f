"""Every file of the corpus opens as its manifest and sidecar say, or is refused with the right sentence.

Runs where the corpus lies beside the checkout; the files that a clone alone must read are in tests/golden.
"""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from corpus_cases import CORPUS, refusal, tinydb_cases, ystore_cases

from inspector.model import InspectorError
from inspector.operations import export
from inspector.operations.check import check
from inspector.operations.open import open_store
from inspector.progress import silent

here = pytest.mark.skipif(not CORPUS.exists(), reason="the corpus lies beside the maintainers' checkout only")


def state_of(folder):
    """Return bytes, times and listing of a folder."""
    return {
        path.name: (path.stat().st_mtime_ns, path.stat().st_atime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def loaded(path):
    """Return {collection: records}, or the sentence of refusal."""
    try:
        with open_store(path) as store:
            return {entry.name: list(store.load(entry.name, silent)) for entry in store.collections}
    except InspectorError as error:
        sentence = str(error)
    assert "\n" not in sentence
    assert str(path) in sentence
    return sentence


@here
def test_tinydb_corpus(capsys):
    compared, refused, wrong = [], [], []
    for path, counts in tinydb_cases():
        found, sentence = loaded(path), refusal(path.name)
        if isinstance(found, str):
            refused.append(path.name)
            if sentence is None or not re.search(sentence, found):
                wrong.append(f"{path.name}: refused: {found}")
            continue
        compared.append(path.name)
        if sentence is not None and path.name != "bjs-bitflip-blosclz.db":
            wrong.append(f"{path.name}: opened, should be refused with {sentence!r}")
        elif counts is not None and {name: len(records) for name, records in found.items()} != counts:
            wrong.append(f"{path.name}: { ({name: len(r) for name, r in found.items()}) } is not {counts}")
        for records in found.values():
            for record in records:
                record.text()
    with capsys.disabled():
        print(f"\ntinydb corpus: {len(compared)} files compared, {len(refused)} refused: {', '.join(refused)}")
    assert wrong == []
    assert len(compared) + len(refused) == len(list(tinydb_cases()))


def plain_cell(cell):
    """Return a cell with what only old versions or old formats add or drop taken out."""
    made = {key: value for key, value in cell.items() if key != "execution_state"}
    made["source"] = "".join(made["source"])
    if made.get("cell_type") == "code":
        made.setdefault("execution_count", None)
        made["outputs"] = [plain_output(output) for output in made.get("outputs", [])]
    else:
        made.pop("outputs", None)
        made.pop("execution_count", None)
    return made


def plain_output(output):
    return {key: "".join(value) if key == "text" else value for key, value in output.items()}


def document_problems(name, records, wanted):
    if isinstance(wanted, dict) and "cells" in wanted:
        made = export.as_notebook(records)
        cells = [plain_cell(cell) for cell in made["cells"]]
        expected = [plain_cell(cell) for cell in wanted["cells"]]
        for cell, other in zip(cells, expected, strict=False):
            if "id" not in other:
                cell.pop("id", None)
        if json.dumps(cells, sort_keys=True) != json.dumps(expected, sort_keys=True):
            yield f"{name}: cells differ"
        if (made["nbformat"], made["nbformat_minor"]) != (int(wanted["nbformat"]), int(wanted["nbformat_minor"])):
            yield f"{name}: nbformat differs"
        return
    source = next((record.value for record in records if record.key == "source"), "")
    if source != wanted:
        yield f"{name}: {source!r} is not {wanted!r}"


def wanted_documents(path, sidecar):
    """Return {document name: expected content} of a sidecar, whichever of its shapes it has."""
    stem = path.name.removesuffix(".y")
    if "docs" in sidecar and isinstance(sidecar["docs"], dict):
        return {stem if name == "null" else name: doc["source"] for name, doc in sidecar["docs"].items()}
    if "rooms" in sidecar:
        final = sidecar["final"]
        return {
            f".{room.split(':')[1]}:{room.split(':')[2]}.y": final[room]
            for room in sidecar["rooms"].values()
            if room in final
        }
    expected = sidecar.get("expected", {})
    return {
        stem if path.suffix == ".y" else name: content
        for name, content in expected.items()
        if isinstance(content, str) or (isinstance(content, dict) and "cells" in content)
        if name not in ("note", "was_before", "complete_would_be", "last_record")
    }


SPECIAL = {"unknown_nested_roots.ystore.db", "filestore_cut.y"}
"""Compared by tests of their own in tests/backends."""


@here
def test_ystore_corpus(capsys):
    compared, refused, wrong, damaged = [], [], [], []
    for path, sidecar in ystore_cases():
        found, sentence = loaded(path), refusal(path.name)
        if isinstance(found, str):
            refused.append(path.name)
            if sentence is None or not re.search(sentence, found):
                wrong.append(f"{path.name}: refused: {found}")
            continue
        compared.append(path.name)
        if sentence is not None:
            wrong.append(f"{path.name}: opened, should be refused with {sentence!r}")
        if path.name in SPECIAL:
            continue
        documents = wanted_documents(path, sidecar)
        if not documents and found:
            damaged.append(path.name)
        for name, content in documents.items():
            if name not in found:
                wrong.append(f"{path.name}: no document {name!r}, but {list(found)}")
            else:
                wrong += [f"{path.name}: {problem}" for problem in document_problems(name, found[name], content)]
    with capsys.disabled():
        print(f"\nystore corpus: {len(compared)} files compared, {len(refused)} refused: {', '.join(refused)}")
        print(f"ystore corpus: opened without expected content (damaged on purpose): {', '.join(damaged)}")
    assert wrong == []
    assert len(compared) + len(refused) == len(list(ystore_cases()))


@here
@pytest.mark.slow
@pytest.mark.parametrize("folder", ["tinydb", "ystore/special", "ystore/versions", "ystore/jupyter_5.0.4_session1"])
def test_opening_the_corpus_changes_nothing(folder):
    before = state_of(CORPUS / folder)
    for name in before:
        path = CORPUS / folder / name
        try:
            with open_store(path) as store:
                check(store)
        except InspectorError:
            continue
    after = state_of(CORPUS / folder)
    assert {name: (mtime, digest) for name, (mtime, _, digest) in after.items()} == {
        name: (mtime, digest) for name, (mtime, _, digest) in before.items()
    }
