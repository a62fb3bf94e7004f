"""The colours of the window by their use: a light, a dark and a high-contrast set.

Values are ``#RRGGBB``, or ``#AARRGGBB`` where a colour is see-through. No other module holds a colour.
"""

from __future__ import annotations

from typing import NamedTuple


class Tokens(NamedTuple):
    """One set of colours; a field's name says where its colour is used."""

    dark: bool
    """True for a dark background; platform parts that are not ours follow it."""
    ring: float
    """Width of the focus ring in design pixels."""

    window: str
    sidebar: str
    surface: str
    sunken: str
    raised: str
    hover: str
    track: str
    border: str
    grid: str
    borderStrong: str
    control: str
    text: str
    muted: str
    faint: str
    accent: str
    onAccent: str
    accentHover: str
    accentText: str
    accentSoft: str
    accentLine: str
    addBg: str
    addText: str
    addStrong: str
    delBg: str
    delText: str
    delStrong: str
    warnBg: str
    warnText: str
    tKey: str
    tNum: str
    tBool: str
    tDate: str
    s1: str
    s2: str
    s3: str
    s4: str
    s5: str
    scrim: str
    shadow: str

    @property
    def series(self) -> tuple[str, ...]:
        """Colours of data series in order; a shape or label always goes with them."""
        return (self.s1, self.s2, self.s3, self.s4, self.s5)

    def colours(self) -> dict[str, str]:
        """Return every colour by its name."""
        return {name: colour for name, colour in self._asdict().items() if name not in ("dark", "ring")}


LIGHT = Tokens(
    dark=False,
    ring=2,
    window="#F2F4F7",
    sidebar="#F7F8FA",
    surface="#FFFFFF",
    sunken="#F5F6F9",
    raised="#FFFFFF",
    hover="#EDF0F5",
    track="#E6E9EF",
    border="#E1E5EB",
    grid="#E9ECF1",
    borderStrong="#C5CBD5",
    control="#818A9A",
    text="#1A1F29",
    muted="#4E586A",
    faint="#5F6879",
    accent="#2457D6",
    onAccent="#FFFFFF",
    accentHover="#1D4ABB",
    accentText="#1F4DBF",
    accentSoft="#E7EEFD",
    accentLine="#B9CCF7",
    addBg="#E6F5EC",
    addText="#17663A",
    addStrong="#BFE6CD",
    delBg="#FCEBEB",
    delText="#A3262C",
    delStrong="#F5C9CA",
    warnBg="#FDF4E1",
    warnText="#845400",
    tKey="#3A4252",
    tNum="#1F4DBF",
    tBool="#0B6A63",
    tDate="#7A3B9A",
    s1="#2457D6",
    s2="#D9772B",
    s3="#1B9488",
    s4="#A3479B",
    s5="#7F899A",
    scrim="#6E141A26",
    shadow="#05000000",
)

DARK = Tokens(
    dark=True,
    ring=2,
    window="#13161B",
    sidebar="#171A20",
    surface="#1B1F26",
    sunken="#171B21",
    raised="#232832",
    hover="#262C36",
    track="#2B313B",
    border="#2B313B",
    grid="#272D37",
    borderStrong="#434B59",
    control="#717B8C",
    text="#E6E9EF",
    muted="#A4ADBB",
    faint="#95A0B1",
    accent="#6C98FF",
    onAccent="#0B1326",
    accentHover="#86AAFF",
    accentText="#93B3FF",
    accentSoft="#22304F",
    accentLine="#3A5590",
    addBg="#15301F",
    addText="#86DBA8",
    addStrong="#23573A",
    delBg="#3A1D21",
    delText="#F6A3A7",
    delStrong="#6B2D33",
    warnBg="#352A14",
    warnText="#EBC275",
    tKey="#C4CBD7",
    tNum="#93B3FF",
    tBool="#6FD0C4",
    tDate="#D3A4EA",
    s1="#6C98FF",
    s2="#EE9A55",
    s3="#4CC2B4",
    s4="#D389CB",
    s5="#8B94A4",
    scrim="#99000000",
    shadow="#0A000000",
)


def high_contrast(tokens: Tokens) -> Tokens:
    """Return *tokens* with text-coloured borders, no soft fills and a wider focus ring."""
    return tokens._replace(
        ring=3,
        border=tokens.text,
        grid=tokens.control,
        borderStrong=tokens.text,
        control=tokens.text,
        muted=tokens.text,
        # What is disabled must still differ.
        faint=tokens.muted,
        accentSoft=tokens.surface,
        addBg=tokens.surface,
        delBg=tokens.surface,
        warnBg=tokens.surface,
    )


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#RRGGBB`` as WCAG 2 defines it, 0 to 1."""

    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the WCAG contrast ratio of two opaque colours, 1 to 21."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)
