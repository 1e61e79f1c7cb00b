"""The two ends of the wire, claimed before anything else runs: a stray print or a child's output can't reach them.

Belongs to the front door: imports nothing but os.
"""

from __future__ import annotations

import os


class Descriptors:
    """The private ends of the wire."""

    __slots__ = ("incoming", "outgoing")

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming = incoming
        self.outgoing = outgoing


def claim() -> Descriptors:
    """Take descriptors 0 and 1 for the wire. Afterwards 0 reads nothing and 1 is standard error; children inherit neither end."""
    descriptors = Descriptors(os.dup(0), os.dup(1))  # a duplicate isn't inherited by a program that this one starts
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return descriptors
