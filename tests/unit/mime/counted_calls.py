"""Work counted in function calls, so that a cost can be asserted without a clock."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


def calls_of(work: Callable[[], object]) -> int:
    """How many functions, ours and the interpreter's, `work` calls."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def growth(work: Callable[[int], object], *, small: int, large: int) -> float:
    """How many times more calls `work` makes for an input of size `large` than for one of size `small`."""
    return calls_of(lambda: work(large)) / calls_of(lambda: work(small))
