"""The account's log of what happened since Bridge last asked; several changes of one thing are told once."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Events:
    """What one poll brings: label ids, and message ids in the order of their first change. `edited` ones have new content."""

    labels: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    edited: frozenset[str] = frozenset()


@dataclass(slots=True)
class EventLog:
    """Collects until taken."""

    _labels: dict[str, None] = field(default_factory=dict)
    _messages: dict[str, None] = field(default_factory=dict)
    _edited: set[str] = field(default_factory=set)

    def label(self, label: str) -> None:
        """A label was made, changed or deleted."""
        self._labels[label] = None

    def message(self, message: str, *, edited: bool = False) -> None:
        """A message was made, changed or deleted."""
        self._messages[message] = None
        if edited:
            self._edited.add(message)

    def take(self) -> Events:
        """Everything since the last time."""
        events = Events(tuple(self._labels), tuple(self._messages), frozenset(self._edited))
        self._labels, self._messages, self._edited = {}, {}, set()
        return events
