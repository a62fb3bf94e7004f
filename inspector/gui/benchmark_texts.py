"""Figures of a benchmark as the window writes them: in the user's locale, where files keep the C locale."""

from __future__ import annotations

import re
from datetime import datetime

from inspector.gui.history_texts import utc_text
from inspector.gui.texts import locale
from inspector.operations.charts_axis import digits3

_FIGURE = re.compile(r"(?<!\S)\d+(?:\.\d+)?(?=[;:,.)]?(?:\s|$))")
"""A number that stands alone: no version (``1.3.2``), no part of a name or path."""


def figure_text(text: str) -> str:
    """Return a figure of the charts, its unit included, in the user's locale: ``1,298``, ``9.63 MB``."""
    number, space, unit = text.partition(" ")
    return _local(number) + space + unit


def speed_text(mb_s: float) -> str:
    """Return a speed with three significant digits at least: ``0.914``, ``1,298``."""
    return _local(digits3(mb_s))


def prose_text(text: str) -> str:
    """Return a sentence of a report with the numbers in it in the user's locale."""
    return _FIGURE.sub(lambda found: _local(found[0]), text)


def date_text(date: str) -> str:
    """Return a report's date for people: ``2026-11-30 21:53:11 UTC``; as it stands where it is none."""
    try:
        return utc_text(datetime.fromisoformat(date).timestamp()) or date
    except ValueError:
        return date


def _local(number: str) -> str:
    return locale().toString(float(number), "f", len(number.partition(".")[2]))
