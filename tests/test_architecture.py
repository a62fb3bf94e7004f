"""The house: who may call whom, sizes, no Qt below the window. A planted violation must fail."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "inspector"
SOURCES = sorted(path for folder in ("inspector", "tests", "packaging") for path in (ROOT / folder).rglob("*.py"))
FORMATS = {"tinydb", "betterjson", "ystore", "yfile", "jsonl", "csv", "sqlite"}
CODECS = {"zstd", "zlib", "gzip", "bz2", "lzma", "lz4", "brotli", "blosc2"}
HEAVY = {"blosc2", "pycrdt", "orjson", "numpy", "lz4", "zstandard", "brotli", "resvg_py", "tinydb", "regex"}
QT = {"PySide6", "pyqtgraph"}


def lint_imports(folder):
    """Run import-linter on the package in *folder* with our contracts."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(folder)}
    )


def test_layers_hold():
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("values.py", "import inspector.registry"),
        ("backends/tinydb.py", "import inspector.codecs.zlib"),
        ("backends/tinydb.py", "import inspector.operations.open"),
        ("operations/open.py", "import inspector.backends.tinydb"),
        ("operations/open.py", "import PySide6"),
        ("codecs/zlib.py", "import inspector.backends.tinydb"),
        ("backends/yfile.py", "import inspector.backends.tinydb"),
        ("cli/look.py", "import inspector.gui.theme"),
        ("cli/look.py", "import inspector.registry"),
    ],
)
@pytest.mark.slow
def test_a_planted_violation_fails(tmp_path, module, line):
    shutil.copytree(PACKAGE, tmp_path / "inspector", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    planted = tmp_path / "inspector" / module
    text = planted.read_text(encoding="utf-8")
    planted.write_text(
        text.replace("from __future__ import annotations\n", f"from __future__ import annotations\n\n{line}\n", 1)
    )
    assert lint_imports(tmp_path).returncode != 0


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_sizes(path):
    assert path.read_text(encoding="utf-8").count("\n") <= 500
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno + 1 <= 60, f"{node.name} is longer than 60 lines"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=name_of)
def test_heavy_libraries_are_imported_where_they_are_used(path):
    allowed = QT if path.is_relative_to(PACKAGE / "gui") else set()
    for node in tree_of(path).body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        assert not {name.partition(".")[0] for name in names} & ((HEAVY | QT) - allowed), f"line {node.lineno}"


@pytest.mark.parametrize("folder", ["cli", "operations"])
def test_front_ends_and_operations_name_no_format_or_codec(folder):
    """They ask the registry; a name in a comparison would be a special case that the mechanism should know."""
    for path in (PACKAGE / folder).rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Compare):
                words = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
                assert not words & (FORMATS | CODECS), f"{name_of(path)}:{node.lineno}"


def test_the_command_line_works_without_the_window(tmp_path, samples):
    """Deleting gui/ leaves the command line working."""
    shutil.copytree(PACKAGE, tmp_path / "inspector", ignore=shutil.ignore_patterns("__pycache__", "gui"))
    command = [sys.executable, "-m", "inspector", "info", str(samples / "shop.json"), "--json"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert '"format": "tinydb"' in result.stdout


def test_a_verb_imports_no_qt_and_nothing_heavy(samples):
    code = (
        "import sys; from inspector.cli.main import main; "
        f"main(['info', {str(samples / 'shop.json')!r}, '--json']); "
        f"print(sorted({HEAVY | QT!r} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = set(ast.literal_eval(result.stderr))
    assert heavy <= {"numpy"}  # a text over 64 KiB is scanned with numpy
