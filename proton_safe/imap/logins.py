"""Which password may be offered to Bridge now: one attempt at a time, and none that repeats a refusal of a moment ago.

Bridge counts the refused logins of all programs together and may lock everybody out after the third (bridge-behaviour 1.6), so a client
that calls again and again must not become a login that is tried again and again.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
import threading
from typing import TYPE_CHECKING, Final

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proton_safe.call import Clock
    from proton_safe.imap.deadline import Deadline
    from proton_safe.secret import Secret

FIRST_PAUSE_S: Final = 10.0
LONGEST_PAUSE_S: Final = 60.0
_TICK_S: Final = 0.05


class Logins:
    """What became of the logins of this process. Thread-safe. Of a refused password only a keyed digest is kept."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = threading.Lock()
        self._key = secrets.token_bytes(32)
        self._refused: bytes | None = None
        self._refusals = 0
        self._until = 0.0

    def check(self, secret: Secret) -> None:
        """Raise `login-failed` while this very password is not to be offered again. Another one may be tried at once."""
        if self._clock.monotonic() < self._until and self._refused is not None and hmac.compare_digest(self._refused, self._digest(secret)):
            raise Refusal(Code.LOGIN_FAILED)

    @contextlib.contextmanager
    def turn(self, deadline: Deadline) -> Iterator[None]:
        """Wait until nobody else is logging in, so that calls made at once don't repeat one wrong password. Raises `deadline`."""
        while not self._turn.acquire(timeout=min(_TICK_S, deadline.remaining())):
            pass
        try:
            yield
        finally:
            self._turn.release()

    def refused(self, secret: Secret) -> None:
        """Bridge said no to this password: 10 seconds of rest, doubled with each refusal in a row, at most a minute."""
        self._refused = self._digest(secret)
        self._until = self._clock.monotonic() + min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(self._refusals, 10))
        self._refusals += 1

    def accepted(self) -> None:
        """Bridge took the password."""
        self._refused = None
        self._refusals = 0

    def _digest(self, secret: Secret) -> bytes:
        return hmac.digest(self._key, secret.reveal().encode("utf-8", "surrogatepass"), "sha256")
