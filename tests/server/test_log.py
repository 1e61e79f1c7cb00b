"""Standard error: structured lines of constants and numbers; whatever a handler or a library does, no word of it stands there."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.conftest import offline
from tests.server.slow_work import refusal
from tests.server.stdio import Stdio

if TYPE_CHECKING:
    from pathlib import Path


def one_call(state: Path, *command: str) -> tuple[dict[str, Any], list[str], str]:
    """The answer of `list_sender_addresses`, the other lines of the wire, and standard error."""
    with Stdio(offline(state), command=("-m", *command)) as server:
        server.initialize()
        server.call("call", "list_sender_addresses")
        answer = server.answer("call")
        server.send(id="ping", method="ping")
        assert server.receive() == {"jsonrpc": "2.0", "id": "ping", "result": {}}
        status, log = server.end()
        assert status == 0
        assert server.closed_output()
    return answer, log.splitlines(), json.dumps(answer) + log


@pytest.mark.parametrize("fault", ["raises", "refuses", "another", "schema"])
def test_bug_becomes_a_constant_answer_with_a_correlation_id(tmp_path: Path, fault: str) -> None:
    """An exception, a code that the tool does not name, another tool's result, a result that breaks the published schema."""
    answer, log, everything = one_call(tmp_path, "tests.server.faulty", fault)
    assert refusal(answer) == "internal-error"
    facts = answer["result"]["_meta"]["proton-safe/refusal"]
    (line,) = log
    logged = json.loads(line)
    assert (logged["level"], logged["event"], logged["tool"]) == ("error", "internal-error", "list_sender_addresses")
    assert logged["correlation"] == facts["correlation"]
    assert re.fullmatch(r"[0-9a-f]{16}", logged["correlation"])
    assert logged["at"].split(" at ")[0] in {"RuntimeError", "Refusal", "TypeError", "AttributeError", "ValidationError"}
    assert "CANARY" not in everything
    assert "/" not in logged["at"]


def test_engine_that_fails_ends_the_server_with_status_one(tmp_path: Path) -> None:
    """The host sees a server that is gone, the log where it broke, and nobody a word of why."""
    with Stdio(offline(tmp_path), command=("-m", "tests.server.faulty", "engine")) as server:
        server.initialize()
        server.call("call", "list_sender_addresses")
        status, log = server.ended()
        assert server.closed_output()
    (line,) = log.splitlines()
    assert status == 1
    assert (json.loads(line)["event"], json.loads(line)["at"].split(" at ")[0]) == ("engine-failed", "RuntimeError")
    assert "CANARY" not in line


def test_lone_surrogates_cannot_leave(tmp_path: Path) -> None:
    """The one serialisation point replaces them, and the answer is complete."""
    answer, log, _ = one_call(tmp_path, "tests.server.faulty", "surrogates")
    assert answer["result"]["structuredContent"]["default_sender"] == "a\ufffdb"
    assert answer["result"]["structuredContent"]["sender_addresses"] == ["a\ufffdb"]
    assert json.loads(answer["result"]["content"][0]["text"]) == answer["result"]["structuredContent"]
    assert log == []


def test_prints_and_children_cannot_reach_the_wire(tmp_path: Path) -> None:
    """Descriptor 1 is standard error for all but the wire; libraries' own lines become events without their text."""
    answer, log, _ = one_call(tmp_path, "tests.server.faulty", "noise")
    assert answer["result"]["structuredContent"]["sender_addresses"] == []
    stray = [line for line in log if not line.startswith("{")]
    assert stray == ["CANARY secret@keller.example /home/ada/mail", "from descriptor 1", "from a child"]
    events = [json.loads(line) for line in log if line.startswith("{")]
    assert [(line["level"], line["event"]) for line in events] == [("error", "library"), ("error", "lost-in-thread")]
    assert (events[0]["logger"], events[1]["at"].split(" at ")[0]) == ("some.library", "RuntimeError")
    assert "CANARY" not in json.dumps(events)


def test_calls_are_logged_on_request_as_json(tmp_path: Path) -> None:
    """One line for each event, with tool, outcome and seconds; nothing of arguments and results."""
    _, log, everything = one_call(tmp_path, "proton_safe", "serve", "--log-level", "info")
    lines = [json.loads(line) for line in log]
    assert [line["event"] for line in lines] == ["engine-started", "call", "ended"]
    assert lines[1].keys() == {"time", "level", "event", "tool", "outcome", "seconds"}
    assert (lines[1]["tool"], lines[1]["outcome"], lines[1]["level"]) == ("list_sender_addresses", "result", "info")
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", line["time"]) for line in lines)
    assert "CANARY" not in everything
    assert "keller" not in "".join(log)


def test_calls_are_logged_on_request_as_text(tmp_path: Path) -> None:
    """The same for a person's eyes."""
    _, log, _ = one_call(tmp_path, "proton_safe", "serve", "--log-level", "info", "--log-form", "text")
    assert [line.split(" ")[1:3] for line in log] == [["info", "engine-started"], ["info", "call"], ["info", "ended"]]
    assert re.fullmatch(r"20\S+Z info call tool=list_sender_addresses outcome=result seconds=[0-9.]+", log[1])
