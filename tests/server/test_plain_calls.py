"""A call of the plain shape goes past the SDK. What the client sees is what the SDK would have written, to the octet but for the fence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.server.slow_work import SEARCH
from tests.server.stdio import Stdio
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.conftest import FakeBridge

# An odd member beside name and arguments: the SDK passes over it, and the call takes the SDK's way.
ODD = {"aside": 1}
FENCE = re.compile(r"[0-9a-f]{32}")
CALLS: dict[str, dict[str, Any]] = {
    "result": {"name": "list_sender_addresses", "arguments": {}},
    "no arguments": {"name": "list_sender_addresses"},
    "rows": {"name": "list_messages", "arguments": {"limit": 5}},
    "fenced text": {"name": "read_message", "arguments": {"uid": "3"}},
    "refused argument": {"name": "list_messages", "arguments": {"limit": 0}},
    "unreadable argument": {"name": "list_messages", "arguments": {"folder": "\ud800"}},
    "refused by the handler": {"name": "read_message", "arguments": {"uid": "77"}},
    "unknown tool": {"name": "send_message", "arguments": {}},
    "progress": {"name": "list_folders", "arguments": {}, "_meta": {"progressToken": "p", "host/own": {"a": 1}}},
}


def lines(server: Stdio, identifier: object, params: dict[str, Any]) -> list[str]:
    """All that is written for a call, with every fence as the same."""
    server.send(id=identifier, method="tools/call", params=params)
    said: list[dict[str, Any]] = []
    while not said or "method" in said[-1]:
        said.append(server.receive())
    return [FENCE.sub("fence", repr(message)) for message in said]


def test_both_ways_say_the_same(server: Stdio) -> None:
    """The first call of a connection takes the SDK's way while the engine loads, so another one goes before."""
    server.call("first", "list_sender_addresses")
    server.answer("first")
    for name, params in CALLS.items():
        assert lines(server, name, params) == lines(server, name, {**params, **ODD}), name


def stall_status(bridge: FakeBridge, server: Stdio) -> None:
    """The engine runs, and Bridge answers no STATUS any more."""
    server.initialize()
    server.call("first", "mailbox_status")
    server.answer("first")
    bridge.ask(do="faults", rules=[{"on": "STATUS", "nth": 1, "do": "stall", "times": None}])


def test_calls_of_both_ways_share_the_places(bridge: FakeBridge, tmp_path: Path) -> None:
    """Four run, whichever way they came; a waiting one runs when an earlier one is cancelled."""
    with Stdio(bridge.environment(tmp_path)) as server:
        stall_status(bridge, server)
        status: dict[str, Any] = {"name": "mailbox_status", "arguments": {}}
        for number in range(6):
            server.send(id=number, method="tools/call", params={**status, **(ODD if number % 2 else {})})
        until(lambda: len(bridge.journal("fault")) == 4)
        server.send(method="notifications/cancelled", params={"requestId": 5})
        server.send(method="notifications/cancelled", params={"requestId": 4})
        bridge.ask(do="clear-faults")
        for number in range(4):
            server.send(method="notifications/cancelled", params={"requestId": number})
        server.call("last", "mailbox_status")
        assert server.answer("last")["result"]["isError"] is False
        assert server.end() == (0, "")


def test_plain_call_is_cancelled(bridge: FakeBridge, tmp_path: Path) -> None:
    """A cancelled call is not answered, and its place is free again."""
    with Stdio(bridge.environment(tmp_path)) as server:
        server.initialize()
        server.call("first", "list_folders")
        server.answer("first")
        SEARCH.start(bridge, server)
        server.send(method="notifications/cancelled", params={"requestId": "slow"})
        server.call("next", "list_sender_addresses")
        assert server.answer("next")["result"]["isError"] is False


def test_call_that_waits_is_not_begun_when_the_server_ends(bridge: FakeBridge, tmp_path: Path) -> None:
    """The calls that run give up their places one by one; nobody gets them any more."""
    with Stdio(bridge.environment(tmp_path)) as server:
        stall_status(bridge, server)
        for number in range(4):
            server.call(number, "mailbox_status")
        until(lambda: len(bridge.journal("fault")) == 4)
        for number in range(4, 40):
            params = {"name": "mailbox_status", "arguments": {}, "_meta": {"progressToken": number}}
            server.send(id=number, method="tools/call", params=params)
        server.send(id="all are taken", method="ping")
        server.answer("all are taken")
        assert server.end() == (0, "")
        assert server.rest() == []
