"""Playing one case: its steps in order, each answer judged, the evidence read at the end."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.answer_rules import control_faults, form_faults, refusal_of, secret_faults
from conformance.bridge import BridgeFault
from conformance.client import Answer, NoAnswer, ServerGone
from conformance.evidence import offences, still_used
from conformance.listening import Listener
from conformance.matching import matches, mismatches
from conformance.model import (
    AbandonedStep,
    AlterStep,
    BurstStep,
    CallStep,
    Case,
    ControlStep,
    Expectation,
    HoldStep,
    JournalStep,
    Json,
    ListenStep,
    RefusedStartStep,
    ReleaseStep,
    RestartStep,
    Step,
    UnvisitedStep,
)
from conformance.outcome import Outcome, Verdict
from conformance.sources import octets_of
from conformance.stand import Stand
from conformance.values import UID_KEY, UnknownName, at_path, expand
from conformance.worlds_at_hand import hidden_canaries, uids

PING_S = 20.0
PAUSE_S = 0.1
ORDINARY_CALL = "mailbox_status"
NEXT_CALL_S = 45.0


class Failed(Exception):
    """A step did not end as the case says. The argument is a list of findings."""

    def __init__(self, findings: list[str]) -> None:
        super().__init__("; ".join(findings))
        self.findings = findings


@dataclass
class _Play:
    """What one case has seen so far."""

    names: dict[str, Json] = field(default_factory=dict)
    held: list[int] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    listeners: dict[str, Listener] = field(default_factory=dict)
    pause: threading.Event = field(default_factory=threading.Event)


def play(case: Case, stand: Stand) -> Outcome:
    """Play the case and leave the stand fit for the next one."""
    began = time.monotonic()
    verdict, findings = _played(case, stand)
    if verdict is not Verdict.PASSED or case.fresh:
        stand.spoil(bridge=verdict is Verdict.HARNESS_ERROR)
    family = case.attack.partition("/")[0] if case.attack else None
    return Outcome(case.id, case.tool, verdict, tuple(findings), time.monotonic() - began, family)


def _played(case: Case, stand: Stand) -> tuple[Verdict, list[str]]:
    try:
        stand.prepare(case)
        findings = list(_script(case, stand))
    except Failed as failed:
        return Verdict.FAILED, failed.findings
    except NoAnswer as silence:
        return Verdict.HANG, [str(silence)]
    except ServerGone as gone:
        return Verdict.FAILED, [f"{gone}; last on standard error: {_last_line(stand)}"]
    except (BridgeFault, UnknownName, LookupError, TypeError, ValueError, OSError) as trouble:
        return Verdict.HARNESS_ERROR, [f"{type(trouble).__name__}: {trouble}"]
    return (Verdict.FAILED if findings else Verdict.PASSED), findings


def _last_line(stand: Stand) -> str:
    lines = stand.client.stderr.strip().splitlines()
    return ascii(lines[-1][:300]) if lines else "nothing"


def _script(case: Case, stand: Stand) -> Iterator[str]:
    seen = _Play(names={UID_KEY: uids(case.world)})
    try:
        for number, step in enumerate(case.script, start=1):
            try:
                _perform(step, seen, stand)
            except Failed as failed:
                raise Failed([f"step {number}: {finding}" for finding in failed.findings]) from None
            except NoAnswer as silence:
                raise NoAnswer(f"step {number}: {silence}") from None
    finally:
        for listener in seen.listeners.values():
            listener.close()
    yield from _afterwards(case, seen, stand)


def _perform(step: Step, seen: _Play, stand: Stand) -> None:
    match step:
        case CallStep():
            _calls(step, seen, stand)
        case BurstStep():
            numbers = stand.client.send_calls([(one.call, expand(one.arguments, seen.names)) for one in step.burst])
            for number, one in zip(numbers, step.burst, strict=True):
                _judge(one.call, stand.client.wait(number, within_s=step.within_s), one.expect, seen, stand)
        case HoldStep(hold=held):
            seen.held += stand.client.send_calls([(held.call, expand(held.arguments, seen.names))] * held.times)
        case ReleaseStep():
            _ping(stand)  # which never waits, however full the queue is
            for number in seen.held:
                stand.client.cancel(number)
            _ping(stand)
        case ControlStep():
            _control(step, seen, stand)
        case RestartStep():
            _fail_on(_stderr_faults(stand))
            stand.restart_server()
        case AlterStep():
            stand.alter_stored(octets_of(expand(step.alter_stored, seen.names)))
        case _:
            _look(step, seen, stand)


def _look(step: Step, seen: _Play, stand: Stand) -> None:
    """Steps that do nothing to the server and judge what can be seen."""
    match step:
        case JournalStep():
            wanted = expand(step.journal, seen.names)
            count = sum(matches(wanted, entry) for entry in stand.bridge.journal())
            _fail_on(mismatches(step.count, count, at=f"the number of journal entries with {wanted}"))
        case ListenStep(listen=name):
            seen.listeners[name] = Listener()
            seen.names[name] = seen.listeners[name].port
        case UnvisitedStep(unvisited=name):
            if seen.listeners[name].visited():
                raise Failed([f"somebody connected to the port ${name}"])
        case AbandonedStep():
            _fail_on(still_used(stand.bridge.journal()))
        case RefusedStartStep():
            _fail_on(_start_faults(step, stand))


def _calls(step: CallStep, seen: _Play, stand: Stand) -> None:
    for _ in range(step.times):
        answer = _answer(step, seen, stand)
        _judge(step.call, answer, step.expect, seen, stand)
        for name, path in step.capture.items():
            seen.names[name] = at_path((answer.result or {}).get("structuredContent"), path)


def _control(step: ControlStep, seen: _Play, stand: Stand) -> None:
    reply = stand.bridge.control(expand(step.control, seen.names))
    _fail_on(mismatches(expand(step.reply, seen.names), reply, at="the account"))
    for name, path in step.capture.items():
        seen.names[name] = at_path(reply, path)


def _answer(step: CallStep, seen: _Play, stand: Stand) -> Answer:
    """The call's answer; with `until`, the first one that is not that refusal."""
    arguments = expand(step.arguments, seen.names)
    ends = time.monotonic() + step.within_s
    while True:
        (number,) = stand.client.send_calls([(step.call, arguments)])
        answer = stand.client.wait(number, within_s=step.within_s if step.until is None else max(0.0, ends - time.monotonic()))
        refusal = refusal_of(answer, stand.forms.refusal_key)
        if step.until is None or refusal is None or refusal.code != step.until:
            return answer
        seen.pause.wait(PAUSE_S)


