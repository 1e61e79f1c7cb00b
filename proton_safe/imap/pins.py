"""Bridge's certificate, pinned at first use: `<state>/pins.json`, one SHA-256 of the DER per account and port.

Any local program can listen on Bridge's port while Bridge is down; what it shows is compared here before a password is sent. A pin
file that can't be read or isn't ours refuses like another certificate: it never makes the server trust anew. In a folder that others may
change a pin proves nothing, so none is read there.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import re
import secrets
from typing import TYPE_CHECKING, Final

from proton_safe.platforms.private_files import PrivateFolder, read_at_most, write_all
from proton_safe.refusals import Code, Refusal
from proton_safe.state_folder import in_state_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from proton_safe.config import Config
    from proton_safe.imap.deadline import Deadline

PIN_FILE: Final = "pins.json"
_LOCK_FILE: Final = "pins.lock"
_MAX_FILE_OCTETS: Final = 65_536
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")


def key(config: Config) -> str:
    """What a pin belongs to: `user@port`."""
    return f"{config.user.casefold()}@{config.imap_port}"


class Pins:
    """The pin file of one state folder. Any number of servers may share it."""

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir

    def known(self, pin_key: str) -> str | None:
        """The pinned fingerprint; None when this account and port have none.

        Raises `certificate-changed` for a damaged file, `state-folder-unusable` for a folder that others may change.
        """
        return self._read().get(pin_key)

    def check(self, pin_key: str, fingerprint: str, deadline: Deadline) -> None:
        """Compare with the pin, or pin at first use.

        Raises `certificate-changed` on a mismatch, `state-folder-unusable` when a first pin can't be kept or the folder is not private.
        """
        pinned = self.known(pin_key)
        if pinned is None:
            with in_state_folder(), self._locked(deadline) as state:
                pins = _pins_in(state)
                pinned = pins.get(pin_key)  # another server may have been faster
                if pinned is None:
                    _replace(state, {**pins, pin_key: fingerprint})
                    return
        if not hmac.compare_digest(pinned, fingerprint):
            raise Refusal(Code.CERTIFICATE_CHANGED)

    def accept(self, pin_key: str, fingerprint: str, deadline: Deadline) -> None:
        """Pin this fingerprint instead of what was pinned: for the person's explicit yes only. Mends a damaged file."""
        with in_state_folder(), self._locked(deadline) as state:
            try:
                pins = _pins_in(state)
            except Refusal:
                pins = {}
            _replace(state, {**pins, pin_key: fingerprint})

    def _read(self) -> dict[str, str]:
        """All pins, out of a folder of this user alone; none where there is no folder or file yet."""
        with in_state_folder():
            try:
                state = PrivateFolder.existing(self._state_dir)
            except FileNotFoundError:
                return {}
            with state:
                return _pins_in(state)

    @contextlib.contextmanager
    def _locked(self, deadline: Deadline) -> Iterator[PrivateFolder]:
        """The state folder, while no other server changes its pins."""
        with PrivateFolder.at(self._state_dir) as state, state.locked(_LOCK_FILE, remaining=deadline.remaining):
            yield state


def _pins_in(state: PrivateFolder) -> dict[str, str]:
    """The pins of the file. Raises `certificate-changed` when there is one that isn't ours alone or that says no pins."""
    if PIN_FILE not in state.names():
        return {}
    try:
        descriptor = state.open_to_read(PIN_FILE)
    except OSError:
        raise Refusal(Code.CERTIFICATE_CHANGED) from None
    try:
        octets = read_at_most(descriptor, _MAX_FILE_OCTETS + 1)
    finally:
        os.close(descriptor)
    try:
        pins = json.loads(octets) if len(octets) <= _MAX_FILE_OCTETS else None
    except (ValueError, RecursionError):
        pins = None
    if not isinstance(pins, dict) or not all(isinstance(pin, str) and _FINGERPRINT.fullmatch(pin) for pin in pins.values()):
        raise Refusal(Code.CERTIFICATE_CHANGED)
    return pins


def _replace(state: PrivateFolder, pins: dict[str, str]) -> None:
    """Put a new file in the place of the old one, whole or not at all."""
    fresh = f"{PIN_FILE}.{secrets.token_hex(8)}"
    descriptor = state.create(fresh)
    try:
        try:
            write_all(descriptor, json.dumps(pins, indent=1, sort_keys=True).encode("utf-8"))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        state.rename(fresh, PIN_FILE)
    except BaseException:
        state.remove(fresh)
        raise
