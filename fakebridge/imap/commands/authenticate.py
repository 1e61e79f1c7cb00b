"""AUTHENTICATE PLAIN: no initial response, a continuation without a blank, refusals as syntax errors.

Facts: bridge-behaviour 1.6; dialogue 04.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.commands.login import authenticate
from fakebridge.imap.scanner import CR, LF, Scanner
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class AuthenticateCommand:
    """User and password out of the SASL answer; the authorization identity is ignored."""

    user: bytes
    password: bytes = field(repr=False)
    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "AUTHENTICATE"

    @classmethod
    def parse(cls, scanner: Scanner) -> AuthenticateCommand:
        """The mechanism, then the client's answer on a line of its own."""
        grammar.after_command(scanner)
        mechanism = scanner.astring()
        if mechanism.lower() != "plain":
            raise scanner.fail("unsupported authentication mechanism")
        scanner.expect(b"\r", "expected CR")
        if scanner.current() != LF:
            raise scanner.fail("expected LF after CR")
        scanner.take()
        scanner.announce_bare()
        if scanner.accept(b"*"):
            raise scanner.fail("client aborted authentication")
        answer = scanner.run(lambda octet: octet not in (CR, LF)).value
        try:
            fields = base64.b64decode(answer, validate=True).split(b"\0")
        except binascii.Error:
            raise scanner.fail("invalid base64 content") from None
        if len(fields) != 3:
            raise scanner.fail("invalid authentication data")
        return cls(fields[1], fields[2])

    def line(self) -> str:
        """As sent, the answer hidden."""
        return "AUTHENTICATE PLAIN ***"

    async def run(self, session: Session) -> Done:
        """As LOGIN."""
        return await authenticate(session, self.user, self.password)
