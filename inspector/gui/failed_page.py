"""What stands in the tab of a file that does not open: the one sentence, and what can be done about it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from inspector.gui.controls import Button, ErrorCard
from inspector.gui.kinds import readable_formats
from inspector.gui.shell import Page
from inspector.gui.texts import for_window
from inspector.gui.theme import theme

_WIDTH = 640


class FailedPage(Page):
    """The refusal of *path*; the rest of the window goes on."""

    retry = Signal(object, object)
    """Path, and the id of the format to try or None to recognise it again."""

    icon_name = "circle-alert"

    def __init__(self, path: Path, message: str) -> None:
        super().__init__()
        self.path = path
        self.message = message
        self.title = path.name or str(path)
        self.subtitle = self.tr("not opened")
        self.again = Button(self.tr("Try again"), "primary", icon="refresh-cw")
        self.again.clicked.connect(lambda: self.retry.emit(path, None))
        buttons = [self.again]
        if path.is_file():
            buttons.append(self._open_as())
        title = self.tr("{name} is not open").replace("{name}", self.title)
        safe = self.tr("Nothing was changed. Everything else that is open stays as it is.")
        self.card = ErrorCard(title, for_window(message), safe, buttons)
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(24, 28, 24, 24)
        column = QVBoxLayout()
        column.addWidget(self.card)
        column.addStretch(1)
        row.addStretch(1)
        row.addLayout(column, 100)
        row.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(title)
        scroll.setWidget(content)
        content.setAutoFillBackground(False)
        scroll.viewport().setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        self.setAccessibleName(title)
        self._restyle()
        theme().changed.connect(self._restyle)

    def status(self) -> tuple[tuple[str, str], ...]:
        return (("circle-alert", str(self.path)),)

    def reload(self) -> None:
        self.retry.emit(self.path, None)

    def _open_as(self) -> Button:
        button = Button(self.tr("Open as"))
        menu = QMenu(button)
        for name, label in readable_formats():
            action = menu.addAction(label.replace("&", "&&"))
            action.triggered.connect(lambda _=False, name=name: self.retry.emit(self.path, name))
        button.setMenu(menu)
        return button

    def _restyle(self) -> None:
        self.card.setMaximumWidth(theme().px(_WIDTH))
