"""What a history shows at once and what the keyboard reaches in it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from history_desk import Desk, activate, make_desk, open_pages, wait, write_course
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.history_view import CONTENT, HISTORY, RAW, UPDATES, HistoryPage
from inspector.gui.settings import Settings
from inspector.gui.shell import OpenStore
from inspector.gui.tasks import TaskRunner
from inspector.operations.open import collection, open_store

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_course(tmp_path_factory.mktemp("stores"))


@pytest.fixture
def desk(qtbot: QtBot, runner: TaskRunner, settings: Settings) -> Desk:
    return make_desk(qtbot, runner, settings)


@pytest.fixture
def opened(desk: Desk, qtbot: QtBot, course: Path) -> Iterator[Callable[..., HistoryPage]]:
    yield from open_pages(desk, qtbot, course)


def test_tab_goes_from_top_to_bottom_and_reaches_everything(
    qtbot: QtBot, opened: Callable[..., HistoryPage], desk: Desk
) -> None:
    page = opened()
    activate(qtbot, page)
    stage = page.stage
    focused: list[QWidget] = []
    stage.switch.findChildren(QAbstractButton)[0].setFocus()
    for _ in range(10):
        here = QApplication.focusWidget()
        assert here is not None
        focused.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    bar = stage.diff.bar
    toggles = [bar.outputs, bar.metadata, bar.unchanged]
    assert focused[1:3] == [stage.plot.flags, stage.transport.play]
    assert focused[4:8] == [*toggles, stage.diff.list]
    panel = page.inspector()
    assert panel is not None
    assert any(panel.isAncestorOf(widget) for widget in focused)
    assert all(widget.accessibleName() or getattr(widget, "text", str)() for widget in focused)


def test_choosing_a_view_moves_the_focus_into_it(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    activate(qtbot, page)
    stage = page.stage
    views = {UPDATES: stage.updates, RAW: stage.raw, HISTORY: stage.plot.flags, CONTENT: stage.content.list}
    for number, widget in views.items():
        page.show_view(number)
        wait(qtbot, page)
        assert QApplication.focusWidget() is widget


def test_the_focus_stays_in_the_content_when_its_form_changes(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    activate(qtbot, page)
    page.show_view(CONTENT)
    wait(qtbot, page)
    page.go_to(0)
    wait(qtbot, page)
    assert page.stage.content._empty.isVisible()
    assert page.stage.content.isAncestorOf(QApplication.focusWidget())


def test_a_damaged_store_says_so_above_its_history(
    qtbot: QtBot, opened: Callable[..., HistoryPage], course: Path
) -> None:
    assert opened()._damage.isHidden()
    path = GOLDEN / "ystore" / "truncated_60pct.ystore.db"
    with open_store(path) as store:
        name = store.collections[0].name
        said = next(finding for finding in store.info.findings if finding.severity in ("error", "warning"))
    page = opened(name, path)
    assert page._damage.isVisible()
    assert page._damage.text()[:40] == said.message[:40]
    assert page._damage.geometry().bottom() < page.stage.plot.geometry().top()


def test_nothing_is_named_before_it_is_known(qtbot: QtBot, desk: Desk, course: Path) -> None:
    store = OpenStore(course, open_store(course))
    page = HistoryPage(desk, store, collection(store.store, "analysis.ipynb"))
    panel = page.inspector()
    assert panel is not None
    qtbot.addWidget(panel)
    desk.row.addWidget(page)
    panel.show()
    assert not [button for button in panel.findChildren(QAbstractButton) if button.isVisible()]
    assert not [label.text() for label in panel.findChildren(QLabel) if label.isVisible() and label.text()]
    wait(qtbot, page)
    assert "Version " in panel.findChildren(QLabel)[0].text()
    assert [button for button in panel.findChildren(QAbstractButton) if button.isVisible()]
    desk.runner.shutdown()
    store.store.close()


def test_the_largest_deletion_is_in_sight_among_unchanged_cells(
    qtbot: QtBot, opened: Callable[..., HistoryPage], desk: Desk
) -> None:
    page = opened()
    desk.resize(1176, 560)
    page.stage.diff.bar.unchanged.setChecked(True)
    page.show_deletion(0)
    wait(qtbot, page)
    shown = page.stage.diff.list
    assert shown.verticalScrollBar().value() > 0
    removed = [n for n, row in enumerate(shown.cards.rows) if row.line is not None and row.line.sign == "-"]
    assert shown.viewport().rect().contains(shown.visualRect(shown.cards.index(removed[0])))


def test_every_time_in_the_updates_table_is_whole(qtbot: QtBot, opened: Callable[..., HistoryPage]) -> None:
    page = opened()
    page.show_view(UPDATES)
    wait(qtbot, page)
    table = page.stage.updates
    assert not table.horizontalScrollBar().isVisible()
    for column in range(8):
        text = table.updates.index(0, column).data()
        assert table.columnWidth(column) >= QFontMetrics(table.font()).horizontalAdvance(text) + 16
    assert table.horizontalHeader().accessibleName()


def test_the_plots_library_is_loaded_in_the_windows_thread(course: Path) -> None:
    script = (
        "import sys, threading\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pyqtgraph': print(threading.current_thread() is threading.main_thread())\n"
        "sys.meta_path.insert(0, Watch())\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from history_desk import Desk, HistoryPage, OpenStore, Settings, TaskRunner, collection, open_store\n"
        "from pathlib import Path\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from inspector.gui.theme import Theme\n"
        "assert 'pyqtgraph' not in sys.modules\n"
        "app = QApplication([]); look = Theme(app); look.apply(app); path = Path(sys.argv[1])\n"
        "desk = Desk(TaskRunner(), Settings(path.with_suffix('.ini')))\n"
        "store = OpenStore(path, open_store(path))\n"
        "page = HistoryPage(desk, store, collection(store.store, 'analysis.ipynb'))\n"
        "while not page.settled: app.processEvents()\n"
        "desk.runner.shutdown()\n"
    )
    words = [sys.executable, "-c", script, str(course), str(Path(__file__).parent)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["True"], done.stderr
