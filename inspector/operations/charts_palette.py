"""Colours of charts by token name, light and dark: the values of the window's theme, so that exports look like it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LIGHT: Mapping[str, str] = MappingProxyType(
    {
        "surface": "#FFFFFF",
        "text": "#1A1F29",
        "muted": "#4E586A",
        "faint": "#5F6879",
        "border": "#E1E5EB",
        "grid": "#E9ECF1",
        "s1": "#2457D6",
        "s2": "#D9772B",
        "s3": "#1B9488",
        "s4": "#A3479B",
        "s5": "#7F899A",
    }
)

DARK: Mapping[str, str] = MappingProxyType(
    {
        "surface": "#1B1F26",
        "text": "#E6E9EF",
        "muted": "#A4ADBB",
        "faint": "#95A0B1",
        "border": "#2B313B",
        "grid": "#272D37",
        "s1": "#6C98FF",
        "s2": "#EE9A55",
        "s3": "#4CC2B4",
        "s4": "#D389CB",
        "s5": "#8B94A4",
    }
)

SERIES = ("s1", "s2", "s3", "s4", "s5")
"""Tokens of the series colours in the order in which families take them."""


def palette(*, dark: bool) -> Mapping[str, str]:
    """Return the colours of the light or the dark theme by token name."""
    return DARK if dark else LIGHT
