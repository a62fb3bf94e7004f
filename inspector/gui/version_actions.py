"""What can be made of a version: a restored copy, an export, text on the clipboard. The store is never changed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from inspector.gui.history_texts import version_text
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.texts import count_text
from inspector.gui.version_dialog import VersionDialog, proposed_path
from inspector.gui.version_work import Compared, Form, Target, version_forms, write_version
from inspector.model import CollectionInfo, History
from inspector.operations import export


class VersionActions(QObject):
    """Asks where to, writes in a task, and says what was written, also when the page has been closed meanwhile."""

    def __init__(self, shell: Shell, store: OpenStore) -> None:
        super().__init__()
        self._shell = shell
        self._store = store
        self._history: History | None = None
        self._entry: CollectionInfo | None = None

    def set_history(self, history: History, entry: CollectionInfo) -> None:
        """Write versions of this history from now on."""
        self._history, self._entry = history, entry

    def restore(self, version: int) -> None:
        """Ask for a new file and write *version* into it as what the document is."""
        self._ask(version, restoring=True)

    def export(self, version: int) -> None:
        """Ask for a new file and a form and write *version* into it."""
        self._ask(version, restoring=False)

    def copy_text(self, shown: Compared | None) -> None:
        """Put the text of the version that is shown on the clipboard."""
        if shown is not None:
            self._shell.copy(export.as_text(shown.after), version_text(shown.version))

    def write(self, version: int, path: Path, form: Form) -> None:
        """Write *version* to the new file *path* in a task; a toast says how it ended."""
        assert self._history is not None
        assert self._entry is not None
        title = self.tr("Writing {version}").format(version=version_text(version))
        task = self._shell.runner.run(
            write_version,
            self._history,
            version,
            Target(path, form, self._entry.name),
            key=self._store.key,
            title=title,
        )
        task.succeeded.connect(lambda written: self._say_written(version, written))
        task.failed.connect(lambda error: self._shell.toast(str(error)))

    def _ask(self, version: int, *, restoring: bool) -> None:
        assert self._history is not None
        task = self._shell.runner.run(version_forms, self._history, version, key=self._store.key)
        task.succeeded.connect(lambda forms: self._open_dialog(version, forms, restoring=restoring))
        task.failed.connect(lambda error: self._shell.toast(str(error)))

    def _open_dialog(self, version: int, forms: tuple[Form, ...], *, restoring: bool) -> None:
        assert self._entry is not None
        title = self.tr("Restore version {number}") if restoring else self.tr("Export version {number}")
        proposal = proposed_path(self._store.path, self._entry, version, forms[0])
        offered = forms[:1] if restoring else forms
        dialog = VersionDialog(self._shell.window_widget(), title.format(number=count_text(version)), proposal, offered)
        dialog.chosen.connect(lambda path, form: self.write(version, path, form))
        dialog.open()

    def _say_written(self, version: int, path: Path) -> None:
        text = self.tr("Wrote {version} to {name}").format(version=version_text(version), name=path.name)
        self._shell.toast(text, self.tr("Show in folder"), lambda: _show_folder(path))


def _show_folder(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
