"""Files, handled so that a source is never changed and a target is never half-written.

Reading: slices by ``pread`` with the file's signature compared, or a private copy with its side files.
Writing: a temporary file beside the target, fsync, a verify hook, then one rename and an fsync of the folder.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from inspector.model import InspectorError, StoreChanged
from inspector.progress import Progress, silent

if TYPE_CHECKING:
    import tempfile

SLICE = 4 << 20
"""Bytes read or copied between two calls of the progress."""

_FICLONE = 0x40049409  # Linux ioctl that shares the blocks of two files, so that a copy of gigabytes is instant


class Signature(NamedTuple):
    """What tells one state of a file from the next: size in bytes, mtime in ns, inode."""

    size: int
    mtime: int
    inode: int


def signature(path: Path) -> Signature:
    """Return the present signature of *path*. Raises `InspectorError` if it cannot be reached."""
    try:
        return _signature(os.stat(path))
    except OSError as error:
        raise unreadable(path, error) from error


def _signature(status: os.stat_result) -> Signature:
    return Signature(status.st_size, status.st_mtime_ns, status.st_ino)


def unreadable(path: Path, error: OSError) -> InspectorError:
    """Return the sentence that says why *path* cannot be read."""
    reasons = {
        errno.ENOENT: f"{path} does not exist; check the name.",
        errno.EACCES: f"{path} cannot be read: permission denied; ask its owner for read access.",
        errno.EPERM: f"{path} cannot be read: the system does not permit it.",
        errno.EISDIR: f"{path} is a folder; name a store file in it.",
        errno.ENAMETOOLONG: f"{str(path)[:60]}… is too long for a file name.",
    }
    return InspectorError(reasons.get(error.errno or 0, f"{path} cannot be read: {error.strerror or error}."))


def open_quietly(path: Path) -> int:
    """Open *path* for reading without touching its access time where the system allows. Raises `InspectorError`."""
    flags = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        try:
            handle = os.open(path, flags | getattr(os, "O_NOATIME", 0))
        except PermissionError:  # O_NOATIME is only for the owner
            handle = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise unreadable(path, error if isinstance(error, OSError) else OSError(errno.ENOENT, str(error))) from error
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise unreadable(path, OSError(errno.EISDIR, "is a folder"))
    raise InspectorError(f"{path} is not a regular file; name a store file.")


def read_head(path: Path, length: int = 65536) -> bytes:
    """Return the first *length* bytes. Raises `InspectorError`."""
    handle = open_quietly(path)
    try:
        return os.read(handle, length)
    except OSError as error:
        raise unreadable(path, error) from error
    finally:
        os.close(handle)


class Slices:
    """The bytes of a file by position, as long as the file stays what it was when this was made.

    No handle is kept and nothing is mapped: TinyDB truncates in place, which would kill a reader that maps.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.signature = signature(path)

    @property
    def size(self) -> int:
        """Bytes of the file when it was opened."""
        return self.signature.size

    def read(self, start: int, stop: int) -> bytes:
        """Return bytes *start* to *stop*. Raises `StoreChanged` if the file is no longer the one opened."""
        handle = open_quietly(self.path)
        try:
            return self._read(handle, start, stop)
        finally:
            os.close(handle)

    def read_all(self, progress: Progress = silent) -> bytes:
        """Return the whole file, read slice by slice under *progress*."""
        handle = open_quietly(self.path)
        content = bytearray()
        try:
            for start in range(0, self.size, SLICE):
                content += self._read(handle, start, min(start + SLICE, self.size))
                progress(len(content), self.size)
        finally:
            os.close(handle)
        return bytes(content)

    def _read(self, handle: int, start: int, stop: int) -> bytes:
        try:
            data = os.pread(handle, stop - start, start)
            now = _signature(os.fstat(handle))
        except OSError as error:
            raise unreadable(self.path, error) from error
        if now != self.signature or len(data) != stop - start:
            raise StoreChanged(f"{self.path} was changed by another program while it was read; open it again.")
        return data


