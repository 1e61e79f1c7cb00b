"""A case told to a person: what it states, why, where that comes from, and the exact lines that go over the pipe."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping

from conformance.client import PROTOCOL, request_line
from conformance.lint import flag_notes
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
from conformance.peer_faults import peer_faults
from conformance.values import UID_KEY, expand
from conformance.worlds_at_hand import uids

LONG = 4_000


class _Placeholders(dict[str, Json]):
    """Names whose values only a run can know stay as they stand in the case."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __missing__(self, name: str) -> Json:
        return f"${name}"


def explain(case: Case) -> str:
    """The whole explanation as text."""
    notes = [f"flag {flag}: {flag_notes().get(flag, '')}" for flag in case.flags]
    head = [
        case.id,
        f"reason: {case.reason}",
        f"source: {case.source}",
        *([f"attack: {case.attack}"] if case.attack else []),
        *([f"absent fault of other servers: {fault}: {peer_faults()[fault].about}" for fault in case.peer_faults]),
        f"world: {case.world}; allowed IMAP commands: {case.allowed}" + ("; begins with a new server" if case.fresh else ""),
        *([f"environment: {json.dumps(case.environment)}"] if case.environment else []),
        *([f"must not appear: {json.dumps(case.canaries)}"] if case.canaries else []),
        *notes,
        "",
    ]
    return "\n".join((*head, *_lines(case)))


def _lines(case: Case) -> Iterator[str]:
    numbers = itertools.count(1)
    names = _Placeholders({UID_KEY: uids(case.world)})
    params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "conformance", "version": "1"}}
    yield _sent({"jsonrpc": "2.0", "id": next(numbers), "method": "initialize", "params": params})
    yield _sent({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for step in case.script:
        match step:
            case CallStep():
                if step.times > 1:
                    yield f"   the next line {step.times} times with growing ids, each time when the one before has been answered"
                yield _call(next(numbers), step.call, step.arguments, names)
                yield f"   expect {_end(step.expect)}"
                yield from (f"   ${name} is {path} of the result" for name, path in step.capture.items())
            case BurstStep():
                for one in step.burst:
                    yield _call(next(numbers), one.call, one.arguments, names)
                    yield f"   expect, together with its neighbours, {_end(one.expect)}"
            case HoldStep(hold=held):
                yield f"   the next line {held.times} times with growing ids, not waiting for answers"
                yield _call(next(numbers), held.call, held.arguments, names)
            case ReleaseStep():
                yield "   all calls without an answer are cancelled (notifications/cancelled); none of them is answered"
            case _:
                yield from _beside(step)


def _beside(step: Step) -> Iterator[str]:
    """A step in which nothing is sent to the server."""
    match step:
        case ControlStep():
            yield f"   fakebridge is told {json.dumps(step.control, ensure_ascii=False)}"
            if step.reply:
                yield f"   and answers {json.dumps(step.reply, ensure_ascii=False)}"
        case RestartStep():
            yield "   the server ends and starts again with the same state folder"
        case AlterStep():
            yield f"   each file of the state folder that holds {json.dumps(step.alter_stored)} is altered"
        case JournalStep():
            yield f"   the journal holds {json.dumps(step.count)} entries like {json.dumps(step.journal)}"
        case RefusedStartStep():
            changes = json.dumps(step.environment, ensure_ascii=False)
            yield f"   another server with {changes} ends at once, says {step.start_refused} on standard error and nothing else"
        case ListenStep(listen=name):
            yield f"   somebody listens on 127.0.0.1; ${name} is the port"
        case UnvisitedStep(unvisited=name):
            yield f"   nobody has connected to the port ${name}"
        case AbandonedStep():
            yield "   no connection on which a fault was met has seen another command; a later one has"


def _call(number: int, tool: str, arguments: dict[str, Json], names: Mapping[str, Json]) -> str:
    filled = expand(arguments, names)
    return _sent({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": filled}})


def _sent(message: dict[str, Json]) -> str:
    line = request_line(message).decode("utf-8", "replace").rstrip("\n")
    return f"→ {line}" if len(line) <= LONG else f"→ {line[:LONG]}… ({len(line)} characters)"


def _end(expect: Expectation) -> str:
    if expect.ok is not None:
        return f"a result that holds {json.dumps(expect.ok, ensure_ascii=False)}"
    if expect.refused is not None:
        return f"the refusal {expect.refused}" + (f" of {expect.field}" if expect.field else "")
    return f"the JSON-RPC error {expect.protocol_error}"
