"""Untagged lines about the selected mailbox, as values, and the way several of them become fewer (bridge-behaviour 3.2).

What is merged: a later EXISTS or RECENT replaces an earlier one, FETCH lines of one message become one, but nothing is
merged across an EXPUNGE,
because numbers mean something else behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fakebridge.mailstore.flags import Flags


@dataclass(frozen=True, slots=True)
class Exists:
    """`* count EXISTS`."""

    count: int


@dataclass(frozen=True, slots=True)
class Recent:
    """`* count RECENT`."""

    count: int


@dataclass(frozen=True, slots=True)
class Expunged:
    """`* number EXPUNGE`."""

    number: int


@dataclass(frozen=True, slots=True)
class FlagsChanged:
    """`* number FETCH (FLAGS (…) [UID uid])`; `uid` is None where it is not told."""

    number: int
    flags: Flags
    uid: int | None


News = Exists | Recent | Expunged | FlagsChanged


def merged(news: Iterable[News]) -> list[News]:
    """The same news in as few lines as possible, in the order of their first appearance."""
    result: list[News] = []
    for item in news:
        if not _replace_earlier(result, item):
            result.append(item)
    return result


def _replace_earlier(result: list[News], item: News) -> bool:
    if isinstance(item, Expunged):
        return False
    for index in range(len(result) - 1, -1, -1):
        earlier = result[index]
        if isinstance(item, FlagsChanged) and isinstance(earlier, FlagsChanged) and earlier.number == item.number:
            uid = item.uid if item.uid is not None else earlier.uid
            result[index] = FlagsChanged(item.number, item.flags, uid)
            return True
        if not isinstance(item, FlagsChanged) and type(earlier) is type(item):
            result[index] = item
            return True
        if not _may_pass(item, earlier):
            return False
    return False


def _may_pass(item: News, earlier: News) -> bool:
    if isinstance(earlier, Expunged):
        return False
    if isinstance(item, FlagsChanged) and isinstance(earlier, Exists):
        return item.number < earlier.count
    return True
