"""Calls under way: cancelled ones stop at the socket, ids are kept apart, and no end of the server leaves anything behind."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.eras import Era
from tests.server.stdio import Stdio
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.server.conftest import FakeBridge


def stalled_search(bridge: FakeBridge, server: Stdio, identifier: str) -> None:
    """Start a search that Bridge never answers, and wait until Bridge has it."""
    bridge.ask(do="faults", rules=[{"on": "UID SEARCH", "nth": 1, "do": "stall", "times": 1}])
    server.call(identifier, "search_messages", query="lighthouse")
    seen(bridge, lambda entries: any(entry["kind"] == "fault" and entry["verb"] == "UID SEARCH" for entry in entries))


def seen(bridge: FakeBridge, condition: Callable[[list[dict[str, Any]]], bool]) -> None:
    """Ask the journal until it shows what must come."""
    until(lambda: condition(bridge.ask(do="journal")["entries"]))


def closed(entries: list[dict[str, Any]]) -> bool:
    """Whether every session that was opened is closed."""
    opened = {entry["session"] for entry in entries if entry["kind"] == "connect"}
    return opened == {entry["session"] for entry in entries if entry["kind"] == "close"}


def test_cancelled_call_closes_its_connection_and_is_not_answered(bridge: FakeBridge, server: Stdio) -> None:
    """MCP cancellation: no answer; the work stops at the socket, and the next call is served."""
    stalled_search(bridge, server, "slow")
    server.send(method="notifications/cancelled", params={"requestId": "slow"})
    seen(bridge, closed)
    server.call("next", "search_messages", query="lighthouse")
    answer = server.receive()
    assert answer["id"] == "next"
    assert answer["result"]["structuredContent"]["total"] == 1


def test_ping_is_answered_while_a_call_waits(bridge: FakeBridge, server: Stdio) -> None:
    """A ping never waits for a tool."""
    stalled_search(bridge, server, "slow")
    server.send(id="ping", method="ping")
    assert server.receive() == {"jsonrpc": "2.0", "id": "ping", "result": {}}


def test_id_in_flight_is_refused_and_free_again_afterwards(bridge: FakeBridge, server: Stdio) -> None:
    """JSON-RPC ids name one request at a time; 1 and "1" are different ids."""
    stalled_search(bridge, server, "1")
    server.send(id="1", method="ping")
    refused = server.receive()
    assert (refused["id"], refused["error"]["code"]) == ("1", -32600)
    server.send(id=1, method="ping")
    assert server.receive() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    server.send(method="notifications/cancelled", params={"requestId": "1"})
    seen(bridge, closed)
    server.send(id="1", method="ping")
    assert server.receive() == {"jsonrpc": "2.0", "id": "1", "result": {}}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_during_a_call_leaves_no_connection(bridge: FakeBridge, server: Stdio, number: signal.Signals) -> None:
    """The server ends at once, whatever it waits for."""
    stalled_search(bridge, server, "slow")
    server.process.send_signal(number)
    assert server.ended() == (0, "")
    seen(bridge, closed)


def test_end_of_input_during_a_call_leaves_no_connection(bridge: FakeBridge, server: Stdio) -> None:
    """The client went away; nobody waits for the answer."""
    stalled_search(bridge, server, "slow")
    assert server.end() == (0, "")
    seen(bridge, closed)


def test_many_calls_share_at_most_four_connections(bridge: FakeBridge, server: Stdio) -> None:
    """Connections are kept and reused; four calls at once need at most four."""
    for number in range(60):
        server.call(number, "mailbox_status")
    answers = [server.receive() for _ in range(60)]
    assert {answer["id"] for answer in answers} == set(range(60))
    assert all(answer["result"]["structuredContent"]["inbox_messages"] == 8 for answer in answers)
    assert len(bridge.journal("connect")) <= 4


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_progress_comes_to_those_who_asked_and_only_grows(bridge: FakeBridge, tmp_path: Path, version: str) -> None:
    """MCP progress: under the client's token, strictly growing, before the answer; nothing without a token."""
    era = Era(version)
    with Stdio(bridge.environment(tmp_path)) as server:
        era.open(server)
        draft = {"to": ["bob@example.org"], "subject": "s", "body_text": "b", "user_confirmed": True}
        params = era.params(name="create_confirmed_draft", arguments=draft, _meta={"progressToken": "token"})
        server.send(id=1, method="tools/call", params=params)
        seen_so_far = []
        while (message := server.receive()).get("id") != 1:
            assert message["method"] == "notifications/progress"
            assert message["params"]["progressToken"] == "token"
            seen_so_far.append((message["params"]["progress"], message["params"]["message"]))
        assert message["result"]["structuredContent"]["created"] is True
        assert seen_so_far[0] == (0.0, "Started.")
        assert [progress for progress, _ in seen_so_far] == sorted({progress for progress, _ in seen_so_far})
        server.send(id=2, method="tools/call", params=era.params(name="mailbox_status", arguments={}))
        assert server.receive()["id"] == 2
