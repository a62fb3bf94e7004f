"""The top of a comparison: which two stores, as they were; the proof that they are the same; how far it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDateTime, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.compare_work import Result, SideInfo, Source
from inspector.gui.controls import (
    Bar,
    Button,
    Chip,
    ElidedLabel,
    IconButton,
    IconLabel,
    Label,
    SearchField,
    Segmented,
    announce,
)
from inspector.gui.flow import Flow
from inspector.gui.kinds import icon_for, label_for
from inspector.gui.paint import contents, panel
from inspector.gui.skeleton import SkeletonRows
from inspector.gui.texts import count_text, locale, size_text
from inspector.gui.theme import theme
from inspector.operations.compare_export import Form
from inspector.operations.record_diff import Kind

KINDS: tuple[Kind | None, ...] = (None, "changed", "removed", "added")
"""What the switch shows, in its order."""

FORMS: dict[Form, str] = {"json": "JSON", "csv": "CSV", "md": "Markdown"}

translate = QCoreApplication.translate


class _Side(QWidget):
    """One store: its letter and name, below it format, size and time."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self._icon = IconLabel("file")
        self.name = ElidedLabel("", "name", middle=True)
        self.facts = ElidedLabel("", "secondary")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(Chip(letter, "outline"))
        layout.addWidget(self._icon)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self.name)
        words.addWidget(self.facts)
        words.addStretch(1)
        layout.addLayout(words, 1)

    def set_source(self, source: Source, name: str) -> None:
        """Name the store; more is known when it was opened."""
        self.name.setText(name)
        self.name.setToolTip(str(source.path))
        self.facts.setText(str(source.path.parent))

    def set_info(self, info: SideInfo) -> None:
        """Say what the store was when it was compared."""
        self._icon.set_icon(icon_for(info.format), "muted")
        self.facts.setText(" · ".join(side_facts(info)))


def names_of(first: Path, second: Path) -> tuple[str, str]:
    """Return what the two files are called: with their folders if their names are the same."""
    if first.name != second.name:
        return first.name, second.name
    return f"{first.parent.name}/{first.name}", f"{second.parent.name}/{second.name}"


def side_facts(info: SideInfo) -> list[str]:
    """Return format, codec, size and time of a store."""
    facts = [label_for(info.format), size_text(info.size)]
    if info.codec != "none":
        facts.insert(1, info.codec)
    if info.modified is not None:
        moment = QDateTime.fromSecsSinceEpoch(int(info.modified))
        facts.append(locale().toString(moment, "d MMM yyyy, HH:mm:ss"))
    return facts


class CompareHead(QWidget):
    """Both stores side by side with what can be done with the pair."""

    swap_wanted = Signal()
    again_wanted = Signal()
    command_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sides = (_Side("A"), _Side("B"))
        self.swap = IconButton("arrow-left-right", self.tr("Swap A and B"))
        self.again = IconButton("refresh-cw", self.tr("Compare again"), "F5")
        self.command = IconButton("terminal", self.tr("Copy the equal command"))
        self.swap.clicked.connect(self.swap_wanted)
        self.again.clicked.connect(self.again_wanted)
        self.command.clicked.connect(self.command_wanted)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 12, 0)
        layout.setSpacing(12)
        layout.addWidget(self.sides[0], 1)
        layout.addWidget(self.swap)
        layout.addWidget(self.sides[1], 1)
        layout.addSpacing(8)
        layout.addWidget(self.command)
        layout.addWidget(self.again)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_result(self, result: Result) -> None:
        """Say what was compared."""
        for side, info in zip(self.sides, result.sides, strict=True):
            side.set_info(info)

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(56))


class ProofStrip(QFrame):
    """The proof that two stores hold the same, or what stands against it though all records are equal."""

    def __init__(self) -> None:
        super().__init__()
        self._fill = "addBg"
        self._icon = IconLabel("circle-check", "addText", 20)
        self.title = Label("", "title", token="addText")
        self.line = Label("", "body", wrap=True)
        self.report = Button(translate("ProofStrip", "Save report…"), height=30)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 10, 16, 10)
        layout.setSpacing(12)
        layout.addWidget(self._icon)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.line)
        layout.addLayout(words, 1)
        layout.addWidget(self.report)
        self.hide()
        theme().changed.connect(self.update)

    def show_result(self, result: Result) -> None:
        """Say that nothing differs; hidden if records differ: then the counts speak."""
        tally = result.tally
        if tally.added or tally.removed or tally.changed:
            self.hide()
            return
        proven = result.identical
        token = "addText" if proven else "warnText"
        self._fill = "addBg" if proven else "warnBg"
        self._icon.set_icon("circle-check" if proven else "triangle-alert", token)
        self.title.set_style("title", token=token)
        title = proof_text(result) if proven else _alone_text(result)
        self.title.setText(title)
        self.line.setText(
            self.tr("Every key and value was compared, exactly. The order of records and of keys was not.")
        )
        self.setAccessibleName(title)
        self.show()
        announce(self, title)

    def paintEvent(self, event: QPaintEvent) -> None:
        line = theme().color("border") if theme().ring > 2 else None
        panel(QPainter(self), contents(self), 8, fill=theme().color(self._fill), line=line)


