"""A message on the account, with the label rules of Proton (bridge-behaviour 6.1): one place at most, any set of labels, a star."""

from __future__ import annotations

from dataclasses import dataclass, field

from fakebridge.account import labels as ids
from fakebridge.account.contents import AccountContent
from fakebridge.account.labels import Label, LabelKind
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.flags import Flags
from fakebridge.message.stored import Origin

NOWHERE = ""
BY_ORIGIN = None


HOME = {Origin.RECEIVED: ids.INBOX, Origin.SENT: ids.SENT, Origin.DRAFT: ids.DRAFTS}


@dataclass(slots=True, eq=False)
class AccountMessage:
    """One message. `time`: seconds since 1970.

    `place` is None for the home of its origin, "" for nowhere, else the id of Archive, Spam, Trash or a folder.
    `identity` is the UUID that a store has given it before, if the world says so.
    """

    id: str
    address: str
    origin: Origin
    time: int
    content: AccountContent
    unread: bool = False
    starred: bool = False
    replied: bool = False
    forwarded: bool = False
    place: str | None = BY_ORIGIN
    labels: list[str] = field(default_factory=list)
    identity: str | None = None

    def label_ids(self) -> list[str]:
        """Every label whose mailbox shows the message."""
        result = [ids.ALL_MAIL]
        if self.starred:
            result.append(ids.STARRED)
        if self.place is BY_ORIGIN:
            result.append(HOME[self.origin])
        elif self.place != NOWHERE:
            result.append(self.place)
        return result + self.labels

    def flags(self) -> Flags:
        """The IMAP flags that follow from the account's data (4.4)."""
        flags = []
        if not self.unread:
            flags.append(flagset.SEEN)
        if self.starred:
            flags.append(flagset.FLAGGED)
        if self.origin is Origin.DRAFT:
            flags.append(flagset.DRAFT)
        if self.replied:
            flags.append(flagset.ANSWERED)
        if self.forwarded:
            flags += flagset.FORWARDED
        return frozenset(flags)

    def add_label(self, label: Label) -> None:
        """What labelling does: a folder or Archive, Spam, Trash becomes the place; INBOX, Sent, Drafts mean back home; labels add up."""
        if label.id in (ids.INBOX, ids.SENT, ids.DRAFTS, ids.SCHEDULED):
            self.place = BY_ORIGIN
        elif label.id == ids.STARRED:
            self.starred = True
        elif label.kind is LabelKind.LABEL:
            if label.id not in self.labels:
                self.labels.append(label.id)
        else:
            self.place = label.id

    def remove_label(self, label: Label) -> None:
        """What taking a label off does: the current place becomes nowhere, any other label is simply gone."""
        if label.id in (ids.INBOX, ids.SENT, ids.DRAFTS, ids.SCHEDULED):
            if self.place is BY_ORIGIN:
                self.place = NOWHERE
        elif label.id == ids.STARRED:
            self.starred = False
        elif label.kind is LabelKind.LABEL:
            if label.id in self.labels:
                self.labels.remove(label.id)
        elif self.place == label.id:
            self.place = NOWHERE
