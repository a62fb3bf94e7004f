"""What can be done with the selected differences: open the record in its store, copy values and rows, sort."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from inspector.gui import copying
from inspector.gui.compare_model import AFTER, BEFORE, CompareModel
from inspector.gui.compare_rows import DiffRow
from inspector.gui.compare_session import CompareSession
from inspector.gui.compare_table import CompareTable
from inspector.gui.compare_work import piece
from inspector.gui.records_work import Form
from inspector.gui.shell import Shell


class CompareMenu(QObject):
    """Copies from the table of differences, and shows its menu."""

    open_wanted = Signal(bool)
    """The current record is wanted in its store: in B, or in A."""

    def __init__(self, shell: Shell, session: CompareSession, model: CompareModel, table: CompareTable) -> None:
        super().__init__(table)
        self._shell = shell
        self._session = session
        self._model = model
        self._table = table

    def copy(self) -> None:
        """Copy the exact value of the current cell; of several rows all of them."""
        rows, column = self._table.selected_rows(), self._table.currentIndex().column()
        if len(rows) > 1:
            self._copy_rows("tsv")
        elif column in (BEFORE, AFTER):
            self._copy_side(after=column == AFTER)
        elif rows:
            self._shell.copy(str(self._table.currentIndex().data()), self.tr("the cell"))

    def show(self, place: QPoint) -> QMenu:
        """Show the menu at *place* on screen."""
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = self._current()
        if row is not None:
            self._add_sides(menu, row)
            menu.addSeparator()
            forms: tuple[tuple[str, Form], ...] = (
                (self.tr("Copy rows as JSON"), "json"),
                (self.tr("Copy rows as CSV"), "csv"),
                (self.tr("Copy rows as TSV"), "tsv"),
                (self.tr("Copy rows as Markdown"), "markdown"),
            )
            for label, form in forms:
                _add(menu, label, partial(self._copy_rows, form))
            menu.addSeparator()
        self._add_sorting(menu.addMenu(self.tr("Sort by")))
        menu.popup(place)
        return menu

    def _add_sides(self, menu: QMenu, row: DiffRow) -> None:
        if row.old is not None:
            _add(menu, self.tr("Open record in A"), partial(self.open_wanted.emit, False))
        if row.new is not None:
            _add(menu, self.tr("Open record in B"), partial(self.open_wanted.emit, True))
        menu.addSeparator()
        if row.old is not None:
            _add(menu, self.tr("Copy value in A"), partial(self._copy_side, after=False))
        if row.new is not None:
            _add(menu, self.tr("Copy value in B"), partial(self._copy_side, after=True))

    def _add_sorting(self, menu: QMenu) -> None:
        header, up = self._table.horizontalHeader(), Qt.SortOrder.AscendingOrder
        _add(menu, self.tr("Order found"), partial(header.setSortIndicator, -1, up))
        for column in range(self._model.columnCount()):
            title = str(self._model.headerData(column, Qt.Orientation.Horizontal)).replace("&", "&&")
            _add(menu, title, partial(header.setSortIndicator, column, up))

    def _current(self) -> DiffRow | None:
        return self._model.row(self._table.currentIndex().row())

    def _copy_side(self, *, after: bool) -> None:
        row = self._current()
        if row is None:
            return
        value, record = (row.after, row.new) if after else (row.before, row.old)
        found = piece(value, record, row.path)
        if found is None:
            self._shell.toast(self.tr("Nothing is there on this side; nothing was copied."), tone="info")
        else:
            self._shell.copy(copying.exact(found), self.tr("the value"))

    def _copy_rows(self, form: Form) -> None:
        rows = [row for place in self._table.selected_rows() if (row := self._model.row(place)) is not None]
        if rows:
            self._session.copy(rows, form)


def _add(menu: QMenu, label: str, call: Callable[[], object]) -> None:
    menu.addAction(label).triggered.connect(lambda _=False: call())
