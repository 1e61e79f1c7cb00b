"""What a server does with an answer that a fault has altered: steps, played in order. Values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Send:
    """Octets, at once."""

    octets: bytes


@dataclass(frozen=True, slots=True)
class Drip:
    """Octets, so many a second."""

    octets: bytes
    per_second: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same octets again and again, `total` octets in all, never more in memory than one piece."""

    piece: bytes
    total: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing, for so long."""

    seconds: float


@dataclass(frozen=True, slots=True)
class End:
    """Close the connection."""


Step = Send | Drip | Repeat | Wait | End