def proof_text(result: Result) -> str:
    """Return the proof: ``Identical: 12,034 records in 3 tables``."""
    records, collections = result.tally.unchanged, len(result.compared)
    counted = translate("Compare", "%Ln records", "", records).replace(str(records), count_text(records), 1)
    text = translate("Compare", "Identical: {records} in {collections}")
    return text.replace("{records}", counted).replace("{collections}", _collections(result, collections))


def _collections(result: Result, count: int) -> str:
    kinds = {"table" if one.match.is_table else "document" for one in result.compared}
    if kinds == {"table"}:
        return translate("Compare", "%Ln tables", "", count)
    if kinds == {"document"}:
        return translate("Compare", "%Ln documents", "", count)
    return translate("Compare", "%Ln collections", "", count)


def _alone_text(result: Result) -> str:
    """Return which empty collections only one store has, where all records are equal."""
    alone = [one.match.label for one in result.compared if one.match.before is None or one.match.after is None]
    names = ", ".join(alone[:3]) + (" …" if len(alone) > 3 else "")
    text = translate("Compare", "All records are equal, but only one store has {names}, which is empty")
    return text.replace("{names}", names[:200])


class CompareTools(QWidget):
    """The row over the list: which differences, a search in keys and fields, export."""

    kind_chosen = Signal(object)
    searched = Signal(str)
    export_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        words = (self.tr("All"), self.tr("Changed"), self.tr("Only in A"), self.tr("Only in B"))
        self.kinds = Segmented([(None, word) for word in words], self.tr("Which differences are shown"))
        self.search = SearchField(self.tr("Find key or field"), shortcut="Ctrl+F")
        self.count = Label("", "secondary")
        self.export = Button(self.tr("Export"), icon="download", height=30)
        self.menu = QMenu(self.export)
        self.export.setMenu(self.menu)
        for form, label in FORMS.items():
            action = self.menu.addAction(self.tr("{form}…").replace("{form}", label))
            action.triggered.connect(lambda _=False, form=form: self.export_wanted.emit(form))
        self.kinds.selected.connect(lambda index: self.kind_chosen.emit(KINDS[index]))
        self.search.textChanged.connect(self.searched)
        layout = Flow(self)
        layout.setContentsMargins(16, 8, 12, 8)
        for widget in (self.kinds, self.search, self.count):
            layout.addWidget(widget)
        layout.addStretch()
        layout.addWidget(self.export)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_count(self, shown: int, listed: int) -> None:
        """Say how many differences are shown."""
        text = self.tr("{shown} of {all}").replace("{shown}", count_text(shown)).replace("{all}", count_text(listed))
        self.count.setText(count_text(listed) if shown == listed else text)
        self.count.setAccessibleName(self.tr("Differences shown: {count}").replace("{count}", self.count.text()))

    def _restyle(self) -> None:
        self.setMinimumHeight(theme().px(46))
        self.search.setMaximumWidth(theme().px(320))
        self.export.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


class Waiting(QWidget):
    """What stands in place of the list while it is made: how far it is, and a way to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.label = Label(self.tr("Comparing"), "name")
        self.bar = Bar(self.tr("Comparing"))
        self.stop = Button(self.tr("Stop"), height=28)
        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 16, 10)
        head.setSpacing(12)
        head.addWidget(self.label)
        head.addWidget(self.bar, 1)
        head.addWidget(self.stop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(SkeletonRows(self.tr("Comparing the stores")), 1)

    def set_share(self, share: float | None) -> None:
        """Show how much is done, 0 to 1."""
        self.bar.set_share(share)
        percent = "" if share is None else f" {round(share * 100)} %"
        self.label.setText(self.tr("Comparing") + percent)
