"""Going through the parts of the window with F6 and Tab: each part remembers what had the focus in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary, ref

import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget


class Panes(QObject):
    """The parts of the window in their order; *parts* returns those there are now."""

    def __init__(self, window: QWidget, parts: Callable[[], Sequence[QWidget]]) -> None:
        super().__init__(window)
        self._window = window
        self._parts = parts
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
        stops = [widget for widget in _chain(self._window) if _stops(widget)]
        parts = self._parts()

        def place(widget: QWidget) -> int:
            return next((at for at, part in enumerate(parts) if _holds(part, widget)), len(parts))

        stops.sort(key=place)
        focused = QApplication.focusWidget()
        here = stops.index(focused) if focused in stops else -1 if forward else 0
        return stops[(here + (1 if forward else -1)) % len(stops)] if stops else None

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
            return
        for part in self._parts():
            if _holds(part, new):
                self._last[part] = ref(new)


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


def _stops(widget: QWidget) -> bool:
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return takes and widget.isVisible() and widget.isEnabled()


def _holds(part: QWidget, widget: QWidget) -> bool:
    return part is widget or part.isAncestorOf(widget)
