"""What happens to the account behind Bridge, drawn by kind and number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fakebridge.account import labels as ids
from fakebridge.account.account import Account
from fakebridge.account.message import AccountMessage
from fakebridge.bridge import elsewhere
from fakebridge.bridge.service import Bridge

DAY_S: Final = 86_400
NEW_YEAR: Final = 1_767_225_600
WORDS: Final = ("ledger", "poster", "lantern")
# A folder as IMAP names it, and the label by which the account knows it.
FOLDERS: Final = ("INBOX", "Labels/Work", "All Mail", "Folders/Receipts", "Starred", "Archive")


def deliver(account: Account, day: int, *, unread: bool) -> None:
    """A mail arrives, with a date of its own: days repeat, and later mail may be older."""
    word = WORDS[day % len(WORDS)]
    text = (
        f"From: Ben Okafor <ben@okafor.example>\r\nTo: Ada Keller <ada@keller.example>\r\nSubject: Mail of day {day}\r\n"
        f"Date: Thu, 01 Jan 2026 00:00:00 +0000\r\nMessage-ID: <{len(account.messages)}@okafor.example>\r\n\r\nThe {word} is here.\r\n"
    )
    elsewhere.deliver(account, text.encode(), now=NEW_YEAR + DAY_S * day, unread=unread)


def _delete(account: Account, message: AccountMessage) -> None:
    del account.messages[message.id]


def _set(**changes: bool) -> Callable[[Account, AccountMessage], None]:
    def change(_: Account, message: AccountMessage) -> None:
        for name, value in changes.items():
            setattr(message, name, value)

    return change


def _into(mailbox: str) -> Callable[[Account, AccountMessage], None]:
    def change(account: Account, message: AccountMessage) -> None:
        label = account.labels.by_mailbox_name(mailbox)
        assert label is not None
        message.add_label(label)

    return change


def _out_of(mailbox: str) -> Callable[[Account, AccountMessage], None]:
    def change(account: Account, message: AccountMessage) -> None:
        label = account.labels.by_mailbox_name(mailbox)
        assert label is not None
        message.remove_label(label)

    return change


_OF_ONE: Final[dict[str, Callable[[Account, AccountMessage], None]]] = {
    "delete": _delete,
    "star": _set(starred=True),
    "unstar": _set(starred=False),
    "read": _set(unread=False),
    "unread": _set(unread=True),
    "answer": _set(replied=True),
    "forward": _set(forwarded=True),
    "archive": _into("Archive"),
    "receipt": _into("Folders/Receipts"),
    "home": _into(ids.SYSTEM_NAMES[ids.INBOX]),
    "work": _into("Labels/Work"),
    "no work": _out_of("Labels/Work"),
}
KINDS: Final = ("deliver", "deliver unread", *_OF_ONE)


def change(bridge: Bridge, kind: str, number: int) -> None:
    """Something happens on the account; it shows at the next poll. `number` says to which mail, or which day a new one has."""
    account = bridge.account
    if kind.startswith("deliver"):
        deliver(account, number, unread=kind == "deliver unread")
        return
    messages = list(account.messages.values())
    if messages:
        message = messages[number % len(messages)]
        _OF_ONE[kind](account, message)
        account.events.message(message.id)
