"""Cuts the incoming octets into lines of bounded length; what is longer is thrown away while it is read.

Belongs to the front door: imports nothing but os.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE_OCTETS = 16 * 1024 * 1024
_CHUNK_OCTETS = 256 * 1024


def lines(descriptor: int, max_octets: int = MAX_LINE_OCTETS) -> Iterator[bytes | None]:
    """The lines of a descriptor without their ends; None stands for one that was longer than `max_octets` and was discarded.

    Ends at the end of input, or when the descriptor fails; a last line without an end is no line. May be continued in another thread.
    """
    pending = bytearray()
    discarding = False
    while chunk := _read(descriptor):
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            pending += chunk[start:end]
            start = end + 1
            line = None if discarding or len(pending) > max_octets else bytes(pending)
            pending = bytearray()
            discarding = False
            yield line
        if not discarding:
            pending += chunk[start:]
        if len(pending) > max_octets:
            pending = bytearray()
            discarding = True


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK_OCTETS)
    except OSError:
        return b""
