"""The frame of the window: its parts, how they are arranged, and what can be done with them alone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenuBar, QStackedWidget, QWidget

from inspector.gui.actions import COMMAND_ICON, Actions, plain
from inspector.gui.closing import Closing
from inspector.gui.controls import NoticeTone, Toast
from inspector.gui.docks import Docks
from inspector.gui.drops import Drops, DropVeil
from inspector.gui.goto import Destination, GotoPopup
from inspector.gui.panes import Panes
from inspector.gui.settings import Settings
from inspector.gui.shell import Page
from inspector.gui.start_page import StartPage
from inspector.gui.status_bar import StatusBar
from inspector.gui.store_model import StoreModel
from inspector.gui.store_panel import StorePanel
from inspector.gui.tasks import TaskRunner
from inspector.gui.theme import LARGEST_SCALE, MODES, SMALLEST_SCALE, theme
from inspector.gui.top_row import TopRow
from inspector.gui.version_text import version_text
from inspector.gui.workspace import Workspace

SMALLEST = (960, 600)
FIRST = (1440, 900)
TEXT_STEP = 0.1
_ON_START = ("open", "goto", "find", "commands", "shortcuts")


class Frame(QMainWindow):
    """Top row, left dock, tabs or start page, right dock, status bar; it owns the task runner.

    It knows pages only as pages and stores not at all: the main window, made of it, connects those.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._runner = TaskRunner(self)
        # Dressing every widget takes a while: several changes of the look in one turn are made once.
        self._dress = QTimer(self)
        self._dress.setSingleShot(True)
        self._dress.setInterval(0)
        self._toast_call: Callable[[], None] | None = None
        self.setMinimumSize(*SMALLEST)
        self._top = TopRow()
        self.setMenuWidget(self._top)

    def build(self, actions: Actions, stores: StoreModel, places: Callable[[], list[Destination]]) -> None:
        """Make the parts; *places* are what Go to lists. Called once, before the window is shown."""
        self._actions = actions
        tools = [(self._actions["benchmark"], "gauge"), (self._actions["convert_store"], "arrow-left-right")]
        self._panel = StorePanel(stores, self._actions["open"], tools)
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
        self._goto = GotoPopup(self._top.field, self, places)
        self._panes = Panes(self, self._parts, self.focus_page)
        self._closing = Closing(self, self._runner)
        self._drops = Drops(self)
        # The start page shows in its own zone where files go.
        self._veil = DropVeil(self._workspace)
        self._wire()
        self._restore()
        # Else the first field would take the focus and open its list at the first key.
        self._centre.setFocus()

    def _wire(self) -> None:
        self._drops.held.connect(self._start.zone.set_dragged)
        self._drops.held.connect(self._veil.hold)
        self._goto.closed.connect(self._top.conceal_field)
        self._top.search.clicked.connect(self.go_to)
        self._top.inspector.clicked.connect(self.toggle_inspector)
        self._top.look.clicked.connect(self._turn_look)
        self._dress.timeout.connect(lambda: theme().set_look(self._settings.mode, self._settings.text_scale))
        self._docks.changed.connect(lambda: self._top.inspector.setChecked(self._docks.right_shown))
        self._toast.acted.connect(self._toast_acted)
        theme().changed.connect(self._docks.arrange)

    def _start_keys(self) -> dict[str, str]:
        names = {"goto": self.tr("Go to anything"), "find": self.tr("Filter records")}
        names |= {"commands": self.tr("All commands"), "shortcuts": self.tr("All shortcuts")}
        return {name: names.get(name, plain(self._actions[name].text())) for name in _ON_START}

    @property
    def runner(self) -> TaskRunner:
        return self._runner

    @property
    def settings(self) -> Settings:
        return self._settings

    def toast(
        self,
        text: str,
        action: str = "",
        callback: Callable[[], None] | None = None,
        *,
        tone: NoticeTone = "ok",
    ) -> None:
        self._toast_call = callback
        self._toast.say(text, tone, action=action)

    def copy(self, text: str, what: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.toast(self.tr("Copied {what}").replace("{what}", what))

    def window_widget(self) -> QWidget:
        return self

    def menu_bar(self) -> QMenuBar:
        """Return the menu bar, which lies in the top row."""
        return self._top.menus

    def current_page(self) -> Page:
        """Return the page that is shown: a tab's, or the start page."""
        return self._workspace.current() or self._start

    def go_to(self) -> None:
        """List every place and command below the field of the top row."""
        origin = QApplication.focusWidget()
        self._top.reveal_field()
        self._goto.open(origin)

    def show_commands(self) -> None:
        """List every command below the field of the top row."""
        origin = QApplication.focusWidget()
        self._top.reveal_field()
        self._goto.open(origin, only=COMMAND_ICON)

    def show_shortcuts(self) -> None:
        """Show every shortcut."""
        from inspector.gui.window_sheets import ShortcutsSheet, view_keys

        ShortcutsSheet(self, self._actions.shortcuts(), view_keys()).open()

    def show_about(self) -> None:
        """Show name, version, licence and the versions of the libraries."""
        from inspector.gui.window_sheets import AboutSheet

        sheet = AboutSheet(self, version_text())
        sheet.copy_wanted.connect(self.copy_version)
        sheet.open()

    def toggle_left(self) -> None:
        """Show or hide the tree of stores."""
        self._docks.toggle_left()

    def toggle_inspector(self) -> None:
        """Show or hide the inspector of the page."""
        self._docks.toggle_right()

    def focus_page(self) -> None:
        """Put the focus on the main part of the page that is shown."""
        self.current_page().focus_main()

    def step_pane(self, by: int) -> None:
        """Put the focus into the part of the window *by* places further."""
        self._panes.step(by)

    def copy_version(self) -> None:
        """Put the versions of everything on the clipboard, for a report."""
        self.copy(version_text(), self.tr("the version details"))

    def set_theme(self, mode: str) -> None:
        """Follow the system, or be light or dark, from now on and next time."""
        self._settings.mode = next(known for known in MODES if known == mode)
        self._dress.start()

    def set_high_contrast(self, wanted: bool) -> None:
        """Put contrast before softness, or leave that to the platform, from now on and next time."""
        self._settings.high_contrast = wanted
        theme().set_high_contrast(wanted)

    def set_reduced_motion(self, wanted: bool) -> None:
        """Have nothing move, or leave that to the platform, from now on and next time."""
        self._settings.reduced_motion = wanted
        theme().set_reduced_motion(wanted)

    def _turn_look(self) -> None:
        """Be dark where it is light, or is about to be."""
        mode = self._settings.mode
        dark = theme().tokens.dark if mode == "system" else mode == "dark"
        self.set_theme("light" if dark else "dark")

    def scale_text(self, by: int) -> None:
        """Make text and controls one step larger or smaller; 0 for the normal size."""
        scale = round(self._settings.text_scale + by * TEXT_STEP, 2) if by else 1.0
        self._settings.text_scale = min(max(scale, SMALLEST_SCALE), LARGEST_SCALE)
        self._dress.start()

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._docks.arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._docks.overlaid:
            self.toggle_inspector()
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        if self._panes.leave_lost(self._centre):
            return True
        target = self._panes.neighbour(forward=next)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason)
        return target is not None

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

    def _toast_acted(self) -> None:
        if self._toast_call is not None:
            self._toast_call()
