"""The tab of a comparison: what was compared, counts, the list of differences, and the current one in full."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QSplitter, QVBoxLayout, QWidget

from inspector.gui.compare_detail import CompareDetail
from inspector.gui.compare_head import FORMS, CompareHead, CompareTools, ProofStrip, Waiting, names_of
from inspector.gui.compare_menu import CompareMenu
from inspector.gui.compare_model import CompareModel
from inspector.gui.compare_rows import DiffRow
from inspector.gui.compare_session import CompareSession
from inspector.gui.compare_table import CompareTable, CountsTable
from inspector.gui.compare_work import Detail, Result, Source, Wanted
from inspector.gui.controls import Button, EmptyState, ErrorCard, InfoBar, Pages, Separator
from inspector.gui.shell import Page, Shell
from inspector.gui.skeleton import AFTER as PATIENCE
from inspector.gui.tall_area import TallArea
from inspector.gui.texts import count_text, for_window
from inspector.gui.theme import theme
from inspector.operations.compare import command
from inspector.operations.compare_export import Form
from inspector.operations.record_diff import Kind

_LEAST_LIST = 120
_LEAST_DETAIL = 140
"""Design pixels that the differences and the two records keep in a low window, which scrolls."""


class ComparePage(Page):
    """Compares the files *first* (A) and *second* (B); it opens them for itself and keeps nothing open."""

    icon_name = "file-diff"

    def __init__(self, shell: Shell, first: Path, second: Path) -> None:
        super().__init__()
        self._shell = shell
        formats = {store.path: store.store.info.format for store in shell.stores}
        sources = (Source(first, formats.get(first)), Source(second, formats.get(second)))
        self._names = names_of(first, second)
        self.title = " ⇄ ".join(self._names)
        self.session = CompareSession(shell, *sources, self)
        self.model = CompareModel(self)
        self._kept: int | None = None
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._watch()
        for side, source, name in zip(self.head.sides, sources, self._names, strict=True):
            side.set_source(source, name)
        self.reload()

    @property
    def result(self) -> Result | None:
        """What was found."""
        return self.session.result

    def status(self) -> Sequence[tuple[str, str]]:
        result = self.result
        if self.session.comparing or result is None:
            return ((self.icon_name, self.tr("Comparing") if self.session.comparing else self.tr("Not compared")),)
        tally = result.tally
        counted = (
            (self.tr("{count} equal"), tally.unchanged),
            (self.tr("{count} changed"), tally.changed),
            (self.tr("{count} only in A"), tally.removed),
            (self.tr("{count} only in B"), tally.added),
        )
        counts = ", ".join(text.replace("{count}", count_text(count)) for text, count in counted)
        took = self.tr("Compared in {seconds} s").replace("{seconds}", f"{result.seconds:.1f}")
        return ((self.icon_name, counts), ("", took))

    def views(self) -> Sequence[str]:
        return (self.tr("All"), self.tr("Changed"), self.tr("Only in A"), self.tr("Only in B"))

    def show_view(self, number: int) -> None:
        self.tools.kinds.set_current(number)

    def focus_main(self) -> None:
        for widget in (self.table, self.proof.report, self.waiting.stop, *self._card.findChildren(Button)):
            if widget.isVisible():
                widget.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        super().focus_main()

    def focus_filter(self) -> None:
        self.tools.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.tools.search.selectAll()

    def reload(self) -> None:
        """Compare again: the files as they are on disk now."""
        row = self.table.currentIndex().row()
        self._kept = self.model.number(row) if row >= 0 else None
        self.changed.hide()
        self._show_gap()
        self.waiting.set_share(None)
        self._patience.start()
        self.session.compare()
        self.status_changed.emit()

    def export_to(self, path: Path, form: Form) -> None:
        """Write all differences to *path*, replacing it."""
        self.session.export(path, form)

    def open_record(self, *, in_b: bool | None = None) -> None:
        """Show the current record in its store: the one that has it, B if both do, unless *in_b* says which."""
        row = self._current()
        if row is None:
            return
        second = row.new is not None if in_b is None else in_b
        source = self.session.sources[1 if second else 0]
        self._shell.open_record(source.path, row.collection, row.key)

    def _make_widgets(self) -> None:
        self.head = CompareHead()
        self.proof = ProofStrip()
        self.again = Button(self.tr("Compare again"), height=28)
        self.changed = InfoBar("info", "", [self.again], icon="refresh-cw")
        self.cut = InfoBar("warning", "")
        self.counts = CountsTable()
        self.tools = CompareTools()
        self.table = CompareTable(self.model)
        self.menu = CompareMenu(self._shell, self.session, self.model, self.table)
        self.detail = CompareDetail()
        self.waiting = Waiting()
        self._clear = Button(self.tr("Show all differences"))
        self._nothing = EmptyState("file-diff", "", "", [self._clear])
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._stack = Pages()
        self._card = QWidget()
        for bar in (self.changed, self.cut):
            bar.hide()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE)
        self._patience.timeout.connect(lambda: self._show_part(self.waiting))
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(PATIENCE)
        self._typed.timeout.connect(self._search)

    def _lay_out(self) -> None:
        self._body = QWidget()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.counts)
        body.addWidget(Separator())
        body.addWidget(self.tools)
        self._line = Separator()
        body.addWidget(self._line)
        self._list = Pages()
        self._split.addWidget(self.table)
        self._split.addWidget(self.detail)
        self._split.setSizes([550, 450])
        self._list.addWidget(self._split)
        self._list.addWidget(self._nothing)
        body.addWidget(self._list, 1)
        for widget in (QWidget(), self._body, self.waiting, self._card):
            self._stack.addWidget(widget)
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        bars = QVBoxLayout()
        bars.setContentsMargins(16, 0, 16, 0)
        bars.setSpacing(8)
        for bar in (self.changed, self.proof, self.cut):
            bars.addWidget(bar)
        layout.addLayout(bars)
        self._gap = QWidget()
        self._gap.setFixedHeight(10)
        layout.addWidget(self._gap)
        layout.addWidget(Separator())
        layout.addWidget(self._stack, 1)
        # Where the window is low, all of it scrolls and nothing of it is cut.
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(TallArea(inner, self.title))
        self._restyle()
        theme().changed.connect(self._restyle)

    def _connect(self) -> None:
        self.session.compared.connect(self._compared)
        self.session.progressed.connect(self.waiting.set_share)
        self.session.failed.connect(self._failed)
        self.session.stopped.connect(self._stopped)
        self.session.arranged.connect(self._arranged)
        self.session.detailed.connect(self._detailed)
        self.head.swap_wanted.connect(self._swap)
        self.head.command_wanted.connect(self._copy_command)
        for signal in (self.head.again_wanted, self.again.clicked):
            signal.connect(lambda *_: self.reload())
        self.proof.report.clicked.connect(lambda: self._ask_where("md"))
        self.counts.chosen.connect(self._choose_collection)
        self.tools.kind_chosen.connect(self._choose_kind)
        self.tools.searched.connect(lambda _: self._typed.start())
        self.tools.search.returnPressed.connect(self.table.setFocus)
        self.tools.export_wanted.connect(self._ask_where)
        self.table.opened.connect(self.open_record)
        self.table.current_changed.connect(self._moved)
        self.table.copy_wanted.connect(self.menu.copy)
        self.table.menu_wanted.connect(self.menu.show)
        self.menu.open_wanted.connect(lambda in_b: self.open_record(in_b=in_b))
        self.table.sort_wanted.connect(self._sort)
        self.table.left.connect(self.focus_filter)
        self.detail.copied.connect(lambda text: self._shell.copy(text, self.tr("value")))
        self.waiting.stop.clicked.connect(self.session.cancel)
        self._clear.clicked.connect(self._show_all)
        for keys, call in (
            ("F3", lambda: self.table.step(1)),
            ("Shift+F3", lambda: self.table.step(-1)),
            ("Alt+Down", lambda: self.table.step_record(1)),
            ("Alt+Up", lambda: self.table.step_record(-1)),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(call)

    def _watch(self) -> None:
        """Hear of changes to the files as far as the window watches them."""
        paths = {source.path for source in self.session.sources}
        for store in self._shell.stores:
            if store.path in paths:
                store.changed_on_disk.connect(partial(self._say_changed, store.path.name))

    def _say_changed(self, name: str) -> None:
        text = self.tr("{name} was changed since it was compared. This is what was found before.")
        self.changed.set_text(text.replace("{name}", name))
        self.changed.show()
        self._show_gap()

    # What the session brings

    def _compared(self, result: Result) -> None:
        self._patience.stop()
        self.head.set_result(result)
        self.proof.show_result(result)
        self.cut.setVisible(result.cut)
        if result.cut:
            text = self.tr(
                "The first {listed} of {found} differences are listed. The counts are of all, and so is every export."
            )
            listed, found = count_text(len(result.rows)), count_text(result.rows.found)
            text = text.replace("{listed}", listed).replace("{found}", found)
            self.cut.set_text(text)
        for widget in (self.tools, self._line):
            widget.setVisible(bool(result.rows))
        self.model.set_result(result)
        self.counts.blockSignals(True)
        self.counts.counts.set_compared(result.compared)
        self.counts.select_all_collections()
        self.counts.blockSignals(False)
        self.session.wanted = _in_collection(self.session.wanted, None)
        self.detail.show_nothing()
        self._show_part(self._body)
        self.status_changed.emit()

    def _arranged(self, numbers: Sequence[int]) -> None:
        result = self.result
        if result is None:
            return
        row = self.table.currentIndex().row()
        kept = self.model.number(row) if row >= 0 else self._kept
        self._kept = None
        self.model.set_numbers(numbers)
        self.tools.set_count(len(numbers), len(result.rows))
        self._list.setCurrentWidget(self._split if numbers else self._nothing)
        if numbers:
            self.table.fit()
            place = self.model.row_of(kept) if kept is not None else None
            self.table.go_to(place or 0)
        else:
            self._say_nothing(result)
        self.status_changed.emit()

    def _say_nothing(self, result: Result) -> None:
        self._clear.setVisible(bool(result.rows))
        if result.rows:
            self._nothing.set_text(self.tr("No difference matches"))
        else:
            self._nothing.set_text(self.tr("Nothing differs"))

    def _failed(self, sentence: str) -> None:
        again = Button(self.tr("Try again"))
        again.clicked.connect(self.reload)
        first, second = self._names
        title = self.tr("{first} and {second} are not compared").replace("{first}", first).replace("{second}", second)
        self._show_card(ErrorCard(title, for_window(sentence), self.tr("Neither file was changed."), [again]))

    def _stopped(self) -> None:
        if self.result is not None:
            self._patience.stop()
            self._show_part(self._body)
            self._shell.toast(self.tr("Stopped; what was found before is shown."), tone="info")
        else:
            again = Button(self.tr("Compare again"))
            again.clicked.connect(self.reload)
            self._show_card(EmptyState("file-diff", self.tr("Stopped before the stores were compared"), "", [again]))
        self.status_changed.emit()

    def _show_card(self, card: QWidget) -> None:
        self._patience.stop()
        self.proof.hide()
        self.cut.hide()
        place = QWidget()
        layout = QVBoxLayout(place)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addWidget(card)
        layout.addStretch(1)
        self._stack.removeWidget(self._card)
        self._card.deleteLater()
        self._card = place
        self._stack.addWidget(place)
        self._show_part(place)
        self.status_changed.emit()

    def _show_part(self, part: QWidget) -> None:
        self._stack.setCurrentWidget(part)
        self._show_gap()

    def _show_gap(self) -> None:
        """Keep bars over the list off it."""
        self._gap.setVisible(not all(bar.isHidden() for bar in (self.changed, self.proof, self.cut)))

    # What the user does

    def _current(self) -> DiffRow | None:
        return self.model.row(self.table.currentIndex().row())

    def _moved(self) -> None:
        row = self._current()
        if row is None:
            self.detail.show_nothing()
        elif self.detail.detail is None or self.detail.detail.row.number != row.number:
            self.session.look_at(row)

    def _detailed(self, detail: Detail) -> None:
        row = self._current()
        if row is not None and row.number == detail.row.number:
            self.detail.show_detail(detail, self._names, self.model.label(detail.row))

    def _choose_kind(self, kind: Kind | None) -> None:
        now = self.session.wanted
        self.session.arrange(Wanted(kind, now.collection, now.text, now.column, now.descending))

    def _choose_collection(self, name: str | None) -> None:
        self.session.arrange(_in_collection(self.session.wanted, name))

    def _search(self) -> None:
        now, text = self.session.wanted, self.tools.search.text().strip().lower()
        self.session.arrange(Wanted(now.kind, now.collection, text, now.column, now.descending))

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        now, down = self.session.wanted, order == Qt.SortOrder.DescendingOrder
        self.session.arrange(Wanted(now.kind, now.collection, now.text, column if column >= 0 else None, down))

    def _show_all(self) -> None:
        now = self.session.wanted
        self.session.wanted = Wanted(None, None, "", now.column, now.descending)
        self.tools.search.clear()
        self.tools.kinds.set_current(0)
        self.counts.select_all_collections()
        self.session.arrange(self.session.wanted)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _swap(self) -> None:
        first, second = self.session.sources
        self._shell.compare_files(second.path, first.path)

    def _copy_command(self) -> None:
        first, second = self.session.sources
        self._shell.copy(command(first.path, second.path), self.tr("the command"))

    def _ask_where(self, form: Form) -> None:
        first, second = (source.path for source in self.session.sources)
        dialog = QFileDialog(self, self.tr("Export as {form}").replace("{form}", FORMS[form]))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setDefaultSuffix(form)
        dialog.setDirectory(str(second.parent))
        dialog.selectFile(f"{first.stem}-{second.stem}-compared.{form}")
        dialog.fileSelected.connect(lambda path: self.export_to(Path(path), form))
        dialog.open()

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme().color("surface"))
        self.setPalette(palette)
        self.setAutoFillBackground(True)
        self.table.setMinimumHeight(theme().px(_LEAST_LIST))
        self.detail.setMinimumHeight(theme().px(_LEAST_DETAIL))


def _in_collection(wanted: Wanted, name: str | None) -> Wanted:
    return Wanted(wanted.kind, name, wanted.text, wanted.column, wanted.descending)
