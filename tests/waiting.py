"""Waiting for something that another process or thread does, within a bound."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

BOUND_S: Final = 30.0
_STEP_S: Final = 0.02


def until(condition: Callable[[], bool]) -> None:
    """Return as soon as the condition holds; fail after half a minute."""
    pause = threading.Event()
    for _ in range(int(BOUND_S / _STEP_S)):
        if condition():
            return
        pause.wait(_STEP_S)
    raise AssertionError("it never happened")
