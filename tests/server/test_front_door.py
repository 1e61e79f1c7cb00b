"""The front door answers as the engine would, imports next to nothing, and hands over without a lost, doubled or swapped message."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.server.conftest import offline
from tests.server.eras import VERSIONS, Era
from tests.server.stdio import WAIT_S, Stdio
from tests.server.transport_rows import error, request, result

if TYPE_CHECKING:
    from collections.abc import Mapping

ENGINE: Final = {"pydantic", "mcp", "mcp_types", "anyio", "asyncio", "keyring", "imapclient", "pypdf", "justhtml", "ssl", "socket", "email"}
HEAVY: Final = {"argparse", "dataclasses", "typing", "pathlib", "logging", "tomllib", "threading", "subprocess", "inspect"}


@pytest.mark.parametrize("version", VERSIONS)
def test_table_and_engine_answer_alike(tmp_path: Path, version: str) -> None:
    """Whoever answers, the client reads the same: an unusual spelling of each question goes to the engine, the usual one to the table."""
    era = Era(version)
    method, params = era.opening()
    odd = {"example.org/odd": 1}
    with Stdio(offline(tmp_path / "a")) as table, Stdio(offline(tmp_path / "b")) as engine:
        opened = era.open(table)
        engine.send(id="open", method=method, params={**params, "_meta": {**params.get("_meta", {}), **odd}})
        assert engine.answer("open")["result"] == opened
        listed = era.ask(table, 2, "tools/list")["result"]
        assert not loaded(table)
        assert era.ask(engine, 2, "tools/list", _meta=odd)["result"] == listed
        assert era.ask(table, 3, "tools/list", _meta=odd)["result"] == listed
        assert loaded(table)
        assert era.ask(table, 4, "tools/list")["result"] == listed
        if not era.modern:
            assert era.ask(table, 5, "ping")["result"] == era.ask(engine, 5, "ping")["result"] == {}


def loaded(server: Stdio) -> bool:
    """Whether the process has mapped the engine's compiled parts."""
    return "pydantic_core" in Path(f"/proc/{server.process.pid}/maps").read_text(encoding="utf-8")


@pytest.mark.parametrize("version", ["1999-01-01", "2026-07-28", "2099-01-01", ""])
def test_unknown_version_is_answered_with_the_newest_handshake_version(tmp_path: Path, version: str) -> None:
    """MCP lifecycle: the server offers what it speaks, and the client decides."""
    with Stdio(offline(tmp_path)) as server:
        assert Era(version).modern is (version == "2026-07-28")
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
        server.send(id=1, method="initialize", params=params)
        assert server.answer(1)["result"]["protocolVersion"] == "2025-11-25"


def test_second_handshake_is_the_engine_s_and_holds(tmp_path: Path) -> None:
    """The SDK accepts it; the list afterwards is the same, and calls work."""
    with Stdio(offline(tmp_path)) as server:
        server.initialize()
        params = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
        server.send(id=1, method="initialize", params=params)
        assert server.answer(1)["result"]["protocolVersion"] == "2024-11-05"
        server.send(id=2, method="tools/list")
        assert len(server.answer(2)["result"]["tools"]) == 13


