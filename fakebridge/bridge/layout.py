"""Which mailboxes Bridge shows, with which attributes and flags (bridge-behaviour 2.1, 2.3)."""

from __future__ import annotations

from fakebridge.account import labels as ids
from fakebridge.account.labels import Label, LabelBook, LabelKind
from fakebridge.mailstore.mailbox import Mailbox, Visibility
from fakebridge.mailstore.store import MailStore
from fakebridge.mailstore.validity import UidValidities
from fakebridge.profile import Profile

RECOVERED = "Recovered Messages"
RECOVERED_LABEL = "recovered"
PLACEHOLDERS = ("Folders", "Labels")

DEFAULT_FLAGS = frozenset(("$Forwarded", "Forwarded", "\\Deleted", "\\Flagged", "\\Seen"))
ALL_MAIL_FLAGS = frozenset(("\\Flagged", "\\Seen"))
FORWARD_FLAGS = frozenset(("$Forwarded", "Forwarded"))

SPECIAL_USE = {
    ids.DRAFTS: "\\Drafts",
    ids.SENT: "\\Sent",
    ids.STARRED: "\\Flagged",
    ids.ARCHIVE: "\\Archive",
    ids.SPAM: "\\Junk",
    ids.TRASH: "\\Trash",
    ids.ALL_MAIL: "\\All",
}


def lay_out(store: MailStore, labels: LabelBook, validities: UidValidities, profile: Profile) -> None:
    """Make all mailboxes of an account in an empty store."""
    store.create_mailbox(
        RECOVERED,
        label=RECOVERED_LABEL,
        attributes=frozenset(("\\Noinferiors",)),
        flags=DEFAULT_FLAGS,
        uid_validity=validities.new(),
        visibility=Visibility.HIDDEN_IF_EMPTY,
    )
    for name in PLACEHOLDERS:
        store.create_mailbox(name, label=name, attributes=frozenset(("\\Noselect",)), flags=DEFAULT_FLAGS, uid_validity=validities.new())
    for label in ids.SYSTEM_NAMES:
        system = labels.get(label)
        if system is not None:
            create(store, system, uid_validity=validities.new(), profile=profile)
    for own in labels.own():
        create(store, own, uid_validity=validities.new(), profile=profile)


def create(store: MailStore, label: Label, *, uid_validity: int, profile: Profile) -> Mailbox:
    """The mailbox of one label."""
    attributes = set()
    visibility = Visibility.VISIBLE
    if label.kind is LabelKind.SYSTEM:
        attributes = {"\\Noinferiors"}
        if label.id in SPECIAL_USE:
            attributes.add(SPECIAL_USE[label.id])
        if label.id == ids.SCHEDULED:
            visibility = Visibility.HIDDEN_IF_EMPTY
        if label.id == ids.ALL_MAIL and not profile.show_all_mail:
            visibility = Visibility.HIDDEN
    return store.create_mailbox(
        label.mailbox_name,
        label=label.id,
        attributes=frozenset(attributes),
        flags=ALL_MAIL_FLAGS if label.id == ids.ALL_MAIL else DEFAULT_FLAGS,
        uid_validity=uid_validity,
        visibility=visibility,
    )


def add_forward_keywords(store: MailStore) -> None:
    """What every later start of the account does to the mailboxes that exist (2.3; seen on All Mail, dialogue 44)."""
    for mailbox in store.by_name.values():
        mailbox.flags |= FORWARD_FLAGS
        mailbox.permanent_flags |= FORWARD_FLAGS
