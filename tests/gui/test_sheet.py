from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAccessible, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.controls import Button, Label
from inspector.gui.sheet import Sheet
from inspector.gui.theme import Theme


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def panel_of(window: Window) -> QWidget:
    panel = window.go.parentWidget()
    assert panel is not None
    return panel


class Window(QMainWindow):
    """A window with two buttons, a shortcut, and a sheet with three Tab stops."""

    def __init__(self) -> None:
        super().__init__()
        self.opener, self.other = Button("Open the sheet"), Button("Other")
        self.fired = 0
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.addWidget(self.opener)
        layout.addWidget(self.other)
        self.setCentralWidget(centre)
        shortcut = QShortcut(QKeySequence("Ctrl+W"), self)
        shortcut.activated.connect(self._fire)
        self.resize(960, 600)

    def _fire(self) -> None:
        self.fired += 1

    def open_sheet(self) -> Sheet:
        sheet = Sheet(self, "Compress course.ystore.db")
        self.field = QLineEdit()
        self.field.setAccessibleName("Name")
        self.stop, self.go = Button("Cancel"), Button("Compress", "primary")
        self.stop.clicked.connect(sheet.cancel)
        self.go.clicked.connect(sheet.accept)
        sheet.body.addWidget(self.field)
        sheet.footer.addStretch(1)
        sheet.footer.addWidget(self.stop)
        sheet.footer.addWidget(self.go)
        sheet.set_default(self.go)
        sheet.open()
        return sheet


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    window.opener.setFocus()
    qtbot.waitUntil(window.opener.hasFocus)
    QApplication.processEvents()
    return window


def test_focus_goes_round_inside_the_sheet(window: Window) -> None:
    window.open_sheet()
    stops = []
    for _ in range(4):
        stops.append(focused())
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert stops == [window.field, window.stop, window.go, window.field]
    QTest.keyClick(focused(), Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is window.field


def test_focus_cannot_be_taken_out_of_the_sheet(window: Window) -> None:
    window.open_sheet()
    window.other.setFocus()
    assert QApplication.focusWidget() is window.field


def test_escape_cancels_and_gives_the_focus_back(qtbot: QtBot, window: Window) -> None:
    sheet = window.open_sheet()
    said: list[str] = []
    sheet.cancelled.connect(lambda: said.append("cancelled"))
    sheet.accepted.connect(lambda: said.append("accepted"))
    QTest.keyClick(window.go, Qt.Key.Key_Escape)
    assert said == ["cancelled"]
    assert QApplication.focusWidget() is window.opener
    qtbot.waitUntil(lambda: not shiboken6.isValid(sheet))


def test_enter_in_a_field_presses_the_default_button(qtbot: QtBot, window: Window) -> None:
    sheet = window.open_sheet()
    with qtbot.waitSignal(sheet.accepted):
        QTest.keyClick(window.field, Qt.Key.Key_Return)


def test_enter_never_presses_a_destructive_button(window: Window) -> None:
    sheet = window.open_sheet()
    pressed: list[bool] = []
    window.go.set_kind("danger")
    window.go.clicked.connect(lambda: pressed.append(True))
    for widget in (window.field, window.go):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Return)
    assert pressed == []
    assert sheet.isVisible()


def test_the_windows_shortcuts_rest(window: Window) -> None:
    QTest.keyClick(window.opener, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.fired == 1
    sheet = window.open_sheet()
    QTest.keyClick(window.stop, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.fired == 1
    sheet.cancel()
    QTest.keyClick(window.opener, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.fired == 2


def test_a_click_beside_the_sheet_does_nothing(window: Window) -> None:
    sheet = window.open_sheet()
    assert window.childAt(QPoint(5, 5)) is sheet
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert sheet.isVisible()


def test_screen_readers_meet_a_dialog_with_its_title(window: Window) -> None:
    window.open_sheet()
    interface = QAccessible.queryAccessibleInterface(panel_of(window))
    assert interface.role() == QAccessible.Role.Dialog
    assert interface.text(QAccessible.Text.Name) == "Compress course.ystore.db"


def test_it_follows_the_window_and_never_leaves_it(window: Window) -> None:
    sheet = window.open_sheet()
    sheet.body.addWidget(Label("line\n" * 200))
    QApplication.processEvents()
    panel = panel_of(window)
    window.resize(700, 500)
    QApplication.processEvents()
    assert sheet.geometry() == window.rect()
    assert sheet.rect().contains(panel.geometry())
    assert panel.height() == 500 - 48
    assert panel.rect().contains(window.go.geometry())


def test_it_fades_unless_motion_is_reduced(qtbot: QtBot, window: Window, look: Theme) -> None:
    look.set_reduced_motion(False)
    sheet = window.open_sheet()
    panel = panel_of(window)
    assert panel.graphicsEffect() is not None
    start = panel.y()
    qtbot.waitUntil(lambda: panel.graphicsEffect() is None, timeout=2000)
    assert start - panel.y() == 8
    look.set_reduced_motion(True)
    sheet.cancel()
    assert not sheet.isVisible()


def test_a_change_in_the_sheet_does_not_paint_its_scrim_anew(window: Window, qtbot: QtBot) -> None:
    sheet = window.open_sheet()
    label = Label("Measuring")
    sheet.body.addWidget(label)
    qtbot.wait(100)
    painted = Painted(sheet)
    label.update()
    qtbot.wait(100)
    assert painted.count == 0
    sheet.update()
    qtbot.wait(100)
    assert painted.count > 0
