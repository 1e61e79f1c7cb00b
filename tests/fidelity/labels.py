"""Without Proton's label rules (bridge-behaviour 6)."""

from __future__ import annotations

from fakebridge.account import labels as ids
from fakebridge.account.account import Account
from fakebridge.account.message import AccountMessage
from fakebridge.bridge import connector
from fakebridge.bridge.connector import Connector
from fakebridge.imap.commands import close
from fakebridge.imap.commands.command import Done
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.store import MailStore
from fakebridge.mailstore.updates import FlagAction
from tests.fidelity.departing import Passed, around, departure, put


@departure("all-mail-refuses")
def all_mail_is_like_any_other() -> None:
    """All Mail and Scheduled allow everything."""
    put(connector, "VIEWS", ())


@departure("uid-for-each-mailbox")
def one_uid_everywhere() -> None:
    """A message has the same UID wherever it lies."""

    def fill(_: Passed, self: Mailbox, messages: Passed) -> None:
        for message in sorted(messages, key=lambda one: one.number):
            message.homes[self.number] = message.number
            self.uids.append(message.number)
            self.messages.append(message)
            self.uid_next = message.number + 1
        self.recent.update(self.uids)

    around(Mailbox, "fill", fill)


@departure("copy-to-folder-moves")
def copies_are_copies() -> None:
    """COPY to a folder leaves the source for good."""

    async def add(original: Passed, self: Connector, mailbox: Mailbox, messages: Passed, **named: Passed) -> Passed:
        label = self.account.labels.get(mailbox.label)
        if label is None or label.kind.value == "label" or label.id in (ids.STARRED, ids.ALL_MAIL, ids.SCHEDULED):
            return await original(self, mailbox, messages, **named)
        return self.store.put(mailbox, messages, **named)

    around(Connector, "add", add)


@departure("copy-to-label-copies")
def labels_are_places() -> None:
    """A label is a place like a folder."""

    def add_label(original: Passed, self: AccountMessage, label: Passed) -> None:
        original(self, label)
        if label.kind.value == "label":
            self.place = ""

    around(AccountMessage, "add_label", add_label)


@departure("copy-to-sent-comes-to-nothing")
def sent_is_a_place() -> None:
    """COPY to Sent works."""

    def label_ids(original: Passed, self: AccountMessage) -> list[str]:
        return [*original(self), *(["7"] if "7" in self.labels else [])]

    def add_label(original: Passed, self: AccountMessage, label: Passed) -> None:
        if label.id == ids.SENT:
            self.labels.append("7")
        else:
            original(self, label)

    around(AccountMessage, "label_ids", label_ids)
    around(AccountMessage, "add_label", add_label)


@departure("starred-is-a-flag")
def starred_is_a_mailbox() -> None:
    """The flag and the mailbox have nothing to do with each other."""
    put(Connector, "_mark_starred", lambda *_: None)


@departure("move-to-label-keeps-source")
def moves_always_leave() -> None:
    """MOVE always leaves the source."""
    put(Connector, "_is_kind", lambda *_: True)


@departure("move-leaves-labels-and-for-folders")
def moves_never_leave() -> None:
    """MOVE never leaves the source."""
    put(Connector, "_is_kind", lambda *_: False)


@departure("move-refusals")
def moves_are_never_refused() -> None:
    """INBOX and Sent may be exchanged."""
    put(connector, "ids", type("Other", (), {**vars(ids), "SENT": "no such label"}))


@departure("move-within-gives-new-uid")
def moves_within_do_nothing() -> None:
    """MOVE to the same mailbox is nothing."""

    async def move(original: Passed, self: Connector, source: Mailbox, messages: Passed, target: Mailbox, **named: Passed) -> Passed:
        return [] if source is target else await original(self, source, messages, target, **named)

    around(Connector, "move", move)


@departure("expunge-destroys-in-trash-and-drafts")
def expunge_never_destroys() -> None:
    """EXPUNGE only takes labels off."""
    put(Account, "is_elsewhere", lambda *_: True)


@departure("expunge-elsewhere-keeps")
def expunge_always_destroys() -> None:
    """EXPUNGE destroys wherever it is."""

    async def take_out(original: Passed, self: Connector, mailbox: Mailbox, messages: Passed) -> None:
        await original(self, mailbox, messages)
        self.account.delete_messages([message.remote for message in messages])

    around(Connector, "take_out", take_out)


@departure("keywords-lost-at-events")
def keywords_stay() -> None:
    """What the account says is added only."""

    def set_flags(original: Passed, self: MailStore, message: Passed, flags: Passed) -> None:
        original(self, message, flags | {flag for flag in message.flags if flag not in ("\\Seen", "\\Flagged")})

    around(MailStore, "set_flags", set_flags)


@departure("deleted-is-local-to-a-mailbox")
def deleted_is_everywhere() -> None:
    r"""`\Deleted` belongs to the message."""

    def change(
        original: Passed, self: MailStore, mailbox: Mailbox, messages: Passed, action: FlagAction, flags: Passed, **named: Passed
    ) -> None:
        original(self, mailbox, messages, action, flags, **named)
        for other in self.by_number.values():
            for message in messages:
                if other is not mailbox and other.holds(message):
                    original(self, other, [message], action, flags, **named)

    around(MailStore, "change_flags", change)


@departure("forward-flags-are-a-pair")
def forward_flags_are_single() -> None:
    """`$Forwarded` alone."""
    put(flagset, "FORWARDED", ("$Forwarded",))


@departure("close-expunges-silently")
def close_expunges_nothing() -> None:
    """CLOSE expunges nothing."""

    async def run(_: Passed, session: Passed) -> Passed:
        session.place.unselect()
        return Done("CLOSE")

    put(close.CloseCommand, "run", run)
