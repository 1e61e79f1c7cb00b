"""CAPABILITY (bridge-behaviour 1.2): the full list after login, a shorter one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import BEFORE_LOGIN, Session


@dataclass(frozen=True, slots=True)
class CapabilityCommand(WithoutArguments):
    """CAPABILITY: no arguments."""

    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "CAPABILITY"

    async def run(self, session: Session) -> Done:
        """One line."""
        names = session.capabilities
        if session.connector is None:
            names = tuple(name for name in names if name in BEFORE_LOGIN or name in session.added)
        session.untagged("CAPABILITY", b"* CAPABILITY " + " ".join(names).encode())
        return Done("CAPABILITY")
