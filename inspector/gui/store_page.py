"""A store as a whole: what it is and why we think so, what is wrong with it, and what can be done with it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from inspector.gui.controls import Button, Card, IconTile, InfoBar, KeyValueList, Label, NoticeTone
from inspector.gui.flow import Flow, titled
from inspector.gui.kinds import icon_for, label_for
from inspector.gui.shell import OpenStore, Page, Shell
from inspector.gui.texts import count_text, for_window, size_text
from inspector.gui.theme import theme
from inspector.operations.charts_model import label_of

_WIDTH = 720
_MOST_FINDINGS = 50
_TONES: dict[str, NoticeTone] = {"error": "error", "warning": "warning", "info": "info"}


class StorePage(Page):
    """The facts and findings of one store."""

    def __init__(self, shell: Shell, store: OpenStore) -> None:
        super().__init__()
        self._shell = shell
        self._store = store
        self.title = store.path.name
        self.icon_name = icon_for(store.store)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setAccessibleName(self.title)
        outer.addWidget(self._scroll)
        self._fill()

    def source(self) -> OpenStore:
        return self._store

    def status(self) -> tuple[tuple[str, str], ...]:
        info = self._store.store.info
        return (
            (self.icon_name, str(self._store.path)),
            ("", label_for(info.format)),
            ("", size_text(info.size)),
        )

    def reload(self) -> None:
        self._fill()
        self.status_changed.emit()

    def _fill(self) -> None:
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(24, 28, 24, 24)
        inner = QWidget()
        inner.setMaximumWidth(theme().px(_WIDTH))
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)
        column.addLayout(self._head())
        if not self._store.store.collections:
            column.addWidget(InfoBar("info", self.tr("This store holds no tables. The file is sound and empty.")))
        facts = Card(self.tr("Store"))
        facts.body.setContentsMargins(16, 8, 16, 12)
        facts.body.addWidget(KeyValueList(self._facts()))
        if evidence := self._store.store.info.evidence:
            # Sentences, too long for a row whose value is cut off.
            known = self.tr("Recognised by: {reasons}").replace("{reasons}", " ".join(evidence))
            facts.body.addSpacing(8)
            facts.body.addWidget(Label(known, "secondary", wrap=True))
        column.addWidget(facts)
        self._add_findings(column)
        column.addStretch(1)
        self._scroll.setWidget(content)
        content.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)

    def _head(self) -> Flow:
        title = Label(self.title, "page", wrap=True)
        folder = Label(str(self._store.path.parent), "secondary", wrap=True, selectable=True)
        head = Flow(spacing=12)
        head.addWidget(titled(IconTile(self.icon_name), title, folder))
        head.addStretch()
        convert = Button(self.tr("Convert…"), icon="arrow-left-right", height=36)
        convert.clicked.connect(lambda: self._shell.convert(self._store))
        compress = Button(self.tr("Compress…"), "primary", icon="package", height=36)
        compress.clicked.connect(lambda: self._shell.compress(self._store))
        for button in (convert, compress):
            head.addWidget(button)
        return head

    def _facts(self) -> list[tuple[str, str]]:
        store = self._store.store
        info = store.info
        rows = [
            (self.tr("Format"), label_for(info.format)),
            (self.tr("Compression"), self.tr("Not compressed") if info.codec == "none" else label_of(info.codec)),
            (self.tr("Size on disk"), size_text(info.size)),
        ]
        if info.decoded_size is not None:
            rows.append((self.tr("Size decoded"), size_text(info.decoded_size)))
        if info.maker:
            rows.append((self.tr("Written by"), info.maker))
        rows.append((self.tr("Tables and documents"), count_text(len(store.collections))))
        return rows

    def _add_findings(self, column: QVBoxLayout) -> None:
        findings = self._store.store.info.findings
        if not findings:
            return
        column.addWidget(Label(self.tr("%Ln finding(s)", "", len(findings)), "title"))
        order = ("error", "warning", "info")
        for finding in sorted(findings, key=lambda found: order.index(found.severity))[:_MOST_FINDINGS]:
            where = f" ({finding.where})" if finding.where else ""
            column.addWidget(InfoBar(_TONES[finding.severity], for_window(finding.message) + where))
