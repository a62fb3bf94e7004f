"""The main window: what the frame shows of stores and pages; it is the `Shell` that every screen is handed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import (
    QCloseEvent,
)
from PySide6.QtWidgets import QApplication, QFileDialog

from inspector.gui import menus
from inspector.gui.frame import Frame
from inspector.gui.kinds import keeps_history
from inspector.gui.panes import Landing
from inspector.gui.record_guide import RecordGuide
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore, Page
from inspector.gui.store_menus import show_row_menu, show_store_menu
from inspector.gui.store_model import StoreModel
from inspector.gui.stores import Stores
from inspector.gui.workspace import NO_KEY, Key
from inspector.model import CollectionInfo

if TYPE_CHECKING:
    from inspector.operations.outcome import Outcome


class MainWindow(Frame):
    """The window of the program; scripts drive it with `open_paths`, `current_page` and the signals."""

    store_opened = Signal(object)
    """An `OpenStore` that is in the tree now."""
    store_failed = Signal(object, str)
    """The path that does not open, and why."""
    page_shown = Signal(object)
    """The `Page` that is shown now."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._stores = Stores(self._runner, settings, self)
        self._model = StoreModel(self)
        # What the next store that opens is wanted for: to be shown, to be converted; and the path to be compressed.
        self._reveal = False
        self._convert_next = False
        self._to_compress = ""
        # Of what was asked for last: one path alone, and whether a store that was open already was shown for it.
        self._alone = True
        self._shown_known = False
        actions = menus.build(self)
        self.build(actions, self._model, lambda: menus.destinations(self, actions))
        self._connect()
        self._page_changed(None)

    # What screens ask for

    @property
    def stores(self) -> Sequence[OpenStore]:
        return self._stores.all()

    def open_paths(self, paths: Sequence[Path]) -> None:
        self._reveal = self._reveal or bool(paths)
        self._alone = len(paths) == 1
        self._shown_known = False
        self._stores.open(paths)

    def open_to_compress(self, paths: Sequence[Path]) -> None:
        """Open *paths* and show what compressing the first of them would gain."""
        self._to_compress = os.path.abspath(paths[0]) if paths else ""
        self.open_paths(paths)

    def open_collection(self, store: OpenStore, entry: CollectionInfo) -> None:
        def make() -> Page:
            if keeps_history(entry):
                from inspector.gui.history_view import HistoryPage

                return HistoryPage(self, store, entry)
            from inspector.gui.records_view import RecordsPage

            return RecordsPage(self, store, entry)

        self._show(("collection", store.key, entry.name), make)

    def compress(self, store: OpenStore) -> None:
        from inspector.gui.compress_sheet import CompressSheet

        CompressSheet(self, store).open()

    def convert(self, store: OpenStore, entries: Sequence[str] = ()) -> None:
        from inspector.gui.convert_sheet import ConvertSheet

        ConvertSheet(self, store, entries).open()

    def compare(self, store: OpenStore) -> None:
        from inspector.gui.compare_picker import ComparePicker

        picker = ComparePicker(self, store)
        picker.chosen.connect(lambda path: self.compare_files(store.path, path))
        picker.open()

    def compare_files(self, first: Path, second: Path) -> None:
        from inspector.gui.compare_view import ComparePage

        self._show(("compare", str(first), str(second)), lambda: ComparePage(self, first, second))

    def open_record(self, path: Path, collection: str, key: str) -> None:
        RecordGuide(self, path, collection, key).go()

    def benchmark(self, store: OpenStore | None = None) -> None:
        from inspector.gui.benchmark_view import BenchmarkPage

        self._show(("benchmark", store.key if store is not None else "", ""), lambda: BenchmarkPage(self, store))

    def reload_store(self, store: OpenStore) -> None:
        self._stores.reload(store)

    def show_outcome(self, outcome: Outcome, source: OpenStore | None) -> None:
        from inspector.gui.result_view import ResultPage

        page = ResultPage(self, outcome, source)
        page.status_changed.connect(self._status_changed)
        self._workspace.add(page, NO_KEY)
        written = self._stores.find(outcome.target) if outcome.written else None
        if written is not None:
            self._stores.reload(written)

    # What menus and scripts ask for

    def current_store(self) -> OpenStore | None:
        """Return the store of the page that is shown, else the one selected in the tree, else the only one."""
        shown = self.current_page().source()
        if shown is not None:
            return shown
        selected = self._panel.tree.selected()
        if selected is not None:
            return selected[0]
        stores = self._stores.all()
        return stores[0] if len(stores) == 1 else None

    def ask_files(self) -> None:
        """Let the user choose files, and open them."""
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Open store"), self._last_folder())
        self.open_paths([Path(name) for name in names])

    def ask_folder(self) -> None:
        """Let the user choose a folder, and open the stores in it."""
        name = QFileDialog.getExistingDirectory(self, self.tr("Open folder"), self._last_folder())
        if name:
            self.open_paths([Path(name)])

    def show_store(self, store: OpenStore) -> None:
        """Show what is known of a store as a whole."""
        from inspector.gui.store_page import StorePage

        self._show(("store", store.key, ""), lambda: StorePage(self, store))

    def show_row(self, store: OpenStore, entry: CollectionInfo | None) -> None:
        """Show a collection, or a store as a whole where *entry* is None."""
        if entry is None:
            self.show_store(store)
        else:
            self.open_collection(store, entry)

    def with_store(self, call: Callable[[OpenStore], object]) -> None:
        """Make *call* with the current store, if there is one."""
        if (store := self.current_store()) is not None:
            call(store)

    def convert_any(self) -> None:
        """Show the convert sheet for the current store, or for one that the user chooses."""
        if (store := self.current_store()) is not None:
            self.convert(store)
            return
        self._convert_next = True
        self.ask_files()
        self._convert_next = self._stores.busy

    def close_tab(self) -> None:
        """Close the tab that is shown; its store stays open."""
        if (page := self._workspace.current()) is not None:
            self._workspace.close_page(page)

    def close_store(self, store: OpenStore) -> None:
        """Close a store with its tabs."""
        self._stores.close(store)

    def copy_path(self, store: OpenStore) -> None:
        """Put the path of a store on the clipboard."""
        self.copy(str(store.path), self.tr("the path"))

    def reload(self) -> None:
        """Show the file of the page as it is on disk now."""
        page = self.current_page()
        source = page.source()
        if source is not None:
            self._stores.reload(source)
        else:
            page.reload()

    def filter_page(self) -> None:
        """Put the focus into the filter field of the page."""
        self.current_page().focus_filter()

    def show_view(self, number: int) -> None:
        """Show view *number* of the page, from 0."""
        page = self.current_page()
        if 0 <= number < len(page.views()):
            page.show_view(number)

    def step_tab(self, by: int) -> None:
        """Show the tab *by* places further."""
        self._workspace.step(by)

    def stop_and_close(self) -> None:
        """Stop whatever runs and close; a job that is stopped leaves nothing half-written."""
        self._closing.close_now()

    # Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._closing.may_close():
            event.ignore()
            return
        self._docks.save()
        self._settings.geometry = self.saveGeometry()
        self._settings.sync()
        self._runner.shutdown()
        for page in self._workspace.pages():
            self._workspace.close_page(page)
        self._stores.close_all()
        super().closeEvent(event)

    def _connect(self) -> None:
        self._stores.opened.connect(self._opened)
        self._stores.found.connect(self._found)
        self._stores.found.connect(self._compress_if_wanted)
        self._stores.failed.connect(self._failed)
        self._stores.closed.connect(self._closed)
        self._stores.reloaded.connect(self._reloaded)
        self._stores.cut.connect(self._said_cut)
        self._workspace.shown.connect(self._page_changed)
        self._workspace.about_to_close.connect(self._page_closes)
        self._workspace.reload_wanted.connect(self._stores.reload)
        self._panel.tree.wanted.connect(self.show_row)
        self._panel.tree.menu_wanted.connect(lambda store, entry, place: show_row_menu(self, store, entry, place=place))
        self._panel.rail_wanted.connect(partial(show_store_menu, self))
        self._drops.dropped.connect(self.open_paths)
        self._start.open_wanted.connect(self.ask_files)
        self._start.folder_wanted.connect(self.ask_folder)
        self._start.path_wanted.connect(lambda path: self.open_paths([path]))
        self._top.open.clicked.connect(self.ask_files)

    def _show(self, key: Key, make: Callable[[], Page], *, front: bool = True) -> None:
        page = self._workspace.page_for(key)
        if page is None:
            page = make()
            page.status_changed.connect(self._status_changed)
            page.inspector_wanted.connect(self._docks.show_right)
            focused = QApplication.focusWidget()
            leaves = focused is None or focused is self._centre or self._centre.isAncestorOf(focused)
            self._workspace.add(page, key, front=front)
            if leaves and front:
                landing = Landing(page, page.focus_main)
                page.status_changed.connect(landing.again)
        else:
            self._workspace.show_page(page)

    def _show_first(self, store: OpenStore) -> None:
        entries = store.store.collections
        first = next((entry for entry in entries if entry.records or entry.versions), entries[0] if entries else None)
        if first is None:
            self.show_store(store)
        else:
            self.open_collection(store, first)

    def _opened(self, store: OpenStore) -> None:
        self._model.add(store)
        self._panel.tree.expand_store(store)
        store.changed_on_disk.connect(lambda: self._workspace.mark_changed(store))
        if (failed := self._workspace.page_for(("failed", store.key, ""))) is not None:
            self._workspace.close_page(failed)
        self._start.refresh()
        self._update()
        if self._reveal:
            self._reveal = False
            self._show_first(store)
        if self._convert_next:
            self._convert_next = False
            self.convert(store)
        self._compress_if_wanted(store)
        self.store_opened.emit(store)

    def _compress_if_wanted(self, store: OpenStore) -> None:
        if store.key == self._to_compress:
            self._to_compress = ""
            self.compress(store)

    def _found(self, store: OpenStore) -> None:
        if not self._reveal or self._shown_known:
            # A new store of the same request is shown, or another one that was open already.
            return
        self._reveal, self._shown_known = self._stores.busy, True
        page = next((page for page in self._workspace.pages() if page.source() is store), None)
        if page is not None:
            self._workspace.show_page(page)
        else:
            self._show_first(store)

    def _failed(self, path: Path, message: str) -> None:
        if self._stores.find(path) is not None:
            # A reload: what was read before stays where it is.
            self.toast(message, tone="error")
            self.store_failed.emit(path, message)
            return
        key = ("failed", str(path), "")
        if (before := self._workspace.page_for(key)) is not None:
            self._workspace.close_page(before)
        from inspector.gui.failed_page import FailedPage

        page = FailedPage(path, message)
        page.retry.connect(self._retry)
        self._show(key, lambda: page, front=self._alone)
        if not self._alone:
            self.toast(message, self.tr("Show"), lambda: self._workspace.bring(key), tone="error")
        self.store_failed.emit(path, message)

    def _retry(self, path: Path, format: str | None) -> None:
        self._reveal = self._alone = True
        self._stores.open([path], format=format)

    def _closed(self, store: OpenStore) -> None:
        for page in self._workspace.pages():
            if page.source() is store:
                self._workspace.close_page(page)
        self._model.remove(store)
        self._update()

    def _reloaded(self, store: OpenStore) -> None:
        self._model.refresh(store)
        self._panel.tree.expand_store(store)
        self._workspace.mark_current(store)
        for page in self._workspace.pages():
            if page.source() is store:
                page.reload()
        self._select_row()

    def _said_cut(self, folder: Path, count: int) -> None:
        text = self.tr("{folder} holds more stores; the first %Ln are opened", "", count)
        self.toast(text.replace("{folder}", folder.name))

    def _page_changed(self, page: Page | None) -> None:
        self._centre.setCurrentWidget(self._workspace if page is not None else self._start)
        if page is None:
            self._start.refresh()
        self._update()
        self._select_row()
        self.page_shown.emit(self.current_page())

    def _page_closes(self, page: Page) -> None:
        self._docks.forget(page.inspector(), page)

    def _status_changed(self) -> None:
        if self.sender() is self._workspace.current():
            self._update()

    def _update(self) -> None:
        """Show around the page what it says of itself."""
        page = self.current_page()
        self._status.set_parts(page.status())
        self._status.set_read_only(page.source() is not None)
        self._docks.set_present(stores=bool(self._stores.all()), panel=page.inspector(), apart=page.needs_width)
        tab = self._workspace.current() is not None
        self._actions.set_views(page.views() if tab else ())
        self._actions.set_present(store=self.current_store() is not None, page=tab)
        self._top.inspector.setEnabled(page.inspector() is not None)
        self.setWindowTitle(f"{page.title} — Inspector" if tab else "Inspector")

    def _select_row(self) -> None:
        page = self._workspace.current()
        kind, key, name = self._workspace.key_of(page) if page is not None else NO_KEY
        store = next((store for store in self._stores.all() if store.key == key), None)
        if store is not None:
            self._panel.tree.show_row(store, name if kind == "collection" else None)

    def _last_folder(self) -> str:
        recents = self._settings.recents()
        return os.path.dirname(recents[0].path) if recents else str(Path.home())
