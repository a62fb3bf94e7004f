"""The style sheet for the widgets of Qt that we do not paint ourselves, filled in from tokens.

Lengths that Qt makes a widget's smallest or greatest size are only for Qt's own classes (``.QPushButton``): our
controls, which derive from them, know their size. Rings and lines keep their place: where a focused border is wider,
its padding is less by as much.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import Template

from inspector.gui.tokens import Tokens

GLYPHS: Mapping[str, tuple[str, str]] = {
    "check": ("check", "onAccent"),
    "partial": ("minus", "onAccent"),
    "down": ("chevron-down", "muted"),
    "up": ("chevron-up", "muted"),
    "closed": ("chevron-right", "muted"),
    "left": ("chevron-left", "muted"),
    "leftDisabled": ("chevron-left", "borderStrong"),
    "closedDisabled": ("chevron-right", "borderStrong"),
    "checkDisabled": ("check", "faint"),
}
"""Pictures that the sheet refers to: key, then icon and token."""

_PIXELS = re.compile(r"(\d+)px")

_FIELDS = """
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QAbstractSpinBox {
  background: $surface; color: $text; border: 1px solid $control; border-radius: 6px;
  selection-background-color: $accentLine; selection-color: $text; placeholder-text-color: $faint;
}
QLineEdit { padding: 0 9px; }
.QLineEdit { min-height: 28px; }
QPlainTextEdit, QTextEdit { padding: 3px 5px; }
QComboBox, QAbstractSpinBox { padding: 0 9px; min-height: 28px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {
  border: ${ring}px solid $accent;
}
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { padding: 0 8px; }
QPlainTextEdit:focus, QTextEdit:focus { padding: 2px 4px; }
QLineEdit:disabled, QPlainTextEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {
  background: $sunken; color: $faint; border-color: $border;
}
QComboBox:hover { background: $hover; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url($down); width: 14px; height: 14px; }
QComboBox QAbstractItemView {
  background: $raised; color: $text; border: 1px solid $borderStrong; padding: 4px; outline: none;
  selection-background-color: $accentSoft; selection-color: $text;
}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: 20px; }
QAbstractSpinBox::up-arrow { image: url($up); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url($down); width: 12px; height: 12px; }
"""

_BUTTONS = """
QPushButton {
  background: $raised; color: $text; border: 1px solid $border; border-radius: 6px;
  padding: 0 12px;
}
.QPushButton { min-height: 30px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $track; }
QPushButton:default { background: $accent; color: $onAccent; border-color: $accent; }
QPushButton:default:hover { background: $accentHover; border-color: $accentHover; }
QPushButton:focus { border: ${ring}px solid $accent; padding: 0 11px; }
.QPushButton:focus { min-height: 28px; }
QPushButton:default:focus { border-color: $text; }
QPushButton:disabled { background: $sunken; color: $faint; border-color: $border; }
QToolButton { background: transparent; border: none; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: $hover; }
QToolButton:focus { border: ${ring}px solid $accent; padding: 2px; }
QCheckBox, QRadioButton { color: $text; spacing: 8px; border-radius: 4px; padding: 0 2px; }
.QCheckBox, .QRadioButton { min-height: 24px; }
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {
  width: 14px; height: 14px; border: 1px solid $control; background: $surface;
}
QCheckBox::indicator, QAbstractItemView::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: $radioRadius; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
  background: $accent; border-color: $accent; image: url($check);
}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
  background: $accent; border-color: $accent; image: url($partial);
}
QRadioButton::indicator:checked {
  width: $dot; height: $dot; border: 5px solid $accent; background: $onAccent;
}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { background: $sunken; border-color: $border; }
QCheckBox::indicator:checked:disabled { background: $track; image: url($checkDisabled); }
QRadioButton::indicator:checked:disabled { border-color: $borderStrong; background: $sunken; }
QCheckBox:disabled, QRadioButton:disabled { color: $faint; }
QCheckBox:focus, QRadioButton:focus { border: ${ring}px solid $accent; padding: 0; }
"""

_MENUS = """
QMenuBar { background: transparent; color: $text; border: none; }
QMenuBar::item { background: transparent; padding: 5px 9px; border-radius: 6px; }
QMenuBar::item:selected { background: $hover; }
QMenuBar::item:pressed { background: $track; }
QMenu { background: $raised; color: $text; border: 1px solid $borderStrong; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 10px; border-radius: 4px; min-height: 18px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: $accentSoft; border: $mark; }
QMenu::item:disabled { color: $faint; background: transparent; }
QMenu::separator { height: 1px; background: $border; margin: 4px 6px; }
QMenu::right-arrow { image: url($closed); width: 14px; height: 14px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 6px; border-radius: 4px; border: 1px solid $control; }
QMenu::indicator:checked { background: $accent; border-color: $accent; image: url($check); }
QToolTip { background: $raised; color: $text; border: 1px solid $borderStrong; padding: 4px 6px; }
"""

_VIEWS = """
QAbstractItemView {
  background: $surface; alternate-background-color: $sunken; border: none; outline: none;
  selection-background-color: $accentSoft; selection-color: $text;
}
QTableView { gridline-color: $grid; }
QTreeView::item, QListView::item { min-height: 28px; border: none; }
QTreeView::item:hover, QListView::item:hover { background: $hover; }
QTreeView::item:selected, QListView::item:selected { background: $track; color: $text; }
QTreeView::item:selected:active, QListView::item:selected:active {
  background: $accentSoft; color: $text; border: $mark;
}
QComboBox QAbstractItemView::item:selected { border: $mark; }
QTreeView::branch { background: transparent; border-image: none; image: none; }
QTreeView::branch:hover { background: $hover; }
QTreeView::branch:selected { background: $track; }
QTreeView::branch:selected:active { background: $accentSoft; }
QTreeView::branch:has-children:closed { image: url($closed); }
QTreeView::branch:has-children:open { image: url($down); }
QHeaderView { background: $sunken; border: none; }
QHeaderView::section {
  background: $sunken; color: $muted; border: none; border-bottom: 1px solid $border; padding: 0 12px;
  min-height: 28px;
}
QHeaderView::section:hover { background: $hover; }
QTableCornerButton::section { background: $sunken; border: none; border-bottom: 1px solid $border; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; border: none; padding: 0 12px; min-height: 34px; }
QTabBar::tab { border-top: 2px solid transparent; }
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { background: $surface; color: $text; border-top: 2px solid $accent; }
QTabBar::scroller { width: 56px; }
QTabBar QToolButton { background: $window; border: none; border-left: 1px solid $border; border-radius: 0; }
QTabBar QToolButton::left-arrow { image: url($left); width: 16px; height: 16px; }
QTabBar QToolButton::right-arrow { image: url($closed); width: 16px; height: 16px; }
QTabBar QToolButton::left-arrow:disabled { image: url($leftDisabled); }
QTabBar QToolButton::right-arrow:disabled { image: url($closedDisabled); }
QTabBar QToolButton:hover { background: $hover; }
QTabBar::tab:focus { border: ${ring}px solid $accent; }
"""

_FRAMES = """
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $borderStrong; border-radius: $barRadius; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $control; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollArea { background: transparent; border: none; }
QSplitter::handle { background: $border; }
QMainWindow { background: $window; }
QMainWindow::separator { background: $border; width: 1px; height: 1px; }
QStatusBar { background: $window; color: $muted; border-top: 1px solid $border; }
QStatusBar::item { border: none; }
QDockWidget { border: none; }
QProgressBar { background: $track; border: none; border-radius: 2px; }
.QProgressBar { max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
QSlider::groove:horizontal { background: $track; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal {
  background: $surface; border: 2px solid $accent; width: 12px; margin: -6px 0; border-radius: $sliderRadius;
}
"""


def stylesheet(tokens: Tokens, px: Callable[[float], int], glyphs: Mapping[str, str]) -> str:
    """Return the sheet in *tokens*, its lengths through *px*, its pictures from the paths in *glyphs*."""
    text = "".join((_FIELDS, _BUTTONS, _MENUS, _VIEWS, _FRAMES))

    def scaled(match: re.Match[str]) -> str:
        length = int(match[1])
        return f"{length if length <= 1 else px(length)}px"

    # Qt draws square corners where a radius exceeds half the side, which rounding can bring about.
    lengths = {
        "radioRadius": (px(14) + 2) // 2,
        "dot": px(14) + 2 - 2 * px(5),
        "barRadius": (px(10) - 2 * px(2)) // 2,
        "sliderRadius": (px(12) + 2 * px(2)) // 2,
    }
    sizes = {name: f"{length}px" for name, length in lengths.items()}
    template = Template(_PIXELS.sub(scaled, text))
    # Without soft fills a line shows what is selected.
    mark = f"1px solid {tokens.accent}" if tokens.ring > 2 else "none"
    return template.substitute(tokens.colours(), ring=f"{tokens.ring:g}", mark=mark, **sizes, **glyphs)
