"""A mailbox of the local store: UIDs in order, which messages they name, and the two flags that belong to the mailbox."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.flags import Flags
from fakebridge.mailstore.message import Message


class Visibility(StrEnum):
    """When LIST shows a mailbox (bridge-behaviour 2.1)."""

    VISIBLE = "visible"
    HIDDEN_IF_EMPTY = "hidden if empty"
    HIDDEN = "hidden"


@dataclass(slots=True, eq=False)
class Mailbox:
    """`number` is the store's own, `label` the account's id of it; `attributes` go into LIST, the two flag sets into SELECT."""

    number: int
    label: str
    name: str
    attributes: frozenset[str]
    flags: Flags
    permanent_flags: Flags
    uid_validity: int
    visibility: Visibility = Visibility.VISIBLE
    subscribed: bool = True
    uid_next: int = 1
    uids: list[int] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    recent: set[int] = field(default_factory=set)
    deleted: set[int] = field(default_factory=set)

    def holds(self, message: Message) -> bool:
        """Whether the message lies here."""
        return self.number in message.homes

    def add(self, message: Message) -> int:
        """Put the message here under the next UID, as recent; the UID."""
        uid = self.uid_next
        self.uid_next += 1
        self.uids.append(uid)
        self.messages.append(message)
        self.recent.add(uid)
        message.homes[self.number] = uid
        return uid

    def fill(self, messages: Iterable[Message]) -> None:
        """Add many at once (the first sync), in UID order from where the mailbox stands."""
        for message in messages:
            message.homes[self.number] = self.uid_next
            self.uids.append(self.uid_next)
            self.messages.append(message)
            self.uid_next += 1
        self.recent.update(self.uids)

    def take_out(self, message: Message) -> int:
        """Remove the message from here; the UID it had."""
        uid = message.homes.pop(self.number)
        index = bisect_left(self.uids, uid)
        del self.uids[index]
        del self.messages[index]
        self.recent.discard(uid)
        self.deleted.discard(uid)
        return uid

    def flags_of(self, message: Message) -> Flags:
        r"""The message's flags as seen here, with `\Deleted`, without `\Recent`."""
        if message.homes[self.number] in self.deleted:
            return flagset.add(message.flags, frozenset((flagset.DELETED,)))
        return message.flags

    def unseen(self) -> int:
        r"""How many messages lack `\Seen`."""
        return sum("\\seen" not in flagset.lowered(message.flags) for message in self.messages)
