"""The folders below `uploads/`: one owner each, swept when the owner is gone, never followed elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from proton_safe.platforms.private_files import NotPrivate, PrivateFolder
from proton_safe.refusals import Refusal
from proton_safe.staging import area as area_module
from proton_safe.staging.area import OWNER_LOCK, UPLOADS, Area, sweep
from proton_safe.staging.store import StagingStore
from tests.unit.staging.conftest import HandClock, Uploader
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from proton_safe.config import Config

_OTHER_SERVER: Final = """
import pathlib, sys
from proton_safe.staging.area import Area
area = Area.open(pathlib.Path(sys.argv[1]))
area.create("f" * 32)
area.append("f" * 32, b"octets of another server")
print(area.name, flush=True)
sys.stdin.read()
"""


def _other_server(state: Path) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen([sys.executable, "-c", _OTHER_SERVER, str(state)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate(timeout=30)


def test_two_servers_share_a_state_folder_and_a_sweep_takes_the_dead_one_only(config: Config, uploader: Uploader) -> None:
    """Product page 14: several servers at once; faults A29 and A31."""
    living, living_name = _other_server(config.state_dir)
    dead, dead_name = _other_server(config.state_dir)
    token = uploader.stage(b"ours")
    uploads = config.state_dir / UPLOADS
    assert len(list(uploads.iterdir())) == 3
    dead.kill()
    dead.communicate(timeout=30)
    uploader.store.sweep()
    assert not (uploads / dead_name).exists()
    assert (uploads / living_name / ("f" * 32 + ".part")).read_bytes() == b"octets of another server"
    with uploader.store.claim([token]) as claim:
        assert claim.files[0].octets == b"ours"
    uploader.store.close()
    assert [path.name for path in uploads.iterdir()] == [living_name]
    _end(living)
    assert sweep(config.state_dir) == 1


def test_a_server_sweeps_when_it_starts(config: Config, clock: HandClock) -> None:
    """Product page 6: sweep at start."""
    dead, name = _other_server(config.state_dir)
    dead.kill()
    dead.communicate(timeout=30)
    store = StagingStore(config, clock)
    store.start()
    store.start()
    until(lambda: not (config.state_dir / UPLOADS / name).exists())
    assert list((config.state_dir / UPLOADS).iterdir()) == []
    store.close()
    store.start()


def test_a_sweep_makes_nothing_and_leaves_alone_what_is_not_ours(config: Config, tmp_path: Path) -> None:
    """Attack catalogue, stage/symlink-state: the canary is unchanged, nothing foreign is removed."""
    assert sweep(config.state_dir) == 0
    assert not config.state_dir.exists()
    with PrivateFolder.at(config.state_dir) as state, state.make(UPLOADS):
        uploads = config.state_dir / UPLOADS
    canary = tmp_path / "canary"
    canary.mkdir(mode=0o700)
    (canary / "kept").write_text("kept", encoding="utf-8")
    (uploads / ("a" * 32)).symlink_to(canary)
    (uploads / "a note").mkdir(mode=0o700)
    (uploads / ("b" * 32)).mkdir(mode=0o755)
    (uploads / ("b" * 32)).chmod(0o755)
    (uploads / ("c" * 32)).mkdir(mode=0o700)
    (uploads / ("c" * 32) / "folder").mkdir(mode=0o700)
    assert sweep(config.state_dir) == 0
    assert sorted(path.name for path in uploads.iterdir()) == ["a note", "a" * 32, "b" * 32, "c" * 32]
    assert (canary / "kept").read_text(encoding="utf-8") == "kept"


def test_a_folder_whose_owner_died_before_it_locked_is_swept(config: Config) -> None:
    """A crash between making the folder and locking it leaves an empty folder."""
    with PrivateFolder.at(config.state_dir) as state, state.make(UPLOADS) as uploads:
        uploads.make("d" * 32).close()
    assert sweep(config.state_dir) == 1


def test_a_folder_that_a_sweep_took_away_is_made_anew(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moment between making and locking belongs to nobody."""
    attempts: list[int] = []

    def swept_twice(descriptor: int) -> bool:
        attempts.append(descriptor)
        return len(attempts) > 2

    monkeypatch.setattr(area_module, "is_linked", swept_twice)
    area = Area.open(config.state_dir)
    assert len(attempts) == 3
    area.close()
    monkeypatch.setattr(area_module, "is_linked", lambda _: False)
    with pytest.raises(NotPrivate):
        Area.open(config.state_dir)


@pytest.mark.parametrize("place", ["state", "uploads"])
def test_a_staging_area_behind_a_link_is_not_used(config: Config, uploader: Uploader, tmp_path: Path, place: str) -> None:
    """Attack catalogue, stage/symlink-state."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    if place == "state":
        config.state_dir.symlink_to(elsewhere)
    else:
        config.state_dir.mkdir(mode=0o700)
        (config.state_dir / UPLOADS).symlink_to(elsewhere)
    with pytest.raises(Refusal, match="state-folder-unusable"):
        uploader.begin(b"octets")
    assert list(elsewhere.iterdir()) == []


def test_a_file_swapped_for_a_link_is_not_written_through(config: Config, uploader: Uploader, tmp_path: Path) -> None:
    """Attack catalogue, stage/hardlink-fifo-device: the upload is destroyed, the canary stays."""
    canary = tmp_path / "canary"
    canary.write_bytes(b"CANARY")
    upload = uploader.begin(b"octets")
    (part,) = (config.state_dir / UPLOADS).rglob("*.part")
    part.unlink()
    part.symlink_to(canary)
    with pytest.raises(Refusal, match="state-folder-unusable"):
        uploader.chunk(upload, 0, b"octets")
    assert canary.read_bytes() == b"CANARY"
    assert not part.is_symlink()


def test_what_is_staged_is_readable_by_its_owner_only(config: Config, uploader: Uploader) -> None:
    """Attack catalogue, stage/permissions: under umask 000."""
    before = os.umask(0)
    try:
        uploader.stage()
    finally:
        os.umask(before)
    modes = {
        path.name.rpartition(".")[2] if path.is_file() else "folder": oct(path.stat().st_mode & 0o7777)
        for path in config.state_dir.rglob("*")
    }
    assert modes == {"folder": "0o700", OWNER_LOCK.rpartition(".")[2]: "0o600", "part": "0o600"}
