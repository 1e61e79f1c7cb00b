"""Hang, broken wire, early end and trouble of the suite itself are told apart, and the next case starts afresh."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conformance import adapter, client
from conformance.explain import explain
from conformance.library import by_situation, case_named
from conformance.model import Case, Json
from conformance.outcome import Outcome, Verdict
from conformance.player import play
from conformance.session import chunks, run
from conformance.stand import Stand
from conformance.table import families, report, table
from conformance.worlds_at_hand import hidden_canaries

pytestmark = pytest.mark.xdist_group("player")

# A server that shakes hands and then does what its first argument says about tool calls.
_SERVER = """
import json, sys
say = lambda message: (sys.stdout.write(json.dumps(message) + "\\n"), sys.stdout.flush())
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        say({"jsonrpc": "2.0", "id": number, "result": {}})
    elif method == "tools/list":
        say({"jsonrpc": "2.0", "id": number, "result": {"tools": []}})
    elif method == "ping":
        say({"jsonrpc": "2.0", "id": number, "result": {}})
    elif method == "tools/call":
        BEHAVIOUR
"""
_REFUSE = 'say({"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": "no"}})'
_BEHAVIOURS = {
    "silent": "pass",
    "gone": "sys.exit(3)",
    "chatty": f'sys.stdout.write("hello\\n"); {_REFUSE}',
    "asks": f'say({{"jsonrpc": "2.0", "id": 99, "method": "roots/list"}}); {_REFUSE}',
    "answers twice": f'{_REFUSE}; say({{"jsonrpc": "2.0", "id": 77, "result": {{}}}})',
    "reveals": "import os; " + _REFUSE.replace('"no"', 'os.environ["PROTON_BRIDGE_PASSWORD"]'),
    "logs a secret": f'import os; sys.stderr.write(os.environ["HOME"]); sys.stderr.flush(); {_REFUSE}',
    "sound": _REFUSE,
}


def _case(**changed: Json) -> Case:
    step = {"call": "anything", "expect": {"protocol_error": -32602}, "within_s": 1.0}
    plain = {
        "id": "server:tried:case",
        "tool": "server",
        "world": "small",
        "script": [step],
        "allowed": "none",
        "reason": "Only tried here.",
        "source": "the suite itself",
    }
    return Case.model_validate({**plain, **changed})


@contextmanager
def _standing(tmp_path: Path, behaviour: str) -> Iterator[Stand]:
    program = tmp_path / "server.py"
    program.write_text(_SERVER.replace("BEHAVIOUR", _BEHAVIOURS.get(behaviour, behaviour)), encoding="utf-8")
    stand = Stand(adapter.load().with_command(f"{sys.executable} {program}"))
    try:
        yield stand
    finally:
        stand.close()


@pytest.mark.parametrize(
    "behaviour, verdict, finding",
    [
        ("silent", Verdict.HANG, "step 1: no answer within 1 s"),
        ("gone", Verdict.FAILED, "the server ended; last on standard error: nothing"),
        ("chatty", Verdict.FAILED, "a line on standard output is not JSON in UTF-8: b'hello\\n'"),
        ("asks", Verdict.FAILED, "the server asks the client: 'roots/list'"),
        ("answers twice", Verdict.FAILED, "an answer to nothing that was asked"),
        ("reveals", Verdict.FAILED, "an answer holds secret or path number 0 (of password, state folder, home folder)"),
        ("logs a secret", Verdict.FAILED, "standard error holds secret or path number 2 (of password, state folder, home folder)"),
    ],
)
def test_each_way_to_fail_has_its_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, verdict: Verdict, finding: str
) -> None:
    """House rule: crash, hang and wrong answer are different outcomes."""
    monkeypatch.setattr(client, "FIRST_CALL_S", 0.1)
    with _standing(tmp_path, behaviour) as stand:
        outcome = play(_case(), stand)
    assert outcome.verdict is verdict
    assert any(one.startswith(finding) for one in outcome.findings), outcome.findings


def test_a_server_may_load_itself_at_its_first_call_and_no_later(tmp_path: Path) -> None:
    """On a busy machine a start takes longer than a call may, and says nothing about the call; the second one has no excuse."""
    once = f"globals().setdefault('calls', []).append(1); len(calls) > 1 or ({_REFUSE})"
    step = {"call": "anything", "expect": {"protocol_error": -32602}, "within_s": 0.0001}
    with _standing(tmp_path, once) as stand:
        outcome = play(_case(script=[{**step, "times": 2}]), stand)
        assert play(_case(script=[step]), stand).verdict is Verdict.PASSED
    assert (outcome.verdict, outcome.findings) == (Verdict.HANG, ("step 1: no answer within 0.0001 s",))


@pytest.mark.parametrize(
    "changed",
    [
        {"world": "no-such-world"},
        {"script": [{"control": {"do": "nonsense"}}]},
        {"script": [{"call": "anything", "with": {"uid": "$never"}, "expect": {"protocol_error": -32602}}]},
        {"script": [{"alter_stored": {"text": "never stored"}}]},
    ],
)
def test_trouble_of_the_suite_is_never_charged_to_the_server(tmp_path: Path, changed: dict[str, Any]) -> None:
    """House rule: harness-error is a verdict of its own, and the next case plays as if nothing had been."""
    with _standing(tmp_path, "sound") as stand:
        assert play(_case(**changed), stand).verdict is Verdict.HARNESS_ERROR
        assert play(_case(), stand).verdict is Verdict.PASSED


def test_a_canary_in_an_answer_fails_the_case(tmp_path: Path) -> None:
    """What a person can't see must not reach the model."""
    with _standing(tmp_path, "sound") as stand:
        outcome = play(_case(canaries=['"message": "no"']), stand)
    assert (outcome.verdict, outcome.findings) == (Verdict.FAILED, ('an answer holds \'"message": "no"\'',))


