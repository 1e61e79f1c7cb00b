"""The socket to Bridge: octets out, framed responses in, each under a limit of octets and an absolute deadline.

Framing comes before parsing: where a response ends is decided here from line ends and literal lengths alone, so that nothing
inside a literal is ever taken for protocol. No per-read timeouts: a peer that drips octets ends at the deadline like a silent one.
"""

from __future__ import annotations

import contextlib
import math
import re
import select
import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.imap.grammar import BadSyntax
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.imap.deadline import Deadline

KIB: Final = 1024
MIB: Final = 1024 * KIB
_READ_OCTETS: Final = 64 * KIB
_WRITE_OCTETS: Final = 64 * KIB
# So many packets may hold the few empty lines that came since a connection was last used.
_QUIET_READS: Final = 16

# The literal announcement that ends a line (RFC 3501 4.3). Signs, leading zeros, `+` and more than ten digits are left to the
# grammar, which refuses the brace.
_LITERAL: Final = re.compile(rb"\{(0|[1-9][0-9]{0,9})\}\Z")
# Lines that end in human-readable text have no literals, whatever the text looks like.
_DATA: Final = re.compile(rb"\* (?!(?:OK|NO|BAD|BYE|PREAUTH)(?: |\Z))")
_FETCH: Final = re.compile(rb"\* [1-9][0-9]{0,9} FETCH \(")
# Enough of a line's end to see a literal announced there.
_TAIL_OCTETS: Final = 16


@dataclass(frozen=True, slots=True)
class Budget:
    """What one command may be answered with, in octets: the texts of one response together, one literal, and everything; in responses.

    `cuts`: a FETCH response that is longer in text or literal is read to its end and thrown away but for its beginning, so that
    one monstrous mail doesn't cost the rows of the others. `total` counts what is thrown away too.
    """

    line: int = 1 * MIB
    literal: int = 64 * KIB
    total: int = 8 * MIB
    responses: int = 100_000
    cuts: bool = False


class Cut(Exception):
    """A FETCH response was longer than allowed and was thrown away, but for the `pieces` of its beginning."""

    def __init__(self, pieces: tuple[bytes, ...]) -> None:
        super().__init__()
        self.pieces = pieces


class _TooLong(BadSyntax):
    """A line is longer than allowed; it is still in the buffer, as far as it was read."""


