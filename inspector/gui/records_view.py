"""The page of one table or document: filter, rows, tree and raw text, with the value inspector at its right."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.gui.cell_delegate import ROW_HEIGHT
from inspector.gui.controls import Button, EmptyState, ErrorCard, InfoBar, Separator
from inspector.gui.kinds import collection_icon, icon_for, label_for
from inspector.gui.query_field import QueryBar
from inspector.gui.query_tokens import marks
from inspector.gui.raw_view import RawView
from inspector.gui.record_columns import LATER_SAMPLE, Column, Survey, survey
from inspector.gui.record_copy import RecordCopier
from inspector.gui.record_rows import RowCache
from inspector.gui.record_table import RecordTableModel, RecordTableView
from inspector.gui.records_toolbar import GoToBar, ViewRow
from inspector.gui.records_work import Export, FileForm, Loaded, Order, Written, arrange, find_key, load, write_rows
from inspector.gui.shell import OpenStore, Page, Shell
from inspector.gui.skeleton import AFTER, SkeletonRows
from inspector.gui.tasks import Job
from inspector.gui.texts import count_text, size_text
from inspector.gui.theme import theme
from inspector.gui.tree_view import RecordTreeView
from inspector.gui.value_tree import ValuePanel
from inspector.model import CollectionInfo, InspectorError
from inspector.operations.query import Query
from inspector.operations.search import Hits

_SUFFIXES: dict[str, str] = {"jsonl": "jsonl", "csv": "csv", "text": "txt", "ipynb": "ipynb"}
_FIND = QKeySequence("Ctrl+F")
_GO_TO = QKeySequence("Ctrl+G")


class RecordsPage(Page):
    """Shows the records of *entry*. Everything slow runs in tasks of the store; a newer one replaces the older."""

    def __init__(self, shell: Shell, store: OpenStore, entry: CollectionInfo) -> None:
        super().__init__()
        self._shell = shell
        self._store = store
        self._entry = entry
        self.title, self.subtitle = entry.label, store.path.name
        self.icon_name = collection_icon(entry)
        self._query: Query | None = None
        self._order: Order | None = None
        self._survey = Survey((), 0, 0)
        self._surveyed = False
        self._wanted_number: int | None = None
        self._jobs: dict[str, Job] = {}
        self._cache = RowCache(shell.runner, self)
        self._model = RecordTableModel(self._cache, row_height=theme().px(ROW_HEIGHT), parent=self)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._load()

    @property
    def table(self) -> RecordTableView:
        """The Records view."""
        return self._table

    @property
    def tree(self) -> RecordTreeView:
        """The Tree view."""
        return self._tree

    @property
    def raw(self) -> RawView:
        """The Raw view."""
        return self._raw

    @property
    def filter(self) -> QueryBar:
        """The filter row."""
        return self._filter

    @property
    def panel(self) -> ValuePanel:
        """The value inspector."""
        return self._panel

    @property
    def toolbar(self) -> ViewRow:
        """The row of views and actions."""
        return self._toolbar

    @property
    def busy(self) -> bool:
        """True while the records are being loaded, filtered or sorted."""
        return any(name in self._jobs for name in ("load", "search"))

    @property
    def model(self) -> RecordTableModel:
        """The table's model."""
        return self._model

    def status(self) -> Sequence[tuple[str, str]]:
        info = self._store.store.info
        path = str(self._store.path)
        home = str(Path.home())
        shown = "~" + path[len(home) :] if path.startswith(home + "/") else path
        kind = label_for(info.format) + (f" · {info.codec}" if info.codec != "none" else "")
        size = self.tr("{size} on disk").replace("{size}", size_text(info.size))
        if info.decoded_size is not None and info.size and info.decoded_size != info.size:
            ratio = f"{info.decoded_size / info.size:.1f}×"
            decoded = self.tr("{size} decoded").replace("{size}", size_text(info.decoded_size))
            size = f"{size} → {decoded} ({ratio})"
        return ((icon_for(self._store.store), shown), ("", kind), ("", size))

    def inspector(self) -> QWidget:
        return self._panel

    def source(self) -> OpenStore:
        return self._store

    def views(self) -> Sequence[str]:
        return (self.tr("Records"), self.tr("Tree"), self.tr("Raw"))

    def show_view(self, number: int) -> None:
        if 0 <= number < 3:
            self._toolbar.views.set_current(number)

    def find(self) -> None:
        self._filter.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.field.selectAll()

    def go_to_id(self) -> None:
        """Ask for an id to go to (Ctrl+G)."""
        self._go_to.open()

    def reload(self) -> None:
        self._load()

    def export_to(self, path: Path, form: FileForm) -> None:
        """Write the rows that are shown to a file."""
        columns = tuple(
            (self._model.title(c), c) for c in (self._model.columns[n] for n in self._table.shown_columns())
        )
        job = Export(self._entry.name, path, form, columns)
        title = self.tr("Exporting {name}").replace("{name}", self._entry.label)
        task = self._run("export", write_rows, self._cache.records, self._model.rows, job, title=title)
        task.succeeded.connect(self._exported)
        task.failed.connect(self._refused)

    def event(self, event: QEvent) -> bool:
        # The keys of this page come before those of the window while the focus is in it.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and QKeySequence(event.keyCombination()) in (_FIND, _GO_TO)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = QKeySequence(event.keyCombination())
        if keys == _FIND:
            self.find()
        elif keys == _GO_TO:
            self.go_to_id()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._toolbar.set_narrow(self.width())

    def _make_widgets(self) -> None:
        self._toolbar = ViewRow()
        self._filter = QueryBar()
        self._go_to = GoToBar()
        self._notice = InfoBar("info", "")
        self._notice.hide()
        self._table = RecordTableView(self._cache)
        self._table.set_model(self._model)
        self._tree = RecordTreeView(self._cache)
        self._raw = RawView(self._shell)
        self._panel = ValuePanel(self._shell)
        self._copier = RecordCopier(self._shell, self._store, self._cache, self)
        self._clear = Button(self.tr("Clear filter"))
        self._nothing = EmptyState("search", "", "", [self._clear])
        self._stack = QStackedWidget()
        self._error = QWidget()
        self._skeleton = SkeletonRows(self.tr("Reading the records"))
        self._blank = QWidget()
        for widget in (self._table, self._tree, self._raw, self._nothing, self._skeleton, self._error, self._blank):
            self._stack.addWidget(widget)
        self._stack.setCurrentWidget(self._blank)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(AFTER)
        self._patience.timeout.connect(lambda: self._stack.setCurrentWidget(self._skeleton))

    def _lay_out(self) -> None:
        row = QWidget()
        inner = QHBoxLayout(row)
        inner.setContentsMargins(16, 0, 16, 10)
        inner.addWidget(self._filter)
        notice = QHBoxLayout()
        notice.setContentsMargins(16, 0, 16, 8)
        notice.addWidget(self._notice)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._toolbar)
        layout.addWidget(row)
        layout.addWidget(self._go_to)
        layout.addLayout(notice)
        layout.addWidget(Separator())
        layout.addWidget(self._stack, 1)
        self._restyle()
        theme().changed.connect(self._restyle)

    def _connect(self) -> None:
        self._toolbar.view_chosen.connect(self._show_content)
        self._toolbar.column_toggled.connect(self._toggle_column)
        self._toolbar.all_columns_wanted.connect(self._show_all_columns)
        self._toolbar.export_wanted.connect(self._ask_where)
        self._toolbar.convert_wanted.connect(lambda: self._shell.convert(self._store, (self._entry.name,)))
        self._filter.wanted.connect(self._filter_by)
        self._filter.rows_wanted.connect(self._focus_rows)
        self._clear.clicked.connect(self._filter.field.clear)
        self._go_to.wanted.connect(self._find_key)
        self._go_to.closed.connect(self._focus_rows)
        self._table.current_row_changed.connect(self._table_moved)
        self._table.sort_wanted.connect(self._sort_by)
        self._table.opened.connect(self._open_value)
        self._table.copy_wanted.connect(self._copy)
        self._table.copy_menu_wanted.connect(self._copy_menu)
        self._table.left.connect(self.find)
        self._tree.current_changed.connect(self._tree_moved)
        self._tree.copy_wanted.connect(self._panel.detail.copy_value)
        self._panel.step_wanted.connect(self._step)
        self._cache.arrived.connect(self._came)

    def _run(self, name: str, function: Callable[..., object], *args: object, title: str = "") -> Job:
        """Run a task of the store; it takes the place of the running one of the same *name*."""
        job = self._shell.runner.run(function, *args, key=self._store.key, title=title, replaces=self._jobs.get(name))
        self._jobs[name] = job
        return job

    def _over(self, name: str) -> None:
        self._jobs.pop(name, None)

    def _load(self) -> None:
        for name in ("search", "survey"):
            self._drop(name)
        self._patience.start()
        title = self.tr("Reading {name}").replace("{name}", self._entry.label)
        job = self._run("load", load, self._store.store, self._entry.name, title=title)
        job.succeeded.connect(self._loaded)
        job.failed.connect(self._load_failed)
        job.cancelled.connect(self._load_stopped)

    def _drop(self, name: str) -> None:
        job = self._jobs.pop(name, None)
        if job is not None:
            job.drop()

    def _loaded(self, loaded: Loaded) -> None:
        self._over("load")
        kept = self._table.current_number() or 0
        self._wanted_number = None
        self._surveyed = loaded.survey.sampled >= loaded.survey.total
        self._notebook = loaded.notebook
        self._model.set_rows(range(0))
        self._tree.records.set_rows(range(0))
        self._cache.set_records(loaded.records)
        self._take_survey(loaded.survey)
        self._set_forms()
        if self._query is not None or self._order is not None:
            self._search()
        else:
            self._show_rows(Hits(range(len(loaded.records)), len(loaded.records), 0.0), kept)
            self._look_further()

    def _load_failed(self, error: BaseException) -> None:
        self._over("load")
        again = Button(self.tr("Try again"))
        again.clicked.connect(self._load)
        what = self.tr("{name} cannot be read").replace("{name}", self._entry.label)
        safe = self.tr("The file was not changed.")
        self._show_card(ErrorCard(what, _sentence(error), safe, [again]))

    def _load_stopped(self) -> None:
        self._over("load")
        again = Button(self.tr("Read again"))
        again.clicked.connect(self._load)
        self._show_card(EmptyState("table-2", self.tr("Stopped before the records were read"), "", [again]))

    def _show_card(self, card: QWidget) -> None:
        self._patience.stop()
        place = QWidget()
        layout = QVBoxLayout(place)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addWidget(card)
        layout.addStretch(1)
        self._stack.removeWidget(self._error)
        self._error.deleteLater()
        self._error = place
        self._stack.addWidget(place)
        self._stack.setCurrentWidget(place)
        self._panel.show_nothing()

    def _look_further(self) -> None:
        """Look at more records for columns and shares, when nothing else wants the store."""
        if self._surveyed or "search" in self._jobs:
            return
        self._run("survey", survey, self._cache.records, LATER_SAMPLE).succeeded.connect(self._surveyed_more)

    def _surveyed_more(self, found: Survey) -> None:
        self._over("survey")
        self._surveyed = True
        self._take_survey(found)

    def _take_survey(self, found: Survey) -> None:
        self._survey = found
        self._model.set_survey(found)
        if self._model.rows:
            self._table.fit_columns()
        self._show_column_count()

    def _filter_by(self, query: Query | None) -> None:
        self._query = query
        self._search()

    def _search(self) -> None:
        if "load" in self._jobs:
            return
        self._drop("survey")
        title = self.tr("Filtering {name}") if self._order is None else self.tr("Sorting {name}")
        title = title.replace("{name}", self._entry.label)
        job = self._run("search", arrange, self._cache.records, self._query, self._order, title=title)
        job.succeeded.connect(self._searched)
        job.failed.connect(self._search_failed)
        job.cancelled.connect(self._search_stopped)

    def _searched(self, hits: Hits) -> None:
        self._over("search")
        kept = self._table.current_number()
        self._model.set_marks(marks(self._query))
        self._show_rows(hits, kept)
        self._look_further()

    def _search_failed(self, error: BaseException) -> None:
        self._over("search")
        self._filter.show_error(_sentence(error))

    def _search_stopped(self) -> None:
        self._over("search")
        self._filter.show_error(self.tr("Stopped; the rows of the last filter are shown."))

    def _show_rows(self, hits: Hits, kept: int | None) -> None:
        """Show what was found; the record *kept* stays current if it is among it."""
        self._patience.stop()
        horizontal = self._table.horizontalScrollBar().value()
        self._model.set_rows(hits.rows)
        self._tree.records.set_rows(hits.rows)
        self._table.fit_columns()
        self._filter.show_hits(hits, filtered=self._query is not None)
        place = self._model.row_of(kept) if kept is not None else None
        if hits.rows:
            self._table.go_to(place or 0)
            self._table.horizontalScrollBar().setValue(horizontal)
        else:
            self._panel.show_nothing()
            self._say_nothing_found(hits.total)
        self._show_notice()
        self._show_content(self._toolbar.views.current)
        self.status_changed.emit()

    def _say_nothing_found(self, total: int) -> None:
        self._clear.setVisible(self._query is not None)
        if self._query is None:
            what = self.tr("No documents.") if self._entry.kind == "table" else self.tr("No content.")
            there = self.tr("The table exists in the file.") if self._entry.kind == "table" else ""
            self._nothing.set_text(what, there)
        else:
            checked = self.tr("%n records were checked.", "", total).replace(str(total), count_text(total), 1)
            self._nothing.set_text(self.tr("No record matches"), checked)

    def _show_notice(self) -> None:
        shown, out = self._model.rowCount(), self._model.left_out
        if out:
            text = self.tr(
                "The first {shown} of {total} rows are shown, as many as can be scrolled over. Filter for others."
            )
            text = text.replace("{shown}", count_text(shown)).replace("{total}", count_text(shown + out))
            self._notice.set_text(text)
        self._notice.setVisible(bool(out))

    def _show_content(self, view: int) -> None:
        if "load" in self._jobs or (self._stack.currentWidget() is self._error and not self._model.columns):
            return
        if not self._model.rowCount():
            self._stack.setCurrentWidget(self._nothing)
            return
        number = self._table.current_number()
        self._stack.setCurrentWidget((self._table, self._tree, self._raw)[view])
        if view == 1 and number is not None and self._tree.current_number() != number:
            self._tree.go_to(self._table.currentIndex().row())
        if view == 2 and number is not None:
            self._raw.show_row(self._cache.peek(number))

    def _focus_rows(self) -> None:
        widget = self._stack.currentWidget()
        if widget is not None:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _table_moved(self) -> None:
        number, column = self._table.current_number(), self._table.current_column()
        if number is None:
            return
        self._show_record(number, [column.name] if column is not None and column.kind == "member" else [])
        row = self._table.currentIndex().row()
        self._panel.set_neighbours(before=row > 0, after=row < self._model.rowCount() - 1)

    def _tree_moved(self) -> None:
        number = self._tree.current_number()
        if number is None or self._stack.currentWidget() is not self._tree:
            return
        row = self._model.row_of(number)
        if row is not None and number != self._table.current_number():
            self._table.go_to(row)
        self._show_record(number, self._tree.current_steps())

    def _show_record(self, number: int, steps: Sequence[str | int]) -> None:
        self._wanted_number, self._wanted_steps = number, list(steps)
        row = self._cache.peek(number)
        if row is None:
            self._cache.want(number)
            self._panel.show_waiting()
            return
        self._panel.show_row(row, self._entry.label, steps)
        if self._stack.currentWidget() is self._raw:
            self._raw.show_row(row)

    def _came(self, numbers: list[int]) -> None:
        if self._wanted_number in numbers:
            self._show_record(cast(int, self._wanted_number), self._wanted_steps)

    def _step(self, rows: int) -> None:
        self._table.step(rows)
        if self._stack.currentWidget() is self._tree:
            self._tree.go_to(self._table.currentIndex().row())

    def _open_value(self) -> None:
        self._panel.open_current()

    def _sort_by(self, section: int) -> None:
        """Sort by a column: up, down, then the file's own order again."""
        column = self._model.columns[section]
        now = self._order
        same = now is not None and (now.column.kind, now.column.name) == (column.kind, column.name)
        if not same:
            self._order = Order(column)
        else:
            self._order = None if now is None or now.descending else Order(column, descending=True)
        way = Qt.SortOrder.DescendingOrder if self._order and self._order.descending else Qt.SortOrder.AscendingOrder
        self._table.header.set_sorted(section if self._order else None, way)
        self._search()

    def _copy(self) -> None:
        rows = self._table.selected_rows()
        column, row = self._table.current_column(), self._model.row(self._table.currentIndex().row())
        if len(rows) > 1:
            self._copier.copy_rows([self._model.number(n) for n in rows], self._copy_columns(), "tsv")
        elif row is not None and column is not None:
            self._copier.copy_value(row, column)

    def _copy_menu(self, place: QPoint) -> None:
        rows = [self._model.number(n) for n in self._table.selected_rows()]
        if rows:
            self._copier.show_menu(place, rows, self._copy_columns(), self._table.current_column())

    def _copy_columns(self) -> list[tuple[str, Column]]:
        return [
            (self._model.title(self._model.columns[n]), self._model.columns[n]) for n in self._table.shown_columns()
        ]

    def _toggle_column(self, section: int, shown: bool) -> None:
        self._table.setColumnHidden(section, not shown)
        self._show_column_count()

    def _show_all_columns(self) -> None:
        for section in range(self._model.columnCount()):
            self._table.setColumnHidden(section, False)
        self._show_column_count()

    def _show_column_count(self) -> None:
        columns = enumerate(self._model.columns)
        entries = [(self._model.title(column), not self._table.isColumnHidden(n)) for n, column in columns]
        self._toolbar.set_columns(entries, self._survey.left_out)

    def _set_forms(self) -> None:
        forms: list[tuple[FileForm, str]] = [("jsonl", self.tr("JSON Lines…")), ("csv", self.tr("CSV…"))]
        if self._entry.kind == "document":
            forms.append(("text", self.tr("Text…")))
        if self._notebook:
            forms.append(("ipynb", self.tr("Notebook…")))
        self._toolbar.set_forms(forms)

    def _ask_where(self, form: str) -> None:
        dialog = QFileDialog(self, self.tr("Export"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setDefaultSuffix(_SUFFIXES[form])
        dialog.setDirectory(str(self._store.path.parent))
        dialog.selectFile(f"{Path(self._entry.label).stem}.{_SUFFIXES[form]}")
        dialog.fileSelected.connect(lambda path: self.export_to(Path(path), cast(FileForm, form)))
        dialog.open()

    def _exported(self, written: Written) -> None:
        self._over("export")
        rows = self.tr("%n rows written to {file}.", "", written.rows)
        text = rows.replace(str(written.rows), count_text(written.rows), 1).replace("{file}", written.path.name)
        if written.unreadable:
            text += " " + self.tr("%n that cannot be read were left out.", "", written.unreadable)
        self._shell.toast(text)

    def _refused(self, error: BaseException) -> None:
        self._over("export")
        self._shell.toast(_sentence(error))

    def _find_key(self, key: str) -> None:
        title = self.tr("Looking for {key}").replace("{key}", key[:40])
        self._key = key
        self._run("go", find_key, self._cache.records, key, title=title).succeeded.connect(self._found_key)

    def _found_key(self, number: int | None) -> None:
        self._over("go")
        row = self._model.row_of(number) if number is not None else None
        if row is not None:
            self._go_to.hide()
            self._toolbar.views.set_current(0)
            self._table.go_to(row)
            self._focus_rows()
        elif number is None:
            self._go_to.say(self.tr("No record has this id"))
        else:
            self._go_to.say(self.tr("The filter hides this record"))

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme().color("surface"))
        self.setPalette(palette)
        self.setAutoFillBackground(True)


def _sentence(error: BaseException) -> str:
    """Return what a failed task says; a fault of ours goes to the hook for the unexpected as well."""
    if not isinstance(error, InspectorError):
        sys.excepthook(type(error), error, error.__traceback__)
        return repr(error)
    return str(error)
