"""The docks at both sides: their widths, when they fold, and what is remembered of them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QWidget

from inspector.gui.overlay import Overlay
from inspector.gui.settings import Settings
from inspector.gui.shell import NARROW
from inspector.gui.store_panel import StorePanel
from inspector.gui.theme import theme

WIDE = 1280
"""Below this many design pixels the inspector lies over the centre when it is asked for."""
MIDDLE = NARROW
"""Below this many the left dock folds into icons."""
LEFT, RIGHT = 264, 304
LEAST_RIGHT = 260

_TOOL = "docks"


class InspectorPanel(QStackedWidget):
    """The right dock's content: the inspector of the page that is shown."""

    def __init__(self) -> None:
        super().__init__()

    def show_panel(self, panel: QWidget | None) -> None:
        """Show *panel*, which stays the page's own."""
        if panel is None:
            return
        if self.indexOf(panel) < 0:
            self.addWidget(panel)
        self.setCurrentWidget(panel)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface"))


class Docks(QObject):
    """Both docks of *window*; `arrange` follows its width."""

    changed = Signal()
    """The inspector was shown or hidden."""

    def __init__(self, window: QMainWindow, left: StorePanel, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self.panel = left
        self.inspector = InspectorPanel()
        self._left = self._dock("storesDock", left, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._right = self._dock("inspectorDock", self.inspector, Qt.DockWidgetArea.RightDockWidgetArea)
        self._overlay = Overlay(window, window.centralWidget())
        self._overlay.closed.connect(self.toggle_right)
        self._left.setWindowTitle(self.tr("Stores"))
        self._right.setWindowTitle(self.tr("Inspector"))
        self._any_store = False
        self._any_panel = False
        self._apart = self._left_apart = False
        # What the user chose, apart for wide and narrow windows: shown in the one, hidden in the other.
        self._left_wide, self._left_narrow = True, False
        self._right_wide, self._right_narrow = True, False
        self._narrow: tuple[bool, bool] | None = None
        self._sizes = [LEFT, RIGHT]
        self._restore()
        window.installEventFilter(self)

    @property
    def left_shown(self) -> bool:
        """True while the tree of stores is to be seen."""
        return self._left.isVisibleTo(self._window) and not self.panel.folded

    @property
    def right_shown(self) -> bool:
        """True while the inspector is to be seen."""
        return self._right.isVisibleTo(self._window) or self._overlay.is_open

    @property
    def overlaid(self) -> bool:
        """True while the inspector lies over the centre."""
        return self._overlay.is_open

    def set_present(self, *, stores: bool, panel: QWidget | None, apart: bool = False) -> None:
        """Tell whether any store is open, the inspector of the page that is shown, and whether it stands *apart*.

        Beside a page that stands apart the stores are hidden until they are asked for.
        """
        self._apart = apart
        self._any_store = stores
        self._any_panel = panel is not None
        self.inspector.show_panel(panel)
        self.arrange()

    def forget(self, panel: QWidget | None, owner: QWidget) -> None:
        """Give the inspector of a page that closes back to it."""
        if panel is not None and self.inspector.indexOf(panel) >= 0:
            self.inspector.removeWidget(panel)
            panel.setParent(owner)
            panel.hide()

    def toggle_left(self) -> None:
        """Show or hide the tree of stores; in a narrow window, unfold or fold it."""
        if self._is_narrow()[0]:
            self._left_narrow = not self._left_narrow
        elif self._apart:
            self._left_apart = not self._left_apart
        else:
            self._left_wide = not self._left_wide
        self.arrange()

    def toggle_right(self) -> None:
        """Show or hide the inspector."""
        if self._is_narrow()[1]:
            self._right_narrow = not self._right_narrow
        else:
            self._right_wide = not self._right_wide
        self.arrange()

    def show_right(self) -> None:
        """Show the inspector if it is not to be seen."""
        if self._any_panel and not self.right_shown:
            self.toggle_right()

    def arrange(self) -> None:
        """Show, fold or hide the docks as the window's width and the user's choice want it."""
        narrow_left, narrow_right = self._is_narrow()
        if (narrow_left, narrow_right) != self._narrow:
            self._narrow = (narrow_left, narrow_right)
            self._left_narrow = self._right_narrow = False
        fold = narrow_left and not self._left_narrow
        self.panel.fold(fold)
        wide = self._left_apart if self._apart else self._left_wide
        self._left.setVisible(self._any_store and (narrow_left or wide))
        self._arrange_right(narrow_right)
        self._resize()
        self.changed.emit()

    def _arrange_right(self, narrow: bool) -> None:
        """Put the inspector over the centre or into its dock, and show it or not."""
        self.inspector.setMinimumWidth(0 if narrow else theme().px(LEAST_RIGHT))
        self._overlay.set_width(self._sizes[1])
        if narrow:
            self._right.hide()
            if self.inspector.parentWidget() is not self._overlay:
                self._overlay.take(self.inspector)
            if self._any_panel and self._right_narrow:
                self._overlay.open()
            else:
                self._overlay.close_panel(at_once=not self._any_panel)
            return
        self._overlay.close_panel(at_once=True)
        if self._right.widget() is not self.inspector or self.inspector.parentWidget() is not self._right:
            self._right.setWidget(self.inspector)
            self.inspector.show()
        self._right.setVisible(self._any_panel and self._right_wide)

    def save(self) -> None:
        """Remember widths and choices."""
        hidden = [int(not self._left_wide), int(not self._right_wide)]
        self._settings.set_sizes(_TOOL, [*self._sizes, *hidden])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The window itself gets the mouse only where a separator is dragged: no other width is one that was chosen.
        if event.type() == QEvent.Type.MouseButtonRelease:
            QTimer.singleShot(0, self, self._keep_sizes)
        return False

    def _restore(self) -> None:
        saved = self._settings.sizes(_TOOL)
        if len(saved) == 4:
            self._sizes = [min(max(saved[0], 200), 400), min(max(saved[1], LEAST_RIGHT), 480)]
            self._left_wide, self._right_wide = not saved[2], not saved[3]

    def _dock(self, name: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(self._window)
        dock.setObjectName(name)
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        dock.setTitleBarWidget(QWidget(dock))
        dock.setWidget(content)
        self._window.addDockWidget(area, dock)
        dock.hide()
        return dock

    def _is_narrow(self) -> tuple[bool, bool]:
        width = self._window.width()
        return width < theme().px(MIDDLE), width < theme().px(WIDE)

    def _keep_sizes(self) -> None:
        if self._window.width() < theme().px(WIDE):
            # Squeezed widths are not what the user chose.
            return
        scale = theme().text_scale
        if self._left.isVisible() and not self.panel.folded and self.panel.width() >= theme().px(200):
            self._sizes[0] = round(self.panel.width() / scale)
        if self._right.isVisible() and self.inspector.width() >= theme().px(LEAST_RIGHT):
            self._sizes[1] = round(self.inspector.width() / scale)

    def _resize(self) -> None:
        px = theme().px
        docks = [dock for dock in (self._left, self._right) if not dock.isHidden()]
        widths = {self._left: px(48 if self.panel.folded else self._sizes[0]), self._right: px(self._sizes[1])}
        if docks:
            self._window.resizeDocks(docks, [widths[dock] for dock in docks], Qt.Orientation.Horizontal)
