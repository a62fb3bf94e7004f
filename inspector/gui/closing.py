"""Closing the window while a job writes: asked once, then either waited for or stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow

from inspector.gui.tasks import Job, TaskRunner

if TYPE_CHECKING:
    from inspector.gui.window_sheets import CloseSheet


class Closing:
    """Decides whether *window* may close now."""

    def __init__(self, window: QMainWindow, runner: TaskRunner) -> None:
        self._window = window
        self._runner = runner
        self._decided = False
        self._sheet: CloseSheet | None = None
        runner.job_finished.connect(self._finished)

    def may_close(self) -> bool:
        """Say whether nothing is being written or the user has decided; if not, ask."""
        if self._decided or not (writing := self._writing()):
            return True
        if self._sheet is None:
            from inspector.gui.window_sheets import CloseSheet

            self._sheet = CloseSheet(self._window, [job.title for job in writing])
            self._sheet.finish.connect(self._wait)
            self._sheet.stop.connect(self.close_now)
            self._sheet.closed.connect(self._answered)
            self._sheet.open(self._sheet.finish_button)
        return False

    def close_now(self) -> None:
        """Close and stop whatever runs; a job that is stopped leaves nothing half-written."""
        self._decided = True
        self._window.close()

    def _writing(self) -> list[Job]:
        return [job for job in self._runner.jobs if job.running and job.writes]

    def _answered(self) -> None:
        self._sheet = None

    def _wait(self) -> None:
        self._decided = True
        self._finished()

    def _finished(self, job: Job | None = None) -> None:
        if self._decided and not self._writing():
            QTimer.singleShot(0, self._window, self._window.close)
