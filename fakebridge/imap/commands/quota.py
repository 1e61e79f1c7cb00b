"""GETQUOTA and GETQUOTAROOT, which only later builds have (bridge-behaviour 0.3; RFC 9208). The figures are invented; off by default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.answers import quoted
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.mailbox_names import decode_mailbox
from fakebridge.imap.printing import name_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session

LIMIT_KILOBYTES = 1_048_576


@dataclass(frozen=True, slots=True)
class QuotaCommand:
    """The quota of a root, or the roots of a mailbox with theirs."""

    verb: str
    name: bytes
    needs: ClassVar[Needs] = Needs.LOGIN

    @classmethod
    def parse(cls, scanner: Scanner) -> QuotaCommand:
        """GETQUOTA: the name of a root."""
        grammar.after_command(scanner)
        return cls("GETQUOTA", scanner.astring().value)

    @classmethod
    def parse_root(cls, scanner: Scanner) -> QuotaCommand:
        """GETQUOTAROOT: a mailbox."""
        grammar.after_command(scanner)
        return cls("GETQUOTAROOT", grammar.mailbox(scanner))

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {name_text(self.name)}"

    async def run(self, session: Session) -> Done:
        """One root without a name for the whole account."""
        if self.verb == "GETQUOTAROOT":
            session.home.mailbox(decode_mailbox(self.name))
            session.untagged("QUOTAROOT", b"* QUOTAROOT " + quoted(self.name.decode("utf-8", "surrogateescape")) + b' ""')
        used = len(session.home.account.messages)
        session.untagged("QUOTA", b'* QUOTA "" (STORAGE %d %d)' % (used, LIMIT_KILOBYTES))
        return Done(self.verb)
