"""The form of the convert sheet: format, codec with its parameters, collections, version and file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QListView, QSpinBox, QVBoxLayout, QWidget

from inspector.gui.controls import Label
from inspector.gui.icons import icon
from inspector.gui.kinds import collection_icon
from inspector.gui.texts import count_text, visible
from inspector.gui.theme import theme
from inspector.model import CollectionInfo
from inspector.operations.targets import CodecOffer, Parameter, Target

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

MOST_ROWS = 5
"""Collections that are visible without scrolling."""
_ROW = 28
_FIELD = 32


class CollectionsModel(QAbstractListModel):
    """Collections of a store, each with a tick."""

    picked_changed = Signal()

    def __init__(self, entries: Sequence[CollectionInfo], picked: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = list(entries)
        names = set(picked)
        self._picked = [not names or entry.name in names for entry in self._entries]

    def picked(self) -> tuple[str, ...]:
        """Return the names of the ticked collections."""
        return tuple(entry.name for entry, on in zip(self._entries, self._picked, strict=True) if on)

    def all_picked(self) -> bool:
        """Say whether every collection is ticked."""
        return all(self._picked)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        on = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
        return on | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(entry)
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if self._picked[index.row()] else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(collection_icon(entry))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        self._picked[index.row()] = Qt.CheckState(value) == Qt.CheckState.Checked
        self.dataChanged.emit(index, index, [role])
        self.picked_changed.emit()
        return True

    def _text(self, entry: CollectionInfo) -> str:
        label = visible(entry.label, 120)
        if entry.versions is not None:
            return self.tr("{name} · {count} versions").format_map(_fields(label, entry.versions))
        if entry.records is not None:
            return self.tr("{name} · {count} records").format_map(_fields(label, entry.records))
        return label


def _fields(name: str, count: int) -> dict[str, str]:
    return {"name": name, "count": count_text(count)}


class CollectionsView(QListView):
    """The collections with their ticks; Space ticks the current one."""

    def __init__(self, model: CollectionsModel, name: str) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setCurrentIndex(model.index(0))
        self._restyle()
        theme().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.setIconSize(QSize(theme().px(16), theme().px(16)))
        rows = min(max(self.model().rowCount(), 1), MOST_ROWS)
        self.setFixedHeight(rows * max(self.sizeHintForRow(0), theme().px(_ROW)) + 2)


class CodecForm(QWidget):
    """A codec out of those that a format takes, and fields for its parameters."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.codec = QComboBox()
        self.codec.setAccessibleName(self.tr("Codec"))
        self.reason = Label("", "error", wrap=True)
        self._offers: tuple[CodecOffer, ...] = ()
        self._fields: dict[str, QComboBox | QSpinBox] = {}
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(8)
        self._outer.addWidget(self.codec)
        self._grid_holder = QWidget()
        self._outer.addWidget(self._grid_holder)
        self._outer.addWidget(self.reason)
        self.codec.currentIndexChanged.connect(self._show_parameters)
        theme().changed.connect(self._restyle)

    def set_target(self, target: Target) -> None:
        """Offer the codecs of *target*, its usual one chosen."""
        self._offers = target.codecs
        usual = target.default_codec.partition(":")[0]
        with QSignalBlocker(self.codec):
            self.codec.clear()
            for offer in self._offers:
                self.codec.addItem(self.tr("Not compressed") if offer.id == "none" else offer.label)
            self.codec.setCurrentIndex(next((n for n, o in enumerate(self._offers) if o.id == usual), 0))
        self.codec.setEnabled(len(self._offers) > 1)
        self._show_parameters()

    def choose(self, spec: str) -> None:
        """Choose the codec of *spec* with its parameters."""
        name, _, rest = spec.partition(":")
        self.codec.setCurrentIndex(next(n for n, offer in enumerate(self._offers) if offer.id == name))
        for part in rest.split(",") if rest else ():
            parameter, _, value = part.partition("=")
            field = self._fields[parameter]
            if isinstance(field, QComboBox):
                field.setCurrentText(value)
            else:
                field.setValue(int(value))

    def fields(self) -> dict[str, QComboBox | QSpinBox]:
        """Return the fields of the present codec's parameters by name."""
        return dict(self._fields)

    def spec(self) -> str:
        """Return the chosen codec as a spec; parameters at their default are left out."""
        offer = self._offers[self.codec.currentIndex()]
        given = []
        for parameter in offer.parameters:
            value = _value(self._fields[parameter.name])
            if value != str(parameter.default):
                given.append(f"{parameter.name}={value}")
        return offer.id + (":" + ",".join(given) if given else "")

    def _show_parameters(self) -> None:
        offer = self._offers[self.codec.currentIndex()]
        old = self._grid_holder
        self._grid_holder = QWidget()
        grid = QGridLayout(self._grid_holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        self._fields = {parameter.name: self._field(parameter) for parameter in offer.parameters}
        for column, (name, field) in enumerate(self._fields.items()):
            label = Label(_parameter_text(name), "secondary")
            label.setBuddy(field)
            grid.addWidget(label, 0, column)
            grid.addWidget(field, 1, column)
            grid.setColumnStretch(column, 1)
        self._restyle()
        self._outer.replaceWidget(old, self._grid_holder)
        old.hide()
        old.deleteLater()
        self._grid_holder.setVisible(bool(self._fields))
        self.reason.setText(offer.reason or "")
        self.reason.setVisible(offer.reason is not None)
        self.changed.emit()

    def _field(self, parameter: Parameter) -> QComboBox | QSpinBox:
        field: QComboBox | QSpinBox
        if parameter.choices:
            field = QComboBox()
            field.addItems(list(parameter.choices))
            field.setCurrentText(str(parameter.default))
            field.currentIndexChanged.connect(lambda _: self.changed.emit())
        else:
            field = QSpinBox()
            field.setRange(parameter.least, parameter.most)
            field.setValue(int(parameter.default))
            field.valueChanged.connect(lambda _: self.changed.emit())
        field.setAccessibleName(_parameter_text(parameter.name))
        return field

    def _restyle(self) -> None:
        # Qt gives a spin box more height than a combo box of the same style.
        for field in self._fields.values():
            field.setFixedHeight(theme().px(_FIELD))


def _parameter_text(name: str) -> str:
    """Return what a codec's parameter is called in the form."""
    words = {
        "codec": QCoreApplication.translate("CodecForm", "Method"),
        "level": QCoreApplication.translate("CodecForm", "Level"),
        "quality": QCoreApplication.translate("CodecForm", "Quality"),
        "preset": QCoreApplication.translate("CodecForm", "Preset"),
        "container": QCoreApplication.translate("CodecForm", "Container"),
        "blocksize": QCoreApplication.translate("CodecForm", "Block size, bytes"),
    }
    return words.get(name, name.capitalize())


def _value(field: QComboBox | QSpinBox) -> str:
    return field.currentText() if isinstance(field, QComboBox) else str(field.value())


def section(layout: QVBoxLayout, text: str, *fields: QWidget) -> Label:
    """Add *fields* under a small heading, and return the heading."""
    label = Label(text, "section")
    holder = QVBoxLayout()
    holder.setSpacing(6)
    holder.addWidget(label)
    for field in fields:
        holder.addWidget(field)
    if isinstance(fields[0], QLineEdit | QComboBox):
        label.setBuddy(fields[0])
    layout.addLayout(holder)
    return label
