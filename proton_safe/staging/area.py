"""The folder of one process below `<state>/uploads/`: its name is random, its lock shows that the owner lives.

Any number of servers share a state folder. Each owns one folder and holds the lock of its `owner.lock` for as long as it lives; a
sweep removes only folders whose lock it can take, so a crashed server's bytes go and a living one's stay.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.platforms.private_files import NotPrivate, PrivateFolder, is_linked, read_at_most, try_lock, write_all

if TYPE_CHECKING:
    from pathlib import Path

UPLOADS: Final = "uploads"
OWNER_LOCK: Final = "owner.lock"
PART: Final = ".part"
_OWN_FOLDER: Final = re.compile(r"[0-9a-f]{32}")
_ATTEMPTS: Final = 8


@dataclass(frozen=True, slots=True)
class Area:
    """This process's folder, open and locked."""

    uploads: PrivateFolder
    name: str
    folder: PrivateFolder
    lock: int

    @classmethod
    def open(cls, state_dir: Path) -> Area:
        """Make and lock a new folder. Raises `OSError`, `NotPrivate`."""
        with PrivateFolder.at(state_dir) as state:
            uploads = state.folder_made(UPLOADS)
        for _ in range(_ATTEMPTS):
            area = _new_area(uploads)
            if area is not None:
                return area
        uploads.close()
        raise NotPrivate("no staging folder could be made")

    def create(self, upload_id: str) -> None:
        """Make the empty file of an upload."""
        os.close(self.folder.create(upload_id + PART))

    def append(self, upload_id: str, octets: bytes) -> None:
        """Add octets to the file of an upload."""
        descriptor = self.folder.open_to_append(upload_id + PART)
        try:
            write_all(descriptor, octets)
        finally:
            os.close(descriptor)

    def read(self, upload_id: str, *, size: int) -> bytes:
        """The octets of an upload, and one more if the file has grown."""
        descriptor = self.folder.open_to_read(upload_id + PART)
        try:
            return read_at_most(descriptor, size + 1)
        finally:
            os.close(descriptor)

    def destroy(self, upload_id: str) -> None:
        """Remove the file of an upload; nothing happens if it is missing. The bytes are unlinked, not overwritten."""
        self.folder.remove(upload_id + PART)

    def close(self) -> None:
        """Remove the folder with all in it and give up the lock."""
        _empty(self.folder)
        self.folder.close()
        self.uploads.remove_folder(self.name)
        os.close(self.lock)
        self.uploads.close()


def sweep(state_dir: Path) -> int:
    """Remove the folders of servers that no longer live; how many. Makes nothing, and leaves alone whatever it can't lock."""
    removed = 0
    with contextlib.suppress(OSError), PrivateFolder.existing(state_dir) as state, state.folder(UPLOADS) as uploads:
        for name in uploads.names():
            if _OWN_FOLDER.fullmatch(name):
                with contextlib.suppress(OSError):
                    removed += _remove_if_dead(uploads, name)
    return removed


def _new_area(uploads: PrivateFolder) -> Area | None:
    """A new folder with its lock taken; None if a sweep took it for a dead one before the lock was ours."""
    name = secrets.token_hex(16)
    with contextlib.ExitStack() as opened, contextlib.suppress(FileNotFoundError):
        folder = opened.enter_context(uploads.make(name))
        lock = folder.lock_file(OWNER_LOCK)
        opened.callback(os.close, lock)
        if try_lock(lock) and is_linked(lock):
            opened.pop_all()
            return Area(uploads, name, folder, lock)
    return None


def _remove_if_dead(uploads: PrivateFolder, name: str) -> bool:
    with uploads.folder(name) as folder:
        lock = folder.lock_file(OWNER_LOCK)
        try:
            if not try_lock(lock):
                return False
            _empty(folder)
        finally:
            os.close(lock)
    return uploads.remove_folder(name)


def _empty(folder: PrivateFolder) -> None:
    """Unlink the files inside, the lock last; what isn't a file stays, and so does the folder then."""
    for name in sorted(folder.names(), key=lambda name: name == OWNER_LOCK):
        with contextlib.suppress(OSError):
            folder.remove(name)
