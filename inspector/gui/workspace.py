"""The centre of the window: tabs, the bar about a change on disk, and the page that is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.gui.controls import Button, InfoBar, Pages
from inspector.gui.shell import OpenStore, Page
from inspector.gui.tabs import Tabs, TabText
from inspector.gui.theme import theme

Key = tuple[str, str, str]
"""What a page shows, so that it is not shown twice: kind, path, name in it."""

NO_KEY: Key = ("", "", "")
"""The key of pages of which there may be any number."""


class _ChangeBar(QWidget):
    """Says once, above the page, that another program changed the store it shows."""

    reload_wanted = Signal()
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.button = Button(self.tr("Reload"), height=28)
        self.button.clicked.connect(self.reload_wanted)
        hide = Button(self.tr("Hide"), "ghost", height=28)
        hide.clicked.connect(self.dismissed)
        self.bar = InfoBar("info", "", [hide, self.button], icon="refresh-cw")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(self.bar)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface"))


class Workspace(QWidget):
    """Pages in tabs. Owns its pages: closing a tab deletes the page."""

    shown = Signal(object)
    """The `Page` that is shown now, None when the last tab was closed."""
    about_to_close = Signal(object)
    """A `Page` that is deleted when the slots have returned."""
    reload_wanted = Signal(object)
    """The `OpenStore` to read again."""

    def __init__(self) -> None:
        super().__init__()
        self.tabs = Tabs()
        self.change = _ChangeBar()
        self._stack = Pages()
        self._changed: set[str] = set()
        self._keys: dict[Page, Key] = {}
        self._silent = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.change)
        layout.addWidget(self._stack, 1)
        self.change.hide()
        self.tabs.currentChanged.connect(self._switch)
        self.tabs.tabMoved.connect(self._move)
        self.tabs.close_requested.connect(lambda index: self.close_page(self.pages()[index]))
        self.change.reload_wanted.connect(self._reload)
        self.change.dismissed.connect(self._dismiss)

    def pages(self) -> list[Page]:
        """Return the pages in the order of their tabs."""
        found = [self._stack.widget(index) for index in range(self._stack.count())]
        return [page for page in found if isinstance(page, Page)]

    def current(self) -> Page | None:
        """Return the page that is shown."""
        page = self._stack.currentWidget()
        return page if isinstance(page, Page) else None

    def page_for(self, key: Key) -> Page | None:
        """Return the page of *key*."""
        return next((page for page, known in self._keys.items() if known == key), None)

    def key_of(self, page: Page) -> Key:
        """Return the key that *page* was added with."""
        return self._keys[page]

    def add(self, page: Page, key: Key, *, front: bool = True) -> None:
        """Give *page* a tab at the end and show it; behind the page that is shown if not *front*."""
        self._keys[page] = key
        self._silent = True
        self._stack.addWidget(page)
        index = self.tabs.add(TabText(page.title, page.subtitle, page.icon_name))
        self._silent = False
        page.status_changed.connect(lambda: self._retitle(page))
        if self.tabs.currentIndex() == index:
            self._switch(index)
        if front:
            self.show_page(page)

    def show_page(self, page: Page) -> None:
        """Bring *page* to the front."""
        self.tabs.setCurrentIndex(self._stack.indexOf(page))

    def bring(self, key: Key) -> None:
        """Bring the page of *key* to the front, if there still is one."""
        if (page := self.page_for(key)) is not None:
            self.show_page(page)

    def step(self, by: int) -> None:
        """Show the tab *by* places further, round the end."""
        if self.tabs.count():
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())

    def close_page(self, page: Page) -> None:
        """Close the tab of *page* and delete it."""
        index = self._stack.indexOf(page)
        self.about_to_close.emit(page)
        del self._keys[page]
        self._silent = True
        self.tabs.removeTab(index)
        self._stack.removeWidget(page)
        self._silent = False
        page.hide()
        page.deleteLater()
        self._switch(self.tabs.currentIndex())

    def mark_changed(self, store: OpenStore) -> None:
        """Say above the pages of *store* that its file was changed."""
        self._changed.add(store.key)
        self._show_change()

    def mark_current(self, store: OpenStore) -> None:
        """Say no more that the file of *store* was changed."""
        self._changed.discard(store.key)
        self._show_change()

    def _switch(self, index: int) -> None:
        if self._silent:
            return
        if index >= 0:
            self._stack.setCurrentIndex(index)
        self._show_change()
        self.shown.emit(self.current())

    def _move(self, start: int, end: int) -> None:
        page = self.pages()[start]
        self._silent = True
        self._stack.removeWidget(page)
        self._stack.insertWidget(end, page)
        self._stack.setCurrentIndex(self.tabs.currentIndex())
        self._silent = False

    def _retitle(self, page: Page) -> None:
        index = self._stack.indexOf(page)
        if index >= 0:
            self.tabs.set_text(index, TabText(page.title, page.subtitle, page.icon_name))

    def _source(self) -> OpenStore | None:
        page = self.current()
        return page.source() if page is not None else None

    def _show_change(self) -> None:
        source = self._source()
        changed = source is not None and source.key in self._changed
        if changed and source is not None:
            gone = not source.path.exists()
            text = (
                self.tr("{name} is gone from its folder. What was read before is still shown.")
                if gone
                else self.tr("{name} was changed by another program. This is its state from before.")
            )
            self.change.bar.set_text(text.replace("{name}", source.path.name))
            self.change.button.setVisible(not gone)
        self.change.setVisible(changed)

    def _reload(self) -> None:
        source = self._source()
        if source is not None:
            self.reload_wanted.emit(source)

    def _dismiss(self) -> None:
        source = self._source()
        if source is not None:
            self.mark_current(source)
        self.tabs.setFocus(Qt.FocusReason.OtherFocusReason)
