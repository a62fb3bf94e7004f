"""The window's own sheets: closing while a job writes, the shortcuts, the versions, and what to do about a fault."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPlainTextEdit, QWidget

from inspector.gui.controls import Button, KeyCaps, Label, Separator
from inspector.gui.sheet import Sheet
from inspector.gui.theme import theme

_CAPS = 118
"""Design pixels of the keys, so that the groups below each other have the same columns."""
_TWO_COLUMNS = 810
"""Design pixels of the window from which the shortcuts stand in two columns."""


class CloseSheet(Sheet):
    """Asks once what becomes of jobs that write when the window is to close."""

    finish = Signal()
    """Let the jobs end, then close."""
    stop = Signal()
    """Stop them and close; nothing half-written stays behind."""

    def __init__(self, window: QWidget, titles: Sequence[str]) -> None:
        count = len(titles)
        title = QCoreApplication.translate("CloseSheet", "%Ln job(s) still writing", "", count)
        super().__init__(window, title, width=560)
        for text in titles[:5]:
            self.body.addWidget(Label(text, "name", wrap=True))
        words = self.tr("A job that is stopped leaves nothing behind: its target stays as it was.")
        self.body.addWidget(Label(words, "body", wrap=True, token="muted"))
        keep = Button(self.tr("Keep open"), "ghost", height=36)
        self.stop_button = Button(self.tr("Stop and close"), "danger", height=36)
        self.finish_button = Button(self.tr("Finish writing, then close"), "primary", height=36)
        keep.clicked.connect(self.cancel)
        self.stop_button.clicked.connect(self._stop)
        self.finish_button.clicked.connect(self._finish)
        self.footer.addWidget(keep)
        self.footer.addStretch(1)
        self.footer.addWidget(self.stop_button)
        self.footer.addWidget(self.finish_button)
        self.set_default(self.finish_button)

    def _stop(self) -> None:
        self.accept()
        self.stop.emit()

    def _finish(self) -> None:
        self.accept()
        self.finish.emit()


def view_keys() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the keys that belong to no menu: a heading for each place where they work, then (text, keys)."""
    translate = QCoreApplication.translate
    tables = [
        (translate("ViewKeys", "Open a nested value"), "Return"),
        (translate("ViewKeys", "Go up one level"), "Backspace"),
        (translate("ViewKeys", "Go to an id"), "Ctrl+G"),
        (translate("ViewKeys", "Copy the exact value"), "Ctrl+C"),
        (translate("ViewKeys", "Copy as"), "Ctrl+Shift+C"),
    ]
    history = [
        (translate("ViewKeys", "Previous or next version"), "Left Right"),
        (translate("ViewKeys", "Ten versions back or on"), "Shift+Left Shift+Right"),
        (translate("ViewKeys", "First or last version"), "Home End"),
        (translate("ViewKeys", "Previous or next changed cell"), "Alt+Up Alt+Down"),
        (translate("ViewKeys", "Make this version the base"), "A"),
        (translate("ViewKeys", "Next deletion"), "D"),
        (translate("ViewKeys", "Play or pause"), "Space"),
    ]
    comparison = [
        (translate("ViewKeys", "Next or previous difference"), "F3 Shift+F3"),
        (translate("ViewKeys", "Next or previous record that differs"), "Alt+Down Alt+Up"),
        (translate("ViewKeys", "Open the record in its store"), "Return"),
    ]
    sheets = [(translate("ViewKeys", "Cancel a sheet, or empty the filter"), "Esc")]
    return [
        (translate("ViewKeys", "Tables and values"), tables),
        (translate("ViewKeys", "History"), history),
        (translate("ViewKeys", "Comparison of stores"), comparison),
        (translate("ViewKeys", "Everywhere"), sheets),
    ]


