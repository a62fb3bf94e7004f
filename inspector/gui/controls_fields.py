"""Fields: a line of text with a leading icon and a trailing note, and a line of code with its copy button."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from inspector.gui.controls_buttons import IconButton
from inspector.gui.controls_text import ElidedLabel
from inspector.gui.paint import contents, panel, picture
from inspector.gui.theme import theme


class FieldFrame(QLineEdit):
    """A line edit with an icon at its left, and at its right a note and, while it has text, a button that empties it.

    *name* is its accessible name and its placeholder. *height* is 34 for filters, 30 in the top row.
    """

    cleared = Signal()
    """The user emptied the field with its button."""

    def __init__(self, name: str, *, icon: str | None = None, mono: bool = False, height: int = 34) -> None:
        super().__init__()
        self._icon_name = icon
        self._mono = mono
        self._height = height
        self._strong = ""
        self._weak = ""
        self._clear = IconButton("x", QCoreApplication.translate("FieldFrame", "Clear"), size=14, extent=24)
        self._clear.setParent(self)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.clicked.connect(self._empty)
        self._clear.hide()
        self._clearable = True
        self.setAccessibleName(name)
        self.setPlaceholderText(name)
        self.textChanged.connect(self._arrange)
        self._restyle()
        theme().changed.connect(self._restyle)

    def set_trailing(self, strong: str, weak: str = "") -> None:
        """Show a note at the right: *strong* in the text's colour and bold, then *weak* muted."""
        self._strong, self._weak = strong, weak
        self.setAccessibleDescription(f"{strong} {weak}".strip())
        self._arrange()

    def set_clearable(self, clearable: bool) -> None:
        """Offer the button that empties the field, or not."""
        self._clearable = clearable
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(240), theme().px(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(96), theme().px(self._height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        px = theme().px
        if self._icon_name is not None:
            token = "accent" if self.hasFocus() else "muted"
            picture(painter, QRect(px(10), 0, px(16), self.height()), self._icon_name, token=token)
        right = self._note_right()
        for text, weight, token in ((self._weak, 400, "muted"), (self._strong, 600, "text")):
            font = theme().font(12, weight)
            width = QFontMetrics(font).horizontalAdvance(text)
            painter.setFont(font)
            painter.setPen(theme().color(token))
            room = QRect(right - width, 0, width + 1, self.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
            right -= width + (px(4) if text else 0)

    def _note_right(self) -> int:
        px = theme().px
        return self.width() - (px(34) if self._clear.isVisibleTo(self) else px(12))

    def _note_width(self) -> int:
        strong = QFontMetrics(theme().font(12, 600)).horizontalAdvance(self._strong)
        weak = QFontMetrics(theme().font(12, 400)).horizontalAdvance(self._weak)
        return strong + weak + (theme().px(8) if strong or weak else 0)

    def _arrange(self) -> None:
        px = theme().px
        self._clear.setVisible(self._clearable and bool(self.text()) and not self.isReadOnly())
        side = px(24)
        self._clear.setGeometry(self.width() - side - px(5), (self.height() - side) // 2, side, side)
        left = px(22) if self._icon_name is not None else 0
        right = self.width() - self._note_right() + self._note_width() - px(10)
        self.setTextMargins(left, 0, max(right, 0), 0)
        self.update()

    def _empty(self) -> None:
        self.clear()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.cleared.emit()

    def _restyle(self) -> None:
        self.setFont(theme().font(13, mono=self._mono))
        # The sheet's own height is for plain line edits; ours comes from its size hint.
        self.setFixedHeight(theme().px(self._height))
        self._arrange()


class SearchField(FieldFrame):
    """A field to search with; *shortcut* is shown at the right while the field is empty."""

    def __init__(self, name: str, *, shortcut: str = "", height: int = 30) -> None:
        super().__init__(name, icon="search", height=height)
        self._shortcut = shortcut
        self.textChanged.connect(self._hint)
        self._hint(self.text())

    def _hint(self, text: str) -> None:
        self.set_trailing("", "" if text else self._shortcut)


class CodeField(QFrame):
    """A line of code, a path or a command to copy: mono text in a sunken frame with a copy button."""

    copied = Signal(str)

    def __init__(self, text: str = "", name: str = "") -> None:
        super().__init__()
        copy = QCoreApplication.translate("CodeField", "Copy")
        self._label = ElidedLabel(text, "monoSmall", middle=True)
        self._button = IconButton("copy", name or copy, size=14, extent=24)
        self._button.clicked.connect(self._copy)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 6, 4)
        layout.addWidget(self._label, 1)
        layout.addWidget(self._button)
        self._restyle()
        theme().changed.connect(self._restyle)

    def text(self) -> str:
        """Return the whole text."""
        return self._label.text()

    def set_text(self, text: str) -> None:
        """Show another text."""
        self._label.setText(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme().color
        panel(QPainter(self), contents(self), 6, fill=colours("sunken"), line=colours("border"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())
        self.copied.emit(self.text())

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(34))
        self.update()