class PrivateCopy:
    """A copy of a file and its side files in a private temporary folder, removed by `close`.

    Raises `InspectorError` if there is no room, `StoreChanged` if the source does not hold still for a moment.
    """

    def __init__(self, path: Path, sides: tuple[str, ...] = (), progress: Progress = silent) -> None:
        self._folder = private_folder()
        self.path = Path(self._folder.name) / "store"
        try:
            for _ in range(3):
                if self._copy_all(path, sides, progress):
                    return
                time.sleep(0.05)
            raise StoreChanged(f"{path} is being written by another program; open it when that program pauses.")
        except BaseException:
            self.close()
            raise

    def _copy_all(self, path: Path, sides: tuple[str, ...], progress: Progress) -> bool:
        sources = [(path.with_name(path.name + side), side) for side in ("", *sides)]
        before = [_present_signature(source, side) for source, side in sources]
        check_space(self.path.parent, sum(mark.size for mark in before if mark))
        for (source, side), mark in zip(sources, before, strict=True):
            copy = self.path.with_name(self.path.name + side)
            copy.unlink(missing_ok=True)
            try:
                if mark:
                    copy_file(source, copy, progress)
            except InspectorError:
                if not side or source.exists():
                    raise
                return False  # the other program has just taken its side file away
        return [_present_signature(source, side) for source, side in sources] == before

    def close(self) -> None:
        """Remove the copy."""
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _present_signature(path: Path, side: str) -> Signature | None:
    """Return the signature of *path*, None for a side file that is not there."""
    try:
        return signature(path)
    except InspectorError:
        if not side:
            raise
        return None


def private_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a new folder that only this user reads; those of killed runs are removed first."""
    import tempfile

    with suppress(OSError):
        for old in Path(tempfile.gettempdir()).glob("inspector-*-*"):
            owner = old.name.split("-")[1]
            if owner.isdigit() and old.stat().st_uid == os.getuid() and not _alive(int(owner)):
                import shutil

                shutil.rmtree(old, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=f"inspector-{os.getpid()}-")


def copy_file(source: Path, target: Path, progress: Progress = silent) -> None:
    """Copy the bytes of *source* to *target*, sharing blocks where the file system can. Raises `InspectorError`."""
    reader = open_quietly(source)
    try:
        with open(target, "wb") as writer:
            if not _share_blocks(reader, writer.fileno()):
                total = os.fstat(reader).st_size
                while data := os.read(reader, SLICE):
                    writer.write(data)
                    progress(min(writer.tell(), total), total)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        os.close(reader)


def _share_blocks(reader: int, writer: int) -> bool:
    try:
        import fcntl

        fcntl.ioctl(writer, _FICLONE, reader)
    except (ImportError, OSError):
        return False
    return True


def check_space(folder: Path, needed: int) -> None:
    """Raise `InspectorError` if *folder*'s file system has fewer than *needed* bytes free."""
    import shutil

    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise unreadable(folder, error) from error
    if free < needed:
        raise InspectorError(
            f"Not enough space on {folder}: {readable_size(needed)} needed, {readable_size(free)} free. "
            "Nothing was written; choose another folder or free some space."
        )


def readable_size(size: int) -> str:
    """Return *size* bytes for people: ``61 MB``, ``4.2 kB`` (powers of 1000)."""
    amount = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 999.5 or unit == "GB":
            break
        amount /= 1000
    if unit == "bytes":
        return f"{size} bytes" if size != 1 else "1 byte"
    return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:.0f} {unit}"


def unwritable(path: Path, error: OSError) -> InspectorError:
    """Return the sentence that says why *path* cannot be written."""
    folder = path.parent
    reasons = {
        errno.ENOSPC: f"Not enough space on {folder}. Nothing was written; choose another folder or free some space.",
        errno.EDQUOT: f"Your disk quota for {folder} is used up. Nothing was written; choose another folder.",
        errno.EACCES: f"{folder} cannot be written to: permission denied. Nothing was written; choose another folder.",
        errno.EROFS: f"{folder} is read-only. Nothing was written; choose another folder.",
        errno.ENOENT: f"{folder} does not exist. Nothing was written; make the folder or choose another.",
        errno.EFBIG: f"{path.name} would be too large for the file system of {folder}. Nothing was written.",
    }
    message = reasons.get(
        error.errno or 0, f"{path} cannot be written: {error.strerror or error}. Nothing was written."
    )
    return InspectorError(message)


