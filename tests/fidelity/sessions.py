"""Without Bridge's greeting, login and SMTP answers (bridge-behaviour 1, 7)."""

from __future__ import annotations

from fakebridge.account.addresses import AddressBook
from fakebridge.bridge.errors import NO_SUCH_USER, Refused
from fakebridge.bridge.outgoing import Outgoing
from fakebridge.bridge.recorder import SendRecorder
from fakebridge.bridge.service import Bridge
from fakebridge.imap import reading, session
from fakebridge.imap.answers import Bad
from fakebridge.imap.commands import capability, login
from fakebridge.imap.commands import id as id_command
from fakebridge.imap.commands.catalog import COMMANDS
from fakebridge.imap.commands.command import Done
from fakebridge.imap.commands.noop import NoopCommand
from fakebridge.imap.session import Session
from fakebridge.smtp import sending
from fakebridge.smtp.session import SmtpSession
from tests.fidelity.departing import Passed, around, departure, put


@departure("greeting")
def short_greeting() -> None:
    """The greeting names no capabilities."""
    put(Session, "greet", lambda self: self.write(b"* OK ready"))


@departure("capability-list")
def more_capabilities() -> None:
    """ENABLE and UTF8=ACCEPT are there."""
    put(session, "CAPABILITIES", (*session.CAPABILITIES, "ENABLE", "UTF8=ACCEPT"))


@departure("capability-shorter-before-login")
def capability_is_always_full() -> None:
    """The list is the same before login."""
    put(capability, "BEFORE_LOGIN", (*session.CAPABILITIES, "AUTH=PLAIN"))


@departure("no-further-extensions")
def enable_is_known() -> None:
    """ENABLE is a command."""

    def parse(scanner: Passed) -> Passed:
        scanner.run(lambda octet: octet not in b"\r\n")
        return NoopCommand()

    COMMANDS["enable"] = parse


@departure("id-answer")
def id_nil() -> None:
    """ID answers NIL."""

    async def run(_: Passed, current: Session) -> Passed:
        current.untagged("ID", b"* ID NIL")
        return Done("ID")

    put(id_command.IdCommand, "run", run)


@departure("login-forms")
def login_counts_letter_case() -> None:
    """Letter case counts in user names."""
    put(AddressBook, "exact", lambda self, address: next((own for own in self.all if own.address == address), None))


@departure("disabled-addresses-fail")
def disabled_addresses_log_in() -> None:
    """Passed address logs in."""
    put(Bridge, "_connector_for", lambda self, user: self.connectors[0] if "@proton.local" in user else None)


@departure("login-refusals-alike")
def wrong_passwords_are_told_apart() -> None:
    """A wrong password has its own text."""

    async def log_in(original: Passed, self: Bridge, user: str, password: str, **named: Passed) -> Passed:
        if self.account.addresses.exact(user) and password != self.password:
            raise Refused("wrong password")
        return await original(self, user, password, **named)

    around(Bridge, "log_in", log_in)


@departure("login-throttle")
def failures_read_alike() -> None:
    """The third failure reads like the others."""

    async def log_in(original: Passed, self: Bridge, *arguments: Passed, **named: Passed) -> Passed:
        try:
            return await original(self, *arguments, **named)
        except Refused:
            raise Refused(NO_SUCH_USER) from None

    around(Bridge, "log_in", log_in)


@departure("no-login-jail")
def login_jail() -> None:
    """After the third failure nobody logs in."""

    async def log_in(original: Passed, self: Bridge, *arguments: Passed, **named: Passed) -> Passed:
        if self.logged_in and JAILED:
            raise Refused(NO_SUCH_USER)
        try:
            return await original(self, *arguments, **named)
        except Refused as refusal:
            if "too many" in str(refusal):
                JAILED.append(True)
            raise

    around(Bridge, "log_in", log_in)


JAILED: list[bool] = []


@departure("second-login-is-bad")
def second_login_is_fine() -> None:
    """LOGIN may be said twice."""

    async def authenticate(original: Passed, current: Session, *arguments: Passed) -> Passed:
        current.connector = None
        return await original(current, *arguments)

    around(login, "authenticate", authenticate)


@departure("one-password-in-split-mode")
def passwords_differ_in_split_mode() -> None:
    """Only the primary address knows the password."""

    def connector_for(original: Passed, self: Bridge, user: str) -> Passed:
        if self.split_mode and user != self.account.addresses.primary.address:
            return None
        return original(self, user)

    around(Bridge, "_connector_for", connector_for)


@departure("authenticate-exchange")
def continuation_with_a_blank() -> None:
    """The continuation of AUTHENTICATE has a blank."""
    around(reading, "ContinuationWanted", lambda original, line: original(b"+ " if line == b"+" else line))


@departure("tls-hello-closes")
def tls_hello_is_bad_syntax() -> None:
    """Raw TLS is answered like any other nonsense."""
    put(reading, "TLS_HEADERS", (b"\0never",))


@departure("wrong-state-is-no")
def wrong_state_is_bad() -> None:
    """Commands in the wrong state are BAD."""

    async def carry_out(original: Passed, self: Session, request: Passed) -> None:
        if self.connector is None and request.command.needs.value != "any":
            self._finish(request.tag, "BAD", str(Bad(session.NOT_AUTHENTICATED)), "")
            return
        await original(self, request)

    around(Session, "_carry_out", carry_out)


@departure("logout-says-bye")
def logout_has_a_text() -> None:
    """BYE has a text."""
    around(Session, "untagged", lambda original, self, kind, line: original(self, kind, line + b" see you" if kind == "BYE" else line))


@departure("smtp-lines")
def smtp_login_failure_is_535() -> None:
    """A bad login is 535, as in RFC 4954."""

    async def push(original: Passed, self: SmtpSession, status: Passed) -> None:
        text = status if isinstance(status, str) else status.decode()
        await original(self, text.replace("454 4.7.0", "535 5.7.8").replace("Roger, accepting", "Accepting"))

    around(SmtpSession, "push", push)


@departure("smtp-order")
def smtp_knows_no_order() -> None:
    """RCPT needs no MAIL."""

    async def rcpt(original: Passed, self: SmtpSession, argument: str) -> None:
        if self._sender is None:
            self._sender = ""
        await original(self, argument)

    around(SmtpSession, "_rcpt", rcpt)


@departure("smtp-second-ehlo-forgets")
def smtp_second_ehlo_keeps() -> None:
    """A second EHLO keeps the login."""

    async def hello(original: Passed, self: SmtpSession, argument: str) -> None:
        user = self._user
        await original(self, argument)
        self._user = user

    around(SmtpSession, "_extended_hello", hello)


@departure("smtp-senders")
def smtp_any_sender() -> None:
    """Anybody may be the sender."""
    around(sending.Sending, "_own", lambda original, self, address: original(self, address) or self._submission.addresses()[0])


@departure("smtp-sent-once")
def smtp_sends_again() -> None:
    """The same message is sent again."""

    async def insert(original: Passed, self: SendRecorder, digest: bytes, recipients: Passed) -> Passed:
        return await original(self, digest + bytes([len(self._tickets) % 256]), recipients)

    around(SendRecorder, "insert", insert)


@departure("smtp-threading")
def smtp_no_parents() -> None:
    """Replies have no parent."""
    put(Outgoing, "find_parent", lambda *_: None)
