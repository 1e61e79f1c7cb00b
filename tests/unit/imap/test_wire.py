"""Octets from a socket become framed responses, whole or drop by drop, and never more than is allowed."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.imap import responses, tls
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.grammar import BadSyntax
from proton_safe.imap.index import FAST_ROW
from proton_safe.imap.wire import Budget, Wire
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.unit.imap.conftest import RealClock

STREAM = (
    b"* OK hello {5}\r\n"
    b"\r\n"
    b"+\r\n"
    b"* 1 FETCH (UID 1 BODY[] {30}\r\n)\r\nA5 OK done\r\n* 9 FETCH (UID 9 X {2}\r\nab)\r\n"
    b"* SEARCH 1 2\r\n"
    b"a1 NO text with {7}\r\n"
)
FRAMED = [
    (b"* OK hello {5}",),
    (b"",),
    (b"+",),
    (b"* 1 FETCH (UID 1 BODY[] ", b")\r\nA5 OK done\r\n* 9 FETCH (UID ", b"9 X ", b"ab", b")"),
    (b"* SEARCH 1 2",),
    (b"a1 NO text with {7}",),
]


@pytest.fixture
def ends() -> Iterator[tuple[Wire, socket.socket]]:
    """A wire and the peer's end of it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Wire(ours), theirs


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_a_stream_is_framed_whatever_its_packets(ends: tuple[Wire, socket.socket], call: Call, size: int) -> None:
    """A literal's length is honoured whatever it holds; texts of status lines announce nothing (imap/literal-in-literal)."""
    wire, theirs = ends
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)

    def drip() -> None:
        for at in range(0, len(STREAM), size):
            theirs.sendall(STREAM[at : at + size])

    feeder = threading.Thread(target=drip)
    feeder.start()
    assert [wire.response(Deadline(call)) for _ in FRAMED] == FRAMED
    feeder.join(30)
    assert not feeder.is_alive()


def _read_three(wire: Wire, deadline: Deadline) -> None:
    """What a command's reader does: frame, then parse."""
    for _ in range(3):
        responses.read(wire.response(deadline))


@pytest.mark.parametrize(
    "octets, budget",
    [
        (b"* 1 FETCH (BODY[] {11}\r\n", Budget(literal=10)),
        (b"* 1 FETCH (BODY[] {2000000000}\r\nabc", Budget()),
        (b"* 1 FETCH (BODY[] {9999999999999}\r\n", Budget()),
        (b"* OK " + b"x" * 100 + b"\r\n", Budget(line=99)),
        (b"x" * 200, Budget(line=99)),
        (b"* LIST () {1}\r\na" + b"b" * 100 + b"\r\n", Budget(line=90)),
        (b"* OK bare line feed\n", Budget()),
        (b"\n", Budget()),
        (b"* OK aaa\r\n* OK aaa\r\n* OK aaa\r\n", Budget(total=25)),
        (b"\r\n\r\n\r\n", Budget(responses=2)),
        (b"* 1 FETCH (BODY[] {9}\r\n123456789)\r\n", Budget(total=30)),
        (b"* LIST " + b"x" * 40 + b" {1}\r\na " + b"y" * 40 + b" {1}\r\nb " + b"z" * 40 + b"\r\n", Budget(line=100)),
    ],
)
def test_more_than_is_allowed_is_refused(ends: tuple[Wire, socket.socket], call: Call, octets: bytes, budget: Budget) -> None:
    """Attack catalogue, imap/literal-2g, literal-huge, long-line, tag-games: refused before anything is allocated."""
    wire, theirs = ends
    wire.allow(budget)
    theirs.sendall(octets)
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(BadSyntax):
        _read_three(wire, Deadline(call))


@pytest.mark.parametrize("form", [b"{5+}", b"{00005}", b"{+5}", b"{-5}", b"~{5}", b"{}", b"{5 }", b"{00000000005}"])
def test_a_literal_that_is_announced_in_another_form_is_none(ends: tuple[Wire, socket.socket], call: Call, form: bytes) -> None:
    """Attack catalogue, imap/literal-huge: refused for its form alone, also where the octets would fit."""
    wire, theirs = ends
    theirs.sendall(b"* 1 FETCH (BODY[] " + form + b"\r\nabcde UID 1)\r\n* OK\r\n* OK\r\n")
    with pytest.raises(BadSyntax):
        _read_three(wire, Deadline(call))


