"""CREATE, DELETE, RENAME, SUBSCRIBE, UNSUBSCRIBE (bridge-behaviour 2.5 to 2.7; dialogues 10, 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.answers import No
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import OneMailbox
from fakebridge.imap.mailbox_names import decode_mailbox
from fakebridge.imap.printing import name_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session

DELETED = b"* BYE Mailbox was deleted, have to disconnect."


@dataclass(frozen=True, slots=True)
class CreateCommand(OneMailbox):
    """A folder or label to make."""

    verb: ClassVar[str] = "CREATE"

    async def run(self, session: Session) -> Done:
        """Missing parents are made too."""
        name = decode_mailbox(self.name)
        if name.upper() == "INBOX":
            raise No("cannot create INBOX")
        await session.bridge.mailboxes(session.home).create(name)
        return Done("CREATE")


@dataclass(frozen=True, slots=True)
class DeleteCommand(OneMailbox):
    """A folder or label to delete."""

    verb: ClassVar[str] = "DELETE"

    async def run(self, session: Session) -> Done:
        """When it was selected here, BYE follows the tagged line."""
        name = decode_mailbox(self.name)
        if name.upper() == "INBOX":
            raise No("cannot delete INBOX")
        gone = await session.bridge.mailboxes(session.home).delete(name)
        if session.selected() is gone:
            session.write_after(DELETED)
        return Done("DELETE")


@dataclass(frozen=True, slots=True)
class RenameCommand:
    """A folder or label that gets another name."""

    old: bytes
    new: bytes
    needs: ClassVar[Needs] = Needs.LOGIN
    verb: ClassVar[str] = "RENAME"

    @classmethod
    def parse(cls, scanner: Scanner) -> RenameCommand:
        """Two mailbox names."""
        grammar.after_command(scanner)
        old = grammar.mailbox(scanner)
        grammar.space(scanner, "expected space after mailbox")
        return cls(old, grammar.mailbox(scanner))

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {name_text(self.old)} {name_text(self.new)}"

    async def run(self, session: Session) -> Done:
        """Children follow."""
        old, new = decode_mailbox(self.old), decode_mailbox(self.new)
        await session.bridge.mailboxes(session.home).rename(old, new, session=session.number)
        return Done("RENAME")


@dataclass(frozen=True, slots=True)
class SubscribeCommand:
    """SUBSCRIBE or UNSUBSCRIBE."""

    verb: str
    name: bytes
    needs: ClassVar[Needs] = Needs.LOGIN

    @classmethod
    def parse(cls, scanner: Scanner) -> SubscribeCommand:
        """SUBSCRIBE."""
        grammar.after_command(scanner)
        return cls("SUBSCRIBE", grammar.mailbox(scanner))

    @classmethod
    def parse_unsubscribe(cls, scanner: Scanner) -> SubscribeCommand:
        """UNSUBSCRIBE."""
        grammar.after_command(scanner)
        return cls("UNSUBSCRIBE", grammar.mailbox(scanner))

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {name_text(self.name)}"

    async def run(self, session: Session) -> Done:
        """Local only."""
        name = decode_mailbox(self.name)
        mailboxes = session.bridge.mailboxes(session.home)
        if self.verb == "SUBSCRIBE":
            mailboxes.subscribe(name)
            return Done("SUB")
        mailboxes.unsubscribe(name)
        return Done("UNSUBSCRIBE")
