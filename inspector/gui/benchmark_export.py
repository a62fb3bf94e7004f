"""Writes a benchmark to files: pictures as the exports of the command line draw them, tables, and the result itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QWidget

from inspector import files
from inspector.gui.controls import Button, Label
from inspector.gui.shell import Shell
from inspector.gui.theme import theme
from inspector.model import InspectorError
from inspector.operations import charts
from inspector.operations.benchmark_model import Report, as_text
from inspector.progress import Progress

PNG_SCALE = 2


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is exported: a report, and how its charts are shown on screen."""

    report: Report
    way: charts.Way
    current: str | None
    dark: bool


def _svg(drawn: Drawn) -> str:
    return charts.svg(charts.figure(drawn.report, way=drawn.way, current=drawn.current), dark=drawn.dark)


FORMS: dict[str, tuple[str, Callable[[Drawn], str | bytes]]] = {
    "png": ("PNG", lambda drawn: charts.png(_svg(drawn), PNG_SCALE)),
    "svg": ("SVG", _svg),
    "csv": ("CSV", lambda drawn: charts.csv(drawn.report)),
    "json": ("JSON", lambda drawn: as_text(drawn.report)),
    "md": ("Markdown", lambda drawn: charts.markdown(drawn.report)),
    "html": ("HTML", lambda drawn: charts.html(drawn.report, current=drawn.current)),
}
"""By suffix: what people call the form, and what makes its content."""


def write(progress: Progress, drawn: Drawn, suffix: str, path: Path, *, overwrite: bool = False) -> Path:
    """Write *drawn* as *path* whole or not at all. Slow. Raises `InspectorError`, also if the file is there."""
    progress(0, None)
    made = FORMS[suffix][1](drawn)
    content = made.encode("utf-8", "backslashreplace") if isinstance(made, str) else made
    progress(1, 2)

    def fill(temporary: Path) -> None:
        temporary.write_bytes(content)

    def same(temporary: Path) -> None:
        if temporary.read_bytes() != content:
            raise InspectorError(f"{path} was not written: reading it back gave something else.")

    files.replace(path, fill, verify=same, overwrite=overwrite)
    return path


class Exporter(QObject):
    """Asks where to, writes in a task, and says what was written."""

    written = Signal(object)
    """The path."""

    def __init__(self, shell: Shell, parent: QObject) -> None:
        super().__init__(parent)
        self._shell = shell

    def ask(self, drawn: Drawn, suffix: str) -> None:
        """Ask for a name and write there."""
        name = FORMS[suffix][0]
        title = self.tr("Export as {form}").replace("{form}", name)
        window = self._shell.window_widget()
        chosen, _ = QFileDialog.getSaveFileName(window, title, f"benchmark.{suffix}", f"{name} (*.{suffix})")
        if chosen:
            path = Path(chosen)
            # The dialog asked about the very name that was typed, not about one that we complete.
            if path.suffix:
                self.write(drawn, suffix, path, overwrite=True)
            else:
                self.write(drawn, suffix, path.with_suffix(f".{suffix}"))

    def write(self, drawn: Drawn, suffix: str, path: Path, *, overwrite: bool = False) -> None:
        """Write to *path* without asking."""
        title = self.tr("Exporting {file}").replace("{file}", path.name)
        task = self._shell.runner.run(partial(write, overwrite=overwrite), drawn, suffix, path, title=title)
        task.writes = True
        task.succeeded.connect(self._done)
        task.failed.connect(lambda error: self._shell.toast(str(error)))

    def _done(self, path: Path) -> None:
        self._shell.toast(self.tr("Exported {file}").replace("{file}", path.name))
        self.written.emit(path)


class ExportRow(QWidget):
    """The export buttons; where there is no room for them, one button with a menu."""

    wanted = Signal(str)
    """A suffix of `FORMS`."""

    def __init__(self) -> None:
        super().__init__()
        label = Label(QCoreApplication.translate("ExportRow", "Export"), "secondary")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label)
        self._wide: list[QWidget] = [label]
        self.buttons: dict[str, Button] = {}
        self._menu = QMenu(self)
        for suffix, (name, _) in FORMS.items():
            button = Button(name, height=28)
            button.setAccessibleName(self.tr("Export as {form}").replace("{form}", name))
            button.clicked.connect(lambda _=False, suffix=suffix: self.wanted.emit(suffix))
            self._menu.addAction(name).triggered.connect(lambda _=False, suffix=suffix: self.wanted.emit(suffix))
            layout.addWidget(button)
            self.buttons[suffix] = button
            self._wide.append(button)
        self.more = Button(self.tr("Export"), icon="download", height=28)
        self.more.setMenu(self._menu)
        self.more.hide()
        layout.addWidget(self.more)
        theme().changed.connect(self.updateGeometry)

    def set_compact(self, compact: bool) -> None:
        """Show one button with a menu, or all."""
        for widget in self._wide:
            widget.setVisible(not compact)
        self.more.setVisible(compact)