def replace(
    target: Path,
    write: Callable[[Path], None],
    *,
    verify: Callable[[Path], None],
    overwrite: bool = False,
    before: Callable[[Path], None] | None = None,
) -> None:
    """Put a new file at *target* whole or not at all.

    *write* fills a temporary file beside the target, *verify* reads it back and raises if it is not right,
    *before* (a backup, a journal) runs last before the rename. Without *overwrite* an existing target is refused.
    On any error, and on `Cancelled`, nothing remains. Raises `InspectorError`.
    """
    target = Path(os.path.realpath(target))
    if target.exists() and not target.is_file():
        raise InspectorError(f"{target} is no regular file, so it is not replaced; choose another name.")
    if not overwrite and target.exists():
        raise InspectorError(f"{target} exists already; choose another name or pass --overwrite.")
    temporary = _temporary(target)
    try:
        write(temporary)
        _keep_owner(target, temporary)
        sync(temporary)
        verify(temporary)
        if before:
            before(temporary)
        _rename(temporary, target, overwrite)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        for leftover in (temporary, *(temporary.with_name(temporary.name + side) for side in ("-journal", "-wal"))):
            with suppress(OSError):
                leftover.unlink()
    sync(target.parent)


def _temporary(target: Path) -> Path:
    remove_stale_temporaries(target.parent)
    name = f".inspector-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    path = target.parent / name
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise unwritable(target, error) from error
    return path


def remove_stale_temporaries(folder: Path) -> None:
    """Remove temporary files and folders that a killed run of ours left in *folder*."""
    with suppress(OSError):
        for path in folder.glob(".inspector-*.tmp*"):
            owner = path.name.split("-")[1]
            if owner.isdigit() and not _alive(int(owner)):
                if path.is_dir():
                    import shutil

                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _keep_owner(target: Path, temporary: Path) -> None:
    """Give *temporary* the mode and owner of the file it replaces, or what a new file would have."""
    if target.exists():
        status = target.stat()
        with suppress(OSError):
            os.chown(temporary, status.st_uid, status.st_gid)
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        return
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(temporary, 0o666 & ~mask)


def _rename(temporary: Path, target: Path, overwrite: bool) -> None:
    if overwrite:
        os.replace(temporary, target)
        return
    try:
        os.link(temporary, target)  # unlike a rename this refuses a target that appeared meanwhile
    except FileExistsError as error:
        raise InspectorError(f"{target} exists already; choose another name or pass --overwrite.") from error
    except OSError:
        os.replace(temporary, target)  # file systems without hard links


def sync(path: Path) -> None:
    """Force a file's content, or a folder's entries, onto the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        if not path.is_dir():  # some file systems cannot sync a folder
            raise
    finally:
        os.close(handle)


def back_up(path: Path) -> Path:
    """Keep the present file of *path* as ``NAME.bak`` (``NAME.bak2``, …) and return that name.

    A hard link where possible, so that the old bytes and times stay; else a copy. Raises `InspectorError`.
    """
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.bak{'' if number == 1 else number}")
        try:
            os.link(path, backup)
        except FileExistsError:
            number += 1
            continue
        except OSError:
            if backup.exists():
                number += 1
                continue
            check_space(path.parent, path.stat().st_size)
            copy_file(path, backup)
            status = path.stat()
            os.utime(backup, ns=(status.st_atime_ns, status.st_mtime_ns))
            backup.chmod(stat.S_IMODE(status.st_mode))
            sync(backup)
        return backup


def open_by(path: Path) -> list[str]:
    """Return ``name (pid)`` of other processes that have *path* open, as far as the system tells."""
    holders: list[str] = []
    with suppress(OSError):
        wanted = os.stat(path)
        for process in Path("/proc").glob("[0-9]*"):
            if int(process.name) != os.getpid() and _holds(process, wanted):
                with suppress(OSError):
                    holders.append(f"{(process / 'comm').read_text().strip()} ({process.name})")
    return holders


def _holds(process: Path, wanted: os.stat_result) -> bool:
    with suppress(OSError):
        for handle in (process / "fd").iterdir():
            with suppress(OSError):
                found = os.stat(handle)
                if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
                    return True
    return False
