"""Which password may be offered to Bridge now: one attempt at a time, and none that repeats a failure of a moment ago.

Bridge counts the refused logins of all programs together and may lock everybody out after the third (bridge-behaviour 1.6), so a client
that calls again and again must not become a login that is tried again and again. A login that gets no answer may have been counted all
the same, and a peer that takes passwords and answers none is no place to leave them.
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


class _Rest:
    """The wait after failures in a row: 10 seconds, twice as long each time, at most a minute; the first `free` ones cost none."""

    def __init__(self, clock: Clock, *, free: int) -> None:
        self._clock = clock
        self._free = free
        self._failures = 0
        self._until = 0.0

    @property
    def lasts(self) -> bool:
        """Whether it is too early to try again."""
        return self._clock.monotonic() < self._until

    def failed(self) -> None:
        """One more, just now."""
        doublings = self._failures - self._free
        if doublings >= 0:
            self._until = self._clock.monotonic() + min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(doublings, 10))
        self._failures += 1

    def end(self) -> None:
        """It went well: the next failure is the first one."""
        self._failures = 0
        self._until = 0.0


class Logins:
    """What became of the logins of this process. Thread-safe. Of a refused password only a keyed digest is kept."""

    def __init__(self, clock: Clock) -> None:
        self._turn = threading.Lock()
        self._key = secrets.token_bytes(32)
        self._refused: bytes | None = None
        self._refusals = _Rest(clock, free=0)
        # One lost answer is what a Bridge does that is just being started anew.
        self._silence = _Rest(clock, free=1)
        self.silences = 0
        """How many logins got no answer, ever. Only grows; read it before connecting, compare it in one's turn."""

    def check(self, secret: Secret) -> None:
        """Raise `login-unanswered` while no password is to be offered, `login-failed` while this very one is not.

        After a refusal another password may be tried at once; after logins without an answer none may, since nothing was said of it.
        """
        if self._silence.lasts:
            raise Refusal(Code.LOGIN_UNANSWERED)
        if self._refusals.lasts and self._refused is not None and hmac.compare_digest(self._refused, self._digest(secret)):
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
        """Bridge said no to this password, which rests from now on."""
        self._refused = self._digest(secret)
        self._refusals.failed()

    def unanswered(self) -> None:
        """A password was sent, and no answer came. The second time in a row all passwords rest; only a success ends the row."""
        self.silences += 1
        self._silence.failed()

    def accepted(self) -> None:
        """Bridge took the password."""
        self._refused = None
        self._refusals.end()
        self._silence.end()

    def _digest(self, secret: Secret) -> bytes:
        return hmac.digest(self._key, secret.reveal().encode("utf-8", "surrogatepass"), "sha256")