class ShortcutsSheet(Sheet):
    """Every action that has a key, with its key, then the keys of the views under their *headings*."""

    def __init__(
        self,
        window: QWidget,
        shortcuts: Sequence[tuple[str, str]],
        headings: Sequence[tuple[str, Sequence[tuple[str, str]]]] = (),
    ) -> None:
        super().__init__(window, QCoreApplication.translate("ShortcutsSheet", "Shortcuts"), width=760)
        self._columns = 2 if window.width() >= theme().px(_TWO_COLUMNS) else 1
        self.body.addLayout(self._grid(shortcuts))
        for heading, keys in headings:
            self.body.addWidget(Separator())
            self.body.addWidget(Label(heading, "section"))
            self.body.addLayout(self._grid(keys))
        close = Button(self.tr("Close"), "primary", height=36)
        close.clicked.connect(self.cancel)
        self.footer.addStretch(1)
        self.footer.addWidget(close)
        self.set_default(close)

    def _grid(self, shortcuts: Sequence[tuple[str, str]]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        half = -(-len(shortcuts) // self._columns)
        for place, (text, keys) in enumerate(shortcuts):
            row, column = place % half, 3 * (place // half)
            caps = QHBoxLayout()
            caps.addStretch(1)
            for one in keys.split():
                caps.addWidget(KeyCaps(one))
            grid.addWidget(Label(text, "body", token="muted"), row, column)
            grid.addLayout(caps, row, column + 1)
        for column in range(self._columns):
            grid.setColumnStretch(3 * column, 1)
            grid.setColumnMinimumWidth(3 * column + 1, theme().px(_CAPS))
        grid.setColumnMinimumWidth(2, theme().px(8) if self._columns > 1 else 0)
        return grid


class AboutSheet(Sheet):
    """Name, version, licence, and the versions of what it is made of, which can be copied."""

    copy_wanted = Signal()

    def __init__(self, window: QWidget, versions: str) -> None:
        super().__init__(window, QCoreApplication.translate("AboutSheet", "About Inspector"), width=480)
        name, *parts = versions.splitlines()
        self.body.addWidget(Label(name, "page", selectable=True))
        words = self.tr("Looks into TinyDB and ystore files. Free software under the MIT licence.")
        self.body.addWidget(Label(words, "body", wrap=True))
        self.body.addWidget(Separator())
        self.body.addWidget(Label(self.tr("Made with"), "section"))
        self.body.addWidget(Label("\n".join(parts), "monoSmall", wrap=True, selectable=True))
        copy = Button(self.tr("Copy version details"), icon="copy", height=36)
        copy.clicked.connect(self.copy_wanted)
        close = Button(self.tr("Close"), "primary", height=36)
        close.clicked.connect(self.cancel)
        self.footer.addWidget(copy)
        self.footer.addStretch(1)
        self.footer.addWidget(close)
        self.set_default(close)


class FaultSheet(Sheet):
    """Says calmly that something of ours broke, where its report was kept, and lets it be copied."""

    def __init__(self, window: QWidget, report: str, kept: str) -> None:
        super().__init__(window, QCoreApplication.translate("FaultSheet", "Something went wrong"), width=640)
        words = self.tr(
            "Inspector met a fault of its own. Your stores were not changed, and the window goes on. "
            "The report stays on this computer; nothing was sent."
        )
        self.body.addWidget(Label(words, "body", wrap=True))
        self.text = QPlainTextEdit(report)
        self.text.setReadOnly(True)
        self.text.setFont(theme().font(12, mono=True))
        self.text.setMinimumHeight(theme().px(180))
        self.text.setAccessibleName(self.tr("Report"))
        self.body.addWidget(self.text)
        if kept:
            where = self.tr("Kept in {file}").replace("{file}", kept)
            self.body.addWidget(Label(where, "secondary", wrap=True, selectable=True))
        self.copy_button = Button(self.tr("Copy report"), icon="copy", height=36)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
        close = Button(self.tr("Close"), "primary", height=36)
        close.clicked.connect(self.cancel)
        self.footer.addWidget(self.copy_button)
        self.footer.addStretch(1)
        self.footer.addWidget(close)
        self.set_default(close)
