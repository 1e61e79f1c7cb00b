"""One SMTP connection: aiosmtpd's protocol with Bridge's dialogue.

Replaced in aiosmtpd: the command loop (greeting, verbs of four letters, error counting, line limit, no time limit), every command that
Bridge answers otherwise (all but the TLS upgrade, whose text alone is changed), SASL, and DATA with its checks after the last dot.
Facts: bridge-behaviour 7; dialogues 32, 33, 34.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import ssl
from collections.abc import Awaitable, Callable
from typing import Final

from aiosmtpd.smtp import SMTP, TLSSetupException

from fakebridge.faults.kinds import FaultKind
from fakebridge.journal import Kind
from fakebridge.smtp import arguments, faulty, sasl
from fakebridge.smtp.arguments import BadArgument
from fakebridge.smtp.receiving import read_chunk, read_data
from fakebridge.smtp.sasl import Credentials, SaslError
from fakebridge.smtp.sending import Sending
from fakebridge.smtp.submission import Refused, Submission

_GREETING: Final = "220 127.0.0.1 ESMTP Service Ready"
_LINE_LIMIT: Final = 65536
_MAX_ERRORS: Final = 3
_YEARS: Final = 10.0 * 365 * 86400
_TEXTS: Final = {"220 Ready to start TLS": "220 2.0.0 Ready to start TLS"}
_TOO_LONG: Final = "500 5.4.0 Too long line, closing connection"
_LONG_LINE: Final = "failed to read message: smtp: too long a line in input stream"
_NOT_IMPLEMENTED: Final = ("SEND", "SOML", "SAML", "EXPN", "HELP", "TURN")


class _Closed(Exception):
    """The connection is to be closed now."""


class SmtpSession(SMTP):
    """A protocol for ``loop.create_server``. ``number`` names it in the journal; ``tls`` says that the listener speaks TLS itself."""

    line_length_limit = _LINE_LIMIT

    def __init__(
        self,
        submission: Submission,
        sending: Sending,
        *,
        tls_context: ssl.SSLContext,
        number: int,
        implicit_tls: bool = False,
        on_close: Callable[[SmtpSession], None] = lambda _: None,
    ) -> None:
        super().__init__(
            None, tls_context=tls_context, timeout=_YEARS, hostname="127.0.0.1", loop=asyncio.get_running_loop(), data_size_limit=None
        )
        self._submission = submission
        self._sending = sending
        self._number = number
        self._on_close = on_close
        self._encrypted = implicit_tls
        self._faults = faulty.SmtpFaults(submission, number)
        self._has_starttls = True
        self._loses_answer = False
        self._errors = 0
        self._client = ""
        self._logged_in = False
        self._user: str | None = None
        self._sender: str | None = None
        # Bridge's session knows fewer recipients than the connection: empty ones are not recorded, a second EHLO forgets them.
        self._recipients: list[str] = []
        self._accepted = 0
        self._envelope_from = ""
        self._chunks: bytearray | None = None
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "HELO": self._hello,
            "EHLO": self._extended_hello,
            "MAIL": self._mail,
            "RCPT": self._rcpt,
            "DATA": self._data,
            "BDAT": self._bdat,
            "AUTH": self._auth,
            "STARTTLS": self._starttls,
            "RSET": self._rset,
            "NOOP": self._noop,
            "VRFY": self._vrfy,
            "QUIT": self._quit,
            "LHLO": self._lhlo,
        }

    def close(self) -> None:
        """Close the socket without a word."""
        if self.transport is not None:
            self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """The socket is closed."""
        self._submission.journal.record(Kind.SMTP, session=self._number, what="close")
        self._on_close(self)
        super().connection_lost(error)

    async def push(self, status: str | bytes) -> None:
        """Answer with one line."""
        text = status if isinstance(status, str) else status.decode("utf-8", "surrogateescape")
        text = _TEXTS.get(text, text)
        if self._loses_answer and not text.startswith("3"):
            raise _Closed
        self._submission.journal.record(Kind.SMTP, session=self._number, what="answer", line=text)
        self._writer.write(text.encode("utf-8", "surrogateescape") + b"\r\n")
        await self._writer.drain()

    async def _handle_client(self) -> None:
        self._submission.journal.record(Kind.SMTP, session=self._number, what="connect")
        try:
            await self._greet()
            while self.transport is not None:
                await self._one_command()
        except (_Closed, ConnectionError, asyncio.IncompleteReadError, TLSSetupException):
            self.close()
        except asyncio.CancelledError:
            self._writer.close()
            raise

    async def _greet(self) -> None:
        greeting = self._faults.greeting()
        self._has_starttls = greeting.has_starttls
        if greeting.seconds:
            await asyncio.sleep(greeting.seconds)
        if greeting.is_said:
            await self.push(_GREETING)

    async def _one_command(self) -> None:
        try:
            line = await self._line()
        except asyncio.LimitOverrunError:
            await self.push(_TOO_LONG)
            raise _Closed from None
        found = arguments.command(line)
        if found is None:
            await self._bad("501 5.5.2 Bad command")
            return
        verb, argument = found
        shown = "***" if verb == "AUTH" else argument
        self._submission.journal.record(Kind.SMTP, session=self._number, what="command", verb=verb, argument=shown)
        if await self._is_hit(verb):
            return
        handler = self._commands.get(verb)
        try:
            if handler is not None:
                await handler(argument)
            elif verb in _NOT_IMPLEMENTED:
                await self.push(f"502 5.5.1 {verb} command not implemented")
            elif verb:
                await self._bad(f"500 5.5.2 Syntax errors, {verb} command unrecognized")
            else:
                await self._bad("500 5.5.2 Error: bad syntax")
        except BadArgument as refused:
            await self.push(refused.reply)

    async def _is_hit(self, verb: str) -> bool:
        """Whether a fault takes the command's place."""
        rule = self._faults.command(verb)
        if rule is None:
            return False
        if rule.do is FaultKind.DROP:
            raise _Closed
        self._loses_answer = rule.do is FaultKind.ANSWER_LOST
        said = faulty.reply(rule)
        if said is not None:
            await self.push(said)
        return not self._loses_answer

    async def _line(self) -> str:
        octets = await self._reader.readuntil(b"\n")
        return octets.rstrip(b"\r\n").decode("utf-8", "surrogateescape")

    async def _bad(self, reply: str) -> None:
        """An error of the protocol; the fourth one ends the session."""
        await self.push(reply)
        self._errors += 1
        if self._errors > _MAX_ERRORS:
            await self.push("500 5.5.1 Too many errors. Quiting now")
            raise _Closed

    async def _hello(self, argument: str) -> None:
        self._begin(arguments.host(argument))
        await self.push(f"250 2.0.0 Hello {self._client}")

    async def _extended_hello(self, argument: str) -> None:
        self._begin(arguments.host(argument))
        extensions = ["PIPELINING", "8BITMIME", "ENHANCEDSTATUSCODES", "CHUNKING"]
        if not self._encrypted and self._has_starttls:
            extensions.append("STARTTLS")
        lines = [f"Hello {self._client}", *extensions, "AUTH PLAIN LOGIN"]
        for line in lines:
            await self.push(f"250-{line}")
        await self.push("250 SIZE")

    def _begin(self, client: str) -> None:
        """A new session on the same connection: the login is forgotten, that there was one is not."""
        self._client = client
        self._user = None
        self._envelope_from = ""
        self._recipients = []

    def _reset(self) -> None:
        self._sender = None
        self._accepted = 0
        self._envelope_from = ""
        self._recipients = []
        self._chunks = None

    async def _lhlo(self, _: str) -> None:
        await self.push("500 5.5.1 This is not a LMTP server")

    async def _rset(self, _: str) -> None:
        self._reset()
        await self.push("250 2.0.0 Session reset")

    async def _noop(self, _: str) -> None:
        await self.push("250 2.0.0 I have sucessfully done nothing")

    async def _vrfy(self, _: str) -> None:
        await self.push("252 2.5.0 Cannot VRFY user, but will accept message")

    async def _quit(self, _: str) -> None:
        await self.push("221 2.0.0 Bye")
        raise _Closed

    async def _starttls(self, _: str) -> None:
        if not self._has_starttls:
            await self._bad("500 5.5.2 Syntax errors, STARTTLS command unrecognized")
            return
        if self._encrypted:
            await self.push("502 5.5.1 Already running in TLS")
            return
        await self.smtp_STARTTLS("")
        self._submission.journal.record(Kind.SMTP, session=self._number, what="tls")
        self._encrypted = True
        self._client, self._user, self._logged_in = "", None, False
        self._reset()

    async def _auth(self, argument: str) -> None:
        if not self._client:
            raise BadArgument("502 5.5.1 Please introduce yourself first.")
        if self._logged_in:
            raise BadArgument("503 5.5.1 Already authenticated")
        words = argument.split()
        if not words:
            raise BadArgument("502 5.5.4 Missing parameter")
        answer: bytes | None = None
        if len(words) > 1:
            try:
                answer = base64.b64decode(words[1], validate=True)
            except (binascii.Error, ValueError):
                # Bridge says nothing at all to a broken initial response.
                return
        mechanism = sasl.exchange(words[0].upper())
        if mechanism is None:
            raise BadArgument("504 5.7.4 Unsupported authentication mechanism")
        try:
            credentials = await self._exchange(mechanism, answer)
        except SaslError as failed:
            raise BadArgument(f"454 4.7.0 {failed.text}") from None
        if not self._submission.authenticate(credentials.user, credentials.password):
            raise BadArgument("454 4.7.0 invalid username or password")
        self._user, self._logged_in = credentials.user, True
        await self.push("235 2.0.0 Authentication succeeded")

    async def _exchange(self, mechanism: sasl.Exchange, answer: bytes | None) -> Credentials:
        step = mechanism.feed(answer)
        while isinstance(step, bytes):
            await self.push(f"334 {base64.b64encode(step).decode()}")
            line = await self._line()
            if line == "*":
                raise BadArgument("501 5.0.0 Negotiation cancelled")
            try:
                octets = base64.b64decode(line.encode("utf-8", "surrogateescape"), validate=True)
            except (binascii.Error, ValueError):
                raise SaslError("Invalid base64 data") from None
            step = mechanism.feed(octets)
        return step

    async def _mail(self, argument: str) -> None:
        if not self._client:
            raise BadArgument("502 2.5.1 Please introduce yourself first.")
        if self._chunks is not None:
            raise BadArgument("502 5.5.1 MAIL not allowed during message transfer")
        sender = arguments.mail(argument)
        self._sender = self._envelope_from = sender
        await self.push(f"250 2.0.0 Roger, accepting mail from <{sender}>")

    async def _rcpt(self, argument: str) -> None:
        if self._sender is None:
            raise BadArgument("502 5.5.1 Missing MAIL FROM command.")
        if self._chunks is not None:
            raise BadArgument("502 5.5.1 RCPT not allowed during message transfer")
        recipient = arguments.rcpt(argument)
        if recipient:
            self._recipients.append(recipient)
        self._accepted += 1
        await self.push(f"250 2.0.0 I'll make sure <{recipient}> gets this")

    async def _data(self, argument: str) -> None:
        if argument:
            raise BadArgument("501 5.5.4 DATA command should not have any arguments")
        if self._chunks is not None:
            raise BadArgument("502 5.5.1 DATA not allowed during message transfer")
        if not self._accepted:
            raise BadArgument("502 5.5.1 Missing RCPT TO command.")
        await self.push("354 2.0.0 Go ahead. End your data with <CR><LF>.<CR><LF>")
        literal = await read_data(self._reader)
        await self._submit(literal)

    async def _bdat(self, argument: str) -> None:
        ready = self._sender is not None and self._accepted > 0
        size, last = arguments.bdat(argument, ready=ready)
        self._chunks = bytearray() if self._chunks is None else self._chunks
        chunk = await read_chunk(self._reader, size, before=len(self._chunks))
        if chunk is None:
            raise _Closed
        self._chunks += chunk
        if last:
            await self._submit(bytes(self._chunks))
        else:
            await self.push("250 2.0.0 Continue")

    async def _submit(self, literal: bytes | None) -> None:
        """Hand over what was read, answer, and forget the envelope."""
        try:
            if literal is None:
                raise Refused(_LONG_LINE)
            await self._sending.submit(self._user, self._envelope_from, tuple(self._recipients), literal)
        except Refused as refused:
            reply = f"554 5.0.0 Error: {refused.text}"
        else:
            reply = "250 2.0.0 OK: queued"
        self._submission.journal.record(
            Kind.SMTP,
            session=self._number,
            what="data",
            sender=self._envelope_from,
            recipients=list(self._recipients),
            octets=len(literal or b""),
        )
        self._reset()
        await self.push(reply)
