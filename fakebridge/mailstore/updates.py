"""Changes of a mailbox on their way to the sessions that have it selected.

Each is applied to a session's view when the protocol allows to tell it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.flags import Flags
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.message import Message
from fakebridge.mailstore.news import Exists, Expunged, FlagsChanged, News, Recent
from fakebridge.mailstore.view import View


class FlagAction(Enum):
    """What happens to a flag set: STORE's three forms, and events use them too."""

    ADD = "+FLAGS"
    REMOVE = "-FLAGS"
    SET = "FLAGS"

    def applied(self, before: Flags, flags: Flags) -> Flags:
        """The set afterwards."""
        if self is FlagAction.ADD:
            return flagset.add(before, flags)
        if self is FlagAction.REMOVE:
            return flagset.remove(before, flags)
        return flags


@dataclass(slots=True)
class RecentClaim:
    """Which session sees the message as recent: the first that takes the news, unless one is named (bridge-behaviour 3.1)."""

    session: int | None = None

    def given_to(self, session: int) -> bool:
        """Whether this session gets it; the first to ask keeps it."""
        if self.session is None:
            self.session = session
        return self.session == session


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message is now in the mailbox."""

    mailbox: Mailbox
    message: Message
    uid: int
    flags: Flags
    claim: RecentClaim = field(default_factory=RecentClaim)

    def apply(self, view: View, session: int) -> list[News]:
        """EXISTS, and RECENT when anything is recent."""
        if view.place_of(self.message) is not None:
            return []
        view.insert(self.uid, self.message, self.flags)
        if self.claim.given_to(session):
            view.recent.add(self.uid)
            self.mailbox.recent.discard(self.uid)
        news: list[News] = [Exists(len(view))]
        if view.recent:
            news.append(Recent(len(view.recent)))
        return news


@dataclass(frozen=True, slots=True)
class Departure:
    """A message is no longer in the mailbox."""

    mailbox: Mailbox
    message: Message

    def apply(self, view: View, session: int) -> list[News]:  # noqa: ARG002 - one signature for the three kinds
        """EXPUNGE with the number that this session knows."""
        place = view.place_of(self.message)
        if place is None:
            return []
        view.drop(place)
        return [Expunged(place + 1)]


@dataclass(frozen=True, slots=True)
class FlagChange:
    r"""Flags of a message changed. `\Deleted` belongs to `mailbox` only: elsewhere it stays as it was."""

    mailbox: Mailbox | None
    message: Message
    action: FlagAction
    flags: Flags
    by: int | None = None
    tell_uid: bool = False
    silent: bool = False

    def apply(self, view: View, session: int) -> list[News]:
        """FETCH with the new flags, unless nothing changed or STORE was silent."""
        place = view.place_of(self.message)
        if place is None:
            return []
        before = view.stored_flags(place)
        after = self.action.applied(before, self.flags)
        if self.mailbox is not view.mailbox:
            after = flagset.with_flag(after, flagset.DELETED, present=flagset.has(before, flagset.DELETED))
        view.set_flags(place, after)
        own = session == self.by
        if flagset.same(before, after) or (own and self.silent):
            return []
        return [FlagsChanged(place + 1, view.flags(place), view.uids[place] if own and self.tell_uid else None)]


Update = Arrival | Departure | FlagChange
