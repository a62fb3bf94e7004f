"""All actions of the window with their keys, and the menus they are in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from inspector.gui.icons import set_icon
from inspector.gui.theme import MODES, theme

COMMAND_ICON = "terminal"
"""Marks the commands among the destinations of Go to."""

VIEWS = 5
"""Views of a page that have a key: Ctrl+1 to Ctrl+5."""


class Command(NamedTuple):
    """One action as it is declared: *name* for the program, *text* for people, and the call."""

    name: str
    text: str
    call: Callable[[], object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    needs: str = ""
    """What must be there: ``store`` (one is shown or selected), ``page`` (a tab is open), or nothing."""


class Actions(QObject):
    """The window's actions by name; *commands* are grouped by menu in order, None stands for a separator."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._by_name: dict[str, QAction] = {}
        self._needs: dict[str, str] = {}
        self._menus: list[QMenu] = []
        self._views: list[QAction] = []

    def __getitem__(self, name: str) -> QAction:
        return self._by_name[name]

    def all(self) -> list[QAction]:
        """Return every action in the order of the menus."""
        return [*self._by_name.values(), *self._views]

    def add_menu(self, bar: QMenuBar, title: str, commands: Sequence[Command | None]) -> QMenu:
        """Add a menu with *commands* to *bar*."""
        menu = QMenu(title, bar)
        menu.setToolTipsVisible(False)
        bar.addMenu(menu)
        self._menus.append(menu)
        icons: dict[str, str] = {}
        for command in commands:
            if command is None:
                menu.addSeparator()
                continue
            menu.addAction(self._make(command))
            if command.icon:
                icons[command.name] = command.icon

        def draw() -> None:
            while icons:
                name, icon = icons.popitem()
                set_icon(self._by_name[name], icon)

        menu.aboutToShow.connect(draw)  # drawing all of them would hold up the first picture of the window
        return menu

    def add_theme_menu(self, menu: QMenu, chosen: Callable[[str], object]) -> QMenu:
        """Add the choice of theme to *menu* as a menu of its own; *chosen* gets the mode."""
        part = menu.addMenu(self.tr("Theme"))
        group = QActionGroup(part)
        names = {"system": self.tr("System"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        for mode in MODES:
            action = part.addAction(names[mode])
            action.setCheckable(True)
            action.setActionGroup(group)
            action.triggered.connect(lambda _=False, mode=mode: chosen(mode))
            action.setData(mode)

        def show() -> None:
            for action in group.actions():
                action.setChecked(action.data() == theme().mode)

        part.aboutToShow.connect(show)
        return part

    def add_switch(self, menu: QMenu, text: str, is_on: Callable[[], bool], turn: Callable[[bool], object]) -> None:
        """Add what is on or off, as *is_on* says when *menu* opens; *turn* gets what it is to be."""
        action = menu.addAction(text)
        action.setCheckable(True)
        action.triggered.connect(turn)
        menu.aboutToShow.connect(lambda: action.setChecked(is_on()))

    def add_views(self, menu: QMenu, before: QAction, show: Callable[[int], object]) -> None:
        """Add what switches between the views of a page to *menu*; `set_views` names them."""
        for number in range(VIEWS):
            action = QAction(self._window)
            action.setShortcut(QKeySequence(f"Ctrl+{number + 1}"))
            action.triggered.connect(lambda _=False, number=number: show(number))
            action.setVisible(False)
            action.setEnabled(False)
            self._window.addAction(action)
            menu.insertAction(before, action)
            self._views.append(action)

    def set_views(self, names: Sequence[str]) -> None:
        """Offer the views *names* of the page that is shown."""
        for number, action in enumerate(self._views):
            there = number < len(names)
            action.setText(names[number] if there else "")
            action.setVisible(there)
            action.setEnabled(there)

    def set_present(self, *, store: bool, page: bool) -> None:
        """Enable what makes sense with or without a store and a tab."""
        present = {"store": store, "page": page, "": True}
        for name, needs in self._needs.items():
            self._by_name[name].setEnabled(present[needs])

    def shortcuts(self) -> list[tuple[str, str]]:
        """Return (text, keys) of every action that has keys and can be used now or with a store."""
        return [
            (plain(action.text()), action.shortcut().toString(QKeySequence.SequenceFormat.PortableText))
            for action in self.all()
            if not action.shortcut().isEmpty() and action.text()
        ]

    def _make(self, command: Command) -> QAction:
        action = QAction(command.text, self._window)
        action.setShortcuts([QKeySequence(keys) for keys in command.keys])
        action.triggered.connect(lambda _=False: command.call())
        self._window.addAction(action)
        self._by_name[command.name] = action
        self._needs[command.name] = command.needs
        return action


def plain(text: str) -> str:
    """Return an action's text without the mark of its access key and without the dots of a question."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")
