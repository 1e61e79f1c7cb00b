"""Load and slow clients: four calls run, sixty-four wait, the rest is refused at once, and nothing that the wire can answer ever waits."""

from __future__ import annotations

import json
import signal
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.conftest import offline
from tests.server.eras import Era
from tests.server.slow_work import SEARCH, connections, refusal
from tests.server.stdio import Stdio
from tests.server.transport_rows import error, request, result
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.conftest import FakeBridge

ADMITTED = 68
BODY = "\u20ac" * 500_000  # 3 MB on the wire, as escapes


def stall_everything(bridge: FakeBridge) -> None:
    """From now on Bridge answers no STATUS."""
    bridge.ask(do="faults", rules=[{"on": "STATUS", "nth": 1, "do": "stall", "times": None}])


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_calls_beyond_the_limits_are_refused_at_once(bridge: FakeBridge, tmp_path: Path, version: str) -> None:
    """Product page 14: 4 run, 64 wait, beyond that `busy`; ping and tools/list never wait. All else is answered when Bridge wakes up."""
    era = Era(version)
    with Stdio(bridge.environment(tmp_path)) as server:
        era.open(server)
        stall_everything(bridge)
        call = era.params(name="mailbox_status", arguments={})
        server.write(b"".join(request(id=number, method="tools/call", params=call) + b"\n" for number in range(300)))
        refused = [server.receive() for _ in range(300 - ADMITTED)]
        assert {refusal(answer) for answer in refused} == {"busy"}
        assert {answer["id"] for answer in refused} == set(range(ADMITTED, 300))
        assert len(era.ask(server, "list", "tools/list")["result"]["tools"]) == 13
        if not era.modern:
            assert era.ask(server, "ping", "ping") == result("ping", {})
        until(lambda: len(bridge.journal("fault")) == 4)
        for number in range(ADMITTED):
            server.send(method="notifications/cancelled", params={"requestId": number})
        bridge.ask(do="clear-faults")
        assert (
            era.ask(server, "after", "tools/call", name="mailbox_status", arguments={})["result"]["structuredContent"]["inbox_messages"]
            == 8
        )
        assert server.end() == (0, "")
        assert server.closed_output()


def test_waiting_calls_run_when_earlier_ones_are_done(bridge: FakeBridge, server: Stdio) -> None:
    """Each of sixty-eight calls gets its own answer, once."""
    for number in range(ADMITTED):
        server.call(number, "mailbox_status")
    answers = [server.receive() for _ in range(ADMITTED)]
    assert Counter(answer["id"] for answer in answers) == Counter(range(ADMITTED))
    assert all(answer["result"]["structuredContent"]["inbox_messages"] == 8 for answer in answers)
    assert len(bridge.journal("connect")) <= 4


def test_requests_beyond_all_bounds_are_refused_and_nothing_grows(tmp_path: Path) -> None:
    """A flood of requests that need the engine is bounded before the engine is there to see it."""
    with Stdio(offline(tmp_path)) as server:
        server.initialize()
        server.write(b"".join(request(id=f"x{number}", method="no/such") + b"\n" for number in range(20_000)))
        answers = [server.receive() for _ in range(20_000)]
        texts = {-32601: "Method not found", -32000: "Too many requests at once"}
        assert all(answer == error(answer["error"]["code"], texts[answer["error"]["code"]], answer["id"]) for answer in answers)
        assert {answer["id"] for answer in answers} == {f"x{number}" for number in range(20_000)}
        assert {answer["error"]["code"] for answer in answers} == set(texts)
        assert server.peak_kib() < 150 * 1024


