from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QFontInfo, QFontMetricsF, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from inspector.gui.icons import icon, pixmap, set_icon
from inspector.gui.stylesheet import GLYPHS, stylesheet
from inspector.gui.theme import Theme, theme
from inspector.gui.tokens import DARK, LIGHT, Tokens, contrast, high_contrast
from inspector.resources import resource

SETS = [
    pytest.param(LIGHT, id="light"),
    pytest.param(DARK, id="dark"),
    pytest.param(high_contrast(LIGHT), id="light high contrast"),
    pytest.param(high_contrast(DARK), id="dark high contrast"),
]
PLACES = ("window", "sidebar", "surface", "sunken", "raised", "hover", "accentSoft")
PAIRS = [
    *((text, place) for text in ("text", "muted", "faint", "accentText", "delText") for place in PLACES),
    *((text, place) for text in ("text", "muted", "faint") for place in ("track", "addBg", "delBg", "warnBg")),
    *((text, place) for text in ("tKey", "tNum", "tBool", "tDate") for place in ("surface", "hover", "accentSoft")),
    *((text, place) for text in ("addText", "warnText") for place in PLACES),
    ("addText", "addBg"),
    ("delText", "delBg"),
    ("warnText", "warnBg"),
    ("text", "addStrong"),
    ("text", "delStrong"),
    ("text", "accentLine"),
    ("onAccent", "accent"),
    ("onAccent", "accentHover"),
]


@pytest.mark.parametrize("tokens", SETS)
def test_every_text_stands_out_from_its_background(tokens: Tokens) -> None:
    colours = tokens.colours()
    low = {
        (text, place): round(ratio, 2)
        for text, place in PAIRS
        if (ratio := contrast(colours[text], colours[place])) < 4.5
    }
    assert low == {}


@pytest.mark.parametrize("tokens", SETS)
def test_series_and_outlines_stand_out(tokens: Tokens) -> None:
    colours = tokens.colours()
    assert [series for series in tokens.series if contrast(series, tokens.surface) < 3] == []
    places = ("window", "sidebar", "surface", "sunken")
    assert [place for place in places if contrast(tokens.control, colours[place]) < 3] == []
    assert [place for place in PLACES if contrast(tokens.accent, colours[place]) < 3] == []


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert contrast("#FFFFFF", "#FFFFFF") == 1


def test_no_other_module_of_the_window_holds_a_colour() -> None:
    folder = Path(__file__).parents[2] / "inspector" / "gui"
    literal = re.compile(r"""["'#]#?[0-9A-Fa-f]{6}\b["']|QColor\(\d|GlobalColor\.(?!transparent)|rgba?\(""")
    found = [
        f"{path.name}: {line.strip()}"
        for path in folder.glob("*.py")
        if path.name != "tokens.py"
        for line in path.read_text().splitlines()
        if literal.search(line)
    ]
    assert found == []


def test_mode_changes_palette_tokens_and_tells(qtbot: QtBot, qapp: QApplication, look: Theme) -> None:
    with qtbot.waitSignal(look.changed):
        look.set_mode("dark")
    assert look.tokens == DARK
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == DARK.window
    assert DARK.accent in qapp.styleSheet()
    look.set_mode("light")
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == LIGHT.window
    assert DARK.accent not in qapp.styleSheet()


def test_theme_is_found_through_the_application(dressed: Theme) -> None:
    assert theme() is dressed


@pytest.mark.parametrize(
    ("size", "weight", "mono", "style"),
    [
        (13, 400, False, "Regular"),
        (13, 500, False, "Medium"),
        (13, 600, False, "Semi Bold"),
        (13, 700, False, "Bold"),
        (12, 400, True, "Regular"),
        (12, 600, True, "SemiBold"),
    ],
)
def test_fonts_are_the_bundled_ones(look: Theme, size: int, weight: int, mono: bool, style: str) -> None:
    font = look.font(size, weight, mono=mono)
    info = QFontInfo(font)
    assert info.family() == ("JetBrains Mono" if mono else "Inter")
    assert info.styleName() == style
    assert font.pixelSize() == size
    assert font.hintingPreference() == QFont.HintingPreference.PreferNoHinting


def test_digits_are_equally_wide_and_ligatures_are_off(look: Theme) -> None:
    inter = QFontMetricsF(look.font(13))
    assert inter.horizontalAdvance("1111") == inter.horizontalAdvance("8888")
    mono = look.font(13, mono=True)
    assert mono.featureValue(QFont.Tag("calt")) == 0
    assert mono.isFeatureSet(QFont.Tag("calt"))


def test_text_scale_reaches_fonts_lengths_and_sheet(qapp: QApplication, look: Theme) -> None:
    look.set_text_scale(1.5)
    assert look.font(12).pixelSize() == 18
    assert look.px(28) == 42
    assert qapp.font().pixelSize() == 20
    assert "height: 21px" in qapp.styleSheet()
    look.set_text_scale(9)
    assert look.text_scale == 2.0
    look.set_text_scale(0.1)
    assert look.text_scale == 0.8


@pytest.mark.parametrize("scale", [0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0])
def test_round_things_stay_round_at_every_scale(scale: float) -> None:
    def px(length: float) -> int:
        return max(round(length * scale), 1)

    sheet = stylesheet(LIGHT, px, dict.fromkeys(GLYPHS, "x.svg"))
    radius = int(re.findall(r"QRadioButton::indicator \{ border-radius: (\d+)px", sheet)[0])
    assert 2 * radius <= px(14) + 2
    dot, edge = map(int, re.findall(r"checked \{\s*width: (\d+)px; height: \d+px; border: (\d+)px solid", sheet)[0])
    assert dot + 2 * edge == px(14) + 2


