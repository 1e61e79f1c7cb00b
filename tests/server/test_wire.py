"""The wire of a real server process: bad frames are answered, the next message is always served, and every end is clean."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Final

import pytest

from tests.server.stdio import Stdio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_LINE: Final = 16 * 1024 * 1024


def environment(state: Path) -> dict[str, str]:
    """Settings of a server whose Bridge does not exist; nothing here needs one."""
    return {
        "PROTON_BRIDGE_USER": "ada@keller.example",
        "PROTON_IMAP_PORT": "1",
        "PROTON_MCP_STATE_DIR": str(state),
        "PROTON_BRIDGE_PASSWORD": "CANARY-password",
    }


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Stdio]:
    """A server after its handshake."""
    with Stdio(environment(tmp_path)) as process:
        process.initialize()
        yield process


def assert_serves(server: Stdio, identifier: object = "after") -> None:
    """The next message is served."""
    server.send(id=identifier, method="ping")
    assert server.answer(identifier)["result"] == {}


@pytest.mark.parametrize(
    "line,code,identifier",
    [
        (b"not json", -32700, None),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}', -32700, None),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "pi\x00ng"}', -32700, None),
        (b"[" * 200_000, -32700, None),
        (b'{"jsonrpc":"2.0","id":' + b"1" * 4301 + b',"method":"ping"}', -32700, None),
        (b"{" + b" " * MAX_LINE + b"}", -32700, None),
        (b"42", -32600, None),
        (b"{}", -32600, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
        (b'{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5),
        (b'{"jsonrpc":"2.0","id":"p","method":"ping","params":[1]}', -32600, "p"),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":9,"method":"no/such"}', -32601, 9),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"send_email","arguments":{}}}', -32602, 9),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"x\\ud800","arguments":{}}}', -32602, 9),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"x"}}', -32602, 9),
    ],
    ids=lambda value: value[:24].decode("latin-1") if isinstance(value, bytes) else str(value),
)
def test_bad_frame_is_answered_and_the_next_message_is_served(server: Stdio, line: bytes, code: int, identifier: str | int | None) -> None:
    """JSON-RPC 2.0, 5.1, and the MCP specification's codes."""
    server.write(line + b"\n")
    answer = server.receive()
    assert (answer["id"], answer["error"]["code"]) == (identifier, code)
    assert_serves(server)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b'{"jsonrpc":"2.0","method":"notifications/unknown"}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}',
        b'{"jsonrpc":"2.0","id":77,"result":{}}',
    ],
)
def test_line_that_asks_nothing_is_answered_with_nothing(server: Stdio, line: bytes) -> None:
    """Blank lines, unknown notifications, stray responses, a cancel for an unknown id."""
    server.write(line + b"\n")
    server.send(id="next", method="ping")
    assert server.receive() == {"jsonrpc": "2.0", "id": "next", "result": {}}


def test_byte_order_mark_and_carriage_return_are_stripped(server: Stdio) -> None:
    """What an editor or a Windows client may put around a line."""
    server.write(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":3,"method":"ping"}\r\n')
    assert server.answer(3)["result"] == {}


def test_line_of_exactly_the_limit_is_served(server: Stdio) -> None:
    """The bound is inclusive: 16 MiB without the line's end."""
    head, tail = b'{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":{"pad":"', b'"}}}'
    server.write(head + b"x" * (MAX_LINE - len(head) - len(tail)) + tail + b"\n")
    assert server.answer(4)["result"] == {}
    server.write(head + b"x" * (MAX_LINE - len(head) - len(tail) + 1) + tail + b"\n")
    assert server.receive()["error"]["code"] == -32700
    assert_serves(server)


@pytest.mark.parametrize("arguments", ['{"folder": "\\ud800"}', '{"x": ' + "[" * 40 + "]" * 40 + "}", '{"limit": 1e400}'])
def test_unreadable_arguments_are_a_refusal(server: Stdio, arguments: str) -> None:
    """Inside `params.arguments` the fault has a code that a client can act on."""
    server.write(
        ('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_messages","arguments":' + arguments + "}}\n").encode()
    )
    result = server.answer(5)["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert result["_meta"]["proton-safe/refusal"]["code"] == "arguments-invalid"
    assert_serves(server)


def test_octets_in_pieces_make_one_message(server: Stdio) -> None:
    """A message ends at its line's end, wherever the pipe cuts it."""
    message = json.dumps({"jsonrpc": "2.0", "id": 6, "method": "ping"}).encode() + b"\n"
    for octet in message:
        server.write(bytes([octet]))
    assert server.answer(6)["result"] == {}


def test_end_of_input_ends_the_server_with_status_zero(server: Stdio) -> None:
    """Nothing is logged for a clean end."""
    assert server.end() == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_the_server_with_status_zero(server: Stdio, number: signal.Signals) -> None:
    """Hosts stop servers with a signal; the SDK's own transport ignores SIGINT."""
    server.process.send_signal(number)
    assert server.ended() == (0, "")


def test_client_that_closes_its_end_ends_the_server(tmp_path: Path) -> None:
    """Nobody reads any more: the server leaves without a trace on standard error."""
    with Stdio(environment(tmp_path), reading=False) as server:
        server.send(id=1, method="ping")
        assert server.process.stdout is not None
        assert json.loads(server.process.stdout.readline())["id"] == 1
        server.process.stdout.close()
        server.send(id=2, method="ping")
        assert server.ended() == (0, "")


def test_password_stands_in_no_answer_and_no_log(server: Stdio) -> None:
    """The connection can't be made; the refusal is a constant."""
    server.call(7, "mailbox_status")
    answer = server.answer(7)
    assert answer["result"]["_meta"]["proton-safe/refusal"]["code"] == "bridge-unreachable"
    status, log = server.end()
    assert status == 0
    assert "CANARY" not in json.dumps(answer) + log
