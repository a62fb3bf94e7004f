from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui import controls_notices
from inspector.gui.controls import (
    Bar,
    Button,
    Card,
    Chip,
    CodeField,
    ElidedLabel,
    EmptyState,
    ErrorCard,
    FieldFrame,
    IconButton,
    IconTile,
    InfoBar,
    KeyCap,
    KeyCaps,
    KeyValueList,
    Kind,
    Label,
    SearchField,
    Segmented,
    Separator,
    Toast,
)
from inspector.gui.theme import Theme

VIEWS = [("table-2", "Records"), ("list-tree", "Tree"), (None, "Raw")]
MAKERS: Sequence[Callable[[], QWidget]] = [
    lambda: Button("Open…", icon="folder-open"),
    lambda: IconButton("x", "Close"),
    lambda: Segmented(VIEWS, "View"),
    lambda: Chip("Changed", "warn"),
    lambda: KeyCaps("Ctrl+Shift+P"),
    lambda: Card("Buttons", note="two"),
    lambda: SearchField("Go to store", shortcut="Ctrl+P"),
    lambda: FieldFrame("Filter", icon="filter", mono=True),
    lambda: CodeField('doc["a"]'),
    lambda: Label("Body"),
    lambda: ElidedLabel("/a/long/path", "mono", middle=True),
    lambda: KeyValueList([("Updates", "3,917")]),
    lambda: Bar("Decoding orders"),
    lambda: Separator(),
    lambda: IconTile("table-2"),
    lambda: EmptyState("search", "No record matches", "38 were checked.", [Button("Clear filter")]),
    lambda: ErrorCard("x.json ends early", "Byte 3 of 9.", "The file was not changed."),
    lambda: InfoBar("warning", "3 staged edits", [Button("Write", "primary", height=28)]),
]


Row = Callable[..., QWidget]


@pytest.fixture
def row(qtbot: QtBot) -> Row:
    """Shows widgets side by side in an active window that lives as long as the test."""
    windows = []

    def show(*widgets: QWidget) -> QWidget:
        window = QWidget()
        windows.append(window)
        layout = QHBoxLayout(window)
        for widget in widgets:
            layout.addWidget(widget)
        qtbot.addWidget(window)
        window.show()
        window.activateWindow()
        qtbot.waitActive(window)
        QApplication.processEvents()
        return window

    return show


def has_colour(widget: QWidget, colour: str) -> bool:
    picture = widget.grab().toImage()
    return any(
        picture.pixelColor(x, y).name().upper() == colour
        for x in range(picture.width())
        for y in range(picture.height())
    )


