"""Context menus of the left dock: what can be done with a store or a table, and the tables of a folded store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtWidgets import QMenu

from inspector.gui.icons import icon
from inspector.gui.kinds import collection_icon
from inspector.gui.shell import OpenStore
from inspector.model import CollectionInfo

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow

translate = QCoreApplication.translate


def show_row_menu(window: MainWindow, store: OpenStore, entry: CollectionInfo | None, *, place: QPoint) -> None:
    """Show what can be done with a store, or with one of its collections, at *place* on screen."""
    menu = QMenu(window)
    names = (entry.name,) if entry is not None else ()
    menu.addAction(translate("StoreMenus", "Open")).triggered.connect(lambda: window.show_row(store, entry))
    menu.addAction(translate("StoreMenus", "Convert…")).triggered.connect(lambda: window.convert(store, names))
    if entry is None:
        menu.addAction(translate("StoreMenus", "Compress…")).triggered.connect(lambda: window.compress(store))
        menu.addAction(translate("StoreMenus", "Compare with…")).triggered.connect(lambda: window.compare(store))
        menu.addAction(translate("StoreMenus", "Benchmark")).triggered.connect(lambda: window.benchmark(store))
        menu.addSeparator()
        menu.addAction(translate("StoreMenus", "Copy path")).triggered.connect(lambda: window.copy_path(store))
        menu.addAction(translate("StoreMenus", "Close store")).triggered.connect(lambda: window.close_store(store))
    _show(menu, place)


def show_store_menu(window: MainWindow, store: OpenStore, place: QPoint) -> None:
    """Show the collections of a store as a menu at *place* on screen."""
    menu = QMenu(window)
    menu.addAction(_shown(store.path.name)).triggered.connect(lambda: window.show_store(store))
    menu.addSeparator()
    for entry in store.store.collections:
        action = menu.addAction(icon(collection_icon(entry)), _shown(entry.label))
        action.triggered.connect(lambda _=False, entry=entry: window.open_collection(store, entry))
    _show(menu, place)


def _shown(name: str) -> str:
    return name[:80].replace("&", "&&")


def _show(menu: QMenu, place: QPoint) -> None:
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(place)
