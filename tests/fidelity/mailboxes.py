"""Without Bridge's mailboxes, names and lists (bridge-behaviour 2, 3.1)."""

from __future__ import annotations

import re

from fakebridge.account.labels import LabelBook
from fakebridge.bridge import layout, mailboxes, service
from fakebridge.bridge.errors import Refused
from fakebridge.bridge.mailboxes import Mailboxes
from fakebridge.imap import listing, mailbox_names
from fakebridge.imap.commands import list as listing_command
from fakebridge.imap.commands import mailboxes as mailbox_commands
from fakebridge.imap.commands import select as select_command
from fakebridge.imap.commands import status as status_command
from fakebridge.mailstore.mailbox import Visibility
from fakebridge.mailstore.store import MailStore
from fakebridge.mailstore.validity import UidValidities
from fakebridge.mailstore.watcher import Watcher
from tests.fidelity.departing import Passed, around, departure, put


@departure("list-of-mailboxes")
def no_placeholders() -> None:
    """Parents are no mailboxes of their own."""
    put(layout, "PLACEHOLDERS", ())


@departure("special-use-attributes")
def no_special_use() -> None:
    """System mailboxes carry no special use."""
    put(layout, "SPECIAL_USE", {})


@departure("list-order-random")
def sorted_list() -> None:
    """LIST comes in the order of the store."""
    put(listing_command, "ResponseOrder", type("Never", (), {"RANDOM": object()}))


@departure("list-patterns")
def percent_crosses_levels() -> None:
    """`%` is like `*`."""
    put(listing, "_piece", lambda char: ".*" if char in "*%" else re.escape(char))


@departure("empty-views-hidden")
def everything_is_listed() -> None:
    """Empty Scheduled and Recovered Messages are listed."""
    put(listing, "_is_shown", lambda _: True)


@departure("all-mail-can-be-hidden")
def all_mail_is_always_listed() -> None:
    """The setting has no effect."""
    put(listing, "_is_shown", lambda mailbox: mailbox.visibility is not Visibility.HIDDEN_IF_EMPTY or bool(mailbox.uids))


@departure("names-modified-utf7")
def names_may_be_utf8() -> None:
    """Raw UTF-8 is taken."""

    def decode(original: Passed, name: bytes) -> str:
        try:
            text: str = original(name)
        except mailbox_names.InvalidName:
            return name.decode("utf-8", "replace")
        return text

    around(mailbox_commands, "decode_mailbox", decode)


@departure("status-any-mailbox")
def status_knows_no_placeholders() -> None:
    """STATUS of a placeholder is refused."""

    async def run(original: Passed, self: Passed, session: Passed) -> Passed:
        if self.name == b"Folders":
            raise Refused("no such mailbox")
        return await original(self, session)

    around(status_command.StatusCommand, "run", run)


@departure("create-rules")
def create_anything() -> None:
    """Passed name becomes a folder."""

    def kind_and_path(original: Passed, name: str) -> Passed:
        return original(
            name if "/" in name and name.split("/", maxsplit=1)[0] in ("Folders", "Labels") else f"Folders/{name.replace('/', '-')}"
        )

    original = Mailboxes._kind_and_path
    put(Mailboxes, "_kind_and_path", staticmethod(lambda name: kind_and_path(original, name)))


@departure("create-parents")
def create_no_parents() -> None:
    """Missing parents are an error."""
    put(mailboxes, "superiors", lambda _: [])


@departure("one-name-space")
def names_may_be_doubled() -> None:
    """A label may be called like a folder."""
    put(LabelBook, "is_taken", lambda *_, **__: False)


@departure("delete-keeps-messages")
def delete_takes_messages_along() -> None:
    """Messages go with their mailbox."""

    async def delete(original: Passed, self: Mailboxes, name: str) -> Passed:
        messages = list(self._connector.mailbox(name).messages)
        gone = await original(self, name)
        for message in messages:
            self._store.forget_message(message)
        return gone

    around(Mailboxes, "delete", delete)


@departure("delete-of-selected-says-bye")
def no_bye() -> None:
    """Deleting the selected mailbox says nothing more."""
    put(mailbox_commands, "DELETED", b"* OK deleted")


@departure("lost-mailbox-says-bye")
def lost_mailboxes_go_on() -> None:
    """A session whose mailbox is gone goes on."""
    Watcher.broken = property(lambda _: False, lambda _, __: None)  # type: ignore[assignment]  # that is the departure


@departure("uidvalidity-grows")
def uidvalidity_stays() -> None:
    """Every mailbox has the same value for ever."""
    put(UidValidities, "new", lambda _: 1000)


@departure("rename-takes-children")
def rename_one() -> None:
    """Children keep their old names until the poll."""

    def rename(original: Passed, self: MailStore, mailbox: Passed, name: str) -> None:
        if not name.endswith("/2026"):
            original(self, mailbox, name)

    around(MailStore, "rename_mailbox", rename)


@departure("rename-rules")
def rename_anything() -> None:
    """A folder may become a label."""

    async def rename_label(original: Passed, self: Mailboxes, mailbox: Passed, new: str) -> None:
        if new.startswith("Labels/"):
            return
        await original(self, mailbox, new)

    around(Mailboxes, "_rename_label", rename_label)


@departure("subscriptions")
def subscribing_twice_is_fine() -> None:
    """SUBSCRIBE is idempotent."""

    def subscribe(self: Mailboxes, name: str) -> None:
        self._connector.mailbox(name).subscribed = True

    put(Mailboxes, "subscribe", subscribe)


@departure("select-shape")
def select_permits_all_flags() -> None:
    r"""PERMANENTFLAGS names \*, as most servers do."""
    put(layout, "DEFAULT_FLAGS", layout.DEFAULT_FLAGS | {"\\*"})


@departure("examine-codes-without-text")
def examine_has_texts() -> None:
    """EXAMINE's codes carry texts."""

    def opened(original: Passed, session: Passed, name: bytes, *, read_only: bool) -> None:
        original(session, name, read_only=False)
        session.place.view.read_only = read_only

    around(select_command, "open_mailbox", opened)


@departure("missing-mailbox-keeps-selection")
def missing_mailbox_unselects() -> None:
    """As RFC 3501 has it."""

    async def run(original: Passed, self: Passed, session: Passed) -> Passed:
        if self.name == b"Nothing":
            session.place.unselect()
        return await original(self, session)

    around(select_command.SelectCommand, "run", run)


@departure("noselect-not-enforced")
def noselect_is_enforced() -> None:
    """A placeholder cannot be opened."""

    async def run(original: Passed, self: Passed, session: Passed) -> Passed:
        if self.name in (b"Folders", b"Labels"):
            raise Refused("no such mailbox")
        return await original(self, session)

    around(select_command.SelectCommand, "run", run)


@departure("recent-to-one-session")
def examine_takes_recent() -> None:
    r"""EXAMINE clears \Recent like SELECT."""

    def select(original: Passed, self: Watcher, mailbox: Passed, *, read_only: bool) -> Passed:
        view = original(self, mailbox, read_only=read_only)
        mailbox.recent.clear()
        return view

    around(Watcher, "select", select)


@departure("all-mail-permanentflags")
def all_mail_never_learns() -> None:
    """A restart changes no flags."""
    put(service, "add_forward_keywords", lambda _: None)
