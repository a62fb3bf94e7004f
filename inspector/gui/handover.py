"""One window per desktop: a second start hands its files to the window that is open already, and ends.

The first start holds a lock and listens at a socket beside it; both are private to the user and to the display. A lock
tells better than the socket file who is first: two starts at the same moment agree, and what a killed program left
behind counts for nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_PATIENCE = 5.0
"""Seconds that a second start waits for the first one, which may be still on its way to a window."""

_MOST = 1 << 24
"""Bytes of a request, at most."""

_DONE = b"taken\n"


@dataclass(frozen=True, slots=True)
class Request:
    """What a start was asked for: *paths* to open, all absolute, and whether to *compress* the first of them."""

    paths: tuple[str, ...]
    compress: bool = False
    activation: str = ""
    """What Wayland lets the window come to the front with."""

    @classmethod
    def of(cls, paths: Sequence[str], *, compress: bool = False) -> Request:
        """Return the request of this process, whose working directory the running window does not know."""
        whole = tuple(os.path.abspath(path) for path in paths)
        return cls(whole, compress, os.environ.get("XDG_ACTIVATION_TOKEN", ""))

    def to_line(self) -> bytes:
        """Return the request as one line of JSON."""
        return json.dumps([self.paths, self.compress, self.activation]).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Request | None:
        """Return what a line says, None if it is no request."""
        try:
            paths, compress, activation = json.loads(line)
            return cls(tuple(map(str, paths)), bool(compress), str(activation))
        except (ValueError, TypeError):
            return None


class Handover(QObject):
    """Either the first start on this display, which is asked by later ones, or a later one."""

    asked = Signal(object)
    """A `Request` of a later start."""

    def __init__(self) -> None:
        super().__init__()
        self._place = _place()
        self._lock = QLockFile(f"{self._place}.lock")
        self._lock.setStaleLockTime(0)  # a window may be open for weeks
        self._first = False
        self._server: QLocalServer | None = None
        self._visits: list[QLocalSocket] = []

    def taken(self, request: Request) -> bool:
        """Hand *request* to the window that is open; False if there is none that answers, then this is the first."""
        give_up = time.monotonic() + _PATIENCE
        while True:
            self._first = self._lock.tryLock(0)
            if self._first or self._lock.error() != QLockFile.LockError.LockFailedError:
                return False
            if self._answered(request):
                return True
            if time.monotonic() > give_up:
                return False
            time.sleep(0.05)

    def listen(self) -> None:
        """Take requests of later starts from now on, if this is the first one. Needs the application."""
        if not self._first:
            return
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        QLocalServer.removeServer(self._place)
        self._server.newConnection.connect(self._greet)
        if not self._server.listen(self._place):
            self.stop()

    def stop(self) -> None:
        """Let the next start be the first."""
        if self._server is not None:
            self._server.close()
            self._visits.clear()
            self._server.deleteLater()
            self._server = None
        self._lock.unlock()
        self._first = False

    def _answered(self, request: Request) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._place)
        if not socket.waitForConnected(500):
            return False
        socket.write(request.to_line())
        return bool(socket.waitForReadyRead(int(_PATIENCE * 1000)) and bytes(socket.readAll().data()) == _DONE)

    def _greet(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            self._visits.append(socket)
            socket.readyRead.connect(self._read)
            socket.disconnected.connect(self._tidy)
        self._read()

    def _read(self) -> None:
        """Take what later starts have said: one line each, passed on and answered."""
        for socket in tuple(self._visits):
            if socket.canReadLine():
                request = Request.from_line(bytes(socket.readLine().data()))
                if request is None:
                    socket.abort()
                    continue
                socket.write(_DONE)
                socket.flush()  # opening may keep this process busy, and the other one waits
                socket.disconnectFromServer()
                self.asked.emit(request)
            elif socket.bytesAvailable() > _MOST:
                socket.abort()

    def _tidy(self) -> None:
        for socket in tuple(self._visits):
            if socket.state() == QLocalSocket.LocalSocketState.UnconnectedState:
                self._visits.remove(socket)
                socket.deleteLater()


def _place() -> str:
    """Return the path of the socket, on Windows its name: one for each user, display and folder of settings."""
    settings = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "USERNAME")
    desk = "\0".join((settings, *(os.environ.get(name, "") for name in names)))
    name = f"inspector-{hashlib.sha256(desk.encode(errors='surrogateescape')).hexdigest()[:16]}"
    if sys.platform == "win32":
        return name
    return str(_private_folder() / name)


def _private_folder() -> Path:
    """Return the user's folder for sockets, else that for caches: nobody else can put a socket there."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(given) and os.access(given, os.W_OK | os.X_OK):
        return Path(given)
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)) / "inspector"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return folder  # no lock can be taken in it: every start then has a window of its own
    return folder
