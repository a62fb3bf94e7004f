"""The look of the window: colours, fonts, sizes and motion, one object owned by the application.

`theme()` returns the object that `Theme.apply` left on the running application. Every control asks it
when it paints and repaints on `Theme.changed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from PySide6.QtCore import QCoreApplication, QObject, QTemporaryDir, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette, Qt
from PySide6.QtWidgets import QApplication, QStyle

from inspector.gui.icons import Icons
from inspector.gui.stylesheet import GLYPHS, stylesheet
from inspector.gui.tokens import DARK, LIGHT, Tokens, high_contrast
from inspector.resources import resource

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibilityHints  # Qt 6.10 is the first that has it

__all__ = ["MODES", "Mode", "Theme", "Tokens", "theme"]

Mode = Literal["system", "light", "dark"]

MODES: tuple[Mode, ...] = ("system", "light", "dark")
SMALLEST_SCALE = 0.8
LARGEST_SCALE = 2.0

_PROPERTY = "inspectorTheme"
_SANS = "Inter"
_MONO = "JetBrains Mono"
_FONTS = (
    "Inter-Regular.otf",
    "Inter-Italic.otf",
    "Inter-Medium.otf",
    "Inter-SemiBold.otf",
    "Inter-Bold.otf",
    "JetBrainsMono-Regular.ttf",
    "JetBrainsMono-SemiBold.ttf",
)
_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "sunken",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "faint",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "delText",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "onAccent",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accentText",
    QPalette.ColorRole.LinkVisited: "accentText",
    QPalette.ColorRole.Light: "raised",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "borderStrong",
    QPalette.ColorRole.Shadow: "borderStrong",
}
_TEXT_ROLES = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
)


class Theme(QObject):
    """Colours, fonts, design pixels and durations as the user and the platform want them now."""

    changed = Signal()
    """Colours, text size or contrast changed; palette, fonts and style sheet are already set."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mode: Mode = "system"
        self._scale = 1.0
        self._reduced_motion = False
        self._contrast = False
        self._applied = False
        self._tokens = LIGHT
        self._accessibility: QAccessibilityHints | None = None
        self._dressed: tuple[Tokens, float] | None = None
        self._folder = QTemporaryDir()
        self._glyphs: dict[bytes, str] = {}
        self.icons = Icons()

    def apply(self, app: QApplication) -> None:
        """Dress *app*: style, bundled fonts, palette, style sheet; `theme()` finds this object from now on.

        Raises FileNotFoundError if the installation lacks a font.
        """
        for name in _FONTS:
            QFontDatabase.addApplicationFont(str(resource(f"fonts/{name}")))
        app.setProperty(_PROPERTY, self)
        app.setStyle("Fusion")
        hints = app.styleHints()
        # The object that accessibility() returns dies with its Python owner, so the owner is kept.
        self._hints = hints
        self._accessibility = hints.accessibility() if hasattr(hints, "accessibility") else None
        hints.setColorScheme(_SCHEMES[self._mode])
        hints.colorSchemeChanged.connect(self._refresh)
        if self._accessibility is not None:
            self._accessibility.contrastPreferenceChanged.connect(self._refresh)
        self._applied = True
        self._refresh()

    @property
    def tokens(self) -> Tokens:
        """The colours in use."""
        return self._tokens

    @property
    def mode(self) -> Mode:
        """What the user chose: follow the system, light, or dark."""
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Follow the system, or be light or dark."""
        self._mode = mode
        if self._applied:
            self._hints.setColorScheme(_SCHEMES[mode])
            self._refresh()

    @property
    def text_scale(self) -> float:
        """Factor on all text and design pixels, 0.8 to 2."""
        return self._scale

    def set_look(self, mode: Mode, scale: float) -> None:
        """Set mode and text scale at once: the window is dressed anew once for both."""
        self._scale = min(max(scale, SMALLEST_SCALE), LARGEST_SCALE)
        self.set_mode(mode)

    def set_text_scale(self, scale: float) -> None:
        """Scale text and controls; values outside 0.8 to 2 are moved to the nearer end."""
        self._scale = min(max(scale, SMALLEST_SCALE), LARGEST_SCALE)
        if self._applied:
            self._refresh()

    @property
    def high_contrast(self) -> bool:
        """True if contrast goes before softness, by the user's preference or the platform's."""
        return self._contrast or self._platform_wants_contrast()

    def set_high_contrast(self, wanted: bool) -> None:
        """Set the user's preference; the platform's still holds when this is False."""
        self._contrast = wanted
        if self._applied:
            self._refresh()

    @property
    def reduced_motion(self) -> bool:
        """True if nothing may move, by the user's preference or the platform's."""
        style = QApplication.style()
        return self._reduced_motion or style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0

    def set_reduced_motion(self, reduced: bool) -> None:
        """Set the user's preference; the platform's still holds when this is False."""
        self._reduced_motion = reduced

    def duration(self, milliseconds: int) -> int:
        """Return how long a movement of *milliseconds* lasts: 0 with reduced motion."""
        return 0 if self.reduced_motion else milliseconds

    def color(self, token: str) -> QColor:
        """Return the colour named *token*. Raises AttributeError for a name that is no token."""
        return QColor(cast(str, getattr(self._tokens, token)))

    def px(self, design_pixels: float) -> int:
        """Return whole pixels for a length of the design, scaled with the text, at least 1."""
        return max(round(design_pixels * self._scale), 1)

    @property
    def ring(self) -> float:
        """Width of the focus ring in pixels."""
        return self._tokens.ring

    def font(self, size: float = 13, weight: int = 400, *, mono: bool = False, italic: bool = False) -> QFont:
        """Return a bundled font; *size* in design pixels, *weight* 400, 500, 600 or 700 (mono: 400 or 600)."""
        font = QFont([_MONO, "monospace"] if mono else [_SANS, "sans-serif"])
        font.setPixelSize(self.px(size))
        font.setWeight(QFont.Weight(weight))
        font.setItalic(italic)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if mono:
            font.setFeature(QFont.Tag("calt"), 0)
            font.setStyleHint(QFont.StyleHint.Monospace)
        else:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def glyph(self, name: str, token: str) -> str:
        """Return the path of icon *name* drawn in colour *token*, for style sheets, which take only files."""
        colour = getattr(self._tokens, token)
        text = self.icons.drawings.recoloured(name, colour, 2.0)
        path = self._glyphs.get(text)
        if path is None:
            # Qt caches style sheet pictures by path, so another content needs another name.
            path = self._glyphs[text] = self._folder.filePath(f"{name}-{len(self._glyphs)}.svg")
            with open(path, "wb") as file:
                file.write(text)
        return path

    def _system_is_dark(self) -> bool:
        return self._hints.colorScheme() == Qt.ColorScheme.Dark

    def _platform_wants_contrast(self) -> bool:
        if self._accessibility is None:
            return False
        return bool(self._accessibility.contrastPreference() == Qt.ContrastPreference.HighContrast)

    def _refresh(self) -> None:
        dark = self._mode == "dark" or (self._mode == "system" and self._system_is_dark())
        tokens = DARK if dark else LIGHT
        tokens = high_contrast(tokens) if self.high_contrast else tokens
        if self._dressed == (tokens, self._scale):
            # Setting the colour scheme also brings the platform's signal; dressing every widget twice would show.
            return
        self._dressed = (tokens, self._scale)
        self._tokens = tokens
        self.icons.clear()
        app = cast(QApplication, QCoreApplication.instance())
        # A sheet that takes the place of another has Qt dress each widget once for every widget above it, which is
        # three times slower than taking the old sheet off first.
        app.setStyleSheet("")
        app.setPalette(self._palette())
        app.setFont(self.font())
        glyphs = {key: self.glyph(name, token) for key, (name, token) in GLYPHS.items()}
        app.setStyleSheet(stylesheet(self._tokens, self.px, glyphs))
        self.changed.emit()

    def _palette(self) -> QPalette:
        palette = QPalette()
        for role, token in _ROLES.items():
            palette.setColor(role, self.color(token))
        for role in _TEXT_ROLES:
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("faint"))
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, self.color("track"))
        return palette


def theme() -> Theme:
    """Return the theme of the running application.

    Raises RuntimeError if `Theme.apply` has not been called.
    """
    app = QGuiApplication.instance()
    found = app.property(_PROPERTY) if app is not None else None
    if found is None:
        raise RuntimeError("Theme.apply must be called before the first widget is made")
    return cast(Theme, found)
