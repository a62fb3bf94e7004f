"""How soon the window is there: programs that say so, and a display in memory to run them on.

Each program prints a line when what is waited for has been painted, and ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

SIZE = "1440x900x24"

RIVAL = """
from PySide6.QtCore import QAbstractTableModel, QObject, QEvent, QTimer, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QListWidget, QMainWindow, QTableView
class Model(QAbstractTableModel):
    def rowCount(self, parent=None): return 1_000_000
    def columnCount(self, parent=None): return 8
    def data(self, index, role=0):
        return f"{index.row()} {index.column()}" if role == Qt.ItemDataRole.DisplayRole else None
class Painted(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, lambda: print("painted", flush=True))
        return False
app = QApplication([])
window, model = QMainWindow(), Model()
menu = window.menuBar().addMenu("File")
menu.addAction("Open"), menu.addAction("Quit")
dock, table = QDockWidget("Dock"), QTableView()
dock.setWidget(QListWidget())
window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
table.setModel(model)
window.setCentralWidget(table)
window.resize(1440, 900)
painted = Painted()
window.installEventFilter(painted)
window.show()
app.exec()
"""
"""A window of Qt's own parts: menu, dock, and a table of a million rows."""

OURS = """
import sys
from inspector.gui import app, application
class Window(application.MainWindow):
    def open_paths(self, paths):  # what the program does first once the window has been painted
        print("painted", flush=True)
        super().open_paths(paths)
application.MainWindow = Window
app.run([])
"""

ROWS = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QTableView
from inspector.gui import app, application
class Window(application.MainWindow):
    def open_paths(self, paths):
        super().open_paths(paths)
        self.looks = QTimer(self, interval=5)
        self.looks.timeout.connect(self.look)
        self.looks.start()
    def look(self):
        for table in self.findChildren(QTableView):
            model = table.model()
            if table.isVisible() and model.rowCount() and model.index(0, 0).data() and model.index(0, 1).data():
                self.looks.stop()
                table.viewport().repaint()
                print("painted", flush=True)
application.MainWindow = Window
app.run(sys.argv[1:])
"""


def missing() -> str | None:
    """Return why no window can be measured here, None if one can."""
    if shutil.which("Xvfb"):
        return None
    return "The window is not measured: there is no Xvfb here; on Debian: apt-get install xvfb"


@contextmanager
def display() -> Iterator[str]:
    """Run a display in memory and yield its name."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", SIZE, "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with open(reader) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def time_once(command: list[str], environment: dict[str, str]) -> tuple[float, int]:
    """Return (seconds until the program says that it has painted, its memory in kB at that moment)."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    seconds = time.perf_counter() - started
    memory = 0
    if line:
        with open(f"/proc/{process.pid}/status") as status:
            memory = next(int(text.split()[1]) for text in status if text.startswith("VmHWM"))
    process.kill()
    _, error = process.communicate()
    if not line:
        raise SystemExit(f"{' '.join(command[:2])}…: {error[-300:]}")
    return seconds, memory
