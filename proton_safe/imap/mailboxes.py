"""Mailboxes as LIST names them (RFC 3501 7.2.2), their special use (RFC 6154), and which one a caller means. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from proton_safe.imap import modified_utf7
from proton_safe.imap.grammar import Atom

if TYPE_CHECKING:
    from collections.abc import Iterable

    from proton_safe.imap.grammar import Value

MAX_NAME_OCTETS: Final = 1_024
MAX_MAILBOXES: Final = 10_000


class Role(StrEnum):
    """What a mailbox is for."""

    INBOX = "inbox"
    DRAFTS = "drafts"
    SENT = "sent"
    FLAGGED = "flagged"
    ARCHIVE = "archive"
    JUNK = "junk"
    TRASH = "trash"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class MailboxName:
    """One mailbox: its decoded name, its name as Bridge spells it (printable ASCII), its special use, whether it can hold mail."""

    name: str
    raw_name: str
    role: Role | None
    selectable: bool


INBOX: Final = MailboxName("INBOX", "INBOX", Role.INBOX, selectable=True)
_ROLES: Final = {f"\\{role.value}": role for role in Role if role is not Role.INBOX}


def is_inbox(name: str) -> bool:
    """Whether a caller means the inbox (RFC 3501 5.1): its name in any case of ASCII letters. DOTLESS I is another letter."""
    return name.isascii() and name.upper() == INBOX.name


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """The answer to one LIST, INBOX first, then by decoded name. `skipped`: rows that could not be read."""

    names: tuple[MailboxName, ...]
    skipped: int = 0

    def find(self, name: str) -> MailboxName | None:
        """The mailbox that a caller means: exact decoded name, then exact raw name, INBOX in any letter case."""
        if is_inbox(name):
            return next((known for known in self.names if known.role is Role.INBOX), INBOX)
        by_name = next((known for known in self.names if known.name == name), None)
        return by_name or next((known for known in self.names if known.raw_name == name), None)

    def by_role(self, role: Role) -> MailboxName | None:
        """The selectable mailbox of this special use."""
        return next((known for known in self.names if known.role is role and known.selectable), None)


def read(rows: Iterable[tuple[Value, ...]]) -> Mailboxes:
    """The mailboxes of the LIST responses (attributes, delimiter, name); a row that can't be read is counted, not raised."""
    found: dict[str, MailboxName] = {}
    skipped = 0
    for row in rows:
        mailbox = _mailbox(row)
        if mailbox is None or mailbox.raw_name in found or len(found) == MAX_MAILBOXES:
            skipped += 1
        else:
            found[mailbox.raw_name] = mailbox
    ordered = sorted(
        found.values(), key=lambda mailbox: (mailbox.role is not Role.INBOX, mailbox.name.casefold(), mailbox.name, mailbox.raw_name)
    )
    return Mailboxes(tuple(ordered), skipped)


def _mailbox(row: tuple[Value, ...]) -> MailboxName | None:
    if len(row) != 3:
        return None
    attributes, _, raw = row
    if not isinstance(attributes, tuple) or not isinstance(raw, bytes) or not 0 < len(raw) <= MAX_NAME_OCTETS:
        return None
    if not all(0x20 <= octet < 0x7F for octet in raw):
        return None  # such a name can't be sent back
    name = modified_utf7.decode(raw)
    if not name:
        return None
    words = {word.decode("ascii").lower() for word in attributes if isinstance(word, Atom)}
    role = Role.INBOX if raw.upper() == b"INBOX" else next((role for word, role in _ROLES.items() if word in words), None)
    return MailboxName(name, raw.decode("ascii"), role, selectable=not words & {"\\noselect", "\\nonexistent"})
