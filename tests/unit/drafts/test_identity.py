"""The Message-ID of a draft: stable for ten minutes, secret otherwise, and the same for all servers of one state folder."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.drafts.identity import KEY_FILE, draft_key, message_ids
from proton_safe.mime import message_ids as reader
from proton_safe.platforms.private_files import NotPrivate, PrivateFolder
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from pathlib import Path


def _a_minute() -> float:
    return 60


def _nothing() -> float:
    raise Refusal(Code.DEADLINE)


@given(st.integers(0, 2**33), st.integers(0, 599), st.integers(0, 599))
def test_an_identifier_of_one_slot_is_found_through_the_next(slot: int, first: int, later: int) -> None:
    """Product page 6: this slot's and the last slot's identifier."""
    this, last = message_ids(b"k" * 32, digest="d", sender="ada@harbour.example", now=slot * 600 + first)
    again = message_ids(b"k" * 32, digest="d", sender="ada@harbour.example", now=slot * 600 + later)
    after = message_ids(b"k" * 32, digest="d", sender="ada@harbour.example", now=(slot + 1) * 600 + later)
    assert (this, last) == again
    assert (after[1], after[0] in again) == (this, False)


def test_identifiers_differ_by_key_and_content_and_can_be_used_in_a_reply() -> None:
    """HMAC: nobody without the key can guess or plant one."""
    ids = {
        message_ids(key, digest=digest, sender=sender, now=0)
        for key in (b"a" * 32, b"b" * 32)
        for digest in ("x", "y")
        for sender in ("ada@harbour.example", "orders@harbour.example", "ada@other.example")
    }
    assert len(ids) == 8
    assert all(reader.usable(each.encode()) == each for pair in ids for each in pair)


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    """Product page 14: any number of servers share a state folder."""
    code = (
        "import pathlib, sys; from proton_safe.drafts.identity import draft_key; "
        "print(draft_key(pathlib.Path(sys.argv[1]), remaining=lambda: 60).hex())"
    )
    servers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "state")], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    keys = {server.communicate(timeout=60)[0] for server in servers}
    assert keys == {draft_key(tmp_path / "state", remaining=_a_minute).hex() + "\n"}
    assert stat.S_IMODE((tmp_path / "state" / KEY_FILE).stat().st_mode) == 0o600


def test_a_lock_that_a_stopped_server_keeps_ends_with_the_call(tmp_path: Path) -> None:
    """Product page 3: each call ends at its deadline, whatever it waits for."""
    with (
        PrivateFolder.at(tmp_path / "state") as state,
        state.locked("draft.lock", remaining=_a_minute),
        pytest.raises(Refusal) as raised,
    ):
        draft_key(tmp_path / "state", remaining=_nothing)
    assert raised.value.code is Code.DEADLINE
    assert len(draft_key(tmp_path / "state", remaining=_a_minute)) == 32


@pytest.mark.parametrize("octets", [b"", b"short", b"x" * 33])
def test_a_damaged_key_is_not_used(tmp_path: Path, octets: bytes) -> None:
    """A key of another length is no key; making a new one would let a draft be stored twice."""
    draft_key(tmp_path / "state", remaining=_a_minute)
    (tmp_path / "state" / KEY_FILE).write_bytes(octets)
    with pytest.raises(NotPrivate):
        draft_key(tmp_path / "state", remaining=_a_minute)


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    """Attack catalogue, stage/permissions."""
    draft_key(tmp_path / "state", remaining=_a_minute)
    os.chmod(tmp_path / "state" / KEY_FILE, 0o644)  # noqa: PTH101 - the same either way
    with pytest.raises(NotPrivate):
        draft_key(tmp_path / "state", remaining=_a_minute)
