"""Dialogues as tests: rows of what the client says and what must come back, in order and complete.

`talk(wire, C("a1 NOOP"), S("a1 OK command completed in … microsec."))`. An ellipsis in an expected row stands for any text within the line.
After a last row that the server says nothing more may have arrived.
"""

from __future__ import annotations

import re
import select
import socket
import ssl
from dataclasses import dataclass
from typing import Final

BOUND_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class C:
    """The client says a line (CRLF is added)."""

    text: str | bytes

    def octets(self) -> bytes:
        """As sent."""
        text = self.text if isinstance(self.text, bytes) else self.text.encode()
        return text + b"\r\n"


@dataclass(frozen=True, slots=True)
class Raw:
    """The client sends octets as they are."""

    octets: bytes


@dataclass(frozen=True, slots=True)
class S:
    """A line that must come next, with the literals in it."""

    text: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The server must close now."""


Row = C | Raw | S | Closed


class Wire:
    """One connection to a listener on loopback."""

    def __init__(self, port: int) -> None:
        self._socket: socket.socket = socket.create_connection(("127.0.0.1", port), timeout=BOUND_S)
        self._buffer = b""
        self.certificate: bytes | None = None

    def send(self, octets: bytes) -> None:
        """Write octets."""
        self._socket.sendall(octets)

    def start_tls(self, *, any_strength: bool = False) -> None:
        """The handshake; `certificate` is the peer's afterwards, DER."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_2  # some distributions' Python allows older ones unless told
        if any_strength:
            context.set_ciphers("ALL:@SECLEVEL=0")
        secured = context.wrap_socket(self._socket)
        self._socket = secured
        self.certificate = secured.getpeercert(binary_form=True)

    def _fill(self) -> bool:
        try:
            octets = self._socket.recv(1 << 16)
        except ConnectionError:
            octets = b""
        self._buffer += octets
        return bool(octets)

    def line(self) -> str | None:
        """The next line with its literals, without the last CRLF; None when the server has closed."""
        taken = b""
        while True:
            while b"\r\n" not in self._buffer:
                if not self._fill():
                    assert taken == b"", taken
                    return None
            head, self._buffer = self._buffer.split(b"\r\n", 1)
            taken += head
            announced = re.search(rb"\{(\d+)\}$", head)
            if announced is None:
                return taken.decode("utf-8", "surrogateescape")
            length = int(announced.group(1))
            taken += b"\r\n"
            while len(self._buffer) < length:
                assert self._fill(), "closed inside a literal"
            taken += self._buffer[:length]
            self._buffer = self._buffer[length:]

    def until(self, tag: str) -> list[str]:
        """All lines up to the tagged one."""
        lines: list[str] = []
        while True:
            line = self.line()
            assert line is not None, lines
            lines.append(line)
            if line.startswith(f"{tag} "):
                return lines

    def ask(self, command: str) -> list[str]:
        """Send a tagged command and return its lines, the tagged one last."""
        self.send(command.encode() + b"\r\n")
        return self.until(command.split(" ", 1)[0])

    def is_quiet(self, seconds: float = 0.0) -> bool:
        """Whether nothing more has arrived, or arrives within the time."""
        if self._buffer or (isinstance(self._socket, ssl.SSLSocket) and self._socket.pending()):
            return False
        return not select.select([self._socket], [], [], seconds)[0]

    def close(self) -> None:
        """Close our side."""
        self._socket.close()


def matches(expected: str, line: str | None) -> bool:
    """Whether a line is what was expected, an ellipsis standing for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return line is not None and re.fullmatch(pattern, line, re.DOTALL) is not None


def talk(wire: Wire, *rows: Row) -> None:
    """Play the rows; every expected line must be the next one."""
    for row in rows:
        if isinstance(row, C):
            wire.send(row.octets())
        elif isinstance(row, Raw):
            wire.send(row.octets)
        elif isinstance(row, Closed):
            line = wire.line()
            assert line is None, f"expected the end, got {line!r}"
            return
        else:
            line = wire.line()
            assert matches(row.text, line), f"expected {row.text!r}, got {line!r}"
    if rows and isinstance(rows[-1], C | Raw):
        # Its answer is read by the caller.
        return
    assert wire.is_quiet(), f"more came than was expected: {wire.line()!r}"


def append(tag: str, arguments: str, literal: str | bytes) -> tuple[Row, ...]:
    """The rows of an APPEND up to its literal; the answer follows."""
    octets = literal.encode() if isinstance(literal, str) else literal
    octets = re.sub(rb"\r?\n", b"\r\n", octets)
    return (C(f"{tag} APPEND {arguments} {{{len(octets)}}}"), S("+ Ready"), Raw(octets + b"\r\n"))
