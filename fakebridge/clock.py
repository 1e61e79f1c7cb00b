"""Time as fakebridge sees it: real, or fixed by the world and moved by polls only.

The store and the account never look at a clock: they are given one.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

Sleep = Callable[[float], Awaitable[None]]


class Clock:
    """Seconds since 1970 UTC. With `start` the clock stands still there until `advance`; without it the machine's clock is used.

    `pause` is how commands give way to others (0 s) or hang on purpose; the server brings it along, so no command knows an event loop.
    """

    def __init__(self, *, sleep: Sleep, start: float | None = None) -> None:
        self._sleep = sleep
        self._fixed = start
        self._ahead = 0.0

    def now(self) -> float:
        """The present moment, seconds since 1970 UTC."""
        base = time.time() if self._fixed is None else self._fixed
        return base + self._ahead

    def moment(self) -> datetime:
        """The present moment as an aware UTC value, whole seconds."""
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(self.now()))

    @property
    def is_fixed(self) -> bool:
        """Whether the world has fixed the time."""
        return self._fixed is not None

    def advance(self, seconds: float) -> None:
        """Let time pass without waiting."""
        self._ahead += seconds

    async def pause(self, seconds: float = 0.0) -> None:
        """Wait for real; 0 lets other sessions have their turn."""
        await self._sleep(seconds)

    def stopwatch(self) -> float:
        """A figure that only grows, for durations."""
        return time.perf_counter()
