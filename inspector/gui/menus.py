"""What the window can do: its commands by menu, and the places that Go to lists."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inspector.gui.actions import Actions, Command, plain
from inspector.gui.goto import Destination
from inspector.gui.kinds import collection_icon, icon_for, label_for
from inspector.gui.recents import folder_text

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow

COMMAND_ICON = "terminal"
"""Marks the commands among the destinations of Go to."""

Row = tuple[str, tuple[Command | None, ...]]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Menus", text)


def build(window: MainWindow) -> Actions:
    """Make the actions of *window* and fill its menu bar."""
    actions = Actions(window)
    bar = window.menu_bar()
    for title, commands in (_file(window), _edit(window), _view(window), _store(window), _tools(window), _help(window)):
        menu = actions.add_menu(bar, title, commands)
        if title == _view_title():
            actions.add_views(menu, actions["reload"], window.show_view)
            menu.addSeparator()
            actions.add_theme_menu(menu, window.set_theme)
    return actions


def destinations(window: MainWindow, actions: Actions) -> list[Destination]:
    """Return what Go to lists: collections, stores, recent stores, then commands that can be used now."""
    tables, stores, known = [], [], set()
    for store in window.stores:
        known.add(store.key)
        show = partial(window.show_store, store)
        stores.append(Destination(icon_for(store.store), store.path.name, folder_text(store.path), show))
        for entry in store.store.collections:
            open_it = partial(window.open_collection, store, entry)
            tables.append(Destination(collection_icon(entry), entry.label, store.path.name, open_it))
    recents = []
    for recent in window.settings.recents():
        if recent.path not in known:
            go = partial(window.open_paths, [Path(recent.path)])
            recents.append(Destination(icon_for(recent.format), Path(recent.path).name, label_for(recent.format), go))
    commands = [
        Destination(COMMAND_ICON, plain(action.text()), action.shortcut().toString(), action.trigger)
        for action in actions.all()
        if action.isEnabled() and action.text() and action is not actions["goto"] and action is not actions["commands"]
    ]
    return [*tables, *stores, *recents, *commands]


def _file(window: MainWindow) -> Row:
    return _tr("&File"), (
        Command("open", _tr("&Open store…"), window.ask_files, ("Ctrl+O",), "folder-open"),
        Command("open_folder", _tr("Open &folder…"), window.ask_folder, ("Ctrl+Shift+O",), "folder"),
        None,
        Command("close_tab", _tr("&Close tab"), window.close_tab, ("Ctrl+W",), needs="page"),
        Command("close_store", _tr("Close &store"), window.close_current_store, icon="x", needs="store"),
        None,
        Command("quit", _tr("&Quit"), window.close, ("Ctrl+Q",)),
    )


def _edit(window: MainWindow) -> Row:
    return _tr("&Edit"), (
        Command("find", _tr("&Filter"), window.filter_page, ("Ctrl+F",), "filter", "page"),
        None,
        Command("copy_path", _tr("Copy &path of the store"), window.copy_path, icon="copy", needs="store"),
    )


def _view_title() -> str:
    return _tr("&View")


def _view(window: MainWindow) -> Row:
    return _view_title(), (
        Command("reload", _tr("&Reload"), window.reload, ("F5",), "refresh-cw", "page"),
        None,
        Command("left", _tr("&Stores panel"), window.toggle_left, ("Ctrl+B",), "panel-left"),
        Command("inspector", _tr("&Inspector"), window.toggle_inspector, ("Ctrl+I",), "panel-right", "page"),
        Command("next_pane", _tr("&Next pane"), partial(window.step_pane, 1), ("F6",)),
        Command("previous_pane", _tr("&Previous pane"), partial(window.step_pane, -1), ("Shift+F6",)),
        Command("next_tab", _tr("Next &tab"), partial(window.step_tab, 1), ("Ctrl+Tab", "Ctrl+PgDown"), needs="page"),
        Command(
            "previous_tab",
            _tr("Previous t&ab"),
            partial(window.step_tab, -1),
            ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
            needs="page",
        ),
        None,
        Command("larger", _tr("&Larger text"), partial(window.scale_text, 1), ("Ctrl++", "Ctrl+="), "zoom-in"),
        Command("smaller", _tr("S&maller text"), partial(window.scale_text, -1), ("Ctrl+-",), "zoom-out"),
        Command("normal", _tr("&Normal text size"), partial(window.scale_text, 0), ("Ctrl+0",)),
    )


def _store(window: MainWindow) -> Row:
    return _tr("&Store"), (
        Command("about_store", _tr("&About this store"), window.show_current_store, icon="info", needs="store"),
        None,
        Command("convert", _tr("Con&vert…"), window.convert_current, icon="arrow-left-right", needs="store"),
        Command("compress", _tr("Co&mpress…"), window.compress_current, icon="package", needs="store"),
        Command("measure", _tr("&Benchmark this store"), window.benchmark_current, icon="gauge", needs="store"),
    )


def _tools(window: MainWindow) -> Row:
    return _tr("&Tools"), (
        Command("goto", _tr("&Go to…"), window.go_to, ("Ctrl+P",), "search"),
        Command("commands", _tr("&Commands…"), window.show_commands, ("Ctrl+Shift+P",), COMMAND_ICON),
        None,
        Command("benchmark", _tr("&Benchmark lab"), window.benchmark, icon="gauge"),
        Command("convert_store", _tr("Con&vert store…"), window.convert_any, icon="arrow-left-right"),
    )


def _help(window: MainWindow) -> Row:
    return _tr("&Help"), (
        Command("shortcuts", _tr("&Shortcuts"), window.show_shortcuts, ("F1",), "keyboard"),
        Command("version", _tr("&Copy version details"), window.copy_version, icon="copy"),
    )
