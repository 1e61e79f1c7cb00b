"""A folder's index: uid, date and flags of every message, kept true by the news that Bridge sends.

Pure. Built from `UID FETCH 1:* (UID FLAGS INTERNALDATE)`: rows in the form that Bridge and most servers give are read by one
pattern over whole packets, anything else by the general grammar; both end in the same entries.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from proton_safe.imap import items
from proton_safe.imap.grammar import BadSyntax, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def newest_first(entries: Iterable[IndexEntry]) -> tuple[IndexEntry, ...]:
    """By date received, then uid, both descending."""
    return tuple(sorted(entries, key=_BY_DATE_AND_UID, reverse=True))


class FolderIndex:
    """The entries of one examined folder by sequence number. A place is None until its message was heard of.

    `doubtful`: news did not fit what is known, so it must be built again. `holes_known`: messages that Bridge left out when it
    was built.
    """

    def __init__(self, exists: int) -> None:
        self._places: list[IndexEntry | None] = [None] * exists
        self._uids: set[int] = set()
        self._newest: tuple[IndexEntry, ...] | None = None
        self._days: dict[tuple[bytes, bytes, bytes], int] = {}
        self._flag_sets: dict[bytes, frozenset[str]] = {}
        self.doubtful = False
        self.holes_known = 0

    @property
    def highest_uid(self) -> int:
        """The highest uid heard of; 0 in an empty index."""
        return max(self._uids, default=0)

    @property
    def holes(self) -> int:
        """How many messages have not been heard of."""
        return len(self._places) - len(self._uids)

    def newest(self) -> tuple[IndexEntry, ...]:
        """All entries, newest first."""
        if self._newest is None:
            self._newest = newest_first(entry for entry in self._places if entry is not None)
        return self._newest

    def put(self, sequence: int, entry: IndexEntry) -> None:
        """A message was described. Raises `BadSyntax` for a place beyond EXISTS, and for a place or uid described before."""
        if not 0 < sequence <= len(self._places) or self._places[sequence - 1] is not None or entry.uid in self._uids:
            raise BadSyntax
        self._places[sequence - 1] = entry
        self._uids.add(entry.uid)
        self._newest = None

    def put_fast(self, groups: tuple[bytes, ...]) -> None:
        """A row that `FAST_ROW` matched."""
        sequence, uid, flags, day, month, year, hour, minute, second, zone = groups
        self.put(int(sequence), IndexEntry(_uid(uid), self._seconds((day, month, year), hour, minute, second, zone), self._flags(flags)))

    def put_row(self, sequence: int, row: items.RowItems) -> None:
        """A row that the general grammar read."""
        self.put(sequence, entry(row))

    def knows(self, uid: int) -> bool:
        """Whether a message with this uid was described."""
        return uid in self._uids

    def exist(self, count: int) -> None:
        """`EXISTS`: there are now this many. Fewer than known, without an EXPUNGE, makes the index doubtful."""
        if count < len(self._places):
            self.doubtful = True
        else:
            self._places.extend([None] * (count - len(self._places)))

    def expunge(self, sequence: int) -> None:
        """`EXPUNGE`: the message at this place is gone and all behind it move up."""
        if not 0 < sequence <= len(self._places):
            self.doubtful = True
            return
        gone = self._places.pop(sequence - 1)
        if gone is not None:
            self._uids.discard(gone.uid)
            self._newest = None

    def reflag(self, sequence: int, flags: frozenset[str], *, uid: int | None = None) -> None:
        """`FETCH` with FLAGS: the message at this place has these flags now, if it is the one with this `uid`."""
        if not 0 < sequence <= len(self._places):
            self.doubtful = True
            return
        known = self._places[sequence - 1]
        if known is not None and known.flags != flags and uid in {None, known.uid}:
            self._places[sequence - 1] = known._replace(flags=flags)
            self._newest = None

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
