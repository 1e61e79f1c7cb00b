"""A peer on loopback that says exactly what a test wants it to say, over real sockets and TLS, and writes down what it was asked.

For answers that no Bridge gives. What Bridge does give is tested against fakebridge.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from fakebridge.tls import Certificate

GREETING: Final = b"* OK [CAPABILITY AUTH=PLAIN ID IDLE IMAP4rev1 MOVE STARTTLS UIDPLUS UNSELECT] Proton Mail Bridge\r\n"
WAIT_S: Final = 30.0
_LITERAL: Final = re.compile(rb"\{([0-9]+)\}\r\n\Z")


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close this connection now, after sending `octets`."""

    octets: bytes = b""


@dataclass
class Script:
    """What the peer says. `answers` maps the beginning of a command to its answer, in which `TAG` stands for the command's tag.

    A list is used up from the front, its last answer stays; `HangUp` closes.
    """

    greeting: bytes = GREETING
    starttls: bytes = b"TAG OK Begin TLS negotiation now\r\n"
    handshake: bool = True
    continuation: bytes = b"+ Ready\r\n"
    answers: dict[str, bytes | HangUp | list[bytes | HangUp]] = field(default_factory=dict)


@dataclass
class ScriptedBridge:
    """The listener. `commands` has every command without its tag, literals in angle brackets; `connections` counts them."""

    script: Script
    certificate: Certificate
    commands: list[str] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._spawn(self._accept)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        # A shutdown wakes the thread that waits in accept; closing alone does not.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        for thread in self._threads:
            thread.join(WAIT_S)
            assert not thread.is_alive()

    def hang_up(self) -> None:
        """Close all connections without a word."""
        with self._lock:
            for each in self._open:
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(each, socket.SHUT_RDWR)
            self._open.clear()

    def asked(self) -> list[str]:
        """What was asked so far, without the session's opening; forgotten thereby."""
        with self._lock:
            asked = [command for command in self.commands if not command.startswith(("STARTTLS", "LOGIN", "CAPABILITY", "LOGOUT"))]
            self.commands.clear()
        return asked

    def _spawn(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            peer.settimeout(WAIT_S)
            with self._lock:
                self.connections += 1
                self._open.append(peer)
            self._spawn(partial(self._serve, peer))

    def _serve(self, peer: socket.socket) -> None:
        stream = peer
        try:
            stream.sendall(self.script.greeting)
            while True:
                tag, command = self._command(stream)
                answer = self._answer(command)
                if isinstance(answer, HangUp):
                    stream.sendall(answer.octets.replace(b"TAG", tag))
                    return
                stream.sendall(answer.replace(b"TAG", tag))
                if command == "STARTTLS" and b"TAG OK" in answer:
                    if not self.script.handshake:
                        return
                    stream = self._secure(stream)
        except (OSError, EOFError):
            return
        finally:
            stream.close()

    def _secure(self, plain: socket.socket) -> socket.socket:
        secure = self.certificate.context.wrap_socket(plain, server_side=True)
        with self._lock:
            # `hang_up` may have been here meanwhile.
            self._open = [each for each in self._open if each is not plain]
            self._open.append(secure)
        return secure

    def _command(self, stream: socket.socket) -> tuple[bytes, str]:
        octets = b""
        text = ""
        while True:
            line = b""
            while not line.endswith(b"\r\n"):
                line += self._octets(stream, 1)
            octets += line
            literal = _LITERAL.search(line)
            if literal is None:
                text += line[:-2].decode("latin-1")
                break
            stream.sendall(self.script.continuation)
            value = self._octets(stream, int(literal[1]))
            text += line[: literal.start()].decode("latin-1") + "<" + value.decode("utf-8", "replace") + ">"
        tag, _, command = text.partition(" ")
        with self._lock:
            self.commands.append(command)
        return tag.encode("latin-1"), command

    @staticmethod
    def _octets(stream: socket.socket, size: int) -> bytes:
        octets = b""
        while len(octets) < size:
            more = stream.recv(size - len(octets))
            if not more:
                raise EOFError
            octets += more
        return octets

    def _answer(self, command: str) -> bytes | HangUp:
        if command == "STARTTLS":
            return self.script.starttls
        with self._lock:
            key = max((key for key in self.script.answers if command.startswith(key)), key=len, default=None)
            answer = self.script.answers[key] if key is not None else self._usual(command)
            if isinstance(answer, list):
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
        return answer

    @staticmethod
    def _usual(command: str) -> bytes | HangUp:
        if command == "LOGOUT":
            return HangUp(b"* BYE\r\n")
        return b"TAG OK done\r\n"
