"""CHECK: a flush point like NOOP (bridge-behaviour 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class CheckCommand:
    """CHECK: no arguments."""

    needs: ClassVar[Needs] = Needs.SELECTED
    verb: ClassVar[str] = "CHECK"

    @classmethod
    def parse(cls, scanner: Scanner) -> CheckCommand:  # noqa: ARG003 - nothing to read
        """No arguments."""
        return cls()

    def line(self) -> str:
        """As sent."""
        return "CHECK"

    async def run(self, session: Session) -> Done:
        """A flush."""
        session.flush(expunge=True)
        return Done("CHECK")
