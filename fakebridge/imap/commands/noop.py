"""NOOP: tells what waits, EXPUNGE too (bridge-behaviour 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class NoopCommand:
    """NOOP: no arguments."""

    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "NOOP"

    @classmethod
    def parse(cls, scanner: Scanner) -> NoopCommand:  # noqa: ARG003 - nothing to read
        """No arguments."""
        return cls()

    def line(self) -> str:
        """As sent."""
        return "NOOP"

    async def run(self, session: Session) -> Done:
        """A flush, if something is selected."""
        if session.selected() is not None:
            session.flush(expunge=True)
        return Done()
