"""The codecs to measure: a row for each family with a check box and its levels."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from inspector.gui.theme import theme
from inspector.operations import describe
from inspector.operations.benchmark import default_specs
from inspector.operations.charts_model import family_of

_NUMBERS = re.compile(r"\d+")
_LEVELS = 76

_QUIET = """
QLineEdit { background: transparent; border: 1px solid transparent; padding: 0 4px; min-height: 22px; }
QLineEdit:hover { border-color: palette(dark); }
QLineEdit:focus { border: 2px solid palette(highlight); padding: 0 3px; }
QLineEdit:disabled { color: palette(placeholder-text); }
"""


@dataclass(frozen=True, slots=True)
class Family:
    """Codecs that differ by their level only: *stem* and a level make a spec; without levels it is the spec."""

    name: str
    stem: str
    levels: tuple[int, ...]
    usual: bool
    """False for a method beside the usual one of its codec: it starts unchecked."""

    def specs(self, levels: tuple[int, ...]) -> tuple[str, ...]:
        """Return the specs of this family at *levels*."""
        return tuple(f"{self.stem}{level}" for level in levels) if self.levels else (self.stem,)


def families() -> tuple[Family, ...]:
    """Return the families that can be measured here, with the levels that are measured where none are named."""
    found: dict[str, list[str]] = {}
    for spec in default_specs():
        found.setdefault(family_of(spec), []).append(spec)
    return tuple(_family(name, specs) for name, specs in found.items())


def _family(name: str, specs: list[str]) -> Family:
    stem, _, last = specs[0].rpartition("=")
    if not last.isdigit():
        return Family(name, specs[0], (), usual=True)
    levels = tuple(int(spec.rpartition("=")[2]) for spec in specs)
    return Family(name, f"{stem}=", levels, usual=" " not in name)


def unavailable() -> tuple[tuple[str, str], ...]:
    """Return (label, reason) of the codecs whose library is not installed."""
    codecs = describe.formats()["codecs"]
    return tuple((each["label"], each["reason"]) for each in codecs if each["writes"] and not each["available"])


class CodecList(QWidget):
    """Rows of families; `specs` is what is checked, at the levels that stand in the fields."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Codecs"))
        self._rows: list[tuple[Family, QCheckBox, QLineEdit | None]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(0, 1)
        for family in families():
            self._add(family)
        for label, reason in unavailable():
            self._add_missing(label, reason)
        self._restyle()
        theme().changed.connect(self._restyle)

    def specs(self) -> tuple[str, ...]:
        """Return the specs to measure, in the order of the rows."""
        return tuple(
            spec
            for family, box, field in self._rows
            if box.isChecked()
            for spec in family.specs(_levels(field.text()) if field is not None else ())
        )

    def choose(self, specs: tuple[str, ...]) -> None:
        """Check the families of *specs* at exactly these levels, and no others."""
        for family, box, field in self._rows:
            levels = [spec.removeprefix(family.stem) for spec in specs if spec.startswith(family.stem)]
            chosen = [level for level in levels if level.isdigit()]
            box.setChecked(bool(chosen) if family.levels else family.stem in specs)
            if field is not None and chosen:
                field.setText(", ".join(chosen))

    def _add(self, family: Family) -> None:
        row = len(self._rows)
        box = QCheckBox(family.name)
        box.setChecked(family.usual)
        box.toggled.connect(self.changed)
        self._grid.addWidget(box, row, 0)
        field = None
        if family.levels:
            field = QLineEdit(", ".join(map(str, family.levels)))
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.setStyleSheet(_QUIET)
            field.setAccessibleName(self.tr("Levels of {codec}").replace("{codec}", family.name))
            field.setToolTip(self.tr("Levels to measure, separated by commas"))
            field.setEnabled(box.isChecked())
            box.toggled.connect(field.setEnabled)
            field.textChanged.connect(self.changed)
            self._grid.addWidget(field, row, 1)
        self._rows.append((family, box, field))

    def _add_missing(self, label: str, reason: str) -> None:
        box = QCheckBox(self.tr("{codec} (not installed)").replace("{codec}", label))
        box.setEnabled(False)
        box.setToolTip(reason)
        self._grid.addWidget(box, self._grid.rowCount(), 0, 1, 2)

    def _restyle(self) -> None:
        for _, _, field in self._rows:
            if field is not None:
                field.setFixedWidth(theme().px(_LEVELS))


def _levels(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in _NUMBERS.findall(text)))
