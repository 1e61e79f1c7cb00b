"""NOOP: tells what waits, EXPUNGE too (bridge-behaviour 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class NoopCommand(WithoutArguments):
    """NOOP: no arguments."""

    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "NOOP"

    async def run(self, session: Session) -> Done:
        """A flush, if something is selected."""
        if session.selected() is not None:
            session.flush(expunge=True)
        return Done()
