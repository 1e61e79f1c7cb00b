"""The least client that can ask an IMAP server something: no parser, one socket, one write and one loop of reads per question."""

from __future__ import annotations

import re
import socket
import ssl
from typing import Final, Self

WAIT_S: Final = 180
_READ: Final = 1 << 18
_LITERAL: Final = re.compile(rb"\{([0-9]+)\}\r\n\Z")
_APPENDUID: Final = re.compile(rb"\[APPENDUID [0-9]+ ([0-9]+)\]")

Answer = list[list[bytes]]
"""Responses; each is text, literal, text, literal, …, text."""


def loopback_tls() -> ssl.SSLContext:
    """A client context that asks nobody about the certificate: it belongs to a server that this bench has started on loopback."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # the server is a child of this process
    return context


class BareImap:
    """A session over TLS, logged in."""

    def __init__(self, port: int, user: str, password: str) -> None:
        plain = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket: socket.socket = plain
        self._buffer = bytearray()
        self._tags = 0
        self._line()
        self.ask(b"STARTTLS")
        self._socket = loopback_tls().wrap_socket(plain)
        self.ask(b'LOGIN "%s" "%s"' % (user.encode(), password.encode()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, *lines: bytes) -> list[bytes]:
        """Send commands in one write; their tags."""
        tags = []
        for _ in lines:
            self._tags += 1
            tags.append(b"b%d" % self._tags)
        self._socket.sendall(b"".join(tag + b" " + line + b"\r\n" for tag, line in zip(tags, lines, strict=True)))
        return tags

    def ask(self, line: bytes) -> Answer:
        """Send one command and read to its end. Raises RuntimeError unless it ends in OK."""
        (tag,) = self.send(line)
        return self.until(tag)

    def ask_with_literals(self, pieces: list[bytes]) -> Answer:
        """Send a command whose pieces end in a literal each but the last, as they were recorded; wait for each go-ahead."""
        self._tags += 1
        tag = b"b%d" % self._tags
        pieces = [tag + b" " + pieces[0], *pieces[1:]]
        for piece in pieces[:-1]:
            self._socket.sendall(piece)
            if not self._line().startswith(b"+"):
                raise RuntimeError("no go-ahead for a literal")
        self._socket.sendall(pieces[-1])
        return self.until(tag)

    def until(self, tag: bytes) -> Answer:
        """All responses up to the tagged one, which comes last."""
        found: Answer = []
        while True:
            response = self._response()
            found.append(response)
            if response[0].startswith(tag + b" "):
                if not response[0].startswith(tag + b" OK"):
                    raise RuntimeError(response[0].decode(errors="replace").strip())
                return found

    def append(self, mailbox: bytes, arguments: bytes, octets: bytes) -> int:
        """Store a message; its uid, 0 if the server didn't say."""
        self._tags += 1
        tag = b"b%d" % self._tags
        self._socket.sendall(tag + b' APPEND "%s" %s {%d}\r\n' % (mailbox, arguments, len(octets)))
        if not self._line().startswith(b"+"):
            raise RuntimeError("no go-ahead for APPEND")
        self._socket.sendall(octets + b"\r\n")
        told = _APPENDUID.search(self.until(tag)[-1][0])
        return int(told[1]) if told else 0

    def push(self, mailbox: bytes, arguments: bytes, octets: bytes) -> bytes:
        """Send an APPEND without waiting (a literal of RFC 7888); its tag. Dovecot takes it whatever it announces."""
        self._tags += 1
        tag = b"b%d" % self._tags
        self._socket.sendall(tag + b' APPEND "%s" %s {%d+}\r\n' % (mailbox, arguments, len(octets)) + octets + b"\r\n")
        return tag

    def empty(self, mailbox: bytes) -> None:
        """Delete all that lies in a mailbox of the bench's own."""
        self.ask(b'SELECT "%s"' % mailbox)
        self.ask(b"UID STORE 1:* +FLAGS.SILENT (\\Deleted)")
        self.ask(b"EXPUNGE")
        self.ask(b"UNSELECT")

    def _response(self) -> list[bytes]:
        pieces = [self._line()]
        while literal := _LITERAL.search(pieces[-1]):
            pieces += [self._octets(int(literal[1])), self._line()]
        return pieces

    def _line(self) -> bytes:
        seen = 0
        while (end := self._buffer.find(b"\n", seen)) < 0:
            seen = len(self._buffer)
            self._fill()
        line = bytes(self._buffer[: end + 1])
        del self._buffer[: end + 1]
        return line

    def _octets(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._fill()
        octets = bytes(self._buffer[:size])
        del self._buffer[:size]
        return octets

    def _fill(self) -> None:
        octets = self._socket.recv(_READ)
        if not octets:
            raise ConnectionError("the IMAP server closed the connection")
        self._buffer += octets


def appended_uid(answer: Answer) -> int:
    """The uid in the answer to an APPEND."""
    told = _APPENDUID.search(answer[-1][0])
    return int(told[1]) if told else 0


def found_uids(answer: Answer) -> list[bytes]:
    """The uids in the answer to a SEARCH."""
    return next((response[0][8:].split() for response in answer if response[0].startswith(b"* SEARCH")), [])
