"""What a screen may ask of the window around it, and what the window asks of a screen.

Screens are handed a `Shell` and know nothing else of the main window; the main window shows any `Page`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from inspector.gui.panes import first_stop, is_stop
from inspector.gui.theme import theme

if TYPE_CHECKING:
    from inspector.gui.controls_notices import NoticeTone
    from inspector.gui.settings import Settings
    from inspector.gui.tasks import TaskRunner
    from inspector.model import CollectionInfo, Store
    from inspector.operations.outcome import Outcome


NARROW = 1100
"""Design pixels of the window below which icons stand for the left dock and for the names of views."""


class OpenStore(QObject):
    """A store that the window has open. *key* is the task key: one task at a time per store."""

    changed_on_disk = Signal()
    """The file's signature differs from the one that was opened."""

    def __init__(self, path: Path, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self.store = store
        self.key = str(path)


class Page(QWidget):
    """The content of one tab. *title* and *subtitle* name the tab, *icon_name* is a Lucide icon."""

    title = ""
    subtitle = ""
    icon_name = "file"
    needs_width = False
    """True for a page that brings its own panel at the left: the stores make room until they are asked for."""
    status_changed = Signal()
    inspector_wanted = Signal()
    """What the user asked for is in the page's inspector, which may be hidden."""

    def status(self) -> Sequence[tuple[str, str]]:
        """Return (icon name or "", text) parts for the left of the status bar."""
        return ()

    def inspector(self) -> QWidget | None:
        """Return the panel for the right dock, owned by this page, or None."""
        return None

    def source(self) -> OpenStore | None:
        """Return the store that this page shows, or None."""
        return None

    def views(self) -> Sequence[str]:
        """Return the names of the views that Ctrl+1…5 switch between."""
        return ()

    def show_view(self, number: int) -> None:
        """Switch to view *number*, from 0."""

    def is_narrow(self) -> bool:
        """Say whether the window is so narrow that icons stand for the names of views."""
        return self.window().width() < theme().px(NARROW)

    def focus_main(self) -> None:
        """Put the focus on what the page is for: its first list or table, else its first control."""
        views = (view for view in self.findChildren(QAbstractItemView) if is_stop(view) and view.isVisible())
        target = next(views, None) or first_stop(self) or self
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_filter(self) -> None:
        """Put the focus into the page's filter field, if it has one (Ctrl+F)."""

    def reload(self) -> None:
        """Show the store as it is on disk now (F5)."""


class Shell(Protocol):
    """The services of the main window."""

    @property
    def runner(self) -> TaskRunner:
        """Runs slow work beside the window."""

    @property
    def settings(self) -> Settings:
        """What is remembered between sessions."""

    @property
    def stores(self) -> Sequence[OpenStore]:
        """The stores that are open."""

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open files or folders; the one path for arguments, drops and dialogs."""

    def open_collection(self, store: OpenStore, entry: CollectionInfo) -> None:
        """Show a table or document in a tab of its own, or bring that tab to the front."""

    def compress(self, store: OpenStore) -> None:
        """Show the compress sheet for a store."""

    def convert(self, store: OpenStore, entries: Sequence[str] = ()) -> None:
        """Show the convert sheet for a store or some of its collections."""

    def compare(self, store: OpenStore) -> None:
        """Ask with which store another is to be compared, and show the comparison."""

    def compare_files(self, first: Path, second: Path) -> None:
        """Show the comparison of two files in a tab of its own, or bring that tab to the front."""

    def open_record(self, path: Path, collection: str, key: str) -> None:
        """Show a record in its table; a document, which has no single place for it, as a whole."""

    def benchmark(self, store: OpenStore | None = None) -> None:
        """Show the benchmark lab, with a store as its data."""

    def show_outcome(self, outcome: Outcome, source: OpenStore | None) -> None:
        """Show what a job did, in a tab of its own."""

    def reload_store(self, store: OpenStore) -> None:
        """Show the file of *store* as it is on disk now, everywhere."""

    def toast(
        self, text: str, action: str = "", callback: Callable[[], None] | None = None, *, tone: NoticeTone = "ok"
    ) -> None:
        """Say something for six seconds, with one action; *tone* as that of a notice bar."""

    def copy(self, text: str, what: str) -> None:
        """Put *text* on the clipboard and say that *what* was copied."""

    def window_widget(self) -> QWidget:
        """Return the main window, as parent of sheets."""
