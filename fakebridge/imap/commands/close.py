"""CLOSE: expunges without a word, then leaves the mailbox (bridge-behaviour 3.2, 6.5; dialogue 28)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.forms import WithoutArguments
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class CloseCommand(WithoutArguments):
    """CLOSE: no arguments."""

    needs: ClassVar[Needs] = Needs.SELECTED
    verb: ClassVar[str] = "CLOSE"

    async def run(self, session: Session) -> Done:
        """After EXAMINE nothing is expunged. A refusal (All Mail) leaves the mailbox selected."""
        view = session.view
        if not view.read_only:
            await session.home.expunge(view.mailbox, [view.messages[place] for place in view.marked_deleted()])
        session.flush_without_expunges()
        session.place.unselect()
        return Done("CLOSE")
