"""STARTTLS: carried out by the reader, before commands that still wait (bridge-behaviour 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class StarttlsCommand:
    """STARTTLS: no arguments."""

    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "STARTTLS"

    @classmethod
    def parse(cls, scanner: Scanner) -> StarttlsCommand:  # noqa: ARG003 - nothing to read
        """No arguments."""
        return cls()

    def line(self) -> str:
        """As sent."""
        return "STARTTLS"

    async def run(self, session: Session) -> Done:  # noqa: ARG002 - the handshake is the server's affair
        """The tagged line; the server starts the handshake behind it."""
        return Done("Begin TLS negotiation now")