def test_what_just_fits_is_read(ends: tuple[Wire, socket.socket], call: Call) -> None:
    """At the limits of line, literal and total."""
    wire, theirs = ends
    octets = b"* X {10}\r\n0123456789)\r\n"
    wire.allow(Budget(line=9, literal=10, total=len(octets)))
    theirs.sendall(octets)
    assert wire.response(Deadline(call)) == (b"* X ", b"0123456789", b")")


@pytest.mark.parametrize("octets", [b"", b"* OK unfini", b"* 1 FETCH (BODY[] {100}\r\n0123456789"])
def test_an_end_of_the_stream_is_a_lost_connection(ends: tuple[Wire, socket.socket], call: Call, octets: bytes) -> None:
    """Attack catalogue, imap/literal-short."""
    wire, theirs = ends
    theirs.sendall(octets)
    theirs.close()
    with pytest.raises(Refusal) as raised:
        wire.response(Deadline(call))
    assert raised.value.code is Code.CONNECTION_LOST


def test_sending_to_a_closed_peer_is_a_lost_connection(ends: tuple[Wire, socket.socket], call: Call) -> None:
    """Whatever the operating system calls it."""
    wire, theirs = ends
    theirs.close()
    with pytest.raises(Refusal) as raised:
        wire.send(b"x" * 1_000_000, Deadline(call))
    assert raised.value.code is Code.CONNECTION_LOST


def _wait(wire: Wire, direction: str, deadline: Deadline) -> None:
    """Wait for a peer that neither speaks nor listens."""
    if direction == "receive":
        wire.response(deadline)
    else:
        wire.send(b"x" * 50_000_000, deadline)


@pytest.mark.parametrize("direction", ["receive", "send"])
def test_a_silent_peer_ends_at_the_deadline(ends: tuple[Wire, socket.socket], clock: RealClock, direction: str) -> None:
    """The whole command has one deadline (attack catalogue 0.5: per-read timeouts never fire)."""
    wire, _ = ends
    deadline = Deadline.within(Call(clock, seconds=30), clock, 0.05)
    with pytest.raises(Refusal) as raised:
        _wait(wire, direction, deadline)
    assert raised.value.code is Code.DEADLINE


def test_a_dripping_peer_ends_at_the_deadline(ends: tuple[Wire, socket.socket], clock: RealClock) -> None:
    """Octets that keep coming do not move the end."""
    wire, theirs = ends
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.002):
            theirs.sendall(b"x")

    feeder = threading.Thread(target=drip)
    feeder.start()
    try:
        with pytest.raises(Refusal) as raised:
            wire.response(Deadline.within(Call(clock, seconds=30), clock, 0.1))
    finally:
        stop.set()
        feeder.join(30)
    assert raised.value.code is Code.DEADLINE


@pytest.mark.parametrize("direction", ["receive", "send"])
def test_a_cancel_ends_the_wait(ends: tuple[Wire, socket.socket], call: Call, direction: str) -> None:
    """product.md 3: a cancelled call stops at once, at the socket too."""
    wire, theirs = ends
    begun = threading.Event()

    def cancel() -> None:
        begun.wait(30)
        if direction == "send":
            theirs.recv(1)
        call.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    begun.set()
    with pytest.raises(CallCancelled), call.interruptible(wire.interrupt):
        _wait(wire, direction, Deadline(call))
    canceller.join(30)
    assert not canceller.is_alive()


@pytest.mark.parametrize(
    "octets, quiet", [(b"", True), (b"\r\n", True), (b"\r\n\r\n", True), (b"* BYE\r\n", False), (b"x", False), (None, False)]
)
def test_a_kept_wire_is_quiet_or_in_doubt(ends: tuple[Wire, socket.socket], octets: bytes | None, quiet: bool) -> None:
    """Bridge says nothing between commands but the empty line behind some refusals (bridge-behaviour 1.7, 3.2)."""
    wire, theirs = ends
    if octets is None:
        theirs.close()
    else:
        theirs.sendall(octets)
    assert wire.quiet() is quiet