def test_a_hidden_canary_of_the_world_fails_every_case(tmp_path: Path) -> None:
    """A leak names its path: the mail and the place in it."""
    text, place = next(iter(hidden_canaries("hostile").items()))
    step = {"call": "anything", "expect": {"protocol_error": -32602}}
    leaking = _BEHAVIOURS["sound"].replace('"no"', f'"{text}"')
    with _standing(tmp_path, leaking) as stand:
        outcome = play(_case(world="hostile", script=[step]), stand)
    assert outcome.findings == (f"an answer holds the hidden canary of {place}",)


def test_behind_an_attack_an_ordinary_call_must_be_served(tmp_path: Path) -> None:
    """Whatever a mail did, the next person is served; a case that can't allow it says so."""
    attack = {"id": "header:tried:only", "attack": "header/tried"}
    with _standing(tmp_path, "sound") as stand:
        outcome = play(_case(**attack), stand)
        assert play(_case(**attack, next_call="none"), stand).verdict is Verdict.PASSED
    assert outcome.findings == ("the next call: mailbox_status ended with protocol error -32602 instead of a result",)
    assert families([outcome]).splitlines()[2].split() == ["header", "1", "0", "1", "0", "0"]


_VISIT = 'import socket; socket.create_connection(("127.0.0.1", message["params"]["arguments"]["port"]), 5).close(); '


@pytest.mark.parametrize("behaviour, findings", [(_VISIT + _REFUSE, ("step 3: somebody connected to the port $port",)), (_REFUSE, ())])
def test_a_visit_where_nobody_has_any_business_fails_the_case(tmp_path: Path, behaviour: str, findings: tuple[str, ...]) -> None:
    """Attack catalogue html/base-refresh: a fetch is seen, whatever fetched."""
    call = {"call": "anything", "with": {"port": "$port"}, "expect": {"protocol_error": -32602}}
    with _standing(tmp_path, behaviour) as stand:
        outcome = play(_case(script=[{"listen": "port"}, call, {"unvisited": "port"}]), stand)
    assert outcome.findings == findings


