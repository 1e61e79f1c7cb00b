"""What costs a server memory, sockets or attention: clients that die, crowds, floods. On real sockets, in a process of its own."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.fakebridge.fuzz.resources import HAS_PROC, memory_octets, open_files
from tests.fakebridge.running_bridge import FakeBridge
from tests.fakebridge.talking import C, Closed, Raw, S, Wire, talk
from tests.fakebridge.worlds import PASSWORD, USER, world
from tests.waiting import until

MEGABYTE = 1 << 20
NEEDS_PROC = pytest.mark.skipif(not HAS_PROC, reason="memory and open files are read out of /proc")


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeBridge]:
    """A process that does nothing else."""
    path = tmp_path_factory.mktemp("endurance") / "world.json"
    path.write_text(json.dumps(world()), encoding="utf-8")
    with FakeBridge(path) as bridge:
        bridge.ready["world"] = str(path)
        yield bridge


@pytest.fixture
def bridge(process: FakeBridge) -> FakeBridge:
    """With an empty journal."""
    process.ask("reset", world=process.ready["world"])
    return process


def settled(bridge: FakeBridge, sessions: int) -> None:
    """So many sessions have come to their end."""
    seen: list[dict[str, Any]] = []

    def ended() -> bool:
        seen.extend(bridge.ask("journal", since=len(seen))["entries"])
        return len([entry for entry in seen if entry["kind"] == "close"]) >= sessions

    until(ended)


def session(bridge: FakeBridge) -> Wire:
    """A connection that has logged in and opened INBOX."""
    wire = Wire(bridge.ready["imap"])
    talk(wire, S("* OK …"), C(f"l LOGIN {USER} {PASSWORD}"), S("l OK …"))
    assert wire.ask("m SELECT INBOX")[-1].startswith("m OK")
    return wire


@NEEDS_PROC
def test_a_client_that_dies_inside_a_literal_frees_its_memory(bridge: FakeBridge) -> None:
    """Twenty times 20 MB of an APPEND that never comes to its end, after five that let the allocator settle."""
    pid = bridge.process.pid
    before = 0
    for number in range(1, 26):
        wire = session(bridge)
        talk(wire, C("a1 APPEND Drafts {30000000}"), S("+ Ready"))
        wire.send(b"x" * 20_000_000)
        wire.close()
        settled(bridge, number)
        if number == 5:
            before = memory_octets(pid)
    # A freed literal may stay with the allocator for the next one; kept ones would be 400 MB.
    assert memory_octets(pid) < before + 100 * MEGABYTE
    with closing(session(bridge)) as wire:
        talk(wire, C("a1 NOOP"), S("a1 OK …"))


@NEEDS_PROC
def test_ten_thousand_connections_leak_nothing(bridge: FakeBridge) -> None:
    """Half say something, none says goodbye; only the journal is longer, and it goes with the world."""
    pid, port = bridge.process.pid, int(bridge.ready["imap"])

    def connect_and_drop(times: int) -> None:
        for number in range(times):
            with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
                assert client.recv(1) == b"*"
                if number % 2:
                    client.sendall(b"a1 CAPABILITY\r\na2 LOGIN x")

    connect_and_drop(1000)
    settled(bridge, 1000)
    bridge.ask("reset", world=bridge.ready["world"])
    files, memory = open_files(pid), memory_octets(pid)
    connect_and_drop(9000)
    settled(bridge, 9000)
    bridge.ask("reset", world=bridge.ready["world"])
    assert open_files(pid) == files
    assert memory_octets(pid) < memory + 24 * MEGABYTE


def test_five_hundred_idle_connections_and_a_busy_one(bridge: FakeBridge) -> None:
    """The busy one is served; afterwards every idle one is still there."""
    idle = [Wire(bridge.ready["imap"]) for _ in range(500)]
    busy = session(bridge)
    for number in range(300):
        assert len(busy.ask(f"b{number} UID FETCH 1:* (FLAGS BODY.PEEK[])")) == 4
    for wire in idle:
        talk(wire, S("* OK …"), C("a1 NOOP"), S("a1 OK …"))
        wire.close()
    busy.close()


@NEEDS_PROC
def test_a_command_without_an_end_has_a_limit(bridge: FakeBridge) -> None:
    """64 MB of one line; then the session ends without a word."""
    before = memory_octets(bridge.process.pid)
    wire = Wire(bridge.ready["imap"])
    talk(wire, S("* OK …"))
    with pytest.raises(OSError, match=r"reset|[Bb]roken|aborted"):
        wire.send(b"x" * 200 * MEGABYTE)
    wire.close()
    settled(bridge, 1)
    assert memory_octets(bridge.process.pid) < before + 90 * MEGABYTE


@NEEDS_PROC
def test_a_message_without_an_end_has_a_limit(bridge: FakeBridge) -> None:
    """SMTP: what goes beyond 64 MB is not kept; a chunk that announces more ends the session."""
    before = memory_octets(bridge.process.pid)

    def ready() -> Wire:
        wire = Wire(bridge.ready["smtp"])
        talk(wire, S("220 …"), C("HELO x"), S("250 …"), C(f"MAIL FROM:<{USER}>"), S("250 …"), C("RCPT TO:<b@x.test>"), S("250 …"))
        return wire

    wire = ready()
    talk(wire, C("DATA"), S("354 …"))
    for _ in range(150):
        wire.send((b"x" * 1022 + b"\r\n") * 1024)
    talk(wire, Raw(b".\r\n"), S("554 …"))
    wire.close()
    with closing(ready()) as wire:
        talk(wire, C("BDAT 4294967295 LAST"), Closed())
    assert memory_octets(bridge.process.pid) < before + 120 * MEGABYTE


def test_a_client_that_never_reads_does_not_fill_the_memory(bridge: FakeBridge) -> None:
    """Its commands wait; everybody else is served."""
    greedy = session(bridge)
    greedy.send(b"a UID FETCH 1:* (BODY.PEEK[] BODYSTRUCTURE ENVELOPE)\r\n" * 20_000)
    before = len(bridge.journal("answer"))
    with closing(session(bridge)) as other:
        assert other.ask("b1 NOOP")[-1].startswith("b1 OK")
    assert len(bridge.journal("answer")) < before + 20_000
    greedy.close()


@pytest.mark.parametrize("depth", [100, 201, 100_000])
@pytest.mark.parametrize("opening", [b"(", b"NOT "])
def test_nested_searches_are_answered_or_end_the_session(bridge: FakeBridge, depth: int, opening: bytes) -> None:
    """Found by fuzzing: the parser called itself for each level."""
    wire = session(bridge)
    wire.send(b"a1 SEARCH " + opening * depth + b"ALL" + (b")" * depth if opening == b"(" else b"") + b"\r\n")
    if depth <= 200:
        assert wire.until("a1")[-1].startswith("a1 OK")
    else:
        talk(wire, Closed())
    wire.close()


def test_numbers_of_any_length_are_read(bridge: FakeBridge) -> None:
    """Found by fuzzing: a number of more than 4,300 digits could not be written into the journal. It wraps, as in 64 bits."""
    wire = session(bridge)
    assert wire.ask(f"a1 FETCH {'9' * 5000} UID")[-1].startswith("a1 ")
    assert wire.ask(f"a2 FETCH 1:{(1 << 64) + 2} UID")[:-1] == ["* 1 FETCH (UID 1)", "* 2 FETCH (UID 2)"]
    wire.close()
