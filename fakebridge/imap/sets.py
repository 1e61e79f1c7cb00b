"""Which messages of a view a sequence set means (bridge-behaviour 3.4, dialogue 16)."""

from __future__ import annotations

from fakebridge.imap.answers import Bad, No
from fakebridge.imap.grammar import STAR, Range, SequenceSet
from fakebridge.mailstore.view import View

NO_SUCH_MESSAGE = "no such message"


def _ends(one: Range, star: int) -> tuple[int, int]:
    if one.begin == one.end:
        number = star if one.begin == STAR else one.begin
        return number, number
    begin, end = (one.end, one.begin) if one.begin == STAR else (one.begin, one.end)
    low = star if begin == STAR else begin
    high = star if end == STAR else end
    if low > high:
        # `999:*` beyond the end is 999 alone; `4:2` is turned round.
        return (low, low) if end == STAR else (high, low)
    return low, high


def places_by_number(view: View, numbers: SequenceSet) -> list[int]:
    """Positions for sequence numbers, in the order of the set, doubles kept. Bad: any number that is not there."""
    places: list[int] = []
    for one in numbers:
        low, high = _ends(one, len(view))
        if not 1 <= low <= len(view) or high > len(view):
            raise Bad(NO_SUCH_MESSAGE)
        places += range(low - 1, high)
    return places


def places_by_uid(view: View, uids: SequenceSet) -> list[int]:
    """Positions for UIDs, in the order of the set, doubles kept; UIDs that are not there are passed over."""
    places: list[int] = []
    if len(view):
        for one in uids:
            places += view.places_between(*_ends(one, view.uids[-1]))
    return places


def places(view: View, numbers: SequenceSet, *, by_uid: bool) -> list[int]:
    """Positions for a command's set."""
    return places_by_uid(view, numbers) if by_uid else places_by_number(view, numbers)


def uid_members(view: View, uids: SequenceSet) -> set[int]:
    """Positions for SEARCH's UID key. No: the mailbox is empty."""
    if not len(view):
        raise No(NO_SUCH_MESSAGE)
    return set(places_by_uid(view, uids))


def number_ranges(view: View, numbers: SequenceSet) -> list[tuple[int, int]]:
    """Ranges of sequence numbers for SEARCH, which may reach beyond the end."""
    return [_ends(one, len(view)) for one in numbers]