def test_large_calls_are_bounded_by_their_octets(bridge: FakeBridge, server: Stdio) -> None:
    """Many calls of many megabytes can't all wait in memory: 64 MiB do, whatever is beyond is `busy`."""
    stall_everything(bridge)
    for number in range(4):
        server.call(number, "mailbox_status")
    until(lambda: len(bridge.journal("fault")) == 4)
    for number in range(60):
        server.call(f"large {number}", "create_confirmed_draft", to=["bob@example.org"], subject="s", body_text=BODY, user_confirmed=True)
    refused = [server.receive() for _ in range(60 - 22)]
    assert {refusal(answer) for answer in refused} == {"busy"}
    assert {answer["id"] for answer in refused} == {f"large {number}" for number in range(22, 60)}
    assert server.peak_kib() < 250 * 1024


def test_flood_of_calls_and_cancels_is_bounded(bridge: FakeBridge, server: Stdio) -> None:
    """A call that is cancelled before it runs leaves nothing behind, ten thousand times over."""
    SEARCH.start(bridge, server)
    stall_everything(bridge)
    pair = request(id="c", method="tools/call", params={"name": "mailbox_status", "arguments": {}}) + b"\n"
    pair += request(method="notifications/cancelled", params={"requestId": "c"}) + b"\n"
    server.write(pair * 10_000)
    server.send(method="notifications/cancelled", params={"requestId": "slow"})
    server.send(id="ping", method="ping")
    assert server.receive()["id"] == "ping"
    bridge.ask(do="clear-faults")
    server.call("after", "mailbox_status")
    assert server.receive()["id"] == "after"
    assert server.peak_kib() < 150 * 1024


@pytest.mark.parametrize("awake", [False, True], ids=["front door", "engine"])
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGINT], ids=["end of input", "SIGTERM", "SIGINT"])
def test_client_that_does_not_read_cannot_keep_the_server(tmp_path: Path, number: signal.Signals | None, *, awake: bool) -> None:
    """The pipe to the client is full. The end of input or a signal still ends the server, and what was written is whole lines."""
    with Stdio(offline(tmp_path), reading=False) as server:
        assert server.process.stdout is not None
        server.send(id="init", method="initialize", params=Era("2025-11-25").opening()[1])
        server.process.stdout.readline()
        if awake:
            server.send(id="wake", method="no/such")
            server.process.stdout.readline()
        server.write(b"".join(request(id=number, method="tools/list") + b"\n" for number in range(3)))
        until(lambda: server.waits_in("poll"))
        if number is None:
            assert server.process.stdin is not None
            server.process.stdin.close()
        else:
            server.process.send_signal(number)
        assert server.ended() == (0, "")
        lines = server.process.stdout.read().split(b"\n")
        assert [json.loads(line)["id"] for line in lines[:-1]] == list(range(len(lines) - 1))


def test_slow_client_gets_every_answer(tmp_path: Path) -> None:
    """A reader that is late loses nothing: the server waits for it, in front and behind the engine."""
    with Stdio(offline(tmp_path), reading=False) as server:
        assert server.process.stdout is not None
        server.send(id="init", method="initialize", params=Era("2025-11-25").opening()[1])
        server.process.stdout.readline()
        asked: list[dict[str, Any]] = []
        for number in range(30):
            asked.append({"id": f"list {number}", "method": "tools/list"})
            asked.append({"id": f"odd {number}", "method": "tools/list", "params": {"_meta": {"example.org/odd": number}}})
        for message in asked:
            server.send(**message)
        until(lambda: server.waits_in("poll"))
        answers = [json.loads(server.process.stdout.readline()) for _ in asked]
        assert {answer["id"] for answer in answers} == {message["id"] for message in asked}
        assert all(len(answer["result"]["tools"]) == 13 for answer in answers)


def test_standard_error_that_nobody_reads_blocks_nothing(bridge: FakeBridge, tmp_path: Path) -> None:
    """The host reads no log: a thousand calls that each log a line are answered all the same."""
    environment = bridge.environment(tmp_path)
    with Stdio(environment, command=("-m", "proton_safe", "serve", "--log-level", "info")) as server:
        server.initialize()
        for number in range(1_000):
            server.call(number, "list_sender_addresses")
            assert refusal(server.answer(number)) is None
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(15) == 0
    until(lambda: connections(bridge) == 0)