def spoken(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


@pytest.mark.parametrize("maker", MAKERS)
def test_every_control_repaints_in_the_other_theme(row: Row, look: Theme, maker: Callable[[], QWidget]) -> None:
    control = maker()
    window = row(control)
    light = window.grab().toImage()
    look.set_mode("dark")
    QApplication.processEvents()
    assert window.grab().toImage() != light
    look.set_mode("light")
    QApplication.processEvents()
    assert window.grab().toImage() == light


@pytest.mark.parametrize("maker", MAKERS)
def test_every_control_grows_with_the_text(row: Row, look: Theme, maker: Callable[[], QWidget]) -> None:
    control = maker()
    row(control)
    before = control.sizeHint()
    look.set_text_scale(2)
    QApplication.processEvents()
    after = control.sizeHint()
    if not isinstance(control, Separator):
        assert after.height() > before.height()


@pytest.mark.parametrize("maker", MAKERS)
def test_every_part_that_takes_the_focus_has_a_name(row: Row, maker: Callable[[], QWidget]) -> None:
    control = maker()
    row(control)
    parts = [control, *control.findChildren(QWidget)]
    nameless = [part for part in parts if part.focusPolicy() & Qt.FocusPolicy.TabFocus and not spoken(part)]
    assert nameless == []


@pytest.mark.parametrize("maker", MAKERS)
def test_a_dead_control_does_not_hear_of_themes(look: Theme, maker: Callable[[], QWidget]) -> None:
    maker().deleteLater()
    QApplication.processEvents()
    look.set_mode("dark")


@pytest.mark.parametrize("height", [28, 30, 32, 34, 36])
def test_buttons_are_as_high_as_they_are_told(row: Row, height: int) -> None:
    button = Button("Open…", height=height)
    row(button)
    assert button.height() == height


@pytest.mark.parametrize(
    ("kind", "fill"), [("primary", "accent"), ("secondary", "raised"), ("danger", "delText"), ("link", "accentText")]
)
def test_kinds_have_their_colours(row: Row, look: Theme, kind: Kind, fill: str) -> None:
    button = Button("Discard 3 edits", kind)
    row(button)
    picture = button.grab().toImage()
    wanted = look.color(fill)
    nearest = min(
        abs(picture.pixelColor(x, y).red() - wanted.red())
        + abs(picture.pixelColor(x, y).green() - wanted.green())
        + abs(picture.pixelColor(x, y).blue() - wanted.blue())
        for x in range(picture.width())
        for y in range(picture.height())
    )
    assert nearest < 40


@pytest.mark.parametrize("maker", [lambda: Button("Go"), lambda: IconButton("x", "Close")])
def test_the_focus_ring_shows_for_the_keyboard_only(
    row: Row, look: Theme, maker: Callable[[], Button | IconButton]
) -> None:
    button, other = maker(), QLineEdit()
    row(other, button)
    other.setFocus()
    assert not has_colour(button, look.tokens.accent)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert has_colour(button, look.tokens.accent)
    other.setFocus()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not has_colour(button, look.tokens.accent)


def test_enter_presses_a_button_but_no_dangerous_one(row: Row) -> None:
    pressed: list[str] = []
    safe, danger, icon = Button("Write", "primary"), Button("Discard", "danger"), IconButton("x", "Close")
    row(safe, danger, icon)
    for button, name in ((safe, "safe"), (danger, "danger"), (icon, "icon")):
        button.clicked.connect(lambda _=False, name=name: pressed.append(name))
        QTest.keyClick(button, Qt.Key.Key_Return)
    assert pressed == ["safe", "icon"]
    QTest.keyClick(danger, Qt.Key.Key_Space)
    assert pressed == ["safe", "icon", "danger"]


def test_a_button_with_a_menu_makes_room_for_its_sign() -> None:
    button = Button("Copy as…")
    plain = button.sizeHint().width()
    button.setMenu(QMenu(button))
    assert button.sizeHint().width() == plain + 18


def test_a_text_that_does_not_fit_is_cut_inside_the_button(row: Row, look: Theme) -> None:
    button = Button("Compress: 192 MB → 61 MB, a very long label indeed")
    row(button)
    button.setFixedWidth(100)
    picture = button.grab().toImage()
    inside = {picture.pixelColor(x, 16).name().upper() for x in range(90, 98)}
    assert inside == {look.tokens.raised}


def test_an_icon_button_says_its_name_and_shortcut() -> None:
    button = IconButton("panel-right", "Inspector", "Ctrl+I")
    assert spoken(button) == "Inspector"
    assert button.toolTip() == "Inspector (Ctrl+I)"
    assert button.minimumSizeHint().width() >= 24
    assert IconButton("x", "Close", extent=10).sizeHint() == QSize(24, 24)


def test_a_segmented_switch_is_one_tab_stop_with_arrows_inside(row: Row) -> None:
    before, after = QLineEdit(), QLineEdit()
    switch = Segmented(VIEWS, "View")
    row(before, switch, after)
    chosen: list[int] = []
    switch.selected.connect(chosen.append)
    before.setFocus()
    QTest.keyClick(before, Qt.Key.Key_Tab)
    for _ in range(2):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Right)
    assert chosen == [1, 2]
    assert switch.current == 2
    focused = QApplication.focusWidget()
    assert focused is not None
    interface = QAccessible.queryAccessibleInterface(focused)
    assert interface.role() == QAccessible.Role.RadioButton
    assert interface.text(QAccessible.Text.Name) == "Raw"
    assert interface.state().checked
    QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is after
    QTest.keyClick(after, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is focused


def test_a_segment_is_chosen_by_a_click_anywhere_on_it(row: Row) -> None:
    switch = Segmented(VIEWS, "View")
    row(switch)
    end = QPoint(switch.width() - 6, switch.height() // 2)
    target = switch.childAt(end)
    assert target is not None
    QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.mapFrom(switch, end))
    assert switch.current == 2


def test_a_compact_switch_shows_icons_with_tooltips() -> None:
    switch = Segmented(VIEWS[:2], "View")
    wide = switch.sizeHint().width()
    switch.set_compact(True)
    assert switch.sizeHint().width() < wide / 2
    assert [part.toolTip() for part in switch.findChildren(QWidget) if part.toolTip()] == ["Records", "Tree"]


def test_a_disabled_segment_cannot_be_chosen(row: Row) -> None:
    switch = Segmented(VIEWS, "View")
    row(switch)
    switch.set_item_enabled(1, False)
    switch.set_item_tooltip(1, "The table is empty")
    target = switch.childAt(switch.width() // 2, switch.height() // 2)
    assert target is not None
    QTest.mouseClick(target, Qt.MouseButton.LeftButton)
    assert switch.current == 0


def test_labels_never_read_html(row: Row) -> None:
    label = Label("<b>bold</b>")
    assert label.textFormat() == Qt.TextFormat.PlainText
    narrow = ElidedLabel("<b>" + "x" * 200)
    row(narrow)
    narrow.resize(60, 20)
    assert "&lt;b&gt;" in narrow.toolTip()
    assert spoken(narrow) == "<b>" + "x" * 200


@pytest.mark.parametrize(
    ("shortcut", "keys"),
    [
        ("Ctrl+Shift+P", ["Ctrl", "Shift", "P"]),
        ("F6", ["F6"]),
        ("Left", ["←"]),
        ("Ctrl++", ["Ctrl", "+"]),
        ("Space", ["Space"]),
    ],
)
def test_shortcuts_fall_into_keys(shortcut: str, keys: list[str]) -> None:
    caps = KeyCaps(shortcut)
    assert [cap.text() for cap in caps.findChildren(KeyCap)] == keys


def test_facts_can_be_replaced(row: Row) -> None:
    facts = KeyValueList([("Updates", "3,917"), ("Bytes stored", "23.8 MB")])
    row(facts)
    assert facts.sizeHint().height() == 52
    facts.set_rows([("Updates", "4")])
    assert facts.value(0) == "4"
    assert facts.sizeHint().height() == 26
    assert "Updates: 4" in [label.accessibleName() for label in facts.findChildren(ElidedLabel)]


def test_a_bar_has_a_value(row: Row, look: Theme) -> None:
    bar = Bar("Decoding orders")
    row(bar)
    bar.set_share(0.41)
    assert bar.share == pytest.approx(0.41)
    interface = QAccessible.queryAccessibleInterface(bar)
    assert interface.role() == QAccessible.Role.ProgressBar
    assert interface.valueInterface().currentValue() == 410
    picture = bar.grab().toImage()
    assert picture.height() == 4
    middle = [picture.pixelColor(x, 2).name().upper() for x in range(picture.width())]
    assert middle.count(look.tokens.accent) == pytest.approx(0.41 * len(middle), abs=4)
    bar.set_share(None)
    assert bar.share == 0


def test_a_field_keeps_its_text_off_its_note(row: Row) -> None:
    field = FieldFrame("Filter", icon="filter")
    row(field)
    field.resize(400, 34)
    free = field.textMargins().right()
    field.set_trailing("412 of 12,034", "· 38 ms")
    assert field.textMargins().right() > free + 80
    assert field.accessibleDescription() == "412 of 12,034 · 38 ms"


def test_a_field_is_emptied_by_its_button(qtbot: QtBot, row: Row) -> None:
    field = FieldFrame("Filter")
    row(field)
    button = field.findChild(IconButton)
    assert button is not None
    assert not button.isVisible()
    field.setText("age > 30")
    assert button.isVisible()
    with qtbot.waitSignal(field.cleared):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert field.text() == ""
    assert field.hasFocus()


def test_code_and_error_details_are_copied_whole(row: Row) -> None:
    code = CodeField("x" * 300)
    card = ErrorCard("a.json ends early", "Byte 3 of 9.", "The file was not changed.")
    row(code, card)
    copy = code.findChild(IconButton)
    assert copy is not None
    copy.click()
    assert QGuiApplication.clipboard().text() == "x" * 300
    card.findChildren(Button)[-1].click()
    assert QGuiApplication.clipboard().text() == "a.json ends early\nByte 3 of 9.\nThe file was not changed."


def test_an_info_bar_can_change_what_it_says(row: Row, look: Theme) -> None:
    bar = InfoBar("info", "Changed on disk")
    row(bar)
    bar.set_text("Deleted on disk", "error")
    assert bar.text() == spoken(bar) == "Deleted on disk"
    assert has_colour(bar, look.tokens.delBg)


@pytest.fixture
def toast(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Toast:
    monkeypatch.setattr(controls_notices, "TOAST_STAYS", 60)
    window = QWidget()
    QVBoxLayout(window).addWidget(QLineEdit())
    window.resize(600, 400)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    return Toast(window)


def test_a_toast_goes_by_itself(qtbot: QtBot, toast: Toast) -> None:
    toast.say("3 records written and verified")
    assert toast.isVisible()
    with qtbot.waitSignal(toast.closed, timeout=1000):
        pass
    assert not toast.isVisible()


def test_a_toast_stays_while_it_has_the_focus(qtbot: QtBot, toast: Toast) -> None:
    toast.say("Moved to the trash", action="Undo")
    button = toast.findChildren(Button)[0]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.qWait(150)
    assert toast.isVisible()
    with qtbot.waitSignal(toast.closed, timeout=1000):
        toast.window().findChildren(QLineEdit)[0].setFocus()


def test_a_toast_does_one_thing(qtbot: QtBot, toast: Toast) -> None:
    toast.say("Moved to the trash", action="Undo")
    with qtbot.waitSignals([toast.acted, toast.closed]):
        toast.findChildren(Button)[0].click()
    assert not toast.isVisible()


def test_a_toast_closes_with_escape_and_stays_in_its_window(toast: Toast) -> None:
    toast.say("x" * 300, "warning")
    assert toast.window().rect().contains(toast.geometry())
    toast.window().resize(400, 300)
    QApplication.processEvents()
    assert toast.window().rect().contains(toast.geometry())
    QTest.keyClick(toast, Qt.Key.Key_Escape)
    assert not toast.isVisible()
