"""UIDVALIDITY values as Bridge makes them: seconds since February 2023, never the same twice in a process (bridge-behaviour 2.4)."""

from __future__ import annotations

from collections.abc import Callable

EPOCH = 1_675_209_600
"""2023-02-01 00:00 UTC, seconds since 1970."""


class UidValidities:
    """Each call of `new` gives a value above all earlier ones. With `base` the first is that number, whatever the time."""

    def __init__(self, now: Callable[[], float], *, base: int | None = None) -> None:
        self._now = now
        self._last = base - 1 if base is not None else 0
        self._timed = base is None

    def new(self) -> int:
        """The next value."""
        wanted = int(self._now()) - EPOCH if self._timed else 0
        self._last = max(wanted, self._last + 1)
        return self._last