def _judge(tool: str, answer: Answer, expect: Expectation, seen: _Play, stand: Stand) -> None:
    """Numbered as they matter: 1. form, 2. the kind of end, 3. what it says, 4. what it must not say."""
    seen.lines.append(answer.line)
    _fail_on(form_faults(tool, answer, stand.forms))
    refusal = refusal_of(answer, stand.forms.refusal_key)
    if expect.protocol_error is not None:
        _fail_on(mismatches(expect.protocol_error, (answer.error or {}).get("code", _ended(answer)), at="the protocol error"))
    elif expect.refused is not None:
        if refusal is None or refusal.code != expect.refused:
            raise Failed([f"{tool} ended with {_ended(answer)} instead of {expect.refused}"])
        if expect.field is not None:
            _fail_on(mismatches(expect.field, refusal.field, at="the field that is blamed"))
    elif refusal is not None or answer.result is None:
        raise Failed([f"{tool} ended with {_ended(answer)} instead of a result"])
    else:
        _fail_on(mismatches(expand(expect.ok, seen.names), answer.result["structuredContent"]))
    _fail_on(_held(answer.line, expand(expect.never, seen.names)))


def _ended(answer: Answer) -> str:
    if answer.error is not None:
        return f"protocol error {answer.error.get('code')}"
    if answer.result is not None and answer.result.get("isError") is True:
        return str(answer.result["content"][0]["text"])[:300]
    return "a result"


def _held(line: bytes, forbidden: list[Json]) -> Iterator[str]:
    text = line.decode("utf-8", "replace")
    for one in forbidden:
        if str(one) in text:
            yield f"an answer holds {one!r}"


def _fail_on(findings: Iterator[str]) -> None:
    if found := list(findings):
        raise Failed(found)


def _start_faults(step: RefusedStartStep, stand: Stand) -> Iterator[str]:
    status, output, error = stand.failed_start(step.environment)
    if status == 0 or output:
        yield f"the server started: status {status}, standard output {output[:100]!r}"
    if step.start_refused not in error:
        yield f"standard error lacks {step.start_refused}: {error.strip()[:300]}"
    for name, value in step.environment.items():
        if value and re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", error):
            yield f"standard error holds the value of {name}"
    yield from secret_faults(error, stand.secrets, where="standard error")


def _ping(stand: Stand) -> None:
    answer = stand.client.wait(stand.client.send("ping", {}), within_s=PING_S)
    if answer.result is None:
        raise Failed(["ping was answered with an error"])


def _next_call(seen: _Play, stand: Stand) -> None:
    """Whatever was played, the next person is served: faults that are still planted go, then one ordinary call."""
    stand.bridge.control({"do": "clear-faults"})
    (number,) = stand.client.send_calls([(ORDINARY_CALL, {})])
    try:
        _judge(ORDINARY_CALL, stand.client.wait(number, within_s=NEXT_CALL_S), Expectation(ok={}), seen, stand)
    except Failed as failed:
        raise Failed([f"the next call: {finding}" for finding in failed.findings]) from None


def _stderr_faults(stand: Stand) -> Iterator[str]:
    yield from secret_faults(stand.client.stderr, stand.secrets, where="standard error")
    yield from control_faults(stand.client.stderr, where="standard error")


def _afterwards(case: Case, seen: _Play, stand: Stand) -> Iterator[str]:
    """What holds after every case."""
    _ping(stand)
    if case.attack is not None and case.next_call == "served":
        _next_call(seen, stand)
    yield from stand.client.faults
    if stand.client.answered_after_cancel:
        yield f"{len(stand.client.answered_after_cancel)} cancelled calls were answered"
    canaries = expand(case.canaries, seen.names)
    hidden = hidden_canaries(case.world)
    for line in seen.lines:
        yield from _held(line, canaries)
        yield from (f"an answer holds the hidden canary of {place}" for text, place in hidden.items() if text.encode() in line)
        yield from secret_faults(line.decode("utf-8", "replace"), stand.secrets, where="an answer")
    yield from _stderr_faults(stand)
    yield from _held(stand.client.stderr.encode(), canaries)
    yield from offences(stand.bridge.journal(), allowed=case.allowed)
    if stand.bridge.sent():
        yield "a message was sent"
