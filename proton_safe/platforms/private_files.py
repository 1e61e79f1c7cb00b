"""Folders and files that only this user can read: made tight, opened without following links, checked after opening (POSIX).

All work inside a folder goes through its descriptor, so that nobody can swap the path beneath us. Modes are given at creation and
never loosened afterwards; what is found looser, owned by somebody else, linked twice or not a plain file is refused.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import threading
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_PIECE_OCTETS: Final = 1_048_576
_LOCK_RETRY_S: Final = 0.02
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class NotPrivate(OSError):
    """A folder or file of ours is a link, belongs to somebody else, can be read by others, or isn't what it should be."""


def _checked_folder(descriptor: int) -> int:
    found = os.fstat(descriptor)
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        os.close(descriptor)
        raise NotPrivate(errno.EPERM, "folder is not private")
    return descriptor


def _checked_file(descriptor: int) -> int:
    found = os.fstat(descriptor)
    if found.st_nlink == 0:  # unlinked since it was opened, by a sweep that took it for a dead process's
        os.close(descriptor)
        raise FileNotFoundError(errno.ENOENT, "file is gone")
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077 or found.st_nlink != 1:
        os.close(descriptor)
        raise NotPrivate(errno.EPERM, "file is not private")
    return descriptor


class PrivateFolder:
    """An open folder of mode 0700 that belongs to this user. Close it after use."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: Path) -> PrivateFolder:
        """The folder at an absolute path, made with its parents if it is missing. Raises `OSError`, `NotPrivate`."""
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=FOLDER_MODE)
        return cls.existing(path)

    @classmethod
    def existing(cls, path: Path) -> PrivateFolder:
        """The folder at an absolute path. Raises `OSError` if it is missing or a link, `NotPrivate`."""
        return cls(_checked_folder(os.open(path, _FOLDER_FLAGS)))

    def make(self, name: str) -> PrivateFolder:
        """A new folder inside. Raises `FileExistsError`, `OSError`."""
        os.mkdir(name, FOLDER_MODE, dir_fd=self._descriptor)
        return self.folder(name)

    def folder(self, name: str) -> PrivateFolder:
        """A folder inside. Raises `OSError` if it is missing or a link, `NotPrivate`."""
        return PrivateFolder(_checked_folder(os.open(name, _FOLDER_FLAGS, dir_fd=self._descriptor)))

    def folder_made(self, name: str) -> PrivateFolder:
        """A folder inside, made if it is missing."""
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, FOLDER_MODE, dir_fd=self._descriptor)
        return self.folder(name)

    def create(self, name: str) -> int:
        """A descriptor of a new file, to write. Raises `FileExistsError` for whatever has that name, links included."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE_FLAGS
        return _checked_file(os.open(name, flags, FILE_MODE, dir_fd=self._descriptor))

    def open_to_read(self, name: str) -> int:
        """A descriptor of an existing file. Raises `OSError`, `NotPrivate`."""
        return _checked_file(os.open(name, os.O_RDONLY | _FILE_FLAGS, dir_fd=self._descriptor))

    def open_to_append(self, name: str) -> int:
        """A descriptor of an existing file, to write at its end. Raises `OSError`, `NotPrivate`."""
        return _checked_file(os.open(name, os.O_WRONLY | os.O_APPEND | _FILE_FLAGS, dir_fd=self._descriptor))

    def lock_file(self, name: str) -> int:
        """A descriptor of a file that exists only to be locked, made if it is missing. Raises `OSError`, `NotPrivate`."""
        return _checked_file(os.open(name, os.O_RDWR | os.O_CREAT | _FILE_FLAGS, FILE_MODE, dir_fd=self._descriptor))

    @contextlib.contextmanager
    def locked(self, name: str, *, remaining: Callable[[], float]) -> Iterator[None]:
        """While inside, nobody else holds the lock of that name; hold it for moments only.

        Waits for others, of which one may be stopped for ever, as long as `remaining` gives seconds; what it raises ends the wait.
        """
        descriptor = self.lock_file(name)
        try:
            wait = threading.Event().wait
            while not try_lock(descriptor):
                wait(min(_LOCK_RETRY_S, remaining()))
            yield
        finally:
            os.close(descriptor)

    def remove(self, name: str) -> None:
        """Unlink a file inside; nothing happens if it is missing."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)

    def rename(self, name: str, onto: str) -> None:
        """Give a file inside another name, in the place of whatever file has it. Raises `OSError`."""
        os.replace(name, onto, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove_folder(self, name: str) -> bool:
        """Remove an empty folder inside; False if it isn't empty, isn't there or isn't a folder."""
        try:
            os.rmdir(name, dir_fd=self._descriptor)
        except OSError:
            return False
        return True

    def names(self) -> tuple[str, ...]:
        """What is inside, sorted."""
        return tuple(sorted(os.listdir(self._descriptor)))  # noqa: PTH208 - a descriptor, not a path

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file if nobody has it; it lasts until the descriptor is closed."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_linked(descriptor: int) -> bool:
    """Whether the open file still has its name."""
    return os.fstat(descriptor).st_nlink > 0


def write_all(descriptor: int, octets: bytes) -> None:
    """Write all octets, however many pieces the system takes them in."""
    view = memoryview(octets)
    while view:
        view = view[os.write(descriptor, view) :]


def read_at_most(descriptor: int, limit: int) -> bytes:
    """The file's octets from here on, at most `limit` of them."""
    pieces: list[bytes] = []
    while limit > 0 and (piece := os.read(descriptor, min(limit, _PIECE_OCTETS))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)
