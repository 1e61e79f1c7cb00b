"""The way of messages from the wire's thread to the engine: in order, each once, kept until the engine is there.

Belongs to the front door: imports nothing but the low-level lock.
"""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Inbox:
    """Thread-safe. Its length is bounded by what the book admits."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._messages: list[dict[str, object]] = []
        self._closed = False
        self._wake: Callable[[], object] | None = None

    def put(self, message: dict[str, object]) -> None:
        """Add a message and wake the engine."""
        with self._lock:
            self._messages.append(message)
            wake = self._wake
        if wake is not None:
            wake()

    def retract(self, number: int) -> bool:
        """Take back a request that the engine hasn't taken yet; whether it was still there."""
        with self._lock:
            for index, message in enumerate(self._messages):
                if message.get("id") == number:
                    del self._messages[index]
                    return True
        return False

    def close(self) -> None:
        """No more will come."""
        with self._lock:
            self._closed = True
            wake = self._wake
        if wake is not None:
            wake()

    def attach(self, wake: Callable[[], object]) -> None:
        """Call `wake` from now on whenever there is news; it must return at once. The caller takes what is there already."""
        with self._lock:
            self._wake = wake

    def take(self) -> tuple[list[dict[str, object]], bool]:
        """All messages that have come, and whether they were the last."""
        with self._lock:
            messages, self._messages = self._messages, []
            return messages, self._closed
