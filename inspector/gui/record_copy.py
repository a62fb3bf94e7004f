"""Copying from a table of records: one exact value, or rows in the notations of other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from inspector.gui import copying
from inspector.gui.record_columns import Column
from inspector.gui.record_rows import Row, RowCache
from inspector.gui.records_work import Form, copy_rows, piece, rows_as
from inspector.gui.shell import OpenStore, Shell
from inspector.gui.tasks import Job
from inspector.gui.texts import count_text

AT_ONCE = 200
"""Rows that are copied at once if they are at hand; more are a task."""

Columns = Sequence[tuple[str, Column]]


class RecordCopier(QObject):
    """Puts values and rows of one store on the clipboard."""

    def __init__(self, shell: Shell, store: OpenStore, cache: RowCache, parent: QWidget) -> None:
        super().__init__(parent)
        self._shell = shell
        self._store = store
        self._cache = cache
        self._job: Job | None = None
        self._what = ""

    def copy_value(self, row: Row, column: Column) -> None:
        """Copy the exact value of one cell; a missing one leaves the clipboard alone."""
        found = piece(row, column)
        if row.error and column.kind != "key":
            self._shell.toast(self.tr("This record cannot be read; nothing was copied."))
        elif found is None:
            self._shell.toast(self.tr("The record has no such key; nothing was copied."))
        else:
            changed = isinstance(found.value, str) and copying.holds_surrogates(found.value)
            what = self.tr("value, as JSON text because it holds half a surrogate pair")
            self._shell.copy(copying.exact(found), what if changed else self.tr("value"))

    def copy_rows(self, numbers: Sequence[int], columns: Columns, form: Form) -> None:
        """Copy the records of these numbers."""
        self._what = self.tr("%Ln rows", "", len(numbers)).replace(str(len(numbers)), count_text(len(numbers)), 1)
        here = [self._cache.peek(number) for number in numbers[: AT_ONCE + 1]]
        rows = [row for row in here if row is not None]
        if len(rows) == len(numbers):
            pieces = [[piece(row, column) for _, column in columns] for row in rows]
            self._done(rows_as(form, [name for name, _ in columns], pieces))
            return
        title = self.tr("Copying {rows}").replace("{rows}", self._what)
        self._job = self._shell.runner.run(
            copy_rows, self._cache.records, numbers, columns, form,
            key=self._store.key, title=title, replaces=self._job,
        )  # fmt: skip
        self._job.succeeded.connect(self._done)
        self._job.failed.connect(self._refused)

    def show_menu(self, place: QPoint, numbers: Sequence[int], columns: Columns, current: Column | None) -> QMenu:
        """Show what can be copied: of one row its current value, of several the rows."""
        parent = self.parent()
        menu = QMenu(parent if isinstance(parent, QWidget) else None)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = self._cache.peek(numbers[0]) if len(numbers) == 1 else None
        if row is not None and current is not None:
            self._add_value(menu, row, current)
            menu.addSeparator()
        labels: list[tuple[str, Form]] = [
            (self.tr("Copy rows as JSON"), "json"),
            (self.tr("Copy rows as CSV"), "csv"),
            (self.tr("Copy rows as TSV"), "tsv"),
            (self.tr("Copy rows as Markdown"), "markdown"),
            (self.tr("Copy rows as Python"), "python"),
        ]
        for label, form in labels:
            self._add(menu, label, partial(self.copy_rows, numbers, columns, form))
        menu.popup(place)
        return menu

    def _add_value(self, menu: QMenu, row: Row, column: Column) -> None:
        self._add(menu, self.tr("Copy value"), lambda: self.copy_value(row, column))
        found = piece(row, column)
        if found is not None:
            as_json, as_python = self.tr("JSON"), self.tr("Python value")
            self._add(menu, self.tr("Copy value as JSON"), lambda: self._put(copying.escaped(found.text), as_json))
            self._add(menu, self.tr("Copy value as Python"), lambda: self._put(copying.python(found.value), as_python))
        steps = [column.name] if column.kind == "member" else []
        path = copying.python_path(steps)
        self._add(menu, self.tr("Copy path"), lambda: self._put(path, self.tr("path")))

    def _add(self, menu: QMenu, label: str, call: Callable[[], None]) -> None:
        menu.addAction(label).triggered.connect(lambda _=False: call())

    def _put(self, text: str, what: str) -> None:
        self._shell.copy(text, what)

    def _done(self, text: str) -> None:
        self._shell.copy(copying.escaped(text), self._what)

    def _refused(self, error: Exception) -> None:
        self._shell.toast(str(error))
