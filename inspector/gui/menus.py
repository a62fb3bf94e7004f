"""What the window can do: its commands by menu, and the places that Go to lists."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inspector.gui.actions import COMMAND_ICON, Actions, Command, plain
from inspector.gui.goto import Destination
from inspector.gui.kinds import collection_icon, icon_for, label_for
from inspector.gui.recents import folder_text

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow

translate = QCoreApplication.translate

Row = tuple[str, tuple[Command | None, ...]]


def build(window: MainWindow) -> Actions:
    """Make the actions of *window* and fill its menu bar."""
    actions = Actions(window)
    bar, settings = window.menu_bar(), window.settings
    for title, commands in (_file(window), _edit(window), _view(window), _store(window), _tools(window), _help(window)):
        menu = actions.add_menu(bar, title, commands)
        if title == _view_title():
            actions.add_views(menu, actions["reload"], window.show_view)
            menu.addSeparator()
            part = actions.add_theme_menu(menu, window.set_theme)
            part.addSeparator()
            contrast, still = translate("Menus", "High contrast"), translate("Menus", "Reduced motion")
            actions.add_switch(part, contrast, lambda: settings.high_contrast, window.set_high_contrast)
            actions.add_switch(part, still, lambda: settings.reduced_motion, window.set_reduced_motion)
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
    close = partial(window.with_store, window.close_store)
    return translate("Menus", "&File"), (
        Command("open", translate("Menus", "&Open store…"), window.ask_files, ("Ctrl+O",), "folder-open"),
        Command("open_folder", translate("Menus", "Open &folder…"), window.ask_folder, ("Ctrl+Shift+O",), "folder"),
        None,
        Command("close_tab", translate("Menus", "&Close tab"), window.close_tab, ("Ctrl+W",), needs="page"),
        Command("close_store", translate("Menus", "Close &store"), close, icon="x", needs="store"),
        None,
        Command("quit", translate("Menus", "&Quit"), window.close, ("Ctrl+Q",)),
    )


def _edit(window: MainWindow) -> Row:
    path = partial(window.with_store, window.copy_path)
    return translate("Menus", "&Edit"), (
        Command("find", translate("Menus", "&Filter"), window.filter_page, ("Ctrl+F",), "filter", "page"),
        None,
        Command("copy_path", translate("Menus", "Copy &path of the store"), path, icon="copy", needs="store"),
    )


def _view_title() -> str:
    return translate("Menus", "&View")


def _view(window: MainWindow) -> Row:
    back, on = partial(window.step_tab, -1), partial(window.step_tab, 1)
    return _view_title(), (
        Command("reload", translate("Menus", "&Reload"), window.reload, ("F5",), "refresh-cw", "page"),
        None,
        Command("left", translate("Menus", "&Stores panel"), window.toggle_left, ("Ctrl+B",), "panel-left"),
        Command(
            "inspector", translate("Menus", "&Inspector"), window.toggle_inspector, ("Ctrl+I",), "panel-right", "page"
        ),
        Command("next_pane", translate("Menus", "&Next pane"), partial(window.step_pane, 1), ("F6",)),
        Command("previous_pane", translate("Menus", "&Previous pane"), partial(window.step_pane, -1), ("Shift+F6",)),
        Command("next_tab", translate("Menus", "Next &tab"), on, ("Ctrl+Tab", "Ctrl+PgDown"), needs="page"),
        Command(
            "previous_tab", translate("Menus", "Previous t&ab"), back, ("Ctrl+Shift+Tab", "Ctrl+PgUp"), needs="page"
        ),
        None,
        Command(
            "larger", translate("Menus", "&Larger text"), partial(window.scale_text, 1), ("Ctrl++", "Ctrl+="), "zoom-in"
        ),
        Command(
            "smaller", translate("Menus", "S&maller text"), partial(window.scale_text, -1), ("Ctrl+-",), "zoom-out"
        ),
        Command("normal", translate("Menus", "&Normal text size"), partial(window.scale_text, 0), ("Ctrl+0",)),
    )


def _store(window: MainWindow) -> Row:
    calls = (window.show_store, window.convert, window.compress, window.benchmark, window.compare)
    about, convert, compress, measure, compare = (partial(window.with_store, call) for call in calls)
    return translate("Menus", "&Store"), (
        Command("about_store", translate("Menus", "&About this store"), about, icon="info", needs="store"),
        None,
        Command("convert", translate("Menus", "Con&vert…"), convert, icon="arrow-left-right", needs="store"),
        Command("compress", translate("Menus", "Co&mpress…"), compress, icon="package", needs="store"),
        Command("compare", translate("Menus", "Compare &with…"), compare, ("Ctrl+D",), "file-diff", "store"),
        Command("measure", translate("Menus", "&Benchmark this store"), measure, icon="gauge", needs="store"),
    )


def _tools(window: MainWindow) -> Row:
    return translate("Menus", "&Tools"), (
        Command("goto", translate("Menus", "&Go to…"), window.go_to, ("Ctrl+P",), "search"),
        Command("commands", translate("Menus", "&Commands…"), window.show_commands, ("Ctrl+Shift+P",), COMMAND_ICON),
        None,
        Command("benchmark", translate("Menus", "&Benchmark lab"), window.benchmark, icon="gauge"),
        Command("convert_store", translate("Menus", "Con&vert store…"), window.convert_any, icon="arrow-left-right"),
    )


def _help(window: MainWindow) -> Row:
    return translate("Menus", "&Help"), (
        Command("shortcuts", translate("Menus", "&Shortcuts"), window.show_shortcuts, ("F1",), "keyboard"),
        Command("about", translate("Menus", "&About Inspector"), window.show_about, icon="info"),
        Command("version", translate("Menus", "&Copy version details"), window.copy_version, icon="copy"),
    )
