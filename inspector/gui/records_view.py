"""The page of one table or document: filter, rows, tree and raw text, with the value inspector at its right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from inspector.gui.cell_delegate import ROW_HEIGHT
from inspector.gui.controls import Button, EmptyState, ErrorCard, InfoBar, Separator
from inspector.gui.damage_bar import DamageBar
from inspector.gui.kinds import collection_icon, icon_for, label_for
from inspector.gui.query_field import QueryBar
from inspector.gui.query_tokens import marks
from inspector.gui.raw_view import RawView
from inspector.gui.record_columns import Column, Survey
from inspector.gui.record_copy import RecordCopier
from inspector.gui.record_table import RecordTableModel, RecordTableView
from inspector.gui.records_session import RecordsSession
from inspector.gui.records_toolbar import GoToBar, ViewRow
from inspector.gui.records_work import FileForm, Loaded
from inspector.gui.shell import OpenStore, Page, Shell
from inspector.gui.skeleton import AFTER, SkeletonRows
from inspector.gui.texts import count_text, size_text
from inspector.gui.theme import theme
from inspector.gui.tree_view import RecordTreeView
from inspector.gui.value_tree import ValuePanel
from inspector.model import CollectionInfo, Finding
from inspector.operations.query import Query
from inspector.operations.search import Hits

_SUFFIXES: dict[str, str] = {"jsonl": "jsonl", "csv": "csv", "text": "txt", "ipynb": "ipynb"}
_FIND = QKeySequence("Ctrl+F")
_GO_TO = QKeySequence("Ctrl+G")


class RecordsPage(Page):
    """Shows the records of *entry*; everything slow is in its `RecordsSession`."""

    def __init__(self, shell: Shell, store: OpenStore, entry: CollectionInfo) -> None:
        super().__init__()
        self._shell = shell
        self._store = store
        self._entry = entry
        self.title, self.subtitle = entry.label, store.path.name
        self.icon_name = collection_icon(entry)
        self._survey = Survey((), 0, 0)
        self._kept: int | None = None
        self._sought: str | None = None
        self._refused: tuple[Finding, ...] = ()
        self._place: tuple[Column | None, int, int] | None = None
        self._wanted: tuple[int, list[str | int]] | None = None
        self.session = RecordsSession(shell, store, entry, self)
        self._cache = self.session.cache
        self.model = RecordTableModel(self._cache, row_height=theme().px(ROW_HEIGHT), parent=self)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.reload()

    def status(self) -> Sequence[tuple[str, str]]:
        info = self._store.store.info
        path, home = str(self._store.path), str(Path.home())
        shown = "~" + path[len(home) :] if path.startswith(home + "/") else path
        kind = label_for(info.format) + (f" · {info.codec}" if info.codec != "none" else "")
        size = self.tr("{size} on disk").replace("{size}", size_text(info.size))
        if info.decoded_size is not None and info.size and info.decoded_size != info.size:
            decoded = self.tr("{size} decoded").replace("{size}", size_text(info.decoded_size))
            size = f"{size} → {decoded} ({info.decoded_size / info.size:.1f}×)"
        return ((icon_for(self._store.store), shown), ("", kind), ("", size))

    def inspector(self) -> QWidget:
        return self.panel

    def source(self) -> OpenStore:
        return self._store

    def views(self) -> Sequence[str]:
        return (self.tr("Records"), self.tr("Tree"), self.tr("Raw"))

    def show_view(self, number: int) -> None:
        if 0 <= number < len(self.views()):
            self.toolbar.views.set_current(number)

    def focus_filter(self) -> None:
        self.filter.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.field.selectAll()

    def go_to_id(self) -> None:
        """Ask for an id to go to (Ctrl+G)."""
        self.go_to.open()

    def go_to_key(self, key: str) -> None:
        """Go to the record with this key, as soon as the records are here."""
        self._sought = key
        if not self.session.busy:
            self._seek()

    def _seek(self) -> None:
        if self._sought is not None:
            key, self._sought = self._sought, None
            self.session.look_for(key)

    def reload(self) -> None:
        self._patience.start()
        self.damage.refresh()
        self.session.load(self._current_record())

    def _current_record(self) -> tuple[int, str] | None:
        """Return number and key of the current record: another file may hold it at another place."""
        number = self.table.current_number()
        if number is None:
            return None
        self._cache.read_now([number])
        row = self._cache.peek(number)
        return (number, row.key) if row is not None else None

    def export_to(self, path: Path, form: FileForm) -> None:
        """Write the rows that are shown to a file, replacing it."""
        self.session.export(self.model.rows, path, form, tuple(self._shown_columns()))

    def event(self, event: QEvent) -> bool:
        # The keys of this page come before those of the window while the focus is in it.
        key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if key and QKeySequence(cast(QKeyEvent, event).keyCombination()) in (_FIND, _GO_TO):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = QKeySequence(event.keyCombination())
        if keys == _FIND:
            self.focus_filter()
        elif keys == _GO_TO:
            self.go_to_id()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.toolbar.set_narrow(self.width(), icons=self.is_narrow())

    def _make_widgets(self) -> None:
        self.toolbar = ViewRow()
        self.filter = QueryBar()
        self.go_to = GoToBar()
        self.notice = InfoBar("info", "")
        self.notice.hide()
        self.damage = DamageBar(self._shell, self._store)
        self.table = RecordTableView(self._cache)
        self.table.set_model(self.model)
        self.tree = RecordTreeView(self._cache)
        self.raw = RawView(self._shell)
        self.panel = ValuePanel(self._shell)
        self._copier = RecordCopier(self._shell, self._store, self._cache, self)
        self._clear = Button(self.tr("Clear filter"))
        self._nothing = EmptyState("search", "", "", [self._clear])
        self._skeleton = SkeletonRows(self.tr("Reading the records"))
        self._card = QWidget()
        self._stack = QStackedWidget()
        blank = QWidget()
        for widget in (blank, self.table, self.tree, self.raw, self._nothing, self._skeleton, self._card):
            self._stack.addWidget(widget)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(AFTER)
        self._patience.timeout.connect(lambda: self._stack.setCurrentWidget(self._skeleton))

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.toolbar)
        rows = QVBoxLayout()
        rows.setContentsMargins(16, 0, 16, 12)
        rows.setSpacing(8)
        for widget in (self.damage, self.filter, self.notice):
            rows.addWidget(widget)
        layout.addLayout(rows)
        layout.addWidget(self.go_to)
        layout.addWidget(Separator())
        layout.addWidget(self._stack, 1)
        self._restyle()
        theme().changed.connect(self._restyle)

    def _connect(self) -> None:
        self.session.loaded.connect(self._loaded)
        self.session.load_failed.connect(self._load_failed)
        self.session.load_stopped.connect(self._load_stopped)
        self.session.found.connect(self._show_rows)
        self.session.refused.connect(self._refuse)
        self.session.search_failed.connect(self.filter.show_error)
        self.session.surveyed.connect(self._take_survey)
        self.session.key_found.connect(self._found_key)
        self.toolbar.view_chosen.connect(self._show_content)
        self.toolbar.column_toggled.connect(self._toggle_column)
        self.toolbar.all_columns_wanted.connect(self._show_all_columns)
        self.toolbar.export_wanted.connect(self._ask_where)
        self.toolbar.convert_wanted.connect(lambda: self._shell.convert(self._store, (self._entry.name,)))
        self.filter.wanted.connect(self._filter_by)
        self.filter.rows_wanted.connect(self._focus_rows)
        self._clear.clicked.connect(self.filter.field.clear)
        self.go_to.wanted.connect(self.session.look_for)
        self.go_to.closed.connect(self._focus_rows)
        self.table.current_row_changed.connect(self._table_moved)
        self.table.sort_wanted.connect(self._sort_by)
        self.table.order_wanted.connect(self._sort_to)
        self.table.hide_wanted.connect(lambda section: self._toggle_column(section, False))
        self.table.opened.connect(self._open_nested)
        self.table.copy_wanted.connect(self._copy)
        self.table.copy_menu_wanted.connect(self._copy_menu)
        self.table.left.connect(self.find)
        self.tree.current_changed.connect(self._tree_moved)
        self.tree.copy_wanted.connect(self.panel.detail.copy_value)
        self.tree.menu_wanted.connect(self.panel.detail.show_menu)
        self.panel.step_wanted.connect(self._step)
        self._cache.arrived.connect(self._came)

    def _loaded(self, loaded: Loaded) -> None:
        self._kept = loaded.kept
        self._wanted = None
        self._place = self._place_now()
        self.model.set_rows(range(0))
        self.tree.records.set_rows(range(0))
        self._take_survey(loaded.survey)
        self._set_forms(notebook=loaded.notebook)

    def _load_failed(self, sentence: str) -> None:
        again = Button(self.tr("Try again"))
        again.clicked.connect(self.reload)
        what = self.tr("{name} cannot be read").replace("{name}", self._entry.label)
        self._show_card(ErrorCard(what, sentence, self.tr("The file was not changed."), [again]))

    def _load_stopped(self) -> None:
        again = Button(self.tr("Read again"))
        again.clicked.connect(self.reload)
        self._show_card(EmptyState("table-2", self.tr("Stopped before the records were read"), "", [again]))

    def _show_card(self, card: QWidget) -> None:
        self._patience.stop()
        place = QWidget()
        layout = QVBoxLayout(place)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addWidget(card)
        layout.addStretch(1)
        self._stack.removeWidget(self._card)
        self._card.deleteLater()
        self._card = place
        self._stack.addWidget(place)
        self._stack.setCurrentWidget(place)
        self.panel.show_nothing()

    def _take_survey(self, found: Survey) -> None:
        self._survey = found
        self.model.set_survey(found)
        if self.model.rowCount():
            self.table.fit_columns()
        self._show_column_count()

    def _show_rows(self, hits: Hits) -> None:
        """Show what was found; the record that was current stays so if it is among it."""
        self._patience.stop()
        kept = self.table.current_number() if self._kept is None else self._kept
        place, self._place = self._place or self._place_now(), None
        self.model.set_marks(marks(self.session.query))
        self.model.set_rows(hits.rows)
        self.tree.records.set_rows(hits.rows)
        self.filter.show_hits(hits, filtered=self.session.query is not None)
        if self._refused:
            # The field still holds the filter that was refused, whatever order its former rows are in now.
            self.filter.show_findings(self._refused)
        if hits.rows:
            self._kept = None
            self.table.fit_columns()
            self._go_back(kept, place)
        else:
            self._kept = kept
            self.panel.show_nothing()
            self._say_nothing_found(hits.total)
        self._show_notice()
        self._show_content(self.toolbar.views.current)
        self._seek()
        self.status_changed.emit()

    def _place_now(self) -> tuple[Column | None, int, int]:
        """Return the current column, how far below the first row in view the current one is, and how far right."""
        above = self.table.currentIndex().row() - self.table.verticalScrollBar().value()
        return self.table.current_column(), above, self.table.horizontalScrollBar().value()

    def _go_back(self, number: int | None, place: tuple[Column | None, int, int]) -> None:
        """Make record *number* current where it was on screen, the first one if it is not shown."""
        column, above, right = place
        row = self.model.row_of(number) if number is not None else None
        named = column is not None and (column.kind, column.name)
        sections = (n for n, known in enumerate(self.model.columns) if (known.kind, known.name) == named)
        if row is not None:
            self.table.verticalScrollBar().setValue(max(row - above, 0))
        self.table.go_to(row or 0, next(sections, 0))
        self.table.horizontalScrollBar().setValue(right)

    def _filter_by(self, query: Query | None) -> None:
        self._refused = ()
        self.session.filter_by(query)

    def _refuse(self, hits: Hits) -> None:
        """Say what is wrong with the filter; the rows stay."""
        self._refused = hits.findings
        self.filter.show_findings(self._refused)

    def _say_nothing_found(self, total: int) -> None:
        filtered, table = self.session.query is not None, self._entry.kind == "table"
        self._clear.setVisible(filtered)
        if filtered:
            checked = self.tr("%Ln records were checked.", "", total).replace(str(total), count_text(total), 1)
            self._nothing.set_text(self.tr("No record matches"), checked)
        elif table:
            self._nothing.set_text(self.tr("No documents."), self.tr("The table exists in the file."))
        else:
            self._nothing.set_text(self.tr("No content."), self.tr("The document exists in the file."))

    def _show_notice(self) -> None:
        shown, out = self.model.rowCount(), self.model.left_out
        if out:
            text = self.tr(
                "The first {shown} of {total} rows are shown; more cannot be scrolled over. Filter for others."
            )
            text = text.replace("{shown}", count_text(shown)).replace("{total}", count_text(shown + out))
            self.notice.set_text(text)
        self.notice.setVisible(bool(out))

    def _show_content(self, view: int) -> None:
        if self.session.loading or (self._stack.currentWidget() is self._card and not self.model.columns):
            return
        if not self.model.rowCount():
            self._stack.setCurrentWidget(self._nothing)
            return
        number = self.table.current_number()
        self._stack.setCurrentWidget((self.table, self.tree, self.raw)[view])
        if view == 1 and number is not None and self.tree.current_number() != number:
            self.tree.go_to(self.table.currentIndex().row())
        if view == 2 and number is not None:
            self.raw.show_row(self._cache.peek(number))

    def _focus_rows(self) -> None:
        widget = self._stack.currentWidget()
        if widget is not None:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _table_moved(self) -> None:
        number, column = self.table.current_number(), self.table.current_column()
        if number is None:
            return
        self._show_record(number, [column.name] if column is not None and column.kind == "member" else [])
        row = self.table.currentIndex().row()
        self.panel.set_neighbours(before=row > 0, after=row < self.model.rowCount() - 1)

    def _tree_moved(self) -> None:
        number = self.tree.current_number()
        if number is None or self._stack.currentWidget() is not self.tree:
            return
        row = self.model.row_of(number)
        if row is not None and number != self.table.current_number():
            self.table.go_to(row)
        self._show_record(number, self.tree.current_steps())

    def _show_record(self, number: int, steps: list[str | int]) -> None:
        self._wanted = (number, steps)
        row = self._cache.peek(number)
        if row is None:
            self._cache.want(number)
            self.panel.show_waiting()
            return
        self.panel.show_row(row, self._entry.label, steps)
        if self._stack.currentWidget() is self.raw:
            self.raw.show_row(row)

    def _came(self, numbers: list[int]) -> None:
        if self._wanted is not None and self._wanted[0] in numbers:
            self._show_record(*self._wanted)

    def _open_nested(self) -> None:
        self.inspector_wanted.emit()
        self.panel.open_current()

    def _step(self, rows: int) -> None:
        self.table.step(rows)
        if self._stack.currentWidget() is self.tree:
            self.tree.go_to(self.table.currentIndex().row())

    def _sort_by(self, section: int) -> None:
        self.session.sort_by(self.model.columns[section])
        self._show_order(section)

    def _sort_to(self, section: int, order: Qt.SortOrder) -> None:
        down = order == Qt.SortOrder.DescendingOrder
        self.session.sort_to(self.model.columns[section], descending=down)
        self._show_order(section)

    def _show_order(self, section: int) -> None:
        order = self.session.order
        down = order is not None and order.descending
        way = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        self.table.header.set_sorted(section if order is not None else None, way)

    def _copy(self) -> None:
        rows = self.table.selected_rows()
        column, row = self.table.current_column(), self.model.row(self.table.currentIndex().row())
        if len(rows) > 1:
            self._copier.copy_rows([self.model.number(n) for n in rows], self._shown_columns(), "tsv")
        elif row is not None and column is not None:
            self._copier.copy_value(row, column)

    def _copy_menu(self, place: QPoint) -> None:
        rows = [self.model.number(n) for n in self.table.selected_rows()]
        if rows:
            self._copier.show_menu(place, rows, self._shown_columns(), self.table.current_column())

    def _shown_columns(self) -> list[tuple[str, Column]]:
        columns = (self.model.columns[section] for section in self.table.shown_columns())
        return [(self.model.title(column), column) for column in columns]

    def _toggle_column(self, section: int, shown: bool) -> None:
        self.table.setColumnHidden(section, not shown)
        self._show_column_count()

    def _show_all_columns(self) -> None:
        for section in range(self.model.columnCount()):
            self.table.setColumnHidden(section, False)
        self._show_column_count()

    def _show_column_count(self) -> None:
        columns = enumerate(self.model.columns)
        entries = [(self.model.title(column), not self.table.isColumnHidden(n)) for n, column in columns]
        self.toolbar.set_columns(entries, self._survey.left_out)

    def _set_forms(self, *, notebook: bool) -> None:
        forms: list[tuple[FileForm, str]] = [("jsonl", self.tr("JSON Lines…")), ("csv", self.tr("CSV…"))]
        if self._entry.kind == "document":
            forms.append(("text", self.tr("Text…")))
        if notebook:
            forms.append(("ipynb", self.tr("Notebook…")))
        self.toolbar.set_forms(forms)

    def _ask_where(self, form: str) -> None:
        dialog = QFileDialog(self, self.tr("Export"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setDefaultSuffix(_SUFFIXES[form])
        dialog.setDirectory(str(self._store.path.parent))
        dialog.selectFile(f"{Path(self._entry.label).stem}.{_SUFFIXES[form]}")
        dialog.fileSelected.connect(lambda path: self.export_to(Path(path), cast(FileForm, form)))
        dialog.open()

    def _found_key(self, number: int | None) -> None:
        row = self.model.row_of(number) if number is not None else None
        if row is not None:
            self.go_to.hide()
            self.toolbar.views.set_current(0)
            self.table.go_to(row)
            self._focus_rows()
        elif number is None:
            self.go_to.say(self.tr("No record has this id"))
        else:
            self.go_to.say(self.tr("The filter hides this record"))

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme().color("surface"))
        self.setPalette(palette)
        self.setAutoFillBackground(True)
