"""The main window: it owns what lives long, and it is the `Shell` that every screen is handed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QMenu, QMenuBar, QStackedWidget, QWidget

from inspector.gui import menus
from inspector.gui.actions import plain
from inspector.gui.controls import Toast
from inspector.gui.docks import Docks
from inspector.gui.failed_page import FailedPage
from inspector.gui.goto import GotoPopup
from inspector.gui.icons import icon
from inspector.gui.kinds import collection_icon, keeps_history
from inspector.gui.panes import Panes
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore, Page
from inspector.gui.start_page import StartPage
from inspector.gui.status_bar import StatusBar
from inspector.gui.store_model import StoreModel
from inspector.gui.store_page import StorePage
from inspector.gui.store_panel import StorePanel
from inspector.gui.stores import Stores
from inspector.gui.tasks import Job, TaskRunner
from inspector.gui.theme import MODES, theme
from inspector.gui.top_row import TopRow
from inspector.gui.version_text import version_text
from inspector.gui.window_sheets import CloseSheet, ShortcutsSheet
from inspector.gui.workspace import Workspace
from inspector.model import CollectionInfo
from inspector.operations.outcome import Outcome

SMALLEST = (960, 600)
FIRST = (1440, 900)
TEXT_STEP = 0.1
_ON_START = ("open", "goto", "find", "commands", "shortcuts")


class MainWindow(QMainWindow):
    """The window of the program; scripts drive it with `open_paths`, `current_page` and the signals."""

    store_opened = Signal(object)
    """An `OpenStore` that is in the tree now."""
    store_failed = Signal(object, str)
    """The path that does not open, and why."""
    page_shown = Signal(object)
    """The `Page` that is shown now."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._runner = TaskRunner(self)
        self._stores = Stores(self._runner, settings, self)
        self._model = StoreModel(self)
        self._keys: dict[tuple[str, str, str], Page] = {}
        # What the next store that opens is wanted for: to be shown, to be converted.
        self._reveal = False
        self._convert_next = False
        self._close_when_done = False
        self._toast_call: Callable[[], None] | None = None
        self._build()
        self._connect()
        self._restore()
        self._page_changed(None)
        # Else the first field would take the focus and open its list at the first key.
        self._centre.setFocus()

    # What screens ask for

    @property
    def runner(self) -> TaskRunner:
        return self._runner

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def stores(self) -> Sequence[OpenStore]:
        return self._stores.all()

    def open_paths(self, paths: Sequence[Path]) -> None:
        self._reveal = self._reveal or bool(paths)
        self._stores.open(paths)

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

    def benchmark(self, store: OpenStore | None = None) -> None:
        from inspector.gui.benchmark_view import BenchmarkPage

        self._show(("benchmark", store.key if store is not None else "", ""), lambda: BenchmarkPage(self, store))

    def show_outcome(self, outcome: Outcome, source: OpenStore | None) -> None:
        from inspector.gui.result_view import ResultPage

        self._workspace.add(ResultPage(self, outcome, source))
        written = self._stores.find(outcome.target) if outcome.written else None
        if written is not None:
            self._stores.reload(written)

    def toast(self, text: str, action: str = "", callback: Callable[[], None] | None = None) -> None:
        self._toast_call = callback
        self._toast.say(text, action=action)

    def copy(self, text: str, what: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.toast(self.tr("Copied {what}").replace("{what}", what))

    def window_widget(self) -> QWidget:
        return self

    # What menus and scripts ask for

    def menu_bar(self) -> QMenuBar:
        """Return the menu bar, which lies in the top row."""
        return self._top.menus

    def current_page(self) -> Page:
        """Return the page that is shown: a tab's, or the start page."""
        return self._workspace.current() or self._start

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
        self._show(("store", store.key, ""), lambda: StorePage(self, store))

    def show_current_store(self) -> None:
        """Show what is known of the current store as a whole."""
        if (store := self.current_store()) is not None:
            self.show_store(store)

    def convert_current(self) -> None:
        """Show the convert sheet for the current store."""
        if (store := self.current_store()) is not None:
            self.convert(store)

    def convert_any(self) -> None:
        """Show the convert sheet for the current store, or for one that the user chooses."""
        if (store := self.current_store()) is not None:
            self.convert(store)
            return
        self._convert_next = True
        self.ask_files()
        self._convert_next = self._stores.busy

    def compress_current(self) -> None:
        """Show the compress sheet for the current store."""
        if (store := self.current_store()) is not None:
            self.compress(store)

    def benchmark_current(self) -> None:
        """Show the benchmark lab with the current store as its data."""
        self.benchmark(self.current_store())

    def close_tab(self) -> None:
        """Close the tab that is shown; its store stays open."""
        if (page := self._workspace.current()) is not None:
            self._workspace.close_page(page)

    def close_current_store(self) -> None:
        """Close the current store with its tabs."""
        if (store := self.current_store()) is not None:
            self._stores.close(store)

    def copy_path(self) -> None:
        """Put the path of the current store on the clipboard."""
        if (store := self.current_store()) is not None:
            self.copy(str(store.path), self.tr("the path"))

    def copy_version(self) -> None:
        """Put the versions of everything on the clipboard, for a report."""
        self.copy(version_text(), self.tr("the version details"))

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
        self.current_page().find()

    def show_view(self, number: int) -> None:
        """Show view *number* of the page, from 0."""
        self.current_page().show_view(number)

    def go_to(self) -> None:
        """List every place and command below the field of the top row."""
        self._goto.open(QApplication.focusWidget())

    def show_commands(self) -> None:
        """List every command below the field of the top row."""
        self._goto.open(QApplication.focusWidget(), only=menus.COMMAND_ICON)

    def show_shortcuts(self) -> None:
        """Show every shortcut."""
        ShortcutsSheet(self, self._actions.shortcuts()).open()

    def toggle_left(self) -> None:
        """Show or hide the tree of stores."""
        self._docks.toggle_left()

    def toggle_inspector(self) -> None:
        """Show or hide the inspector of the page."""
        self._docks.toggle_right()

    def step_tab(self, by: int) -> None:
        """Show the tab *by* places further."""
        self._workspace.step(by)

    def step_pane(self, by: int) -> None:
        """Put the focus into the part of the window *by* places further."""
        self._panes.step(by)

    def stop_and_close(self) -> None:
        """Stop whatever runs and close; a job that is stopped leaves nothing half-written."""
        self._close_when_done = True
        self.close()

    def set_theme(self, mode: str) -> None:
        """Follow the system, or be light or dark, from now on and next time."""
        chosen = next(known for known in MODES if known == mode)
        theme().set_mode(chosen)
        self._settings.mode = chosen

    def scale_text(self, by: int) -> None:
        """Make text and controls one step larger or smaller; 0 for the normal size."""
        theme().set_text_scale(theme().text_scale + by * TEXT_STEP if by else 1.0)
        self._settings.text_scale = theme().text_scale

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._docks.arrange()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if paths := _local_paths(event.mimeData().urls()):
            self._start.zone.set_dragged(len(paths))
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._start.zone.set_dragged(0)

    def dropEvent(self, event: QDropEvent) -> None:
        self._start.zone.set_dragged(0)
        event.acceptProposedAction()
        self.open_paths(_local_paths(event.mimeData().urls()))

    def closeEvent(self, event: QCloseEvent) -> None:
        writing = self._writing()
        if writing and not self._close_when_done:
            event.ignore()
            sheet = CloseSheet(self, [job.title for job in writing])
            sheet.finish.connect(self._finish_then_close)
            sheet.stop.connect(self.stop_and_close)
            sheet.open(sheet.finish_button)
            return
        self._docks.save()
        self._settings.geometry = self.saveGeometry()
        self._settings.sync()
        self._runner.shutdown()
        for page in self._workspace.pages():
            self._workspace.close_page(page)
        self._stores.close_all()
        super().closeEvent(event)

    # Inside

    def _build(self) -> None:
        self.setMinimumSize(*SMALLEST)
        self.setAcceptDrops(True)
        self._top = TopRow()
        self.setMenuWidget(self._top)
        self._actions = menus.build(self)
        tools = [(self._actions["benchmark"], "gauge"), (self._actions["convert_store"], "arrow-left-right")]
        self._panel = StorePanel(self._model, self._actions["open"], tools)
        keys = [(text, self._actions[name].shortcut().toString()) for name, text in self._start_keys().items()]
        self._start = StartPage(self._settings, keys)
        self._workspace = Workspace()
        self._centre = QStackedWidget()
        self._centre.addWidget(self._start)
        self._centre.addWidget(self._workspace)
        self.setCentralWidget(self._centre)
        self._docks = Docks(self, self._panel, self._settings)
        self._status = StatusBar(self._runner, self)
        self.setStatusBar(self._status)
        self._toast = Toast(self)
        self._goto = GotoPopup(self._top.field, self, lambda: menus.destinations(self, self._actions))
        self._panes = Panes(self, self._parts)

    def _start_keys(self) -> dict[str, str]:
        names = {"goto": self.tr("Go to anything"), "find": self.tr("Filter records")}
        names |= {"commands": self.tr("All commands"), "shortcuts": self.tr("All shortcuts")}
        return {name: names.get(name, plain(self._actions[name].text())) for name in _ON_START}

    def _connect(self) -> None:
        self._stores.opened.connect(self._opened)
        self._stores.found.connect(self._found)
        self._stores.failed.connect(self._failed)
        self._stores.closed.connect(self._closed)
        self._stores.reloaded.connect(self._reloaded)
        self._stores.cut.connect(self._said_cut)
        self._workspace.shown.connect(self._page_changed)
        self._workspace.about_to_close.connect(self._page_closes)
        self._workspace.reload_wanted.connect(self._stores.reload)
        self._panel.tree.wanted.connect(self._tree_wants)
        self._panel.tree.menu_wanted.connect(self._tree_menu)
        self._panel.rail_wanted.connect(self._rail_menu)
        self._start.open_wanted.connect(self.ask_files)
        self._start.folder_wanted.connect(self.ask_folder)
        self._start.path_wanted.connect(lambda path: self.open_paths([path]))
        self._top.open.clicked.connect(self.ask_files)
        self._top.inspector.clicked.connect(self.toggle_inspector)
        self._top.look.clicked.connect(lambda: self.set_theme("light" if theme().tokens.dark else "dark"))
        self._docks.changed.connect(lambda: self._top.inspector.setChecked(self._docks.right_shown))
        self._toast.acted.connect(self._toast_acted)
        self._runner.job_finished.connect(self._job_finished)
        theme().changed.connect(self._docks.arrange)

    def _restore(self) -> None:
        if self._settings.geometry.isEmpty() or not self.restoreGeometry(self._settings.geometry):
            room = self.screen().availableGeometry()
            self.resize(min(FIRST[0], room.width()), min(FIRST[1], room.height()))

    def _parts(self) -> list[QWidget]:
        """Return the parts that F6 goes round, in their order."""
        return [
            self._top,
            self._panel,
            self._workspace.tabs,
            self.current_page(),
            self._docks.inspector,
            self._status,
        ]

    def _show(self, key: tuple[str, str, str], make: Callable[[], Page]) -> None:
        page = self._keys.get(key)
        if page is None:
            page = self._keys[key] = make()
            page.status_changed.connect(self._status_changed)
            self._workspace.add(page)
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
        if (failed := self._keys.get(("failed", store.key, ""))) is not None:
            self._workspace.close_page(failed)
        self._start.refresh()
        self._update()
        if self._reveal:
            self._reveal = False
            self._show_first(store)
        if self._convert_next:
            self._convert_next = False
            self.convert(store)
        self.store_opened.emit(store)

    def _found(self, store: OpenStore) -> None:
        self._reveal = False
        page = next((page for page in self._workspace.pages() if page.source() is store), None)
        if page is not None:
            self._workspace.show_page(page)
        else:
            self._show_first(store)

    def _failed(self, path: Path, message: str) -> None:
        key = ("failed", str(path), "")
        if (before := self._keys.get(key)) is not None:
            self._workspace.close_page(before)
        page = FailedPage(path, message)
        page.retry.connect(self._retry)
        self._show(key, lambda: page)
        self.store_failed.emit(path, message)

    def _retry(self, path: Path, format: str | None) -> None:
        self._reveal = True
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
        text = self.tr("{folder} holds more stores; the first %n are opened", "", count)
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
        for key in [key for key, known in self._keys.items() if known is page]:
            del self._keys[key]

    def _status_changed(self) -> None:
        if self.sender() is self._workspace.current():
            self._update()

    def _update(self) -> None:
        """Show around the page what it says of itself."""
        page = self.current_page()
        self._status.set_parts(page.status())
        self._status.set_read_only(page.source() is not None)
        self._docks.set_present(stores=bool(self._stores.all()), panel=page.inspector())
        tab = self._workspace.current() is not None
        self._actions.set_views(page.views() if tab else ())
        self._actions.set_present(store=self.current_store() is not None, page=tab)
        self._top.inspector.setEnabled(page.inspector() is not None)
        self.setWindowTitle(f"{page.title} — Inspector" if tab else "Inspector")

    def _select_row(self) -> None:
        page = self._workspace.current()
        kind, key, name = next((key for key, known in self._keys.items() if known is page), ("", "", ""))
        store = next((store for store in self._stores.all() if store.key == key), None)
        if store is not None:
            self._panel.tree.show_row(store, name if kind == "collection" else None)

    def _tree_wants(self, store: OpenStore, entry: CollectionInfo | None) -> None:
        if entry is None:
            self.show_store(store)
        else:
            self.open_collection(store, entry)

    def _tree_menu(self, store: OpenStore, entry: CollectionInfo | None, place: QPoint) -> None:
        menu = QMenu(self)
        menu.addAction(self.tr("Open")).triggered.connect(lambda: self._tree_wants(store, entry))
        names = (entry.name,) if entry is not None else ()
        menu.addAction(self.tr("Convert…")).triggered.connect(lambda: self.convert(store, names))
        if entry is None:
            menu.addAction(self.tr("Compress…")).triggered.connect(lambda: self.compress(store))
            menu.addAction(self.tr("Benchmark")).triggered.connect(lambda: self.benchmark(store))
            menu.addSeparator()
            menu.addAction(self.tr("Copy path")).triggered.connect(
                lambda: self.copy(str(store.path), self.tr("the path"))
            )
            menu.addAction(self.tr("Close store")).triggered.connect(lambda: self._stores.close(store))
        self._pop_up(menu, place)

    def _rail_menu(self, store: OpenStore, place: QPoint) -> None:
        menu = QMenu(self)
        menu.addAction(store.path.name.replace("&", "&&")).triggered.connect(lambda: self.show_store(store))
        menu.addSeparator()
        for entry in store.store.collections:
            action = menu.addAction(icon(collection_icon(entry)), entry.label.replace("&", "&&"))
            action.triggered.connect(lambda _=False, entry=entry: self.open_collection(store, entry))
        self._pop_up(menu, place)

    def _pop_up(self, menu: QMenu, place: QPoint) -> None:
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _last_folder(self) -> str:
        recents = self._settings.recents()
        return os.path.dirname(recents[0].path) if recents else str(Path.home())

    def _toast_acted(self) -> None:
        if self._toast_call is not None:
            self._toast_call()

    def _writing(self) -> list[Job]:
        return [job for job in self._runner.jobs if job.running and getattr(job, "writes", False)]

    def _finish_then_close(self) -> None:
        self._close_when_done = True
        self._job_finished()

    def _job_finished(self, job: Job | None = None) -> None:
        if self._close_when_done and not self._writing():
            QTimer.singleShot(0, self, self.close)


def _local_paths(urls: Sequence[QUrl]) -> list[Path]:
    return [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
