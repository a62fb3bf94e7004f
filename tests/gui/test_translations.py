"""Texts of the window go through Qt's translation, and every plural has its English singular."""

from __future__ import annotations

import ast
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from inspector.resources import resource

GUI = Path(__file__).resolve().parents[2] / "inspector" / "gui"
SOURCES = sorted(GUI.glob("*.py"))


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def translated_texts(path: Path) -> list[ast.expr]:
    """The text argument of each call of tr or translate."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "tr" and node.args:
            found.append(node.args[0])
        elif name == "translate" and len(node.args) > 1 and is_text(node.args[0]):
            found.append(node.args[1])
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_texts_are_literals_that_the_extractor_sees(path: Path) -> None:
    for text in translated_texts(path):
        assert isinstance(text, ast.Constant | ast.Name), (
            f"{path.name}:{text.lineno} is put together before translation"
        )
        assert not isinstance(text, ast.JoinedStr)


def test_every_plural_has_its_english_forms() -> None:
    sources = {message.findtext("source") for message in ET.parse(resource("i18n/inspector_en.ts")).iter("message")}
    wanted = {
        text.value
        for path in SOURCES
        for text in translated_texts(path)
        if isinstance(text, ast.Constant) and "%Ln" in text.value
    }
    assert wanted == sources, "run make translations"


def test_the_compiled_file_counts(qapp: QCoreApplication) -> None:
    translator = QTranslator()
    assert translator.load(str(resource("i18n/inspector_en.qm")))
    assert translator.translate("BenchmarkPage", "%Ln run(s)", "", 1) == "%Ln run"
    assert translator.translate("BenchmarkPage", "%Ln run(s)", "", 2) == "%Ln runs"


def test_counts_have_thousands_separators() -> None:
    for path in SOURCES:
        for text in translated_texts(path):
            assert not (is_text(text) and "%n" in text.value), f"{path.name}:{text.lineno}: write %Ln"
