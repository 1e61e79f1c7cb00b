"""The outgoing end of the wire: whole lines, one after the other, from any thread, and no wait for a client that is gone.

Belongs to the front door: imports nothing but json, os, select and the low-level lock.
"""

from __future__ import annotations

import json
import os
import select
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proton_safe.protocol.descriptors import Descriptors

GRACE_MS = 500
_PIECE_OCTETS = 4096  # what a pipe that reports room takes without blocking (POSIX: PIPE_BUF is at least 512, 4096 on Linux)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class ClientGone(OSError):
    """Nobody reads what the server writes: the reading end is closed, or input has ended and output is stuck."""


class Output:
    """Writes lines. Thread-safe. While a slow client makes it wait, it watches whether the client still has its own end open."""

    def __init__(self, descriptors: Descriptors) -> None:
        self._outgoing = descriptors.outgoing
        self._lock = allocate_lock()
        self._gone = False
        self._room = select.poll()
        self._room.register(descriptors.outgoing, select.POLLOUT)
        self._news = select.poll()
        self._news.register(descriptors.outgoing, select.POLLOUT)
        self._news.register(descriptors.incoming, 0)  # reports a hang-up only

    def write(self, message: object) -> None:
        """Write one JSON value as a line. Raises ClientGone, now and at every later call, once the client is gone."""
        self.write_octets(encode(message))

    def write_octets(self, line: bytes) -> None:
        """Write one line, given without its end. Raises as `write`."""
        view = memoryview(line + b"\n")
        with self._lock:
            try:
                while view:
                    self._wait_for_room()
                    view = view[os.write(self._outgoing, view[:_PIECE_OCTETS]) :]
            except OSError as error:
                self._gone = True
                raise ClientGone from error

    def _wait_for_room(self) -> None:
        if self._gone:
            raise BrokenPipeError
        if self._room.poll(0):
            return
        if not any(descriptor == self._outgoing for descriptor, _ in self._news.poll()) and not self._room.poll(GRACE_MS):
            raise BrokenPipeError


def encode(message: object) -> bytes:
    """The one place where a message becomes octets: UTF-8 without escapes; lone surrogates become U+FFFD."""
    text = _ENCODER.encode(message)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
