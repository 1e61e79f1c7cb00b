"""UNSELECT: leaves the mailbox and expunges nothing (bridge-behaviour 6.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class UnselectCommand(WithoutArguments):
    """UNSELECT: no arguments."""

    needs: ClassVar[Needs] = Needs.SELECTED
    verb: ClassVar[str] = "UNSELECT"

    async def run(self, session: Session) -> Done:
        """Nothing is told any more."""
        session.place.unselect()
        return Done("UNSELECT")
