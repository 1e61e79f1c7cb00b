"""An SMTP client that says exactly what it is told and returns whole replies."""

import socket
import ssl
from types import TracebackType
from typing import Final, Self

WAIT_S: Final = 30.0


class Client:
    """One connection; ``greeting`` is the first reply."""

    def __init__(self, port: int, *, context: ssl.SSLContext | None = None) -> None:
        self._socket: socket.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        if context is not None:
            self._socket = context.wrap_socket(self._socket)
        self._buffer = b""
        self.greeting = self.reply()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._socket.close()

    def send(self, octets: bytes) -> None:
        """Octets as they are."""
        self._socket.sendall(octets)

    def line(self) -> str:
        """One line, empty at the end of the connection."""
        while b"\r\n" not in self._buffer:
            octets = self._socket.recv(65536)
            if not octets:
                return ""
            self._buffer += octets
        line, self._buffer = self._buffer.split(b"\r\n", 1)
        return line.decode()

    def reply(self) -> list[str]:
        """The lines of one reply."""
        lines = [self.line()]
        while lines[-1][3:4] == "-":
            lines.append(self.line())
        return lines

    def ask(self, command: str) -> str:
        """Send one command line; the last line of its reply."""
        self.send(command.encode() + b"\r\n")
        return self.reply()[-1]

    def upgrade(self) -> None:
        """STARTTLS."""
        assert self.ask("STARTTLS") == "220 2.0.0 Ready to start TLS"
        self._socket = trusting().wrap_socket(self._socket)

    def envelope(self, sender: str, *recipients: str) -> None:
        """MAIL and RCPT, which are never refused."""
        assert self.ask(f"MAIL FROM:<{sender}>") == f"250 2.0.0 Roger, accepting mail from <{sender}>"
        for recipient in recipients:
            assert self.ask(f"RCPT TO:<{recipient}>") == f"250 2.0.0 I'll make sure <{recipient}> gets this"

    def data(self, literal: bytes) -> str:
        """DATA with a message; the reply to it."""
        assert self.ask("DATA") == "354 2.0.0 Go ahead. End your data with <CR><LF>.<CR><LF>"
        self.send(literal + b"\r\n.\r\n" if not literal.endswith(b"\r\n") else literal + b".\r\n")
        return self.reply()[-1]


def trusting() -> ssl.SSLContext:
    """A client context that takes any certificate: trust is not what these tests are about."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
