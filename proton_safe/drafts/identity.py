"""The Message-ID of a draft: the same for the same confirmed content within ten minutes, and known to this state folder only.

Message-ID = HMAC-SHA-256 of digest and ten-minute slot under a key that stays in the state folder. Before a draft is stored the
server looks for this slot's and the last slot's identifier, so a lost answer, a retry or a restart makes no second draft.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import TYPE_CHECKING, Final

from proton_safe.platforms.private_files import NotPrivate, PrivateFolder, read_at_most, write_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SLOT_S: Final = 600
KEY_FILE: Final = "draft.key"
KEY_OCTETS: Final = 32
_LOCK_FILE: Final = "draft.lock"


def draft_key(state_dir: Path, *, remaining: Callable[[], float]) -> bytes:
    """The key of this state folder, made once.

    Raises `OSError`, `NotPrivate` when file or folder aren't ours alone, and what `remaining` raises when no seconds are left and
    another server still holds the lock.
    """
    with PrivateFolder.at(state_dir) as state, state.locked(_LOCK_FILE, remaining=remaining):
        if KEY_FILE not in state.names():
            _write_key(state)
        descriptor = state.open_to_read(KEY_FILE)
        try:
            key = read_at_most(descriptor, KEY_OCTETS + 1)
        finally:
            os.close(descriptor)
    if len(key) != KEY_OCTETS:
        raise NotPrivate("the draft key is damaged")
    return key


def message_ids(key: bytes, *, digest: str, sender: str, now: float) -> tuple[str, str]:
    """The identifiers of this ten-minute slot and of the last one, in the domain of the sender. `now` in Unix seconds."""
    slot = int(now // SLOT_S)
    domain = sender.rpartition("@")[2]
    this, last = (hmac.new(key, f"{digest} {number}".encode("ascii"), hashlib.sha256).hexdigest()[:40] for number in (slot, slot - 1))
    return f"<{this}@{domain}>", f"<{last}@{domain}>"


def _write_key(state: PrivateFolder) -> None:
    descriptor = state.create(KEY_FILE)
    try:
        write_all(descriptor, secrets.token_bytes(KEY_OCTETS))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
