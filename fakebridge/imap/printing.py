"""Arguments as they were sent, for the journal: never a secret, never a literal's octets."""

from __future__ import annotations

from collections.abc import Iterable

from fakebridge.imap.grammar import STAR, SequenceSet


def set_text(numbers: SequenceSet) -> str:
    """A sequence set."""
    return ",".join(_number(one.begin) if one.begin == one.end else f"{_number(one.begin)}:{_number(one.end)}" for one in numbers)


def _number(number: int) -> str:
    return "*" if number == STAR else str(number)


def name_text(name: bytes) -> str:
    """A mailbox name or another short argument, quoted."""
    return '"' + name.decode("utf-8", "backslashreplace").replace("\\", "\\\\").replace('"', '\\"') + '"'


def list_text(items: Iterable[str]) -> str:
    """Items in parentheses."""
    return "(" + " ".join(items) + ")"
