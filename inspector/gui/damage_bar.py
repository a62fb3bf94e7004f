"""The bar above content that says what is wrong with the store the content comes from."""

from __future__ import annotations

from typing import Protocol, cast, runtime_checkable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLayout

from inspector.gui.controls import Button, IconButton, InfoBar
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.texts import for_window, visible
from inspector.model import Finding

MOST = 300
"""Most characters of a finding; all of it stands on the store's page."""

_ORDER = ("error", "warning")


@runtime_checkable
class ShowsStores(Protocol):
    """A window that has a page for a store as a whole."""

    def show_store(self, store: OpenStore) -> None:
        """Show what is known of a store as a whole."""


class DamageBar(InfoBar):
    """The first error or warning about *store*, and how many more there are; hidden while there is none.

    Dismissed, it stays away until the store has other findings.
    """

    def __init__(self, shell: Shell, store: OpenStore) -> None:
        tr = QCoreApplication.translate
        self._more = Button("", "link", height=28)
        self._close = IconButton("x", tr("DamageBar", "Dismiss"), size=14, extent=24)
        super().__init__("error", "", [self._more])
        cast(QLayout, self.layout()).addWidget(self._close)
        self._shell = shell
        self._store = store
        self._dismissed: tuple[Finding, ...] = ()
        self._more.clicked.connect(self._show_store)
        self._close.clicked.connect(self._dismiss)
        self.refresh()

    @property
    def more(self) -> Button:
        """The button that leads to the store's page."""
        return self._more

    @property
    def close_button(self) -> IconButton:
        """The button that takes the bar away."""
        return self._close

    def refresh(self) -> None:
        """Say what is wrong with the store as it is open now."""
        found = self._findings()
        if not found or found == self._dismissed:
            self.hide()
            return
        first, others = found[0], len(found) - 1
        self._more.setVisible(bool(others))
        if others:
            self._more.setText(QCoreApplication.translate("DamageBar", "%Ln more", "", others))
            self._more.updateGeometry()
        self.set_text(visible(for_window(first.message), MOST), "error" if first.severity == "error" else "warning")
        if self.parentWidget() is not None:  # without one it would open as a window; later it shows with its parent
            self.show()

    def _findings(self) -> tuple[Finding, ...]:
        """Return errors, then warnings."""
        found = (finding for finding in self._store.store.info.findings if finding.severity in _ORDER)
        return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.severity)))

    def _show_store(self) -> None:
        window = self._shell.window_widget()
        if isinstance(window, ShowsStores):
            window.show_store(self._store)

    def _dismiss(self) -> None:
        self._dismissed = self._findings()
        self.hide()
