"""IDLE (bridge-behaviour 3.3): begins here, goes on in `fakebridge.imap.idling`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.idling import Idling
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class IdleCommand(WithoutArguments):
    """IDLE: no arguments."""

    needs: ClassVar[Needs] = Needs.LOGIN
    verb: ClassVar[str] = "IDLE"

    async def run(self, session: Session) -> Done:
        """The continuation and what waits; the tagged line comes when IDLE ends."""
        session.idling = Idling(session, session.tag)
        return Done("IDLE")
