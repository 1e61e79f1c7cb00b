"""A value that never prints."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Secret:
    """Holds a password. `repr`, `str` and formatting show three stars; only `reveal` gives the text."""

    _value: str = field(repr=False)

    def reveal(self) -> str:
        """The text itself; to be called only where it is sent."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)"

    def __str__(self) -> str:
        return "***"
