"""Small stores to convert."""

import pytest
from conversion_cases import TABLES, TRAPS


@pytest.fixture
def tables(tmp_path):
    path = tmp_path / "tables.json"
    path.write_text(TABLES)
    return path


@pytest.fixture
def traps(tmp_path):
    path = tmp_path / "traps.json"
    path.write_text(TRAPS)
    return path


@pytest.fixture
def notebook(samples, tmp_path):
    path = tmp_path / "notebook.ystore.db"
    path.write_bytes((samples / "notebook/notebook.ystore.db").read_bytes())
    return path
