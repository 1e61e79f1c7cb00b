"""Bridge's password: from the configuration, else from the operating system's keyring, read for each login and not kept.

A connection lives long and needs no password once it is logged in; one that was renewed meanwhile is thereby the one that is used.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Final

from proton_safe.call import KEYRING_S
from proton_safe.config import KEYRING_SERVICE
from proton_safe.refusals import Code, Refusal
from proton_safe.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.call import Call
    from proton_safe.config import Config

_TICK_S: Final = 0.05


class _Reading:
    """One question to the keyring, in a thread of its own, since a backend may wait for a prompt that nobody answers."""

    def __init__(self, name: str, ended: Callable[[], None]) -> None:
        self._name = name
        self._ended = ended
        self.done = threading.Event()
        self._password: str | None = None
        # Stays when the backend fails in any other way than the two that are told apart.
        self._failure: Code | None = Code.KEYRING_UNAVAILABLE
        threading.Thread(target=self._read, name="keyring", daemon=True).start()

    def _read(self) -> None:
        try:
            # A backend is third-party code that may raise anything; what it raised could hold the password, so it goes nowhere.
            with contextlib.suppress(Exception):
                self._ask()
        finally:
            self._ended()
            self.done.set()

    def _ask(self) -> None:
        from proton_safe.platforms import keyring_backend  # noqa: PLC0415 - looks for backends, which no start should wait for

        try:
            self._password = keyring_backend.read(KEYRING_SERVICE, self._name)
            self._failure = None if self._password else Code.CREDENTIAL_MISSING
        except keyring_backend.Locked:
            self._failure = Code.KEYRING_LOCKED

    def secret(self) -> Secret:
        """The answer, once `done`. Raises `CREDENTIAL_MISSING`, `KEYRING_LOCKED` or `KEYRING_UNAVAILABLE`."""
        if self._failure is not None or self._password is None:
            raise Refusal(self._failure or Code.CREDENTIAL_MISSING)
        return Secret(self._password)


class Credentials:
    """The password of the configured account. Thread-safe; at most one question to the keyring is open at a time."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lock = threading.Lock()
        self._reading: _Reading | None = None

    def secret(self, call: Call) -> Secret:
        """The password as it is stored now; the configured one never changes.

        Raises `CREDENTIAL_MISSING`, `KEYRING_UNAVAILABLE`, `KEYRING_LOCKED` (also when a prompt stays unanswered for ten
        seconds), `CallCancelled`.
        """
        if self._config.password is not None:
            return self._config.password
        with self._lock:
            if self._reading is None:
                self._reading = _Reading(self._config.user, self._forget)
            reading = self._reading
        self._wait(reading, call)
        return reading.secret()

    def _forget(self) -> None:
        """The question has its answer: whoever waits has it in hand, and for a later call it may be out of date."""
        with self._lock:
            self._reading = None

    @staticmethod
    def _wait(reading: _Reading, call: Call) -> None:
        seconds = call.remaining(KEYRING_S)
        while seconds > 0 and not reading.done.wait(min(_TICK_S, seconds)):
            call.remaining()
            seconds -= _TICK_S
        if not reading.done.is_set():
            raise Refusal(Code.KEYRING_LOCKED)
