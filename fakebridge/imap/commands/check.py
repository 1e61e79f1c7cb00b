"""CHECK: a flush point like NOOP (bridge-behaviour 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class CheckCommand(WithoutArguments):
    """CHECK: no arguments."""

    needs: ClassVar[Needs] = Needs.SELECTED
    verb: ClassVar[str] = "CHECK"

    async def run(self, session: Session) -> Done:
        """A flush."""
        session.flush(expunge=True)
        return Done("CHECK")
