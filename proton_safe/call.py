"""One running tool call as its handler sees it: the time it has left, whether it was cancelled, and how to report progress.

Handlers are plain functions in worker threads. What blocks (a socket, a child process) registers a way to be interrupted, so
that a cancelled or overdue call stops at once.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final, Protocol

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

CONNECT_S: Final = 10.0
KEYRING_S: Final = 10.0
READ_S: Final = 30.0
SEARCH_S: Final = 45.0
# How much of a search's time Bridge may take for SEARCH alone; the rest is for dates and rows.
SEARCH_SHARE: Final = 0.9
EXTRACT_S: Final = 20.0
DRAFT_S: Final = 50.0


class Clock(Protocol):
    """Time as the server sees it; tests give their own."""

    def monotonic(self) -> float:
        """Seconds that only grow."""

    def time(self) -> float:
        """Seconds since 1970, UTC."""


class CallCancelled(Exception):
    """The client cancelled this call; no answer is due."""


class Call:
    """The budget and the cancellation of one call. Thread-safe."""

    def __init__(self, clock: Clock, *, seconds: float, progress: Callable[[float, float | None, str], None] | None = None) -> None:
        self._clock = clock
        self._ends = clock.monotonic() + seconds
        self._progress = progress
        self._lock = threading.Lock()
        self._cancelled = False
        self._interrupts: list[Callable[[], None]] = []

    def remaining(self, at_most: float | None = None) -> float:
        """Seconds left, at most `at_most`. Raises `deadline` when none are left, `CallCancelled` after a cancel."""
        self.check()
        left = self._ends - self._clock.monotonic()
        if left <= 0:
            raise Refusal(Code.DEADLINE)
        return left if at_most is None else min(left, at_most)

    def check(self) -> None:
        """Raise `CallCancelled` if the client cancelled."""
        if self._cancelled:
            raise CallCancelled

    @property
    def cancelled(self) -> bool:
        """Whether the client cancelled."""
        return self._cancelled

    def cancel(self) -> None:
        """Mark the call cancelled and interrupt whatever it is waiting for. May be called from any thread, more than once.

        An interrupt that has begun ends before its `interruptible` block does: what the call used may be another call's right after.
        """
        with self._lock:
            self._cancelled = True
            for interrupt in self._interrupts:
                interrupt()

    def interruptible(self, interrupt: Callable[[], None]) -> AbstractContextManager[None]:
        """While inside, a cancel calls `interrupt`, which must neither raise nor use this call.

        Entering raises `CallCancelled` if that already happened.
        """
        return _Interruptible(self, self._lock, self._interrupts, interrupt)

    def progress(self, done: float, total: float | None, message: str) -> None:
        """Tell the client how far the work is, if it asked. `message` is a constant of ours."""
        if self._progress is not None:
            self._progress(done, total, message)


class _Interruptible:
    """A stretch of a call that a cancel interrupts; entered once."""

    def __init__(self, call: Call, lock: threading.Lock, interrupts: list[Callable[[], None]], interrupt: Callable[[], None]) -> None:
        self._call = call
        self._lock = lock
        self._interrupts = interrupts
        self._interrupt = interrupt

    def __enter__(self) -> None:
        with self._lock:
            self._interrupts.append(self._interrupt)
        if self._call.cancelled:
            self.__exit__()
            raise CallCancelled

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._interrupts.remove(self._interrupt)
