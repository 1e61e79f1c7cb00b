"""IDLE (bridge-behaviour 3.3): begins here, goes on in `fakebridge.imap.idling`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.idling import Idling
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class IdleCommand:
    """IDLE: no arguments."""

    needs: ClassVar[Needs] = Needs.LOGIN
    verb: ClassVar[str] = "IDLE"

    @classmethod
    def parse(cls, scanner: Scanner) -> IdleCommand:  # noqa: ARG003 - nothing to read
        """No arguments."""
        return cls()

    def line(self) -> str:
        """As sent."""
        return "IDLE"

    async def run(self, session: Session) -> Done:
        """The continuation and what waits; the tagged line comes when IDLE ends."""
        session.idling = Idling(session, session.tag)
        return Done("IDLE")
