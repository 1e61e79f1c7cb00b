"""What one session believes about its selected mailbox: numbers, UIDs and flags as far as the client has been told.

Facts: bridge-behaviour 3.1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.flags import Flags
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.message import Message


class View:
    """A copy of a mailbox at the moment of SELECT; changed only when news are told. Positions count from 0, sequence numbers from 1."""

    def __init__(self, mailbox: Mailbox, *, read_only: bool) -> None:
        self.mailbox = mailbox
        self.read_only = read_only
        self.uids = mailbox.uids.copy()
        self.messages = mailbox.messages.copy()
        self._flags: list[Flags] = [message.flags for message in mailbox.messages]
        for uid in mailbox.deleted:
            place = bisect_left(self.uids, uid)
            self._flags[place] = flagset.add(self._flags[place], frozenset((flagset.DELETED,)))
        self.recent = mailbox.recent.copy()

    def __len__(self) -> int:
        return len(self.uids)

    def place_of_uid(self, uid: int) -> int | None:
        """The position of a UID, or None."""
        place = bisect_left(self.uids, uid)
        return place if place < len(self.uids) and self.uids[place] == uid else None

    def places_between(self, low: int, high: int) -> range:
        """The positions whose UIDs lie in low..high, both included."""
        return range(bisect_left(self.uids, low), bisect_right(self.uids, high))

    def place_of(self, message: Message) -> int | None:
        """The position of a message, or None."""
        uid = message.homes.get(self.mailbox.number)
        if uid is not None:
            place = self.place_of_uid(uid)
            if place is not None and self.messages[place] is message:
                return place
        # The store may have moved on (gone, or here again under another UID) while this session has not been told.
        return next((place for place, known in enumerate(self.messages) if known is message), None)

    def flags(self, place: int) -> Flags:
        r"""The flags at a position, with `\Recent`."""
        flags = self._flags[place]
        return flags | {flagset.RECENT} if self.uids[place] in self.recent else flags

    def stored_flags(self, place: int) -> Flags:
        r"""The flags at a position without `\Recent`."""
        return self._flags[place]

    def set_flags(self, place: int, flags: Flags) -> None:
        r"""New flags at a position; `\Recent` is not among them and stays as it is."""
        self._flags[place] = flags

    def marked_deleted(self) -> list[int]:
        r"""The positions that carry `\Deleted`."""
        return [place for place, flags in enumerate(self._flags) if "\\deleted" in flagset.lowered(flags)]

    def first_unseen(self) -> int | None:
        r"""The sequence number of the first message without `\Seen`, or None."""
        lowered = flagset.lowered
        return next((place + 1 for place, flags in enumerate(self._flags) if "\\seen" not in lowered(flags)), None)

    def unseen(self) -> int:
        r"""How many messages lack `\Seen`."""
        lowered = flagset.lowered
        return sum("\\seen" not in lowered(flags) for flags in self._flags)

    def insert(self, uid: int, message: Message, flags: Flags) -> None:
        """A message that the client is now told of; out of order only when another session was quicker."""
        place = bisect_left(self.uids, uid)
        self.uids.insert(place, uid)
        self.messages.insert(place, message)
        self._flags.insert(place, flags)

    def drop(self, place: int) -> None:
        """A message that the client is now told to be gone."""
        self.recent.discard(self.uids[place])
        del self.uids[place]
        del self.messages[place]
        del self._flags[place]
