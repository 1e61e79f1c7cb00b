"""LOGOUT (bridge-behaviour 1.10): BYE without a text, then the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class LogoutCommand(WithoutArguments):
    """LOGOUT: no arguments."""

    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "LOGOUT"

    async def run(self, session: Session) -> Done:
        """BYE, the tagged OK, and the socket is closed."""
        session.untagged("BYE", b"* BYE")
        session.closing = True
        return Done("LOGOUT")
