"""LOGIN (bridge-behaviour 1.6; dialogues 01 to 03)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.answers import Bad
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.printing import name_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class LoginCommand:
    """User and password. The password is in no text that this value prints."""

    user: bytes
    password: bytes = field(repr=False)
    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "LOGIN"

    @classmethod
    def parse(cls, scanner: Scanner) -> LoginCommand:
        """Two strings of any form."""
        grammar.after_command(scanner)
        user = scanner.astring().value
        grammar.space(scanner, "expected space after userid")
        return cls(user, scanner.astring().value)

    def line(self) -> str:
        """As sent, the password hidden."""
        return f"LOGIN {name_text(self.user)} ***"

    async def run(self, session: Session) -> Done:
        """The capabilities, or the same refusal for a wrong user and a wrong password."""
        return await authenticate(session, self.user, self.password)


async def authenticate(session: Session, user: bytes, password: bytes) -> Done:
    """What LOGIN and AUTHENTICATE share."""
    if session.connector is not None:
        raise Bad("session is already authenticated")
    name = user.decode("utf-8", "replace")
    connector = await session.bridge.log_in(name, password.decode("utf-8", "replace"), session=session.number)
    session.log_in(name, connector)
    return Done("Logged in", "CAPABILITY " + " ".join(session.capabilities))
