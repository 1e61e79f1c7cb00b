"""Departures from Bridge's behaviour: small changes of a loaded fakebridge, by the name of the behaviour that they take away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

Departure = Callable[[], None]
Passed = Any
"""What a wrapper passes on without looking at it."""
DEPARTURES: Final[dict[str, Departure]] = {}


def departure(*names: str) -> Callable[[Departure], Departure]:
    """Registers a function that takes the named behaviours away."""

    def register(function: Departure) -> Departure:
        for name in names:
            if name in DEPARTURES:
                raise ValueError(name)
            DEPARTURES[name] = function
        return function

    return register


def put(owner: object, name: str, value: Passed) -> None:
    """Another value in place of an attribute that must be there."""
    getattr(owner, name)
    setattr(owner, name, value)


def around(owner: object, name: str, wrapper: Callable[..., Any]) -> None:
    """`wrapper(original, *arguments)` in place of a function or method."""
    original = getattr(owner, name)

    def wrapped(*arguments: Passed, **named: Passed) -> Passed:
        return wrapper(original, *arguments, **named)

    setattr(owner, name, wrapped)
