"""SELECT and EXAMINE (bridge-behaviour 3.1; dialogues 12, 26)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.answers import octets
from fakebridge.imap.commands.command import Done
from fakebridge.imap.commands.forms import OneMailbox
from fakebridge.imap.mailbox_names import decode_mailbox
from fakebridge.imap.session import Session
from fakebridge.mailstore import flags as flagset


@dataclass(frozen=True, slots=True)
class SelectCommand(OneMailbox):
    """A mailbox to read and write."""

    verb: ClassVar[str] = "SELECT"

    async def run(self, session: Session) -> Done:
        """The mailbox as it is now; a missing one leaves the old selection in place."""
        open_mailbox(session, self.name, read_only=False)
        return Done("SELECT", "READ-WRITE")


@dataclass(frozen=True, slots=True)
class ExamineCommand(OneMailbox):
    """A mailbox to read."""

    verb: ClassVar[str] = "EXAMINE"

    async def run(self, session: Session) -> Done:
        r"""As SELECT, but the response codes have no text, and `\Recent` stays for the next one."""
        open_mailbox(session, self.name, read_only=True)
        return Done("EXAMINE", "READ-ONLY")


def open_mailbox(session: Session, name: bytes, *, read_only: bool) -> None:
    """Take the view and say what is in it."""
    mailbox = session.home.mailbox(decode_mailbox(name))
    view = session.place.select(mailbox, read_only=read_only)
    validity = mailbox.uid_validity + session.bridge.validity_shift
    codes = [
        (f"PERMANENTFLAGS {flagset.text(mailbox.permanent_flags)}", "Flags permitted"),
        (f"UIDNEXT {mailbox.uid_next}", "Predicted next UID"),
        (f"UIDVALIDITY {validity}", "UIDs valid"),
    ]
    unseen = view.first_unseen()
    if unseen is not None:
        codes.append((f"UNSEEN {unseen}", "Unseen messages"))
    session.untagged("FLAGS", octets(f"* FLAGS {flagset.text(mailbox.flags)}"))
    session.untagged("EXISTS", b"* %d EXISTS" % len(view))
    session.untagged("RECENT", b"* %d RECENT" % len(view.recent))
    for code, text in codes:
        session.untagged("OK", octets(f"* OK [{code}]" if read_only else f"* OK [{code}] {text}"))
