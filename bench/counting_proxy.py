"""A man in the middle on loopback that counts: octets on the client's socket, commands, and how often the client spoke after the server.

It ends the client's TLS itself, octet for octet, so that what is counted is what the client's socket carries, handshakes included. For
counting only: no time is measured through it.
"""

from __future__ import annotations

import contextlib
import re
import select
import socket
import ssl
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from bench.bare_imap import loopback_tls

if TYPE_CHECKING:
    from pathlib import Path

_READ: Final = 1 << 18
_LITERAL: Final = re.compile(rb"\{([0-9]+)\+?\}\r\n\Z")
_KEPT: Final = 100_000


@dataclass(slots=True)
class Counts:
    """What was seen since the last look. `commands` are their texts without tags, literals included; `octets` go both ways."""

    octets: int = 0
    turns: int = 0
    connections: int = 0
    commands: list[list[bytes]] = field(default_factory=list)


class CountingProxy:
    """Stands in front of the IMAP port `behind` while inside `with`."""

    def __init__(self, behind: int, folder: Path) -> None:
        self._behind = behind
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
        self._lock = threading.Lock()
        self._counts = Counts()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def take(self) -> Counts:
        """What was counted since the last take."""
        with self._lock:
            counts, self._counts = self._counts, Counts()
            return counts

    def add(self, *, octets: int = 0, turns: int = 0, command: list[bytes] | None = None) -> None:
        """Count."""
        with self._lock:
            self._counts.octets += octets
            self._counts.turns += turns
            if command is not None:
                self._counts.commands.append(command)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._counts.connections += 1
            server = socket.create_connection(("127.0.0.1", self._behind))
            for each in (client, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            session = _Session(self, self._context, client, server)
            threading.Thread(target=session.run, daemon=True).start()


class _Session:
    """One connection through the proxy."""

    def __init__(self, proxy: CountingProxy, context: ssl.SSLContext, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._context = context
        self._client = client
        self._server: socket.socket = server
        self._commands = _Commands()
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None
        self._shaken = False
        self._server_spoke = True

    def run(self) -> None:
        """Carry octets until one side closes."""
        with contextlib.suppress(OSError, ssl.SSLError):
            while self._from_server() if self._server_is_ready() else self._from_client():
                pass
        for each in (self._client, self._server):
            each.close()

    def _server_is_ready(self) -> bool:
        if isinstance(self._server, ssl.SSLSocket) and self._server.pending():
            return True
        return self._server in select.select([self._client, self._server], [], [])[0]

    def _from_server(self) -> bool:
        """Hand on what the server says; False at its end. A session ticket alone is nothing."""
        self._server.settimeout(0)
        try:
            octets = self._server.recv(_READ)
        except (ssl.SSLWantReadError, BlockingIOError):
            return True
        finally:
            self._server.settimeout(None)
        if octets:
            self._server_spoke = True
            self._to_client(octets)
        return bool(octets)

    def _from_client(self) -> bool:
        octets = self._client.recv(_READ)
        self._proxy.add(octets=len(octets))
        if not octets:
            return False
        if self._tls is None:
            return self._said(octets)
        self._incoming.write(octets)
        said = self._decrypted()
        return not said or self._said(said)

    def _decrypted(self) -> bytes:
        assert self._tls is not None  # noqa: S101 - asked for by the caller
        found = bytearray()
        with contextlib.suppress(ssl.SSLWantReadError):
            if not self._shaken:
                self._tls.do_handshake()
                self._shaken = True
            while octets := self._tls.read(_READ):
                found += octets
        self._flush()
        return bytes(found)

    def _said(self, octets: bytes) -> bool:
        """Hand on what the client said."""
        commands = self._commands.feed(octets)
        self._proxy.add(turns=int(self._server_spoke))
        self._server_spoke = False
        for command in commands:
            self._proxy.add(command=command)
        self._server.sendall(octets)
        if commands and commands[-1][0].strip().upper() == b"STARTTLS":
            self._start_tls()
        return True

    def _start_tls(self) -> None:
        answer = b""
        while not answer.endswith(b"\r\n"):
            answer += self._server.recv(_READ)
        self._server = loopback_tls().wrap_socket(self._server)
        self._to_client(answer)
        self._tls = self._context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._server_spoke = True

    def _to_client(self, octets: bytes) -> None:
        if self._tls is None:
            self._proxy.add(octets=len(octets))
            self._client.sendall(octets)
        else:
            self._tls.write(octets)
            self._flush()

    def _flush(self) -> None:
        octets = self._outgoing.read()
        self._proxy.add(octets=len(octets))
        self._client.sendall(octets)


class _Commands:
    """Finds the commands in what a client says: each as the pieces between which the client waits for a go-ahead."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._pieces: list[bytes] = []
        self._literal = 0

    def feed(self, octets: bytes) -> list[list[bytes]]:
        """The commands that end here."""
        self._buffer += octets
        found: list[list[bytes]] = []
        while len(self._buffer) >= self._literal and (end := self._buffer.find(b"\n", self._literal)) >= 0:
            piece = bytes(self._buffer[: end + 1])
            del self._buffer[: end + 1]
            self._pieces.append(piece[:_KEPT])
            announced = _LITERAL.search(piece)
            self._literal = int(announced[1]) if announced else 0
            if announced is None:
                first = self._pieces[0].partition(b" ")[2]
                found.append([first, *self._pieces[1:]])
                self._pieces = []
        return found
