"""Rows that wrap: order and room, and that a row in a page that is taken down asks nothing of what is gone."""

import shiboken6
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QVBoxLayout, QWidget

from inspector.gui.flow import Flow


def row(count):
    holder = QWidget()
    flow = Flow(holder)
    buttons = [QPushButton(f"Button {number}") for number in range(count)]
    for button in buttons:
        flow.addWidget(button)
    return holder, flow, buttons


def test_what_has_no_room_goes_into_the_next_line(qtbot):
    holder, flow, buttons = row(3)
    qtbot.addWidget(holder)
    wide = flow.sizeHint().width()
    flow.setGeometry(QRect(0, 0, wide, flow.heightForWidth(wide)))
    assert len({button.y() for button in buttons}) == 1
    narrow = buttons[0].sizeHint().width() + 4
    assert flow.heightForWidth(narrow) > flow.heightForWidth(wide)
    flow.setGeometry(QRect(0, 0, narrow, flow.heightForWidth(narrow)))
    assert [button.x() for button in buttons] == [0, 0, 0]
    assert buttons[0].y() < buttons[1].y() < buttons[2].y()


def test_items_that_qt_has_deleted_are_passed_over(qtbot):
    holder, flow, _ = row(3)
    qtbot.addWidget(holder)
    shiboken6.delete(flow.itemAt(1))
    assert flow.sizeHint().width() > 0
    assert flow.minimumSize().height() > 0
    assert flow.itemAt(1) is None


def test_a_page_with_a_row_is_taken_down_in_peace(qtbot):
    holder, _, buttons = row(3)
    area = QScrollArea()
    area.setWidgetResizable(True)
    content = QWidget()
    QVBoxLayout(content).addWidget(holder)
    area.setWidget(content)
    area.show()
    buttons[0].deleteLater()
    holder.updateGeometry()
    QApplication.processEvents()
    area.deleteLater()
    QApplication.processEvents()
    qtbot.wait(10)
