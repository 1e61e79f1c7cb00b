"""Flag sets: matched without regard to letter case, kept in the spelling of their first use, printed in octet order.

Facts: bridge-behaviour 6.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

Flags = frozenset[str]

SEEN = "\\Seen"
FLAGGED = "\\Flagged"
ANSWERED = "\\Answered"
DRAFT = "\\Draft"
DELETED = "\\Deleted"
RECENT = "\\Recent"
FORWARDED = ("$Forwarded", "Forwarded")
NONE: Flags = frozenset()


@lru_cache(maxsize=4096)
def lowered(flags: Flags) -> Flags:
    """The same set in lower case, for comparisons."""
    return frozenset(flag.lower() for flag in flags)


def has(flags: Flags, flag: str) -> bool:
    """Whether `flag` is in the set in any spelling."""
    return flag.lower() in lowered(flags)


def has_forwarded(flags: Flags) -> bool:
    """Whether one of the two forward keywords is in the set."""
    low = lowered(flags)
    return "$forwarded" in low or "forwarded" in low


def make(flags: Iterable[str]) -> Flags:
    """A set from a list; of several spellings the first stays."""
    first: dict[str, str] = {}
    for flag in flags:
        first.setdefault(flag.lower(), flag)
    return frozenset(first.values())


def add(flags: Flags, more: Flags) -> Flags:
    """Both sets; what is there already keeps its spelling."""
    low = lowered(flags)
    new = [flag for flag in more if flag.lower() not in low]
    return flags.union(new) if new else flags


def remove(flags: Flags, less: Flags) -> Flags:
    """The first set without the second."""
    low = lowered(less)
    if not low or low.isdisjoint(lowered(flags)):
        return flags
    return frozenset(flag for flag in flags if flag.lower() not in low)


def with_flag(flags: Flags, flag: str, *, present: bool) -> Flags:
    """The set with `flag` in or out."""
    single = frozenset((flag,))
    return add(flags, single) if present else remove(flags, single)


def same(left: Flags, right: Flags) -> bool:
    """Whether both sets name the same flags."""
    return lowered(left) == lowered(right)


@lru_cache(maxsize=4096)
def text(flags: Flags) -> str:
    """As printed in answers: sorted by octet, in parentheses."""
    return "(" + " ".join(sorted(flags)) + ")"