def test_high_contrast_outlines_in_text_and_drops_soft_fills() -> None:
    strong = high_contrast(LIGHT)
    assert strong.border == strong.control == strong.muted == LIGHT.text
    assert strong.accentSoft == strong.addBg == strong.delBg == strong.warnBg == LIGHT.surface
    assert strong.ring == 3
    assert strong._replace(ring=2).accent == LIGHT.accent


def test_reduced_motion_takes_no_time(look: Theme) -> None:
    look.set_reduced_motion(False)
    assert look.duration(160) == 160
    look.set_reduced_motion(True)
    assert look.duration(160) == 0


@pytest.mark.parametrize("path", sorted(resource("icons").glob("*.svg")), ids=lambda path: path.stem)
def test_every_icon_draws_something(path: Path, look: Theme) -> None:
    picture = pixmap(path.stem, "text", 16, 2.0).toImage()
    assert picture.width() == 32
    opaque = sum(picture.pixelColor(x, y).alpha() > 128 for x in range(32) for y in range(32))
    assert 10 < opaque < 1024


def near(colour: QColor, wanted: str) -> bool:
    """Say whether two colours are the same but for the rounding of see-through pixels."""
    other = QColor(wanted)
    return (
        max(abs(colour.red() - other.red()), abs(colour.green() - other.green()), abs(colour.blue() - other.blue())) < 3
    )


def test_icons_take_the_colour_of_their_token(look: Theme) -> None:
    drawn = pixmap("minus", "accent", 16, 1.0).toImage()
    assert near(drawn.pixelColor(8, 8), LIGHT.accent)
    look.set_mode("dark")
    drawn = pixmap("minus", "accent", 16, 1.0).toImage()
    assert near(drawn.pixelColor(8, 8), DARK.accent)


def test_icons_are_drawn_once(look: Theme) -> None:
    assert pixmap("x").cacheKey() == pixmap("x").cacheKey()
    assert icon("x").cacheKey() == icon("x").cacheKey()
    assert icon("x").cacheKey() != icon("x", "text").cacheKey()


def test_a_set_icon_follows_the_theme_and_dies_with_its_owner(look: Theme, qapp: QApplication) -> None:
    action, button = QAction("Close"), QToolButton()
    set_icon(action, "minus", "text")
    set_icon(button, "x")
    set_icon(button, "minus", "text")
    look.set_mode("dark")
    for owner in (action, button):
        drawn = owner.icon().pixmap(16, QIcon.Mode.Normal).toImage()
        assert near(drawn.pixelColor(8, 8), DARK.text)
    del action, button
    look.set_mode("light")


def test_an_unknown_icon_is_named(look: Theme) -> None:
    with pytest.raises(FileNotFoundError, match="no-such-icon"):
        icon("no-such-icon")


def test_fonts_and_icons_carry_their_licences() -> None:
    assert "SIL OPEN FONT LICENSE" in resource("fonts/Inter-OFL.txt").read_text()
    assert "SIL OPEN FONT LICENSE" in resource("fonts/JetBrainsMono-OFL.txt").read_text()
    assert "ISC License" in resource("icons/LICENSE").read_text()
    assert sum(path.stat().st_size for path in resource("fonts").iterdir()) < 3_000_000


class _Platform(QObject):
    """What a platform says about contrast; those that tests run on never say anything."""

    contrastPreferenceChanged = Signal()  # noqa: N815 - Qt's own name

    def __init__(self) -> None:
        super().__init__()
        self.preference = Qt.ContrastPreference.NoPreference

    def contrastPreference(self) -> Qt.ContrastPreference:
        return self.preference


def test_high_contrast_follows_the_platform_and_the_preference(look: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = _Platform()
    monkeypatch.setattr(look, "_accessibility", platform)
    platform.contrastPreferenceChanged.connect(look._refresh)
    assert look.tokens == LIGHT
    platform.preference = Qt.ContrastPreference.HighContrast
    platform.contrastPreferenceChanged.emit()
    assert look.high_contrast
    assert look.tokens == high_contrast(LIGHT)
    assert look.ring == 3
    assert look.color("border") == look.color("text")
    look.set_high_contrast(True)
    platform.preference = Qt.ContrastPreference.NoPreference
    platform.contrastPreferenceChanged.emit()
    assert look.high_contrast
    look.set_mode("dark")
    assert look.tokens == high_contrast(DARK)
    look.set_mode("light")
    look.set_high_contrast(False)
    assert not look.high_contrast
    assert look.tokens == LIGHT


def test_the_platform_is_asked_through_an_object_that_lives(look: Theme) -> None:
    if not hasattr(QGuiApplication.styleHints(), "accessibility"):
        pytest.skip("Qt has no such hint before 6.10")
    assert look._accessibility is not None
    assert isinstance(look._accessibility.contrastPreference(), Qt.ContrastPreference)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_high_contrast_has_no_soft_fill_and_strong_lines(tokens: Tokens) -> None:
    strong = high_contrast(tokens)
    assert {strong.border, strong.borderStrong, strong.control, strong.muted} == {tokens.text}
    assert strong.faint == tokens.muted
    assert {strong.accentSoft, strong.addBg, strong.delBg, strong.warnBg} == {tokens.surface}
    assert strong.ring == 3
