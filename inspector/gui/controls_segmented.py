"""The segmented switch: one of a few views, with icons and labels."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QRadioButton, QWidget

from inspector.gui.paint import contents, keyboard_focus, panel, picture, ring
from inspector.gui.theme import theme

_GAP = 8


class _Segment(QRadioButton):
    """One side of a `Segmented`; Qt's own radio group gives it role, state, arrows and the single Tab stop."""

    def __init__(self, icon: str | None, label: str, *, height: int) -> None:
        super().__init__(label)
        self._icon_name = icon
        self._height = height
        self._compact = False
        self._ring = False
        self.setAccessibleName(label)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_compact(self, compact: bool) -> None:
        self._compact = compact and self._icon_name is not None
        self.setToolTip(self.text() if self._compact else "")
        self.updateGeometry()
        self.update()

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def sizeHint(self) -> QSize:
        px = theme().px
        width = 2 * px(10)
        if self._icon_name is not None:
            width += px(16)
        if not self._compact:
            # The bold width, so that nothing moves when the selection does.
            width += QFontMetrics(theme().font(13, 600)).horizontalAdvance(self.text()) + 1
            width += px(_GAP) if self._icon_name is not None else 0
        return QSize(width, px(self._height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        px, colours = theme().px, theme().color
        area = contents(self)
        token = "text" if self.isChecked() or (self.underMouse() and self.isEnabled()) else "muted"
        if not self.isEnabled():
            token = "faint"
        if self.isChecked():
            line = colours("borderStrong") if theme().tokens.dark or theme().high_contrast else None
            panel(painter, area, 5, fill=colours("surface"), line=line)
        left = px(10)
        if self._icon_name is not None:
            tint = "accent" if self.isChecked() and self.isEnabled() else token
            picture(painter, QRect(left, 0, px(16), self.height()), self._icon_name, token=tint)
            left += px(16) + px(_GAP)
        if not self._compact:
            painter.setFont(theme().font(13, 600))
            painter.setPen(colours(token))
            painter.drawText(
                QRect(left, 0, self.width() - left, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text()
            )
        if self._ring and self.hasFocus():
            ring(painter, area, 5)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = keyboard_focus(event)
        super().focusInEvent(event)


class Segmented(QWidget):
    """A switch between a few views: one Tab stop, arrows move inside, the first item is selected at the start.

    *items* are (icon or None, label); *name* is what a screen reader calls the whole.
    """

    selected = Signal(int)
    """Index of the newly selected item, by user or program; never the one that was selected already."""

    def __init__(self, items: Sequence[tuple[str | None, str]], name: str, *, height: int = 30) -> None:
        super().__init__()
        self.setAccessibleName(name)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(3, 3, 3, 3)
        layout.setSpacing(2)
        self._group = QButtonGroup(self)
        for index, (icon, label) in enumerate(items):
            segment = _Segment(icon, label, height=height - 6)
            self._group.addButton(segment, index)
            layout.addWidget(segment)
        self._segment(0).setChecked(True)
        self.setSizePolicy(self.sizePolicy().Policy.Maximum, self.sizePolicy().Policy.Fixed)
        self._group.idToggled.connect(self._toggled)
        theme().changed.connect(self._restyle)

    @property
    def current(self) -> int:
        """Index of the selected item."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Select item *index*."""
        self._segment(index).setChecked(True)

    def set_item_enabled(self, index: int, enabled: bool) -> None:
        """Let item *index* be chosen or not."""
        self._segment(index).setEnabled(enabled)

    def set_item_tooltip(self, index: int, text: str) -> None:
        """Explain item *index*, for example why it cannot be chosen."""
        self._segment(index).setToolTip(text)

    def set_compact(self, compact: bool) -> None:
        """Show icons without labels, for narrow windows."""
        for button in self._group.buttons():
            if isinstance(button, _Segment):
                button.set_compact(compact)

    def paintEvent(self, event: QPaintEvent) -> None:
        line = theme().color("border") if theme().high_contrast else None
        panel(QPainter(self), contents(self), 7, fill=theme().color("track"), line=line)

    def _segment(self, index: int) -> QAbstractButton:
        return self._group.button(index)

    def _toggled(self, index: int, checked: bool) -> None:
        if checked:
            self.selected.emit(index)

    def _restyle(self) -> None:
        for button in self._group.buttons():
            button.updateGeometry()
        self.update()
