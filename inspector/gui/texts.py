"""Texts for people: sizes, counts, and stored text made visible without being taken for anything else."""

from __future__ import annotations

import re

from PySide6.QtCore import QLocale

TOOLTIP_MOST = 2000
"""Most characters that a tooltip shows."""

_HINTS = (
    (re.compile(r"the configuration that `inspector [^`]*` prints"), "its configuration"),
    (re.compile(r"; `inspector [^`]*`[^.]*"), ""),
    (re.compile(r": inspector [a-z-]+ .*$", re.DOTALL), "."),
    (re.compile(r" with --[a-z-]+(?: [a-z]+(?=\.|$))?"), ""),
    (re.compile(r" with -o\b"), ""),
    (re.compile(r"`([^`\n]*)`"), r"\1"),
)
"""What a sentence says of the command line, and what stays of it in the window."""


def locale() -> QLocale:
    """Return the user's locale; without one, English, since the C locale would run digits together."""
    user = QLocale()
    return QLocale(QLocale.Language.English) if user.language() == QLocale.Language.C else user


def size_text(size: int) -> str:
    """Return a number of bytes for people, in powers of 1000: ``84 kB``, ``4.2 kB``, ``1.9 GB``."""
    if size < 1000:
        return f"{size} B"
    units = ("kB", "MB", "GB", "TB")
    value, step = size / 1000, 0
    # From 999.5 on it would be shown as 1000.
    while value >= 999.5 and step < len(units) - 1:
        value, step = value / 1000, step + 1
    # One decimal up to two digits, none beyond; 9.95 and 99.95 are where rounding adds a digit.
    decimals = 1 if value < (9.95 if step == 0 else 99.95) else 0
    return f"{locale().toString(value, 'f', decimals)} {units[step]}"


def count_text(count: int) -> str:
    """Return a count with the locale's thousands separators."""
    return locale().toString(count)


def for_window(sentence: str) -> str:
    """Return a sentence of an operation without its hints for the command line: the window has buttons for those."""
    for hint, stays in _HINTS:
        sentence = hint.sub(stays, sentence)
    return sentence


def visible(text: str, most: int) -> str:
    """Return at most *most* characters of *text* with a sign for each that would not show or would move others."""
    if text.isprintable() and len(text) <= most:
        return text
    return "".join(map(_sign, text[:most].replace("\r\n", "\n")))


def _sign(character: str) -> str:
    code = ord(character)
    if character in "\n\r\x85\u2028\u2029":
        return "⏎"
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if character == " " or character.isprintable():
        return character
    # Other spaces keep their width; what is left are controls, among them those that reverse the direction.
    return character if character.isspace() else "\ufffd"


def as_tooltip(text: str) -> str:
    """Return *text* as HTML that shows it as it is, wrapped: stored text must not be taken for HTML."""
    import html

    lines = text[: TOOLTIP_MOST + 1].replace("\r\n", "\n").split("\n")
    shown = "\n".join("".join(_sign(c) if c != "\t" else c for c in line) for line in lines)
    return f'<p style="white-space: pre-wrap">{html.escape(shown)}</p>'