def test_a_wrong_end_names_both_ends(tmp_path: Path) -> None:
    """A finding says what came and what was wanted."""
    script = [{"call": "anything", "expect": {"refused": "busy"}}]
    with _standing(tmp_path, "sound") as stand:
        outcome = play(_case(script=script), stand)
    assert outcome.findings == ("step 1: anything ended with protocol error -32602 instead of busy",)


def test_several_workers_play_every_case_once(tmp_path: Path) -> None:
    """The command plays in parallel; the table counts by tool."""
    program = tmp_path / "server.py"
    program.write_text(_SERVER.replace("BEHAVIOUR", _BEHAVIOURS["sound"]), encoding="utf-8")
    cases = [_case(id=f"server:tried:case-{number}") for number in range(4)] + [_case(id="server:tried:other", world="empty")]
    heard: list[Outcome] = []
    outcomes = run(cases, adapter.load().with_command(f"{sys.executable} {program}"), workers=2, report=heard.append)
    assert [outcome.case_id for outcome in outcomes] == [case.id for case in cases]
    assert sorted(outcome.case_id for outcome in heard) == [case.id for case in cases]
    assert table(outcomes).splitlines()[-1].split() == ["all", "5", "5", "0", "0", "0"]
    assert report(outcomes) == ""


def test_a_report_names_what_was_found() -> None:
    """Only what did not pass is worth a line."""
    outcomes = [Outcome("a:b:c", "a", Verdict.PASSED), Outcome("a:b:d", "a", Verdict.HANG, ("no answer",))]
    assert report(outcomes) == "HANG a:b:d\n    no answer"


def test_pieces_never_mix_situations_and_slow_cases_stand_alone() -> None:
    """A server process has one world and one environment."""
    cases = [
        _case(id="server:tried:a"),
        _case(id="server:tried:b", world="empty"),
        _case(id="server:tried:c", environment={"X": "1"}),
        _case(id="server:tried:d", flags=["slow"]),
        _case(id="server:tried:e"),
    ]
    pieces = [[case.id[-1] for case in piece] for piece in chunks(cases)]
    assert pieces[:2] == [["d"], ["a", "e"]]
    assert sorted(pieces[2:]) == [["b"], ["c"]]
    assert sum(len(group) for group in by_situation(cases)) == len(cases)


def test_an_explanation_holds_the_exact_lines() -> None:
    """Whoever doubts a case can replay it by hand."""
    text = explain(case_named("mailbox_status:queue:full"))
    assert '→ {"jsonrpc":"2.0","id":1,"method":"initialize"' in text
    assert '"params":{"name":"mailbox_status","arguments":{}}}' in text
    assert "the next line 68 times" in text
    assert "must come back: the refusal `busy`" in text
    assert "\n  python -m conformance run mailbox_status:queue:full\n" in text


@pytest.mark.parametrize(
    "case_id, holds",
    [
        ("server:load:eight-at-once", "must come back, in any order"),
        ("create_confirmed_draft:attachments:altered-on-disk", "each file of the state folder"),
        ("list_messages:cursor:renumbered", "starts again with the same state folder"),
        ("server:unknown-tool:random-name", "the JSON-RPC error -32602"),
        ("read_message:hostile:hidden-html", "in an answer or on standard error: "),
        ("mailbox_status:bridge:wrong-password", "environment of the server: "),
        ("create_confirmed_draft:receipt:fields", "and its answer must hold"),
        ("html:base-refresh:image", "somebody listens on 127.0.0.1; $port is the port"),
        ("html:base-refresh:image", "nobody has connected to the port $port"),
    ],
)
def test_every_kind_of_step_is_explained(case_id: str, holds: str) -> None:
    """A step that is not told can't be replayed."""
    assert holds in explain(case_named(case_id))
