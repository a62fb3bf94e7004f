"""The rows above the records: switch of views with actions, and the line that goes to an id."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from inspector.gui.controls import Button, FieldFrame, Segmented, Separator
from inspector.gui.records_work import FileForm
from inspector.gui.texts import visible
from inspector.gui.theme import theme

_NARROW = 700


class ViewRow(QWidget):
    """48 px: the views at the left; columns, export and convert at the right."""

    view_chosen = Signal(int)
    column_toggled = Signal(int, bool)
    """Section, and whether it is to be shown."""
    all_columns_wanted = Signal()
    export_wanted = Signal(str)
    """A `FileForm`."""
    convert_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        views = (("table-2", self.tr("Records")), ("list-tree", self.tr("Tree")), ("file-code", self.tr("Raw")))
        self.views = Segmented(views, self.tr("View"))
        self.columns = Button(self.tr("Columns"), "ghost", height=30)
        self.export = Button(self.tr("Export"), "ghost", icon="download", height=30)
        self.convert = Button(self.tr("Convert…"), icon="arrow-left-right", height=30)
        self._column_menu = QMenu(self.columns)
        self._export_menu = QMenu(self.export)
        self._entries: list[tuple[str, bool]] = []
        self.columns.clicked.connect(self._show_columns)
        self.export.clicked.connect(self._show_export)
        self.convert.clicked.connect(self.convert_wanted)
        self.views.selected.connect(self.view_chosen)
        self._width = 0
        layout = self._row = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 16, 6)
        layout.setSpacing(8)
        layout.addWidget(self.views)
        layout.addStretch(1)
        layout.addWidget(self.columns)
        separator = Separator(vertical=True)
        separator.setFixedHeight(theme().px(16))
        layout.addWidget(separator)
        layout.addWidget(self.export)
        layout.addWidget(self.convert)
        self._restyle()
        theme().changed.connect(self._restyle)

    @property
    def export_menu(self) -> QMenu:
        """What can be written to a file."""
        return self._export_menu

    @property
    def column_menu(self) -> QMenu:
        """Columns that can be shown or hidden."""
        return self._column_menu

    def set_columns(self, entries: Sequence[tuple[str, bool]], left_out: int = 0) -> None:
        """Offer columns as (title, shown); *left_out* says how many keys have no column."""
        self._entries = list(entries)
        shown, total = sum(there for _, there in entries), len(entries)
        pattern = self.tr("Columns {count}") if shown == total else self.tr("Columns {shown} of {count}")
        self.columns.setText(pattern.replace("{shown}", str(shown)).replace("{count}", str(total)))
        note = self.tr("%Ln more keys have no column; the inspector shows them.", "", left_out) if left_out else ""
        self.columns.setToolTip(note)
        self.columns.updateGeometry()
        self._fit()

    def set_forms(self, forms: Sequence[tuple[FileForm, str]]) -> None:
        """Offer what can be written as (form, label)."""
        self._export_menu.clear()
        for form, label in forms:
            action = self._export_menu.addAction(label)
            action.triggered.connect(lambda _=False, form=form: self.export_wanted.emit(form))

    def set_narrow(self, width: int, *, icons: bool) -> None:
        """Show the views as icons if *icons*, or where *width* pixels are not enough for their labels."""
        self._width = width
        self.views.set_compact(icons or width < theme().px(_NARROW))
        self._fit()

    def _fit(self) -> None:
        """Leave out the words of buttons with an icon where there is no room for all."""
        words = ((self.export, self.tr("Export")), (self.convert, self.tr("Convert…")))
        for button, name in words:
            button.setText(name)
            button.setToolTip("")
            button.setAccessibleName(name)
        for button, name in words:
            self._row.invalidate()
            if self._row.sizeHint().width() <= self._width:
                return
            button.setText("")
            button.setToolTip(name)

    def _show_columns(self) -> None:
        self._column_menu.clear()
        everything = self._column_menu.addAction(self.tr("Show all columns"))
        everything.setEnabled(not all(shown for _, shown in self._entries))
        everything.triggered.connect(lambda _=False: self.all_columns_wanted.emit())
        self._column_menu.addSeparator()
        for section, (title, shown) in enumerate(self._entries):
            action = self._column_menu.addAction(visible(title, 60).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(shown)
            action.setEnabled(section > 0)
            action.toggled.connect(lambda on, section=section: self.column_toggled.emit(section, on))
        self._column_menu.popup(self.columns.mapToGlobal(self.columns.rect().bottomLeft()))

    def _show_export(self) -> None:
        self._export_menu.popup(self.export.mapToGlobal(self.export.rect().bottomLeft()))

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(48))


class GoToBar(QWidget):
    """The line that goes to a record by its id; Esc closes it."""

    wanted = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.field = FieldFrame(self.tr("Go to id"), icon="arrow-right", mono=True)
        self.field.returnPressed.connect(self._enter)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 8)
        layout.addWidget(self.field)
        self.hide()

    def open(self) -> None:
        """Show the line and take the focus."""
        self.field.set_trailing("")
        self.show()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def say(self, text: str) -> None:
        """Say why there is nothing to go to."""
        self.field.set_trailing(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def _enter(self) -> None:
        if self.field.text().strip():
            self.wanted.emit(self.field.text().strip())
