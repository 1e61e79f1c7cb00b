"""DONE: ends IDLE; anywhere else it is a bad command without a tag (bridge-behaviour 1.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.answers import No
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class DoneCommand(WithoutArguments):
    """DONE: no arguments."""

    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "DONE"

    async def run(self, session: Session) -> Done:  # noqa: ARG002 - outside IDLE it is refused whatever the state
        """Always refused: inside IDLE it does not come here."""
        raise No("bad command")
