"""How long the peer may take: what is left of the call, and of the stage of it that has a limit of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from proton_safe.call import Call, Clock


@dataclass(frozen=True, slots=True)
class Deadline:
    """An absolute end for any number of reads and writes; each of them asks for what is left of it."""

    call: Call
    clock: Clock | None = None
    ends: float | None = None

    @classmethod
    def within(cls, call: Call, clock: Clock, seconds: float) -> Deadline:
        """The call's own deadline, or `seconds` from now if that is sooner."""
        return cls(call, clock, clock.monotonic() + seconds)

    def remaining(self) -> float:
        """Seconds left, more than 0. Raises `deadline` when none are left and `CallCancelled` after a cancel."""
        left = self.call.remaining()
        if self.clock is not None and self.ends is not None:
            left = min(left, self.ends - self.clock.monotonic())
        if left <= 0:
            raise Refusal(Code.DEADLINE)
        return left
