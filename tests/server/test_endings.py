"""However a server or a call ends in the middle of slow work, it leaves no child, no connection and no file."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from tests.server import slow_work
from tests.server.conftest import offline
from tests.server.eras import Era
from tests.server.slow_work import ALL, DRAFT, FETCH, PDF, SEARCH, Work, connections, descendants, lives, refusal, staged
from tests.server.stdio import Stdio
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.server.conftest import FakeBridge


def end_of_input(server: Stdio) -> None:
    """The client closes its end."""
    assert server.process.stdin is not None
    server.process.stdin.close()


def by_signal(number: signal.Signals) -> Callable[[Stdio], None]:
    """The host or the person stops the server."""
    return lambda server: server.process.send_signal(number)


ENDINGS = {
    "end of input": end_of_input,
    "SIGTERM": by_signal(signal.SIGTERM),
    "SIGINT": by_signal(signal.SIGINT),
    "SIGHUP": by_signal(signal.SIGHUP),
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
@pytest.mark.parametrize("work", ALL, ids=lambda work: work.name)
def test_server_that_ends_in_slow_work_leaves_nothing(
    bridge: FakeBridge, server: Stdio, tmp_path: Path, work: Work, ending: Callable[[Stdio], None]
) -> None:
    """Connections are dropped, children gone, staged octets swept; the status is 0 and the log silent, but for a draft of unknown fate.

    Nor is a call that the end broke off answered as if Bridge had been slow.
    """
    work.start(bridge, server)
    children = descendants(server.process.pid)
    assert bool(children) is (work is PDF)
    ending(server)
    status, log = server.ended()
    assert status == 0
    assert [json.loads(line)["event"] for line in log.splitlines()] == (["draft-outcome-unknown"] if work is DRAFT else [])
    # A call that was still on the SDK's way may be told that the connection closed; a result would be a lie.
    assert [said for said in server.rest() if said.get("id") == "slow" and "result" in said] == []
    until(lambda: not any(map(lives, children)))
    until(lambda: connections(bridge) == 0)
    assert staged(tmp_path) == []


@pytest.mark.parametrize("work", [SEARCH, FETCH, PDF, DRAFT], ids=lambda work: work.name)
def test_cancelled_call_stops_at_once_and_gets_no_answer(bridge: FakeBridge, server: Stdio, work: Work) -> None:
    """MCP cancellation reaches the socket and the child; the next call is served."""
    work.start(bridge, server)
    opened = connections(bridge)
    server.send(method="notifications/cancelled", params={"requestId": "slow"})
    until(lambda: not descendants(server.process.pid))
    if work is not PDF:
        until(lambda: connections(bridge) < opened)
    server.call("next", "mailbox_status")
    while (answer := server.receive()).get("id") != "next":
        assert answer["method"] == "notifications/progress"
    assert refusal(answer) is None


@pytest.mark.parametrize("work", [SEARCH, FETCH, PDF, DRAFT], ids=lambda work: work.name)
def test_overdue_call_stops_and_is_answered(bridge: FakeBridge, tmp_path: Path, work: Work) -> None:
    """Each call has a deadline, after which nothing of it is left."""
    with Stdio(bridge.environment(tmp_path), command=("-m", "tests.server.hurried")) as server:
        server.initialize()
        work.start(bridge, server)
        answer = server.answer("slow")
        if work is SEARCH:
            assert answer["result"]["structuredContent"]["partial"] is True
        else:
            assert refusal(answer) == ("draft-unknown" if work is DRAFT else "deadline")
        until(lambda: not descendants(server.process.pid))
        server.call("next", "mailbox_status")
        assert refusal(server.answer("next")) is None
        assert server.end() == (0, "")
    until(lambda: connections(bridge) == 0)


@pytest.mark.parametrize("ending", [end_of_input, by_signal(signal.SIGTERM)], ids=["end of input", "SIGTERM"])
def test_idle_connections_to_a_silent_bridge_do_not_pass_for_a_stuck_call(
    bridge: FakeBridge, server: Stdio, ending: Callable[[Stdio], None]
) -> None:
    """Several connections are kept, and nobody answers LOGOUT: the server leaves by itself, and its log says nothing."""
    late = {"on": "STATUS", "do": "late", "seconds": 2, "times": 4}  # so that each call needs a connection of its own
    bridge.ask(do="faults", rules=[late, {"on": "LOGOUT", "do": "stall", "times": None}])
    for number in range(4):
        server.call(str(number), "mailbox_status")
    for _ in range(4):
        assert refusal(server.receive()) is None
    assert connections(bridge) > 2
    ending(server)
    assert server.ended() == (0, "")


def test_client_that_is_gone_altogether_ends_the_server(bridge: FakeBridge, tmp_path: Path) -> None:
    """Both ends of the wire are closed while a call runs."""
    with Stdio(bridge.environment(tmp_path), reading=False) as server:
        server.send(id="init", method="initialize", params=Era("2025-11-25").opening()[1])
        slow_work.SEARCH.start(bridge, server)
        assert server.process.stdout is not None
        server.process.stdout.close()
        end_of_input(server)
        assert server.ended() == (0, "")
    until(lambda: connections(bridge) == 0)


def test_killed_server_leaves_a_folder_that_the_next_one_sweeps(bridge: FakeBridge, server: Stdio, tmp_path: Path) -> None:
    """SIGKILL can't be caught: the lock tells the next server that nobody owns the folder."""
    slow_work.UPLOAD.start(bridge, server)
    server.process.kill()
    server.process.wait(15)
    assert staged(tmp_path) != []
    with Stdio(bridge.environment(tmp_path)) as heir:
        heir.initialize()
        slow_work.UPLOAD.start(bridge, heir)
        until(lambda: len({path.split("/")[1] for path in staged(tmp_path)}) == 1)
        assert heir.end() == (0, "")
    assert staged(tmp_path) == []


def test_second_signal_does_not_keep_the_server_from_tidying_up(bridge: FakeBridge, server: Stdio, tmp_path: Path) -> None:
    """Impatient hosts and people send more than one."""
    slow_work.open_upload(server)
    slow_work.SEARCH.start(bridge, server)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        server.process.send_signal(number)
    assert server.ended() == (0, "")
    assert staged(tmp_path) == []
    until(lambda: connections(bridge) == 0)


def test_call_that_does_not_let_go_cannot_keep_the_server(tmp_path: Path) -> None:
    """A handler that hangs where nothing reaches it, a bug, delays the end by two seconds; staged octets are swept all the same."""
    with Stdio(offline(tmp_path), command=("-m", "tests.server.faulty", "hangs")) as server:
        server.initialize()
        slow_work.open_upload(server)
        params = {"name": "list_sender_addresses", "arguments": {}, "_meta": {"progressToken": "hangs"}}
        server.send(id="hangs", method="tools/call", params=params)
        assert [server.receive()["params"]["message"] for _ in range(2)] == ["Started.", "Hanging."]
        server.process.send_signal(signal.SIGTERM)
        status, log = server.ended()
        assert status == 0
        assert [json.loads(line)["event"] for line in log.splitlines()] == ["left-with-a-call-stuck"]
    assert staged(tmp_path) == []
