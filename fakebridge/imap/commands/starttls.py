"""STARTTLS: carried out by the reader, before commands that still wait (bridge-behaviour 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class StarttlsCommand(WithoutArguments):
    """STARTTLS: no arguments."""

    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "STARTTLS"

    async def run(self, session: Session) -> Done:  # noqa: ARG002 - the handshake is the server's affair
        """The tagged line; the server starts the handshake behind it."""
        return Done("Begin TLS negotiation now")
