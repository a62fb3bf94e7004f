"""Makes the translation files from the texts in inspector/gui (``make translations``).

English needs one too, for plurals: ``%Ln table(s)`` becomes ``%Ln table`` and ``%Ln tables``. The words in brackets are
resolved by rule, so a new text needs no hand work; other languages are filled in by people.
"""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
TOOLS = Path(sys.executable).parent

SENTENCES = {
    "%Ln records were checked.": "%Ln record was checked.",
    "%Ln that cannot be read were left out.": "%Ln that cannot be read was left out.",
    "%Ln more keys have no column; the inspector shows them.": "%Ln more key has no column; the inspector shows it.",
    "{folder} holds more stores; the first %Ln are opened": "{folder} holds more stores; the first is opened",
}
"""Singulars that follow no rule."""


def plural_forms(source: str) -> tuple[str, str]:
    """Return the singular and plural of ``%Ln change(s)`` or ``%Ln changes``."""
    if source in SENTENCES:
        return SENTENCES[source], source
    if "(" in source:
        return re.sub(r"\((\w+)\)", "", source), re.sub(r"\((\w+)\)", r"\1", source)
    return re.sub(r"(%Ln (?:more )?\w+?)s\b", r"\1", source), source


def fill_english(path: Path) -> int:
    """Write the plural forms into the English file and return how many texts have them."""
    tree = ET.parse(path)
    count = 0
    for context in tree.iter("context"):
        for message in list(context.iter("message")):
            if "%Ln" not in (message.findtext("source") or ""):
                context.remove(message)  # English texts stand in the code
                continue
            message.set("numerus", "yes")  # the extractor misses the count in calls of translate
            translation = message.find("translation")
            if translation is None:
                translation = ET.SubElement(message, "translation")
            translation.attrib.pop("type", None)
            translation.text = None
            for form in list(translation):
                translation.remove(form)
            for text in plural_forms(message.findtext("source") or ""):
                ET.SubElement(translation, "numerusform").text = text
            for location in list(message.findall("location")):
                message.remove(location)
            count += 1
    for context in list(tree.getroot().findall("context")):
        if context.find("message") is None:
            tree.getroot().remove(context)
    ET.indent(tree)
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n' + ET.tostring(tree.getroot(), "unicode") + "\n",
        encoding="utf-8",
    )
    return count


def main() -> None:
    """Extract all texts, resolve English plurals, compile."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / "inspector_en.ts"
    path.unlink(missing_ok=True)
    sources = [str(source.relative_to(ROOT)) for source in sorted((ROOT / "inspector" / "gui").glob("*.py"))]
    command = [TOOLS / "pyside6-lupdate", *sources, "-ts", path, "-source-language", "en", "-target-language", "en"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    count = fill_english(path)
    compiled = path.with_suffix(".qm")
    command = [TOOLS / "pyside6-lrelease", path, "-qm", compiled]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    print(f"{count} texts with plurals in {compiled.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