class Wire:
    """One TCP connection, before and after STARTTLS. Used by one thread at a time; `interrupt` may come from any."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._pending: Callable[[], int] = int
        self._to_read, self._to_write = select.poll(), select.poll()
        self._to_read.register(connected, select.POLLIN)
        self._to_write.register(connected, select.POLLOUT)
        self._buffer = bytearray()
        self._searched = 0
        self._budget = Budget()
        self._left = self._budget.total
        self._responses_left = self._budget.responses

    def interrupt(self) -> None:
        """End every wait on this socket at once. The connection is of no use afterwards."""
        # The plain method: SSLSocket.shutdown takes the TLS object away from the thread that is using it.
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Give the socket back. May be called more than once."""
        self._socket.close()

    def allow(self, budget: Budget) -> None:
        """What the next command may be answered with."""
        self._budget = budget
        self._left = budget.total
        self._responses_left = budget.responses

    def start_tls(self, context: ssl.SSLContext, deadline: Deadline) -> bytes:
        """Shake hands and return the peer's certificate (DER). Raises `tls-required` when that fails or octets came early."""
        if self._buffer:
            raise Refusal(Code.TLS_REQUIRED)  # what was sent in the clear must not be read as if it had come through TLS
        try:
            self._socket.settimeout(deadline.remaining())
            self._socket = context.wrap_socket(self._socket, do_handshake_on_connect=False)
            self._socket.settimeout(deadline.remaining())
            self._socket.do_handshake()
            self._pending = self._socket.pending
            certificate = self._socket.getpeercert(binary_form=True)
        except TimeoutError:
            raise Refusal(Code.DEADLINE) from None
        except (OSError, ValueError):
            deadline.call.check()
            raise Refusal(Code.TLS_REQUIRED) from None
        if not certificate:
            raise Refusal(Code.TLS_REQUIRED)
        return certificate

    def send(self, octets: bytes, deadline: Deadline) -> None:
        """Send all of it, or raise `deadline`, `connection-lost` or `CallCancelled`."""
        rest = memoryview(octets)
        self._never_block()
        while rest:
            deadline.remaining()
            try:
                rest = rest[self._socket.send(rest[:_WRITE_OCTETS]) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                self._wait(self._to_write, deadline)
            except ssl.SSLWantReadError:
                self._wait(self._to_read, deadline)
            except (OSError, ValueError):
                deadline.call.check()
                raise Refusal(Code.CONNECTION_LOST) from None

    def response(self, deadline: Deadline) -> tuple[bytes, ...]:
        """The next response: text, or text, literal, text, … Raises `BadSyntax` when a limit is passed, before allocation.

        Raises `Cut` instead for a FETCH response, if the budget `cuts`.
        """
        self._count_response()
        pieces: list[bytes] = []
        try:
            return self._pieces(pieces, deadline)
        except _TooLong:
            # Behind a literal, or at the very beginning, the line that is too long is still in the buffer.
            beginning = (*pieces, bytes(self._buffer[: self._budget.line])) if len(pieces) % 2 == 0 else tuple(pieces)
            if not self._budget.cuts or not _FETCH.match(beginning[0]):
                raise
            self._throw_away(0, deadline)
            raise Cut(beginning) from None

    def _pieces(self, pieces: list[bytes], deadline: Deadline) -> tuple[bytes, ...]:
        """Fill `pieces`; what has been read of them stays there when a limit is passed."""
        pieces.append(self._line(deadline, self._budget.line))
        texts = len(pieces[0])
        if not _DATA.match(pieces[0]):
            return (pieces[0],)
        while literal := _LITERAL.search(pieces[-1], max(0, len(pieces[-1]) - _TAIL_OCTETS)):
            size = int(literal[1])
            pieces[-1] = pieces[-1][: literal.start()]
            if size > self._budget.literal:
                if self._budget.cuts:
                    self._throw_away(size, deadline)
                    raise Cut(tuple(pieces))
                raise BadSyntax
            pieces.append(self._octets(size, deadline))
            pieces.append(self._line(deadline, self._budget.line - texts))
            texts += len(pieces[-1])
        return tuple(pieces)

    def scan(self, read: Callable[[bytes, int], int], deadline: Deadline) -> None:
        """Let `read` have each response as it comes in, until one has not the form that it reads: that one stays in the buffer.

        `read` gets octets that end in a line end and the place where a response begins; it gives where that ends, or the same place.
        """
        while True:
            end = self._buffer.rfind(b"\n") + 1
            block = bytes(memoryview(self._buffer)[:end])
            done = 0
            while done < end and (after := read(block, done)) > done:
                done = after
                self._count_response()
            self._spend(done)
            del self._buffer[:done]
            self._searched = 0
            if done < end or len(self._buffer) > self._budget.line:
                return
            self._fill(deadline)

    def all_read(self) -> bool:
        """Whether nothing that was received is left but empty lines, such as Bridge puts behind some refusals (bridge-behaviour 1.7)."""
        if self._buffer.strip(b"\r\n"):
            return False
        self._buffer.clear()
        self._searched = 0
        return True

    def said_goodbye(self) -> bool:
        """Whether a BYE, or as much of it as is here, is what was received and not read."""
        rest = bytes(self._buffer[:_TAIL_OCTETS]).lstrip(b"\r\n")
        return bool(rest) and b"* BYE".startswith(rest[: len(b"* BYE")])

    def quiet(self) -> bool:
        """Whether nothing has happened on the kept connection since it was last used. Never waits.

        Bridge says nothing between commands, but for the empty line behind some refusals; an end of the stream or anything
        else makes the connection doubtful.
        """
        if not self._buffer and not self._is_readable():
            return True
        try:
            self._never_block()
            for _ in range(_QUIET_READS):
                octets = self._socket.recv(_READ_OCTETS)
                if not octets:
                    return False
                self._buffer += octets
                if not self.all_read():
                    return False
            return False  # whoever says so much without being asked has more to say
        except (BlockingIOError, ssl.SSLWantReadError):
            return not self._buffer
        except (OSError, ValueError):
            return False

    def drain(self, deadline: Deadline) -> None:
        """Wait until the peer closes, but not past the deadline: a close with unread data looks like an abort."""
        with contextlib.suppress(OSError, ValueError):
            for _ in range(16):
                self._socket.settimeout(deadline.remaining())
                if not self._socket.recv(_READ_OCTETS):
                    return

    def _line(self, deadline: Deadline, limit: int) -> bytes:
        while (found := self._buffer.find(b"\n", self._searched)) < 0:
            self._searched = len(self._buffer)
            if self._searched > limit + 1:
                raise _TooLong
            self._fill(deadline)
        if self._buffer[found - 1 : found] != b"\r":
            raise BadSyntax
        if found - 1 > limit:
            raise _TooLong
        line = bytes(self._buffer[: found - 1])
        del self._buffer[: found + 1]
        self._searched = 0
        self._spend(found + 1)
        return line

    def _throw_away(self, octets: int, deadline: Deadline) -> None:
        """Read over `octets` and then to the end of the response, literals in it included; nothing is kept."""
        self._searched = 0
        while True:
            if octets > self._left:
                raise BadSyntax
            while octets > len(self._buffer):
                octets -= len(self._buffer)
                self._spend(len(self._buffer))
                self._buffer.clear()
                self._fill(deadline)
            del self._buffer[:octets]
            self._spend(octets)
            while (found := self._buffer.find(b"\n")) < 0:
                seen = max(0, len(self._buffer) - _TAIL_OCTETS)
                del self._buffer[:seen]
                self._spend(seen)
                self._fill(deadline)
            literal = _LITERAL.search(bytes(self._buffer[max(0, found - 1 - _TAIL_OCTETS) : max(0, found - 1)]))
            del self._buffer[: found + 1]
            self._spend(found + 1)
            if literal is None:
                return
            octets = int(literal[1])

    def _octets(self, size: int, deadline: Deadline) -> bytes:
        self._spend(size)
        while len(self._buffer) < size:
            self._fill(deadline)
        octets = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._searched = 0
        return octets

    def _count_response(self) -> None:
        self._responses_left -= 1
        if self._responses_left < 0:
            raise BadSyntax  # each costs time, however short it is

    def _spend(self, octets: int) -> None:
        self._left -= octets
        if self._left < 0:
            raise BadSyntax

    def _fill(self, deadline: Deadline) -> None:
        self._never_block()
        ready = self._to_read
        while True:
            # An answer takes its time: asking the socket before it is there would be in vain.
            if ready is self._to_write or not self._pending():
                self._wait(ready, deadline)
            ready = self._to_read
            try:
                octets = self._socket.recv(_READ_OCTETS)
            except (BlockingIOError, ssl.SSLWantReadError):
                continue  # less than a record of TLS, or one that holds nothing for us
            except ssl.SSLWantWriteError:
                ready = self._to_write
                continue
            except (OSError, ValueError):
                deadline.call.check()
                raise Refusal(Code.CONNECTION_LOST) from None
            if not octets:
                deadline.call.check()
                raise Refusal(Code.CONNECTION_LOST)
            self._buffer += octets
            return

    def _never_block(self) -> None:
        """Before the handshake, and for it, the socket has a time limit of its own."""
        if self._socket.gettimeout() != 0:
            self._socket.settimeout(0)

    def _is_readable(self) -> bool:
        """Whether octets, an end or an error are there, or the socket has been given back."""
        return bool(self._pending()) or self._socket.fileno() < 0 or bool(self._to_read.poll(0))

    def _wait(self, ready: select.poll, deadline: Deadline) -> None:
        """Until the socket is ready, has failed, or the deadline has come, which the caller looks at. Raises as `Deadline.remaining`."""
        left = deadline.remaining()
        if self._socket.fileno() >= 0:
            ready.poll(math.ceil(1_000 * left))
