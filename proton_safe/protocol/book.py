"""The requests that the engine has and hasn't answered: how many, how large, and under which number the engine knows each.

The engine never sees a client's id: ids that differ stay apart ("1" and 1), and one that a cancel has freed can be used again at once.
Belongs to the front door: imports nothing but the low-level lock.
"""

from __future__ import annotations

from _thread import allocate_lock

MAX_CALLS = 68  # 4 run, 64 wait
MAX_REQUESTS = 256 + MAX_CALLS
MAX_OCTETS = 64 * 1024 * 1024


class Book:
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._numbers: dict[str | int, int] = {}
        self._entries: dict[int, tuple[str | int, int, bool]] = {}
        self._last = 0
        self._octets = 0
        self._calls = 0

    def holds(self, identifier: str | int) -> bool:
        """Whether a request with this id waits for its answer."""
        with self._lock:
            return identifier in self._numbers

    def has_room(self, octets: int, *, is_call: bool) -> bool:
        """Whether the engine should get one more request of this size. One alone always has room."""
        with self._lock:
            return not self._entries or (
                len(self._entries) < MAX_REQUESTS and self._octets + octets <= MAX_OCTETS and (not is_call or self._calls < MAX_CALLS)
            )

    def enter(self, identifier: str | int, octets: int, *, is_call: bool) -> int:
        """Note a request whose id isn't held; gives the number under which the engine knows it."""
        with self._lock:
            self._last += 1
            self._numbers[identifier] = self._last
            self._entries[self._last] = (identifier, octets, is_call)
            self._octets += octets
            self._calls += is_call
            return self._last

    def number_for_nobody(self) -> int:
        """A number whose answer will be dropped."""
        with self._lock:
            self._last += 1
            return self._last

    def cancel(self, identifier: object) -> int | None:
        """Strike out a request that its client has cancelled: it gets no answer. None if there is no such request."""
        with self._lock:
            number = self._numbers.get(identifier) if isinstance(identifier, str | int) and not isinstance(identifier, bool) else None
            if number is not None:
                self._strike(number)
            return number

    def settle(self, number: object) -> str | int | None:
        """Strike out a request that has its answer; gives the client's id, None when the answer is for nobody."""
        with self._lock:
            return self._strike(number) if isinstance(number, int) and number in self._entries else None

    def _strike(self, number: int) -> str | int:
        identifier, octets, is_call = self._entries.pop(number)
        del self._numbers[identifier]
        self._octets -= octets
        self._calls -= is_call
        return identifier
