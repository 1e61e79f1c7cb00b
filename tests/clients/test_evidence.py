"""The witnesses are not blind: each fault that no client would report is found on a wire that has it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.clients.evidence import LEGACY, MODERN, faults_of_end, faults_of_wire
from tests.clients.site import WITNESS, Seen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WAIT_S: Final = 30
Message = dict[str, Any]
CLIENT: Final[tuple[Message, ...]] = (
    {"id": 0, "method": "initialize", "params": {"protocolVersion": LEGACY}},
    {"method": "notifications/initialized"},
    {"id": 1, "method": "tools/call", "params": {"name": "mailbox_status"}},
    {"id": 2, "method": "tools/call", "params": {"name": "search_messages"}},
    {"method": "notifications/cancelled", "params": {"requestId": 2}},
)
IDENTITY: Final = {"protocolVersion": LEGACY, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
SERVER: Final[tuple[Message, ...]] = (
    {"id": 0, "result": IDENTITY},
    {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
    {"id": 1, "result": {"content": []}},
)
END: Final = {"status": 0, "input_ended": True, "signals": [], "stderr": ""}
GOOD: Final = Seen(CLIENT, SERVER, END)


def _saying(*messages: Message) -> Callable[[Seen], Seen]:
    return lambda seen: replace(seen, from_server=(*seen.from_server, *messages))


def test_wire_without_fault_is_left_in_peace() -> None:
    """A judge that finds fault with everything proves nothing either."""
    assert (list(faults_of_wire(GOOD, LEGACY)), list(faults_of_end(GOOD))) == ([], [])


@pytest.mark.parametrize(
    "change,fault",
    [
        (_saying({"id": 2, "result": {"content": []}}), "a cancelled request was answered"),
        (_saying({"id": 1, "result": {"content": []}}), "an answer came twice or belongs to no request"),
        (_saying({"id": 7, "result": {"content": []}}), "an answer came twice or belongs to no request"),
        (_saying({"id": 8, "method": "roots/list"}), "the server sent a request"),
        (
            lambda seen: replace(seen, from_server=(seen.from_server[0], {"id": 1, "result": {"content": 5}})),
            f"the answer to tools/call has not the form of {LEGACY}: ValidationError",
        ),
        (
            lambda seen: replace(seen, from_server=(seen.from_server[0], {"id": 1, "error": {"code": -32603}})),
            "tools/call was answered with {'code': -32603}",
        ),
    ],
)
def test_each_fault_of_the_wire_is_named(change: Callable[[Seen], Seen], fault: str) -> None:
    """JSON-RPC and MCP: one answer a request, none to a cancelled one, none that fits no schema, and no question by the server."""
    assert list(faults_of_wire(change(GOOD), LEGACY)) == [fault]


def test_request_that_the_client_did_not_wait_for_may_be_told_that_the_connection_closed() -> None:
    """The SDK answers what is under way when the input ends; only that, and only then."""
    gone = Seen(CLIENT[:4], (*SERVER, {"id": 2, "error": {"code": -32000, "message": "Connection closed"}}), END)
    assert list(faults_of_wire(gone, LEGACY)) == []
    early = Seen(CLIENT[:4], (SERVER[0], {"id": 1, "error": {"code": -32000}}), END)
    assert list(faults_of_wire(early, LEGACY)) == ["tools/call was answered with {'code': -32000}"]


def test_another_protocol_than_the_wanted_one_is_named() -> None:
    """A client that quietly fell back to the handshake has not shown the newer protocol."""
    assert list(faults_of_wire(GOOD, MODERN)) == [f"agreed on ['{LEGACY}'], {MODERN} is wanted"]


@pytest.mark.parametrize(
    "end,fault",
    [
        (None, "a server never ended"),
        ({**END, "status": 3}, "a server ended with status 3 and said: "),
        ({**END, "stderr": "Traceback"}, "a server ended with status 0 and said: Traceback"),
        ({**END, "signals": ["SIGTERM"]}, "a server had to be ended with ['SIGTERM']"),
        ({**END, "input_ended": False}, "a server had to be ended with []"),
    ],
)
def test_each_unclean_end_is_named(end: Message | None, fault: str) -> None:
    """A server ends by itself, silently, when its input does."""
    assert list(faults_of_end(replace(GOOD, end=end))) == [fault]


def test_server_that_was_only_probed_may_be_told_to_end() -> None:
    """The TypeScript client 2.x asks a process of its own which protocol it speaks, and then ends it by signal."""
    assert list(faults_of_end(Seen(CLIENT[:2], SERVER[:1], {**END, "signals": ["SIGTERM"], "input_ended": False}))) == []


def test_witness_hands_on_every_octet_and_writes_down_both_sides_and_the_end(tmp_path: Path) -> None:
    """What stands between client and server changes nothing, or its word is worth nothing."""
    server = "import sys\nfor line in sys.stdin: print(line.upper(), end='', flush=True)\nsys.stderr.write('bye'); sys.exit(3)"
    given = b'{"id": 1}\r\n{"id": "\xc3\xa9"}\n'
    done = subprocess.run(
        (sys.executable, str(WITNESS), str(tmp_path), sys.executable, "-X", "utf8", "-c", server),
        input=given,
        capture_output=True,
        timeout=WAIT_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (3, b"bye")
    assert done.stdout.replace(b"\r", b"") == '{"ID": 1}\n{"ID": "É"}\n'.encode()
    (frames,), (end,) = tmp_path.glob("*.frames"), tmp_path.glob("*.end")
    rows = [json.loads(line) for line in frames.read_text(encoding="utf-8").splitlines()]
    assert [row["line"].encode() for row in rows if row["from"] == "client"] == given.splitlines(keepends=True)
    assert [row["line"].encode() for row in rows if row["from"] == "server"] == done.stdout.splitlines(keepends=True)
    assert json.loads(end.read_text(encoding="utf-8")) == {"status": 3, "input_ended": True, "signals": [], "stderr": "bye"}