def test_modern_connection_refuses_what_the_era_does_not_have(tmp_path: Path) -> None:
    """2026-07-28: no initialize, no ping, an envelope in every request, and versions that are not served are named."""
    era = Era("2026-07-28")
    with Stdio(offline(tmp_path)) as server:
        era.open(server)
        server.send(id=1, method="initialize", params=Era("2025-11-25").opening()[1])
        assert server.answer(1)["error"]["code"] == -32022
        assert era.ask(server, 2, "ping") == error(-32601, "Method not found", 2)
        server.send(id=3, method="tools/list")
        assert server.answer(3)["error"]["code"] == -32602
        unknown = era.ask(server, 4, "tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "2099-01-01" + "x" * 1000})
        assert unknown["error"]["code"] == -32022
        assert unknown["error"]["data"] == {"supported": ["2026-07-28"], "requested": ("2099-01-01" + "x" * 1000)[:64]}
        answer = era.ask(server, 5, "tools/call", name="list_sender_addresses", arguments={})["result"]
        assert (answer["resultType"], answer["structuredContent"]["default_sender"]) == ("complete", "ada@keller.example")


@pytest.mark.parametrize("version", VERSIONS)
def test_pipelined_messages_cross_the_hand_over_each_once_and_in_order(tmp_path: Path, version: str) -> None:
    """All lines stand in the pipe before the server has read one; the engine is loaded in the middle of them."""
    era = Era(version)
    method, params = era.opening()
    call = era.params(name="list_sender_addresses", arguments={})
    asked = [request(id="open", method=method, params=params), request(method="notifications/initialized")]
    asked += [request(id=f"list {number}", method="tools/list", params=era.params()) for number in range(3)]
    asked += [request(id=number, method="tools/call", params=call) for number in range(20)]
    asked += [request(id="last list", method="tools/list", params=era.params())]
    asked += [request(id=f"unknown {number}", method="no/such", params=era.params()) for number in range(20)]
    with Stdio(offline(tmp_path)) as server:
        server.write(b"\n".join(asked) + b"\n")
        answers = [server.receive() for _ in range(45)]
        assert server.end() == (0, "")
        assert server.closed_output()
    identifiers = [answer["id"] for answer in answers]
    assert sorted(map(str, identifiers)) == sorted(
        ["open", "list 0", "list 1", "list 2", "last list", *map(str, range(20)), *(f"unknown {number}" for number in range(20))]
    )
    assert identifiers[:4] == ["open", "list 0", "list 1", "list 2"]
    assert all("error" not in answer for answer in answers if not str(answer["id"]).startswith("unknown"))


def test_answers_of_the_table_do_not_wait_for_the_engine_to_be_loaded(tmp_path: Path) -> None:
    """A ping behind the first call is answered before it."""
    with Stdio(offline(tmp_path)) as server:
        server.initialize()
        server.call("first", "list_sender_addresses")
        server.send(id="ping", method="ping")
        server.send(id="list", method="tools/list")
        assert [server.receive()["id"] for _ in range(3)] == ["ping", "list", "first"]


def test_cancel_before_the_engine_is_there_leaves_the_call_unanswered(tmp_path: Path) -> None:
    """The call waits for the engine; its cancel comes first. The id is free at once."""
    with Stdio(offline(tmp_path)) as server:
        server.initialize()
        server.call("slow", "mailbox_status")
        server.send(method="notifications/cancelled", params={"requestId": "slow"})
        server.call("slow", "list_sender_addresses")
        assert server.receive()["result"]["structuredContent"]["default_sender"] == "ada@keller.example"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_while_the_engine_loads_ends_the_server_with_status_zero(tmp_path: Path, number: signal.Signals) -> None:
    """There is nothing to tidy up yet."""
    with Stdio(offline(tmp_path)) as server:
        server.initialize()
        server.call("first", "mailbox_status")
        server.send(id="ping", method="ping")
        server.answer("ping")
        server.process.send_signal(number)
        assert server.ended() == (0, "")


def imported(environment: Mapping[str, str], lines: bytes, *command: str) -> set[str]:
    """The modules that a run imports, first names only; coverage's own hook stays out of the measured process."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *command], input=lines, env=dict(environment), capture_output=True, check=True, timeout=WAIT_S
    )
    names = [line.rpartition("|")[2].strip() for line in run.stderr.decode().splitlines() if line.startswith("import time:")]
    return {name for name in names if name != "imported package"}


@pytest.mark.parametrize("version", VERSIONS)
def test_front_door_imports_nothing_that_costs(tmp_path: Path, version: str) -> None:
    """Hosts start every server that they know: until a call, this one loads json, signal, select and its own small modules."""
    era = Era(version)
    method, params = era.opening()
    asked = [request(id=1, method=method, params=params), request(id=2, method="tools/list", params=era.params())]
    bad = [b"not json", b"", request(id=1.5, method="ping"), request(method="notifications/initialized")]
    environment = {**offline(tmp_path), "PATH": "/usr/bin"}
    floor = imported(environment, b"", "-c", "import json, sys, runpy")
    ours = imported(environment, b"\n".join([*asked, *bad]) + b"\n", "-m", "proton_safe", "serve") - floor
    own = {name for name in ours if name.partition(".")[0] == "proton_safe"}
    assert ours - own == {"__future__", "signal", "select"}
    assert not {name.partition(".")[0] for name in ours} & (ENGINE | HEAVY)
    assert len(own) <= 20


def test_settings_that_cannot_be_used_are_told_before_anything_is_served(tmp_path: Path) -> None:
    """Nothing is answered by a server that could not do its work."""
    with Stdio({**offline(tmp_path), "PROTON_IMAP_PORT": "0"}) as server:
        assert server.ended() == (
            1,
            "proton-safe-mcp: CONFIG_INVALID: PROTON_IMAP_PORT must be a whole number from 1 to 65535.\n",
        )
        assert server.closed_output()


def test_managed_file_that_is_not_there_is_told_before_anything_is_served(tmp_path: Path) -> None:
    """The same for the other source of settings."""
    with Stdio({}, command=("-m", "proton_safe", "serve", "--config", str(tmp_path / "none.toml"))) as server:
        assert server.ended() == (1, "proton-safe-mcp: CONFIG_MISSING: The configuration file does not exist.\n")
        assert server.closed_output()


def test_managed_file_is_served_through_the_same_front_door(tmp_path: Path) -> None:
    """`--config` costs the reading of the file, and not the engine."""
    file = tmp_path / "config.toml"
    file.write_text(f'schema_version = 1\n[bridge]\nuser = "ada@keller.example"\n[paths]\nstate_dir = "{tmp_path}"\n', encoding="utf-8")
    file.chmod(0o600)
    with Stdio({}, command=("-m", "proton_safe", "serve", "--config", str(file))) as server:
        server.initialize()
        server.send(id=2, method="tools/list")
        assert len(server.answer(2)["result"]["tools"]) == 13
        assert not loaded(server)
        server.call(3, "list_sender_addresses")
        assert server.answer(3)["result"]["structuredContent"]["sender_addresses"] == ["ada@keller.example"]
        assert server.end() == (0, "")


def described(*words: str) -> Any:  # noqa: ANN401 - parsed JSON
    """What `describe` prints."""
    run = subprocess.run([sys.executable, "-m", "proton_safe", "describe", *words], capture_output=True, check=True, timeout=60)
    return json.loads(run.stdout)


def test_busy_of_the_table_is_the_refusal_of_the_engine() -> None:
    """Beyond the load limits the wire answers by itself, in the form that every refusal has."""
    table = described("--form", "front-door")
    busy = next(row for row in described()["refusals"] if row["code"] == "busy")
    refusal = {"code": "busy", "class": busy["class"], "field": None, "retryable": True, "next_step": busy["next_step"]}
    text = {"type": "text", "text": f"busy: {busy['sentence']} {busy['next_step']}"}
    assert table["handshake"]["busy"] == {"content": [text], "isError": True, "_meta": {"proton-safe/refusal": refusal}}
    assert table["modern"]["busy"]["_meta"]["proton-safe/refusal"] == refusal
    assert result(1, table["modern"]["busy"]["content"])["result"] == [text]
