"""From nothing to an authenticated connection: connect, STARTTLS, compare the certificate with its pin, LOGIN. In this order only."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Final

from proton_safe.call import CONNECT_S, CallCancelled
from proton_safe.config import BRIDGE_HOST
from proton_safe.imap import pins as pinning
from proton_safe.imap import tls
from proton_safe.imap.connection import Connection
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.logins import Logins
from proton_safe.imap.search_keys import string
from proton_safe.imap.wire import KIB, Budget, Wire
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from proton_safe.call import Call, Clock
    from proton_safe.config import Config
    from proton_safe.imap.credentials import Credentials
    from proton_safe.imap.pins import Pins
    from proton_safe.imap.responses import Response
    from proton_safe.secret import Secret

# Before the password is sent nobody on the port is known, so nothing long is read from them.
_STRANGER: Final = Budget(line=8 * KIB, literal=0, total=32 * KIB)
# Bridge compares the password with one that it holds; an answer takes milliseconds.
USUAL_ANSWER_S: Final = 2.0


class Opening:
    """What it takes to open connections of one account. Thread-safe."""

    def __init__(self, config: Config, pins: Pins, credentials: Credentials, clock: Clock) -> None:
        self._config = config
        self._pins = pins
        self._credentials = credentials
        self._clock = clock
        self._logins = Logins(clock)

    def open(self, call: Call) -> Connection:
        """An authenticated connection, within ten seconds besides the keyring's.

        Raises `bridge-unreachable`, `tls-required`, `certificate-changed`, `login-failed`, `login-unanswered`, the credential
        codes, and what `Connection.run` raises.
        """
        secret = self._credentials.secret(call)
        self._logins.check(secret)
        silences = self._logins.silences
        deadline = Deadline.within(call, self._clock, CONNECT_S)
        connection = connect(self._config.imap_port, deadline)
        try:
            certificate = start_tls(connection, deadline)
            self._pins.check(pinning.key(self._config), tls.fingerprint(certificate), deadline)
            with self._logins.turn(deadline):
                if self._logins.silences != silences:
                    # Bridge went silent after this connection was opened, which is as doubtful as the one it went silent on.
                    raise Refusal(Code.CONNECTION_LOST)
                self._log_in(connection, secret, deadline)
        except BaseException:
            connection.close()
            raise
        return connection

    def _log_in(self, connection: Connection, secret: Secret, deadline: Deadline) -> None:
        if self._is_accepted(connection, secret, deadline):
            return
        # The person may have stored a new password meanwhile. Never more than this one retry: Bridge counts failures.
        newer = self._credentials.secret(deadline.call)
        again = Deadline.within(deadline.call, self._clock, CONNECT_S)
        if newer == secret or not self._is_accepted(connection, newer, again):
            raise Refusal(Code.LOGIN_FAILED)

    def _is_accepted(self, connection: Connection, secret: Secret, deadline: Deadline) -> bool:
        """Whether Bridge took the password. Its text is never looked at: some servers repeat the password in it."""
        self._logins.check(secret)
        user, password = (string(text.encode("utf-8", "surrogatepass")) for text in (self._config.user, secret.reveal()))
        deadline.remaining()  # a call that is over sends nothing, so nothing stays without an answer
        asked_at = self._clock.monotonic()
        try:
            accepted = connection.run(deadline, b"LOGIN ", user, b" ", password, budget=_STRANGER).accepted
        except BaseException as ended:
            if isinstance(ended, Refusal) and ended.code is Code.BRIDGE_REFUSED:
                self._logins.refused(secret)
                raise Refusal(Code.LOGIN_FAILED) from None
            # However it ended, the password may have got there. Only who is cancelled at once has not seen Bridge be silent.
            if not isinstance(ended, CallCancelled) or self._clock.monotonic() - asked_at >= USUAL_ANSWER_S:
                self._logins.unanswered()
            raise
        if accepted:
            self._logins.accepted()
        else:
            self._logins.refused(secret)
        return accepted


def connect(port: int, deadline: Deadline) -> Connection:
    """A TCP connection to Bridge on this computer. Raises `bridge-unreachable` when nobody listens there."""
    connected = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    wire = Wire(connected)
    try:
        with deadline.call.interruptible(wire.interrupt):
            connected.settimeout(deadline.remaining())
            connected.connect((BRIDGE_HOST, port))
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except TimeoutError:
        wire.close()
        raise Refusal(Code.DEADLINE) from None
    except OSError:
        wire.close()
        deadline.call.check()
        raise Refusal(Code.BRIDGE_UNREACHABLE) from None
    except BaseException:
        wire.close()
        raise
    wire.allow(_STRANGER)
    return Connection(wire)


def start_tls(connection: Connection, deadline: Deadline) -> bytes:
    """Greeting, STARTTLS, handshake; returns the certificate (DER), which the caller must compare before anything else.

    Raises `tls-required` when TLS isn't offered, is refused, fails, or when the session claims to need no login (PREAUTH).
    """
    greeting = connection.greeting(deadline)
    if greeting.word == b"PREAUTH":
        raise Refusal(Code.TLS_REQUIRED)  # RFC 9051 11.1: STARTTLS is impossible in this state
    if greeting.word == b"BYE":
        raise Refusal(Code.CONNECTION_LOST)
    if b"STARTTLS" not in (_announced(greeting.code) or _capabilities(connection, deadline)):
        raise Refusal(Code.TLS_REQUIRED)
    try:
        answer = connection.run(deadline, b"STARTTLS", budget=_STRANGER)
    except Refusal as refusal:
        raise Refusal(Code.TLS_REQUIRED) if refusal.code is Code.BRIDGE_REFUSED else refusal from None
    if not answer.accepted:
        raise Refusal(Code.TLS_REQUIRED)
    with deadline.call.interruptible(connection.wire.interrupt):
        return connection.wire.start_tls(tls.client_context(), deadline)


def _announced(code: bytes) -> frozenset[bytes]:
    """The words of a CAPABILITY response code; empty when it is another one."""
    words = code.upper().split()
    return frozenset(words[1:]) if words[:1] == [b"CAPABILITY"] else frozenset()


def _capabilities(connection: Connection, deadline: Deadline) -> frozenset[bytes]:
    """What the server says it can do, for greetings that don't."""
    found: set[bytes] = set()

    def take(response: Response) -> None:
        if response.word == b"CAPABILITY":
            found.update(word.upper() for word in response.values if isinstance(word, bytes))

    connection.run(deadline, b"CAPABILITY", budget=_STRANGER, take=take)
    return frozenset(found)
