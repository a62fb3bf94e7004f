"""The running application: names, look, fault reports, Ctrl-C, and the window with what it was asked to open."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QLibraryInfo,
    QLocale,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    Qt,
    QTimer,
    QtMsgType,
    QTranslator,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication, QWidget

from inspector import __version__
from inspector.gui.app import NO_WINDOW
from inspector.gui.faults import Faults, faults_folder
from inspector.gui.handover import Handover, Request
from inspector.gui.main_window import MainWindow
from inspector.gui.settings import Settings
from inspector.gui.theme import Theme
from inspector.gui.warming import Warming
from inspector.program import APP_ID
from inspector.resources import resource

INTERRUPTED = 130

_TURN = 0.001
"""Seconds that a thread of Python keeps the lock of the interpreter while another waits for it. The usual 5 ms add up:
the window takes the lock many times for one paint, and stood still for up to half a second beside a busy task."""

_LATEST = 2000
"""Milliseconds after which a window that is not painted, because it begins minimised, is taken for painted."""


def _say_why(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Turn Qt's abort over a missing platform plugin into one line that says what to install."""
    if kind == QtMsgType.QtFatalMsg and "platform plugin" in text:
        print(NO_WINDOW, file=sys.stderr, flush=True)
        os._exit(1)
    print(text, file=sys.stderr)


class Interrupts(QObject):
    """Ends the application on Ctrl-C: Python's handlers only run between byte codes, so Qt must be woken."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._listens = False

    def listen(self) -> None:
        """Take the signal from now on."""
        import socket

        self._listens = True
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._before: Any = signal.signal(signal.SIGINT, self._stop)
        self._wakeup = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)

    def release(self) -> None:
        """Give the signal back."""
        if not self._listens:
            return
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup)
        signal.signal(signal.SIGINT, self._before)
        self._reader.close()
        self._writer.close()

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._reader.recv(64)

    def _stop(self, number: int, frame: object) -> None:
        self._app.exit(INTERRUPTED)


class FirstPicture(QObject):
    """Calls *then* once, when *window* has been painted for the first time."""

    def __init__(self, window: QWidget, then: Callable[[], object]) -> None:
        super().__init__(window)
        self._then: Callable[[], object] | None = then
        window.installEventFilter(self)
        QTimer.singleShot(_LATEST, self, self._call)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._call)
        return False

    def _call(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()


class Application(QApplication):
    """The application; macOS tells it, not the command line, which files were double-clicked."""

    file_wanted = Signal(str)

    def event(self, event: QEvent) -> bool:
        """Pass on the file of a `QFileOpenEvent`; everything else is Qt's."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_wanted.emit(event.file())
            return True
        return super().event(event)


def make_application(arguments: Sequence[str]) -> Application:
    """Return the application with its names and icon; settings and reports lie under these names."""
    qInstallMessageHandler(_say_why)
    sys.setswitchinterval(_TURN)
    app = Application(list(arguments))
    if QLocale().language() == QLocale.Language.C:
        QLocale.setDefault(QLocale(QLocale.Language.English))  # C has no thousands separators
    app.setApplicationName("inspector")
    app.setApplicationDisplayName("Inspector")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(APP_ID)
    _translate(app)
    app.setWindowIcon(QIcon(str(resource("icons/inspector.svg"))))
    return app


def _translate(app: QApplication) -> None:
    """Install English plurals, then our texts and Qt's own in the user's language, where they are there.

    English comes first whatever the locale: it is the language of the texts themselves, and ``C`` names none.
    """
    ours = str(resource("i18n"))
    theirs = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    wanted = [(QLocale(QLocale.Language.English), "inspector", ours)]
    wanted += [(QLocale(), "qtbase", theirs), (QLocale(), "inspector", ours)]
    for language, name, folder in wanted:
        translator = QTranslator(app)
        if translator.load(language, name, "_", folder):
            app.installTranslator(translator)


def dress(app: QApplication, settings: Settings) -> Theme:
    """Give *app* the look that the user chose."""
    look = Theme(app)
    look.set_mode(settings.mode)
    look.set_text_scale(settings.text_scale)
    look.set_reduced_motion(settings.reduced_motion)
    look.set_high_contrast(settings.high_contrast)
    look.apply(app)
    return look


def start(request: Request, handover: Handover) -> int:
    """Show the window with what *request* names in it and return the exit code when it is closed.

    What later starts ask of *handover* opens in the same window. What can wait begins after the first picture.
    """
    app = make_application(["inspector"])
    settings = Settings()
    dress(app, settings)
    interrupts = Interrupts(app)
    window = MainWindow(settings)
    Faults(window, faults_folder()).install()
    handover.asked.connect(partial(_serve, window))
    app.file_wanted.connect(lambda name: window.open_paths([Path(name)]))
    handover.listen()

    def go_on() -> None:
        # What stands now stays: it need not be looked through for garbage again and again.
        gc.freeze()
        gc.enable()
        interrupts.listen()
        _open(window, request)
        Warming(window.runner, window).start()

    FirstPicture(window, go_on)
    window.show()
    try:
        code = app.exec()
        handover.stop()
        if code == INTERRUPTED:
            window.stop_and_close()
    finally:
        interrupts.release()
        sys.excepthook = sys.__excepthook__
    return code


def _open(window: MainWindow, request: Request) -> None:
    paths = [Path(path) for path in request.paths]
    if request.compress:
        window.open_to_compress(paths)
    else:
        window.open_paths(paths)


def _serve(window: MainWindow, request: Request) -> None:
    """Open what a later start asked for, and bring the window to the front."""
    _open(window, request)
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    if request.activation:
        os.environ["XDG_ACTIVATION_TOKEN"] = request.activation  # Qt takes it from there when it activates a window
    window.raise_()
    window.activateWindow()