class Chatty(socket.socket):
    """A peer that sends one empty line after the other, each at once by the socket's clock and `seconds` later by the test's."""

    said = 0

    def __init__(self, clock: RealClock, seconds: float) -> None:
        super().__init__()
        self.clock = clock
        self.seconds = seconds

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Never stops, as far as a test can wait."""
        self.said += 1
        if self.said > 1_000:
            raise BlockingIOError
        self.clock.ahead += self.seconds
        return b"\r\n"[: size + flags]


def test_a_kept_wire_that_is_flooded_with_empty_lines_is_in_doubt(clock: RealClock) -> None:
    """Whether it is quiet is found without a deadline, so it must be found in few reads."""
    with Chatty(clock, 0) as chatty:
        assert not Wire(chatty).quiet()
        assert chatty.said < 100


def test_a_peer_that_drips_after_the_goodbye_is_not_waited_for_past_the_deadline(clock: RealClock) -> None:
    """Each packet comes in time; the time for all of them is what counts."""
    with Chatty(clock, 0.7) as chatty:
        with pytest.raises(Refusal) as raised:
            Wire(chatty).drain(Deadline(Call(clock, seconds=1)))
        assert raised.value.code is Code.DEADLINE
        assert chatty.said == 2


def test_a_scan_takes_whole_matching_responses_and_stops_at_the_first_other(ends: tuple[Wire, socket.socket], call: Call) -> None:
    """The fast path leaves what it doesn't know to the general reader, and waits for the rest of what is unfinished."""
    wire, theirs = ends
    row = b'* %d FETCH (UID %d FLAGS () INTERNALDATE "01-Jan-2026 00:00:00 +0000")\r\n'
    theirs.sendall(b"* OK first\r\n" + row % (1, 1) + row % (2, 2) + b"* 3 EXISTS\r\n" + row % (3, 3) + (row % (4, 4))[:20])
    assert wire.response(Deadline(call)) == (b"* OK first",)
    taken: list[bytes] = []

    def read(block: bytes, at: int) -> int:
        row = FAST_ROW.match(block, at)
        if row is not None:
            taken.append(row[1])
        return at if row is None else row.end()

    wire.scan(read, Deadline(call))
    assert taken == [b"1", b"2"]
    assert wire.response(Deadline(call)) == (b"* 3 EXISTS",)
    theirs.sendall((row % (4, 4))[20:] + b"* 5 EXISTS\r\n")
    wire.scan(read, Deadline(call))
    assert taken == [b"1", b"2", b"3", b"4"]
    assert wire.response(Deadline(call)) == (b"* 5 EXISTS",)


@pytest.mark.parametrize("budget", [Budget(responses=2), Budget(total=200)])
def test_a_scan_counts_what_it_takes(ends: tuple[Wire, socket.socket], call: Call, budget: Budget) -> None:
    """The fast path is under the limits of the other."""
    wire, theirs = ends
    wire.allow(budget)
    theirs.sendall(b"".join(b'* %d FETCH (UID %d FLAGS () INTERNALDATE "01-Jan-2026 00:00:00 +0000")\r\n' % (n, n) for n in (1, 2, 3)))

    def read(block: bytes, at: int) -> int:
        row = FAST_ROW.match(block, at)
        return at if row is None else row.end()

    theirs.sendall(b"* OK no row\r\n")
    with pytest.raises(BadSyntax):
        wire.scan(read, Deadline(call))


def test_octets_before_the_handshake_are_refused(ends: tuple[Wire, socket.socket], call: Call) -> None:
    """What was said in the clear must not count as said through TLS (NO STARTTLS, USENIX Security 2021)."""
    wire, theirs = ends
    theirs.sendall(b"p1 OK begin\r\n* CAPABILITY INJECTED\r\n")
    assert wire.response(Deadline(call)) == (b"p1 OK begin",)
    with pytest.raises(Refusal) as raised:
        wire.start_tls(tls.client_context(), Deadline(call))
    assert raised.value.code is Code.TLS_REQUIRED
