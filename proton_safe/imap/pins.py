"""Bridge's certificate, pinned at first use: `<state>/pins.json`, one SHA-256 of the DER per account and port.

Any local program can listen on Bridge's port while Bridge is down; what it shows is compared here before a password is sent. A pin
file that can't be read or isn't ours refuses like another certificate: it never makes the server trust anew.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import re
import secrets
import threading
from typing import TYPE_CHECKING, Final

from proton_safe.platforms.file_locks import try_lock
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
_LOCK_RETRY_S: Final = 0.02


def key(config: Config) -> str:
    """What a pin belongs to: `user@port`."""
    return f"{config.user.casefold()}@{config.imap_port}"


class Pins:
    """The pin file of one state folder. Any number of servers may share it."""

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir
        self._file = state_dir / PIN_FILE

    def known(self, pin_key: str) -> str | None:
        """The pinned fingerprint; None when this account and port have none. Raises `certificate-changed` for a damaged file."""
        return self._read().get(pin_key)

    def check(self, pin_key: str, fingerprint: str, deadline: Deadline) -> None:
        """Compare with the pin, or pin at first use.

        Raises `certificate-changed` on a mismatch, `state-folder-unusable` when a first pin can't be kept.
        """
        pinned = self.known(pin_key)
        if pinned is None:
            with in_state_folder(), self._locked(deadline):
                pins = self._read()
                pinned = pins.get(pin_key)  # another server may have been faster
                if pinned is None:
                    self._replace({**pins, pin_key: fingerprint})
                    return
        if not hmac.compare_digest(pinned, fingerprint):
            raise Refusal(Code.CERTIFICATE_CHANGED)

    def accept(self, pin_key: str, fingerprint: str, deadline: Deadline) -> None:
        """Pin this fingerprint instead of what was pinned: for the person's explicit yes only. Mends a damaged file."""
        with in_state_folder(), self._locked(deadline):
            try:
                pins = self._read()
            except Refusal:
                pins = {}
            self._replace({**pins, pin_key: fingerprint})

    def _read(self) -> dict[str, str]:
        try:
            descriptor = os.open(self._file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError:
            raise Refusal(Code.CERTIFICATE_CHANGED) from None
        with os.fdopen(descriptor, "rb") as file:
            octets = file.read(_MAX_FILE_OCTETS + 1)
        try:
            pins = json.loads(octets) if len(octets) <= _MAX_FILE_OCTETS else None
        except (ValueError, RecursionError):
            pins = None
        if not isinstance(pins, dict) or not all(isinstance(pin, str) and _FINGERPRINT.fullmatch(pin) for pin in pins.values()):
            raise Refusal(Code.CERTIFICATE_CHANGED)
        return pins

    def _replace(self, pins: dict[str, str]) -> None:
        fresh = self._state_dir / f"{PIN_FILE}.{secrets.token_hex(8)}"
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(pins, file, indent=1, sort_keys=True)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._file)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise

    @contextlib.contextmanager
    def _locked(self, deadline: Deadline) -> Iterator[None]:
        self._state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._state_dir / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            wait = threading.Event().wait
            while not try_lock(descriptor):
                wait(min(_LOCK_RETRY_S, deadline.remaining()))
            yield
        finally:
            os.close(descriptor)
