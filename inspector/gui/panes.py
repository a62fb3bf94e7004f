"""Going through the parts of the window with F6 and Tab: each part remembers what had the focus in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary, ref

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget


class Panes(QObject):
    """The parts of the window in their order; *parts* returns those there are now.

    *home* puts the focus where it belongs when the widget that had it is gone, hidden or disabled.
    """

    def __init__(self, window: QWidget, parts: Callable[[], Sequence[QWidget]], home: Callable[[], object]) -> None:
        super().__init__(window)
        self._window = window
        self._parts = parts
        self._home = home
        # Only when the window has settled: often the page that goes has a successor that is not shown yet.
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(0)
        self._settle.timeout.connect(self._go_home)
        self._shelter: QWidget | None = None
        self._last: WeakKeyDictionary[QWidget, ref[QWidget]] = WeakKeyDictionary()
        QApplication.instance().focusChanged.connect(self._moved)  # type: ignore[union-attr]

    def step(self, by: int) -> None:
        """Put the focus into the part *by* places further that can take it."""
        parts = [part for part in self._parts() if part.isVisible()]
        focused = QApplication.focusWidget()
        here = next((at for at, part in enumerate(parts) if focused is not None and _holds(part, focused)), -1)
        start = here if here >= 0 or by > 0 else 0
        for distance in range(1, len(parts) + 1):
            part = parts[(start + by * distance) % len(parts)]
            target = self._target(part)
            if target is not None:
                target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def neighbour(self, *, forward: bool) -> QWidget | None:
        """Return where Tab goes: the chain inside each part as Qt keeps it, the parts in their own order.

        Qt appends every page to the end of the window's chain, after the docks and the status bar.
        """
        focused = QApplication.focusWidget()
        # What has the focus though Tab does not stop there (a plot that was clicked) keeps its place in the order.
        stops = [widget for widget in _chain(self._window) if widget is focused or _stops(widget)]
        parts = self._parts()

        def place(widget: QWidget) -> int:
            # What holds a part, the centre of the window, stands before it.
            near = (at for at, part in enumerate(parts) if _holds(part, widget) or widget.isAncestorOf(part))
            return next(near, len(parts))

        stops.sort(key=place)
        here = stops.index(focused) if focused in stops else -1 if forward else 0
        return stops[(here + (1 if forward else -1)) % len(stops)] if stops else None

    def leave_lost(self, shelter: QWidget) -> bool:
        """Say whether the focus must leave a widget that went; *shelter* holds it until the window has settled."""
        focused = QApplication.focusWidget()
        if focused is None or (focused.isVisible() and focused.isEnabled()):
            return False
        self._shelter = shelter
        shelter.setFocus(Qt.FocusReason.OtherFocusReason)
        self._settle.start()
        return True

    def _go_home(self) -> None:
        focused = QApplication.focusWidget()
        if self._window.isActiveWindow() and (focused is None or focused is self._shelter):
            self._home()

    def _target(self, part: QWidget) -> QWidget | None:
        known = self._last.get(part)
        last = known() if known is not None else None
        if (
            last is not None
            and shiboken6.isValid(last)
            and last.isVisible()
            and last.isEnabled()
            and _holds(part, last)
        ):
            return last
        return first_stop(part)

    def _moved(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is None:
            self._settle.start()
            return
        for part in self._parts():
            if _holds(part, new):
                self._last[part] = ref(new)


class Landing(QObject):
    """Puts the focus on the main part of a new page, and again when its rows are there unless it went on by then.

    *page* is the widget, *focus* the call that puts the focus on its main part.
    """

    def __init__(self, page: QWidget, focus: Callable[[], object]) -> None:
        super().__init__(page)
        self._focus = focus
        for view in page.findChildren(QAbstractItemView):
            view.installEventFilter(self)
        focus()
        self._place = QApplication.focusWidget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            # Later: the view has its place only when the page that shows it is done.
            QTimer.singleShot(0, self, self.again)
        return False

    def again(self) -> None:
        """Put the focus on the main part once more, unless it was moved since."""
        if QApplication.focusWidget() is self._place:
            self._focus()
            self._place = QApplication.focusWidget()


def _chain(window: QWidget) -> list[QWidget]:
    found = []
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def first_stop(part: QWidget) -> QWidget | None:
    """Return the first widget of *part* that Tab stops at, *part* itself included."""
    if _stops(part):
        return part
    return next((child for child in part.findChildren(QWidget) if _stops(child)), None)


def is_stop(widget: QWidget) -> bool:
    """Say whether Tab may stop at *widget* while it is seen.

    A widget that hands its focus on (the line in a spin box) is passed over: its owner is a stop already.
    """
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return takes and widget.focusProxy() is None and widget.isEnabled()


def _stops(widget: QWidget) -> bool:
    return is_stop(widget) and widget.isVisible()


def _holds(part: QWidget, widget: QWidget) -> bool:
    return part is widget or part.isAncestorOf(widget)
