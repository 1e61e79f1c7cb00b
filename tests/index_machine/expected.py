"""What a list has to say, worked out anew from fakebridge's own store: no index, no news, no cursor."""

from __future__ import annotations

from dataclasses import dataclass

from fakebridge.bridge.service import Bridge


@dataclass(frozen=True, slots=True)
class Mail:
    r"""A mail as a folder holds it. `flags` in lower case, without `\recent`, which belongs to a session."""

    uid: int
    received: int
    flags: frozenset[str]
    words: bytes

    @property
    def position(self) -> tuple[int, int]:
        """Its place in the order, by date received and then uid."""
        return self.received, self.uid


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder's UIDVALIDITY and its mails, newest first."""

    uid_validity: int
    mails: tuple[Mail, ...]


def folder(bridge: Bridge, name: str) -> Folder:
    """The folder as it is now."""
    mailbox = bridge.connectors[0].store.by_name[name]
    mails = [
        Mail(
            message.homes[mailbox.number],
            message.date,
            frozenset(flag.lower() for flag in mailbox.flags_of(message)),
            message.literal().lower(),
        )
        for message in mailbox.messages
    ]
    mails.sort(key=lambda mail: mail.position, reverse=True)
    return Folder(mailbox.uid_validity, tuple(mails))
