"""The controls that screens are built of; import them from here.

They take colours, fonts and sizes from the theme, follow it when it changes, and carry an accessible name.
Plain check boxes, radio buttons, combo boxes, spin boxes, menus and sliders are Qt's own: the style sheet dresses them.
"""

from __future__ import annotations

from inspector.gui.controls_buttons import Button, IconButton, Kind
from inspector.gui.controls_fields import CodeField, FieldFrame, SearchField
from inspector.gui.controls_notices import InfoBar, NoticeTone, Toast, announce
from inspector.gui.controls_panels import (
    Bar,
    Card,
    EmptyState,
    ErrorCard,
    IconLabel,
    IconTile,
    Pages,
    Separator,
    button_row,
)
from inspector.gui.controls_segmented import Segmented
from inspector.gui.controls_text import Chip, ElidedLabel, KeyCap, KeyCaps, KeyValueList, Label, Style, Tone

__all__ = [
    "Bar",
    "Button",
    "Card",
    "Chip",
    "CodeField",
    "ElidedLabel",
    "EmptyState",
    "ErrorCard",
    "FieldFrame",
    "IconButton",
    "IconLabel",
    "IconTile",
    "InfoBar",
    "KeyCap",
    "KeyCaps",
    "KeyValueList",
    "Kind",
    "Label",
    "NoticeTone",
    "Pages",
    "SearchField",
    "Segmented",
    "Separator",
    "Style",
    "Toast",
    "Tone",
    "announce",
    "button_row",
]
