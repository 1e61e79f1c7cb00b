"""A call's budget: its deadline, its cancellation, and what a cancel interrupts."""

from __future__ import annotations

import threading

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


def test_an_interrupt_never_comes_after_the_block_that_it_is_for() -> None:
    """A connection may be another call's as soon as the block has ended; a cancel that is slow must not cut that one off."""
    call = Call(StillClock(), seconds=30)
    begun, over = threading.Event(), threading.Event()
    came_late: list[bool] = []

    def slow() -> None:
        begun.set()
        over.wait(0.3)

    canceller = threading.Thread(target=call.cancel)
    with call.interruptible(slow), call.interruptible(lambda: came_late.append(over.is_set())):
        canceller.start()
        assert begun.wait(30)
    over.set()
    canceller.join(30)
    assert came_late == [False]


def test_progress_goes_to_whoever_asked() -> None:
    """Without a listener it goes nowhere."""
    heard: list[tuple[float, float | None, str]] = []
    Call(StillClock(), seconds=1, progress=lambda done, total, message: heard.append((done, total, message))).progress(1, 2, "pages")
    Call(StillClock(), seconds=1).progress(1, 2, "pages")
    assert heard == [(1, 2, "pages")]
