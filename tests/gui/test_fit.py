"""In every size of window and text, no text is cut, nothing lies outside its place, and targets are large enough."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from screens import walk
from windows import open_window

from inspector.gui.controls import Button, ElidedLabel, Label
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.theme import Theme

TARGET = 24
QT_OWN = ("ScrollLeftButton", "ScrollRightButton", "qt_toolbar_ext_button")


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    yield from open_window(qtbot, settings)


def shown(window: QWidget) -> Iterator[QWidget]:
    """Yield what can be seen and is ours."""
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and widget.objectName() not in QT_OWN and type(widget) is not QAbstractButton:
            yield widget


def cut_text(widget: QWidget) -> bool:
    """Say whether *widget* shows less than all of its text and no tooltip tells the rest."""
    if isinstance(widget, ElidedLabel):
        return widget.fontMetrics().horizontalAdvance(widget.text()) > widget.width() and not widget.toolTip()
    if isinstance(widget, Label):
        room = widget.contentsRect()
        if widget.wordWrap():
            return bool(widget.text()) and widget.heightForWidth(widget.width()) > widget.height() + 1
        lines = widget.text().split("\n")
        return max(map(widget.fontMetrics().horizontalAdvance, lines)) > room.width() + 1 or (
            bool(widget.text()) and len(lines) * widget.fontMetrics().height() > room.height() + 2
        )
    if isinstance(widget, Button):
        return bool(widget.text()) and widget.is_cut
    if isinstance(widget, QCheckBox | QRadioButton):
        return bool(widget.text()) and widget.sizeHint().width() > widget.width() + 1
    return False


def outside(widget: QWidget) -> bool:
    """Say whether a part of *widget* lies outside of what holds it, where no scrolling brings it into view."""
    area, holder = QRect(widget.rect()), widget
    while not holder.isWindow() and (parent := holder.parentWidget()) is not None:
        area.translate(holder.pos())
        holder, scroll = parent, parent.parentWidget()
        content = scroll.widget() if isinstance(scroll, QScrollArea) and scroll.viewport() is holder else None
        if isinstance(scroll, QScrollArea) and content is not None:
            # What is wider than its area is reached only if there is a bar for it.
            reach = QRect(QPoint(0, 0), content.size()).translated(content.pos()).adjusted(-1, -1, 1, 1)
            hidden = content.width() > holder.width() + 1 and not scroll.horizontalScrollBar().isVisible()
            return hidden or not reach.contains(area)
        if not holder.rect().adjusted(-1, -1, 1, 1).contains(area):
            return True
    return False


def named(widget: QWidget) -> str:
    """Return what a failing test calls *widget*."""
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else widget.accessibleName()
    size = f"{widget.width()}x{widget.height()}"
    return f"{type(widget).__name__} {text[:40]!r} in {type(widget.parent()).__name__}, {size}"


def faults(window: QWidget) -> list[str]:
    """Return everything that is cut, outside of its place, or too small to be hit."""
    found = []
    for widget in shown(window):
        if cut_text(widget):
            found.append(f"cut: {named(widget)}")
        # The close buttons of tabs are reached with the arrows of their bar.
        placed = isinstance(widget, QLabel | QAbstractButton | QLineEdit | QComboBox)
        if placed and not isinstance(widget.parent(), QTabBar) and outside(widget):
            found.append(f"outside: {named(widget)}")
        if isinstance(widget, QAbstractButton | QLineEdit | QComboBox):
            inside_spin = isinstance(widget, QLineEdit) and widget.focusProxy() is not None
            if min(widget.width(), widget.height()) < TARGET and not inside_spin:
                found.append(f"small: {named(widget)}")
    return found


def lasting(qtbot: QtBot, window: QWidget) -> list[str]:
    """Return the faults that do not go away when the window has settled."""
    for _ in range(20):
        if not (found := faults(window)):
            break
        qtbot.wait(100)
    return found


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(1440, 900), (1000, 700), (960, 600)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_cut(
    window: MainWindow, qtbot: QtBot, look: Theme, tmp_path: Path, size: tuple[int, int], scale: float
) -> None:
    look.set_text_scale(scale)
    window.resize(*size)
    QApplication.processEvents()
    found = {name: wrong for name in walk(qtbot, window, tmp_path) if (wrong := lasting(qtbot, window))}
    assert found == {}


def test_what_is_cut_is_found(window: MainWindow, qtbot: QtBot) -> None:
    assert lasting(qtbot, window) == []
    label = Label("A text that is longer than its label", "body")
    label.setParent(window._start)
    label.setGeometry(10, 10, 60, 20)
    label.show()
    button = Button("Press this")
    button.setParent(window._start)
    button.setGeometry(window._start.width() - 30, 10, 50, 20)
    button.show()
    assert [fault.partition(":")[0] for fault in faults(window)] == ["cut", "cut", "outside", "small"]
