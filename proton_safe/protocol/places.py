"""The places of running calls: so many at once; who comes later waits, in order, whichever way its call has taken."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Places:
    """Thread-safe. Whoever got a place gives it back once."""

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._free = count
        self._waiting: deque[Callable[[], object]] = deque()

    def ask(self, ready: Callable[[], object]) -> None:
        """Call `ready` as soon as a place is the caller's, which may be at once. It is called from any thread and must return at once."""
        with self._lock:
            if not self._free:
                self._waiting.append(ready)
                return
            self._free -= 1
        ready()

    def withdraw(self, ready: Callable[[], object]) -> bool:
        """Wait no longer. False: a place has been given to `ready` already."""
        with self._lock:
            try:
                self._waiting.remove(ready)
            except ValueError:
                return False
            return True

    def give(self) -> None:
        """Give a place back; the one that has waited longest gets it."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            ready = self._waiting.popleft()
        ready()
