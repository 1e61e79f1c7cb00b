"""A call's budget: its deadline, its cancellation, and what a cancel interrupts."""

from __future__ import annotations

import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.refusals import Code, Refusal


class StillClock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """The time set last."""
        return self.now

    def time(self) -> float:
        """The time set last."""
        return self.now


def test_remaining_shrinks_to_the_deadline_and_then_refuses() -> None:
    """Valid before its end, `deadline` from then on."""
    clock = StillClock()
    call = Call(clock, seconds=30)
    assert call.remaining() == 30
    assert call.remaining(10) == 10
    clock.now += 29
    assert call.remaining(10) == 1
    clock.now += 1
    with pytest.raises(Refusal) as raised:
        call.remaining()
    assert raised.value.code is Code.DEADLINE


def test_cancel_interrupts_what_is_registered_and_only_that() -> None:
    """A cancel from another thread reaches a wait that is under way; what ended before is left alone."""
    call = Call(StillClock(), seconds=30)
    interrupted: list[str] = []
    with call.interruptible(lambda: interrupted.append("before")):
        assert not call.cancelled
    with call.interruptible(lambda: interrupted.append("now")):
        call.cancel()
        call.cancel()
    assert interrupted == ["now", "now"]
    for use in (call.check, call.remaining):
        with pytest.raises(CallCancelled):
            use()
    with pytest.raises(CallCancelled), call.interruptible(lambda: interrupted.append("after")):
        interrupted.append("inside")
    assert interrupted == ["now", "now"]


def test_progress_goes_to_whoever_asked() -> None:
    """Without a listener it goes nowhere."""
    heard: list[tuple[float, float | None, str]] = []
    Call(StillClock(), seconds=1, progress=lambda done, total, message: heard.append((done, total, message))).progress(1, 2, "pages")
    Call(StillClock(), seconds=1).progress(1, 2, "pages")
    assert heard == [(1, 2, "pages")]
