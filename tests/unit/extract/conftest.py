"""A clock, calls and an extractor with real children."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import pytest

from proton_safe.call import Call
from proton_safe.extract.extractor import Extractor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONG_S: Final = 1_000.0


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
    """An extractor that starts no child by itself while a test runs; its children end with the test."""
    made = Extractor(clock, rest_s=_LONG_S)
    yield made
    made.close()
