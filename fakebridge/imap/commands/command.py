"""What every command module provides. A command is a frozen value: its arguments, in the form in which they were sent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from fakebridge.imap.session import Session


class Needs(Enum):
    """The state a command needs (bridge-behaviour 1.7)."""

    ANY = "any"
    LOGIN = "login"
    SELECTED = "selected"


@dataclass(frozen=True, slots=True)
class Done:
    """The tagged OK. Without `text` it is the time that the command took; `code` stands in brackets in front."""

    text: str | None = None
    code: str = ""


class Command(Protocol):
    """One command with its arguments."""

    needs: ClassVar[Needs]

    @property
    def verb(self) -> str:
        """The name in upper case, with `UID ` in front where that was said."""
        ...

    def line(self) -> str:
        """The command as sent, for the journal: literals as {n}, secrets as ***."""
        ...

    async def run(self, session: Session) -> Done:
        """Carry it out: write untagged lines, return the tagged one, or raise `No` or `Bad`."""
        ...
