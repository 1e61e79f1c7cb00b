"""A clock, calls and an extractor with real children."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call
from proton_safe.extract.extractor import Extractor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class ComputersClock:
    """The computer's clock."""

    def monotonic(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time()


@pytest.fixture
def clock() -> ComputersClock:
    """The computer's clock."""
    return ComputersClock()


@pytest.fixture
def new_call(clock: ComputersClock) -> Callable[[], Call]:
    """Makes calls with a bound that no test should reach."""
    return lambda: Call(clock, seconds=60)


@pytest.fixture
def extractor(clock: ComputersClock) -> Iterator[Extractor]:
    """An extractor; its children end with the test."""
    made = Extractor(clock)
    yield made
    made.close()
