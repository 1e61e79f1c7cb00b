"""A folder's index: uid, date and flags of every message, kept true by the news that Bridge sends.

Pure. Built from `UID FETCH 1:* (UID FLAGS INTERNALDATE)`: rows in the form that Bridge and most servers give are read by one
pattern over whole packets, anything else by the general grammar; both end in the same entries.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import UTC, date, datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from proton_safe.imap import items
from proton_safe.imap.grammar import BadSyntax, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

ITEMS: Final = b"(UID FLAGS INTERNALDATE)"
SEEN: Final = "\\seen"
FLAGGED: Final = "\\flagged"

# 1 sequence number, 2 uid, 3 flags, 4 day, 5 month, 6 year, 7 hour, 8 minute, 9 second, 10 zone
FAST_ROW: Final = re.compile(
    rb"\* ([1-9][0-9]{0,9}) FETCH \(UID ([1-9][0-9]{0,9}) FLAGS \(([!#$&'+\-./0-9:;<=>?@A-Z\\^_`a-z|~ ]*+)\) INTERNALDATE "
    rb'"([0-3][0-9])-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) ([+-][0-9]{4})"\)\r\n'
)
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
_DAY_S: Final = 86_400
_UNDATED: Final = -(2**62)
_MAX_KNOWN: Final = 50_000


class IndexEntry(NamedTuple):
    """One message of a folder. `received`: INTERNALDATE in seconds since 1970 UTC (older than everything when unreadable)."""

    uid: int
    received: int
    flags: frozenset[str]

    @property
    def unread(self) -> bool:
        r"""Whether the message lacks `\Seen`."""
        return SEEN not in self.flags


_BY_DATE_AND_UID: Final = itemgetter(1, 0)
_LEFT_OUT: Final = IndexEntry(0, 0, frozenset())


def newest_first(entries: Iterable[IndexEntry]) -> tuple[IndexEntry, ...]:
    """By date received, then uid, both descending."""
    return tuple(sorted(entries, key=_BY_DATE_AND_UID, reverse=True))


class FolderIndex:
    """The entries of one examined folder by sequence number.

    A place is None until somebody asks for its message, and `_LEFT_OUT` from then on until the answer describes it. `doubtful`: news
    did not fit what is known, so it must be built again.
    """

    def __init__(self, exists: int) -> None:
        self._places: list[IndexEntry | None] = [_LEFT_OUT] * exists
        self._by_uid: dict[int, IndexEntry] = {}
        # Oldest first, once somebody wanted an order; kept true by bisection from then on.
        self._order: list[IndexEntry] | None = None
        self._newest: tuple[IndexEntry, ...] | None = None
        self._unread: tuple[IndexEntry, ...] | None = None
        self._days: dict[tuple[bytes, bytes, bytes], int] = {}
        self._flag_sets: dict[bytes, frozenset[str]] = {}
        self.highest_uid = 0
        self.doubtful = False
        self.unknown = 0
        self.left_out = exists

    def newest(self) -> tuple[IndexEntry, ...]:
        """All entries, newest first."""
        if self._newest is None:
            if self._order is None:
                self._order = sorted(self._by_uid.values(), key=_BY_DATE_AND_UID)
            self._newest = tuple(reversed(self._order))
        return self._newest

    def unread(self) -> tuple[IndexEntry, ...]:
        r"""The entries without `\Seen`, newest first."""
        if self._unread is None:
            self._unread = tuple(entry for entry in self.newest() if SEEN not in entry.flags)
        return self._unread

    def of(self, uids: Collection[int]) -> tuple[IndexEntry, ...]:
        """The entries of these messages, newest first; who isn't known is left out."""
        return newest_first(self._by_uid[uid] for uid in uids if uid in self._by_uid)

    def put(self, sequence: int, entry: IndexEntry) -> None:
        """A message was described. Raises `BadSyntax` for a place beyond EXISTS, and for a place or uid described before."""
        places = self._places
        if not 0 < sequence <= len(places) or entry.uid in self._by_uid:
            raise BadSyntax
        known = places[sequence - 1]
        if known is _LEFT_OUT:
            self.left_out -= 1
        elif known is None:
            self.unknown -= 1
        else:
            raise BadSyntax
        places[sequence - 1] = entry
        self._by_uid[entry.uid] = entry
        self.highest_uid = max(self.highest_uid, entry.uid)
        position = self._position(entry)
        if self._order is not None and position is not None:
            self._order.insert(position, entry)

    def put_fast(self, groups: tuple[bytes, ...]) -> None:
        """A row that `FAST_ROW` matched."""
        sequence, digits, flag_text, day, month, year, hour, minute, second, zone = groups
        uid, place = _uid(digits), int(sequence) - 1
        flags = self._flag_sets.get(flag_text)
        if flags is None:
            flags = self._flags(flag_text)
        received = self._days.get((day, month, year))
        if received is None or received == _UNDATED or zone != b"+0000" or hour > b"23" or minute > b"59" or second > b"59":
            received = self._seconds((day, month, year), hour, minute, second, zone)
        else:
            received += int(hour) * 3600 + int(minute) * 60 + int(second)
        known = IndexEntry(uid, received, flags)
        # The usual case of `put`, which has the rules.
        places = self._places
        if self._order is None and place < len(places) and places[place] is _LEFT_OUT and uid not in self._by_uid:
            places[place] = self._by_uid[uid] = known
            self.left_out -= 1
            self.highest_uid = max(self.highest_uid, uid)
            self._newest = self._unread = None
        else:
            self.put(place + 1, known)

    def read_fast(self, block: bytes, at: int) -> int:
        """Read the row that begins at `at`, if it has the usual form, and say where it ends; `at` if it has another."""
        row = FAST_ROW.match(block, at)
        if row is None:
            return at
        self.put_fast(row.groups())
        return row.end()

    def put_row(self, sequence: int, row: items.RowItems) -> None:
        """A row that the general grammar read."""
        self.put(sequence, entry(row))

    def knows(self, uid: int) -> bool:
        """Whether a message with this uid was described."""
        return uid in self._by_uid

    def asked(self) -> None:
        """Somebody asks for all that is unknown: from now on it counts as left out unless it is described."""
        place = len(self._places)
        while self.unknown and place:
            place -= 1
            if self._places[place] is None:
                self._places[place] = _LEFT_OUT
                self.left_out += 1
                self.unknown -= 1

    def exist(self, count: int) -> None:
        """`EXISTS`: there are now this many. Fewer than known, without an EXPUNGE, makes the index doubtful."""
        more = count - len(self._places)
        if more < 0:
            self.doubtful = True
        else:
            self._doubt_the_last()
            self._places.extend([None] * more)
            self.unknown += more

    def _doubt_the_last(self) -> None:
        """Messages that were left out behind all known ones are asked for again: they may be the new ones."""
        place = len(self._places)
        while self.left_out and place and self._places[place - 1] is _LEFT_OUT:
            place -= 1
            self._places[place] = None
            self.left_out -= 1
            self.unknown += 1

    def expunge(self, sequence: int) -> None:
        """`EXPUNGE`: the message at this place is gone and all behind it move up."""
        if not 0 < sequence <= len(self._places):
            self.doubtful = True
            return
        gone = self._places.pop(sequence - 1)
        if gone is _LEFT_OUT:
            self.left_out -= 1
        elif gone is None:
            self.unknown -= 1
        else:
            del self._by_uid[gone.uid]
            position = self._position(gone)
            if self._order is not None and position is not None:
                del self._order[position]

    def reflag(self, sequence: int, flags: frozenset[str], *, uid: int | None = None) -> None:
        """`FETCH` with FLAGS: the message at this place has these flags now. A `uid` that stands elsewhere makes the index doubtful."""
        if not self.stands(sequence, uid):
            return
        known = self._places[sequence - 1]
        if known is None or known is _LEFT_OUT or known.flags == flags:
            return
        changed = known._replace(flags=flags)
        self._places[sequence - 1] = self._by_uid[known.uid] = changed
        position = self._position(changed)
        if self._order is not None and position is not None:
            self._order[position] = changed

    def stands(self, sequence: int, uid: int | None) -> bool:
        """Whether the message with this uid, if one is told, may be at this place; the index is doubtful if not."""
        if not 0 < sequence <= len(self._places):
            self.doubtful = True
            return False
        known = self._places[sequence - 1]
        if uid is not None and (uid in self._by_uid if known is None or known is _LEFT_OUT else uid != known.uid):
            self.doubtful = True
            return False
        return True

    def _position(self, entry: IndexEntry) -> int | None:
        """Where the entry stands in the order, or belongs; None while nobody wanted an order. What was told before is out of date."""
        self._newest = self._unread = None
        return None if self._order is None else bisect_left(self._order, _BY_DATE_AND_UID(entry), key=_BY_DATE_AND_UID)

    def _flags(self, text: bytes) -> frozenset[str]:
        known = self._flag_sets.get(text)
        if known is None:
            known = items.flags(parse((b"(" + text + b")",))[0]) or frozenset()
            if len(self._flag_sets) < _MAX_KNOWN:
                self._flag_sets[text] = known
        return known

    def _seconds(self, day: tuple[bytes, bytes, bytes], hour: bytes, minute: bytes, second: bytes, zone: bytes) -> int:
        if zone != b"+0000" or hour > b"23" or minute > b"59" or second > b"59":
            text = b"-".join(day) + b" %s:%s:%s %s" % (hour, minute, second, zone)
            found = items.internal_date(text)
            return _UNDATED if found is None else int(found.timestamp())
        known = self._days.get(day)
        if known is None:
            found = items.internal_date(b"-".join(day) + b" 00:00:00 +0000")
            known = _UNDATED if found is None else (found.date().toordinal() - _EPOCH_DAY) * _DAY_S
            if len(self._days) < _MAX_KNOWN:
                self._days[day] = known
        return known if known == _UNDATED else known + int(hour) * 3600 + int(minute) * 60 + int(second)


def entry(row: items.RowItems) -> IndexEntry:
    """The entry of a message whose row was read by the general grammar."""
    received = _UNDATED if row.received is None else int(row.received.timestamp())
    return IndexEntry(row.uid, received, row.flags or frozenset())


def _uid(digits: bytes) -> int:
    uid = int(digits)
    if uid >= 2**32:
        raise BadSyntax
    return uid


def utc(entry: IndexEntry) -> datetime | None:
    """When the message was received; None when that is unknown."""
    return None if entry.received == _UNDATED else datetime.fromtimestamp(entry.received, UTC)
