import bz2
import gzip
import json
import lzma
import os
import pickle
import sqlite3
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_cases import GOLDEN

from inspector.backends._foreign import explain

TEXT = json.dumps({"_default": {"1": {"a": 1}}}).encode()


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("not-html.json", "an HTML page"),
        ("not-ndjson.json", "JSON lines"),
        ("not-text.json", "a plain text"),
        ("ext-msgpack.mpdb", "MessagePack map"),
        ("ext-torm.db", "JSON inside a MessagePack binary"),
        ("ext-yaml-recipe.yaml", "a TinyDB database in YAML"),
        ("ext-encrypted-jsonstorage.db", "encrypted or of an unknown kind"),
        ("empty-0byte.json", "empty (0 bytes)"),
    ],
)
def test_foreign_files_of_the_corpus_are_named(name, clause):
    assert clause in explain(GOLDEN / name, (GOLDEN / name).read_bytes())


def test_what_real_programs_write_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("db.json", TEXT)
    with sqlite3.connect(tmp_path / "a.sqlite") as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    made = {
        "gzip": gzip.compress(TEXT),
        "bzip2": bz2.compress(TEXT),
        "xz": lzma.compress(TEXT),
        "zip": (tmp_path / "a.zip").read_bytes(),
        "SQLite": (tmp_path / "a.sqlite").read_bytes(),
        "pickle": pickle.dumps({"a": list(range(100))}, protocol=5),
        "encrypted": os.urandom(5000),
    }
    for word, data in made.items():
        assert word in explain(Path("db.json"), data)


@pytest.mark.parametrize(
    ("head", "clause"),
    [
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"PAR1\x15", "a Parquet table"),
        (b"<?xml version='1.0'?><a/>", "an XML document"),
        (b"---\n# settings\nname:\n  first: a\n", "a YAML text"),
        ("Zoë schrieb".encode(), "a plain text"),
        (b"\x00\x01\x02\x03", None),
    ],
)
def test_beginnings_are_named_or_left_alone(head, clause):
    found = explain(Path("x"), head)
    assert found is None if clause is None else found.startswith(clause)


@given(st.binary(max_size=400))
def test_no_bytes_make_it_raise(head):
    found = explain(Path("x"), head)
    assert found is None or (found and "\n" not in found)
