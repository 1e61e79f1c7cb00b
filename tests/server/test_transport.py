"""Every row of the transport table against a real process: the exact reply, and the next message is served."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.server.conftest import offline
from tests.server.stdio import Stdio
from tests.server.transport_rows import FRAMES, MAX_LINE, REQUESTS, Row, error, request, result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def front_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stdio]:
    """A server after its handshake that has not needed its engine."""
    with Stdio(offline(tmp_path_factory.mktemp("state"))) as process:
        process.initialize()
        yield process


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stdio]:
    """A server whose engine runs."""
    with Stdio(offline(tmp_path_factory.mktemp("state"))) as process:
        process.initialize()
        process.send(id="wake", method="no/such")
        process.answer("wake")
        yield process


def play(server: Stdio, row: Row) -> None:
    """Send the line and a ping behind it; exactly the row's reply, if any, and the ping's come."""
    server.write(row.line + b"\n")
    if row.reply is not None:
        assert server.receive() == row.reply
    server.send(id="next", method="ping")
    assert server.receive() == result("next", {})


@pytest.mark.xdist_group("transport-front-door")
@pytest.mark.parametrize("row", FRAMES, ids=lambda row: row.name)
def test_line_is_answered_without_the_engine_and_the_next_message_is_served(front_door: Stdio, row: Row) -> None:
    """JSON-RPC 2.0, 4 and 5.1, and the transport's own limits."""
    play(front_door, row)


@pytest.mark.xdist_group("transport-engine")
@pytest.mark.parametrize("row", [*FRAMES, *REQUESTS], ids=lambda row: row.name)
def test_line_is_answered_beside_the_engine_and_the_next_message_is_served(engine: Stdio, row: Row) -> None:
    """The same, and what the engine answers: MCP's codes, and refusals for faults inside arguments."""
    play(engine, row)


def test_line_of_exactly_the_limit_is_served(front_door: Stdio) -> None:
    """The bound is inclusive: 16 MiB without the line's end."""
    head, tail = b'{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":{"progressToken":"', b'"}}}'
    play(front_door, Row("at the limit", head + b"x" * (MAX_LINE - len(head) - len(tail)) + tail, result(4, {})))
    over = head + b"x" * (MAX_LINE - len(head) - len(tail) + 1) + tail
    play(front_door, Row("over it", over, error(-32700, "Parse error: line too long", None)))


def test_octets_in_pieces_make_one_message(front_door: Stdio) -> None:
    """A message ends at its line's end, wherever the pipe cuts it."""
    for octet in request(id=6, method="ping") + b"\n":
        front_door.write(bytes([octet]))
    assert front_door.receive() == result(6, {})


def test_many_messages_in_one_piece_are_answered_in_order(front_door: Stdio) -> None:
    """A client may pipeline; what the wire answers itself keeps its order."""
    front_door.write(b"".join(request(id=number, method="ping") + b"\n" for number in range(500)))
    assert [front_door.receive()["id"] for _ in range(500)] == list(range(500))


def test_line_that_never_ends_takes_no_memory(front_door: Stdio) -> None:
    """An oversize line is discarded while it is read: 200 MiB of it leave the process as small as 16 MiB could make it."""
    for _ in range(200):
        front_door.write(b"x" * 1024 * 1024)
    front_door.write(b"\n")
    assert front_door.receive() == error(-32700, "Parse error: line too long", None)
    assert front_door.peak_kib() < 150 * 1024


def test_request_before_the_handshake_is_refused_and_the_handshake_still_works(tmp_path: Path) -> None:
    """MCP lifecycle: only ping may come before `initialize`."""
    with Stdio(offline(tmp_path)) as server:
        server.send(id=1, method="ping")
        assert server.receive() == result(1, {})
        server.send(id=2, method="tools/list")
        assert server.receive() == error(-32602, "Invalid request parameters", 2)
        server.call(3, "list_folders")
        assert server.receive() == error(-32602, "Invalid request parameters", 3)
        assert server.initialize()["protocolVersion"] == "2025-11-25"
        server.call(4, "list_sender_addresses")
        assert server.receive()["result"]["structuredContent"]["default_sender"] == "ada@keller.example"


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"protocolVersion": "2025-11-25", "capabilities": {}},
        {"protocolVersion": 20251125, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
        {"protocolVersion": "2025-11-25", "capabilities": [], "clientInfo": {"name": "t", "version": "0"}},
        {"protocolVersion": "2025-11-25", "capabilities": {"roots": 5}, "clientInfo": {"name": "t", "version": "0"}},
        {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t"}},
    ],
    ids=json.dumps,
)
def test_handshake_with_bad_parameters_is_refused_and_can_be_repeated(tmp_path: Path, params: dict[str, object]) -> None:
    """MCP: initialize names version, capabilities and client."""
    with Stdio(offline(tmp_path)) as server:
        server.send(id=1, method="initialize", params=params)
        assert server.receive() == error(-32602, "Invalid request parameters", 1)
        assert server.initialize()["protocolVersion"] == "2025-11-25"
        server.send(id=2, method="tools/list")
        assert len(server.answer(2)["result"]["tools"]) == 13
