"""Folders and files that are ours alone, whatever the umask is and whatever somebody planted."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from proton_safe.platforms.private_files import NotPrivate, PrivateFolder, is_linked, read_at_most, try_lock, write_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """A umask for the time of the test."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_folders_and_files_are_tight_from_their_creation(tmp_path: Path, umask: int) -> None:  # noqa: ARG001 - set for the test
    """Attack catalogue, stage/permissions: 0700 and 0600 under any umask."""
    with PrivateFolder.at(tmp_path / "a" / "state") as state, state.make("inner") as inner:
        descriptor = inner.create("file")
        write_all(descriptor, b"octets")
        os.close(descriptor)
        os.close(inner.lock_file("lock"))
    found = {path.name: _mode(path) for path in (tmp_path / "a").rglob("*")}
    assert found == {"state": 0o700, "inner": 0o700, "file": 0o600, "lock": 0o600}


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_can_enter_is_refused(tmp_path: Path, mode: int) -> None:
    """Attack catalogue, stage/permissions: a loose folder is refused, never repaired."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state").chmod(mode)
    with pytest.raises(NotPrivate):
        PrivateFolder.at(tmp_path / "state")
    assert _mode(tmp_path / "state") == mode


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """Attack catalogue, stage/symlink-state: no link is followed to a folder."""
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "state").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        PrivateFolder.at(tmp_path / "state")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def _link(folder: Path, canary: Path) -> None:
    (folder / "name").symlink_to(canary)


def _dangling(folder: Path, _canary: Path) -> None:
    (folder / "name").symlink_to(folder / "nowhere")


def _hard_link(folder: Path, canary: Path) -> None:
    (folder / "name").hardlink_to(canary)


def _fifo(folder: Path, _canary: Path) -> None:
    os.mkfifo(folder / "name", 0o600)


def _folder(folder: Path, _canary: Path) -> None:
    (folder / "name").mkdir(mode=0o700)


def _loose(folder: Path, _canary: Path) -> None:
    (folder / "name").touch()
    (folder / "name").chmod(0o644)


@pytest.mark.parametrize("plant", [_link, _dangling, _hard_link, _fifo, _folder, _loose])
@pytest.mark.parametrize("act", ["open_to_read", "open_to_append", "create", "lock_file"])
def test_what_somebody_planted_is_neither_opened_nor_changed(tmp_path: Path, plant: object, act: str) -> None:
    """Attack catalogue, stage/hardlink-fifo-device and stage/symlink-state: refused at once, the canary stays as it was."""
    canary = tmp_path / "canary"
    canary.write_bytes(b"CANARY-of-somebody")
    canary.chmod(0o600)
    with PrivateFolder.at(tmp_path / "state") as state:
        assert callable(plant)
        plant(tmp_path / "state", canary)
        with pytest.raises(OSError):  # noqa: PT011 - the kernel's word for it differs by kind, and none of them may pass
            getattr(state, act)("name")
    assert canary.read_bytes() == b"CANARY-of-somebody"
    assert not (tmp_path / "state" / "nowhere").exists()


def test_a_lock_is_held_once_and_ends_with_its_descriptor(tmp_path: Path) -> None:
    """flock(2): two descriptors of one file exclude each other, in one process too."""
    with PrivateFolder.at(tmp_path / "state") as state:
        first, second = state.lock_file("lock"), state.lock_file("lock")
        assert (try_lock(first), try_lock(second)) == (True, False)
        os.close(first)
        assert try_lock(second)
        state.remove("lock")
        assert not is_linked(second)
        os.close(second)


def test_reading_stops_at_the_limit(tmp_path: Path) -> None:
    """A file that grew is noticed by one octet more than it should have, and no more is read."""
    with PrivateFolder.at(tmp_path / "state") as state:
        descriptor = state.create("file")
        write_all(descriptor, b"x" * 3_000_000)
        os.close(descriptor)
        descriptor = state.open_to_read("file")
        assert len(read_at_most(descriptor, 2_500_001)) == 2_500_001
        os.close(descriptor)
        assert state.names() == ("file",)
        state.remove("file")
        state.remove("file")
        assert state.names() == ()
        assert not state.remove_folder("never")


def test_a_lock_that_a_sweep_unlinked_before_it_was_checked_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Product, several servers at once: a folder lost to a sweep in its first moment is made again, not taken for a planted one."""
    with PrivateFolder.at(tmp_path / "state") as state:
        opened = os.open

        def open_and_lose(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            descriptor = opened(path, flags, mode, dir_fd=dir_fd)
            state.remove(path)
            return descriptor

        monkeypatch.setattr(os, "open", open_and_lose)
        with pytest.raises(FileNotFoundError):
            state.lock_file("lock")
        assert state.names() == ()
